//! Where frames come from: capture files of both formats, compressed or not, pipes, memory, and
//! devices ([`live`]).
//!
//! [`Frames`] opens any number of inputs and lends their frames one after the other, merged in
//! time order and numbered from 1. A frame is borrowed from the buffer that it was read into and
//! is gone with the next call; what should be seen again is remembered as a [`Place`] and read
//! again through the [`Shelf`], which another thread may do while the frames still run. What lies
//! in no file (pipes, compressed input, payloads put together from fragments) can be kept in the
//! shelf's spool.
//!
//! Damage is not an error: it ends one input, is kept as a [`Warning`] with its byte offset, and
//! everything before it has been lent. Only what cannot be opened, or is no capture at all, is an
//! [`OpenError`].
//!
//! The crate `pcap-parser` knows both formats: it reads headers, records and blocks from the buffer
//! that an input slides through, and its `serialize` feature writes them. The buffer is ours, so
//! that a length is checked before anything is held for it and every frame has its offset in the
//! file; so is the arithmetic of times; and so is what the crate does not have or gets wrong, where
//! a comment says what that is. None of its types or errors leaves this room.
//!
//! *Architecture invariant:* this room does not know what is in a frame. A link type is a number
//! to it. No number read from a file sizes an allocation: buffers grow as bytes arrive.

#![cfg_attr(
    not(test),
    deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod clock;
mod comments;
mod compression;
mod format;
mod frames;
mod input;
pub mod live;
mod options;
mod packet;
mod pcap;
mod pcapng;
mod positioned;
pub mod record;
mod resync;
mod shelf;
mod source;
mod warning;
mod window;
pub mod write;

#[cfg(test)]
mod tests;

pub use comments::Comments;
pub use frames::{Frames, ReadProgress};
pub use input::{Input, OpenError};
pub use shelf::PayloadStore;
pub use warning::{Damage, SkippedBlocks, Warning};

/// One frame as it stood in a capture; lent by [`Frames`] until the next call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// From 1, over all inputs, in the merged order.
    pub number: u64,
    /// Nanoseconds since the Unix epoch, UTC. A simple packet block has no time and takes the last
    /// one seen in its input.
    pub time: i64,
    /// LINKTYPE_ number of the first header in `bytes`.
    pub link: u16,
    /// Bytes of frame check sequence at the end of the frame, as the capture states; 0 when it
    /// states nothing. They are part of `bytes`.
    pub fcs: u8,
    /// What was captured of it.
    pub bytes: &'a [u8],
    /// How long it was on the wire; never less than was captured.
    pub wire_length: u32,
    /// Where `bytes` lies, if it can be read again.
    pub place: Option<ByteRange>,
    /// What was written beside it; only pcapng has that.
    pub comments: Comments<'a>,
    /// Which of the devices of a live capture it came from; 0 in a file.
    pub interface: u16,
}

/// Where bytes lie: in an input or in the spool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ByteRange {
    /// Index of the input, or [`Place::SPOOL`].
    pub source: u16,
    /// How many bytes.
    pub length: u32,
    /// Where the first of them is.
    pub offset: u64,
}

impl ByteRange {
    /// The `source` of what lies in the spool.
    pub const SPOOL: u16 = u16::MAX;

    /// A part of what lies here: `length` bytes, `offset` bytes further on. Nothing when the part
    /// is no part of it.
    pub fn part(self, offset: u32, length: u32) -> Option<Self> {
        let end = offset.checked_add(length)?;
        (end <= self.length).then_some(Self {
            offset: self.offset + u64::from(offset),
            length,
            ..self
        })
    }
}
