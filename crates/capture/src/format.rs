//! The two capture formats behind one interface.

use std::ops::Range;

use pcap_parser::nom::number::Endianness;

use super::warning::{Damage, SkippedBlocks};
use super::window::Window;
use super::{pcap, pcapng};

/// The longest packet that a capture may claim unless its snap length claims more: the maximum that
/// libpcap and related programs assume.
pub(super) const LONGEST_PACKET: u32 = 256 << 10;
/// The longest packet or block that is read into memory whatever a capture claims.
pub(super) const LONGEST_BLOCK: u32 = 16 << 20;

/// The reader of an input, by its first bytes.
pub(super) enum FormatReader {
    Pcap(pcap::PcapReader),
    PcapNg(pcapng::PcapngReader),
}

/// A frame in the window of its input.
#[derive(Debug, Clone)]
pub(super) struct FrameHead {
    pub time: i64,
    pub link: u16,
    pub fcs: u8,
    pub wire_length: u32,
    /// Where its bytes are in the window.
    pub range: Range<usize>,
    /// Where its bytes are in the stream.
    pub offset: u64,
    /// Where its options are in the window, and their byte order.
    pub options: Range<usize>,
    pub order: Endianness,
}

impl FormatReader {
    /// How many bytes are needed to recognise an input.
    pub const RECOGNISED_BY: usize = 12;

    /// Recognises a capture by its first [`FormatReader::RECOGNISED_BY`] bytes, or by fewer if
    /// there are no more.
    pub fn from_beginning(beginning: &[u8]) -> Option<Self> {
        pcap::PcapReader::from_beginning(beginning)
            .map(Self::Pcap)
            .or_else(|| pcapng::PcapngReader::from_beginning(beginning).map(Self::PcapNg))
    }

    /// The next frame; nothing at the end. Not called again after the end or damage.
    #[inline]
    pub fn next(&mut self, window: &mut Window) -> Result<Option<FrameHead>, Damage> {
        match self {
            Self::Pcap(reader) => reader.next(window),
            Self::PcapNg(reader) => reader.next(window),
        }
    }

    /// Where the first of other captures begins that were joined to this one, and how many there are.
    pub fn joined(&mut self) -> Option<(u64, u64)> {
        match self {
            Self::Pcap(reader) => reader.joined.take(),
            Self::PcapNg(_) => None,
        }
    }

    /// What could not be read and was left out so far.
    pub fn skipped(&mut self) -> Option<SkippedBlocks> {
        match self {
            Self::Pcap(_) => None,
            Self::PcapNg(reader) => reader.skipped.take(),
        }
    }
}
