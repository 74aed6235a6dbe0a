//! IEEE 802.11 frames, alone or after a radiotap header: from the first byte to the IP packet.
//!
//! Data frames are decoded if they are not encrypted and not fragmented. For the others [`Wireless`]
//! says why they are not. A frame with several packets is split into [`subframes`], which are read as
//! Ethernet frames. The radiotap header is that of <https://www.radiotap.org>.

use std::fmt;
use std::ops::Range;

use super::nest::Nest;
use super::{Other, link};

/// Why an 802.11 frame is not decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wireless {
    /// Management or control, or data without content.
    NoData,
    /// The payload is encrypted.
    Encrypted,
    /// A fragment of a longer frame.
    Fragment,
    /// Several packets in one frame (A-MSDU) that are not its [`subframes`].
    Aggregated,
    /// Its check sequence was wrong: the receiver will have dropped it.
    Damaged,
}

/// The order of the two bytes with which a frame begins: type and subtype, and flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameControl {
    /// As on the air.
    Plain,
    /// As some access points send frames to their controller.
    Swapped,
}

/// The layout of a data frame.
struct WirelessHeader {
    /// Length of everything before the LLC header.
    length: usize,
    /// Whether there is a fourth address, after the sequence number.
    four_addresses: bool,
    /// Why the content is not decoded.
    unread: Option<Wireless>,
}

/// Bits of a radiotap header: which fields are present, whether more such bits follow, and the
/// flags.
const HAS_TIME: u32 = 1;
const HAS_FLAGS: u32 = 2;
const MORE_BITS: u32 = 1 << 31;
const FLAG_PADDED: u8 = 0x20;
const FLAG_DAMAGED: u8 = 0x40;

/// Bits of the second byte of frame control.
const TO_DS: u8 = 0x01;
const FROM_DS: u8 = 0x02;
const MORE_FRAGMENTS: u8 = 0x04;
const PROTECTED: u8 = 0x40;
const ORDER: u8 = 0x80;
/// Bit in the subtype of a data frame.
const WITHOUT_DATA: u8 = 0x40;
const QOS: u8 = 0x80;
/// Bit in QoS control.
const AGGREGATED: u8 = 0x80;

/// Bytes of a subframe before its content: two hardware addresses, and the length of the content.
const SUBFRAME: usize = 14;
/// The most subframes of a frame that are read.
const SUBFRAMES: usize = 64;

/// The positions of three addresses of six bytes, and a fourth.
const ADDRESSES: [Range<usize>; 4] = [4..10, 10..16, 16..22, 24..30];

/// The IP packet in an 802.11 frame; `flags` are radiotap's.
pub(super) fn ieee_802_11<'a>(
    frame: &'a [u8],
    flags: u8,
    order: FrameControl,
    nest: &mut Nest<'_>,
) -> Result<&'a [u8], Other> {
    if flags & FLAG_DAMAGED != 0 {
        return Err(Other::Wireless(Wireless::Damaged));
    }
    let header = header(frame, flags, order)?;
    if let Some(why) = header.unread {
        return Err(Other::Wireless(why));
    }
    let llc = frame.get(header.length..).ok_or(Other::Cut("802.11"))?;
    let ([dsap, ssap, control, a, b, c, high, low], packet) =
        llc.split_first_chunk::<8>().ok_or(Other::Cut("LLC"))?;
    let kind = u16::from_be_bytes([*high, *low]);
    match [*dsap, *ssap, *control, *a, *b, *c] {
        // Encapsulated Ethernet, and how bridges write some of it (RFC 1042, IEEE 802.1H).
        [0xaa, 0xaa, 3, 0, 0, 0 | 0xf8] => link::nested_ether(kind, packet, nest),
        _ => Err(Other::NotIp(u32::from(u16::from_be_bytes([*dsap, *ssap])))),
    }
}

/// The subframes of an 802.11 frame with several packets (A-MSDU), each with its offset in the frame and
/// the length that it says: Ethernet frames with a length in place of the EtherType. `None` if it is
/// another frame, or has none that can be read.
pub fn subframes(link: u16, frame: &[u8]) -> Option<Vec<(usize, usize)>> {
    if !matches!(link, link::IEEE802_11 | link::RADIOTAP | link::PRISM | link::AVS) {
        return None;
    }
    let (inner, flags) = without_radio(link, frame).ok()?;
    let header = header(inner, flags, FrameControl::Plain).ok()?;
    if flags & FLAG_DAMAGED != 0 || header.unread != Some(Wireless::Aggregated) {
        return None;
    }
    let mut at = frame.len() - inner.len() + header.length;
    let mut found = Vec::new();
    while let Some([_addresses @ .., high, low]) =
        frame.get(at..).and_then(<[u8]>::first_chunk::<SUBFRAME>)
        && found.len() < SUBFRAMES
    {
        let content = u16::from_be_bytes([*high, *low]);
        if content == 0 || content > link::LONGEST_802_3 {
            break;
        }
        let length = SUBFRAME + usize::from(content);
        found.push((at, length));
        // All but the last one are padded.
        at += length.next_multiple_of(4);
    }
    (!found.is_empty()).then_some(found)
}

/// The frame after the header of the radio that the link type has, and radiotap's flags.
pub(super) fn without_radio(link: u16, frame: &[u8]) -> Result<(&[u8], u8), Other> {
    // Both have their length in the second word, in the byte order of the machine and of the network.
    let behind = |order: fn([u8; 4]) -> u32| {
        let length = frame.get(4..).and_then(<[u8]>::first_chunk).map(|bytes| order(*bytes));
        let rest = length.and_then(|length| frame.get(length.max(8) as usize..));
        rest.map(|rest| (rest, 0)).ok_or(Other::Cut("radio"))
    };
    match link {
        link::RADIOTAP => radiotap(frame),
        link::PRISM => behind(u32::from_le_bytes),
        link::AVS => behind(u32::from_be_bytes),
        _ => Ok((frame, 0)),
    }
}

/// The frame after a radiotap header, and the header's flags.
pub(super) fn radiotap(bytes: &[u8]) -> Result<(&[u8], u8), Other> {
    let ([version, _pad, low, high, _present @ ..], _) =
        bytes.split_first_chunk::<8>().ok_or(Other::Cut("radiotap"))?;
    let length = usize::from(u16::from_le_bytes([*low, *high]));
    if *version != 0 || length < 8 {
        return Err(Other::Malformed("a radiotap header of another version or too short"));
    }
    let (header, frame) = bytes.split_at_checked(length).ok_or(Other::Cut("radiotap"))?;
    Ok((frame, radiotap_flags(header).unwrap_or_default()))
}

/// Fields come after all presence bits, each aligned to its size; the flags come second.
fn radiotap_flags(header: &[u8]) -> Option<u8> {
    let word = |at: usize| header.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b));
    let present = word(4)?;
    if present & HAS_FLAGS == 0 {
        return None;
    }
    let mut at = 4;
    while word(at)? & MORE_BITS != 0 {
        at += 4;
    }
    at += 4;
    if present & HAS_TIME != 0 {
        at = at.next_multiple_of(8) + 8;
    }
    header.get(at).copied()
}

/// Whether the first byte of a frame is that of data.
pub(super) fn is_data(kind: u8) -> bool {
    const TYPE_AND_VERSION: u8 = 0x0f;
    const DATA: u8 = 0x08;
    kind & TYPE_AND_VERSION == DATA
}

fn header(frame: &[u8], flags: u8, order: FrameControl) -> Result<WirelessHeader, Other> {
    let [first, second, ..] = *frame else { return Err(Other::Cut("802.11")) };
    let (kind, control) = match order {
        FrameControl::Plain => (first, second),
        FrameControl::Swapped => (second, first),
    };
    if !is_data(kind) {
        let (length, four_addresses, unread) = (0, false, Some(Wireless::NoData));
        return Ok(WirelessHeader { length, four_addresses, unread });
    }
    let sequence = frame.get(22).ok_or(Other::Cut("802.11"))?;
    let four_addresses = control & (TO_DS | FROM_DS) == TO_DS | FROM_DS;
    let mut length = if four_addresses { 30 } else { 24 };
    let mut aggregated = false;
    if kind & QOS != 0 {
        aggregated = frame.get(length).ok_or(Other::Cut("802.11"))? & AGGREGATED != 0;
        length += if control & ORDER != 0 { 6 } else { 2 };
    }
    if flags & FLAG_PADDED != 0 {
        length = length.next_multiple_of(4);
    }
    let unread = if kind & WITHOUT_DATA != 0 {
        Some(Wireless::NoData)
    } else if control & PROTECTED != 0 {
        Some(Wireless::Encrypted)
    } else if control & MORE_FRAGMENTS != 0 || sequence & 0x0f != 0 {
        Some(Wireless::Fragment)
    } else {
        aggregated.then_some(Wireless::Aggregated)
    };
    Ok(WirelessHeader { length, four_addresses, unread })
}

/// The positions of hardware addresses in a data frame.
pub(super) fn addresses(
    frame: &[u8],
    order: FrameControl,
) -> impl Iterator<Item = Range<usize>> + use<> {
    let count = match header(frame, 0, order) {
        Ok(WirelessHeader { length: 0, .. }) | Err(_) => 0,
        Ok(header) => 3 + usize::from(header.four_addresses),
    };
    ADDRESSES.into_iter().take(count)
}

impl fmt::Display for Wireless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoData => "without data",
            Self::Encrypted => "encrypted",
            Self::Fragment => "fragments of longer frames",
            Self::Aggregated => "aggregates of several packets (A-MSDU)",
            Self::Damaged => "damaged",
        })
    }
}
