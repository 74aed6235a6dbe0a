//! What is a packet of a tunnel in a datagram, what is not, and what has only a name.

use super::*;

/// A packet with a datagram between these ports.
fn between(source: u16, destination: u16, payload: &[u8]) -> Vec<u8> {
    let mut packet = Vec::new();
    let builder = PacketBuilder::ipv4(CLIENT, MASTER, 64).udp(source, destination);
    builder.write(&mut packet, payload).unwrap();
    packet
}

/// Whether the payload of a datagram on a port of nobody is read as a packet.
fn is_tunnel(payload: &[u8]) -> bool {
    match read_frame(link::RAW, &between(40_000, 40_001, payload)) {
        Owned::Datagram { ends, .. } => ends.1.port() != 40_001,
        _ => true,
    }
}

#[test]
fn packets_alone_in_datagrams_are_read_if_all_lengths_agree() {
    let (four, six) = (udp_v4(WORDS), udp_v6(WORDS));
    let gre = |kind: [u8; 2], packet: &[u8]| [&[0, 0], &kind[..], packet].concat();
    for packet in [&four, &six, &gre([0x08, 0], &four), &gre([0x86, 0xdd], &six)] {
        assert!(is_tunnel(packet), "{packet:02x?}");
        // A byte more or less is another length.
        assert!(!is_tunnel(&[packet, &[0][..]].concat()), "{packet:02x?}");
        assert!(!is_tunnel(&packet[..packet.len() - 1]), "{packet:02x?}");
    }
    // The checksum of IPv4, the length of UDP in IPv6, an address that nobody has, another protocol.
    for (packet, at) in [(&four, 10), (&six, 45), (&six, 8), (&six, 24), (&six, 6)] {
        let mut wrong = packet.clone();
        wrong[at] ^= 0x55;
        assert!(!is_tunnel(&wrong), "{at} of {packet:02x?}");
    }
    let other = gre([0x88, 0xb5], &four);
    assert!(!is_tunnel(&other), "{other:02x?}");
}

#[test]
fn a_message_between_ports_of_tunnels_is_no_packet() {
    // Four bytes are a label of MPLS, and `i` has the version of IPv6.
    let mut message =
        b"\xff\xff\xff\xffinfoResponse\n\\challenge\\AxjzewcN2J\\sv_maxclients\\8".to_vec();
    message.resize(120, b'x');
    let frame = between(27_966, 6635, &message);
    for missing in [0, 10] {
        let cut = |bytes: &[u8]| bytes[..bytes.len() - missing].to_vec();
        let taken = take_snapped(link::RAW, &cut(&frame), frame.len());
        let Owned::Datagram { ends, payload, .. } = taken else { panic!("no datagram") };
        assert_eq!((ends.1.port(), payload), (6635, cut(&message)));
    }
}

#[test]
fn a_packet_alone_that_the_capture_has_cut_is_one() {
    let packet = between(40_000, 40_001, &udp_v4(WORDS));
    let taken = take_snapped(link::RAW, &packet[..packet.len() - 5], packet.len());
    assert_eq!(taken.datagram(), (&WORDS[..WORDS.len() - 5], 5));
}

#[test]
fn what_is_not_read_has_a_name() {
    let repeated = |head: &[u8], count: usize| [head, &vec![0x55; count]].concat();
    let cases: &[(u16, &[u8], usize, Option<&str>)] = &[
        (4500, b"\0\0\x12\x34\0\0\0\x01", 60, Some("ESP (IPsec) in UDP")),
        // What keeps a translation alive, and the mark of IKE.
        (4500, b"\xff", 0, None),
        (4500, b"\0\0\0\0", 60, None),
        (5247, b"\x01\0\0\0\x17\xfe\xff", 60, Some("encrypted CAPWAP (DTLS)")),
        (5247, b"\0\x10\x02\x80\0\x07\0\0", 60, Some("CAPWAP in fragments")),
        (5247, b"\0\x10\x02\x08\0\0\0\0", 60, None),
        (51820, b"\x04\0\0\0", 92, Some("WireGuard")),
        (51820, b"\x01\0\0\0", 144, None),
        (1194, b"\x48\0\0\x01", 80, Some("OpenVPN")),
        (1194, b"\x38", 13, None),
        (1701, b"\0\x03\0\0\0\0\0\x05", 60, Some("L2TPv3")),
        (1701, b"\xc8\x03\0\x14", 16, None),
        // A tag of MACsec in VXLAN, and ARP in it.
        (4789, b"\x08\0\0\0\0\0\x2a\0------------\x88\xe5\x2c", 60, Some("encrypted MACsec")),
        (4789, b"\x08\0\0\0\0\0\x2a\0------------\x08\x06", 28, None),
        // The same bytes on a port of nobody.
        (40_001, b"\x04\0\0\0", 92, None),
    ];
    for (port, head, count, name) in cases {
        let payload = repeated(head, *count);
        assert_eq!(unread_tunnel([*port, 40_000], &payload), *name, "{port} {head:02x?}");
        assert_eq!(unread_tunnel([40_000, *port], &payload), *name, "{port} {head:02x?}");
        // It is a datagram like any other.
        let Owned::Datagram { payload: taken, .. } =
            read_frame(link::RAW, &between(40_000, *port, &payload))
        else {
            panic!("{port} {head:02x?}")
        };
        assert_eq!(taken, payload, "{port} {head:02x?}");
    }
}

#[test]
fn every_name_is_one_of_what_is_not_read() {
    for (packet, name) in [
        (ethernet(0x88e5, &[0x2c, 0, 0, 0, 0, 1, 0, 0]), "encrypted MACsec"),
        (
            ethernet(0x8864, b"\x11\0\0\x01\0\x08\0\xfdcoded."),
            "compressed or encrypted PPP (CCP or MPPE)",
        ),
        (ethernet(0x8864, b"\x11\0\0\x01\0\x08\0\x3d\x80\0\0\x01.."), "multilink PPP in parts"),
        (
            ethernet(0x8864, b"\x11\0\0\x01\0\x08\0\x31\0\x02......"),
            "PPP with another link than Ethernet",
        ),
        (ethernet(0x4305, &[0x41, 15, 50, 0]), "B.A.T.M.A.N. in parts or to several hosts"),
        (ethernet(0x4305, &[0x40, 14, 50, 0]), "B.A.T.M.A.N. of another version than 15"),
        (ethernet(0x88bb, &[0; 20]), "LWAPP"),
    ] {
        let Owned::Other(other) = read_frame(link::ETHERNET, &packet) else { panic!("{name}") };
        assert_eq!(other.encapsulation(), Some(name));
        assert_eq!(other.to_string(), format!("{name}, which is not read"));
    }
    // What a mesh says of itself has no packet inside.
    let Owned::Other(other) = read_frame(link::ETHERNET, &ethernet(0x4305, &[0, 15, 50, 0])) else {
        panic!("a packet")
    };
    assert_eq!(other.encapsulation(), None);
}
