//! Cuts at every byte, wrong values in every length.

use super::*;

#[test]
fn every_prefix_gives_the_packets_before_the_cut() {
    for (name, draft) in specimens() {
        let whole = read_whole(&draft.bytes);
        for length in 4..=draft.bytes.len() {
            let (frames, warnings) = read_frames(&draft.bytes[..length]);
            let border = draft.borders.partition_point(|border| *border <= length);
            let before = border.checked_sub(1).map_or(0, |border| draft.packets[border]);
            assert_eq!(frames, whole[..before], "{name} at {length}");
            let at_border = draft.borders.contains(&length);
            assert_eq!(warnings.is_empty(), at_border, "{name} at {length}: {warnings:?}");
            if let [warning] = &warnings[..] {
                let start = border.checked_sub(1).map_or(0, |border| draft.borders[border]);
                assert_eq!(warning.offset, start as u64, "{name} at {length}");
                assert!(warning.damage.to_string().contains("cut short"), "{warning}");
            }
        }
    }
}

#[test]
fn any_flipped_bit_leaves_the_packets_before_it() {
    for (name, draft) in specimens() {
        let whole = read_whole(&draft.bytes);
        for at in 0..draft.bytes.len() {
            for bit in 0..8 {
                let mut damaged = draft.bytes.clone();
                damaged[at] ^= 1 << bit;
                let Ok(frames) = Frames::open(&[memory("x", &damaged)]) else {
                    assert!(at < 12, "{name} at {at}");
                    continue;
                };
                let (frames, _) = drain(frames);
                let border = draft.borders.partition_point(|border| *border <= at);
                // The flag bits of a file header affect all frames.
                if let Some(before) = border.checked_sub(1) {
                    let before = draft.packets[before];
                    assert_eq!(frames[..before], whole[..before], "{name} at {at}");
                }
            }
        }
    }
}

/// One packet, then `damage`; returns the warning.
fn pcap_then(damage: &[u32]) -> String {
    let mut draft = Draft::pcap(Order::Little, 0xa1b2_c3d4, 1);
    draft.record(1, 0, &[], b"first");
    for number in damage {
        draft.u32(*number);
    }
    warning_behind_one(&draft)
}

/// Appends something to a valid file.
type Damaging = fn(&mut Draft);

fn pcapng_then(damage: Damaging) -> String {
    let mut draft = Draft::section(Order::Big);
    draft.interface(1, 0, &[]).enhanced(0, 0, b"first");
    damage(&mut draft);
    warning_behind_one(&draft)
}

fn warning_behind_one(draft: &Draft) -> String {
    let (frames, warnings) = read_frames(&draft.bytes);
    assert_eq!(frames.len(), 1);
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    warning.to_string()
}

#[test]
fn warnings_say_where_and_what() {
    let end = "the bytes before it were read";
    let pcap = 24 + 16 + 5;
    assert_eq!(
        pcap_then(&[2, 0, 9]),
        format!("x.pcap: byte {pcap}: the last packet is cut short; {end}")
    );
    assert_eq!(
        pcap_then(&[2, 0, 3_000_000_000, 0]),
        format!(
            "x.pcap: byte {pcap}: a packet of 3000000000 bytes is claimed, which is no packet; {end}"
        )
    );
    assert_eq!(
        pcap_then(&[0; 100]),
        format!(
            "x.pcap: byte {pcap}: zero bytes follow instead of packets; what stands before them was read"
        )
    );

    let at = {
        let mut draft = Draft::section(Order::Big);
        draft.interface(1, 0, &[]).enhanced(0, 0, b"first");
        draft.bytes.len()
    };
    let cases: &[(&str, Damaging)] = &[
        ("the last block is cut short", |draft| {
            draft.u32(6).u32(3000).raw(&[0; 40]);
        }),
        ("the last block is cut short", |draft| {
            draft.u32(0x0bad).u32(3_000_000_000).raw(&[0; 40]);
        }),
        ("a block of 3000000000 bytes is claimed, which is too long", |draft| {
            draft.u32(6).u32(3_000_000_000).raw(&[0; 40]);
        }),
        ("a block has the impossible length 8", |draft| {
            draft.u32(6).u32(8).raw(&[0; 40]);
        }),
        ("a block has the impossible length 41", |draft| {
            draft.u32(6).u32(41).raw(&[0; 40]);
        }),
        ("a block ends with length 16, but began with 20", |draft| {
            draft.u32(5).u32(20).raw(&[0; 8]).u32(16);
        }),
        ("a block ends with length 16, but began with 36", |draft| {
            draft.u32(6).u32(36).raw(&[0; 24]).u32(16);
        }),
        ("a section begins with an unknown byte order or version", |draft| {
            draft.u32(0x0a0d_0d0a).u32(28).u32(0x1234_5678).raw(&[0; 12]).u32(28);
        }),
        ("a section begins with an unknown byte order or version", |draft| {
            draft.u32(0x0a0d_0d0a).u32(28).u32(0x1a2b_3c4d).raw(&[0; 12]).u32(28);
        }),
    ];
    for (says, damage) in cases {
        let warning = pcapng_then(*damage);
        assert!(warning.contains(&format!(": {says}; {end}")), "{says}: {warning}");
        assert!(warning.starts_with(&format!("x.pcap: byte {at}: ")), "{warning}");
    }
    assert_eq!(
        pcapng_then(|draft| {
            draft.raw(&[0; 100]);
        }),
        format!(
            "x.pcap: byte {at}: zero bytes follow instead of packets; what stands before them was read"
        )
    );
}

/// A packet, then `damage`, then two packets; returns the warning.
fn pcapng_with(damage: Damaging) -> String {
    let mut draft = Draft::section(Order::Big);
    draft.interface(1, 0, &[]).enhanced(0, 0, b"first");
    damage(&mut draft);
    draft.enhanced(0, 0, b"second").enhanced(0, 0, b"third");
    let (frames, warnings) = read_frames(&draft.bytes);
    let frames: Vec<_> = frames.iter().map(|frame| &frame.bytes[..]).collect();
    assert_eq!(frames, [&b"first"[..], b"second", b"third"]);
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    warning.to_string()
}

#[test]
fn a_bad_block_costs_that_block() {
    let at = {
        let mut draft = Draft::section(Order::Big);
        draft.interface(1, 0, &[]).enhanced(0, 0, b"first");
        draft.bytes.len()
    };
    let cases: &[(&str, Damaging)] = &[
        ("a block is shorter than its contents; this block was skipped", |draft| {
            let contents =
                Draft::new(Order::Big).u32(0).u32(0).u32(0).u32(99).u32(99).bytes.clone();
            draft.block(6, &contents, 0);
        }),
        ("a block is shorter than its contents; this block was skipped", |draft| {
            draft.block(1, &[0; 4], 0);
        }),
        ("a packet names interface 7, which was not described; this block was skipped", |draft| {
            draft.enhanced(7, 0, b"of nobody");
        }),
        (
            "a packet names interface 7, which was not described; this block and 2 more were \
             skipped",
            |draft| {
                draft.enhanced(7, 0, b"of nobody").block(1, &[0; 4], 0);
                draft.enhanced(1, 0, b"of the one that was not read");
            },
        ),
        ("a packet names interface 0, which was not described; this block was skipped", |draft| {
            draft.new_section(Order::Little).simple(6, b"of nobody");
            draft.new_section(Order::Big).interface(1, 0, &[]);
        }),
        ("a block of 3000000000 bytes is claimed, which is too long; this block was skipped", {
            |draft| {
                draft.u32(6).u32(3_000_000_000).raw(&[7; 40]);
            }
        }),
        ("a block has the impossible length 8; this block was skipped", |draft| {
            draft.u32(6).u32(8).raw(&[7; 40]);
        }),
        ("a block has the impossible length 41; this block was skipped", |draft| {
            draft.u32(6).u32(41).raw(&[7; 40]);
        }),
        ("zero bytes follow instead of packets; this block was skipped", |draft| {
            draft.raw(&[0; 400]);
        }),
        ("the last block is cut short; this block was skipped", |draft| {
            draft.u32(6).u32(3000).raw(&[7; 40]);
        }),
        ("a block ends with length 16, but began with 36; this block was skipped", |draft| {
            draft.u32(6).u32(36).raw(&[7; 24]).u32(16);
        }),
    ];
    for (says, damage) in cases {
        let warning = pcapng_with(*damage);
        assert!(warning.ends_with(&format!(": {says}")), "{says}: {warning}");
        if !says.contains("interface 0") {
            assert!(warning.starts_with(&format!("x.pcap: byte {at}: ")), "{warning}");
        }
    }
}

#[test]
fn options_that_lie_cost_themselves() {
    let mut draft = Draft::section(Order::Little);
    let at = draft.bytes.len();
    let mut interface = Draft::new(Order::Little);
    interface.u16(1).u16(0).u32(0).u16(9).u16(1).raw(&[3, 0, 0, 0]).u16(2).u16(65_000).u32(0);
    draft.block(1, &interface.bytes, 0);
    let mut packet = Draft::new(Order::Little);
    packet.u32(0).u32(0).u32(5_000).u32(4).u32(4).raw(b"read").u16(1).u16(65_535).u32(0);
    draft.block(6, &packet.bytes, 0);
    let (frames, warnings) = read_frames(&draft.bytes);
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    let statistics = "an option is longer than its block; 2 blocks were read without such options";
    let statistics = format!("x.pcap: byte {at}: {statistics}");
    assert_eq!(warning.to_string(), statistics);
    assert_eq!((frames[0].bytes.as_slice(), frames[0].time), (&b"read"[..], 5_000_000_000));
}

#[test]
fn interfaces_are_bounded() {
    let mut contents = Draft::new(Order::Little);
    contents.u16(1).u16(0).u32(0);
    let mut draft = Draft::section(Order::Little);
    for _ in 0..=1 << 16 {
        draft.block(1, &contents.bytes, 0);
    }
    let (_, warnings) = read_frames(&draft.bytes);
    let Damage::Skipped(skipped) = &warnings[0].damage else { panic!("{warnings:?}") };
    assert_eq!((&skipped.first, skipped.blocks), (&Damage::TooManyInterfaces(1 << 16), 1));
}
