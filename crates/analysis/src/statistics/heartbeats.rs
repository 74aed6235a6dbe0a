//! The heartbeats of each server to each master, and which of them came late.

use std::net::SocketAddr;

use super::time_buckets::{Buckets, TimeBuckets};
use crate::endpoint_key::{EndpointKey, EndpointMap};
use crate::message::MessageHeader;
use crate::registration_stats::{Intervals, RegistrationStats};
use protocol::{Entry, ExchangeKind, Game, HeartbeatInterval, Role};
use text::{has_time, since};

/// How many servers with their masters are kept; heartbeats of others are only counted.
const SERIES: usize = 4_096;
/// How many buckets the time has at most, for each of them.
const BUCKETS: i64 = 1_024;

/// The heartbeats of all servers.
#[derive(Debug, Clone)]
pub struct HeartbeatStatistics {
    buckets: TimeBuckets,
    /// In the order of their first heartbeats; when finished, those with the most late heartbeats
    /// come first.
    series: Vec<HeartbeatSeries>,
    /// The indices of the series of each server: those of a server are linked by `next`.
    first: EndpointMap<u32>,
    left_out: u64,
}

/// The heartbeats of a server to a master.
#[derive(Debug, Clone)]
pub struct HeartbeatSeries {
    /// The server.
    pub server: SocketAddr,
    /// The master.
    pub master: SocketAddr,
    /// The game.
    pub game: &'static Game,
    /// The documented interval, if there is one.
    pub documented: Option<HeartbeatInterval>,
    /// How many were sent.
    pub heartbeats: u64,
    /// The time of the last heartbeat or shutdown.
    pub last: i64,
    /// Times between heartbeats; those in quick succession are left out.
    pub intervals: Option<Intervals>,
    /// How many came late; when finished, with one that is overdue at the end.
    pub late: u64,
    /// If the next one is overdue at the end, for how long there was none, in nanoseconds.
    pub silence: Option<i64>,
    /// Whether the last message was a shutdown.
    pub has_shut_down: bool,
    /// What happened, by time.
    pub marks: Buckets<HeartbeatMarks>,
    before: ReportBefore,
    /// The next series of the same server.
    next: Option<u32>,
}

/// Whether the last report of a server is selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReportBefore {
    None,
    Selected,
    Other,
}

/// What happened at a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HeartbeatMarks(u8);

impl HeartbeatMarks {
    /// A heartbeat came.
    pub const HEARTBEAT: Self = Self(1);
    /// A heartbeat came late.
    pub const LATE: Self = Self(2);
    /// The server announced that it shuts down.
    pub const SHUTDOWN: Self = Self(4);

    /// Whether it has all of these.
    pub fn has(self, marks: Self) -> bool {
        self.0 & marks.0 == marks.0
    }

    /// Whether nothing happened.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Adds marks.
    pub fn add_marks(&mut self, marks: Self) {
        self.0 |= marks.0;
    }
}

/// What a server reports to a master, and the address of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ServerReport {
    Heartbeat(SocketAddr),
    Shutdown(SocketAddr),
}

/// What is kept of a message that may be a report: its exchange decides, when it ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReportCandidate {
    pub number: u64,
    time: i64,
    source: SocketAddr,
    destination: SocketAddr,
    game: &'static Game,
    entry: &'static Entry,
}

impl ReportCandidate {
    /// A message that may be a report; nothing of others.
    pub fn from_header(header: &MessageHeader) -> Option<Self> {
        let own = header.entry.spec.exchange;
        let reports = matches!(own, ExchangeKind::Registration | ExchangeKind::Shutdown);
        let is_server = header.direction.from == Some(Role::Server);
        let is_candidate = reports && is_server && header.answers.is_none();
        let MessageHeader { number, time, source, destination, entry, verdict, .. } = *header;
        let game = verdict.game;
        is_candidate.then_some(Self { number, time, source, destination, game, entry })
    }

    /// The report; `exchange` is the kind and the server of its exchange, if known: queries may go to
    /// another port of the server than it sends heartbeats from, and some heartbeats are a shutdown.
    fn report(&self, exchange: Option<(ExchangeKind, Option<SocketAddr>)>) -> Option<ServerReport> {
        let (kind, server) = exchange.unwrap_or((self.entry.spec.exchange, None));
        let server = server.unwrap_or(self.source);
        match kind {
            ExchangeKind::Registration => Some(ServerReport::Heartbeat(server)),
            ExchangeKind::Shutdown => Some(ServerReport::Shutdown(server)),
            _ => None,
        }
    }
}

impl Default for HeartbeatStatistics {
    fn default() -> Self {
        Self {
            buckets: TimeBuckets::new(BUCKETS),
            series: Vec::new(),
            first: EndpointMap::default(),
            left_out: 0,
        }
    }
}

impl HeartbeatStatistics {
    /// Adds what may be a report of this exchange; one that is not selected only tells when the one
    /// before the next was.
    pub(super) fn add_candidate(
        &mut self,
        sent: &ReportCandidate,
        exchange: Option<(ExchangeKind, Option<SocketAddr>)>,
        is_selected: bool,
    ) {
        let Some(report) = sent.report(exchange) else { return };
        let is_marked = is_selected && has_time(sent.time);
        let joined = if is_marked { self.buckets.include(sent.time) } else { None };
        if let Some(joined) = joined {
            for series in &mut self.series {
                series.marks.join(joined, HeartbeatMarks::add_marks);
            }
        }
        let bucket = self.buckets.at(sent.time);
        let (ServerReport::Heartbeat(server) | ServerReport::Shutdown(server)) = report;
        let Some(series) = self.find(server, sent) else {
            self.left_out += u64::from(is_selected);
            return;
        };
        let marks = series.add_report(sent, report, is_selected);
        if is_marked && let Some(all) = series.marks.at_mut(bucket) {
            all.add_marks(marks);
        }
    }

    /// The heartbeats of a server to the receiver of a message.
    fn find(&mut self, server: SocketAddr, sent: &ReportCandidate) -> Option<&mut HeartbeatSeries> {
        let key = EndpointKey::from(server);
        let first = self.first.get(&key).copied();
        let (mut at, mut last) = (first, None);
        while let Some(index) = at {
            let series = self.series.get(index as usize)?;
            if series.master == sent.destination {
                return self.series.get_mut(index as usize);
            }
            (last, at) = (at, series.next);
        }
        if self.series.len() >= SERIES {
            return None;
        }
        let index = self.series.len() as u32;
        match last.and_then(|last| self.series.get_mut(last as usize)) {
            Some(last) => last.next = Some(index),
            None => _ = self.first.insert(key, index),
        }
        self.series.push(HeartbeatSeries {
            server,
            master: sent.destination,
            game: sent.game,
            documented: None,
            heartbeats: 0,
            last: sent.time,
            intervals: None,
            late: 0,
            silence: None,
            has_shut_down: false,
            marks: Buckets::default(),
            before: ReportBefore::None,
            next: None,
        });
        self.series.last_mut()
    }

    /// No more messages come after this time: finds what is overdue, and puts the series in order,
    /// those with the most late heartbeats first.
    pub(super) fn finish(&mut self, end: i64) {
        self.first = EndpointMap::default();
        self.series.retain(|series| series.marks.iter().any(|(_, marks)| !marks.is_empty()));
        for series in &mut self.series {
            let silence = since(series.last, end).unwrap_or(0);
            let is_overdue = series.latest().is_some_and(|latest| silence > latest);
            let is_selected = series.before == ReportBefore::Selected;
            if is_overdue && is_selected && !series.has_shut_down {
                series.late += 1;
                series.silence = Some(silence);
            }
        }
        let place =
            |series: &HeartbeatSeries| (u64::MAX - series.late, series.server, series.master);
        self.series.sort_by_key(place);
    }

    /// The heartbeats of each server to each master.
    pub fn series(&self) -> &[HeartbeatSeries] {
        &self.series
    }

    /// The times of the marks.
    pub fn buckets(&self) -> &TimeBuckets {
        &self.buckets
    }

    /// How many messages are of servers that were not kept, because there are too many.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}

impl HeartbeatSeries {
    /// After a longer interval a heartbeat is late, in nanoseconds.
    pub fn latest(&self) -> Option<i64> {
        self.documented.map(HeartbeatInterval::latest)
    }

    /// The times in which a heartbeat was overdue, from when it was late until the next one came;
    /// after the last one until `end`. The marks have buckets of this width.
    pub fn overdue(&self, width: i64, end: i64) -> Vec<[i64; 2]> {
        let Some(latest) = self.latest() else { return Vec::new() };
        let (mut found, mut before) = (Vec::new(), None::<i64>);
        for (bucket, marks) in self.marks.iter().filter(|(_, marks)| !marks.is_empty()) {
            let time = bucket.saturating_mul(width);
            if let (Some(before), true) = (before, marks.has(HeartbeatMarks::LATE)) {
                found.push([before.saturating_add(latest), time]);
            }
            before = Some(time);
        }
        if self.silence.is_some() {
            found.push([self.last.saturating_add(latest), end]);
        }
        found.retain(|[from, to]| from < to);
        found
    }

    /// The longest time without a heartbeat.
    pub fn longest(&self) -> Option<i64> {
        self.intervals.map(|intervals| intervals.longest).max(self.silence)
    }

    /// Adds a report, and returns what happened.
    fn add_report(
        &mut self,
        sent: &ReportCandidate,
        report: ServerReport,
        is_selected: bool,
    ) -> HeartbeatMarks {
        let follows = self.before != ReportBefore::None && !self.has_shut_down;
        let interval = since(self.last, sent.time).unwrap_or(0);
        self.before = if is_selected { ReportBefore::Selected } else { ReportBefore::Other };
        self.last = sent.time;
        self.has_shut_down = matches!(report, ServerReport::Shutdown(_));
        if self.has_shut_down {
            return HeartbeatMarks::SHUTDOWN;
        }
        self.heartbeats += u64::from(is_selected);
        self.game = sent.game;
        self.documented = sent.entry.heartbeat_interval(self.game).or(self.documented);
        let mut marks = HeartbeatMarks::HEARTBEAT;
        if is_selected && follows && interval >= RegistrationStats::QUICK {
            self.intervals = Some(Intervals::with(self.intervals, interval));
            if self.latest().is_some_and(|latest| interval > latest) {
                self.late += 1;
                marks.add_marks(HeartbeatMarks::LATE);
            }
        }
        marks
    }
}
