//! What the analysis passes on of a frame: a payload, first as it was reassembled, then classified.

use std::ops::Range;

use capture::{ByteRange, Frame};
use flow::{Classified, PacketMeta};
use net::{Datagram, Origin};

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

impl<'a> Payload<'a> {
    /// That of a datagram in a frame, or in several of which this is the last.
    pub fn from_datagram(meta: PacketMeta, datagram: Datagram<'a>, frame: &Frame<'_>) -> Self {
        let Datagram { payload: bytes, missing, origin, .. } = datagram;
        let (byte_range, headers, fragments, overlap) = match origin {
            Origin::InFrame { offset } => {
                let range = frame.byte_range.and_then(|of| of.part(offset, bytes.len() as u32));
                let length = u16::try_from(offset).ok().filter(|_| range.is_some());
                let headers = length.map(|length| FrameHeaders { link: frame.link, length });
                (range, headers, 0, false)
            }
            Origin::Joined { fragments, overlap } => (None, None, fragments, overlap),
        };
        let (connection, is_counted) = (None, false);
        Self {
            meta,
            bytes,
            connection,
            is_counted,
            missing,
            fragments,
            overlap,
            byte_range,
            headers,
        }
    }

    /// The message that datagrams like this one are parts of.
    pub fn joined<'b>(&self, bytes: &'b [u8], datagrams: u16) -> Payload<'b> {
        Payload {
            bytes,
            is_counted: true,
            fragments: datagrams,
            byte_range: None,
            headers: None,
            ..*self
        }
    }
}
