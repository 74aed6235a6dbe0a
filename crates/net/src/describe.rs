//! The headers in front of a payload as named values, for people: link layer, tags, IP, tunnels, UDP.
//!
//! Sources: IEEE 802.3 and 802.1Q, the registry of link types, RFC 791 and RFC 2474 (IPv4), RFC 8200
//! (IPv6), RFC 768 (UDP), RFC 1071 (checksums).

use std::net::IpAddr;
use std::ops::Range;

use etherparse::{EtherType, IpNumber, Ipv4HeaderSlice, Ipv6HeaderSlice, UdpHeaderSlice};

use super::icmp::IcmpKind;
use super::layout::FrameLayout;
use super::link;

/// The name of what an ICMP error quotes of a payload.
pub const QUOTED_PAYLOAD: &str = "quoted payload";

/// A header, or a field in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribedHeader {
    /// Whether it is a field of the header before it.
    pub is_field: bool,
    /// The name of the header in its document, or that of the field.
    pub name: &'static str,
    /// The value of a field; of a header what matters most in it.
    pub value: String,
    /// What is wrong with it.
    pub note: Option<&'static str>,
    /// Its bytes, from the first of the frame on.
    pub bytes: Range<usize>,
}

/// Describes `headers`, the bytes of a frame of this link type (LINKTYPE) in front of a UDP datagram's
/// payload, or a whole frame with an ICMP error. Every byte is in exactly one header; headers that
/// have no fields here are given as a whole.
/// `payload` is needed to verify the checksum of UDP; `None` where it was not captured whole.
pub fn describe(link: u16, headers: &[u8], payload: Option<&[u8]>) -> Vec<DescribedHeader> {
    let mut frame = headers.to_vec();
    frame.extend_from_slice(payload.unwrap_or_default());
    let layout = FrameLayout::of_frame(link, 0, &frame, frame.len() as u32);
    let mut lines = HeaderDescription { headers, at: 0, all: Vec::new() };
    for (depth, packet) in layout.packets.iter().enumerate() {
        let is_six = packet.header.is_none();
        let begin = packet.source.start - if is_six { 8 } else { 12 };
        if depth == 0 {
            lines.link(link, begin);
        }
        // Between two packets is what a tunnel adds; behind an ICMP header is the packet that failed.
        lines.rest("tunnel", begin);
        let ends = if is_six { lines.v6() } else { lines.v4() };
        lines.rest("extension headers", packet.payload.start);
        let Some((source, destination, protocol)) = ends else { continue };
        let is_last = depth == layout.tunnels;
        match protocol {
            IpNumber::ICMP | IpNumber::IPV6_ICMP => lines.icmp(source.is_ipv6()),
            IpNumber::UDP => lines.udp([source, destination], payload.filter(|_| is_last)),
            _ if is_last => lines.udp([source, destination], payload),
            _ => {}
        }
    }
    if layout.packets.is_empty() {
        lines.link(link, headers.len());
    }
    // Of the packet that failed, an ICMP error quotes the beginning.
    let is_quoted = layout.packets.len() > layout.tunnels + 1;
    lines.rest(if is_quoted { QUOTED_PAYLOAD } else { "other bytes" }, headers.len());
    lines.all
}

/// What matters most in each header, in one line: `Ethernet, VLAN 5, IPv4 TTL 64, UDP checksum correct`.
pub fn headers_in_short(lines: &[DescribedHeader]) -> String {
    let headers = lines.iter().filter(|line| !line.is_field);
    let short = headers.map(|line| match (line.name, line.value.as_str()) {
        (name, "") | (name @ "Ethernet", _) => name.to_owned(),
        (name, value) => format!("{name} {value}"),
    });
    short.collect::<Vec<_>>().join(", ")
}

struct HeaderDescription<'a> {
    headers: &'a [u8],
    /// The first byte that is in no header yet.
    at: usize,
    all: Vec<DescribedHeader>,
}

impl<'a> HeaderDescription<'a> {
    fn left(&self) -> &'a [u8] {
        self.headers.get(self.at..).unwrap_or_default()
    }

    /// A header of so many bytes, with its fields: name, offset and length in the header, value.
    fn header(
        &mut self,
        (name, length, value): (&'static str, usize, String),
        fields: impl IntoIterator<Item = (&'static str, Range<usize>, String)>,
    ) {
        let start = self.at;
        let line = |is_field, name, value, bytes| DescribedHeader {
            is_field,
            name,
            value,
            note: None,
            bytes,
        };
        self.all.push(line(false, name, value, start..start + length));
        let fields = fields.into_iter().map(|(name, bytes, value)| {
            line(true, name, value, start + bytes.start..start + bytes.end)
        });
        self.all.extend(fields);
        self.at += length;
    }

    /// What is left in front of `end`, as a header without fields.
    fn rest(&mut self, name: &'static str, end: usize) {
        let end = end.min(self.headers.len());
        if end > self.at {
            let length = end - self.at;
            self.header((name, length, format!("{length} bytes")), []);
        }
    }

    /// The link layer, whose IP packet begins at `end`.
    fn link(&mut self, link: u16, end: usize) {
        let bytes = self.left();
        match (link, bytes) {
            (link::ETHERNET, [_, _, _, _, _, _, _, _, _, _, _, _, high, low, ..]) => {
                self.ethernet(bytes, [*high, *low], end);
            }
            (link::LINUX_SLL, [_, kind, _, hardware, _, length, ..]) if bytes.len() >= 16 => {
                let address = bytes.get(6..14).unwrap_or_default();
                let address = address.get(..usize::from(*length)).unwrap_or(address);
                let protocol = [bytes.get(14), bytes.get(15)].map(|b| b.copied().unwrap_or(0));
                self.header(
                    ("Linux cooked capture", 16, packet_type(*kind).to_owned()),
                    [
                        ("packet type", 0..2, format!("{kind} ({})", packet_type(*kind))),
                        ("hardware type", 2..4, hardware.to_string()),
                        ("address length", 4..6, length.to_string()),
                        ("source", 6..14, colons(address)),
                        ("protocol", 14..16, ether_type(protocol)),
                    ],
                );
                self.tags(protocol, end);
            }
            (link::LINUX_SLL2, [high, low, _, _, index @ ..]) if bytes.len() >= 20 => {
                let protocol = [*high, *low];
                let number = index.first_chunk().map_or(0, |b| u32::from_be_bytes(*b));
                let [_, _, _, _, _, hardware, kind, length, address @ ..] = index else { return };
                let address = address.get(..8).unwrap_or_default();
                let address = address.get(..usize::from(*length)).unwrap_or(address);
                self.header(
                    ("Linux cooked capture 2", 20, packet_type(*kind).to_owned()),
                    [
                        ("protocol", 0..2, ether_type(protocol)),
                        ("interface", 4..8, number.to_string()),
                        ("hardware type", 8..10, hardware.to_string()),
                        ("packet type", 10..11, format!("{kind} ({})", packet_type(*kind))),
                        ("address length", 11..12, length.to_string()),
                        ("source", 12..20, colons(address)),
                    ],
                );
                self.tags(protocol, end);
            }
            (link::NULL | link::LOOP, [a, b, c, d, ..]) => {
                let family = format!("{a:02x} {b:02x} {c:02x} {d:02x}");
                self.header(("loopback", 4, String::new()), [("address family", 0..4, family)]);
            }
            _ => {}
        }
        let name = link::KNOWN.iter().find(|(known, _)| *known == link).map(|(_, name)| *name);
        self.rest(name.unwrap_or("link"), end);
    }

    fn ethernet(&mut self, bytes: &[u8], kind: [u8; 2], end: usize) {
        let [to, from] = [0..6, 6..12].map(|at| colons(bytes.get(at).unwrap_or_default()));
        self.header(
            ("Ethernet", 14, format!("{from} → {to}")),
            [
                ("destination", 0..6, to),
                ("source", 6..12, from),
                ("EtherType", 12..14, ether_type(kind)),
            ],
        );
        self.tags(kind, end);
    }

    /// VLAN tags behind this EtherType.
    fn tags(&mut self, mut kind: [u8; 2], end: usize) {
        while link::is_vlan(u16::from_be_bytes(kind))
            && self.at + 4 <= end
            && let [a, b, high, low, ..] = self.left()
        {
            let control = u16::from_be_bytes([*a, *b]);
            let (priority, id) = (control >> 13, control & 0x0fff);
            kind = [*high, *low];
            self.header(
                ("VLAN", 4, id.to_string()),
                [
                    ("priority and id", 0..2, format!("priority {priority}, id {id}")),
                    ("EtherType", 2..4, ether_type(kind)),
                ],
            );
        }
    }

    /// An IPv4 header with its options: source, destination and protocol.
    fn v4(&mut self) -> Option<(IpAddr, IpAddr, IpNumber)> {
        let header = Ipv4HeaderSlice::from_slice(self.left()).ok()?;
        let (at, length) = (self.all.len(), header.slice().len());
        let (hops, id) = (header.ttl(), header.identification());
        let (source, destination) = (header.source_addr(), header.destination_addr());
        let [_, service, ..] = header.slice() else { return None };
        let flags = match (header.dont_fragment(), header.more_fragments()) {
            (true, true) => "don't fragment, more fragments",
            (true, false) => "don't fragment",
            (false, true) => "more fragments",
            (false, false) => "none",
        };
        let offset = header.fragments_offset().byte_offset();
        let sum = header.header_checksum();
        let is_right = header.to_header().calc_header_checksum() == sum;
        let mut fields = vec![
            ("version and length", 0..1, format!("version 4, {length} bytes")),
            ("service", 1..2, format!("0x{service:02x}")),
            ("total length", 2..4, header.total_len().to_string()),
            ("id", 4..6, format!("0x{id:04x} ({id})")),
            ("flags, offset", 6..8, format!("{flags}, offset {offset}")),
            ("TTL", 8..9, hops.to_string()),
            ("protocol", 9..10, protocol(header.protocol())),
            ("checksum", 10..12, checksum(sum, Some(is_right))),
            ("source", 12..16, source.to_string()),
            ("destination", 16..20, destination.to_string()),
        ];
        if length > 20 {
            fields.push(("options", 20..length, format!("{} bytes", length - 20)));
        }
        let protocol = header.protocol();
        self.header(("IPv4", length, format!("TTL {hops} id 0x{id:04x}")), fields);
        if !is_right {
            self.note(
                at,
                "checksum",
                "a checksum of zero or a wrong one is usual on the sending machine",
            );
        }
        Some((source.into(), destination.into(), protocol))
    }

    /// The same for IPv6, without its extension headers.
    fn v6(&mut self) -> Option<(IpAddr, IpAddr, IpNumber)> {
        let header = Ipv6HeaderSlice::from_slice(self.left()).ok()?;
        let (source, destination) = (header.source_addr(), header.destination_addr());
        let (hops, next) = (header.hop_limit(), header.next_header());
        let class = format!(
            "version 6, class 0x{:02x}, flow label 0x{:05x}",
            header.traffic_class(),
            header.flow_label().value()
        );
        let fields = [
            ("version, class, label", 0..4, class),
            ("payload length", 4..6, header.payload_length().to_string()),
            ("next header", 6..7, protocol(next)),
            ("hop limit", 7..8, hops.to_string()),
            ("source", 8..24, source.to_string()),
            ("destination", 24..40, destination.to_string()),
        ];
        self.header(("IPv6", 40, format!("hop limit {hops}")), fields);
        Some((source.into(), destination.into(), next))
    }

    /// An ICMP header, with the kind of error if it is one.
    fn icmp(&mut self, is_six: bool) {
        let Some(([kind, code, high, low, rest @ ..], _)) = self.left().split_first_chunk::<8>()
        else {
            return;
        };
        let word = u32::from_be_bytes(*rest);
        let what = if is_six {
            IcmpKind::of_v6(*kind, *code, word)
        } else {
            IcmpKind::of_v4(*kind, *code, word)
        };
        let what = what.map_or_else(|| "no error".to_owned(), |what| what.to_string());
        let name = if is_six { "ICMPv6" } else { "ICMP" };
        let sum = u16::from_be_bytes([*high, *low]);
        let fields = [
            ("type", 0..1, kind.to_string()),
            ("code", 1..2, code.to_string()),
            ("checksum", 2..4, format!("0x{sum:04x} (not verified)")),
            ("rest", 4..8, format!("0x{word:08x}")),
        ];
        self.header((name, 8, what), fields);
    }

    fn udp(&mut self, [source, destination]: [IpAddr; 2], payload: Option<&[u8]>) {
        let Ok(header) = UdpHeaderSlice::from_slice(self.left()) else { return };
        let (from, to) = (header.source_port(), header.destination_port());
        let (length, sum) = (header.length(), header.checksum());
        let right = payload.filter(|p| p.len() + 8 == usize::from(length)).and_then(|payload| {
            let header = header.to_header();
            let right = match (source, destination) {
                (IpAddr::V4(from), IpAddr::V4(to)) => {
                    header.calc_checksum_ipv4_raw(from.octets(), to.octets(), payload)
                }
                (IpAddr::V6(from), IpAddr::V6(to)) => {
                    header.calc_checksum_ipv6_raw(from.octets(), to.octets(), payload)
                }
                _ => return None,
            };
            right.ok()
        });
        let at = self.all.len();
        let is_right = if sum == 0 { None } else { right.map(|right| right == sum) };
        let verdict = match is_right {
            _ if sum == 0 => "without checksum",
            None => "checksum not verified",
            Some(true) => "checksum correct",
            Some(false) => "checksum wrong",
        };
        self.header(
            ("UDP", 8, verdict.to_owned()),
            [
                ("source port", 0..2, from.to_string()),
                ("destination port", 2..4, to.to_string()),
                ("length", 4..6, format!("{length} ({} of payload)", length.saturating_sub(8))),
                ("checksum", 6..8, checksum(sum, is_right)),
            ],
        );
        if is_right == Some(false) {
            self.note(
                at,
                "checksum",
                "usual on the sending machine, whose network card fills it in",
            );
        }
    }

    /// Adds a note to a field of the header with this index.
    fn note(&mut self, header: usize, field: &str, note: &'static str) {
        let mut fields = self.all.iter_mut().skip(header);
        if let Some(field) = fields.find(|line| line.name == field) {
            field.note = Some(note);
        }
    }
}

fn checksum(sum: u16, is_right: Option<bool>) -> String {
    let verdict = match is_right {
        _ if sum == 0 => "none",
        None => "not verified",
        Some(true) => "correct",
        Some(false) => "wrong",
    };
    format!("0x{sum:04x} ({verdict})")
}

fn colons(address: &[u8]) -> String {
    address.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(":")
}

fn ether_type(kind: [u8; 2]) -> String {
    let kind = EtherType(u16::from_be_bytes(kind));
    let name = match kind {
        EtherType::IPV4 => " (IPv4)",
        EtherType::IPV6 => " (IPv6)",
        kind if link::is_vlan(kind.0) => " (VLAN)",
        _ => "",
    };
    format!("0x{:04x}{name}", kind.0)
}

fn protocol(number: IpNumber) -> String {
    let name = match number {
        IpNumber::UDP => " (UDP)",
        IpNumber::TCP => " (TCP)",
        IpNumber::ICMP => " (ICMP)",
        IpNumber::GRE => " (GRE)",
        IpNumber::IPV4 => " (IPv4)",
        IpNumber::IPV6 => " (IPv6)",
        _ => "",
    };
    format!("{}{name}", number.0)
}

/// What the kernel says of a packet in a cooked capture.
fn packet_type(kind: u8) -> &'static str {
    match kind {
        0 => "to this host",
        1 => "broadcast",
        2 => "multicast",
        3 => "to another host",
        4 => "sent by this host",
        _ => "unknown direction",
    }
}
