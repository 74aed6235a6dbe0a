//! Conversations between a few servers and masters. Most bytes of the input are payload, and few are
//! headers, which a mutation would break.
//!
//! The input is a byte that selects the command, then records: a master (port in
//! the low four bits, host in the high ones), a server, flags, the time since the record before
//! (its square in milliseconds), the length of the payload (two bytes, low first), the payload.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use etherparse::PacketBuilder;
use fragshark::capture::write::{FrameRecord, PcapWriter};
use fragshark::net::compose::{LINK_RAW, datagram};

use super::passes;

/// Documented ports, and two others.
const PORTS: [u16; 16] = [
    27950, 27951, 27952, 27953, 27960, 27900, 28900, 27000, 26900, 27650, 27010, 27733, 80, 7778,
    27910, 12345,
];

const FROM_MASTER: u8 = 1;
const TCP: u8 = 2;
const SIX: u8 = 128;
// Of a datagram.
const FRAGMENTS: u8 = 4;
const LOSES_A_FRAGMENT: u8 = 8;
const UNREACHABLE: u8 = 16;
const CUT: u8 = 32;
// Of a segment.
const SYN: u8 = 4;
const FIN: u8 = 8;
const RST: u8 = 16;
/// The segment has another position in its stream, by the time of the record.
const MOVED: u8 = 32;
/// Bytes after it are lost.
const GAP: u8 = 64;

pub fn run(bytes: &[u8]) {
    if let Some((pick, records)) = bytes.split_first() {
        passes::pass(*pick, &capture(records));
    }
}

/// Both ends of a record, the sender first.
fn ends(master: u8, server: u8, flags: u8) -> [SocketAddr; 2] {
    let host = 1 + (master >> 4);
    let hosts: [IpAddr; 2] = if flags & SIX == 0 {
        [Ipv4Addr::new(203, 0, 113, host).into(), Ipv4Addr::new(192, 0, 2, server).into()]
    } else {
        let six = |net: u16, host: u8| Ipv6Addr::new(0x2001, 0xdb8, net, 0, 0, 0, 0, host.into());
        [six(0x71, host).into(), six(2, server).into()]
    };
    let ports =
        [PORTS[usize::from(master & 15)], PORTS[usize::from(server & 15)] + u16::from(server >> 4)];
    let [master, server] = [0, 1].map(|end| SocketAddr::new(hosts[end], ports[end]));
    if flags & FROM_MASTER == 0 { [server, master] } else { [master, server] }
}

/// A capture of raw IP packets, as a file.
pub fn capture(mut records: &[u8]) -> Vec<u8> {
    let mut file = PcapWriter::new(Vec::new(), LINK_RAW, 0).unwrap();
    let mut time = 1_070_308_800_000_000_000_i64;
    let mut next: HashMap<[SocketAddr; 2], u32> = HashMap::new();
    while let [master, server, flags, wait, low, high, rest @ ..] = records {
        let length = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
        let (payload, behind) = rest.split_at(length);
        records = behind;
        time += i64::from(*wait) * i64::from(*wait) * 1_000_000;
        let ends = ends(*master, *server, *flags);
        let frames = if flags & TCP == 0 {
            of_datagram(ends, *flags, *master ^ *server, payload)
        } else {
            vec![segment(ends, *flags, *wait, payload, &mut next)]
        };
        for frame in frames {
            let cut = if flags & (TCP | CUT) == CUT { usize::from(*wait) } else { 0 };
            let bytes = &frame[..frame.len() - cut.min(frame.len())];
            let wire_length = u32::try_from(frame.len()).unwrap();
            let (link, comment) = (LINK_RAW, "");
            let record =
                FrameRecord { time, link, fcs: 0, bytes, wire_length, comment, interface: 0 };
            file.write(&record).unwrap();
        }
    }
    file.finish().unwrap()
}

/// The packets of a datagram: whole, in two fragments, or quoted in an ICMP error.
fn of_datagram(ends: [SocketAddr; 2], flags: u8, id: u8, payload: &[u8]) -> Vec<Vec<u8>> {
    let [from, to] = ends;
    let Some(whole) = datagram(from, to, payload) else { return Vec::new() };
    if flags & UNREACHABLE != 0 {
        return unreachable(ends, &whole).into_iter().collect();
    }
    if flags & FRAGMENTS == 0 || from.is_ipv6() || whole.len() < 20 + 16 {
        return vec![whole];
    }
    let (head, body) = whole.split_at(20);
    let at = (body.len() / 2) & !7;
    let fragment = |part: &[u8], field: u16| {
        let mut packet = [head, part].concat();
        let length = u16::try_from(packet.len()).unwrap();
        packet[2..4].copy_from_slice(&length.to_be_bytes());
        packet[4..6].copy_from_slice(&[0, id]);
        packet[6..8].copy_from_slice(&field.to_be_bytes());
        packet
    };
    let first = fragment(&body[..at], 0x2000);
    let last = fragment(&body[at..], u16::try_from(at / 8).unwrap());
    if flags & LOSES_A_FRAGMENT == 0 { vec![first, last] } else { vec![last] }
}

fn unreachable([from, to]: [SocketAddr; 2], whole: &[u8]) -> Option<Vec<u8>> {
    use etherparse::{Icmpv4Type, icmpv4};
    let (IpAddr::V4(from), IpAddr::V4(to)) = (from.ip(), to.ip()) else { return None };
    let kind = Icmpv4Type::DestinationUnreachable(icmpv4::DestUnreachableHeader::Port);
    let mut packet = Vec::new();
    let builder = PacketBuilder::ipv4(to.octets(), from.octets(), 64).icmpv4(kind);
    builder.write(&mut packet, &whole[..whole.len().min(60)]).ok()?;
    Some(packet)
}

fn segment(
    ends: [SocketAddr; 2],
    flags: u8,
    wait: u8,
    payload: &[u8],
    next: &mut HashMap<[SocketAddr; 2], u32>,
) -> Vec<u8> {
    let [from, to] = ends;
    let ip = match (from.ip(), to.ip()) {
        (IpAddr::V4(from), IpAddr::V4(to)) => PacketBuilder::ipv4(from.octets(), to.octets(), 64),
        (from, to) => {
            let octets = |ip: IpAddr| match ip {
                IpAddr::V4(ip) => ip.to_ipv6_mapped().octets(),
                IpAddr::V6(ip) => ip.octets(),
            };
            PacketBuilder::ipv6(octets(from), octets(to), 64)
        }
    };
    // The maximum payload of an IP packet.
    let payload = &payload[..payload.len().min(60_000)];
    let acknowledgment = next.get(&[to, from]).copied().unwrap_or(1000);
    let sequence = next.entry(ends).or_insert(1000);
    let moved = if flags & MOVED == 0 { 0 } else { u32::from(wait).wrapping_sub(64) };
    let mut tcp = ip.tcp(from.port(), to.port(), sequence.wrapping_add(moved), 64_240);
    let ends_here = u32::from(flags & (SYN | FIN) != 0);
    let lost = if flags & GAP == 0 { 0 } else { 5 };
    *sequence = sequence.wrapping_add(payload.len() as u32 + ends_here + lost);
    if flags & SYN != 0 {
        tcp = tcp.syn();
    }
    if flags & FIN != 0 {
        tcp = tcp.fin();
    }
    if flags & RST != 0 {
        tcp = tcp.rst();
    }
    let mut packet = Vec::new();
    tcp.ack(acknowledgment).write(&mut packet, payload).unwrap();
    packet
}
