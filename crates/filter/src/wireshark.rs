//! Names of Wireshark's display filters: what they are called here.

/// Names with the same meaning.
const SAME: [(&str, &str); 12] = [
    ("_ws.col.info", "summary"),
    ("_ws.col.protocol", "protocol"),
    ("data", "payload"),
    ("data.data", "payload"),
    ("frame", "payload"),
    ("frame.file_name", "file"),
    ("ipv6.addr", "ip.addr"),
    ("ipv6.dst", "ip.dst"),
    ("ipv6.src", "ip.src"),
    ("tcp.payload", "payload"),
    ("udp.payload", "payload"),
    ("frame.time_epoch", "frame.time"),
];

/// Names of something that is not here, or not in the same units: the nearest name, and the
/// difference.
const OTHER: [(&str, Option<&str>, &str); 17] = [
    ("data.len", Some("length"), "length counts the bytes of the payload"),
    ("frame.cap_len", Some("length"), "length counts the bytes of the payload, without headers"),
    ("frame.len", Some("length"), "length counts the bytes of the payload, without headers"),
    ("frame.time_delta", Some("exchange.latency"), "times between frames have no name"),
    ("icmp", None, "an ICMP error is no message; flows count them"),
    ("icmpv6", None, "an ICMP error is no message; flows count them"),
    ("ip", Some("ip.addr"), "every message comes over IP"),
    ("ip.id", None, "headers of IP have no names"),
    ("ip.len", Some("length"), "length counts the bytes of the payload"),
    ("ip.proto", Some("transport"), "transport is \"udp\" or \"tcp\""),
    ("ip.ttl", None, "headers of IP have no names"),
    ("ipv6", Some("ip.addr"), "addresses of both families are compared by ip.addr"),
    ("tcp.len", Some("length"), "length counts the bytes of the payload"),
    ("tcp.stream", Some("flow"), "flows are numbered from 1"),
    ("udp.length", Some("length"), "length counts the bytes of the payload, without headers"),
    ("udp.stream", Some("flow"), "flows are numbered from 1"),
    ("vlan.id", None, "headers of the link have no names"),
];

/// The name here for one of Wireshark's.
pub(super) fn same(name: &str) -> Option<&'static str> {
    let found = SAME.iter().find(|(theirs, _)| theirs.eq_ignore_ascii_case(name))?;
    Some(found.1)
}

/// The nearest name for one of Wireshark's that means something else, and the difference.
pub(super) fn other(name: &str) -> Option<(Option<&'static str>, &'static str)> {
    let found = OTHER.iter().find(|(theirs, ..)| theirs.eq_ignore_ascii_case(name))?;
    Some((found.1, found.2))
}
