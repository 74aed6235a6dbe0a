//! Written files can be read back unchanged.

use super::*;

fn various() -> Vec<Owned> {
    vec![
        Owned::new(THEN, 1, b"one"),
        Owned { fcs: 4, ..Owned::new(THEN + 1, 1, b"with a check sequence") },
        Owned::new(THEN - SECOND, 101, b""),
        Owned { wire_length: 1514, ..Owned::new(i64::MAX, 1, b"snapped") },
        Owned::new(0, 276, &[7; 65_536]),
    ]
}

#[test]
fn pcapng_holds_everything() {
    for comment in
        ["", "odd", "four", "a master that is dead: port unreachable \u{2014} since 12:00"]
    {
        let mut file = PcapNg::new(Vec::new()).unwrap();
        for frame in various() {
            file.write(&FrameRecord { comment, ..frame.record() }).unwrap();
        }
        assert_eq!(read_whole(&file.finish().unwrap()), various(), "{comment}");
    }
}

#[test]
fn a_comment_is_as_long_as_an_option_may_be() {
    let comment = "\u{2014}".repeat(30_000);
    let mut file = PcapNg::new(Vec::new()).unwrap();
    file.write(&FrameRecord { comment: &comment, ..various()[0].record() }).unwrap();
    file.write(&various()[1].record()).unwrap();
    let file = file.finish().unwrap();
    assert_eq!(read_whole(&file), various()[..2]);
    assert!(file.len() > 65_000 && file.len() < 66_000);
}

#[test]
fn pcap_holds_one_link_type() {
    for (fcs, other) in [(0, 4), (4, 0)] {
        let frames = [
            Owned { fcs, ..Owned::new(THEN + 999_999_999, 1, b"12345678") },
            Owned { fcs, wire_length: 99, ..Owned::new(4_294_967_295 * SECOND, 1, b"snapped") },
        ];
        let mut file = PcapWriter::new(Vec::new(), 1, fcs).unwrap();
        for frame in &frames {
            file.write(&frame.record()).unwrap();
        }
        assert!(file.write(&FrameRecord { link: 101, ..frames[0].record() }).is_err());
        assert!(file.write(&FrameRecord { fcs: other, ..frames[0].record() }).is_err());
        assert_eq!(read_whole(&file.finish().unwrap()), frames);
    }
}

#[test]
fn times_that_a_format_cannot_hold_stay_at_its_ends() {
    for (time, in_pcapng, in_pcap) in
        [(-1, 0, 0), (i64::MIN, 0, 0), (i64::MAX, i64::MAX, u32::MAX.into())]
    {
        let record = Owned::new(time, 1, b"x");
        let mut file = PcapNg::new(Vec::new()).unwrap();
        file.write(&record.record()).unwrap();
        assert_eq!(read_whole(&file.finish().unwrap())[0].time, in_pcapng);
        let mut file = PcapWriter::new(Vec::new(), 1, 0).unwrap();
        file.write(&record.record()).unwrap();
        assert_eq!(read_whole(&file.finish().unwrap())[0].time / SECOND, in_pcap);
    }
}

#[test]
fn frames_that_nobody_would_read_are_refused() {
    let frame = Owned::new(THEN, 1, &vec![0; (16 << 20) + 1]);
    assert!(PcapNg::new(Vec::new()).unwrap().write(&frame.record()).is_err());
    assert!(PcapWriter::new(Vec::new(), 1, 0).unwrap().write(&frame.record()).is_err());
}

#[test]
fn a_frame_becomes_a_record() {
    let mut file = PcapNg::new(Vec::new()).unwrap();
    let mut draft = Draft::pcap(Order::Big, 0xa1b2_c3d4, 0x2400_0001);
    draft.record(1, 2, &[], b"12345678").record(3, 4, &[], b"");
    let mut frames = Frames::open(&[memory("x", &draft.bytes)]).unwrap();
    while let Some(frame) = frames.next() {
        file.write(&frame.into()).unwrap();
    }
    assert_eq!(read_whole(&file.finish().unwrap()), read_whole(&draft.bytes));
}

#[test]
fn comments_of_the_input_stand_in_front() {
    let frame = Owned::new(THEN, 1, b"odd");
    let long = vec![b'x'; 65_535];
    let mut file = PcapNg::new(Vec::new()).unwrap();
    let record = FrameRecord { comment: "ours", ..frame.record() };
    file.write_with_comments([&b"one"[..], b"", &long].into_iter(), &record).unwrap();
    // More than the maximum block that is read.
    let many = std::iter::repeat_n(long.as_slice(), 300);
    file.write_with_comments(many, &frame.record()).unwrap();
    let mut frames = Frames::open(&[memory("x", &file.finish().unwrap())]).unwrap();
    let comments: Vec<_> = frames.next().unwrap().comments.iter().map(<[u8]>::to_vec).collect();
    assert_eq!(comments, [b"one".to_vec(), long, b"ours".to_vec()]);
    assert_eq!(frames.next().unwrap().comments.iter().count(), 255);
    assert!(frames.next().is_none() && frames.warnings().is_empty());
}

#[test]
fn interfaces_and_their_counts_are_blocks_between_the_frames() {
    let mut file = PcapNg::new(Vec::new()).unwrap();
    let described = |name: &str, link| LiveDevice {
        name: name.to_owned(),
        filter: "udp".to_owned(),
        link,
        snap_length: 65_535,
    };
    file.describe(0, &described("lo", 1)).unwrap();
    file.describe(1, &described("any", 276)).unwrap();
    let frames = [Owned::new(THEN, 1, b"one"), Owned::new(THEN + 1, 276, b"two")];
    for (interface, frame) in (0..).zip(&frames) {
        file.write(&FrameRecord { interface, ..frame.record() }).unwrap();
    }
    let counters = Counters {
        received: 7,
        dropped_by_interface: 0,
        dropped_by_kernel: 2,
        dropped_by_us: 1,
        delivered: 4,
    };
    for interface in [0, 1, 2] {
        file.statistics(interface, THEN, &counters).unwrap();
    }
    let bytes = file.finish().unwrap();
    let has = |text: &[u8]| bytes.windows(text.len()).filter(|at| *at == text).count();
    // Two descriptions with a filter as text, and statistics of those two alone.
    assert_eq!((has(b"\0udp"), has(b"dropped by fragshark itself: 1")), (2, 2));
    let mut read = Frames::open(&[memory("x", &bytes)]).unwrap();
    for frame in &frames {
        let got = read.next().unwrap();
        assert_eq!((got.time, got.link, got.bytes), (frame.time, frame.link, &frame.bytes[..]));
    }
    assert!(read.next().is_none());
    assert_eq!(read.warnings(), []);
}
