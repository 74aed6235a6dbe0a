//! 802.11 data frames of all kinds, and those that are not decoded.

use super::*;

const LLC: [u8; 6] = [0xaa, 0xaa, 3, 0, 0, 0];
const TO_DS: u8 = 1;
const FROM_DS: u8 = 2;
const DATA: u8 = 0x08;
const QOS: u8 = 0x88;

/// A frame of this kind, with this second byte, and an IPv4 packet in it.
fn frame(kind: u8, control: u8, behind_addresses: &[u8]) -> Vec<u8> {
    let header = [&[kind, control, 0, 0], &[2; 18][..], &[0x10, 0], behind_addresses].concat();
    [&header[..], &LLC, &[0x08, 0], &udp_v4(WORDS)].concat()
}

fn radiotap(fields: &[u8], frame: &[u8]) -> Vec<u8> {
    let length = (4 + fields.len()) as u16;
    [&[0, 0], &length.to_le_bytes()[..], fields, frame].concat()
}

/// A radiotap header with a time and flags.
fn flagged(flags: u8, frame: &[u8]) -> Vec<u8> {
    // Time, flags, rate; the time is at a multiple of eight.
    radiotap(&[&[7, 0, 0, 0], &[9; 8][..], &[flags, 2]].concat(), frame)
}

#[test]
fn data_frames_are_read() {
    let plain = frame(DATA, FROM_DS, &[]);
    let bits = [1, 0, 0, 0x80, 0, 0, 0, 0];
    let frames = [
        ("from an access point", link::IEEE802_11, plain.clone()),
        ("to one", link::IEEE802_11, frame(DATA, TO_DS, &[])),
        ("ad hoc", link::IEEE802_11, frame(DATA, 0, &[])),
        ("between two", link::IEEE802_11, frame(DATA, TO_DS | FROM_DS, &[4; 6])),
        ("QoS", link::IEEE802_11, frame(QOS, TO_DS, &[0, 0])),
        (
            "QoS between two",
            link::IEEE802_11,
            frame(QOS, TO_DS | FROM_DS, &[4, 4, 4, 4, 4, 4, 0, 0]),
        ),
        ("QoS, HT control", link::IEEE802_11, frame(QOS, TO_DS | 0x80, &[0; 6])),
        ("sent again, power saved", link::IEEE802_11, frame(DATA, FROM_DS | 0x38, &[])),
        ("radiotap of nothing", link::RADIOTAP, radiotap(&[0; 4], &plain)),
        ("radiotap with flags", link::RADIOTAP, flagged(0x10, &plain)),
        (
            "radiotap with more bits",
            link::RADIOTAP,
            radiotap(&[&bits[..], &[0; 12]].concat(), &plain),
        ),
        ("padded", link::RADIOTAP, flagged(0x20, &frame(QOS, TO_DS, &[0, 0, 0xee, 0xee]))),
        ("with a check sequence", link::RADIOTAP, flagged(0x10, &[&plain[..], b"FCS!"].concat())),
    ];
    for (name, link, frame) in frames {
        let taken = read_frame(link, &frame);
        assert_eq!(taken.datagram(), (WORDS, 0), "{name}");
        let Owned::Datagram { origin: Origin::InFrame { offset }, .. } = taken else { panic!() };
        assert_eq!(&frame[offset as usize..][..WORDS.len()], WORDS, "{name}");
        for length in 0..offset as usize {
            let cut = take_snapped(link, &frame[..length], frame.len());
            assert!(matches!(cut, Owned::Other(Other::Cut(_))), "{name} {length}: {cut:?}");
        }
    }
    let mut bridged = frame(DATA, TO_DS, &[]);
    bridged[24 + 5] = 0xf8;
    assert_eq!(read_frame(link::IEEE802_11, &bridged).datagram(), (WORDS, 0));
    let mut tagged = frame(DATA, TO_DS, &[]);
    tagged.splice(30..32, [0x81, 0, 0, 5, 0x08, 0]);
    assert_eq!(read_frame(link::IEEE802_11, &tagged).datagram(), (WORDS, 0));
}

#[test]
fn frames_that_are_not_read_say_why() {
    use Wireless::{Aggregated, Damaged, Encrypted, Fragment, NoData};
    let mut later = frame(DATA, TO_DS, &[]);
    later[22] = 0x11;
    let plain = frame(DATA, TO_DS, &[]);
    for (link, frame, why) in [
        (link::IEEE802_11, frame(0x80, 0, &[]), NoData),
        (link::IEEE802_11, vec![0xd4, 0, 0, 0, 2, 2, 2, 2, 2, 2], NoData),
        (link::IEEE802_11, frame(0x48, TO_DS, &[]), NoData),
        (link::IEEE802_11, frame(0xc8, TO_DS, &[0, 0]), NoData),
        (link::IEEE802_11, frame(DATA, TO_DS | 0x40, &[]), Encrypted),
        (link::IEEE802_11, frame(QOS, FROM_DS | 0x40, &[0, 0]), Encrypted),
        (link::IEEE802_11, frame(DATA, TO_DS | 0x04, &[]), Fragment),
        (link::IEEE802_11, later, Fragment),
        (link::IEEE802_11, frame(QOS, TO_DS, &[0x80, 0]), Aggregated),
        (link::RADIOTAP, flagged(0x40, &plain), Damaged),
    ] {
        assert_eq!(read_frame(link, &frame), Owned::Other(Other::Wireless(why)), "{frame:x?}");
    }
    for (link, frame, expected) in [
        (
            link::RADIOTAP,
            vec![1; 20],
            "malformed: a radiotap header of another version or too short",
        ),
        (
            link::RADIOTAP,
            vec![0, 0, 7, 0, 0, 0, 0, 0],
            "malformed: a radiotap header of another version or too short",
        ),
        (link::IEEE802_11, [&plain[..24], b"\x42\x42\x03\0\0\0\0\0"].concat(), "not IP (0x4242)"),
        (link::IEEE802_11, [&plain[..24], &LLC, &[0x88, 0x8e]].concat(), "not IP (0x888e)"),
    ] {
        let Owned::Other(other) = read_frame(link, &frame) else { panic!("not {expected}") };
        assert_eq!(other.to_string(), expected);
    }
}

#[test]
fn hardware_addresses_are_found() {
    let at =
        |link, frame: &[u8]| FrameLayout::of_frame(link, 0, frame, frame.len() as u32).hardware;
    assert_eq!(at(link::IEEE802_11, &frame(DATA, TO_DS, &[])), [4..10, 10..16, 16..22]);
    let four = frame(DATA, TO_DS | FROM_DS, &[4; 6]);
    assert_eq!(at(link::RADIOTAP, &radiotap(&[0; 4], &four)), [12..18, 18..24, 24..30, 32..38]);
    let encrypted = frame(DATA, TO_DS | 0x40, &[]);
    assert_eq!(at(link::IEEE802_11, &encrypted).len(), 3);
    assert!(at(link::IEEE802_11, &[0x80; 60]).is_empty());
}

#[test]
fn frames_with_several_packets_are_split() {
    let packet = |words: &[u8]| {
        let packet = [&LLC, &[0x08, 0][..], &udp_v4(words)].concat();
        [&[2; 12][..], &(packet.len() as u16).to_be_bytes(), &packet].concat()
    };
    let padded = |words: &[u8]| {
        let mut packet = packet(words);
        packet.resize(packet.len().next_multiple_of(4), 0);
        packet
    };
    let header = [&[QOS, TO_DS, 0, 0], &[2; 18][..], &[0x10, 0, 0x80, 0]].concat();
    let last = packet(b"the last one");
    let whole = [&header[..], &padded(b"\xff\xff\xff\xffgetinfo"), &padded(WORDS), &last].concat();
    let with_fcs = [&whole[..], b"FCS!"].concat();
    for (link, frame) in [
        (link::IEEE802_11, whole.clone()),
        (link::IEEE802_11, with_fcs),
        (link::RADIOTAP, flagged(0x10, &whole)),
    ] {
        let found = subframes(link, &frame).unwrap();
        let read = |(at, length): &(usize, usize)| {
            let taken = read_frame(link::ETHERNET, &frame[*at..*at + *length]);
            let (words, missing) = taken.datagram();
            assert_eq!(missing, 0);
            words.to_vec()
        };
        let words: Vec<_> = found.iter().map(read).collect();
        assert_eq!(words, [&b"\xff\xff\xff\xffgetinfo"[..], WORDS, b"the last one"]);
    }
    // A frame that is cut has its last subframe only in part, which says so by its length.
    let cut = subframes(link::IEEE802_11, &whole[..whole.len() - 3]).unwrap();
    assert_eq!((cut.len(), cut[2].0 + cut[2].1), (3, whole.len()));
    // Other frames, encrypted ones, and a length that is none.
    let plain = frame(QOS, TO_DS, &[0, 0]);
    let mut encrypted = whole.clone();
    encrypted[1] |= 0x40;
    let other = [&header[..], &[2; 12], &[0xff, 0xff, 0, 0]].concat();
    for (link, frame) in [
        (link::IEEE802_11, &plain),
        (link::IEEE802_11, &encrypted),
        (link::IEEE802_11, &other),
        (link::RADIOTAP, &flagged(0x40, &whole)),
        (link::ETHERNET, &whole),
    ] {
        assert_eq!(subframes(link, frame), None);
    }
    let many = [&header[..], &padded(b"x").repeat(100)].concat();
    assert_eq!(subframes(link::IEEE802_11, &many).unwrap().len(), 64);
}
