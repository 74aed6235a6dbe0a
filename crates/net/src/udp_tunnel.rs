//! Packets in datagrams to ports of tunnels: VXLAN (RFC 7348) with its generic form, GENEVE
//! (RFC 8926), GTP-U (3GPP TS 29.281), L2TP (RFC 2661), Teredo (RFC 4380), and TZSP, which the routers
//! of `MikroTik` send.
//!
//! A port is no proof: only where an IP packet is inside is a datagram one of a tunnel. Every other one
//! is what it would be on another port.

use super::nest::Nest;
use super::{Other, link, ppp};

const VXLAN: u16 = 4789;
/// VXLAN's port in Linux before it had a number.
const VXLAN_LINUX: u16 = 8472;
const VXLAN_GPE: u16 = 4790;
const GENEVE: u16 = 6081;
const GTP_U: u16 = 2152;
const L2TP: u16 = 1701;
const TEREDO: u16 = 3544;
const TZSP: u16 = 37008;

/// Bytes of a UDP header.
pub(super) const UDP_HEADER: usize = 8;
/// The `EtherType` of Ethernet in a tunnel.
const ETHERNET: u16 = 0x6558;
/// GTP-U's message that has a user's packet.
const GTP_PACKET: u8 = 0xff;
/// TZSP's tags without a length: padding, and the end.
const TZSP_PADDING: u8 = 0;
const TZSP_END: u8 = 1;

/// Whether a port is that of a tunnel.
#[inline]
fn is_of_tunnel(port: u16) -> bool {
    matches!(port, VXLAN | VXLAN_LINUX | VXLAN_GPE | GENEVE | GTP_U | L2TP | TEREDO | TZSP)
}

/// The packet in a datagram of a tunnel, with its UDP header; a suffix of these bytes.
#[inline]
pub(super) fn inside<'a>(datagram: &'a [u8], nest: &mut Nest<'_>) -> Option<&'a [u8]> {
    let ([a, b, c, d, ..], payload) = datagram.split_first_chunk::<UDP_HEADER>()?;
    let ports = [u16::from_be_bytes([*c, *d]), u16::from_be_bytes([*a, *b])];
    if !ports.into_iter().any(is_of_tunnel) {
        return None;
    }
    let mut packets = ports.into_iter().filter_map(|port| packet(port, payload, nest)?.ok());
    packets.find(|packet| is_ip(packet))
}

/// What stands where the tunnel of a port has its packet; `None` for other ports, and where the header
/// contradicts itself.
#[cold]
fn packet<'a>(
    port: u16,
    payload: &'a [u8],
    nest: &mut Nest<'_>,
) -> Option<Result<&'a [u8], Other>> {
    match port {
        VXLAN | VXLAN_LINUX => {
            let ([flags, ..], frame) = payload.split_first_chunk::<8>()?;
            (flags & 0x08 != 0).then(|| link::nested_ethernet(frame, nest))
        }
        VXLAN_GPE => {
            let ([flags, _, _, next, ..], packet) = payload.split_first_chunk::<8>()?;
            match next {
                _ if flags & 0x08 == 0 => None,
                1 | 2 => Some(Ok(packet)),
                3 => Some(link::nested_ethernet(packet, nest)),
                _ => None,
            }
        }
        GENEVE => {
            let ([version_and_length, _flags, high, low, ..], _) =
                payload.split_first_chunk::<8>()?;
            let packet = payload.get(8 + 4 * usize::from(version_and_length & 0x3f)..)?;
            match u16::from_be_bytes([*high, *low]) {
                _ if version_and_length >> 6 != 0 => None,
                ETHERNET => Some(link::nested_ethernet(packet, nest)),
                kind => Some(link::nested_ether(kind, packet, nest)),
            }
        }
        GTP_U => gtp(payload).map(Ok),
        L2TP => ppp_frame(payload).map(ppp::ppp),
        TEREDO => teredo(payload).map(Ok),
        TZSP => {
            let (link, frame) = tzsp(payload)?;
            Some(link::nested_layer(link, frame, nest))
        }
        _ => None,
    }
}

/// The user's packet: behind the optional words, and the extension headers.
fn gtp(payload: &[u8]) -> Option<&[u8]> {
    let ([flags, GTP_PACKET, ..], mut packet) = payload.split_first_chunk::<8>()? else {
        return None;
    };
    // Version 1, and not that of charging.
    if flags >> 4 != 3 {
        return None;
    }
    if flags & 7 != 0 {
        let ([.., next], behind) = packet.split_first_chunk::<4>()?;
        let mut next = *next;
        packet = behind;
        while next != 0 {
            let length = 4 * usize::from(*packet.first().filter(|words| **words > 0)?);
            let (extension, behind) = packet.split_at_checked(length)?;
            (next, packet) = (*extension.last()?, behind);
        }
    }
    Some(packet)
}

/// The PPP frame of a message with data.
fn ppp_frame(payload: &[u8]) -> Option<&[u8]> {
    const CONTROL: u16 = 0x8000;
    const LENGTH: u16 = 0x4000;
    const SEQUENCE: u16 = 0x0800;
    const OFFSET: u16 = 0x0200;
    let (flags, _) = payload.split_first_chunk()?;
    let flags = u16::from_be_bytes(*flags);
    if flags & CONTROL != 0 || flags & 0xf != 2 {
        return None;
    }
    let mut at = 6;
    at += if flags & LENGTH != 0 { 2 } else { 0 };
    at += if flags & SEQUENCE != 0 { 4 } else { 0 };
    if flags & OFFSET != 0 {
        let offset = payload.get(at..)?.first_chunk().map(|bytes| u16::from_be_bytes(*bytes))?;
        at += 2 + usize::from(offset);
    }
    payload.get(at..)
}

/// The IPv6 packet behind what a server adds: an authentication, and where the datagram came from.
fn teredo(mut payload: &[u8]) -> Option<&[u8]> {
    if let [0, 1, id, proof, ..] = payload {
        payload = payload.get(13 + usize::from(*id) + usize::from(*proof)..)?;
    }
    if let [0, 0, ..] = payload {
        payload = payload.get(8..)?;
    }
    payload.first().filter(|first| **first >> 4 == 6).map(|_| payload)
}

/// The link type and the frame behind the tags.
fn tzsp(payload: &[u8]) -> Option<(u16, &[u8])> {
    let ([1, _kind, high, low], mut left) = payload.split_first_chunk::<4>()? else { return None };
    let link = match u16::from_be_bytes([*high, *low]) {
        1 => link::ETHERNET,
        18 => link::IEEE802_11,
        119 => link::PRISM,
        127 => link::AVS,
        _ => return None,
    };
    loop {
        match left {
            [TZSP_END, frame @ ..] => return Some((link, frame)),
            [TZSP_PADDING, rest @ ..] => left = rest,
            [_, length, rest @ ..] => left = rest.get(usize::from(*length)..)?,
            _ => return None,
        }
    }
}

/// Whether bytes are an IP packet, whole or cut: the checksum of an IPv4 header is right, or the length
/// of an IPv6 packet is.
fn is_ip(packet: &[u8]) -> bool {
    match packet.first().map(|first| first >> 4) {
        Some(4) => {
            let length = packet.first().map_or(0, |first| 4 * usize::from(first & 0xf));
            let Some(header) = packet.get(..length).filter(|_| length >= 20) else { return false };
            let words = header.chunks_exact(2).filter_map(<[u8]>::first_chunk);
            let sum: u32 = words.map(|word| u32::from(u16::from_be_bytes(*word))).sum();
            (sum & 0xffff) + (sum >> 16) == 0xffff
        }
        Some(6) => {
            let length = packet.get(4..).and_then(<[u8]>::first_chunk);
            let length = length.map(|bytes| usize::from(u16::from_be_bytes(*bytes)));
            // Frames have padding, and a capture may have cut the packet.
            length.is_some_and(|length| packet.len() >= 40 && length > 0)
        }
        _ => false,
    }
}
