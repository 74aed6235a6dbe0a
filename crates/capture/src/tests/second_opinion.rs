//! Compatibility in both directions: the bytes that tcpdump (libpcap 1.10) and Scapy 2.8 wrote for
//! the same frames, and what they read from our files.

use super::*;

/// Our pcap output. It is also, byte for byte, the output of `tcpdump --time-stamp-precision nano
/// -r … -w …` for [`OUR_PCAPNG`]: tcpdump reads that file correctly.
const OUR_PCAP: &str = "
    4d3cb2a1 0200 0400 00000000 00000000 00000400 01000000
    00f15365 00000000 03000000 03000000 6f6e65
    00f15365 01000000 00000000 00000000
    00f15365 15cd5b07 0e000000 0e000000 746872656520616e64206d6f7265";

/// Our pcapng output, each frame with the comment `odd`. Scapy reads the same times, bytes and
/// comments from it.
const OUR_PCAPNG: &str = "
    0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000
    01000000 20000000 0100 0000 00000000 0900 0100 09000000 0000 0000 20000000
    06000000 30000000 00000000 fe9c9717 00002a36 03000000 03000000 6f6e6500
        0100 0300 6f646400 0000 0000 30000000
    06000000 2c000000 00000000 fe9c9717 01002a36 00000000 00000000
        0100 0300 6f646400 0000 0000 2c000000
    06000000 3c000000 00000000 fe9c9717 15cd853d 0e000000 0e000000
        746872656520616e64206d6f7265 0000
        0100 0300 6f646400 0000 0000 3c000000";

/// The same frames from tcpdump, in microseconds.
const TCPDUMP_PCAP: &str = "
    d4c3b2a1 0200 0400 00000000 00000000 00000400 01000000
    00f15365 00000000 03000000 03000000 6f6e65
    00f15365 00000000 00000000 00000000
    00f15365 40e20100 0e000000 0e000000 746872656520616e64206d6f7265";

/// The first and the last of them from Scapy's `PcapNgWriter`: in microseconds, which it does not
/// state, and with comments.
const SCAPY_PCAPNG: &str = "
    0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000
    01000000 14000000 0100 0000 00000400 14000000
    06000000 34000000 00000000 240a0600 00401e18 03000000 03000000 6f6e6500
        0100 0700 636f6d6d656e7400 0000 0000 34000000
    06000000 40000000 00000000 240a0600 40222018 0e000000 0e000000
        746872656520616e64206d6f7265 0000
        0100 0700 636f6d6d656e7400 0000 0000 40000000";

fn bytes(text: &str) -> Vec<u8> {
    hex::decode(text.split_whitespace().collect::<String>()).unwrap()
}

fn frames() -> Vec<Owned> {
    vec![
        Owned::new(THEN, 1, b"one"),
        Owned::new(THEN + 1, 1, b""),
        Owned::new(THEN + 123_456_789, 1, b"three and more"),
    ]
}

/// The same with times in microseconds.
fn in_microseconds() -> Vec<Owned> {
    let frames = frames().into_iter();
    frames.map(|frame| Owned { time: frame.time / 1_000 * 1_000, ..frame }).collect()
}

#[test]
fn others_read_what_we_write() {
    let mut pcap = PcapWriter::new(Vec::new(), 1, 0).unwrap();
    let mut pcapng = PcapNg::new(Vec::new()).unwrap();
    for frame in frames() {
        pcap.write(&frame.record()).unwrap();
        pcapng.write(&FrameRecord { comment: "odd", ..frame.record() }).unwrap();
    }
    assert_eq!(pcap.finish().unwrap(), bytes(OUR_PCAP));
    assert_eq!(pcapng.finish().unwrap(), bytes(OUR_PCAPNG));
}

#[test]
fn we_read_what_others_write() {
    assert_eq!(read_whole(&bytes(OUR_PCAP)), frames());
    assert_eq!(read_whole(&bytes(TCPDUMP_PCAP)), in_microseconds());
    let [first, _, last] = &in_microseconds()[..] else { panic!() };
    assert_eq!(read_whole(&bytes(SCAPY_PCAPNG)), [first.clone(), last.clone()]);
}

/// An interface description with a check sequence, as written, and a frame of it.
#[test]
fn an_interface_states_its_check_sequence() {
    let mut pcapng = PcapNg::new(Vec::new()).unwrap();
    let frame = Owned { fcs: 4, ..Owned::new(1, 1, b"12345678") };
    pcapng.write(&frame.record()).unwrap();
    let expected = "
        0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000
        01000000 28000000 0100 0000 00000000
            0900 0100 09000000 0d00 0100 20000000 0000 0000 28000000
        06000000 28000000 00000000 00000000 01000000 08000000 08000000 3132333435363738 28000000";
    assert_eq!(pcapng.finish().unwrap(), bytes(expected));
    assert_eq!(read_whole(&bytes(expected)), [frame]);
}
