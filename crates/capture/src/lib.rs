//! Sources of frames: capture files of both formats, compressed or not, pipes, memory, and devices
//! ([`live`]).
//!
//! [`Frames`] opens any number of inputs and lends their frames one after the other, merged in
//! time order and numbered from 1. A frame is borrowed from the read buffer and valid until the
//! next call; its [`ByteRange`] is kept to read it again through the [`PayloadStore`], also from
//! another thread while reading continues. Bytes that are in no file (pipes, compressed input,
//! reassembled payloads) can be kept in the store's spool.
//!
//! Damage is not an error: it ends one input, is kept as a [`Warning`] with its byte offset, and
//! all frames before it have been passed on. Only what cannot be opened, or is no capture at all,
//! is an [`OpenError`].
//!
//! The crate `pcap-parser` implements both formats: it parses headers, records and blocks from the
//! buffer that slides over an input, and its `serialize` feature writes them. The buffer is our
//! own, so that a length is checked before memory is allocated for it and every frame has its
//! offset in the file; so are the time conversions, and what the crate lacks or gets wrong, where
//! a comment says what that is. None of its types or errors leaves this module.
//!
//! *Architecture invariant:* this module does not know the content of a frame. To it a link type
//! is a number. No number read from a file sizes an allocation: buffers grow as bytes arrive.

#![cfg_attr(
    not(test),
    deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod clock;
mod compression;
mod digest;
mod format;
mod frames;
mod gathered_payloads;
pub mod hexdump;
mod identity;
mod input;
mod kept_frames;
mod known_file;
pub mod live;
mod memory;
mod options;
mod packet;
mod payload_store;
mod pcap;
mod pcapng;
mod positioned;
pub mod record;
mod resync;
mod source;
mod spool_blocks;
pub mod triggered;
mod warning;
mod window;
pub mod write;

#[cfg(test)]
mod tests;

pub use digest::InputDigest;
pub use frames::{Frames, InputTotals, ReadProgress};
pub use gathered_payloads::GatheredPayloads;
pub use identity::InputIdentity;
pub use input::{Input, OpenError};
pub use memory::return_freed;
pub use options::Comments;
pub use payload_store::PayloadStore;
pub use spool_blocks::SpoolBlocks;
pub use warning::{Damage, SkippedBlocks, Warning};

/// One frame of a capture; borrowed from [`Frames`] until the next call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// From 1, over all inputs, in the merged order.
    pub number: u64,
    /// Nanoseconds since the Unix epoch, UTC; [`text::NO_TIME`] in a simple packet block, which has
    /// none and keeps its place in its input.
    pub time: i64,
    /// LINKTYPE_ number of the first header in `bytes`.
    pub link: u16,
    /// Length of the frame check sequence at the end of the frame in bytes, if the capture declares
    /// it; else 0. It is part of `bytes`.
    pub fcs: u8,
    /// The captured bytes.
    pub bytes: &'a [u8],
    /// How long it was on the wire; never less than was captured.
    pub wire_length: u32,
    /// Where `bytes` is, if it can be read again.
    pub byte_range: Option<ByteRange>,
    /// Its comments; only pcapng has them.
    pub comments: Comments<'a>,
    /// Which of the devices of a live capture it came from; 0 in a file.
    pub interface: u16,
    /// The index of its input among those that are merged.
    pub input: u16,
}

/// A byte range in an input or in the spool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ByteRange {
    /// Index of the input, or [`ByteRange::SPOOL`].
    pub source: u16,
    /// Number of bytes.
    pub length: u32,
    /// Offset of the first byte.
    pub offset: u64,
}

impl ByteRange {
    /// The `source` of ranges in the spool.
    pub const SPOOL: u16 = u16::MAX;

    /// The offset behind its last byte.
    #[inline]
    pub fn end(self) -> u64 {
        self.offset.saturating_add(self.length.into())
    }

    /// The bytes in front of the range.
    pub fn before(self, length: u32) -> Option<Self> {
        let offset = self.offset.checked_sub(u64::from(length))?;
        Some(Self { length, offset, ..self })
    }

    /// A part of the range: `length` bytes from `offset` on. Nothing if that exceeds the range.
    pub fn part(self, offset: u32, length: u32) -> Option<Self> {
        let end = offset.checked_add(length)?;
        (end <= self.length).then_some(Self {
            offset: self.offset + u64::from(offset),
            length,
            ..self
        })
    }
}
