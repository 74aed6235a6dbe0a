//! Streams in random pieces: permuted, repeated, overlapping, lost, with random numbers.

use proptest::prelude::*;

use super::*;

proptest! {
    #![proptest_config(seeded(512))]

    /// Any pieces that cover a stream, in any order and any number: its bytes.
    #[test]
    fn every_order_gives_the_stream(
        length in 1_usize..300,
        first in prop_oneof![Just(u32::MAX - 100), Just(0), any::<u32>()],
        random in prop::collection::vec((0_usize..300, 1_usize..60), 0..20),
        size in 1_usize..50,
        order in prop::collection::vec(any::<u32>(), 1..60),
    ) {
        let stream: Vec<u8> = (0..length).map(|n| (n * 7 % 251) as u8).collect();
        let whole = (0..length).step_by(size).map(|at| (at, size));
        let mut parts: Vec<_> = random.into_iter().filter(|(at, _)| *at < length).chain(whole).collect();
        let mut keys = order.iter().cycle();
        parts.sort_by_cached_key(|_| *keys.next().unwrap());
        let mut received = ReceivedEvents::default();
        received.add_segment(&segment(Client, "S", first.wrapping_sub(1), 0, b""));
        for (at, len) in parts {
            let payload = &stream[at..length.min(at + len)];
            received.add_segment(&segment(Client, "A", first.wrapping_add(at as u32), 0, payload));
        }
        received.add_segment(&segment(Client, "FA", first.wrapping_add(length as u32), 0, b""));
        let text: String = stream.iter().map(|b| char::from(*b)).collect();
        prop_assert_eq!(received.parts_of(1, true), [bytes(&text), FINISHED]);
        prop_assert_eq!(received.streams.open().1, 0);
    }

    /// Any pieces, some lost: bytes and gaps add up, and every byte is the stream's own.
    #[test]
    fn what_is_lost_is_a_gap_of_its_length(
        first in prop_oneof![Just(u32::MAX - 100), any::<u32>()],
        parts in prop::collection::vec((0_usize..300, 1_usize..60, 0_u32..4), 0..30),
        finish in any::<bool>(),
    ) {
        let stream: Vec<u8> = (0..300_usize).map(|n| (n % 256) as u8).collect();
        let mut received = ReceivedEvents::default();
        received.add_segment(&segment(Client, "S", first.wrapping_sub(1), 0, b""));
        let mut seen = [false; 300];
        for (at, len, acked) in &parts {
            let end = 300.min(at + len);
            seen[*at..end].fill(true);
            received.add_segment(&segment(Client, "A", first.wrapping_add(*at as u32), 0, &stream[*at..end]));
            if *acked == 0 {
                // The receiver never acknowledges what is still to come here.
                let known = seen.iter().position(|s| !s).unwrap_or(300) as u32;
                received.add_segment(&segment(Master, "A", 0, first.wrapping_add(known), b""));
            }
        }
        received.add_segment(&segment(Client, "FA", first.wrapping_add(300), 0, b""));
        if finish {
            received.finish();
        } else {
            received.add_segment(&segment(Master, "A", 0, first.wrapping_add(301), b""));
        }
        let mut at = 0;
        for part in received.parts_of(1, true) {
            match part {
                StreamPart::Bytes(text) => for c in text.chars() {
                    prop_assert!(seen[at]);
                    prop_assert_eq!(c, char::from(stream[at]));
                    at += 1;
                },
                StreamPart::Gap(count) => {
                    prop_assert!(seen[at..at + count as usize].iter().all(|s| !s));
                    at += count as usize;
                }
                StreamPart::End(_) => prop_assert_eq!(at, 300),
            }
        }
        prop_assert_eq!(at, 300);
        prop_assert_eq!(received.streams.open().1, 0);
    }

    /// Segments of any kind and number: never a panic, and the limits hold.
    #[test]
    fn anything_goes(
        segments in prop::collection::vec(
            (any::<bool>(), 0_u8..16, any::<u32>(), any::<u32>(), 0_usize..40, 0_u32..3), 0..60),
        near in any::<bool>(),
    ) {
        let payload = [b'x'; 40];
        let mut received = ReceivedEvents::default();
        for (client, flags, mut sequence, mut ack, len, missing) in segments {
            if near {
                sequence = (sequence % 200).wrapping_sub(100);
                ack = (ack % 200).wrapping_sub(100);
            }
            let letters: String =
                "SAFR".chars().enumerate().filter(|(n, _)| flags >> n & 1 == 1).map(|(_, c)| c).collect();
            let by = if client { Client } else { Master };
            let s = segment(by, &letters, sequence, ack, &payload[..len]);
            received.add_segment(&Segment { missing, ..s });
            prop_assert!(received.streams.open().0 <= 1);
        }
        received.finish();
        // Each direction of each connection ends once, and last.
        for connection in 1..=100 {
            for forward in [false, true] {
                let part = received.parts_of(connection, forward);
                let ends = part.iter().filter(|s| matches!(s, StreamPart::End(_))).count();
                prop_assert!(ends == usize::from(!part.is_empty()));
                prop_assert!(part.last().is_none_or(|s| matches!(s, StreamPart::End(_))));
            }
        }
    }
}
