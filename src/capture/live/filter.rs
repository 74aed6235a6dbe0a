//! Filters in the words of pcap-filter(7): which we write ourselves, and where one is wrong.

use std::fmt::Write as _;

use super::layout::SLL2;

/// Where a filter is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterErrorPosition {
    /// In characters, from 1.
    pub column: usize,
    /// The word that stands there; nothing at the end.
    pub at: Option<String>,
}

/// What may follow the beginning of a filter to make a whole of it.
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
/// The same inside of brackets.
const INSIDE: [&str; 3] = ["] = 1", " 1] = 1", "+ 1] = 1"];
/// The number that Linux gives its loopback device.
const LOOPBACK_INDEX: u32 = 1;

/// ICMP errors (RFC 792: destination unreachable, time exceeded, parameter problem; RFC 4443: all
/// types below 128): by them a dead master is told from one that is silent. No pings, and no
/// neighbours.
const ICMP_ERRORS: &str = "(icmp and (icmp[0] = 3 or icmp[0] = 11 or icmp[0] = 12)) or \
                           (icmp6 and ip6[40] < 128)";

/// Takes all of UDP, TCP on `tcp` ports, and ICMP errors.
pub fn udp_and(tcp: &[u16]) -> String {
    let mut filter = format!("udp or {ICMP_ERRORS}");
    for (low, high) in ranges(tcp) {
        _ = write!(filter, " or tcp {}", port(low, high));
    }
    filter
}

/// Takes UDP and TCP on these ports, UDP fragments, which have no ports behind the first, and ICMP
/// errors.
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

/// Ports as ranges, without gaps or doubles.
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

/// The same filter, but of what has one VLAN tag or two (802.1Q, 802.1ad) too. Each word `vlan`
/// moves what stands behind it one tag further. Where the system takes tags off, as Linux does with
/// what comes in, the filter itself takes both.
pub(super) fn also_tagged(filter: &str) -> String {
    format!("{filter} or (vlan and ({filter} or (vlan and ({filter}))))")
}

/// What is set for a filter on the device that is all of them.
///
/// Linux shows each packet of its loopback device twice, once on its way out. libpcap leaves these
/// out itself, but only after the kernel has counted them, and dropped some: so that the counts are
/// of packets, the kernel is told to leave them out.
pub(super) fn on_all_devices(filter: &str, link: u16) -> Option<String> {
    if !cfg!(target_os = "linux") || i32::from(link) != SLL2 {
        return None;
    }
    let once = format!("not (ifindex {LOOPBACK_INDEX} and outbound)");
    Some(if filter.trim().is_empty() { once } else { format!("{once} and ({filter})") })
}

/// Where a filter is wrong that does not compile.
///
/// libpcap says what is wrong, but not where. So words are taken from the left as long as something
/// can follow that makes the whole compile; the word that ends this is where it is wrong. Where no
/// word does, the filter is not finished, or the beginning of it is more than is tried: its end is
/// told.
pub(super) fn place(filter: &str, mut compiles: impl FnMut(&str) -> bool) -> FilterErrorPosition {
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

/// The words of a filter and where they begin: names and numbers with what joins them, operators,
/// brackets.
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
