//! 802.11 frames that are not decoded are counted and reported, by the reason.

use std::net::SocketAddr;
use std::ops::ControlFlow;

use fragshark::analysis::Pipeline;
use fragshark::capture::Input;
use fragshark::capture::write::{FrameRecord, PcapWriter};
use fragshark::net::compose;
use fragshark::net::link::IEEE802_11;

/// A header of 24 bytes, or of QoS data, and some bytes that are not decoded.
fn frame(kind: u8, control: u8, qos: &[u8]) -> Vec<u8> {
    [&[kind, control, 0, 0], &[2; 18][..], &[0, 0], qos, &[7; 40]].concat()
}

#[test]
fn skipped_frames_are_reported() {
    let frames = [
        frame(0x08, 0x42, &[]),
        frame(0x88, 0x42, &[0, 0]),
        frame(0x08, 0x06, &[]),
        frame(0x88, 0x02, &[0x80, 0]),
        // A beacon, an acknowledgment, data of no length: nothing to decode.
        frame(0x80, 0, &[]),
        vec![0xd4, 0, 0, 0, 2, 2, 2, 2, 2, 2],
        frame(0x48, 0x01, &[]),
    ];
    let mut file = PcapWriter::new(Vec::new(), IEEE802_11, 0).unwrap();
    for (time, bytes) in (1..).zip(&frames) {
        let wire_length = u32::try_from(bytes.len()).unwrap();
        let (link, comment) = (IEEE802_11, "");
        file.write(&FrameRecord { time, link, fcs: 0, bytes, wire_length, comment, interface: 0 })
            .unwrap();
    }
    let bytes = file.finish().unwrap().into();
    let input = Input::Memory { name: "wireless".to_owned(), bytes };
    let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
    let counts = pipeline.count().unwrap();
    assert_eq!((counts.packets, counts.datagrams), (7, 0));
    assert_eq!(
        pipeline.warnings(),
        [
            "2 frames of 802.11 were skipped: encrypted",
            "1 frame of 802.11 was skipped: fragments of longer frames",
            "1 frame of 802.11 was skipped: aggregates of several packets (A-MSDU)",
        ]
    );
}

#[test]
fn frames_with_several_packets_are_read_packet_by_packet() {
    let [client, server]: [SocketAddr; 2] =
        ["192.0.2.10:40000", "192.0.2.7:27960"].map(|address| address.parse().unwrap());
    let mut frame = [&[0x88, 1, 0, 0], &[2; 18][..], &[0, 0, 0x80, 0]].concat();
    let ends = [(client, server), (server, client), (client, server)];
    let words: [&[u8]; 3] = [
        b"\xff\xff\xff\xffgetinfo abc",
        b"\xff\xff\xff\xffinfoResponse\n\\challenge\\abc",
        b"\xff\xff\xff\xffgetstatus abcd",
    ];
    for ((from, to), words) in ends.into_iter().zip(words) {
        let packet = compose::datagram(from, to, words).unwrap();
        frame.resize(26 + (frame.len() - 26).next_multiple_of(4), 0);
        let length = u16::try_from(8 + packet.len()).unwrap().to_be_bytes();
        frame.extend([&[2; 12], &length[..], &[0xaa, 0xaa, 3, 0, 0, 0, 8, 0], &packet].concat());
    }
    let mut file = PcapWriter::new(Vec::new(), IEEE802_11, 0).unwrap();
    let (link, wire_length, bytes) = (IEEE802_11, u32::try_from(frame.len()).unwrap(), &frame[..]);
    let record =
        FrameRecord { time: 1, link, fcs: 0, bytes, wire_length, comment: "", interface: 0 };
    file.write(&record).unwrap();
    let bytes = file.finish().unwrap().into();
    let input = Input::Memory { name: "aggregate".to_owned(), bytes };
    let mut pipeline = Pipeline::open(vec![input], Vec::new()).unwrap();
    let mut messages = Vec::new();
    let done = pipeline.messages(|message| {
        messages.push((message.header.number, message.header.name, message.payload.to_vec()));
        ControlFlow::<()>::Continue(())
    });
    assert!(done.unwrap().is_none());
    let expected = ["getinfo", "infoResponse", "getstatus"].into_iter().zip(words);
    let expected: Vec<_> = expected.map(|(name, words)| (1, name, words.to_vec())).collect();
    assert_eq!(messages, expected);
    assert_eq!(pipeline.warnings(), [""; 0]);
}
