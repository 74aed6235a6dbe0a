//! Packets that were captured more than once, and packets that only look like that.

use super::*;

/// In nanoseconds.
const MICROSECOND: i64 = 1_000;
const SECOND: i64 = 1_000_000_000;

/// A datagram over IPv4 with an identification and a hop limit.
fn numbered(id: u16, hops: u8, payload: &[u8]) -> Vec<u8> {
    let mut packet = udp_v4(payload);
    packet[4..6].copy_from_slice(&id.to_be_bytes());
    packet[8] = hops;
    packet
}

/// Which of these packets, each with its time, are copies.
fn copies(packets: &[(i64, Vec<u8>)]) -> Vec<bool> {
    let mut stack = Stack::without_copies();
    let take = |(time, packet): &(i64, Vec<u8>)| {
        stack.read_frame(link::RAW, 0, *time, packet, packet.len() as u32) == Packet::Copy
    };
    let copies: Vec<_> = packets.iter().map(take).collect();
    assert_eq!(stack.copies(), copies.iter().filter(|is_copy| **is_copy).count() as u64);
    copies
}

#[test]
fn a_packet_with_a_number_is_known_again() {
    let one = numbered(7, 64, WORDS);
    let mut other_checksum = one.clone();
    other_checksum[26] ^= 1;
    for (what, second, apart, is_copy) in [
        ("the same", one.clone(), 0, true),
        ("behind a router", numbered(7, 63, WORDS), 900 * MICROSECOND, true),
        ("its checksum filled in", other_checksum, 900 * MICROSECOND, true),
        ("captured before it was sent", one.clone(), -MICROSECOND, true),
        ("the same a second later", one.clone(), SECOND, false),
        ("another number", numbered(8, 64, WORDS), 0, false),
        ("other content", numbered(7, 64, b"other"), 0, false),
    ] {
        assert_eq!(copies(&[(0, one.clone()), (apart, second)]), [false, is_copy], "{what}");
    }
}

#[test]
fn a_flood_of_one_packet_is_no_copy_of_it() {
    let flood: Vec<_> = (0..8).map(|n| (n * MICROSECOND, numbered(7, 64, WORDS))).collect();
    assert_eq!(copies(&flood), [false, true, true, true, false, true, true, true]);
}

#[test]
fn what_has_no_number_is_a_copy_where_everything_is_doubled() {
    for packet in [udp_v4 as fn(&[u8]) -> Vec<u8>, udp_v6] {
        let twice =
            |time, text: &[u8]| [0, 10 * MICROSECOND].map(|behind| (time + behind, packet(text)));
        // Once, it may have been sent twice.
        let doubled = [twice(0, b"a"), twice(2 * SECOND, b"b"), twice(4 * SECOND, b"c")].concat();
        assert_eq!(copies(&doubled), [false, false, false, false, false, true]);
        // A program sends it twice, and each is captured twice.
        let again =
            [doubled.clone(), twice(4 * SECOND + 900 * MICROSECOND, b"c").to_vec()].concat();
        assert_eq!(copies(&again)[4..], [false, true, false, true]);
        // Most packets occur once.
        let once: Vec<_> = (5..8).map(|n| (n * SECOND, packet(&n.to_be_bytes()))).collect();
        let mixed = [doubled, once, twice(9 * SECOND, b"d").to_vec()].concat();
        assert_eq!(copies(&mixed)[9..], [false, false]);
        // It is doubled, but much later.
        let late = [twice(0, b"a"), twice(2 * SECOND, b"b")].concat();
        let late = [late, vec![(SECOND * 4, packet(b"c")), (SECOND * 5, packet(b"c"))]].concat();
        assert_eq!(copies(&late)[4..], [false, false]);
    }
    // On both sides of a router.
    assert_eq!(copies(&[(0, numbered(0, 64, WORDS)), (9, numbered(0, 63, WORDS))]), [false, true]);
}

#[test]
fn fragments_and_what_is_in_tunnels_have_copies_too() {
    let inner = numbered(7, 64, WORDS);
    let tunnel = [ipv4_header(IpNumber::IPV4, inner.len()).to_bytes().to_vec(), inner.clone()];
    assert_eq!(copies(&[(0, inner), (MICROSECOND, tunnel.concat())]), [false, true]);

    let whole = udp(&[7; 40]);
    let (first, last) = whole.split_at(24);
    let fragment = |offset: u16, more: bool, bytes: &[u8]| {
        let mut header = ipv4_header(IpNumber::UDP, bytes.len());
        (header.identification, header.more_fragments) = (7, more);
        header.fragment_offset = offset.try_into().unwrap();
        [&header.to_bytes()[..], bytes].concat()
    };
    let [first, last] = [fragment(0, true, first), fragment(3, false, last)];
    let mut stack = Stack::without_copies();
    let mut take = |packet: &[u8]| {
        Owned::from_packet(stack.read_frame(link::RAW, 0, 0, packet, packet.len() as u32))
    };
    assert_eq!([take(&first), take(&first)], [Owned::Held, Owned::Copy]);
    assert_eq!(take(&last).datagram(), (&[7; 40][..], 0));
    assert_eq!(take(&last), Owned::Copy);
    assert_eq!(stack.waiting().open, 0);
}

#[test]
fn a_stack_without_detection_reports_no_copies() {
    let mut stack = Stack::default();
    for _ in 0..3 {
        let packet = numbered(7, 64, WORDS);
        let packet = stack.read_frame(link::RAW, 0, 0, &packet, packet.len() as u32);
        assert!(matches!(packet, Packet::Datagram(_)));
    }
    assert_eq!(stack.copies(), 0);
}
