//! Headers between an Ethernet header and the frame inside: of switches that carry the frames of others,
//! and of meshes. Sources: Cisco's description of Inter-Switch Link, IEEE 802.1AE (MACsec), RFC 6325
//! (TRILL), and `batadv_packet.h` of Linux (B.A.T.M.A.N. advanced).

use super::link::LONGEST_802_3;
use super::nest::Nest;
use super::{Other, link};

/// Bits of MACsec's first byte: a channel identifier follows, and the content is encrypted or changed.
const HAS_CHANNEL: u8 = 0x20;
const IS_ENCRYPTED: u8 = 0x0c;

/// The version of B.A.T.M.A.N. advanced since Linux 3.13.
const BATMAN_VERSION: u8 = 15;

/// Whether an Ethernet frame is one of Inter-Switch Link, by its destination, and the length and LLC
/// behind the addresses.
pub(super) fn is_isl(frame: &[u8]) -> bool {
    const LLC: [u8; 3] = [0xaa, 0xaa, 3];
    let Some([1 | 3, 0, 0x0c, 0, 0, .., high, low, a, b, c]) = frame.first_chunk::<17>() else {
        return false;
    };
    u16::from_be_bytes([*high, *low]) <= LONGEST_802_3 && [*a, *b, *c] == LLC
}

/// The IP packet in the Ethernet frame inside one of Inter-Switch Link. The destination is always the
/// same, but for its last byte.
pub(super) fn isl<'a>(frame: &'a [u8], nest: &mut Nest<'_>) -> Result<&'a [u8], Other> {
    nest.enter()?;
    nest.add_address(frame.get(6..).ok_or(Other::Cut("ISL"))?);
    let kind_and_user = frame.get(5).ok_or(Other::Cut("ISL"))?;
    let inner = frame.get(26..).ok_or(Other::Cut("ISL"))?;
    match kind_and_user >> 4 {
        0 => link::nested_ethernet(inner, nest),
        _ => Err(Other::Unread("ISL with another link than Ethernet")),
    }
}

/// The IP packet behind MACsec's tag, if it is only signed.
pub(super) fn macsec<'a>(rest: &'a [u8], nest: &mut Nest<'_>) -> Result<&'a [u8], Other> {
    let cut = Other::Cut("MACsec");
    let flags = rest.first().ok_or(cut)?;
    let mut length = 6;
    if flags & HAS_CHANNEL != 0 {
        nest.add_address(rest.get(length..).ok_or(cut)?);
        length += 8;
    }
    if flags & IS_ENCRYPTED != 0 {
        return Err(Other::NotIp(link::ETHER_MACSEC.into()));
    }
    link::behind_ether_tag(rest, length, nest)
}

/// The IP packet in the Ethernet frame behind TRILL's header, whose options are in words of four bytes.
pub(super) fn trill<'a>(rest: &'a [u8], nest: &mut Nest<'_>) -> Result<&'a [u8], Other> {
    let cut = Other::Cut("TRILL");
    let ([high, low, ..], _) = rest.split_first_chunk::<6>().ok_or(cut)?;
    let words = usize::from((high & 0x07) << 2 | low >> 6);
    link::nested_ethernet(rest.get(6 + 4 * words..).ok_or(cut)?, nest)
}

/// The IP packet in the Ethernet frame that a mesh carries: to one host, from a host that is named, or to
/// all.
pub(super) fn batman<'a>(rest: &'a [u8], nest: &mut Nest<'_>) -> Result<&'a [u8], Other> {
    let cut = Other::Cut("B.A.T.M.A.N.");
    let [kind, version, ..] = *rest else { return Err(cut) };
    let (addresses, length): (&[usize], usize) = match (version, kind) {
        (BATMAN_VERSION, 0x40) => (&[4], 10),
        (BATMAN_VERSION, 0x42) => (&[4, 10], 18),
        (BATMAN_VERSION, 0x01) => (&[8], 14),
        (BATMAN_VERSION, 0x02 | 0x05 | 0x41) => {
            return Err(Other::Unread("B.A.T.M.A.N. in parts or to several hosts"));
        }
        (BATMAN_VERSION, _) => return Err(Other::NotIp(link::ETHER_BATMAN.into())),
        _ => return Err(Other::Unread("B.A.T.M.A.N. of another version than 15")),
    };
    for at in addresses {
        nest.add_address(rest.get(*at..).ok_or(cut)?);
    }
    link::nested_ethernet(rest.get(length..).ok_or(cut)?, nest)
}
