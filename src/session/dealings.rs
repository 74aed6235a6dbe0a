//! What went between a server and one master.

use std::net::SocketAddr;

/// A moment in a capture: the frame's number and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub number: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
}

/// A server and one master.
#[derive(Debug, Clone)]
pub struct Dealings {
    /// The master's address; of one that only lists, that from which its list came.
    pub master: SocketAddr,
    pub heartbeats: u32,
    pub first_heartbeat: Option<Moment>,
    pub last_heartbeat: Option<Moment>,
    /// Between heartbeats, in nanoseconds; those in quick succession are left out.
    pub shortest: Option<i64>,
    pub longest: Option<i64>,
    pub mean: Option<i64>,
    /// When the master first asked it back.
    pub challenged: Option<Moment>,
    /// When it first answered that rightly.
    pub verified: Option<Moment>,
    /// When the master first and last listed it.
    pub first_listed: Option<Moment>,
    pub last_listed: Option<Moment>,
    intervals: u32,
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
            shortest: None,
            longest: None,
            mean: None,
            challenged: None,
            verified: None,
            first_listed: None,
            last_listed: None,
            intervals: 0,
        }
    }

    /// A heartbeat was sent.
    pub(super) fn beats(&mut self, moment: Moment) {
        self.heartbeats += 1;
        self.first_heartbeat.get_or_insert(moment);
        let before = self.last_heartbeat.replace(moment);
        let Some(interval) = before.map(|b| moment.time - b.time).filter(|i| *i >= Self::QUICK)
        else {
            return;
        };
        self.shortest = Some(self.shortest.map_or(interval, |s| s.min(interval)));
        self.longest = Some(self.longest.map_or(interval, |l| l.max(interval)));
        self.intervals += 1;
        let mean = self.mean.unwrap_or(0);
        self.mean = Some(mean + (interval - mean) / i64::from(self.intervals));
    }
}
