//! Captures built byte by byte, in every variant of the formats.

mod compressed;
mod damaged;
mod formats;
mod merged;
mod reread;
mod second_opinion;
mod written;

use std::sync::Arc;

use super::live::{Counters, LiveDevice};
use super::write::{FrameRecord, PcapNg, PcapWriter};
use super::*;

/// Byte order of the numbers in a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Little,
    Big,
}

const ORDERS: [Order; 2] = [Order::Little, Order::Big];
const SECOND: i64 = 1_000_000_000;
/// 2023-11-14 22:13:20 UTC.
const THEN: i64 = 1_700_000_000 * SECOND;

/// A copy of a frame, without number and byte range.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Owned {
    time: i64,
    link: u16,
    fcs: u8,
    bytes: Vec<u8>,
    wire_length: u32,
}

impl Owned {
    fn new(time: i64, link: u16, bytes: &[u8]) -> Self {
        Self { time, link, fcs: 0, bytes: bytes.to_vec(), wire_length: bytes.len() as u32 }
    }

    fn from_frame(frame: Frame<'_>) -> Self {
        let Frame { time, link, fcs, bytes, wire_length, .. } = frame;
        Self { time, link, fcs, bytes: bytes.to_vec(), wire_length }
    }

    fn record(&self) -> FrameRecord<'_> {
        let Self { time, link, fcs, ref bytes, wire_length } = *self;
        FrameRecord { time, link, fcs, bytes, wire_length, comment: "", interface: 0 }
    }
}

fn memory(name: &str, bytes: &[u8]) -> Input {
    Input::Memory { name: name.to_owned(), bytes: Arc::from(bytes) }
}

/// All frames and warnings of one capture.
fn read_frames(bytes: &[u8]) -> (Vec<Owned>, Vec<Warning>) {
    drain(Frames::open(&[memory("x.pcap", bytes)]).unwrap())
}

fn drain(mut frames: Frames) -> (Vec<Owned>, Vec<Warning>) {
    let mut owned = Vec::new();
    while let Some(frame) = frames.next() {
        owned.push(Owned::from_frame(frame));
    }
    assert!(frames.next().is_none());
    (owned, frames.warnings())
}

/// All frames of an intact capture.
fn read_whole(bytes: &[u8]) -> Vec<Owned> {
    let (frames, warnings) = read_frames(bytes);
    assert_eq!(warnings, []);
    frames
}

fn refusal(bytes: &[u8]) -> String {
    match Frames::open(&[memory("x.pcap", bytes)]) {
        Ok(_) => panic!("{bytes:02x?} was opened"),
        Err(error) => error.to_string(),
    }
}

/// A capture being built, in either byte order, with the offsets where its packets end.
struct Draft {
    order: Order,
    bytes: Vec<u8>,
    /// Offsets after the header and after each packet or other block.
    borders: Vec<usize>,
    /// How many packets are before each of `borders`.
    packets: Vec<usize>,
}

impl Draft {
    fn new(order: Order) -> Self {
        Self { order, bytes: Vec::new(), borders: Vec::new(), packets: Vec::new() }
    }

    fn u16(&mut self, number: u16) -> &mut Self {
        let bytes = match self.order {
            Order::Little => number.to_le_bytes(),
            Order::Big => number.to_be_bytes(),
        };
        self.raw(&bytes)
    }

    fn u32(&mut self, number: u32) -> &mut Self {
        let bytes = match self.order {
            Order::Little => number.to_le_bytes(),
            Order::Big => number.to_be_bytes(),
        };
        self.raw(&bytes)
    }

    fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    fn border(&mut self, packets: usize) -> &mut Self {
        let before = self.packets.last().copied().unwrap_or_default();
        self.packets.push(before + packets);
        self.borders.push(self.bytes.len());
        self
    }

    /// A pcap header.
    fn pcap(order: Order, magic: u32, network: u32) -> Self {
        let mut draft = Self::new(order);
        draft.u32(magic).u16(2).u16(4).u32(0).u32(0).u32(65_535).u32(network).border(0);
        draft
    }

    /// A pcap record; `extra` comes between its header and its data.
    fn record(&mut self, seconds: u32, fraction: u32, extra: &[u8], bytes: &[u8]) -> &mut Self {
        let length = bytes.len() as u32;
        self.u32(seconds).u32(fraction).u32(length).u32(length).raw(extra).raw(bytes).border(1)
    }

    /// A pcapng section header.
    fn section(order: Order) -> Self {
        let mut draft = Self::new(order);
        draft.new_section(order);
        draft
    }

    fn new_section(&mut self, order: Order) -> &mut Self {
        self.order = order;
        let mut contents = Self::new(order);
        contents.u32(0x1a2b_3c4d).u16(1).u16(0).raw(&[0xff; 8]);
        contents.option(4, b"a test").option(1, b"a comment").option(0, b"");
        self.block(0x0a0d_0d0a, &contents.bytes, 0)
    }

    fn option(&mut self, code: u16, value: &[u8]) -> &mut Self {
        self.u16(code).u16(value.len() as u16).padded(value)
    }

    fn padded(&mut self, bytes: &[u8]) -> &mut Self {
        self.raw(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self
    }

    fn block(&mut self, kind: u32, contents: &[u8], packets: usize) -> &mut Self {
        let length = contents.len() as u32 + 12;
        self.u32(kind).u32(length).raw(contents).u32(length).border(packets)
    }

    fn interface(&mut self, link: u16, snap_length: u32, options: &[(u16, &[u8])]) -> &mut Self {
        let mut contents = Self::new(self.order);
        contents.u16(link).u16(0).u32(snap_length).option(2, b"lo");
        for (code, value) in options {
            contents.option(*code, value);
        }
        contents.option(0, b"");
        self.block(1, &contents.bytes, 0)
    }

    fn enhanced(&mut self, interface: u32, ticks: u64, bytes: &[u8]) -> &mut Self {
        self.enhanced_with(interface, ticks, bytes, bytes.len() as u32, &[])
    }

    fn enhanced_with(
        &mut self,
        interface: u32,
        ticks: u64,
        bytes: &[u8],
        wire_length: u32,
        options: &[(u16, &[u8])],
    ) -> &mut Self {
        let mut contents = Self::new(self.order);
        contents.u32(interface).u32((ticks >> 32) as u32).u32(ticks as u32);
        contents.u32(bytes.len() as u32).u32(wire_length).padded(bytes);
        for (code, value) in options {
            contents.option(*code, value);
        }
        self.block(6, &contents.bytes, 1)
    }

    fn simple(&mut self, wire_length: u32, bytes: &[u8]) -> &mut Self {
        let mut contents = Self::new(self.order);
        contents.u32(wire_length).padded(bytes);
        self.block(3, &contents.bytes, 1)
    }

    fn obsolete(&mut self, interface: u16, ticks: u64, bytes: &[u8]) -> &mut Self {
        let mut contents = Self::new(self.order);
        contents.u16(interface).u16(9).u32((ticks >> 32) as u32).u32(ticks as u32);
        contents.u32(bytes.len() as u32).u32(bytes.len() as u32).padded(bytes);
        self.block(2, &contents.bytes, 1)
    }
}

/// A small file of each format, with everything that is parsed.
fn specimens() -> Vec<(&'static str, Draft)> {
    let mut specimens = Vec::new();
    for order in ORDERS {
        let mut pcap = Draft::pcap(order, 0xa1b2_c3d4, 1);
        pcap.record(1_700_000_000, 5, &[], b"first").record(1_700_000_001, 6, &[], b"");
        pcap.record(1_700_000_002, 7, &[], b"the third");
        specimens.push(("pcap", pcap));

        let mut modified = Draft::pcap(order, 0xa1b2_cd34, 1);
        modified.record(1_700_000_000, 5, &[1; 8], b"first").record(7, 7, &[2; 8], b"second");
        specimens.push(("modified pcap", modified));

        let mut pcapng = Draft::section(order);
        pcapng.interface(1, 0, &[(9, &[9])]);
        pcapng.enhanced_with(0, THEN as u64, b"first", 5, &[(1, b"a comment"), (0, b"")]);
        pcapng.block(0x0bad, b"whatever", 0).simple(6, b"second").obsolete(0, 7, b"third");
        pcapng.new_section(order).interface(101, 0, &[]).enhanced(0, 8, b"fourth");
        specimens.push(("pcapng", pcapng));
    }
    specimens
}
