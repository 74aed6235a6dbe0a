//! TCP segments put together: for each direction of a connection its bytes, in order, each once.
//!
//! Segments may come in any order, twice, overlapping, or not at all, and a capture may begin in
//! the middle of a connection. Bytes are handed on as soon as they are next. Where bytes are
//! missing, those behind them wait, until it is known that nobody will bring them: the receiver has
//! acknowledged them (so they did arrive, and only the capture has not seen them), the connection
//! ends, or too much waits. Then they are a gap of so many bytes. Where two segments claim the same
//! bytes, the bytes that came first are kept.
//!
//! Whoever reads the bytes keeps what he needs of a connection here with it, so that both are
//! forgotten together. What is forgotten for want of room is forgotten whole: what comes of it
//! later, unless it opens another connection, is not read, for it would begin in the middle.
//!
//! *Architecture invariant:* the number of connections, the bytes that are kept for each and for
//! all, and the time for which a silent one is remembered are bounded, and what was given up is
//! counted.

use std::net::SocketAddr;

use foldhash::fast::RandomState;
use lru::LruCache;

use super::Segment;
use super::forgotten::Forgotten;
use super::half::{ReassemblyOutput, TcpDirection};

/// How many connections are remembered.
const MAX_CONNECTIONS: usize = 4096;
/// How many bytes may wait in one direction of a connection.
const MAX_WAITING: usize = 256 << 10;
/// How many bytes may be kept in all, with what readers keep.
const MAX_BYTES: usize = 16 << 20;
/// How long a silent connection is remembered, in nanoseconds of capture time.
const MAX_AGE: i64 = 600_000_000_000;

/// What a reader keeps of each connection.
pub trait ConnectionState: Default {
    /// How many bytes of memory it takes.
    fn weight(&self) -> usize;
}

impl ConnectionState for () {
    fn weight(&self) -> usize {
        0
    }
}

/// All connections that segments belong to, each with the state `T` of its reader.
pub struct TcpReassembler<T = ()> {
    /// In the order in which they were last heard of.
    connections: LruCache<EndpointPair, TcpConnection<T>, RandomState>,
    opened: u64,
    bytes: usize,
    counts: StreamCounts,
    /// Connections that there was no room for.
    forgotten: Forgotten,
}

/// What happened in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamEvent<'a> {
    /// The number of the connection, from 1; the same two ends may have several after each other.
    pub connection: u64,
    /// Whether the direction is that of the side that opened the connection; of one whose opening
    /// was not seen, that of its first segment.
    pub forward: bool,
    /// Address and port of the side that sends in this direction.
    pub source: SocketAddr,
    pub destination: SocketAddr,
    pub what: DirectionEvent<'a>,
}

/// What happened in one direction of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectionEvent<'a> {
    /// The next bytes. `disputed`: another segment claimed something else for some of them.
    Bytes { bytes: &'a [u8], disputed: bool },
    /// So many bytes are lost; what comes next stands behind them.
    Gap(u32),
    /// Nothing more will come.
    End(StreamEnd),
}

/// Why nothing more will come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamEnd {
    /// The sender said so, and all was seen.
    Finished,
    /// One side broke the connection off.
    Reset,
    /// The same ends opened another connection.
    Replaced,
    /// It was silent for ten minutes.
    Forgotten,
    /// Too many others were heard of since, or all together kept too much. What waited is not told.
    CrowdedOut,
    /// The capture ends.
    Captured,
}

/// What was given up, and what was odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StreamCounts {
    /// Connections that were silent too long.
    pub forgotten: u64,
    /// Connections that there was no room for, and segments that came of such later.
    pub crowded_out: u64,
    pub unread: u64,
    /// Gaps, and the bytes that they stand for.
    pub gaps: u64,
    pub lost: u64,
    /// Bytes that came again.
    pub repeated: u64,
    /// Segments that claimed other bytes where some waited already.
    pub disputes: u64,
    /// Gaps that were given up early because too many bytes waited behind them.
    pub crowded: u64,
}

/// The two ends, the smaller address first.
pub(super) type EndpointPair = [SocketAddr; 2];

struct TcpConnection<T> {
    number: u64,
    /// When it was last heard of.
    last: i64,
    /// The end that opened it: its place in the key.
    opener: usize,
    halves: [TcpDirection; 2],
    state: T,
}

/// One direction of a connection, as its events name it.
#[derive(Clone, Copy)]
struct Route {
    connection: u64,
    forward: bool,
    source: SocketAddr,
    destination: SocketAddr,
}

impl<T: ConnectionState> Default for TcpReassembler<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: ConnectionState> TcpReassembler<T> {
    /// No connections.
    pub fn new() -> Self {
        let connections = LruCache::unbounded_with_hasher(RandomState::default());
        let (counts, forgotten) = (StreamCounts::default(), Forgotten::default());
        Self { connections, opened: 0, bytes: 0, counts, forgotten }
    }

    /// Takes a segment of the time `time`, in nanoseconds since the Unix epoch, and tells `out`
    /// what it makes known, for both directions, in order.
    pub fn take(
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
        let Self { connections, opened, bytes, counts, forgotten } = self;
        let mut open = || {
            *opened += 1;
            let answers = segment.flags.syn && segment.flags.ack;
            let opener = if answers { 1 - from } else { from };
            TcpConnection::new(*opened, opener)
        };
        let connection = match connections.get_mut(&ends) {
            Some(known) => {
                if known.is_another(from, segment) {
                    *bytes -= known.cost();
                    known.end(ends, StreamEnd::Replaced, counts, out);
                    *known = open();
                }
                known
            }
            None if segment.payload.is_empty() && !segment.flags.syn => return,
            None if !segment.flags.syn && forgotten.may_have(&ends) => {
                counts.unread += 1;
                return;
            }
            None => connections.get_or_insert_mut(ends, open),
        };
        connection.last = time;

        let before = connection.cost();
        connection.take(ends, from, segment, counts, out);
        *bytes = *bytes + connection.cost() - before;
        self.make_room(out);
    }

    /// The capture ends: everything that still waits is told, behind its gaps.
    pub fn finish(&mut self, out: &mut impl FnMut(&mut T, StreamEvent<'_>)) {
        while let Some(ends) = self.oldest(|_| true) {
            self.close(ends, StreamEnd::Captured, out);
        }
    }

    /// What was given up until now.
    pub fn counts(&self) -> StreamCounts {
        self.counts
    }

    /// How many connections are remembered, and how many bytes wait in them.
    pub fn open(&self) -> (usize, usize) {
        (self.connections.len(), self.bytes)
    }

    fn expire(&mut self, time: i64, out: &mut impl FnMut(&mut T, StreamEvent<'_>)) {
        while let Some(ends) = self.oldest(|c| time.saturating_sub(c.last) > MAX_AGE) {
            self.close(ends, StreamEnd::Forgotten, out);
        }
    }

    fn make_room(&mut self, out: &mut impl FnMut(&mut T, StreamEvent<'_>)) {
        while self.connections.len() > MAX_CONNECTIONS || self.bytes > MAX_BYTES {
            let Some(ends) = self.oldest(|_| true) else { return };
            self.close(ends, StreamEnd::CrowdedOut, out);
        }
    }

    /// The connection that has been silent longest, if it is so.
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
        let lost = u64::from(!connection.is_over());
        match how {
            StreamEnd::Forgotten => self.counts.forgotten += lost,
            StreamEnd::CrowdedOut => {
                self.counts.crowded_out += lost;
                self.forgotten.add(&ends);
            }
            _ => {}
        }
        connection.end(ends, how, &mut self.counts, out);
    }
}

impl<T: ConnectionState> TcpConnection<T> {
    fn new(number: u64, opener: usize) -> Self {
        Self {
            number,
            last: 0,
            opener,
            halves: <[TcpDirection; 2]>::default(),
            state: T::default(),
        }
    }

    /// What it keeps, in bytes.
    fn cost(&self) -> usize {
        self.halves.iter().map(TcpDirection::cost).sum::<usize>() + self.state.weight()
    }

    fn is_over(&self) -> bool {
        self.halves.iter().all(TcpDirection::is_over)
    }

    /// Whether a segment that went from the end at `from` belongs to a later connection.
    fn is_another(&self, from: usize, segment: &Segment<'_>) -> bool {
        let half = self.halves.get(from);
        half.is_some_and(|half| half.is_another(segment))
    }

    /// The direction that leaves the end at `from`.
    fn route(&self, ends: EndpointPair, from: usize) -> Route {
        let [low, high] = ends;
        let (source, destination) = if from == 0 { (low, high) } else { (high, low) };
        Route { connection: self.number, forward: from == self.opener, source, destination }
    }

    fn take(
        &mut self,
        ends: EndpointPair,
        from: usize,
        segment: &Segment<'_>,
        counts: &mut StreamCounts,
        out: &mut impl FnMut(&mut T, StreamEvent<'_>),
    ) {
        let (there, back) = (self.route(ends, from), self.route(ends, 1 - from));
        let Self { halves: [low, high], state, .. } = self;
        let (half, other) = if from == 0 { (low, high) } else { (high, low) };
        half.take(segment, &mut |piece| there.emit(piece, counts, state, out));
        if segment.flags.ack {
            let number = segment.acknowledgment;
            other.acknowledged(number, &mut |piece| back.emit(piece, counts, state, out));
        }
        if segment.flags.rst {
            return self.end(ends, StreamEnd::Reset, counts, out);
        }
        for (half, route) in [(half, there), (other, back)] {
            while half.cost() > MAX_WAITING {
                counts.crowded += 1;
                half.give_up_first(&mut |piece| route.emit(piece, counts, state, out));
            }
        }
    }

    /// Tells what waits in both directions, and that nothing more will come.
    fn end(
        &mut self,
        ends: EndpointPair,
        how: StreamEnd,
        counts: &mut StreamCounts,
        out: &mut impl FnMut(&mut T, StreamEvent<'_>),
    ) {
        let routes = [0, 1].map(|from| self.route(ends, from));
        let Self { halves, state, .. } = self;
        for (half, route) in halves.iter_mut().zip(routes) {
            half.end(how, &mut |piece| route.emit(piece, counts, state, out));
        }
    }
}

impl Route {
    /// Counts what happened in this direction, and hands it on.
    fn emit<T>(
        self,
        piece: ReassemblyOutput<'_>,
        counts: &mut StreamCounts,
        state: &mut T,
        out: &mut impl FnMut(&mut T, StreamEvent<'_>),
    ) {
        let what = match piece {
            ReassemblyOutput::Told(what) => what,
            ReassemblyOutput::Repeated(count) => return counts.repeated += u64::from(count),
            ReassemblyOutput::Disputed => return counts.disputes += 1,
        };
        if let DirectionEvent::Gap(count) = what {
            counts.gaps += 1;
            counts.lost += u64::from(count);
        }
        let Self { connection, forward, source, destination } = self;
        out(state, StreamEvent { connection, forward, source, destination, what });
    }
}
