//! Frames built by `etherparse`, byte for byte as they stand on a wire.

mod copies;
mod describe;
mod errors;
mod fragments;
mod layout;
mod links;
mod mutants;
mod streams;
mod tunnels;
mod udp_tunnels;
mod wireless;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use etherparse::{IpNumber, Ipv4Header, Ipv6FlowLabel, Ipv6Header, PacketBuilder, UdpHeader};

use proptest::test_runner::{Config, RngSeed};

use super::*;

const CLIENT: [u8; 4] = [192, 0, 2, 1];
const MASTER: [u8; 4] = [198, 51, 100, 7];
const CLIENT6: [u8; 16] = [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
const MASTER6: [u8; 16] = [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7];
const WORDS: &[u8] = b"\xff\xff\xff\xffgetservers 68 full empty";

/// An IPv4 packet with a UDP datagram from the client's port 27960 to the master's 27950.
fn udp_v4(payload: &[u8]) -> Vec<u8> {
    let mut packet = Vec::new();
    let builder = PacketBuilder::ipv4(CLIENT, MASTER, 64).udp(27960, 27950);
    builder.write(&mut packet, payload).unwrap();
    packet
}

/// The same over IPv6.
fn udp_v6(payload: &[u8]) -> Vec<u8> {
    let mut packet = Vec::new();
    let builder = PacketBuilder::ipv6(CLIENT6, MASTER6, 64).udp(27960, 27950);
    builder.write(&mut packet, payload).unwrap();
    packet
}

/// An Ethernet frame around an IP packet.
fn ethernet(ether_type: u16, packet: &[u8]) -> Vec<u8> {
    [&[2; 12], &ether_type.to_be_bytes()[..], packet].concat()
}

fn ipv4_header(protocol: IpNumber, payload_length: usize) -> Ipv4Header {
    Ipv4Header::new(payload_length as u16, 64, protocol, CLIENT, MASTER).unwrap()
}

fn ipv6_header(next_header: IpNumber, payload_length: usize) -> Ipv6Header {
    Ipv6Header {
        traffic_class: 0,
        flow_label: Ipv6FlowLabel::ZERO,
        payload_length: payload_length as u16,
        next_header,
        hop_limit: 64,
        source: CLIENT6,
        destination: MASTER6,
    }
}

/// A UDP header and payload, to be fragmented.
fn udp(payload: &[u8]) -> Vec<u8> {
    let header = UdpHeader::without_ipv4_checksum(27960, 27950, payload.len()).unwrap();
    [&header.to_bytes()[..], payload].concat()
}

/// The same cases in every run, and no files written when one fails.
fn seeded(cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(27950),
        failure_persistence: None,
        ..Config::default()
    }
}

/// The result of a new stack for one frame.
fn read_frame(link: u16, bytes: &[u8]) -> Owned {
    take_snapped(link, bytes, bytes.len())
}

/// The same for a frame that was longer on the wire.
fn take_snapped(link: u16, bytes: &[u8], wire_length: usize) -> Owned {
    Owned::from_packet(Stack::default().read_frame(link, 0, 0, bytes, wire_length as u32))
}

/// A copy of a packet, independent of its stack.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Owned {
    Datagram { ends: (SocketAddr, SocketAddr), payload: Vec<u8>, missing: u32, origin: Origin },
    Segment { ends: (SocketAddr, SocketAddr), payload: Vec<u8>, missing: u32, flags: Flags },
    Error(IcmpError),
    Held,
    Copy,
    Other(Other),
}

impl Owned {
    fn from_packet(packet: Packet<'_>) -> Self {
        match packet {
            Packet::Datagram(d) => Self::Datagram {
                ends: (d.source, d.destination),
                payload: d.payload.to_vec(),
                missing: d.missing,
                origin: d.origin,
            },
            Packet::Segment(s) => Self::Segment {
                ends: (s.source, s.destination),
                payload: s.payload.to_vec(),
                missing: s.missing,
                flags: s.flags,
            },
            Packet::Error(error) => Self::Error(error),
            Packet::Held => Self::Held,
            Packet::Copy => Self::Copy,
            Packet::Other(other) => Self::Other(other),
        }
    }

    /// Payload and missing bytes of a datagram between the two known endpoints.
    fn datagram(&self) -> (&[u8], u32) {
        let Self::Datagram { ends, payload, missing, .. } = self else { panic!("{self:?}") };
        assert!([ends_v4(), ends_v6()].contains(ends), "{ends:?}");
        (payload, *missing)
    }
}

fn ends_v4() -> (SocketAddr, SocketAddr) {
    let at = |address: [u8; 4], port| (IpAddr::from(Ipv4Addr::from(address)), port).into();
    (at(CLIENT, 27960), at(MASTER, 27950))
}

fn ends_v6() -> (SocketAddr, SocketAddr) {
    let at = |address: [u8; 16], port| (IpAddr::from(Ipv6Addr::from(address)), port).into();
    (at(CLIENT6, 27960), at(MASTER6, 27950))
}
