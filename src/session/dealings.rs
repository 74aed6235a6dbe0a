//! What went between a server and one master.
//!
//! There are thousands of these, so what may be missing takes no room of its own.

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroU64};

/// A moment in a capture: the frame's number and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    number: NonZeroU64,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
}

impl Moment {
    /// Of a frame, which are numbered from 1.
    pub(super) fn new(number: u64, time: i64) -> Self {
        Self { number: NonZeroU64::new(number).unwrap_or(NonZeroU64::MIN), time }
    }

    /// The frame's number.
    pub fn number(self) -> u64 {
        self.number.get()
    }
}

/// Times between heartbeats, in nanoseconds; those in quick succession are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Intervals {
    pub shortest: i64,
    pub longest: i64,
    pub mean: i64,
    count: NonZeroU32,
}

impl Intervals {
    fn with(before: Option<Self>, interval: i64) -> Self {
        let Some(Self { shortest, longest, mean, count }) = before else {
            let (shortest, longest, mean) = (interval, interval, interval);
            return Self { shortest, longest, mean, count: NonZeroU32::MIN };
        };
        let count = count.saturating_add(1);
        Self {
            shortest: shortest.min(interval),
            longest: longest.max(interval),
            mean: mean + (interval - mean) / i64::from(count.get()),
            count,
        }
    }
}

/// A server and one master.
#[derive(Debug, Clone)]
pub struct Dealings {
    /// The master's address; of one that only lists, that from which its list came.
    pub master: SocketAddr,
    pub heartbeats: u32,
    pub first_heartbeat: Option<Moment>,
    pub last_heartbeat: Option<Moment>,
    pub intervals: Option<Intervals>,
    /// When the master first asked it back.
    pub challenged: Option<Moment>,
    /// When it first answered that rightly.
    pub verified: Option<Moment>,
    /// When the master first and last listed it.
    pub first_listed: Option<Moment>,
    pub last_listed: Option<Moment>,
}

impl Dealings {
    /// What is too quick to be a heartbeat of its own: a change of state is told at once.
    const QUICK: i64 = 5_000_000_000;

    /// Nothing has gone between a server and this master.
    pub(super) fn new(master: SocketAddr) -> Self {
        Self {
            master,
            heartbeats: 0,
            first_heartbeat: None,
            last_heartbeat: None,
            intervals: None,
            challenged: None,
            verified: None,
            first_listed: None,
            last_listed: None,
        }
    }

    /// A heartbeat was sent.
    pub(super) fn beats(&mut self, moment: Moment) {
        self.heartbeats += 1;
        self.first_heartbeat.get_or_insert(moment);
        let before = self.last_heartbeat.replace(moment);
        let interval = before.map(|b| moment.time - b.time).filter(|i| *i >= Self::QUICK);
        if let Some(interval) = interval {
            self.intervals = Some(Intervals::with(self.intervals, interval));
        }
    }
}
