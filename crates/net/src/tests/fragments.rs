//! Fragments in every order, twice, overlapping, interleaved, cut, and never complete.

use etherparse::Ipv6FragmentHeader;
use proptest::prelude::*;

use super::*;

const SECOND: i64 = 1_000_000_000;

/// The part of a packet that one fragment carries.
#[derive(Debug, Clone, Copy)]
struct Part {
    from: usize,
    to: usize,
    last: bool,
}

/// Parts of `size` bytes (a multiple of eight) of a packet of `length` bytes.
fn parts(length: usize, size: usize) -> Vec<Part> {
    let part = |from| Part { from, to: length.min(from + size), last: from + size >= length };
    (0..length).step_by(size).map(part).collect()
}

/// An IPv4 fragment with `transport[part]`.
fn v4(id: u16, transport: &[u8], part: Part) -> Vec<u8> {
    let mut header = ipv4_header(IpNumber::UDP, part.to - part.from);
    header.identification = id;
    header.more_fragments = !part.last;
    header.fragment_offset = (part.from as u16 / 8).try_into().unwrap();
    [&header.to_bytes()[..], &transport[part.from..part.to]].concat()
}

/// An IPv6 fragment with `transport[part]`.
fn v6(id: u16, transport: &[u8], part: Part) -> Vec<u8> {
    let offset = (part.from as u16 / 8).try_into().unwrap();
    let next = IpNumber::UDP;
    let fragment = Ipv6FragmentHeader::new(next, offset, !part.last, u32::from(id));
    let header = ipv6_header(IpNumber::IPV6_FRAGMENTATION_HEADER, 8 + part.to - part.from);
    let headers = [&header.to_bytes()[..], &fragment.to_bytes()].concat();
    [&headers, &transport[part.from..part.to]].concat()
}

type Fragment = fn(u16, &[u8], Part) -> Vec<u8>;

const VERSIONS: [Fragment; 2] = [v4, v6];

fn take_at(stack: &mut Stack, time: i64, packet: &[u8]) -> Owned {
    Owned::from_packet(stack.read_frame(link::RAW, 0, time, packet, packet.len() as u32))
}

fn words(length: usize) -> Vec<u8> {
    WORDS.iter().copied().cycle().take(length).collect()
}

fn joined(fragments: u16, overlap: bool) -> Origin {
    Origin::Joined { fragments, overlap }
}

fn origin(taken: &Owned) -> Origin {
    let Owned::Datagram { origin, .. } = taken else { panic!("{taken:?}") };
    *origin
}

#[test]
fn the_last_of_three_makes_the_datagram() {
    for version in VERSIONS {
        let (payload, mut stack) = (words(40), Stack::default());
        let transport = udp(&payload);
        let fragments = parts(transport.len(), 16).into_iter().map(|p| version(1, &transport, p));
        let mut taken: Vec<Owned> = fragments.map(|f| take_at(&mut stack, 0, &f)).collect();
        let last = taken.pop().unwrap();
        assert_eq!(taken, [Owned::Held, Owned::Held]);
        assert_eq!(last.datagram(), (&payload[..], 0));
        assert_eq!(origin(&last), joined(3, false));
        assert_eq!(stack.waiting(), Waiting::default());
    }
}

#[test]
fn a_first_fragment_alone_never_becomes_a_message() {
    for version in VERSIONS {
        let (payload, mut stack) = (words(40), Stack::default());
        let transport = udp(&payload);
        let first = version(1, &transport, parts(48, 24)[0]);
        assert_eq!(take_at(&mut stack, 0, &first), Owned::Held);
        assert_eq!(take_at(&mut stack, 31 * SECOND, &udp_v4(WORDS)).datagram(), (WORDS, 0));
        assert_eq!(stack.waiting(), Waiting { open: 1, ..Waiting::default() });
        // The next fragment of any packet checks the timeouts.
        take_at(&mut stack, 31 * SECOND, &version(2, &transport, parts(48, 24)[0]));
        assert_eq!(stack.waiting(), Waiting { open: 1, timed_out: 1, evicted: 0 });
    }
}

#[test]
fn too_late_is_too_late() {
    for (wait, in_time) in [(30 * SECOND, true), (30 * SECOND + 1, false)] {
        let (payload, mut stack) = (words(40), Stack::default());
        let transport = udp(&payload);
        let parts = parts(48, 24);
        take_at(&mut stack, 0, &v4(1, &transport, parts[0]));
        let taken = take_at(&mut stack, wait, &v4(1, &transport, parts[1]));
        assert_eq!(taken != Owned::Held, in_time);
    }
}

#[test]
fn the_bytes_that_came_first_win() {
    let payload = words(40);
    let transport = udp(&payload);
    let mut other = transport.clone();
    other[8..].fill(b'!');
    let part = |from, to| Part { from, to, last: to == 48 };
    let mut stack = Stack::default();
    take_at(&mut stack, 0, &v4(1, &transport, part(16, 32)));
    take_at(&mut stack, 0, &v4(1, &other, part(8, 40)));
    take_at(&mut stack, 0, &v4(1, &transport, part(0, 16)));
    let taken = take_at(&mut stack, 0, &v4(1, &transport, part(40, 48)));
    let mut expected = payload.clone();
    expected[0..8].fill(b'!');
    expected[24..32].fill(b'!');
    assert_eq!(taken.datagram(), (&expected[..], 0));
    assert_eq!(origin(&taken), joined(4, true));
}

#[test]
fn a_second_end_is_an_overlap() {
    let transport = udp(&words(40));
    let mut stack = Stack::default();
    let part = |from, to, last| Part { from, to, last };
    take_at(&mut stack, 0, &v4(1, &transport, part(24, 48, true)));
    take_at(&mut stack, 0, &v4(1, &transport, part(24, 40, true)));
    let taken = take_at(&mut stack, 0, &v4(1, &transport, part(0, 24, false)));
    assert_eq!(origin(&taken), joined(3, true));
    assert_eq!(taken.datagram().0.len(), 40);
}

#[test]
fn an_exact_repetition_is_none() {
    let payload = words(40);
    let transport = udp(&payload);
    let mut stack = Stack::default();
    for part in [0, 0, 1, 0, 1].map(|index| parts(48, 16)[index]) {
        assert_eq!(take_at(&mut stack, 0, &v4(1, &transport, part)), Owned::Held);
    }
    let taken = take_at(&mut stack, 0, &v4(1, &transport, parts(48, 16)[2]));
    assert_eq!((taken.datagram(), origin(&taken)), ((&payload[..], 0), joined(3, false)));
}

#[test]
fn a_cut_fragment_cuts_the_datagram() {
    let payload = words(40);
    let transport = udp(&payload);
    for (cut, left) in [(0, 2), (1, 18), (2, 34)] {
        let mut stack = Stack::default();
        let mut last = Owned::Held;
        for (index, part) in parts(48, 16).into_iter().enumerate() {
            let packet = v4(1, &transport, part);
            let captured = packet.len() - if index == cut { 6 } else { 0 };
            let wire = packet.len() as u32;
            last = Owned::from_packet(stack.read_frame(link::RAW, 0, 0, &packet[..captured], wire));
        }
        assert_eq!(last.datagram(), (&payload[..left], 40 - left as u32), "cut {cut}");
    }
}

#[test]
fn options_behind_the_fragment_header_are_read_when_all_is_there() {
    let payload = words(40);
    // Destination options, then UDP: the fragment header names the options.
    let body = [&[17, 0, 1, 4, 0, 0, 0, 0], &udp(&payload)[..]].concat();
    let mut stack = Stack::default();
    let mut last = Owned::Held;
    for part in parts(body.len(), 24) {
        let mut packet = v6(9, &body, part);
        packet[40] = 60;
        last = take_at(&mut stack, 0, &packet);
    }
    assert_eq!(last.datagram(), (&payload[..], 0));
}

#[test]
fn the_table_is_bounded() {
    let transport = udp(&words(1400));
    let mut stack = Stack::default();
    for id in 0..5_000 {
        let first = parts(transport.len(), 1400)[0];
        assert_eq!(take_at(&mut stack, 0, &v4(id, &transport, first)), Owned::Held);
    }
    let waiting = stack.waiting();
    assert!(waiting.open <= 512, "{waiting:?}");
    assert_eq!(waiting.open + waiting.evicted, 5_000);

    // Large ones are limited by their bytes.
    let transport = vec![7; 60_000];
    let mut stack = Stack::default();
    for id in 0..400 {
        let first = Part { from: 0, to: 60_000, last: false };
        take_at(&mut stack, 0, &v4(id, &transport, first));
    }
    let waiting = stack.waiting();
    assert!(waiting.open < 150 && waiting.open > 100, "{waiting:?}");
}

#[test]
fn nothing_lies_behind_the_longest_packet() {
    let part = Part { from: 65_528, to: 65_536, last: true };
    let taken = take_at(&mut Stack::default(), 0, &v4(1, &vec![0; 65_536], part));
    assert!(matches!(taken, Owned::Other(Other::Malformed(_))), "{taken:?}");
}

proptest! {
    #![proptest_config(seeded(256))]

    /// Several datagrams at a time, in any order, some fragments twice: each comes out once, whole.
    #[test]
    fn every_order_gives_every_datagram(
        lengths in prop::collection::vec(1_usize..200, 1..5),
        size in 1_usize..6,
        version in 0_usize..2,
        seed in prop::collection::vec(any::<u32>(), 200),
    ) {
        let version = VERSIONS[version];
        let mut packets = Vec::new();
        for (id, length) in lengths.iter().enumerate() {
            let transport = udp(&words(*length));
            for part in parts(transport.len(), size * 8) {
                let packet = version(id as u16, &transport, part);
                packets.push((id, packet));
            }
        }
        let mut order: Vec<usize> = (0..packets.len()).collect();
        order.sort_by_key(|index| seed[index % seed.len()]);
        let mut stack = Stack::default();
        let mut counts = vec![0; lengths.len()];
        for (step, index) in order.into_iter().enumerate() {
            let (id, packet) = &packets[index];
            // Repeat it at once, unless it was the last that its datagram needed.
            let mut taken = take_at(&mut stack, 0, packet);
            if taken == Owned::Held && seed[step % seed.len()] % 3 == 0 {
                taken = take_at(&mut stack, 0, packet);
            }
            match taken {
                Owned::Held => {}
                whole => {
                    prop_assert_eq!(whole.datagram(), (&words(lengths[*id])[..], 0));
                    if let Origin::Joined { overlap, .. } = origin(&whole) {
                        prop_assert!(!overlap);
                    }
                    counts[*id] += 1;
                }
            }
        }
        prop_assert_eq!(counts, vec![1; lengths.len()]);
        prop_assert_eq!(stack.waiting(), Waiting::default());
    }

    /// Overlapping parts of the same packet, in any order: its bytes, whatever the parts.
    #[test]
    fn overlaps_of_the_same_bytes_change_nothing(
        length in 9_usize..200,
        cuts in prop::collection::vec((0_usize..25, 1_usize..25), 0..12),
    ) {
        let transport = udp(&words(length));
        let end = transport.len();
        let mut stack = Stack::default();
        let random = cuts.into_iter().filter_map(|(from, blocks)| {
            let to = (from + blocks) * 8;
            (to < end).then_some(Part { from: from * 8, to, last: false })
        });
        let mut datagrams = 0;
        for part in random.chain(parts(end, 64)) {
            if let whole @ Owned::Datagram { .. } = take_at(&mut stack, 0, &v4(1, &transport, part)) {
                prop_assert_eq!(whole.datagram(), (&words(length)[..], 0));
                datagrams += 1;
            }
        }
        if end <= 64 {
            // A single part is no fragment.
            prop_assert!(datagrams >= 1);
        } else {
            prop_assert_eq!(datagrams, 1);
        }
    }
}
