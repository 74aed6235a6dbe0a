//! Headers before a frame or an IP packet: of logs, of captures of other links, and of labels. Sources:
//! the registry of link types (<https://www.tcpdump.org/linktypes.html>), RFC 3032 and RFC 4385 (MPLS),
//! RFC 1042 (LLC and SNAP), RFC 8300 (NSH).

use super::nest::Nest;
use super::{Other, link};

/// The attribute of NFLOG that is the packet.
const NFLOG_PAYLOAD: u16 = 9;
/// The bit of the last MPLS label.
const LAST_LABEL: u8 = 1;
/// The service access point under which IPv4 was before SNAP.
const LSAP_IP: u8 = 0x06;

/// The IP packet behind the header of OpenBSD's packet filter, whose first byte is its length without
/// padding.
pub(super) fn pflog(frame: &[u8]) -> Result<&[u8], Other> {
    let length = frame.first().ok_or(Other::Cut("PFLOG"))?;
    frame.get(usize::from(*length).next_multiple_of(4)..).ok_or(Other::Cut("PFLOG"))
}

/// The IP packet in Linux' log: an attribute among others, each with its length and type in the byte
/// order of the machine, which is known by the length of the first.
pub(super) fn nflog(frame: &[u8]) -> Result<&[u8], Other> {
    let cut = Other::Cut("NFLOG");
    let mut left = frame.get(4..).ok_or(cut)?;
    while let Some(([a, b, c, d], _)) = left.split_first_chunk::<4>() {
        let (length, kind) = if *b == 0 || *d == 0 && *c != 0 {
            (u16::from_le_bytes([*a, *b]), u16::from_le_bytes([*c, *d]))
        } else {
            (u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d]))
        };
        let length = usize::from(length);
        if length < 4 {
            return Err(Other::Malformed("an attribute of NFLOG is shorter than its header"));
        }
        if kind == NFLOG_PAYLOAD {
            let end = length.min(left.len());
            // The packet has to be a suffix; what follows it is cut off by the length of IP.
            return left.get(4..).filter(|_| end > 4).ok_or(cut);
        }
        left = left.get(length.next_multiple_of(4)..).ok_or(cut)?;
    }
    Err(cut)
}

/// The link type and the frame behind a PPI header.
pub(super) fn ppi(frame: &[u8]) -> Result<(u16, &[u8]), Other> {
    let cut = Other::Cut("PPI");
    let ([_version, _flags, low, high, link @ ..], _) =
        frame.split_first_chunk::<8>().ok_or(cut)?;
    let length = usize::from(u16::from_le_bytes([*low, *high]));
    let link = u32::from_le_bytes(*link) as u16;
    Ok((link, frame.get(length.max(8)..).ok_or(cut)?))
}

/// The link type and the frame behind Apple's header.
pub(super) fn pktap(frame: &[u8]) -> Result<(u16, &[u8]), Other> {
    let cut = Other::Cut("PKTAP");
    let number = |at: usize| {
        let bytes = frame.get(at..).and_then(<[u8]>::first_chunk).ok_or(cut)?;
        Ok(u32::from_le_bytes(*bytes))
    };
    let (length, link) = (number(0)? as usize, number(8)? as u16);
    Ok((link, frame.get(length.max(12)..).ok_or(cut)?))
}

/// The IP packet behind MPLS labels, or that in the Ethernet frame behind them, with a control word or
/// without.
pub(super) fn mpls<'a>(mut rest: &'a [u8], nest: &mut Nest<'_>) -> Result<&'a [u8], Other> {
    let cut = Other::Cut("MPLS");
    loop {
        let ([_, _, low, _hops], behind) = rest.split_first_chunk::<4>().ok_or(cut)?;
        rest = behind;
        if low & LAST_LABEL != 0 {
            break;
        }
    }
    match rest.first().ok_or(cut)? >> 4 {
        4 | 6 => Ok(rest),
        0 => {
            let frame = rest.get(4..).ok_or(cut)?;
            link::nested_ethernet(frame, nest)
        }
        _ => link::nested_ethernet(rest, nest),
    }
}

/// The IP packet behind a network service header, whose length is in words of four bytes (RFC 8300).
pub(super) fn nsh<'a>(rest: &'a [u8], nest: &mut Nest<'_>) -> Result<&'a [u8], Other> {
    let cut = Other::Cut("NSH");
    let ([_, length, _, next], _) = rest.split_first_chunk::<4>().ok_or(cut)?;
    let length = 4 * usize::from(length & 0x3f);
    if length < 8 {
        return Err(Other::Malformed("a network service header that is too short"));
    }
    let inner = rest.get(length..).ok_or(cut)?;
    nest.enter()?;
    match next {
        1 | 2 => Ok(inner),
        3 => link::nested_ethernet(inner, nest),
        5 => mpls(inner, nest),
        _ => Err(Other::NotIp(link::ETHER_NSH.into())),
    }
}

/// The IP packet in an IEEE 802.3 frame of this length: behind LLC and SNAP, or behind LLC alone.
pub(super) fn llc<'a>(length: u16, rest: &'a [u8], nest: &mut Nest<'_>) -> Result<&'a [u8], Other> {
    match rest {
        // Encapsulated Ethernet, and how bridges write some of it (RFC 1042, IEEE 802.1H).
        [0xaa, 0xaa, 3, 0, 0, 0 | 0xf8, high, low, packet @ ..] => {
            let kind = u16::from_be_bytes([*high, *low]);
            nest.enter()?;
            link::nested_ether(kind, packet, nest)
        }
        [LSAP_IP, LSAP_IP, 3, packet @ ..] => Ok(packet),
        _ => Err(Other::NotIp(u32::from(length))),
    }
}
