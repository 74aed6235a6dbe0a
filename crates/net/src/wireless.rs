//! IEEE 802.11 frames, alone or after a radiotap header: from the first byte to the IP packet.
//!
//! Data frames are decoded if they are not encrypted, not fragmented, and hold one packet. For the
//! others [`Wireless`] says why they are not. The radiotap header is that of
//! <https://www.radiotap.org>.

use std::fmt;
use std::ops::Range;

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
    /// Several packets in one frame (A-MSDU).
    Aggregated,
    /// Its check sequence was wrong: the receiver will have dropped it.
    Damaged,
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

/// The positions of three addresses of six bytes, and a fourth.
const ADDRESSES: [Range<usize>; 4] = [4..10, 10..16, 16..22, 24..30];

/// The IP packet in an 802.11 frame; `flags` are radiotap's.
pub(super) fn ieee_802_11(frame: &[u8], flags: u8) -> Result<&[u8], Other> {
    if flags & FLAG_DAMAGED != 0 {
        return Err(Other::Wireless(Wireless::Damaged));
    }
    let header = header(frame, flags)?;
    if let Some(why) = header.unread {
        return Err(Other::Wireless(why));
    }
    let llc = frame.get(header.length..).ok_or(Other::Cut("802.11"))?;
    let ([dsap, ssap, control, a, b, c, high, low], packet) =
        llc.split_first_chunk::<8>().ok_or(Other::Cut("LLC"))?;
    let kind = u16::from_be_bytes([*high, *low]);
    match [*dsap, *ssap, *control, *a, *b, *c] {
        // Encapsulated Ethernet, and how bridges write some of it (RFC 1042, IEEE 802.1H).
        [0xaa, 0xaa, 3, 0, 0, 0 | 0xf8] => link::ether(kind, packet),
        _ => Err(Other::NotIp(u32::from(u16::from_be_bytes([*dsap, *ssap])))),
    }
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

fn header(frame: &[u8], flags: u8) -> Result<WirelessHeader, Other> {
    const TYPE_AND_VERSION: u8 = 0x0f;
    const DATA: u8 = 0x08;
    let [kind, control, ..] = *frame else { return Err(Other::Cut("802.11")) };
    if kind & TYPE_AND_VERSION != DATA {
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
pub(super) fn addresses(frame: &[u8]) -> impl Iterator<Item = Range<usize>> + use<> {
    let count = match header(frame, 0) {
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
