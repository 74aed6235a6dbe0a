//! Framing: from the bytes of a stream to its messages.
//!
//! A stream has no message boundaries: a protocol says where a message ends, or it ends when the
//! other side sends, or with the stream. Nothing here knows TCP; the caller reassembles segments
//! and says which side sent what.

use std::ops::Range;

use super::{Protocol, Registry};

/// Maximum number of bytes kept of one message; the rest of a longer one is dropped and counted.
const LONGEST: usize = 64 << 10;
/// How many bytes of a message are kept to decipher its answer.
const ASKED: usize = 512;
/// With so many bytes of a first message, the protocol that recognises them is that of the connection.
const ENOUGH: usize = 4;
/// Capacity that an empty buffer keeps for the next message, in bytes.
const SPARE: usize = 4 << 10;

/// The end of the first message of a stream, as far as a protocol can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameBoundary {
    /// No message of the protocol has this beginning.
    Foreign,
    /// Its end has not come yet, and the bytes before `searched` need not be searched again.
    Open {
        /// An offset in the bytes.
        searched: usize,
    },
    /// It ends when the other side sends, or with the stream.
    Endless,
    /// After this many bytes, at least one; they need not all have come.
    At(usize),
}

/// Where in a connection bytes are whose protocol is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamStart {
    /// At its beginning, which was captured.
    Beginning,
    /// Anywhere; with the ports of both sides, first that of [`Side::Here`], or of the sender.
    Middle([u16; 2]),
}

impl StreamStart {
    /// The same place with the port of the sender first.
    #[must_use]
    pub fn sent_by(self, side: Side) -> Self {
        match (self, side) {
            (Self::Middle([here, there]), Side::There) => Self::Middle([there, here]),
            (place, _) => place,
        }
    }
}

/// One of the two directions of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The side that opened the connection, or sent first.
    Here,
    /// The other side.
    There,
}

/// A message in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FramedMessage<'a, T> {
    /// The side that sent it.
    pub side: Side,
    /// Its bytes, without the missing ones.
    pub bytes: &'a [u8],
    /// Missing bytes of the message: lost, or beyond the limit of 64 KiB.
    pub missing: u64,
    /// Where in `bytes` the first of them would be.
    pub gap: Option<usize>,
    /// The value for its first byte.
    pub first: T,
    /// The value for its last byte.
    pub last: T,
}

/// Divides both directions of one connection into messages. `T` is any value for a message's first
/// and last byte, such as a frame's number and time.
#[derive(Debug)]
pub struct Framer<T> {
    registry: &'static Registry,
    protocol: Option<&'static Protocol>,
    place: StreamStart,
    is_foreign: bool,
    sides: [Buffer<T>; 2],
    /// The last message, if its answer may be enciphered.
    asked: AskedMessage,
}

/// A message whose answer may be enciphered; one buffer for all of a connection.
#[derive(Debug, Default)]
struct AskedMessage {
    /// The side that sent it; `None` before the first.
    side: Option<Side>,
    /// Its first bytes.
    bytes: Vec<u8>,
}

#[derive(Debug)]
struct Buffer<T> {
    bytes: Vec<u8>,
    missing: u64,
    gap: Option<usize>,
    /// Its end, as far as known.
    end: FrameBoundary,
    /// Nothing until a byte has come, or is known to be lost.
    when: Option<[T; 2]>,
}

impl<T: Copy> Framer<T> {
    /// A framer without bytes, whose first ones are at this place. Where no protocol recognises a
    /// connection, see [`Registry::frame`], its bytes are dropped, so that none is needed.
    pub fn new(registry: &'static Registry, place: StreamStart) -> Self {
        let (sides, asked) = ([Buffer::default(), Buffer::default()], AskedMessage::default());
        Self { registry, protocol: None, place, is_foreign: false, sides, asked }
    }

    /// Whether the connection began with what no protocol recognises: then nothing in it is a message.
    pub fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// The protocol that divided the first message of either side, or recognised its beginning.
    pub fn protocol(&self) -> Option<&'static Protocol> {
        self.protocol
    }

    /// Adds `bytes` of one side: completes the other side's message so far, and every complete
    /// message of this side. If no protocol recognises the connection, its bytes are dropped.
    pub fn push(
        &mut self,
        side: Side,
        mut bytes: &[u8],
        now: T,
        out: &mut impl FnMut(FramedMessage<'_, T>),
    ) {
        if bytes.is_empty() || self.is_foreign {
            return;
        }
        self.end(side.other(), out);
        while !bytes.is_empty() {
            let buffer = self.buffer(side);
            let free = LONGEST.saturating_sub(buffer.bytes.len());
            let (fits, over) = bytes.split_at(bytes.len().min(free));
            if fits.is_empty() {
                return self.lose(side, over.len() as u64, now);
            }
            buffer.bytes.extend_from_slice(fits);
            buffer.seen(now);
            self.cut_whole(side, now, out);
            bytes = over;
        }
    }

    /// Passes on every complete message of one side.
    fn cut_whole(&mut self, side: Side, now: T, out: &mut impl FnMut(FramedMessage<'_, T>)) {
        // Where the current message begins; everything before it was passed on.
        let mut begin = 0;
        loop {
            let cut = self.cut(side, begin);
            let is_unknown = self.protocol.is_none();
            let buffer = self.buffer(side);
            match cut {
                FrameBoundary::At(len) if len > 0 && len <= buffer.bytes.len() - begin => {
                    self.emit(side, begin..begin + len, out);
                    begin += len;
                    let buffer = self.buffer(side);
                    if begin == buffer.bytes.len() {
                        return buffer.clear();
                    }
                    buffer.seen(now);
                }
                FrameBoundary::Foreign if is_unknown => {
                    buffer.clear();
                    self.is_foreign = self.place == StreamStart::Beginning;
                    return;
                }
                cut => {
                    buffer.end = cut;
                    buffer.gap = buffer.gap.map(|gap| gap.saturating_sub(begin));
                    return drop(buffer.bytes.drain(..begin));
                }
            }
        }
    }

    /// Records that this many bytes of one side are lost.
    pub fn lose(&mut self, side: Side, count: u64, now: T) {
        let is_known = self.protocol.is_some();
        let buffer = self.buffer(side);
        if is_known || !buffer.bytes.is_empty() {
            buffer.missing = buffer.missing.saturating_add(count);
            buffer.gap.get_or_insert(buffer.bytes.len());
            buffer.seen(now);
        }
    }

    /// One side has ended, or the other one sends: its bytes so far are a message.
    pub fn end(&mut self, side: Side, out: &mut impl FnMut(FramedMessage<'_, T>)) {
        let length = self.buffer(side).bytes.len();
        self.emit(side, 0..length, out);
        self.buffer(side).clear();
    }

    /// Passes on the message in a range of one side's bytes, deciphered where its protocol can.
    fn emit(
        &mut self,
        side: Side,
        range: Range<usize>,
        out: &mut impl FnMut(FramedMessage<'_, T>),
    ) {
        let Some(decipher) = self.protocol.and_then(|protocol| protocol.decipher) else {
            return self.buffer(side).emit(side, range, out);
        };
        let mut asked = std::mem::take(&mut self.asked);
        self.buffer(side).emit(side, range, &mut |message| {
            let request = asked.side.filter(|asking| *asking != side);
            let plain = request.and_then(|_| decipher(&asked.bytes, message.bytes));
            asked.side = Some(side);
            asked.bytes.clear();
            asked.bytes.extend_from_slice(message.bytes.get(..ASKED).unwrap_or(message.bytes));
            match &plain {
                Some(bytes) => out(FramedMessage { bytes, ..message }),
                None => out(message),
            }
        });
        self.asked = asked;
    }

    /// Drops the incomplete message of one side; returns whether there was one.
    pub fn forget(&mut self, side: Side) -> bool {
        let buffer = self.buffer(side);
        let unfinished = buffer.when.is_some();
        buffer.clear();
        unfinished
    }

    /// Its size in memory, in bytes.
    pub fn weight(&self) -> usize {
        let asked = self.asked.bytes.capacity();
        let sides = self.sides.iter().map(|side| side.bytes.capacity()).sum::<usize>();
        size_of::<Self>() + sides + asked
    }

    fn buffer(&mut self, side: Side) -> &mut Buffer<T> {
        let [here, there] = &mut self.sides;
        match side {
            Side::Here => here,
            Side::There => there,
        }
    }

    /// The end of the message that begins there. Asks the protocol of the connection, or the first
    /// one that recognises its beginning; none as long as the last answer is valid.
    fn cut(&mut self, side: Side, begin: usize) -> FrameBoundary {
        let (known, registry) = (self.protocol, self.registry);
        let place = self.place.sent_by(side);
        let buffer = self.buffer(side);
        let bytes = buffer.bytes.get(begin..).unwrap_or_default();
        let searched = match buffer.end {
            FrameBoundary::Endless => return FrameBoundary::Endless,
            FrameBoundary::At(end) if end > bytes.len() => return FrameBoundary::At(end),
            FrameBoundary::Open { searched } => searched.min(bytes.len()),
            FrameBoundary::At(_) | FrameBoundary::Foreign => 0,
        };
        if let Some(protocol) = known {
            return (protocol.cut)(bytes, searched);
        }
        let Some((protocol, cut)) = registry.frame(bytes, place) else {
            return FrameBoundary::Foreign;
        };
        // Of a few bytes, or of a beginning that has to be whole, several protocols may be the right
        // one.
        match cut {
            FrameBoundary::Open { .. } if bytes.len() < ENOUGH || protocol.opens.is_some() => {
                FrameBoundary::Open { searched: 0 }
            }
            cut => {
                self.protocol = Some(protocol);
                cut
            }
        }
    }
}

impl<T: Copy> Buffer<T> {
    fn seen(&mut self, now: T) {
        match &mut self.when {
            Some([_, last]) => *last = now,
            when => *when = Some([now, now]),
        }
    }

    /// Passes on the message in a range of bytes; the next one begins after it. Lost bytes are
    /// reported with the message in which they are missing.
    fn emit(
        &mut self,
        side: Side,
        range: Range<usize>,
        out: &mut impl FnMut(FramedMessage<'_, T>),
    ) {
        let behind = self.gap.filter(|gap| *gap > range.end);
        let of_rest = behind.map_or(0, |_| self.missing);
        if let Some([first, last]) = self.when {
            let gap = self.gap.filter(|_| behind.is_none());
            let gap = gap.map(|gap| gap.saturating_sub(range.start));
            let bytes = self.bytes.get(range).unwrap_or_default();
            out(FramedMessage { side, bytes, missing: self.missing - of_rest, gap, first, last });
        }
        let bytes = std::mem::take(&mut self.bytes);
        *self = Self { bytes, missing: of_rest, gap: behind, ..Self::default() };
    }

    fn clear(&mut self) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        bytes.shrink_to(SPARE);
        *self = Self { bytes, ..Self::default() };
    }
}

impl<T> Default for Buffer<T> {
    fn default() -> Self {
        let end = FrameBoundary::Open { searched: 0 };
        Self { bytes: Vec::new(), missing: 0, gap: None, end, when: None }
    }
}

impl Side {
    /// The opposite side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Here => Self::There,
            Self::There => Self::Here,
        }
    }
}
