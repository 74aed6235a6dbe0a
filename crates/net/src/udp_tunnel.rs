//! Packets in datagrams to ports of tunnels: VXLAN (RFC 7348) with its generic form, GENEVE
//! (RFC 8926), GTP-U (3GPP TS 29.281), L2TP (RFC 2661), Teredo (RFC 4380), LISP (RFC 9300), MPLS
//! (RFC 7510), GUE (draft-ietf-intarea-gue), GRE (RFC 8086), CAPWAP (RFC 5415), and TZSP, which the
//! routers of `MikroTik` send. Linux' FOU has neither a port of its own nor a header.
//!
//! A port is no proof: only where an IP packet is inside is a datagram one of a tunnel. Every other one
//! is what it would be on another port. What is encrypted (RFC 3948, WireGuard, OpenVPN, L2TPv3) has a
//! name.

use super::nest::Nest;
use super::{Other, capwap, headers, link, ppp, tunnel};

const VXLAN: u16 = 4789;
/// VXLAN's port in Linux before it had a number.
const VXLAN_LINUX: u16 = 8472;
const VXLAN_GPE: u16 = 4790;
const GENEVE: u16 = 6081;
const GTP_U: u16 = 2152;
const L2TP: u16 = 1701;
const TEREDO: u16 = 3544;
const TZSP: u16 = 37008;
const LISP: u16 = 4341;
const MPLS: u16 = 6635;
const GUE: u16 = 6080;
const GRE: u16 = 4754;
const CAPWAP: u16 = 5247;
const IPSEC: u16 = 4500;
const WIREGUARD: u16 = 51820;
const OPENVPN: u16 = 1194;

/// Bytes of a UDP header.
pub(super) const UDP_HEADER: usize = 8;
/// The kinds of packets in GRE that FOU has: IPv4, IPv6, Ethernet.
const FOU_KINDS: [[u8; 2]; 3] = [[0x08, 0], [0x86, 0xdd], [0x65, 0x58]];
/// GTP-U's message that has a user's packet.
const GTP_PACKET: u8 = 0xff;
/// TZSP's tags without a length: padding, and the end.
const TZSP_PADDING: u8 = 0;
const TZSP_END: u8 = 1;

/// Whether a port is that of a tunnel.
#[inline]
fn is_of_tunnel(port: u16) -> bool {
    matches!(
        port,
        VXLAN
            | VXLAN_LINUX
            | VXLAN_GPE
            | GENEVE
            | GTP_U
            | L2TP
            | TEREDO
            | TZSP
            | LISP
            | MPLS
            | GUE
            | GRE
            | CAPWAP
            | IPSEC
            | WIREGUARD
            | OPENVPN
    )
}

/// The packet in a datagram of a tunnel, with its UDP header; a suffix of these bytes.
#[inline]
pub(super) fn inside<'a>(datagram: &'a [u8], nest: &mut Nest<'_>) -> Option<&'a [u8]> {
    let ([a, b, c, d, high, low, ..], payload) = datagram.split_first_chunk::<UDP_HEADER>()?;
    let ports = [u16::from_be_bytes([*c, *d]), u16::from_be_bytes([*a, *b])];
    let length = usize::from(u16::from_be_bytes([*high, *low])).saturating_sub(UDP_HEADER);
    if ports.into_iter().any(is_of_tunnel)
        && let Some(packet) = in_tunnel(ports, payload, length, nest)
    {
        return Some(packet);
    }
    // An IP header, or flags of GRE and its version 0.
    let is_begin = |first: u8| matches!(first >> 4, 4 | 6) || first.is_multiple_of(16);
    if !is_begin(*payload.first()?) {
        return None;
    }
    foo_over_udp(payload, length, nest)
}

/// The encapsulation of a datagram between these ports that is not read, by its name.
#[inline]
pub fn unread_tunnel(ports: [u16; 2], payload: &[u8]) -> Option<&'static str> {
    if ports.into_iter().any(is_of_tunnel) { unread(ports, payload) } else { None }
}

#[cold]
fn unread(ports: [u16; 2], payload: &[u8]) -> Option<&'static str> {
    let nest = &mut Nest::default();
    ports.into_iter().find_map(|port| packet(port, payload, nest)?.err()?.encapsulation())
}

/// The packet in a payload of so many bytes, of which these were captured.
#[cold]
fn in_tunnel<'a>(
    ports: [u16; 2],
    payload: &'a [u8],
    length: usize,
    nest: &mut Nest<'_>,
) -> Option<&'a [u8]> {
    let not_captured = length.saturating_sub(payload.len());
    let mut packets = ports.into_iter().filter_map(|port| packet(port, payload, nest)?.ok());
    packets.find(|packet| is_ip(packet, packet.len() + not_captured))
}

/// The IP packet at the beginning of a payload, or behind a GRE header there. An admin chooses the port
/// (`ip fou add`), and nothing says what follows, so the lengths of both packets have to agree.
#[cold]
fn foo_over_udp<'a>(payload: &'a [u8], length: usize, nest: &mut Nest<'_>) -> Option<&'a [u8]> {
    if is_whole_ip(payload, length) {
        return Some(payload);
    }
    let ([_flags, 0, kind @ ..], _) = payload.split_first_chunk::<4>()? else { return None };
    if !FOU_KINDS.contains(kind) {
        return None;
    }
    let packet = payload.get(tunnel::gre(payload, nest).ok()?.packet..)?;
    let length = length.checked_sub(payload.len() - packet.len())?;
    is_whole_ip(packet, length).then_some(packet)
}

/// What stands where the tunnel of a port has its packet; `None` for other ports, where the header
/// contradicts itself, and where there is no packet. An error has the name of what is not read.
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
                4 => Some(headers::nsh(packet, nest)),
                _ => None,
            }
        }
        GENEVE => {
            let ([version_and_length, _flags, high, low, ..], _) =
                payload.split_first_chunk::<8>()?;
            let packet = payload.get(8 + 4 * usize::from(version_and_length & 0x3f)..)?;
            match u16::from_be_bytes([*high, *low]) {
                _ if version_and_length >> 6 != 0 => None,
                kind => Some(link::nested_ether(kind, packet, nest)),
            }
        }
        GTP_U => gtp(payload).map(Ok),
        L2TP => match l2tp(payload)? {
            (2, frame) => Some(ppp::ppp(frame, nest)),
            _ => Some(Err(Other::Unread("L2TPv3"))),
        },
        TEREDO => teredo(payload).map(Ok),
        LISP => payload.get(8..).map(Ok),
        MPLS => Some(headers::mpls(payload, nest)),
        GUE => {
            // Version 0 of data, whose header has its length in words; version 1 is a packet alone.
            let ([first, protocol, _, _], _) = payload.split_first_chunk::<4>()?;
            match (first >> 5, protocol) {
                (0, 4 | 41) => payload.get(4 + 4 * usize::from(first & 0x1f)..).map(Ok),
                (2 | 3, _) => Some(Ok(payload)),
                _ => None,
            }
        }
        GRE => Some(
            tunnel::gre(payload, nest)
                .and_then(|inside| payload.get(inside.packet..).ok_or(Other::Cut("GRE"))),
        ),
        CAPWAP => capwap::capwap(payload, nest),
        // Neither a byte that keeps a translation alive, nor the marks of IKE and of games; SPI, number,
        // and the end.
        IPSEC if payload.len() >= 16 && !matches!(payload, [0, 0, 0, 0, ..] | [0xff, 0xff, ..]) => {
            Some(Err(Other::Unread("ESP (IPsec) in UDP")))
        }
        WIREGUARD if payload.starts_with(&[4, 0, 0, 0]) && payload.len().is_multiple_of(16) => {
            Some(Err(Other::Unread("WireGuard")))
        }
        // Both forms of data, with a key's number.
        OPENVPN if payload.len() >= 16 && matches!(payload.first()? >> 3, 6 | 9) => {
            Some(Err(Other::Unread("OpenVPN")))
        }
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

/// The version, and the content of a message with data.
fn l2tp(payload: &[u8]) -> Option<(u16, &[u8])> {
    const CONTROL: u16 = 0x8000;
    const LENGTH: u16 = 0x4000;
    const SEQUENCE: u16 = 0x0800;
    const OFFSET: u16 = 0x0200;
    let (flags, _) = payload.split_first_chunk()?;
    let flags = u16::from_be_bytes(*flags);
    match flags & 0xf {
        _ if flags & CONTROL != 0 => return None,
        2 => {}
        3 if flags == 3 => return Some((3, payload)),
        _ => return None,
    }
    let mut at = 6;
    at += if flags & LENGTH != 0 { 2 } else { 0 };
    at += if flags & SEQUENCE != 0 { 4 } else { 0 };
    if flags & OFFSET != 0 {
        let offset = payload.get(at..)?.first_chunk().map(|bytes| u16::from_be_bytes(*bytes))?;
        at += 2 + usize::from(offset);
    }
    Some((2, payload.get(at..)?))
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

/// Whether bytes are an IP packet of exactly this length, of which all or some were captured.
fn is_whole_ip(packet: &[u8], length: usize) -> bool {
    let number = |at: usize| {
        let bytes = packet.get(at..).and_then(<[u8]>::first_chunk);
        bytes.map(|bytes| usize::from(u16::from_be_bytes(*bytes)))
    };
    if !is_ip(packet, length) {
        return false;
    }
    match packet {
        [first, ..] if first >> 4 == 4 => number(2) == Some(length),
        // No checksum says that it is one: UDP inside has its length, and the others have addresses.
        [_, _, _, _, _, _, next, _, source, ..] => {
            let is_address = |first: &u8| matches!(first, 0x20..=0x3f | 0xfc..=0xfe);
            let destination = packet.get(24);
            let is_next = match *next {
                17 => number(44).is_some() && number(44) == length.checked_sub(40),
                0 | 4 | 6 | 41 | 43 | 44 | 47 | 50 | 51 | 58 | 60 | 132 => true,
                _ => false,
            };
            let is_length = number(4).map(|behind| behind + 40) == Some(length);
            is_length && is_next && is_address(source) && destination.is_some_and(is_address)
        }
        _ => false,
    }
}

/// Whether bytes are an IP packet, whole or cut: the checksum of an IPv4 header is right, or the length
/// of an IPv6 packet is at most this.
pub(super) fn is_ip(packet: &[u8], most: usize) -> bool {
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
            // Frames have padding, so a packet may be shorter than what has it.
            length.is_some_and(|length| packet.len() >= 40 && length > 0 && 40 + length <= most)
        }
        _ => false,
    }
}
