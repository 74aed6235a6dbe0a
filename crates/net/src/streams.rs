//! TCP reassembly: for each direction of a connection its bytes, in order, each once.
//!
//! Segments may come in any order, twice, overlapping, or not at all, and a capture may begin in
//! the middle of a connection. Bytes are passed on as soon as they are next. If bytes are missing,
//! those after them wait until it is certain that they will not come: the receiver has
//! acknowledged them (so they did arrive, but were not captured), the connection ends, or too much
//! waits. Then they are a gap of this many bytes. If two segments overlap, the bytes that came
//! first are kept.
//!
//! The reader of the bytes keeps its state of a connection here with it, so that both are dropped
//! together. A connection that is dropped for lack of memory is dropped completely: its later
//! segments are ignored, because they would begin in the middle, unless they open another one.
//!
//! *Architecture invariant:* the number of connections, the bytes that are kept for each and for
//! all, and the time for which a silent one is kept are bounded, and what was dropped is counted.

use std::net::SocketAddr;

use foldhash::fast::RandomState;
use lru::LruCache;

use super::Segment;
use super::direction::TcpDirection;
use super::dropped::DroppedConnections;
use super::stream_event::{DirectionEvent, EndpointPair, StreamEnd, StreamEvent};

/// Maximum number of connections.
const MAX_CONNECTIONS: usize = 4096;
/// Maximum number of waiting bytes in one direction of a connection.
const MAX_WAITING: usize = 256 << 10;
/// Memory limit of all connections, with the state of the readers, in bytes.
const MAX_BYTES: usize = 16 << 20;
/// How long a silent connection is kept, in nanoseconds of capture time.
const MAX_AGE: i64 = 600_000_000_000;

/// The state that a reader keeps of each connection.
pub trait ConnectionState: Default {
    /// Its size in memory, in bytes.
    fn weight(&self) -> usize;
}

impl ConnectionState for () {
    fn weight(&self) -> usize {
        0
    }
}

/// All connections that segments belong to, each with the state `T` of its reader.
pub struct TcpReassembler<T = ()> {
    /// In the order of their last segments.
    connections: LruCache<EndpointPair, TcpConnection<T>, RandomState>,
    opened: u64,
    bytes: usize,
    counts: StreamCounts,
    /// Connections that were dropped for lack of memory.
    dropped: DroppedConnections,
}

/// Counters of what was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StreamCounts {
    /// Connections dropped because of a limit.
    pub evicted: u64,
    /// Segments without a connection that were not read.
    pub unread: u64,
    /// Gaps that were given up early because too many bytes waited after them.
    pub gaps_given_up: u64,
}

struct TcpConnection<T> {
    number: u64,
    /// The time of its last segment.
    last: i64,
    /// The index in the key of the endpoint that opened it.
    opener: usize,
    /// Whether its opening was captured.
    is_opened: bool,
    directions: [TcpDirection; 2],
    state: T,
}

/// One direction of a connection, as its events name it.
#[derive(Clone, Copy)]
struct Route {
    connection: u64,
    forward: bool,
    is_opened: bool,
    source: SocketAddr,
    destination: SocketAddr,
}

impl<T: ConnectionState> Default for TcpReassembler<T> {
    fn default() -> Self {
        let connections = LruCache::unbounded_with_hasher(RandomState::default());
        let (counts, dropped) = (StreamCounts::default(), DroppedConnections::default());
        Self { connections, opened: 0, bytes: 0, counts, dropped }
    }
}

impl<T: ConnectionState> TcpReassembler<T> {
    /// Processes a segment with the time `time`, in nanoseconds since the Unix epoch, and passes
    /// the resulting events of both directions to `out`, in order.
    pub fn add_segment(
        &mut self,
        time: i64,
        segment: &Segment<'_>,
        out: &mut impl FnMut(&mut T, StreamEvent<'_>),
    ) {
        self.expire(time, out);
        let from = usize::from(segment.source > segment.destination);
        let ends = if from == 0 {
            [segment.source, segment.destination]
        } else {
            [segment.destination, segment.source]
        };
        let Self { connections, opened, bytes, counts, dropped } = self;
        let mut open = || {
            *opened += 1;
            let answers = segment.flags.syn && segment.flags.ack;
            let opener = if answers { 1 - from } else { from };
            TcpConnection::new(*opened, opener, segment.flags.syn)
        };
        let connection = match connections.get_mut(&ends) {
            Some(known) => {
                if known.is_another(from, segment) {
                    *bytes -= known.cost();
                    known.end(ends, StreamEnd::Replaced, out);
                    *known = open();
                }
                known
            }
            None if segment.payload.is_empty() && !segment.flags.syn => return,
            None if !segment.flags.syn && dropped.may_have(&ends) => {
                counts.unread += 1;
                return;
            }
            None => connections.get_or_insert_mut(ends, open),
        };
        connection.last = time;

        let before = connection.cost();
        connection.add_segment(ends, from, segment, counts, out);
        *bytes = *bytes + connection.cost() - before;
        self.free_memory(out);
    }

    /// At the end of the capture: passes on everything that still waits, after its gaps.
    pub fn finish(&mut self, out: &mut impl FnMut(&mut T, StreamEvent<'_>)) {
        while self.finish_oldest(out) {}
    }

    /// The same for the connection that has been silent longest; false if there is none.
    pub fn finish_oldest(&mut self, out: &mut impl FnMut(&mut T, StreamEvent<'_>)) -> bool {
        let oldest = self.oldest(|_| true);
        if let Some(ends) = oldest {
            self.close(ends, StreamEnd::Captured, out);
        }
        oldest.is_some()
    }

    /// The counters so far.
    pub fn counts(&self) -> StreamCounts {
        self.counts
    }

    /// Number of connections, and of bytes that wait in them.
    pub fn open(&self) -> (usize, usize) {
        (self.connections.len(), self.bytes)
    }

    fn expire(&mut self, time: i64, out: &mut impl FnMut(&mut T, StreamEvent<'_>)) {
        while let Some(ends) = self.oldest(|c| time.saturating_sub(c.last) > MAX_AGE) {
            self.close(ends, StreamEnd::Silent, out);
        }
    }

    fn free_memory(&mut self, out: &mut impl FnMut(&mut T, StreamEvent<'_>)) {
        while self.connections.len() > MAX_CONNECTIONS || self.bytes > MAX_BYTES {
            let Some(ends) = self.oldest(|_| true) else { return };
            self.close(ends, StreamEnd::Evicted, out);
        }
    }

    /// The connection that has been silent longest, if `so` is true for it.
    fn oldest(&self, so: impl Fn(&TcpConnection<T>) -> bool) -> Option<EndpointPair> {
        self.connections.peek_lru().filter(|(_, c)| so(c)).map(|(ends, _)| *ends)
    }

    fn close(
        &mut self,
        ends: EndpointPair,
        how: StreamEnd,
        out: &mut impl FnMut(&mut T, StreamEvent<'_>),
    ) {
        let Some(mut connection) = self.connections.pop(&ends) else { return };
        self.bytes -= connection.cost();
        if how == StreamEnd::Evicted {
            self.counts.evicted += u64::from(!connection.is_over());
            self.dropped.add_connection(&ends);
        }
        connection.end(ends, how, out);
    }
}

impl<T: ConnectionState> TcpConnection<T> {
    fn new(number: u64, opener: usize, is_opened: bool) -> Self {
        Self {
            number,
            last: 0,
            opener,
            is_opened,
            directions: <[TcpDirection; 2]>::default(),
            state: T::default(),
        }
    }

    /// The size of what it keeps, in bytes.
    fn cost(&self) -> usize {
        self.directions.iter().map(TcpDirection::cost).sum::<usize>() + self.state.weight()
    }

    fn is_over(&self) -> bool {
        self.directions.iter().all(TcpDirection::is_over)
    }

    /// Whether a segment sent by the endpoint at `from` belongs to a later connection.
    fn is_another(&self, from: usize, segment: &Segment<'_>) -> bool {
        let direction = self.directions.get(from);
        direction.is_some_and(|direction| direction.is_another(segment))
    }

    /// The direction in which the endpoint at `from` sends.
    fn route(&self, ends: EndpointPair, from: usize) -> Route {
        let [low, high] = ends;
        let (source, destination) = if from == 0 { (low, high) } else { (high, low) };
        let (connection, is_opened) = (self.number, self.is_opened);
        Route { connection, forward: from == self.opener, is_opened, source, destination }
    }

    fn add_segment(
        &mut self,
        ends: EndpointPair,
        from: usize,
        segment: &Segment<'_>,
        counts: &mut StreamCounts,
        out: &mut impl FnMut(&mut T, StreamEvent<'_>),
    ) {
        let (there, back) = (self.route(ends, from), self.route(ends, 1 - from));
        let Self { directions: [low, high], state, .. } = self;
        let (direction, other) = if from == 0 { (low, high) } else { (high, low) };
        direction.add_segment(segment, &mut |what| out(state, there.event(what)));
        if segment.flags.ack {
            let number = segment.acknowledgment;
            other.acknowledged(number, &mut |what| out(state, back.event(what)));
        }
        if segment.flags.rst {
            return self.end(ends, StreamEnd::Reset, out);
        }
        for (direction, route) in [(direction, there), (other, back)] {
            while direction.cost() > MAX_WAITING {
                counts.gaps_given_up += 1;
                direction.give_up_first(&mut |what| out(state, route.event(what)));
            }
        }
    }

    /// Ends both directions, with the events for what waits.
    fn end(
        &mut self,
        ends: EndpointPair,
        how: StreamEnd,
        out: &mut impl FnMut(&mut T, StreamEvent<'_>),
    ) {
        let routes = [0, 1].map(|from| self.route(ends, from));
        let Self { directions: halves, state, .. } = self;
        for (direction, route) in halves.iter_mut().zip(routes) {
            direction.end(how, &mut |what| out(state, route.event(what)));
        }
    }
}

impl Route {
    /// An event of this direction.
    fn event(self, what: DirectionEvent<'_>) -> StreamEvent<'_> {
        let Self { connection, forward, is_opened, source, destination } = self;
        StreamEvent { connection, forward, is_opened, source, destination, what }
    }
}
