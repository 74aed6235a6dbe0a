//! Link types, lengths and cuts.

use super::*;

/// A header for every way to reach an IP packet, and the packet's version.
fn ways_to_ip() -> Vec<(&'static str, u16, Vec<u8>, u8)> {
    let vlan = |stack: &[u16], last: u16| {
        let mut header = vec![2; 12];
        for tag in stack {
            header.extend_from_slice(&tag.to_be_bytes());
            header.extend_from_slice(&[0, 5]);
        }
        header.extend_from_slice(&last.to_be_bytes());
        header
    };
    let pppoe = |protocol: &[u8]| [&[0x11, 0, 0, 7, 0, 0], protocol].concat();
    let sll = |last: u16| [&[0; 14], &last.to_be_bytes()[..]].concat();
    let sll2 = |first: u16| [&first.to_be_bytes()[..], &[0; 18]].concat();
    vec![
        ("ethernet", link::ETHERNET, vlan(&[], 0x0800), 4),
        ("ethernet", link::ETHERNET, vlan(&[], 0x86dd), 6),
        ("802.1Q", link::ETHERNET, vlan(&[0x8100], 0x0800), 4),
        ("802.1Q", link::ETHERNET, vlan(&[0x8100], 0x86dd), 6),
        ("802.1ad", link::ETHERNET, vlan(&[0x88a8, 0x8100], 0x0800), 4),
        ("QinQ before the standard", link::ETHERNET, vlan(&[0x9100, 0x8100], 0x86dd), 6),
        ("five tags", link::ETHERNET, vlan(&[0x9100, 0x88a8, 0x8100, 0x8100, 0x8100], 0x0800), 4),
        ("null, little", link::NULL, vec![2, 0, 0, 0], 4),
        ("null, big", link::NULL, vec![0, 0, 0, 2], 4),
        ("null, Linux", link::NULL, vec![10, 0, 0, 0], 6),
        ("null, OpenBSD", link::NULL, vec![24, 0, 0, 0], 6),
        ("null, FreeBSD", link::NULL, vec![0, 0, 0, 28], 6),
        ("null, Darwin", link::NULL, vec![30, 0, 0, 0], 6),
        ("loop", link::LOOP, vec![0, 0, 0, 2], 4),
        ("loop", link::LOOP, vec![0, 0, 0, 24], 6),
        ("raw", link::RAW, vec![], 4),
        ("raw", link::RAW, vec![], 6),
        ("raw 12", link::RAW_12, vec![], 4),
        ("raw 14", link::RAW_14, vec![], 6),
        ("ipv4", link::IPV4, vec![], 4),
        ("ipv6", link::IPV6, vec![], 6),
        ("sll", link::LINUX_SLL, sll(0x0800), 4),
        ("sll", link::LINUX_SLL, sll(0x86dd), 6),
        ("sll2", link::LINUX_SLL2, sll2(0x0800), 4),
        ("sll2", link::LINUX_SLL2, sll2(0x86dd), 6),
        ("PPPoE", link::ETHERNET, [&vlan(&[], 0x8864)[..], &pppoe(&[0, 0x21])].concat(), 4),
        ("PPPoE", link::ETHERNET, [&vlan(&[], 0x8864)[..], &pppoe(&[0, 0x57])].concat(), 6),
        ("PPPoE, short", link::ETHERNET, [&vlan(&[], 0x8864)[..], &pppoe(&[0x21])].concat(), 4),
        (
            "PPPoE in 802.1Q",
            link::ETHERNET,
            [&vlan(&[0x8100], 0x8864)[..], &pppoe(&[0, 0x21])].concat(),
            4,
        ),
        ("PPPoE, cooked", link::LINUX_SLL, [&sll(0x8864)[..], &pppoe(&[0, 0x21])].concat(), 4),
        ("PPPoE alone", link::PPP_ETHER, pppoe(&[0, 0x57]), 6),
        ("PPP", link::PPP, vec![0, 0x21], 4),
        ("PPP", link::PPP, vec![0, 0x57], 6),
        ("PPP, short", link::PPP, vec![0x21], 4),
        ("PPP, address and control", link::PPP, vec![0xff, 3, 0, 0x21], 4),
        ("PPP, address and control, short", link::PPP, vec![0xff, 3, 0x57], 6),
        ("PPP, serial", link::PPP_SERIAL, vec![0xff, 3, 0, 0x21], 4),
        ("Cisco's HDLC", link::PPP_SERIAL, vec![0x0f, 0, 0x08, 0], 4),
        ("Cisco's HDLC, to all", link::PPP_SERIAL, vec![0x8f, 0, 0x86, 0xdd], 6),
    ]
}

#[test]
fn every_link_type_leads_to_the_same_words() {
    for (name, link, header, version) in ways_to_ip() {
        let packet = if version == 4 { udp_v4(WORDS) } else { udp_v6(WORDS) };
        let frame = [&header[..], &packet].concat();
        let taken = read_frame(link, &frame);
        assert_eq!(taken.datagram(), (WORDS, 0), "{name} {version}");
        let Owned::Datagram { ends, origin: Origin::InFrame { offset }, .. } = taken else {
            panic!("{name} {version}: {taken:?}");
        };
        assert_eq!(ends, if version == 4 { ends_v4() } else { ends_v6() }, "{name} {version}");
        assert_eq!(&frame[offset as usize..], WORDS, "{name} {version}");
    }
}

#[test]
fn known_links_are_the_ones_that_are_read() {
    for link in 0..=u16::MAX {
        let known = link::KNOWN.iter().any(|(number, _)| *number == link);
        let unknown = read_frame(link, &[]) == Owned::Other(Other::UnknownLink(link));
        assert_eq!(known, !unknown, "{link}");
    }
}

#[test]
fn padding_and_check_sequences_are_no_payload() {
    let short = b"\xff\xff\xff\xffx";
    for (ether_type, packet) in [(0x0800, udp_v4(short)), (0x86dd, udp_v6(short))] {
        let mut frame = ethernet(ether_type, &packet);
        frame.resize(80, 0xaa);
        assert_eq!(read_frame(link::ETHERNET, &frame).datagram(), (&short[..], 0));
    }

    // Without a length in the IP header, only the capture's declaration excludes it.
    let mut packet = udp_v4(WORDS);
    packet[2..4].fill(0);
    packet[24..26].fill(0);
    packet.extend_from_slice(b"FCS!");
    let mut stack = Stack::default();
    let wire = packet.len() as u32;
    let mut with =
        |fcs, bytes: &[u8]| Owned::from_packet(stack.read_frame(link::RAW, fcs, 0, bytes, wire));
    assert_eq!(with(0, &packet).datagram().0, [WORDS, b"FCS!"].concat());
    assert_eq!(with(4, &packet).datagram().0, WORDS);
    // The snap length removed two bytes of the sequence; the other two are still not payload.
    assert_eq!(with(4, &packet[..packet.len() - 2]).datagram().0, WORDS);
    assert_eq!(with(4, &packet[..packet.len() - 6]).datagram().0, &WORDS[..WORDS.len() - 2]);
}

#[test]
fn udp_length_rules() {
    let length = |length: u16, trailer: &[u8]| {
        let mut transport = udp(WORDS);
        transport[4..6].copy_from_slice(&length.to_be_bytes());
        transport.extend_from_slice(trailer);
        let header = ipv4_header(IpNumber::UDP, transport.len());
        read_frame(link::RAW, &[&header.to_bytes()[..], &transport].concat())
    };
    let whole = 8 + WORDS.len() as u16;
    assert_eq!(length(whole, b"more").datagram(), (WORDS, 0));
    assert_eq!(length(whole - 3, b"").datagram(), (&WORDS[..WORDS.len() - 3], 0));
    assert_eq!(length(whole + 5, b"").datagram(), (WORDS, 5));
    assert_eq!(length(8, b"").datagram(), (&b""[..], 0));
    assert_eq!(length(0, b"").datagram(), (WORDS, 0));
    for too_short in 1..8 {
        let taken = length(too_short, b"");
        assert!(matches!(taken, Owned::Other(Other::Malformed(_))), "{too_short}: {taken:?}");
    }
}

#[test]
fn a_cut_frame_is_decoded_as_far_as_it_goes() {
    for (ether_type, packet) in [(0x0800, udp_v4(WORDS)), (0x86dd, udp_v6(WORDS))] {
        let frame = ethernet(ether_type, &packet);
        let headers = frame.len() - WORDS.len();
        for length in 0..=frame.len() {
            let taken = take_snapped(link::ETHERNET, &frame[..length], frame.len());
            if length < headers {
                assert!(matches!(taken, Owned::Other(Other::Cut(_))), "{length}: {taken:?}");
            } else {
                let missing = (frame.len() - length) as u32;
                assert_eq!(taken.datagram(), (&frame[headers..length], missing), "{length}");
            }
        }
    }
}

#[test]
fn extension_headers_are_passed() {
    // Hop-by-hop, destination options and routing, each of eight bytes and padded.
    let chain: &[(u8, u8)] = &[(0, 60), (60, 43), (43, 17)];
    for count in 0..=chain.len() {
        let chain = &chain[chain.len() - count..];
        let mut body = Vec::new();
        for (_, next) in chain {
            body.extend_from_slice(&[*next, 0, 1, 4, 0, 0, 0, 0]);
        }
        body.extend_from_slice(&udp(WORDS));
        let first = chain.first().map_or(17, |(kind, _)| *kind);
        let header = ipv6_header(IpNumber(first), body.len());
        let packet = [&header.to_bytes()[..], &body].concat();
        assert_eq!(read_frame(link::IPV6, &packet).datagram(), (WORDS, 0), "{count} headers");
    }
}

#[test]
fn segments_carry_what_a_stream_needs() {
    let mut frame = Vec::new();
    PacketBuilder::ethernet2([2; 6], [4; 6])
        .ipv4(CLIENT, MASTER, 64)
        .tcp(27960, 27950, 0xffff_fff0, 1024)
        .ack(77)
        .fin()
        .options(&[const { etherparse::TcpOptionElement::Noop }; 4])
        .unwrap()
        .write(&mut frame, b"POST /")
        .unwrap();
    let mut stack = Stack::default();
    let wire = frame.len() as u32;
    let Packet::Segment(segment) = stack.read_frame(link::ETHERNET, 0, 0, &frame, wire) else {
        panic!("no segment");
    };
    assert_eq!((segment.source, segment.destination), ends_v4());
    assert_eq!((segment.sequence, segment.acknowledgment), (0xffff_fff0, 77));
    assert_eq!(segment.flags, Flags { ack: true, fin: true, ..Flags::default() });
    assert_eq!((segment.payload, segment.missing), (&b"POST /"[..], 0));
    assert_eq!(segment.origin, Origin::InFrame { offset: 14 + 20 + 24 });

    let cut = take_snapped(link::ETHERNET, &frame[..frame.len() - 2], frame.len());
    let Owned::Segment { payload, missing, .. } = cut else { panic!("{cut:?}") };
    assert_eq!((&payload[..], missing), (&b"POST"[..], 2));
}

#[test]
fn everything_else_says_what_it_is() {
    let ip = |protocol, body: &[u8]| {
        [&ipv4_header(IpNumber(protocol), body.len()).to_bytes()[..], body].concat()
    };
    let mut lying = udp_v4(WORDS);
    lying[0] = 0x41;
    for (link, frame, expected) in [
        (link::ETHERNET, ethernet(0x0806, &[0; 28]), "ARP"),
        (link::ETHERNET, ethernet(0x88cc, &[0; 28]), "not IP (0x88cc)"),
        (link::ETHERNET, ethernet(0x0026, &[0; 38]), "not IP (0x0026)"),
        (link::ETHERNET, ethernet(0x8100, &[0; 3]), "cut inside its VLAN header"),
        (link::NULL, vec![7, 0, 0, 0, 0], "not IP (0x0007)"),
        (link::ETHERNET, ethernet(0x8863, &[0x11, 9, 0, 0, 0, 0]), "not IP (0x8863)"),
        (link::ETHERNET, ethernet(0x8864, &[0x11, 0, 0, 0]), "cut inside its PPPoE header"),
        (
            link::ETHERNET,
            ethernet(0x8864, &[0x21; 8]),
            "PPPoE of another version or type than 1, which is not read",
        ),
        (link::PPP_ETHER, vec![0x11, 9, 0, 0, 0, 0], "not IP (0x8863)"),
        (link::PPP, vec![0xc0, 0x21, 1, 1], "not IP (0xc021)"),
        (link::PPP, vec![0xff, 3], "cut inside its PPP header"),
        (link::PPP, vec![0xff, 3, 0], "cut inside its PPP header"),
        (link::PPP_SERIAL, vec![0x0f, 0, 0x80, 0x35], "not IP (0x8035)"),
        (link::RAW, ip(2, &[0; 8]), "IP protocol 2"),
        (link::RAW, ip(1, &[8, 0, 0, 0, 0, 1, 0, 1]), "ICMP type 8 code 0"),
        (link::RAW, ip(58, &[128, 0, 0, 0, 0, 1, 0, 1]), "IP protocol 58"),
        (link::RAW, ip(17, &[0; 7]), "cut inside its UDP header"),
        (link::RAW, vec![0x50; 40], "malformed: neither IP version 4 nor 6"),
        (link::RAW, lying, "malformed: the IPv4 header length is too small"),
        (link::RAW, ip(6, &[0; 20]), "malformed: the TCP data offset is too small"),
        (147, vec![0; 60], "link type 147 is not read"),
        (189, vec![0; 60], "link type 189 (USB_LINUX) is not read"),
    ] {
        let Owned::Other(other) = read_frame(link, &frame) else { panic!("not {expected}") };
        assert_eq!(other.to_string(), expected);
    }
}

#[test]
fn a_link_type_is_read_or_named_not_both() {
    for (number, name) in link::KNOWN {
        assert_eq!(unread_link(*number), number.to_string(), "{name}");
    }
}
