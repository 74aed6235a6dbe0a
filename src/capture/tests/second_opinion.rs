//! `pcap-parser` reads what is written here, and what it writes is read here.

use std::borrow::Cow;

use pcap_parser::pcapng::{Block, OptionCode, PcapNGOption};
use pcap_parser::{
    EnhancedPacketBlock, InterfaceDescriptionBlock, Linktype, PcapBlockOwned, PcapError,
    SectionHeaderBlock, ToVec, create_reader, traits::PcapNGPacketBlock,
};

use super::*;

fn frames() -> Vec<Owned> {
    vec![
        Owned::new(THEN, 1, b"one"),
        Owned::new(THEN + 1, 1, b""),
        Owned::new(THEN + 123_456_789, 1, b"three and more"),
    ]
}

/// Time and bytes of every packet, as the other parser sees them.
fn other_reading(bytes: &[u8]) -> Vec<(i64, Vec<u8>)> {
    let mut reader = create_reader(65_536, std::io::Cursor::new(bytes.to_vec())).unwrap();
    let mut seen = Vec::new();
    loop {
        match reader.next() {
            Ok((length, block)) => {
                match block {
                    PcapBlockOwned::Legacy(block) => {
                        let time = i64::from(block.ts_sec) * SECOND + i64::from(block.ts_usec);
                        seen.push((time, block.data.to_vec()));
                    }
                    PcapBlockOwned::NG(Block::EnhancedPacket(block)) => {
                        let (seconds, nanoseconds) = block.decode_ts(0, SECOND as u64);
                        let time = i64::from(seconds) * SECOND + i64::from(nanoseconds);
                        seen.push((time, block.packet_data().to_vec()));
                    }
                    _ => {}
                }
                reader.consume(length);
            }
            Err(PcapError::Eof) => return seen,
            Err(PcapError::Incomplete(_)) => reader.refill().unwrap(),
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[test]
fn it_reads_what_we_write() {
    let expected: Vec<(i64, Vec<u8>)> =
        frames().into_iter().map(|frame| (frame.time, frame.bytes)).collect();
    let mut pcap = Pcap::new(Vec::new(), 1, 0).unwrap();
    let mut pcapng = PcapNg::new(Vec::new()).unwrap();
    for frame in frames() {
        pcap.write(&frame.record()).unwrap();
        pcapng.write(&Record { comment: "odd", ..frame.record() }).unwrap();
    }
    assert_eq!(other_reading(&pcap.finish().unwrap()), expected);
    assert_eq!(other_reading(&pcapng.finish().unwrap()), expected);
}

#[test]
fn we_read_what_it_writes() {
    let option =
        |code, value: &'static [u8], len| PcapNGOption { code, len, value: Cow::Borrowed(value) };
    let mut file = SectionHeaderBlock {
        block_type: 0,
        block_len1: 0,
        bom: 0,
        major_version: 1,
        minor_version: 0,
        section_len: -1,
        options: vec![option(OptionCode::ShbUserAppl, b"another\0", 7)],
        block_len2: 0,
    }
    .to_vec()
    .unwrap();
    let interface = InterfaceDescriptionBlock {
        block_type: 0,
        block_len1: 0,
        linktype: Linktype::ETHERNET,
        reserved: 0,
        snaplen: 0,
        options: vec![],
        block_len2: 0,
        if_tsresol: 9,
        if_tsoffset: 0,
    }
    .to_vec();
    file.extend(interface.unwrap());
    for frame in frames() {
        let ticks = u64::try_from(frame.time).unwrap();
        let data: Vec<u8> = [&frame.bytes[..], &[0; 3]].concat();
        let padded = frame.bytes.len().next_multiple_of(4);
        let packet = EnhancedPacketBlock {
            block_type: 0,
            block_len1: 0,
            if_id: 0,
            ts_high: (ticks >> 32) as u32,
            ts_low: ticks as u32,
            caplen: frame.bytes.len() as u32,
            origlen: frame.bytes.len() as u32,
            data: &data[..padded],
            options: vec![option(OptionCode::Comment, b"comment\0", 7)],
            block_len2: 0,
        }
        .to_vec();
        file.extend(packet.unwrap());
    }
    assert_eq!(read_whole(&file), frames());
}
