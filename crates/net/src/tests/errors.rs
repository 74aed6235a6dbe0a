//! ICMP errors and what they quote.

use super::*;

/// An ICMP message of the given type and code about `quoted`, from a router.
fn icmp_v4(kind: u8, code: u8, rest: u32, quoted: &[u8]) -> Vec<u8> {
    let body = [&[kind, code, 0, 0], &rest.to_be_bytes()[..], quoted].concat();
    let mut header = ipv4_header(IpNumber::ICMP, body.len());
    (header.source, header.destination) = ([203, 0, 113, 9], CLIENT);
    [&header.to_bytes()[..], &body].concat()
}

fn icmp_v6(kind: u8, code: u8, rest: u32, quoted: &[u8]) -> Vec<u8> {
    let body = [&[kind, code, 0, 0], &rest.to_be_bytes()[..], quoted].concat();
    [&ipv6_header(IpNumber::IPV6_ICMP, body.len()).to_bytes()[..], &body].concat()
}

#[test]
fn an_error_is_about_the_flow_that_it_quotes() {
    let Owned::Error(error) = read_frame(link::RAW, &icmp_v4(3, 3, 0, &udp_v4(WORDS)[..28])) else {
        panic!("no error");
    };
    assert_eq!(error.from, IpAddr::from([203, 0, 113, 9]));
    assert_eq!((error.source, error.destination), ends_v4());
    assert_eq!((error.transport, error.kind), (Transport::Udp, IcmpKind::PortUnreachable));

    let Owned::Error(error) = read_frame(link::RAW, &icmp_v6(1, 4, 0, &udp_v6(WORDS))) else {
        panic!("no error");
    };
    assert_eq!((error.source, error.destination), ends_v6());
    assert_eq!((error.transport, error.kind), (Transport::Udp, IcmpKind::PortUnreachable));
}

#[test]
fn kinds_in_plain_words() {
    for (kind, code, rest, v4, v6) in [
        (1, 0, 0, "", "network unreachable"),
        (1, 1, 0, "", "forbidden by a filter"),
        (1, 3, 0, "", "host unreachable"),
        (2, 0, 1280, "", "packet too big, the next link takes 1280 bytes"),
        (3, 0, 0, "network unreachable", "hop limit exceeded on the way"),
        (3, 1, 0, "host unreachable", "fragments did not arrive in time"),
        (3, 2, 0, "protocol unreachable", "ICMP type 3 code 2"),
        (3, 4, 1400, "packet too big, the next link takes 1400 bytes", "ICMP type 3 code 4"),
        (3, 4, 0, "packet too big", "ICMP type 3 code 4"),
        (3, 13, 0, "forbidden by a filter", "ICMP type 3 code 13"),
        (4, 0, 0, "ICMP type 4 code 0", "a header field was not understood"),
        (11, 0, 0, "hop limit exceeded on the way", "ICMP type 11 code 0"),
        (11, 1, 0, "fragments did not arrive in time", "ICMP type 11 code 1"),
        (12, 0, 0, "a header field was not understood", "ICMP type 12 code 0"),
    ] {
        let words = |packet: &[u8]| match read_frame(link::RAW, packet) {
            Owned::Error(error) => error.kind.to_string(),
            Owned::Other(Other::Icmp { .. }) => String::new(),
            other => panic!("{other:?}"),
        };
        assert_eq!(words(&icmp_v4(kind, code, rest, &udp_v4(WORDS))), v4, "{kind} {code}");
        assert_eq!(words(&icmp_v6(kind, code, rest, &udp_v6(WORDS))), v6, "{kind} {code}");
    }
}

#[test]
fn a_quote_is_never_a_message() {
    // Whatever is quoted, whole or cut: an error about a flow, or nothing.
    let quoted = udp_v4(WORDS);
    for length in 0..=quoted.len() {
        let taken = read_frame(link::RAW, &icmp_v4(3, 3, 0, &quoted[..length]));
        let expected = if length < 24 {
            Owned::Other(Other::Icmp { kind: 3, code: 3 })
        } else {
            let (source, destination) = ends_v4();
            let (from, transport) = (IpAddr::from([203, 0, 113, 9]), Transport::Udp);
            let kind = IcmpKind::PortUnreachable;
            Owned::Error(IcmpError { from, source, destination, transport, kind })
        };
        assert_eq!(taken, expected, "{length}");
    }
}

#[test]
fn a_quoted_fragment_without_ports_is_about_nothing() {
    let mut header = ipv4_header(IpNumber::UDP, 16);
    header.fragment_offset = 10.try_into().unwrap();
    let quoted = [&header.to_bytes()[..], &[0x55; 16]].concat();
    let taken = read_frame(link::RAW, &icmp_v4(11, 1, 0, &quoted));
    assert_eq!(taken, Owned::Other(Other::Icmp { kind: 11, code: 1 }));
}
