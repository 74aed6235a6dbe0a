//! From the bytes of a stream to its messages.
//!
//! A stream has no edges of its own: a protocol says where a message ends, or it ends where the
//! other side speaks, or with the stream. Nothing here knows TCP; whoever puts segments together
//! says which side said what.

use std::ops::Range;

use super::{PROTOCOLS, Protocol};

/// How many bytes of one message are kept; what a longer one has more is dropped and counted.
const LONGEST: usize = 64 << 10;
/// How much room an empty buffer keeps for the next message, in bytes.
const SPARE: usize = 4 << 10;

/// Where the first message of a stream ends, as far as a protocol can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameBoundary {
    /// No message of the protocol begins so.
    Foreign,
    /// Its end is not here yet, and nothing before `searched` has to be looked at again for it.
    Open { searched: usize },
    /// Only the other side or the stream's end tells.
    Endless,
    /// Behind so many bytes, at least one; they need not all be here.
    At(usize),
}

/// One of the two directions of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Who opened the conversation, or was heard first.
    Here,
    There,
}

/// A message that a stream held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FramedMessage<'a, T> {
    pub side: Side,
    pub bytes: &'a [u8],
    /// Bytes of the message that are not here: lost on the way, or past its 64 KiB.
    pub missing: u64,
    /// Where in `bytes` the first of them would stand.
    pub gap: Option<usize>,
    /// What came with its first and its last byte.
    pub first: T,
    pub last: T,
}

/// Cuts both directions of one conversation into messages. `T` is whatever shall be known of a
/// message's first and last byte: a frame's number and time.
#[derive(Debug)]
pub struct Framer<T> {
    protocol: Option<&'static Protocol>,
    sides: [Buffer<T>; 2],
}

#[derive(Debug)]
struct Buffer<T> {
    bytes: Vec<u8>,
    missing: u64,
    gap: Option<usize>,
    /// Where its end is, as far as is known.
    end: FrameBoundary,
    /// Nothing until a byte is here, or known to be lost.
    when: Option<[T; 2]>,
}

impl<T: Copy> Framer<T> {
    /// Nothing has been said, and the protocol is not known.
    pub fn new() -> Self {
        Self { protocol: None, sides: [Buffer::default(), Buffer::default()] }
    }

    /// Whether any protocol knows how a conversation that begins with `bytes` goes on. What comes
    /// before that is let go, so that nothing need be kept of it.
    pub fn begins(bytes: &[u8]) -> bool {
        PROTOCOLS.iter().any(|protocol| (protocol.cut)(bytes, 0) != FrameBoundary::Foreign)
    }

    /// The protocol that the first message of either side was cut by, or began as.
    pub fn protocol(&self) -> Option<&'static Protocol> {
        self.protocol
    }

    /// One side says `bytes`: what the other has said until now is a message, and so is everything
    /// of this side's that is whole. Where no protocol knows how the conversation begins, its bytes
    /// are let go.
    pub fn push(
        &mut self,
        side: Side,
        mut bytes: &[u8],
        now: T,
        out: &mut impl FnMut(FramedMessage<'_, T>),
    ) {
        if bytes.is_empty() {
            return;
        }
        self.end(side.other(), out);
        while !bytes.is_empty() {
            let buffer = self.buffer(side);
            let room = LONGEST.saturating_sub(buffer.bytes.len());
            let (fits, over) = bytes.split_at(bytes.len().min(room));
            if fits.is_empty() {
                return self.lose(side, over.len() as u64, now);
            }
            buffer.bytes.extend_from_slice(fits);
            buffer.seen(now);
            self.cut_whole(side, now, out);
            bytes = over;
        }
    }

    /// Gives every whole message of one side.
    fn cut_whole(&mut self, side: Side, now: T, out: &mut impl FnMut(FramedMessage<'_, T>)) {
        // Where the message begins that is under way; what stands before it was given.
        let mut begin = 0;
        loop {
            let cut = self.cut(side, begin);
            let is_nobodys = self.protocol.is_none();
            let buffer = self.buffer(side);
            match cut {
                FrameBoundary::At(len) if len > 0 && len <= buffer.bytes.len() - begin => {
                    buffer.give(side, begin..begin + len, out);
                    begin += len;
                    if begin == buffer.bytes.len() {
                        return buffer.clear();
                    }
                    buffer.seen(now);
                }
                FrameBoundary::Foreign if is_nobodys => return buffer.clear(),
                cut => {
                    buffer.end = cut;
                    buffer.gap = buffer.gap.map(|gap| gap.saturating_sub(begin));
                    return drop(buffer.bytes.drain(..begin));
                }
            }
        }
    }

    /// So many bytes of one side are lost.
    pub fn lose(&mut self, side: Side, count: u64, now: T) {
        if self.protocol.is_some() {
            let buffer = self.buffer(side);
            buffer.missing = buffer.missing.saturating_add(count);
            buffer.gap.get_or_insert(buffer.bytes.len());
            buffer.seen(now);
        }
    }

    /// One side says no more, or the other one speaks: what it has said is a message.
    pub fn end(&mut self, side: Side, out: &mut impl FnMut(FramedMessage<'_, T>)) {
        let buffer = self.buffer(side);
        buffer.give(side, 0..buffer.bytes.len(), out);
        buffer.clear();
    }

    /// What one side has said and is not whole is let go; whether there was something.
    pub fn forget(&mut self, side: Side) -> bool {
        let buffer = self.buffer(side);
        let unfinished = buffer.when.is_some();
        buffer.clear();
        unfinished
    }

    /// How many bytes of memory it takes.
    pub fn weight(&self) -> usize {
        size_of::<Self>() + self.sides.iter().map(|side| side.bytes.capacity()).sum::<usize>()
    }

    fn buffer(&mut self, side: Side) -> &mut Buffer<T> {
        let [here, there] = &mut self.sides;
        match side {
            Side::Here => here,
            Side::There => there,
        }
    }

    /// Where the message ends that begins there. Asks the protocol that the conversation is in, or
    /// the first that knows how it begins; and none as long as the last answer holds.
    fn cut(&mut self, side: Side, begin: usize) -> FrameBoundary {
        let known = self.protocol;
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
        // HTTP, the last, says how it begins; GameSpy's lists begin with anything, and the name of
        // their end may stand in a request.
        let mut cuts = PROTOCOLS.iter().rev().map(|p| (*p, (p.cut)(bytes, 0)));
        let Some((protocol, cut)) = cuts.find(|(_, cut)| *cut != FrameBoundary::Foreign) else {
            return FrameBoundary::Foreign;
        };
        self.protocol = Some(protocol);
        cut
    }
}

impl<T: Copy> Default for Framer<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy> Buffer<T> {
    fn seen(&mut self, now: T) {
        match &mut self.when {
            Some([_, last]) => *last = now,
            when => *when = Some([now, now]),
        }
    }

    /// Gives a message, which the bytes of a range are; what stands behind it begins anew. Bytes
    /// that are lost further behind are missing there.
    fn give(
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
    /// The one that is answered.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Here => Self::There,
            Self::There => Self::Here,
        }
    }
}

#[cfg(test)]
mod tests;
