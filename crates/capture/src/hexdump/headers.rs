//! The headers of packets in a hexdump: found, or made where there are none.

use std::borrow::Cow;
use std::net::{Ipv4Addr, SocketAddrV4};

use etherparse::PacketBuilder;

/// Sender and receiver of a payload whose hexdump has no headers, and the hop limit: addresses for
/// documentation (RFC 5737).
const ENDS: [[u8; 4]; 2] = [CLIENT, [192, 0, 2, 2]];
/// The first of them: who asks, where only the other end is known.
pub(super) const CLIENT: [u8; 4] = [192, 0, 2, 1];
const HOPS: u8 = 64;
/// Where link headers have an `EtherType`, and their length: Ethernet, and Linux "cooked" captures
/// of both versions.
const LINK_HEADERS: [(usize, usize); 3] = [(12, ETHERNET), (14, 16), (0, 20)];
/// Bytes of the headers of Ethernet and of loopback devices, of a VLAN tag and of PPPoE.
const ETHERNET: usize = 14;
const LOOPBACK: usize = 4;
const TAG: usize = 4;
const PPPOE: usize = 6;
/// Bytes of the shortest IPv4 header, and of that of IPv6.
const IPV4: usize = 20;
const IPV6: usize = 40;
/// Protocols that a packet of a game, or of a tunnel, may carry: ICMP, IPv4, TCP, UDP, IPv6,
/// fragments of IPv6, GRE, ICMPv6.
const CARRIED: [u8; 8] = [1, 4, 6, 17, 41, 44, 47, 58];
/// The longest packet that counts as cut: with longer ones, text would be taken for headers.
const LONGEST_CUT: usize = 0x2000;

/// The packet as IP: without a link-layer header before it, or with made headers before a payload.
pub(super) fn with_headers(packet: &[u8], ports: [u16; 2]) -> Cow<'_, [u8]> {
    if let Some(ip) = ip_packet(packet) {
        return ip.into();
    }
    let [source, destination] = ports;
    let [from, to] = ENDS.map(Ipv4Addr::from);
    let ends = [SocketAddrV4::new(from, source), SocketAddrV4::new(to, destination)];
    datagram(ends, packet).map_or(packet.into(), Cow::Owned)
}

/// A payload as a packet between these ends; `None` if it is too long.
pub(super) fn datagram([from, to]: [SocketAddrV4; 2], payload: &[u8]) -> Option<Vec<u8>> {
    let (source, destination) = (from.ip().octets(), to.ip().octets());
    let builder = PacketBuilder::ipv4(source, destination, HOPS).udp(from.port(), to.port());
    let mut made = Vec::with_capacity(builder.size(payload.len()));
    builder.write(&mut made, payload).ok().map(|()| made)
}

/// The IP packet in these bytes, whole or cut, if they begin with one, or with a link header.
pub fn ip_packet(packet: &[u8]) -> Option<&[u8]> {
    let framed = LINK_HEADERS.iter().find_map(|&(at, length)| {
        let ip = behind_ether_type(u16_at(packet, at)?, packet.get(length..)?)?;
        is_ip(ip).then_some(ip)
    });
    let of_loopback = || {
        // A family of addresses, in the byte order of either machine.
        let is_family = matches!(packet, [2 | 10 | 24 | 28 | 30, 0, 0, 0, ..])
            || matches!(packet, [0, 0, 0, 2 | 10 | 24 | 28 | 30, ..]);
        packet.get(LOOPBACK..).filter(|ip| is_family && is_ip(ip))
    };
    framed.or_else(of_loopback).or_else(|| is_ip(packet).then_some(packet))
}

/// What follows the VLAN tags, however many there are, and the headers of PPPoE.
fn behind_ether_type(mut ether_type: u16, mut rest: &[u8]) -> Option<&[u8]> {
    while matches!(ether_type, 0x8100 | 0x88a8 | 0x9100) {
        (ether_type, rest) = (u16_at(rest, 2)?, rest.get(TAG..)?);
    }
    match ether_type {
        0x0800 | 0x86dd => Some(rest),
        0x8864 => match rest.get(PPPOE..)? {
            [0, 0x21 | 0x57, ip @ ..] | [0x21 | 0x57, ip @ ..] => Some(ip),
            _ => None,
        },
        _ => None,
    }
}

/// How long a packet was before it was cut, by its IP header.
pub(super) fn wire_length(ip: &[u8]) -> u32 {
    lengths(ip).map_or(ip.len(), |(length, _)| length.max(ip.len())) as u32
}

/// Whether these bytes are an IP packet with a length that fits, or that was cut.
fn is_ip(bytes: &[u8]) -> bool {
    let Some((length, protocol)) = lengths(bytes) else { return false };
    let has_length = match length.checked_sub(bytes.len()) {
        Some(1..) => length < LONGEST_CUT,
        _ => bytes.len() - length < ETHERNET * 4,
    };
    CARRIED.contains(&protocol) && has_length
}

/// The length of an IP packet by its header, and what it carries; `None` without a whole header.
fn lengths(bytes: &[u8]) -> Option<(usize, u8)> {
    let length = |at| u16_at(bytes, at).map(usize::from);
    match bytes.first()? {
        0x45..=0x4f => Some((length(2)?, *bytes.get(9)?))
            .filter(|(length, _)| *length > IPV4 && bytes.len() > IPV4),
        0x60..=0x6f => Some((length(4)? + IPV6, *bytes.get(6)?))
            .filter(|(length, _)| *length > IPV6 && bytes.len() > IPV6),
        _ => None,
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|number| u16::from_be_bytes(*number))
}
