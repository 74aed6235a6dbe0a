//! Filters in the language of pcap-filter(7): our own, and the position of an error.

use std::fmt::Write as _;

use super::layout::SLL2;

/// The position of an error in a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterErrorPosition {
    /// In characters, from 1.
    pub column: usize,
    /// The word there; nothing at the end.
    pub at: Option<String>,
}

/// What may follow the beginning of a filter to make it complete.
const ENDINGS: [&str; 13] = [
    "",
    " 1",
    " udp",
    " = 1",
    " 127.0.0.1",
    " port 1",
    " 1-2",
    " host 1:2:3:4:5:6",
    " 1:2:3:4:5:6",
    " proto 1",
    " 255.0.0.0",
    " 1 = 1",
    "[0] = 1",
];
/// The same inside brackets.
const INSIDE: [&str; 3] = ["] = 1", " 1] = 1", "+ 1] = 1"];
/// The index of Linux's loopback device.
const LOOPBACK_INDEX: u32 = 1;

/// ICMP errors (RFC 792: destination unreachable, time exceeded, parameter problem; RFC 4443: all
/// types below 128): they distinguish a dead master from a silent one. No pings, and no neighbour
/// discovery.
const ICMP_ERRORS: &str = "(icmp and (icmp[0] = 3 or icmp[0] = 11 or icmp[0] = 12)) or \
                           (icmp6 and ip6[40] < 128)";

/// All of UDP, TCP on `tcp` ports, and ICMP errors.
pub fn udp_and(tcp: &[u16]) -> String {
    let mut filter = format!("udp or {ICMP_ERRORS}");
    for (low, high) in ranges(tcp) {
        _ = write!(filter, " or tcp {}", port(low, high));
    }
    filter
}

/// UDP and TCP on these ports, UDP fragments (only the first has ports), and ICMP errors.
pub fn ports(udp: &[u16], tcp: &[u16]) -> String {
    let udp = ranges(udp).into_iter().map(|(low, high)| format!("udp {}", port(low, high)));
    let udp: Vec<_> = udp.collect();
    let tcp = ranges(tcp).into_iter().map(|(low, high)| format!("tcp {}", port(low, high)));
    let others = ["(udp and ip[6:2] & 0x1fff != 0)", "(ip6 proto 44 and udp)", ICMP_ERRORS];
    let parts = udp.into_iter().chain(tcp).chain(others.map(str::to_owned));
    parts.collect::<Vec<_>>().join(" or ")
}

fn port(low: u16, high: u16) -> String {
    if low == high { format!("port {low}") } else { format!("portrange {low}-{high}") }
}

/// Ports as ranges, without gaps or duplicates.
fn ranges(ports: &[u16]) -> Vec<(u16, u16)> {
    let mut ports = ports.to_vec();
    ports.sort_unstable();
    let mut ranges: Vec<(u16, u16)> = Vec::new();
    for port in ports {
        match ranges.last_mut() {
            Some((_, high)) if port <= high.saturating_add(1) => *high = port,
            _ => ranges.push((port, port)),
        }
    }
    ranges
}

/// The same filter, extended to packets with one or two VLAN tags (802.1Q, 802.1ad). Each word
/// `vlan` shifts the offsets after it by one tag. If the system removes tags, as Linux does on
/// receive, the filter itself matches both.
pub(super) fn also_tagged(filter: &str) -> String {
    format!("{filter} or (vlan and ({filter} or (vlan and ({filter}))))")
}

/// The filter for the device that captures on all devices.
///
/// Linux captures each packet of its loopback device twice, once outgoing. libpcap drops the
/// duplicates itself, but only after the kernel has counted them, and dropped some: to get counts
/// of packets, the kernel filter drops them.
pub(super) fn on_all_devices(filter: &str, link: u16) -> Option<String> {
    if !cfg!(target_os = "linux") || i32::from(link) != SLL2 {
        return None;
    }
    let once = format!("not (ifindex {LOOPBACK_INDEX} and outbound)");
    Some(if filter.trim().is_empty() { once } else { format!("{once} and ({filter})") })
}

/// The position of the error in a filter that does not compile.
///
/// libpcap gives a reason, but no position. So words are added from the left as long as some
/// continuation makes the whole compile; the first word that prevents this is the error. If there
/// is none, the filter is incomplete, or its beginning is longer than what is tried: then the
/// position is its end.
pub(super) fn error_position(
    filter: &str,
    mut compiles: impl FnMut(&str) -> bool,
) -> FilterErrorPosition {
    let (mut round, mut square) = (0_usize, 0_usize);
    for (start, word) in words(filter) {
        match word {
            "(" => round += 1,
            ")" => round = round.saturating_sub(1),
            "[" => square += 1,
            "]" => square = square.saturating_sub(1),
            _ => {}
        }
        let begins = filter.get(..start + word.len()).unwrap_or(filter);
        let endings = if square > 0 { &INSIDE[..] } else { &ENDINGS[..] };
        let close = ")".repeat(round);
        if !endings.iter().any(|ending| compiles(&format!("{begins}{ending}{close}"))) {
            let before = filter.get(..start).unwrap_or_default();
            return FilterErrorPosition {
                column: before.chars().count() + 1,
                at: Some(word.to_owned()),
            };
        }
    }
    FilterErrorPosition { column: filter.trim_end().chars().count() + 1, at: None }
}

/// The words of a filter and their offsets: names and numbers with their joining characters,
/// operators, brackets.
fn words(filter: &str) -> Vec<(usize, &str)> {
    let in_name = |c: char| c.is_alphanumeric() || "._-/\\:".contains(c);
    let mut words = Vec::new();
    let (mut at, mut in_brackets) = (0, false);
    while let Some(rest) = filter.get(at..) {
        let Some(first) = rest.chars().next() else {
            break;
        };
        // Inside of brackets a colon and a minus stand between two numbers.
        let joins = |c: char| in_name(c) && !(in_brackets && ":-".contains(c));
        let length = if joins(first) {
            rest.find(|c| !joins(c)).unwrap_or(rest.len())
        } else {
            let pairs = ["&&", "||", "!=", "==", "<=", ">=", "<<", ">>"];
            let is_pair = pairs.iter().any(|pair| rest.starts_with(pair));
            if is_pair { 2 } else { first.len_utf8() }
        };
        if !first.is_whitespace() {
            words.push((at, rest.get(..length).unwrap_or(rest)));
        }
        in_brackets = if first == ']' { false } else { in_brackets || first == '[' };
        at += length;
    }
    words
}
