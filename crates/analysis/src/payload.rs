//! What the analysis passes on of a frame: a payload, first as it was reassembled, then classified.

use std::ops::Range;

use capture::ByteRange;
use flow::{Classified, PacketMeta};

/// A payload to be classified.
#[derive(Clone, Copy)]
pub(super) struct Payload<'a> {
    pub meta: PacketMeta,
    pub bytes: &'a [u8],
    /// The number of its TCP connection, if it comes from a stream.
    pub connection: Option<u64>,
    /// Whether the flows have counted its packets: the segments of a stream, the datagrams of a
    /// split message.
    pub is_counted: bool,
    /// Bytes of the payload that were not captured.
    pub missing: u32,
    /// Number of fragments; 0 if it was not fragmented.
    pub fragments: u16,
    /// Whether two fragments overlap.
    pub overlap: bool,
    /// Where the payload can be read again.
    pub byte_range: Option<ByteRange>,
    /// What is in front of it there.
    pub headers: Option<FrameHeaders>,
}

/// The headers in front of a payload that is in one frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameHeaders {
    /// The link type of the frame (LINKTYPE).
    pub link: u16,
    /// Number of bytes from the first of the frame to the first of the payload.
    pub length: u16,
}

/// A payload with its classification.
pub(super) struct PipelineStep<'a> {
    /// The frame that completed it, or showed it to be complete.
    pub frame: u64,
    pub payload: Payload<'a>,
    /// The bytes of the payload in its batch.
    pub at: Range<usize>,
    pub classified: Classified,
}

impl Payload<'_> {
    /// Whether one frame has all of it.
    pub fn is_whole(&self) -> bool {
        self.connection.is_none() && self.fragments == 0
    }
}
