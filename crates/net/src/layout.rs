//! Positions of all parts of a frame, for redaction, which rewrites it with other addresses.
//!
//! It finds the positions of what [`Stack`](super::Stack) parses, and lists the bytes that a header
//! needs to stay valid; bytes that are not listed have unknown content.

use std::ops::Range;

use etherparse::IpNumber;

use super::ip::{self, Ip};
use super::nest::{Nest, NestedLink};
use super::tunnel::{self, TunnelPayload};
use super::{link, wireless, without_fcs};

/// The parts of one frame; all ranges count from its first byte and are within the captured bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrameLayout {
    /// The link-layer addresses.
    pub hardware: Vec<Range<usize>>,
    /// Headers without unknown options. They contain the addresses.
    pub headers: Vec<Range<usize>>,
    /// The IP packets from the outside in: tunnels, the packet with the transport header, and those
    /// that an ICMP error quotes.
    pub packets: Vec<PacketAt>,
    /// How many of `packets` are tunnels and not quoted.
    pub tunnels: usize,
}

/// The parts of an IP packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PacketAt {
    /// The addresses of the IP header.
    pub source: Range<usize>,
    /// See `source`.
    pub destination: Range<usize>,
    /// The whole header of an IPv4 packet, which its checksum covers, and the position of that.
    pub header: Option<(Range<usize>, usize)>,
    /// The bytes after the IP headers, padding removed.
    pub payload: Range<usize>,
    /// The position of the checksum of the transport header, of an ICMP message or of GRE.
    pub checksum: Option<usize>,
    /// Whether that checksum covers the addresses too: all do but those of ICMP over IPv4 and GRE.
    pub covers_addresses: bool,
    /// Whether it is optional (zero if missing): UDP's.
    pub may_lack_checksum: bool,
    /// Set if the packet is a fragment.
    pub fragment: Option<FragmentAt>,
    /// The payload of a UDP datagram or a TCP segment; of a fragment that is not the first, all of
    /// it. `None` if unknown.
    pub transport_payload: Option<Range<usize>>,
    /// Sequence number of the first byte of `transport_payload`, in a TCP segment.
    pub sequence: Option<u32>,
}

/// The position of a fragment in its packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FragmentAt {
    /// The identification of the IP header.
    pub id: u32,
    /// The number of the IP protocol, if all fragments have it.
    pub protocol: Option<u8>,
    /// In bytes of the packet after its IP headers.
    pub offset: u32,
}

/// TCP options that hold neither addresses nor keys: MSS, window scale, SACK and timestamps.
const TCP_OPTIONS: [u8; 5] = [2, 3, 4, 5, 8];

/// ICMP types that quote a packet: unreachable, quench, redirect, time exceeded, parameter problem.
const V4_ERRORS: [u8; 5] = [3, 4, REDIRECTION, 11, 12];
const REDIRECTION: u8 = 5;

/// The sender's hardware address in a cooked capture, in both versions.
static COOKED: Range<usize> = 6..14;
static COOKED_2: Range<usize> = 12..20;

impl FrameLayout {
    /// The layout of a frame, with the arguments of [`Stack::read_frame`](super::Stack::read_frame). Parts that
    /// are not understood are not listed.
    pub fn of_frame(link: u16, fcs: u8, bytes: &[u8], wire_length: u32) -> Self {
        let frame = without_fcs(bytes, wire_length, fcs);
        let mut found = Vec::new();
        let packet = link::nested_layer(link, frame, &mut Nest::listing(&mut found));
        let mut layout = Self { hardware: hardware(link, frame), ..Self::default() };
        layout.links(frame, frame.len(), &found);
        match packet {
            Ok(packet) => {
                let at = frame.len() - packet.len();
                layout.headers.push(0..at);
                layout.packet(frame, at, true, 1);
            }
            // Source, destination and EtherType.
            Err(_) if link == link::ETHERNET => layout.headers.push(0..frame.len().min(14)),
            Err(_) => {}
        }
        layout
    }

    /// The packet that has the transport header.
    pub fn carrier(&self) -> Option<&PacketAt> {
        self.packets.get(self.tunnels)
    }

    /// Lists the IP packet that begins at `at`, those inside it, and one that it quotes. `depth` is
    /// the number of nested packets, including this one.
    fn packet(&mut self, frame: &[u8], at: usize, may_quote: bool, depth: usize) {
        let Some(packet) = frame.get(at..) else { return };
        let Ok(ip) = ip::read_header(packet) else { return };
        let six = ip.source.is_ipv6();
        let payload_at = at + ip.payload_at;
        let (source, destination, header) = if six {
            self.headers.push(at..at + 40);
            self.extensions(frame, at, payload_at);
            (at + 8..at + 24, at + 24..at + 40, None)
        } else {
            self.headers.push(at..at + 20);
            // An authentication header may be between the two.
            let length = packet.first().map_or(20, |first| 4 * usize::from(first & 0xf));
            let end = (at + length).min(payload_at);
            if end < payload_at {
                self.headers.push(end..(end + 2).min(payload_at));
            }
            (at + 12..at + 16, at + 16..at + 20, Some((at..end, at + 10)))
        };
        let mut found = PacketAt {
            source,
            destination,
            header,
            payload: payload_at..payload_at + ip.payload.len(),
            checksum: None,
            covers_addresses: true,
            may_lack_checksum: false,
            fragment: ip.fragment.map(|part| FragmentAt {
                id: part.id,
                protocol: (!six).then_some(ip.protocol),
                offset: part.offset,
            }),
            transport_payload: None,
            sequence: None,
        };
        let part = found.fragment;
        let later = part.is_some_and(|part| part.offset > 0);
        let mut found_links = Vec::new();
        let mut nest = Nest::listing(&mut found_links);
        let inside = if later { None } else { tunnel::inside(&ip, &mut nest) };
        if let Some(Ok(_)) = inside {
            self.links(frame, payload_at + ip.payload.len(), &found_links);
        }
        let (mut inner, mut quote) = (None, None);
        match inside {
            _ if later => found.transport_payload = Some(found.payload.clone()),
            Some(inside) => inner = inside.ok().map(|inside| self.tunnel(inside, &mut found)),
            None => quote = self.transport(frame, &ip, &mut found).filter(|_| part.is_none()),
        }
        let frame = frame.get(..found.payload.end).unwrap_or(frame);
        self.packets.push(found);
        if let Some(inner) = inner.filter(|_| depth < tunnel::MAX_DEPTH) {
            self.tunnels += usize::from(may_quote);
            self.packet(frame, inner, may_quote, depth + 1);
        }
        if let Some(quote) = quote.filter(|_| may_quote) {
            self.packet(frame, quote, false, 1);
        }
    }

    /// Lists the bytes between an IP header and the IP packet inside; returns the latter's
    /// position.
    fn tunnel(&mut self, inside: TunnelPayload, found: &mut PacketAt) -> usize {
        let start = found.payload.start;
        let inner = start + inside.packet;
        self.headers.push(start..inner);
        found.checksum = inside.checksum.map(|at| start + at);
        (found.covers_addresses, found.may_lack_checksum) = (inside.is_udp, inside.is_udp);
        inner
    }

    /// Lists the addresses of links, each with the bytes from its beginning to `end`.
    fn links(&mut self, frame: &[u8], end: usize, found: &[(NestedLink, usize)]) {
        for (kind, length) in found {
            let at = end.saturating_sub(*length);
            let link = frame.get(at..end).unwrap_or_default();
            let addresses: Vec<_> = match kind {
                NestedLink::Ethernet => vec![0..6, 6..12],
                NestedLink::Wireless(order) => wireless::addresses(link, *order).collect(),
                NestedLink::Address => vec![Range { start: 0, end: 6 }],
            };
            let moved = addresses.into_iter().map(|range| range.start + at..range.end + at);
            self.hardware.extend(moved.filter(|range| range.end <= end));
        }
    }

    /// Lists the type of the next header and the length of an extension header; all of a fragment
    /// header.
    fn extensions(&mut self, frame: &[u8], at: usize, end: usize) {
        let mut next = frame.get(at + 6).copied();
        let mut at = at + 40;
        while let (Some(kind), Some([following, length])) =
            (next, frame.get(at..).and_then(<[u8]>::first_chunk))
            && at < end
        {
            let (kept, length) = match IpNumber(kind) {
                IpNumber::IPV6_FRAGMENTATION_HEADER => (8, 8),
                IpNumber::AUTHENTICATION_HEADER => (2, 4 * (usize::from(*length) + 2)),
                _ => (2, 8 * (usize::from(*length) + 1)),
            };
            self.headers.push(at..(at + kept).min(end));
            (next, at) = (Some(*following), at + length);
        }
    }

    /// Lists the transport header; returns the position of a quoted packet after it.
    fn transport(&mut self, frame: &[u8], ip: &Ip<'_>, found: &mut PacketAt) -> Option<usize> {
        let Range { start, end } = found.payload;
        let inside = |at: usize| (at + 2 <= end).then_some(at);
        match (IpNumber(ip.protocol), ip.source.is_ipv4()) {
            (IpNumber::UDP, _) => {
                let header = (start + 8).min(end);
                let length = frame.get(start + 4..).and_then(<[u8]>::first_chunk);
                let length = length.map_or(0, |b| usize::from(u16::from_be_bytes(*b)));
                let transport_payload =
                    if length == 0 { end } else { (start + length).clamp(header, end) };
                self.headers.push(start..header);
                (found.checksum, found.may_lack_checksum) = (inside(start + 6), true);
                found.transport_payload = Some(header..transport_payload);
            }
            (IpNumber::TCP, _) => {
                let words = frame.get(start + 12).filter(|_| start + 12 < end);
                let length = words.map_or(20, |b| 4 * usize::from(b >> 4)).max(20);
                let header = (start + length).min(end);
                self.headers.push(start..(start + 20).min(end));
                self.tcp_options(frame, start + 20..header);
                found.checksum = inside(start + 16);
                found.sequence = frame
                    .get(start + 4..end)
                    .and_then(<[u8]>::first_chunk)
                    .map(|b| u32::from_be_bytes(*b));
                found.transport_payload = Some(header..end);
            }
            (IpNumber::ICMP, four @ true) | (IpNumber::IPV6_ICMP, four @ false) => {
                let kind = frame.get(start).copied().filter(|_| start < end);
                // A redirect has a router's address here, others a counter or number.
                let kept = if four && kind == Some(REDIRECTION) { 4 } else { 8 };
                self.headers.push(start..(start + kept).min(end));
                (found.checksum, found.covers_addresses) = (inside(start + 2), !four);
                let is_error = kind
                    .is_some_and(|kind| if four { V4_ERRORS.contains(&kind) } else { kind < 128 });
                return is_error.then_some(start + 8);
            }
            _ => {}
        }
        None
    }

    fn tcp_options(&mut self, frame: &[u8], range: Range<usize>) {
        let mut at = range.start;
        while let Some([kind, rest @ ..]) = frame.get(at..range.end) {
            let length = match (kind, rest.first()) {
                (0 | 1, _) => 1,
                (_, Some(length @ 2..)) => usize::from(*length),
                _ => return,
            };
            let end = (at + length).min(range.end);
            if *kind < 2 || TCP_OPTIONS.contains(kind) {
                self.headers.push(at..end);
            }
            at = end;
        }
    }
}

fn hardware(link: u16, frame: &[u8]) -> Vec<Range<usize>> {
    let ranges: Vec<Range<usize>> = match link {
        // Eight bytes for the address, and its length; the unused ones may hold anything.
        link::LINUX_SLL => vec![COOKED.clone()],
        link::LINUX_SLL2 => vec![COOKED_2.clone()],
        _ => Vec::new(),
    };
    ranges.into_iter().filter(|range| range.end <= frame.len()).collect()
}
