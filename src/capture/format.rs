//! The two capture formats behind one face.

use std::ops::Range;

use pcap_parser::nom::number::Endianness;

use super::warning::{Damage, SkippedBlocks};
use super::window::Window;
use super::{pcap, pcapng};

/// The longest packet that a capture may claim when its snap length claims no more: what libpcap
/// and its kin take for the maximum.
pub(super) const LONGEST_PACKET: u32 = 256 << 10;
/// The longest packet or block that is taken into memory whatever a capture claims.
pub(super) const LONGEST_BLOCK: u32 = 16 << 20;

/// The reader of an input, by its first bytes.
pub(super) enum FormatReader {
    Pcap(pcap::PcapReader),
    PcapNg(pcapng::PcapngReader),
}

/// A frame that stands in the window of its input.
#[derive(Debug, Clone)]
pub(super) struct FrameHead {
    pub time: i64,
    pub link: u16,
    pub fcs: u8,
    pub wire_length: u32,
    /// Where its bytes stand in the window.
    pub range: Range<usize>,
    /// Where its bytes stand in the stream.
    pub offset: u64,
    /// Where its options stand in the window, and in which byte order.
    pub options: Range<usize>,
    pub order: Endianness,
}

impl FormatReader {
    /// How many bytes tell what an input is.
    pub const RECOGNISED_BY: usize = 12;

    /// Recognises a capture by its first [`Format::RECOGNISED_BY`] bytes, or by fewer if there
    /// are no more.
    pub fn of(beginning: &[u8]) -> Option<Self> {
        pcap::PcapReader::of(beginning)
            .map(Self::Pcap)
            .or_else(|| pcapng::PcapngReader::of(beginning).map(Self::PcapNg))
    }

    /// The next frame, nothing at the end. Once it has answered nothing or damage it is not asked
    /// again.
    #[inline]
    pub fn next(&mut self, window: &mut Window) -> Result<Option<FrameHead>, Damage> {
        match self {
            Self::Pcap(reader) => reader.next(window),
            Self::PcapNg(reader) => reader.next(window),
        }
    }

    /// What could not be read and was left out until now.
    pub fn skipped(&mut self) -> Option<SkippedBlocks> {
        match self {
            Self::Pcap(_) => None,
            Self::PcapNg(reader) => reader.skipped.take(),
        }
    }
}
