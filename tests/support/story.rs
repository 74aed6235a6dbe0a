//! Captures as scripts: who sends what to whom, when; written with valid checksums.
#![allow(dead_code, reason = "each test program tells the stories that it needs")]

use std::net::{IpAddr, SocketAddr};

use etherparse::{Icmpv4Type, PacketBuilder, icmpv4};
use fragshark::capture::write::{FrameRecord, PcapNg, PcapWriter};

/// The link layer of frames.
#[derive(Debug, Clone, Copy)]
pub enum Link {
    /// A link type, and how an IP packet becomes a frame of it.
    Other(u16, fn(&[u8]) -> Vec<u8>),
    Ethernet,
    Vlan,
    /// Linux "cooked" capture, the old format of `tcpdump -i any`.
    Sll,
    RawIp,
}

/// The sender in a TCP connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The side that opened it.
    Client,
    Server,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flag {
    Syn,
    Ack,
    Fin,
}

/// Which format the file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Pcap,
    PcapNg,
}

/// A capture being written.
pub struct Story {
    link: Link,
    format: Format,
    time: i64,
    identification: u16,
    frames: Vec<Frame>,
    /// How many bytes of a frame are captured.
    snap: usize,
    /// Whether the capture has the opening of each connection.
    with_openings: bool,
    /// The endpoints of every connection.
    connections: Vec<[SocketAddr; 2]>,
}

struct Frame {
    time: i64,
    bytes: Vec<u8>,
    comment: String,
}

const MICROSECOND: i64 = 1_000;

impl Story {
    /// A story that begins at a second of the Unix epoch.
    pub fn new(link: Link, format: Format, start: i64) -> Self {
        let (time, identification) = (start * 1_000_000_000, 1);
        let (frames, connections) = (Vec::new(), Vec::new());
        let (snap, with_openings) = (usize::MAX, true);
        Self { link, format, time, identification, frames, snap, with_openings, connections }
    }

    /// The openings of the following connections are not in the capture, as if it had begun later.
    pub fn without_openings(&mut self) -> &mut Self {
        self.with_openings = false;
        self
    }

    /// Truncates frames to this many bytes.
    pub fn snap(&mut self, bytes: usize) -> &mut Self {
        self.snap = bytes;
        self
    }

    /// Another story's events happen at the same time.
    pub fn meanwhile(&mut self, other: Self) -> &mut Self {
        self.frames.extend(other.frames);
        self.frames.sort_by_key(|frame| frame.time);
        self
    }

    /// Advances the time.
    pub fn after(&mut self, microseconds: i64) -> &mut Self {
        self.time += microseconds * MICROSECOND;
        self
    }

    /// Sends a datagram.
    pub fn send(&mut self, from: SocketAddr, to: SocketAddr, payload: &[u8]) -> &mut Self {
        let packet = ip(from, to, payload);
        self.frame(&packet, from.is_ipv6())
    }

    /// Sends a datagram in IPv4 fragments of at most `size` payload bytes, a multiple of 8.
    pub fn send_in_fragments(
        &mut self,
        from: SocketAddr,
        to: SocketAddr,
        payload: &[u8],
        size: usize,
    ) -> &mut Self {
        self.send_some_fragments(from, to, (payload, size), usize::MAX)
    }

    /// The same, but only so many of them arrive.
    pub fn send_some_fragments(
        &mut self,
        from: SocketAddr,
        to: SocketAddr,
        (payload, size): (&[u8], usize),
        count: usize,
    ) -> &mut Self {
        let whole = ip(from, to, payload);
        let (head, body) = whole.split_at(20);
        self.identification += 1;
        let last = body.len().div_ceil(size) - 1;
        for (n, part) in body.chunks(size).enumerate().take(count) {
            let mut packet = [head, part].concat();
            let length = u16::try_from(packet.len()).unwrap();
            packet[2..4].copy_from_slice(&length.to_be_bytes());
            packet[4..6].copy_from_slice(&self.identification.to_be_bytes());
            let more = if n == last { 0 } else { 0x2000 };
            let offset = u16::try_from(n * size / 8).unwrap();
            packet[6..8].copy_from_slice(&(offset | more).to_be_bytes());
            packet[10..12].fill(0);
            let sum = checksum(&packet[..20]);
            packet[10..12].copy_from_slice(&sum.to_be_bytes());
            self.frame(&packet, false).after(40);
        }
        self
    }

    /// Opens a TCP connection, sends the bytes of both sides in turn, and closes it. Segments have
    /// at most `size` bytes.
    pub fn converse(
        &mut self,
        client: SocketAddr,
        server: SocketAddr,
        messages: &[(Side, &[u8])],
        size: usize,
    ) -> &mut Self {
        let at_once: Vec<_> = messages.iter().map(|(side, payload)| (0, *side, *payload)).collect();
        self.converse_slowly(client, server, &at_once, size)
    }

    /// The same with a pause in microseconds before each message.
    pub fn converse_slowly(
        &mut self,
        client: SocketAddr,
        server: SocketAddr,
        messages: &[(i64, Side, &[u8])],
        size: usize,
    ) -> &mut Self {
        self.converse_until(Side::Server, client, server, messages, size)
    }

    /// The same; this side closes the connection first.
    pub fn converse_until(
        &mut self,
        closer: Side,
        client: SocketAddr,
        server: SocketAddr,
        messages: &[(i64, Side, &[u8])],
        size: usize,
    ) -> &mut Self {
        let ends = [client, server];
        // The same endpoints have other sequence numbers in their next connection.
        let before = self.connections.iter().filter(|other| **other == ends).count();
        self.connections.push(ends);
        let offset = u32::try_from(before).unwrap() * 1_000_000;
        let mut next = [1_000 + offset, 5_000 + offset];
        let mut segment = |story: &mut Self, side: Side, flags: &[Flag], payload: &[u8]| {
            let (from, to) = match side {
                Side::Client => (0, 1),
                Side::Server => (1, 0),
            };
            let packet = tcp(ends[from], ends[to], next[from], next[to], flags, payload);
            story.frame(&packet, client.is_ipv6()).after(700);
            let numbered = payload.len() + usize::from(flags != [Flag::Ack]);
            next[from] += u32::try_from(numbered).unwrap();
        };
        if self.with_openings {
            segment(self, Side::Client, &[Flag::Syn], b"");
            segment(self, Side::Server, &[Flag::Syn, Flag::Ack], b"");
            segment(self, Side::Client, &[Flag::Ack], b"");
        }
        for (pause, side, payload) in messages {
            self.after(*pause);
            for part in payload.chunks(size) {
                segment(self, *side, &[Flag::Ack], part);
            }
        }
        let other = match closer {
            Side::Client => Side::Server,
            Side::Server => Side::Client,
        };
        segment(self, closer, &[Flag::Fin, Flag::Ack], b"");
        segment(self, other, &[Flag::Fin, Flag::Ack], b"");
        segment(self, closer, &[Flag::Ack], b"");
        self
    }

    /// `from` reports by ICMP that the last datagram's port is closed.
    pub fn unreachable(&mut self, from: IpAddr, about: (SocketAddr, SocketAddr), payload: &[u8]) {
        let quoted = ip(about.0, about.1, payload);
        let quoted = &quoted[..quoted.len().min(28 + 32)];
        let (IpAddr::V4(from), IpAddr::V4(to)) = (from, about.0.ip()) else {
            panic!("this story knows ICMP for IPv4");
        };
        let kind = Icmpv4Type::DestinationUnreachable(icmpv4::DestUnreachableHeader::Port);
        let mut packet = Vec::new();
        let builder = PacketBuilder::ipv4(from.octets(), to.octets(), 64).icmpv4(kind);
        builder.write(&mut packet, quoted).unwrap();
        self.frame(&packet, false);
    }

    /// The comment of the last frame, which Wireshark shows.
    pub fn note(&mut self, comment: &str) -> &mut Self {
        comment.clone_into(&mut self.frames.last_mut().unwrap().comment);
        self
    }

    fn frame(&mut self, packet: &[u8], six: bool) -> &mut Self {
        let kind: [u8; 2] = if six { [0x86, 0xdd] } else { [0x08, 0x00] };
        let macs = [2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1];
        let mut bytes = match self.link {
            Link::Ethernet => [&macs[..], &kind].concat(),
            Link::Vlan => [&macs[..], &[0x81, 0x00, 0x00, 0x2a], &kind].concat(),
            Link::Sll => [&[0, 0, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0][..], &kind].concat(),
            Link::RawIp => Vec::new(),
            Link::Other(_, wrap) => wrap(packet),
        };
        if !matches!(self.link, Link::Other(..)) {
            bytes.extend_from_slice(packet);
        }
        // Short Ethernet frames are padded, as the standard requires.
        if matches!(self.link, Link::Ethernet | Link::Vlan) {
            bytes.resize(bytes.len().max(60), 0);
        }
        self.frames.push(Frame { time: self.time, bytes, comment: String::new() });
        self
    }

    /// The file's bytes.
    pub fn file(&self) -> Vec<u8> {
        let link = match self.link {
            Link::Ethernet | Link::Vlan => 1,
            Link::Sll => 113,
            Link::RawIp => 101,
            Link::Other(number, _) => number,
        };
        let records = self.frames.iter().map(|frame| FrameRecord {
            time: frame.time,
            link,
            fcs: 0,
            bytes: &frame.bytes[..frame.bytes.len().min(self.snap)],
            wire_length: u32::try_from(frame.bytes.len()).unwrap(),
            comment: &frame.comment,
            interface: 0,
        });
        match self.format {
            Format::Pcap => {
                let mut out = PcapWriter::new(Vec::new(), link, 0).unwrap();
                records.for_each(|record| out.write(&record).unwrap());
                out.finish().unwrap()
            }
            Format::PcapNg => {
                let mut out = PcapNg::new(Vec::new()).unwrap();
                records.for_each(|record| out.write(&record).unwrap());
                out.finish().unwrap()
            }
        }
    }
}

fn ip(from: SocketAddr, to: SocketAddr, payload: &[u8]) -> Vec<u8> {
    let builder = match (from.ip(), to.ip()) {
        (IpAddr::V4(a), IpAddr::V4(b)) => PacketBuilder::ipv4(a.octets(), b.octets(), 64),
        (IpAddr::V6(a), IpAddr::V6(b)) => PacketBuilder::ipv6(a.octets(), b.octets(), 64),
        _ => panic!("{from} and {to} are of two families"),
    };
    let mut packet = Vec::new();
    builder.udp(from.port(), to.port()).write(&mut packet, payload).unwrap();
    packet
}

fn tcp(
    from: SocketAddr,
    to: SocketAddr,
    sequence: u32,
    acknowledgment: u32,
    flags: &[Flag],
    payload: &[u8],
) -> Vec<u8> {
    let builder = match (from.ip(), to.ip()) {
        (IpAddr::V4(a), IpAddr::V4(b)) => PacketBuilder::ipv4(a.octets(), b.octets(), 64),
        (IpAddr::V6(a), IpAddr::V6(b)) => PacketBuilder::ipv6(a.octets(), b.octets(), 64),
        _ => panic!("{from} and {to} are of two families"),
    };
    let mut step = builder.tcp(from.port(), to.port(), sequence, 64_240);
    for flag in flags {
        step = match flag {
            Flag::Syn => step.syn(),
            Flag::Ack => step.ack(acknowledgment),
            Flag::Fin => step.fin(),
        };
    }
    let mut packet = Vec::new();
    step.write(&mut packet, payload).unwrap();
    packet
}

pub fn checksum(header: &[u8]) -> u16 {
    let words = header.chunks_exact(2).map(|w| u32::from(u16::from_be_bytes([w[0], w[1]])));
    let sum = words.sum::<u32>();
    let sum = (sum & 0xffff) + (sum >> 16);
    !u16::try_from((sum & 0xffff) + (sum >> 16)).unwrap()
}
