//! Every variant of both formats.

use super::*;

#[test]
fn pcap_of_every_magic() {
    for order in ORDERS {
        for (magic, fraction, extra, expected) in [
            (0xa1b2_c3d4, 123_456, &[][..], THEN + 123_456_000),
            (0xa1b2_3c4d, 123_456_789, &[], THEN + 123_456_789),
            (0xa1b2_cd34, 123_456, &[3, 0, 0, 0, 8, 0, 1, 0], THEN + 123_456_000),
        ] {
            let mut draft = Draft::pcap(order, magic, 113);
            draft.record(1_700_000_000, fraction, extra, b"first");
            draft.record(u32::MAX, 0, extra, b"");
            let expected =
                [Owned::new(expected, 113, b"first"), Owned::new(4_294_967_295 * SECOND, 113, b"")];
            assert_eq!(read_whole(&draft.bytes), expected, "{magic:x} {order:?}");
        }
    }
}

#[test]
fn the_link_type_shares_its_number_with_the_check_sequence() {
    for (network, link, fcs) in [
        (1, 1, 0),
        (0x2400_0001, 1, 4),
        (0x1400_0114, 276, 2),
        (0x2000_0001, 1, 0),
        (0x0001_0001, 1, 0),
    ] {
        let mut draft = Draft::pcap(Order::Little, 0xa1b2_c3d4, network);
        draft.record(1, 0, &[], b"12345678");
        let frame = &read_whole(&draft.bytes)[0];
        assert_eq!((frame.link, frame.fcs), (link, fcs), "{network:x}");
        assert_eq!(frame.bytes, b"12345678");
    }
}

#[test]
fn a_snapped_frame_keeps_its_length() {
    let mut draft = Draft::pcap(Order::Big, 0xa1b2_c3d4, 1);
    draft.u32(1).u32(0).u32(4).u32(1514).raw(b"some");
    draft.u32(1).u32(0).u32(4).u32(2).raw(b"more");
    let lengths: Vec<u32> = read_whole(&draft.bytes).iter().map(|f| f.wire_length).collect();
    assert_eq!(lengths, [1514, 4]);

    let mut draft = Draft::section(Order::Big);
    draft.interface(1, 4, &[]).enhanced_with(0, 0, b"some", 1514, &[]).simple(1514, b"more");
    let frames = read_whole(&draft.bytes);
    assert_eq!(frames[0].wire_length, 1514);
    assert_eq!((frames[1].wire_length, &frames[1].bytes[..]), (1514, &b"more"[..]));
}

#[test]
fn pcapng_with_all_packet_blocks() {
    for order in ORDERS {
        let ticks = 1_700_000_000_000_001;
        let mut draft = Draft::section(order);
        draft.interface(1, 0, &[]).interface(101, 65_535, &[(9, &[9])]);
        draft.simple(3, b"one");
        draft.enhanced(0, ticks, b"two22").enhanced(1, 77, b"three");
        draft.obsolete(1, 78, b"four").simple(4, b"five");
        assert_eq!(
            read_whole(&draft.bytes),
            [
                Owned::new(text::NO_TIME, 1, b"one"),
                Owned::new(THEN + 1_000, 1, b"two22"),
                Owned::new(77, 101, b"three"),
                Owned::new(78, 101, b"four"),
                Owned::new(text::NO_TIME, 1, b"five"),
            ],
            "{order:?}"
        );
    }
}

#[test]
fn a_simple_packet_ends_where_the_snap_length_does() {
    // Seven captured bytes are padded to eight; the eighth is not data.
    let mut draft = Draft::section(Order::Little);
    draft.interface(1, 7, &[]).simple(1000, b"1234567");
    assert_eq!(read_whole(&draft.bytes)[0].bytes, b"1234567");
}

#[test]
fn interface_times() {
    let offset = |order, seconds: i64| match order {
        Order::Little => seconds.to_le_bytes(),
        Order::Big => seconds.to_be_bytes(),
    };
    for order in ORDERS {
        for (resolution, seconds, ticks, expected) in [
            (Some(6), 0, 1_700_000_000_000_000_u64, THEN),
            (None, 3600, 1_700_000_000_000_000, THEN + 3600 * SECOND),
            (Some(3), -3600, 1_700_000_000_001, THEN - 3600 * SECOND + 1_000_000),
            (Some(12), 1_700_000_000, 999, THEN),
            (Some(0x94), 0, (1_700_000_000 << 20) | 1 << 19, THEN + SECOND / 2),
        ] {
            let offset = offset(order, seconds);
            let mut options: Vec<(u16, &[u8])> = vec![(14, &offset)];
            let resolution = resolution.map(|byte| [byte]);
            if let Some(byte) = &resolution {
                options.push((9, byte));
            }
            // After the end mark nothing is an option.
            options.extend([(0, &b""[..]), (9, &[0]), (14, &[7; 8])]);
            let mut draft = Draft::section(order);
            draft.interface(1, 0, &options).enhanced(0, ticks, b"x");
            assert_eq!(read_whole(&draft.bytes)[0].time, expected, "{order:?} {resolution:?}");
        }
    }
}

#[test]
fn sections_have_their_own_interfaces_and_byte_order() {
    let mut draft = Draft::section(Order::Little);
    draft.interface(1, 0, &[]).interface(228, 0, &[]).enhanced(1, 1, b"one");
    draft.new_section(Order::Big).interface(229, 0, &[(9, &[0])]).enhanced(0, 2, b"two");
    draft.new_section(Order::Little).interface(276, 0, &[(9, &[9])]).enhanced(0, 3, b"three");
    let frames = read_whole(&draft.bytes);
    let seen: Vec<(u16, i64)> = frames.iter().map(|frame| (frame.link, frame.time)).collect();
    assert_eq!(seen, [(228, 1_000), (229, 2 * SECOND), (276, 3)]);
}

#[test]
fn check_sequences_of_pcapng() {
    for order in ORDERS {
        // In bits; in bytes, as in the specification's example; in the packet's own flags.
        let flags = Draft::new(order).u32(2 << 5).bytes.clone();
        let mut draft = Draft::section(order);
        draft.interface(1, 0, &[(13, &[32])]).interface(1, 0, &[(13, &[4])]);
        draft.enhanced(0, 0, b"12345678").enhanced(1, 0, b"12345678");
        draft.enhanced_with(0, 0, b"12345678", 8, &[(1, b"odd"), (2, &flags), (0, b"")]);
        // After the end mark nothing is an option.
        draft.enhanced_with(0, 0, b"12345678", 8, &[(0, b""), (2, &flags)]);
        // The obsolete block has the same flags.
        let mut contents = Draft::new(order);
        contents.u16(0).u16(9).u32(0).u32(0).u32(5).u32(8).padded(b"12345").option(2, &flags);
        draft.block(2, &contents.bytes, 1);
        let fcs: Vec<u8> = read_whole(&draft.bytes).iter().map(|frame| frame.fcs).collect();
        assert_eq!(fcs, [4, 4, 2, 4, 2], "{order:?}");
    }
}

#[test]
fn unusual_options_and_unknown_blocks_are_skipped() {
    let mut draft = Draft::section(Order::Big);
    draft.interface(1, 0, &[]);
    // An option that is longer than its block.
    let mut contents = Draft::new(Order::Big);
    contents.u32(0).u32(0).u32(0).u32(3).u32(3).padded(b"one").u16(1).u16(999);
    draft.block(6, &contents.bytes, 1);
    draft.block(0x8000_0001, &[7; 3000], 0).block(5, &[0; 12], 0).block(0x0bad, b"", 0);
    // Larger than any window, and than the maximum packet.
    draft.block(0x0bad, &vec![7; 20 << 20], 0);
    draft.enhanced(0, 0, b"two");
    let (frames, warnings) = read_frames(&draft.bytes);
    let bytes: Vec<Vec<u8>> = frames.into_iter().map(|f| f.bytes).collect();
    assert_eq!(bytes, [b"one", b"two"]);
    let [Warning { damage: Damage::Skipped(skipped), .. }] = &warnings[..] else {
        panic!("{warnings:?}");
    };
    assert_eq!((skipped.blocks, skipped.options), (0, 1));
}

#[test]
fn frames_larger_than_the_window() {
    let large: Vec<u8> = (0..1_000_000_u32).map(|n| n as u8).collect();
    let mut draft = Draft::section(Order::Little);
    draft.interface(1, 0, &[]).enhanced(0, 0, b"one").enhanced(0, 0, &large);
    draft.enhanced(0, 0, b"three");
    let frames = read_whole(&draft.bytes);
    assert_eq!((frames.len(), frames[1].bytes == large), (3, true));
}

#[test]
fn what_is_no_capture() {
    for (bytes, expected) in [
        (&b""[..], "x.pcap is empty"),
        (
            b"Hello",
            "x.pcap is no capture: it is text, and has no packets in a form that is read; it begins with \"Hello\", not with a pcap or pcapng header",
        ),
        (
            b"\x1b[2J and much more",
            "x.pcap is no capture: it begins with \"\\x1b[2J and muc\", not with a pcap or pcapng header",
        ),
        (
            b"\n\r\r\n is how no text begins",
            "x.pcap is no capture: it is text, and has no packets in a form that is read; it begins with \"\\n\\r\\r\\n is how \", not with a pcap or pcapng header",
        ),
        (b"\x1f\x8b\x08", "cannot read x.pcap: the gzip stream is cut short"),
    ] {
        assert_eq!(refusal(bytes), expected);
    }
}

#[cfg(unix)]
#[test]
fn what_cannot_be_opened() {
    let open = |path: &str| match Frames::open(&[Input::from_argument(path.as_ref())]) {
        Ok(_) => panic!("{path} was opened"),
        Err(error) => error.to_string(),
    };
    assert_eq!(open("/no/such.pcap"), "cannot open /no/such.pcap: No such file or directory");
    assert_eq!(open("/"), "cannot read /: Is a directory");
}

#[test]
fn comments_are_read_wherever_they_stand() {
    for order in ORDERS {
        let mut draft = Draft::section(order);
        draft.interface(1, 0, &[]);
        let options: [(u16, &[u8]); 5] =
            [(1, b"one"), (2, &[0; 4]), (1, b"two\xff"), (0, b""), (1, b"behind the end")];
        draft.enhanced_with(0, 0, b"odd", 3, &options).enhanced(0, 0, b"none").simple(4, b"none");
        let mut obsolete = Draft::new(order);
        obsolete.u16(0).u16(0).u32(0).u32(0).u32(5).u32(5).padded(b"older").option(1, b"old");
        draft.block(2, &obsolete.bytes, 1);
        let mut frames = Frames::open(&[memory("x", &draft.bytes)]).unwrap();
        for comments in [&[&b"one"[..], b"two\xff"][..], &[], &[], &[b"old"]] {
            let frame = frames.next().unwrap();
            assert_eq!(frame.comments.iter().collect::<Vec<_>>(), comments, "{order:?}");
        }
        assert!(frames.next().is_none() && frames.warnings().is_empty());
    }
}
