//! No bytes make a stack panic, and what it returns lies inside the frame.

use proptest::prelude::*;

use super::*;

/// Well-formed frames of many kinds, to be damaged.
fn specimens() -> Vec<(u16, Vec<u8>)> {
    let mut quoted = ipv4_header(IpNumber::ICMP, 8 + 20 + 8).to_bytes().to_vec();
    quoted.extend_from_slice(&[3, 3, 0, 0, 0, 0, 0, 0]);
    quoted.extend_from_slice(&udp_v4(WORDS)[..28]);
    let mut fragment = ipv4_header(IpNumber::UDP, 32);
    fragment.more_fragments = true;
    let fragment = [&fragment.to_bytes()[..], &udp(WORDS)[..32]].concat();
    let mut extended = ipv6_header(IpNumber(0), 8 + 8 + 16).to_bytes().to_vec();
    extended.extend_from_slice(&[44, 0, 1, 4, 0, 0, 0, 0]);
    extended.extend_from_slice(&[17, 0, 0, 1, 0, 0, 0, 1]);
    extended.extend_from_slice(&udp(WORDS)[..16]);
    vec![
        (link::ETHERNET, ethernet(0x0800, &udp_v4(WORDS))),
        (link::ETHERNET, ethernet(0x86dd, &udp_v6(WORDS))),
        (link::ETHERNET, ethernet(0x8100, &[&[0, 1, 8, 0], &udp_v4(WORDS)[..]].concat())),
        (link::NULL, [&[2, 0, 0, 0], &udp_v4(WORDS)[..]].concat()),
        (link::RAW, quoted),
        (link::RAW, fragment),
        (link::RAW, extended),
    ]
}

fn links() -> Vec<u16> {
    link::KNOWN.iter().map(|(number, _)| *number).chain([147]).collect()
}

/// Decodes a frame and checks the result against it.
fn check(stack: &mut Stack, link: u16, fcs: u8, time: i64, bytes: &[u8]) {
    let layout = layout(link, fcs, bytes);
    let (payload, origin) = match stack.read_frame(link, fcs, time, bytes, bytes.len() as u32) {
        Packet::Datagram(datagram) => (datagram.payload, datagram.origin),
        Packet::Segment(segment) => (segment.payload, segment.origin),
        Packet::Error(_) | Packet::Held | Packet::Copy | Packet::Other(_) => return,
    };
    if let Origin::InFrame { offset } = origin {
        let offset = offset as usize;
        assert_eq!(bytes.get(offset..offset + payload.len()), Some(payload));
        assert_eq!(
            layout.carrier().unwrap().transport_payload,
            Some(offset..offset + payload.len())
        );
    }
}

/// The layout of a frame, whose ranges are all within it.
fn layout(link: u16, fcs: u8, bytes: &[u8]) -> FrameLayout {
    let layout = FrameLayout::of_frame(link, fcs, bytes, bytes.len() as u32);
    let packets = layout.packets.iter().flat_map(|p| {
        let header = p.header.iter().map(|(header, _)| header);
        [&p.source, &p.destination, &p.payload]
            .into_iter()
            .chain(header)
            .chain(&p.transport_payload)
    });
    for range in layout.hardware.iter().chain(&layout.headers).chain(packets) {
        assert!(bytes.get(range.clone()).is_some(), "{range:?} of {}: {layout:?}", bytes.len());
    }
    let sums = layout.packets.iter().filter_map(|p| p.checksum);
    assert!(sums.into_iter().all(|at| bytes.len() >= at + 2), "{layout:?}");
    layout
}

/// The frames of the captures of encapsulations that other programs made.
fn encapsulations() -> Vec<(u16, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/encapsulations");
    let mut frames = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = std::fs::read(entry.unwrap().path()).unwrap();
        let (header, mut left) = file.split_at(24);
        let link = u16::from_le_bytes([header[20], header[21]]);
        while let Some((record, rest)) = left.split_first_chunk::<16>() {
            let length = u32::from_le_bytes([record[8], record[9], record[10], record[11]]);
            let (frame, rest) = rest.split_at(length as usize);
            frames.push((link, frame.to_vec()));
            left = rest;
        }
    }
    assert!(frames.len() > 200, "{}", frames.len());
    frames
}

#[test]
fn encapsulations_cut_anywhere_and_damaged_anywhere() {
    let mut stack = Stack::default();
    for (link, frame) in encapsulations() {
        for at in 0..frame.len() {
            check(&mut stack, link, 0, 0, &frame[..at]);
            for value in [0, 0xff, frame[at] ^ 1, frame[at] ^ 0x80] {
                let mut damaged = frame.clone();
                damaged[at] = value;
                check(&mut stack, link, 0, 0, &damaged);
            }
        }
    }
}

proptest! {
    #![proptest_config(seeded(512))]

    #[test]
    fn damaged_frames(
        edits in prop::collection::vec((0_usize..7, any::<u16>(), any::<u8>(), any::<u8>()), 1..60),
        lengths in prop::collection::vec(any::<u16>(), 60),
    ) {
        let specimens = specimens();
        let mut stack = Stack::default();
        for (step, (which, at, value, second)) in edits.into_iter().enumerate() {
            let (link, mut frame) = specimens[which].clone();
            let count = frame.len();
            frame[usize::from(at) % count] = value;
            frame[usize::from(second) % count.min(70)] ^= 1 << (value % 8);
            frame.truncate(usize::from(lengths[step]) % (count * 3));
            check(&mut stack, link, second % 5, i64::from(at) * 1_000_000_000, &frame);
        }
    }

    #[test]
    fn random_bytes_on_every_link(
        mut bytes in prop::collection::vec(any::<u8>(), 0..200),
        version in prop::sample::select(vec![0x45_u8, 0x60, 0x46]),
        protocol in prop::sample::select(vec![0_u8, 1, 6, 17, 43, 44, 51, 58, 60]),
    ) {
        let mut stack = Stack::default();
        for link in links() {
            check(&mut stack, link, 0, 0, &bytes);
        }
        // The same with headers that lead further in.
        for (at, value) in [(0, version), (6, protocol), (9, protocol)] {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = value;
            }
        }
        check(&mut stack, link::RAW, 0, 0, &bytes);
    }
}
