//! Registration statistics of a server with one master.
//!
//! There are thousands of these, so optional values take no extra memory.

use std::net::SocketAddr;
use std::num::{NonZeroU16, NonZeroU32, NonZeroU64};
use std::ops::RangeInclusive;

use super::frame_ref::FrameRef;
use super::host::ServerHost;
use flow::{FlowId, Transport};
use protocol::HeartbeatInterval;
use text::since;

/// Maximum number of masters per server.
const KEPT: usize = 16;

/// A moment in a capture: the frame's number and input, and the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The index of the input in the upper bits, and the number.
    frame: NonZeroU64,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
}

impl Moment {
    /// How many bits are the number's; no capture has more packets.
    const NUMBER: u32 = 48;

    /// Of a frame, which are numbered from 1.
    pub(super) fn new(FrameRef { number, input, .. }: FrameRef, time: i64) -> Self {
        let frame = u64::from(input) << Self::NUMBER | number;
        Self { frame: NonZeroU64::new(frame).unwrap_or(NonZeroU64::MIN), time }
    }

    /// The frame's number.
    pub fn number(self) -> u64 {
        self.frame.get() & ((1 << Self::NUMBER) - 1)
    }

    /// The index of the frame's input.
    pub fn input(self) -> u16 {
        (self.frame.get() >> Self::NUMBER) as u16
    }

    /// The frame; its flow is not known.
    pub(super) fn frame(self) -> FrameRef {
        FrameRef { number: self.number(), flow: FlowId(0), input: self.input() }
    }
}

/// How a server shut down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShutdownKind {
    /// It sent a shutdown message.
    Shutdown(Moment),
    /// No heartbeat came for 15 minutes and more after this one.
    Silence(Moment),
}

/// Intervals between regular heartbeats, in nanoseconds: those in quick succession, and those of a
/// server that shuts down, are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Intervals {
    /// The shortest.
    pub shortest: i64,
    /// The longest.
    pub longest: i64,
    /// The mean.
    pub mean: i64,
    count: NonZeroU32,
}

impl Intervals {
    /// How many intervals there are.
    pub fn count(self) -> u32 {
        self.count.get()
    }

    pub(super) fn with(before: Option<Self>, interval: i64) -> Self {
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
pub struct RegistrationStats {
    /// The master, as heartbeats to it are addressed; of a master that was only seen in lists, the
    /// endpoint that got the list request.
    pub master: SocketAddr,
    /// What the two said to each other; most masters only list a server.
    own: Option<Box<ServerReports>>,
    /// When the master first and last listed it.
    pub first_listed: Option<Moment>,
    /// The last list with the server.
    pub last_listed: Option<Moment>,
    /// Number of list packets from this master that contain the server.
    pub listed: u32,
    /// This endpoint only listed the server, over TCP: heartbeats go to another port, by UDP.
    pub is_list_port: bool,
}

/// What a server and a master said to each other.
#[derive(Debug, Clone, Copy, Default)]
struct ServerReports {
    heartbeats: u32,
    first_heartbeat: Option<Moment>,
    last_heartbeat: Option<Moment>,
    /// The last heartbeat before those in quick succession at the end.
    before_last: Option<Moment>,
    intervals: Option<Intervals>,
    /// The same without the last one, and when that ended.
    earlier: Option<(Option<Intervals>, i64)>,
    /// The documented interval, in seconds.
    documented: Option<NonZeroU16>,
    challenged: Option<Moment>,
    verified: Option<Moment>,
}

impl RegistrationStats {
    /// Heartbeats closer than this, in nanoseconds, are no regular heartbeats: servers report
    /// changes of state at once.
    pub(super) const QUICK: i64 = 5_000_000_000;

    /// Statistics without any message.
    pub(super) fn new(master: SocketAddr) -> Self {
        Self {
            master,
            own: None,
            first_listed: None,
            last_listed: None,
            listed: 0,
            is_list_port: false,
        }
    }

    /// How many heartbeats the server sent to the master; those of a shutdown that has ended are
    /// none.
    pub fn heartbeats(&self) -> u32 {
        self.own.as_ref().map_or(0, |own| own.heartbeats)
    }

    /// When its first heartbeat was captured.
    pub fn first_heartbeat(&self) -> Option<Moment> {
        self.own.as_ref().filter(|own| own.heartbeats > 0)?.first_heartbeat
    }

    /// When its last heartbeat was captured.
    pub fn last_heartbeat(&self) -> Option<Moment> {
        self.own.as_ref()?.last_heartbeat
    }

    /// The times between its regular heartbeats.
    pub fn intervals(&self) -> Option<Intervals> {
        self.own.as_ref()?.intervals
    }

    /// The documented interval of its heartbeats, in nanoseconds.
    pub fn documented_interval(&self) -> Option<i64> {
        let seconds = self.own.as_ref()?.documented?;
        Some(i64::from(seconds.get()) * 1_000_000_000)
    }

    /// When the master first sent a challenge.
    pub fn challenged(&self) -> Option<Moment> {
        self.own.as_ref()?.challenged
    }

    /// When the server first answered a challenge correctly.
    pub fn verified(&self) -> Option<Moment> {
        self.own.as_ref()?.verified
    }

    /// The first and last heartbeat, and the first and last listing.
    pub fn moments(&self) -> impl Iterator<Item = Moment> {
        let of = [self.first_heartbeat(), self.last_heartbeat()];
        of.into_iter().chain([self.first_listed, self.last_listed]).flatten()
    }

    /// What it has in memory beside itself, in bytes.
    pub(super) fn weigh(&self) -> usize {
        self.own.as_ref().map_or(0, |_| size_of::<ServerReports>())
    }

    /// The master sent a challenge.
    pub(super) fn add_challenge(&mut self, moment: Moment) {
        self.own.get_or_insert_default().challenged.get_or_insert(moment);
    }

    /// The server answered a challenge correctly.
    pub(super) fn add_proof(&mut self, moment: Moment) {
        self.own.get_or_insert_default().verified.get_or_insert(moment);
    }

    /// A heartbeat was sent; `documented` is the documented interval.
    pub(super) fn add_heartbeat(&mut self, moment: Moment, documented: Option<HeartbeatInterval>) {
        let own = self.own.get_or_insert_default();
        own.heartbeats += 1;
        let documented = documented.and_then(|documented| NonZeroU16::new(documented.seconds));
        own.documented = documented.or(own.documented);
        own.first_heartbeat.get_or_insert(moment);
        let before = own.last_heartbeat.replace(moment);
        let interval =
            before.and_then(|b| since(b.time, moment.time)).filter(|i| *i >= Self::QUICK);
        if interval.is_some() {
            own.before_last = before;
        }
        if let Some(interval) = interval {
            own.earlier = Some((own.intervals, moment.time));
            own.intervals = Some(Intervals::with(own.intervals, interval));
        }
    }

    /// So many heartbeats within `times`, in nanoseconds since the Unix epoch, told the master that
    /// the server shuts down: the time before them is no interval of regular heartbeats.
    pub(super) fn end(&mut self, times: RangeInclusive<i64>, count: u32) {
        let Some(own) = &mut self.own else {
            return;
        };
        if let Some((before, _)) = own.earlier.take_if(|(_, end)| *end >= *times.start()) {
            own.intervals = before;
        }
        own.heartbeats = own.heartbeats.saturating_sub(count);
        if own.last_heartbeat.is_some_and(|last| count > 0 && times.contains(&last.time)) {
            own.last_heartbeat = own.before_last.take();
        }
    }
}

impl ServerHost {
    /// The statistics for a master to which the server sends heartbeats. If that master listed the
    /// server before from its list port, the two entries are merged.
    pub(super) fn with(&mut self, master: SocketAddr) -> Option<&mut RegistrationStats> {
        let known = self.registrations.iter().position(|d| d.master == master);
        let is_other_port = |d: &RegistrationStats| d.is_list_port && d.master.ip() == master.ip();
        let known = known.or_else(|| self.registrations.iter().position(is_other_port));
        let stats = self.at(known, master)?;
        (stats.master, stats.is_list_port) = (master, false);
        Some(stats)
    }

    /// Whether there are no statistics yet for a master to which the server sends heartbeats.
    pub(super) fn is_new_master(&self, master: SocketAddr) -> bool {
        self.registrations.iter().all(|d| d.master != master || d.is_list_port)
    }

    /// The index of the statistics for the master that lists the server. Over UDP a master lists from the port
    /// that heartbeats go to. Over TCP it uses another port: the entry is that of the one master at
    /// this address to which the server sends heartbeats; with several such masters, of none of
    /// them.
    pub(super) fn listed_by(&mut self, master: SocketAddr, transport: Transport) -> Option<u8> {
        let known = self.registrations.iter().position(|d| d.master == master);
        let known = known.or_else(|| self.by_list_port(master, transport));
        let stats = self.at(known, master)?;
        stats.is_list_port |= known.is_none() && transport == Transport::Tcp;
        u8::try_from(known.unwrap_or(self.registrations.len() - 1)).ok()
    }

    /// A master has listed the server; the index is that of the statistics for it.
    pub(super) fn add_listing(&mut self, index: u8, moment: Moment) {
        if let Some(stats) = self.registrations.get_mut(usize::from(index)) {
            stats.listed += 1;
            stats.first_listed.get_or_insert(moment);
            stats.last_listed = Some(moment);
        }
    }

    /// The one master at an address to which the server sends heartbeats, where another port of
    /// that address listed it over TCP.
    fn by_list_port(&self, master: SocketAddr, transport: Transport) -> Option<usize> {
        let here = |d: &RegistrationStats| !d.is_list_port && d.master.ip() == master.ip();
        let at =
            self.registrations.iter().position(here).filter(|_| transport == Transport::Tcp)?;
        let is_only = self.registrations.iter().filter(|d| here(d)).count() == 1;
        is_only.then_some(at)
    }

    /// The entry at an index, or a new one if the limit allows.
    fn at(&mut self, known: Option<usize>, master: SocketAddr) -> Option<&mut RegistrationStats> {
        if let Some(at) = known {
            return self.registrations.get_mut(at);
        }
        let most = if self.full { 1 } else { KEPT };
        if self.registrations.len() >= most {
            return None;
        }
        // Most servers register with one master.
        self.registrations.reserve_exact(1);
        self.registrations.push(RegistrationStats::new(master));
        self.registrations.last_mut()
    }

    /// The statistics for a master, if there are any.
    pub fn registration_with(&self, master: SocketAddr) -> Option<&RegistrationStats> {
        self.registrations.iter().find(|d| d.master == master)
    }
}
