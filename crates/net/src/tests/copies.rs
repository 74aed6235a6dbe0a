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

/// The other direction of a packet.
fn answer(mut packet: Vec<u8>) -> Vec<u8> {
    let (addresses, ports) = match packet[0] >> 4 {
        4 => (12..20, 20..24),
        _ => (8..40, 40..44),
    };
    for ends in [addresses, ports] {
        let half = ends.len() / 2;
        packet[ends].rotate_left(half);
    }
    packet
}

#[test]
fn a_packet_with_a_number_is_known_again() {
    let one = numbered(7, 64, WORDS);
    let mut other_checksum = one.clone();
    other_checksum[26] ^= 1;
    let others = [numbered(6, 64, b"other")];
    for (what, second, apart, is_copy) in [
        ("the same", one.clone(), 0, true),
        ("behind a router", numbered(7, 63, WORDS), 900 * MICROSECOND, true),
        ("its checksum filled in", other_checksum, 900 * MICROSECOND, true),
        ("captured before it was sent", one.clone(), -MICROSECOND, true),
        ("the same a second later", one.clone(), SECOND, false),
        ("another number", numbered(8, 64, WORDS), 0, false),
        ("other content", numbered(7, 64, b"third"), 0, false),
    ] {
        let before = others.iter().map(|packet| (-9 * MICROSECOND, packet.clone()));
        let packets: Vec<_> = before.chain([(0, one.clone()), (apart, second)]).collect();
        assert_eq!(copies(&packets), [false, false, is_copy], "{what}");
    }
    // Before anything else is known of the sender, it has to come at once.
    let apart = |apart| copies(&[(0, one.clone()), (apart, one.clone())])[1];
    assert_eq!([10, 400, 600].map(|n| apart(n * MICROSECOND)), [true, true, false]);
}

#[test]
fn a_flood_of_one_packet_is_no_copy_of_it() {
    let flood: Vec<_> = (0..8).map(|n| (n * 1000 * MICROSECOND, numbered(7, 64, WORDS))).collect();
    assert_eq!(copies(&flood), [false; 8]);
    // If it is so fast that it may be a copy, that is found out.
    let flood: Vec<_> = (0..8).map(|n| (n * MICROSECOND, numbered(7, 64, WORDS))).collect();
    assert_eq!(copies(&flood), [false, true, true, true, false, false, false, false]);
}

#[test]
fn what_was_answered_in_between_was_sent_again() {
    for packet in [udp_v4 as fn(&[u8]) -> Vec<u8>, udp_v6, |text| numbered(7, 64, text)] {
        let (asks, answers) = (packet(b"status"), answer(packet(b"here")));
        let pair = |n: i64| {
            let time = n * 300 * MICROSECOND;
            [(time, asks.clone()), (time + 100 * MICROSECOND, answers.clone())]
        };
        let pairs: Vec<_> = (0..50).flat_map(pair).collect();
        assert_eq!(copies(&pairs), [false; 100]);
        // Many at once, and all answers behind them.
        let burst = |packet: &[u8], from: i64| {
            (0..50).map(|n| ((from + n * 600) * MICROSECOND, packet.to_vec())).collect::<Vec<_>>()
        };
        let bursts = [burst(&asks, 0), burst(&answers, 40_000)].concat();
        assert_eq!(copies(&bursts), [false; 100]);
    }
    // A host that counts sends no number twice.
    let (asks, answers) = (numbered(7, 64, b"status"), answer(numbered(9, 64, b"here")));
    let first = (0, numbered(6, 64, b"other"));
    let both = [(MICROSECOND, asks), (9 * MICROSECOND, answers)];
    let late = both.clone().map(|(time, packet)| (time + 50 * MICROSECOND, packet));
    let all = [vec![first], both.to_vec(), late[..1].to_vec()].concat();
    assert_eq!(copies(&all), [false, false, false, true]);
}

#[test]
fn what_has_no_number_is_a_copy_where_everything_is_doubled() {
    for packet in [udp_v4 as fn(&[u8]) -> Vec<u8>, udp_v6] {
        let back = |text: &[u8]| answer(packet(text));
        let twice = |time, packet: Vec<u8>| {
            [0, 10 * MICROSECOND].map(|behind| (time + behind, packet.clone()))
        };
        // Once, it may have been sent twice, and in one direction too.
        let doubled = [
            twice(0, packet(b"a")),
            twice(2 * SECOND, back(b"b")),
            twice(4 * SECOND, packet(b"c")),
        ];
        assert_eq!(copies(&doubled.concat()), [false, false, false, false, false, true]);
        let one_way = [0, 2, 4].map(|n| twice(n * SECOND, packet(&n.to_be_bytes())));
        assert_eq!(copies(&one_way.concat()), [false; 6]);
        // A program sends it twice, and each is captured twice.
        let again = twice(4 * SECOND + 900 * MICROSECOND, packet(b"c")).to_vec();
        assert_eq!(copies(&[doubled.concat(), again].concat())[4..], [false, true, false, true]);
        // Most packets occur once.
        let once: Vec<_> = (5..8).map(|n| (n * SECOND, packet(&n.to_be_bytes()))).collect();
        let mixed = [doubled.concat(), once, twice(9 * SECOND, packet(b"d")).to_vec()].concat();
        assert_eq!(copies(&mixed)[9..], [false, false]);
        // It is doubled, but much later.
        let late = [twice(0, packet(b"a")), twice(2 * SECOND, back(b"b"))].concat();
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
