//! IP packets inside IP packets, whole and in fragments, and ICMP errors about them.

use super::*;
use crate::tunnel::MAX_DEPTH;

const NEAR: [u8; 4] = [203, 0, 113, 1];
const FAR: [u8; 4] = [203, 0, 113, 2];
const SIX_IN_IP: u8 = 41;
const GRE: u8 = 47;

/// An IPv4 packet between the endpoints of a tunnel.
fn v4(protocol: u8, body: &[u8]) -> Vec<u8> {
    let mut header = ipv4_header(IpNumber(protocol), body.len());
    (header.source, header.destination) = (NEAR, FAR);
    header.header_checksum = header.calc_header_checksum();
    [&header.to_bytes()[..], body].concat()
}

/// The same over IPv6.
fn v6(protocol: u8, body: &[u8]) -> Vec<u8> {
    [&ipv6_header(IpNumber(protocol), body.len()).to_bytes()[..], body].concat()
}

fn gre(header: &[u8], packet: &[u8]) -> Vec<u8> {
    v4(GRE, &[header, packet].concat())
}

/// Packets in all supported tunnels.
fn tunnels() -> Vec<(&'static str, Vec<u8>)> {
    let (four, six) = (udp_v4(WORDS), udp_v6(WORDS));
    let all = [&[0xb0, 0, 0x08, 0][..], b"\x12\x34\0\0", b"keyk", b"\0\0\0\x07"].concat();
    let bridged = ethernet(0x0800, &four);
    let pptp = b"\x30\x81\x88\x0b\0\x40\0\x01\0\0\0\x01\0\0\0\x02\xff\x03\0\x21";
    vec![
        ("IP-in-IP", v4(4, &four)),
        ("6in4", v4(SIX_IN_IP, &six)),
        ("4in6", v6(4, &four)),
        ("6in6", v6(SIX_IN_IP, &six)),
        ("GRE, IPv4", gre(&[0, 0, 0x08, 0], &four)),
        ("GRE, IPv6", gre(&[0, 0, 0x86, 0xdd], &six)),
        ("GRE over IPv6", v6(GRE, &[&[0, 0, 0x08, 0], &four[..]].concat())),
        ("GRE, key", gre(b"\x20\0\x08\0keyk", &four)),
        ("GRE, checksum, key, sequence", gre(&all, &four)),
        ("GRE, Ethernet", gre(&[0, 0, 0x65, 0x58], &bridged)),
        ("GRE, Ethernet, padded", gre(&[0, 0, 0x65, 0x58], &[&bridged[..], &[0; 9]].concat())),
        ("GRE, PPP", gre(pptp, &four)),
        (
            "GRE, PPP, nothing acknowledged",
            gre(b"\x30\x01\x88\x0b\0\x40\0\x01\0\0\0\x01\x21", &four),
        ),
        ("GRE in IP-in-IP", v4(4, &gre(&[0, 0, 0x08, 0], &four))),
    ]
}

#[test]
fn every_tunnel_leads_to_the_same_words() {
    for (name, packet) in tunnels() {
        let taken = read_frame(link::RAW, &packet);
        assert_eq!(taken.datagram(), (WORDS, 0), "{name}");
        let Owned::Datagram { origin: Origin::InFrame { offset }, .. } = taken else {
            panic!("{name}: {taken:?}");
        };
        assert_eq!(&packet[offset as usize..][..WORDS.len()], WORDS, "{name}");
        let layout = FrameLayout::of_frame(link::RAW, 0, &packet, packet.len() as u32);
        let transport_payload = layout.carrier().unwrap().transport_payload.clone().unwrap();
        assert_eq!(&packet[transport_payload], WORDS, "{name}");
    }
}

#[test]
fn a_cut_tunnel_is_decoded_as_far_as_it_goes() {
    for (name, packet) in tunnels() {
        let whole = packet.windows(WORDS.len()).position(|w| w == WORDS).unwrap();
        for length in 0..whole + WORDS.len() {
            let taken = take_snapped(link::RAW, &packet[..length], packet.len());
            if length < whole {
                assert!(matches!(taken, Owned::Other(Other::Cut(_))), "{name} {length}: {taken:?}");
            } else {
                let expected = (&WORDS[..length - whole], (whole + WORDS.len() - length) as u32);
                assert_eq!(taken.datagram(), expected, "{name} {length}");
            }
        }
    }
}

#[test]
fn nests_are_read_to_a_depth_and_no_further() {
    let mut packet = udp_v4(WORDS);
    for depth in 1..4096 {
        let taken = read_frame(link::RAW, &packet);
        if depth <= MAX_DEPTH {
            assert_eq!(taken.datagram(), (WORDS, 0), "{depth} headers");
        } else {
            let Owned::Other(Other::Unread(_)) = taken else { panic!("{depth}: {taken:?}") };
        }
        let layout = FrameLayout::of_frame(link::RAW, 0, &packet, packet.len() as u32);
        assert_eq!(layout.packets.len(), depth.min(MAX_DEPTH));
        if packet.len() > 60_000 {
            return;
        }
        packet = v4(4, &packet);
    }
}

/// The two fragments of a packet, its payload split at `at` bytes.
fn fragments(packet: &[u8], id: u8, at: usize) -> [Vec<u8>; 2] {
    let (head, body) = packet.split_at(20);
    let part = |from: usize, to: usize| {
        let mut part = [head, &body[from..to]].concat();
        let length = part.len() as u16;
        part[2..4].copy_from_slice(&length.to_be_bytes());
        part[5] = id;
        let more = if to < body.len() { 0x2000 } else { 0 };
        part[6..8].copy_from_slice(&((from / 8) as u16 | more).to_be_bytes());
        part
    };
    [part(0, at), part(at, body.len())]
}

fn feed(stack: &mut Stack, packet: &[u8]) -> Owned {
    Owned::from_packet(stack.read_frame(link::RAW, 0, 0, packet, packet.len() as u32))
}

#[test]
fn fragments_are_put_together_outside_inside_and_both() {
    let header = [0, 0, 0x08, 0];
    let whole = udp_v4(WORDS);
    let joined = Origin::Joined { fragments: 2, overlap: false };
    let check = |packets: &[Vec<u8>]| {
        let mut stack = Stack::default();
        let (last, before) = packets.split_last().unwrap();
        for packet in before {
            assert_eq!(feed(&mut stack, packet), Owned::Held);
        }
        let taken = feed(&mut stack, last);
        assert_eq!(taken.datagram(), (WORDS, 0));
        let Owned::Datagram { origin, .. } = taken else { panic!("{taken:?}") };
        assert_eq!(origin, joined);
        assert_eq!(stack.waiting(), Waiting::default());
    };
    // The tunnel's packet was too long for its path.
    let outside = fragments(&gre(&header, &whole), 1, 24);
    check(&outside);
    // The packet was fragmented before it came to the tunnel.
    let inside = fragments(&whole, 2, 16);
    let tunnelled = inside.each_ref().map(|part| gre(&header, part));
    check(&tunnelled);
    // Both; the outer fragments of one inner fragment may come between those of the other, and
    // possibly only one of the two inner fragments was fragmented again.
    let [a, b] = tunnelled.each_ref().map(|packet| fragments(packet, packet[25], 16));
    check(&[a[0].clone(), a[1].clone(), tunnelled[1].clone()]);
    let [[a1, a2], [mut b1, mut b2]] = [a, b];
    (b1[5], b2[5]) = (77, 77);
    check(&[a1.clone(), b1.clone(), a2.clone(), b2.clone()]);
    check(&[b2, a2, a1, b1]);
}

#[test]
fn fragments_of_the_same_number_in_and_out_of_a_tunnel_are_not_mixed() {
    let [first, last] = fragments(&udp_v4(WORDS), 1, 16);
    let mut stack = Stack::default();
    assert_eq!(feed(&mut stack, &first), Owned::Held);
    assert_eq!(feed(&mut stack, &v4(4, &last)), Owned::Held);
    assert_eq!(stack.waiting().open, 2);
}

#[test]
fn errors_in_tunnels_and_about_tunnels_are_about_the_flow_inside() {
    let about = |taken: Owned| {
        let Owned::Error(error) = taken else { panic!("{taken:?}") };
        assert_eq!((error.source, error.destination), ends_v4());
        assert_eq!(error.kind, IcmpKind::PortUnreachable);
    };
    let icmp = |quoted: &[u8]| v4(1, &[&[3, 3, 0, 0, 0, 0, 0, 0], quoted].concat());
    let lost = udp_v4(WORDS);
    let error = icmp(&lost[..28]);
    about(read_frame(link::RAW, &error));
    about(read_frame(link::RAW, &gre(&[0, 0, 0x08, 0], &error)));
    about(read_frame(link::RAW, &icmp(&gre(&[0, 0, 0x08, 0], &lost))));
    about(read_frame(link::RAW, &v4(4, &icmp(&v4(4, &lost)))));
    // Eight bytes after the header of the tunnel do not reach the ports.
    let cut = icmp(&v4(4, &lost)[..28]);
    assert_eq!(read_frame(link::RAW, &cut), Owned::Other(Other::Icmp { kind: 3, code: 3 }));
    // Quotes in quotes are as deep as the sender likes, and decoded to a limit.
    let mut nest = lost;
    for _ in 0..MAX_DEPTH {
        nest = v4(4, &nest);
    }
    assert_eq!(read_frame(link::RAW, &icmp(&nest)), Owned::Other(Other::Icmp { kind: 3, code: 3 }));
}

#[test]
fn what_is_no_packet_in_a_tunnel_says_so() {
    for (packet, expected) in [
        (gre(&[0, 0, 0x88, 0xb5], &[0; 20]), "not IP (0x88b5)"),
        (gre(&[0, 2, 0x08, 0], &[0; 20]), "GRE of another version than 0 and 1, which is not read"),
        (gre(&[0x40, 0, 0x08, 0], &[0; 20]), "GRE with source routes, which is not read"),
        (gre(&[0xb0, 0, 0x08, 0], &[0; 8]), "cut inside its GRE header"),
        (gre(&[0x30, 1, 0x88, 0x0b], b"\0\0\0\0\0\0\0\0\xc0\x21"), "not IP (0xc021)"),
        (v4(4, &[]), "cut inside its IP header"),
        (v4(4, &[0x50; 20]), "malformed: neither IP version 4 nor 6"),
        (v4(50, &[0; 20]), "IP protocol 50"),
    ] {
        let Owned::Other(other) = read_frame(link::RAW, &packet) else { panic!("not {expected}") };
        assert_eq!(other.to_string(), expected);
    }
}
