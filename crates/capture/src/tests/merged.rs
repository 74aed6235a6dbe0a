//! Several inputs at a time.

use super::*;

fn pcap(frames: &[(i64, &[u8])]) -> Vec<u8> {
    let mut file = PcapWriter::new(Vec::new(), 1, 0).unwrap();
    for (time, bytes) in frames {
        file.write(&Owned::new(*time, 1, bytes).record()).unwrap();
    }
    file.finish().unwrap()
}

#[test]
fn frames_come_in_time_order_and_ties_in_input_order() {
    let inputs = [
        memory("a", &pcap(&[(10, b"a1"), (20, b"a2"), (20, b"a3"), (40, b"a4")])),
        memory("b", &pcap(&[(5, b"b1"), (20, b"b2"), (20, b"b3")])),
        memory("c", &pcap(&[])),
        memory("d", &pcap(&[(30, b"d1"), (20, b"d2"), (50, b"d3")])),
    ];
    let mut frames = Frames::open(&inputs).unwrap();
    let mut seen = Vec::new();
    while let Some(frame) = frames.next() {
        seen.push((frame.number, String::from_utf8(frame.bytes.to_vec()).unwrap()));
    }
    let order = ["b1", "a1", "a2", "a3", "b2", "b3", "d1", "d2", "a4", "d3"];
    let expected: Vec<(u64, String)> = (1..).zip(order.map(str::to_owned)).collect();
    assert_eq!(seen, expected);
    assert!(frames.next().is_none());
}

#[test]
fn damage_ends_one_input_and_not_the_others() {
    let mut cut = pcap(&[(10, b"a1"), (30, b"a2")]);
    cut.pop();
    let inputs = [memory("a", &cut), memory("b", &pcap(&[(20, b"b1"), (40, b"b2")]))];
    let (frames, warnings) = drain(Frames::open(&inputs).unwrap());
    let bytes: Vec<&[u8]> = frames.iter().map(|frame| &frame.bytes[..]).collect();
    assert_eq!(bytes, [b"a1", b"b1", b"b2"]);
    assert_eq!(warnings.len(), 1);
    assert_eq!((&warnings[0].input[..], warnings[0].offset), ("a", 24 + 16 + 2));
}

#[test]
fn none_and_one_that_cannot_be_opened() {
    let (frames, warnings) = drain(Frames::open(&[]).unwrap());
    assert_eq!((frames, warnings), (vec![], vec![]));
    let inputs = [memory("a", &pcap(&[])), memory("b", b"nothing")];
    assert!(Frames::open(&inputs).is_err());
    let many = vec![memory("a", &[]); 65_535];
    assert_eq!(Frames::open(&many).err(), Some(OpenError::TooMany(65_535)));
}

#[test]
fn progress_counts_what_is_read() {
    let (one, two) = (pcap(&[(1, b"one")]), pcap(&[(2, b"two"), (3, b"three")]));
    let all = Some((one.len() + two.len()) as u64);
    let mut frames = Frames::open(&[memory("a", &one), memory("b", &two)]).unwrap();
    assert_eq!(frames.progress().of, all);
    while frames.next().is_some() {}
    assert_eq!(Some(frames.progress().read), all);
}
