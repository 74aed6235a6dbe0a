//! Packet data in the blocks of a pcapng section: interface, time, and the bytes.
//!
//! Contents are parsed here and not by the crate: it makes a list of a block's options, which takes
//! several times their memory, takes padding for data in simple packets, and always reads
//! `if_tsoffset` as little-endian. A block is passed as its contents: the bytes between the
//! lengths.

use pcap_parser::nom::number::Endianness;
use pcap_parser::nom::number::complete::{i64, u16, u32};
use pcap_parser::nom::{IResult, Parser, error::Error};
use pcap_parser::pcapng::OptionCode;

use super::clock::InterfaceClock;
use super::options::BlockOptions;

/// Block type of the obsolete packet block.
pub(super) const OBSOLETE_PACKET: u32 = 2;

/// `if_fcslen`, which the crate has no name for.
pub(super) const IF_FCSLEN: OptionCode = OptionCode(13);
/// `epb_flags`, which the crate has no name for, and `pack_flags`, which is the same.
const PACKET_FLAGS: OptionCode = OptionCode(2);

/// The properties of an interface that its packets depend on.
#[derive(Clone, Copy)]
pub(super) struct InterfaceBlock {
    pub link: u16,
    pub fcs: u8,
    pub snap_length: u32,
    pub clock: InterfaceClock,
}

/// The packet in a packet block.
pub(super) struct PacketBlock<'a> {
    pub interface: u32,
    /// Upper and lower half of its time, absent in a simple packet.
    pub ticks: Option<(u32, u32)>,
    pub wire_length: u32,
    /// The captured bytes, without padding.
    pub data: &'a [u8],
    /// The length of its check sequence, if it declares one itself.
    pub fcs: Option<u8>,
    /// Whether one of its options is longer than the block.
    pub overruns: bool,
}

impl InterfaceBlock {
    /// From the contents of an interface description; also whether one of its options is longer
    /// than the block. `None` if they are too short.
    pub fn new(contents: &[u8], order: Endianness) -> Option<(Self, bool)> {
        let (rest, (link, _reserved, snap_length)) =
            parsed((u16(order), u16(order), u32(order)).parse(contents))?;
        let (mut resolution, mut offset, mut fcs) = (6, 0, 0);
        let options = BlockOptions::new(rest, order);
        for (code, value) in options.iter() {
            match (OptionCode(code), value) {
                (OptionCode::IfTsresol, [unit, ..]) => resolution = *unit,
                (OptionCode::IfTsoffset, _) => {
                    offset = parsed(i64(order).parse(value)).map_or(0, |(_, offset)| offset);
                }
                (IF_FCSLEN, [bits, ..]) => fcs = fcs_bytes(*bits),
                _ => {}
            }
        }
        let clock = InterfaceClock::new(resolution, offset);
        Some((Self { link, fcs, snap_length, clock }, options.overruns()))
    }
}

impl<'a> PacketBlock<'a> {
    /// From the contents of an enhanced packet block; `None` if they are too short.
    #[inline]
    pub fn enhanced(contents: &'a [u8], order: Endianness) -> Option<Self> {
        let head = (u32(order), u32(order), u32(order), u32(order), u32(order)).parse(contents);
        let (rest, (interface, high, low, captured, wire_length)) = parsed(head)?;
        let (data, options) = split_data(rest, captured, order)?;
        let (fcs, lies) = (packet_fcs(options), options.overruns());
        Some(Self { interface, ticks: Some((high, low)), wire_length, data, fcs, overruns: lies })
    }

    /// A simple packet belongs to the first interface and is as long as it was on the wire, unless
    /// that interface's snap length is shorter.
    pub fn simple(
        contents: &'a [u8],
        order: Endianness,
        first: Option<&InterfaceBlock>,
    ) -> Option<Self> {
        let (rest, wire_length) = parsed(u32(order).parse(contents))?;
        let snap_length = first.map_or(0, |interface| interface.snap_length);
        let captured = if snap_length == 0 { wire_length } else { wire_length.min(snap_length) };
        let data = rest.get(..captured as usize)?;
        Some(Self { interface: 0, ticks: None, wire_length, data, fcs: None, overruns: false })
    }

    /// The obsolete packet block has a count of drops where the enhanced one has the upper half of
    /// the interface number.
    pub fn obsolete(contents: &'a [u8], order: Endianness) -> Option<Self> {
        let head = (u16(order), u16(order), u32(order), u32(order), u32(order), u32(order))
            .parse(contents);
        let (rest, (interface, _drops, high, low, captured, wire_length)) = parsed(head)?;
        let (data, options) = split_data(rest, captured, order)?;
        let (interface, fcs, lies) = (interface.into(), packet_fcs(options), options.overruns());
        Some(Self { interface, ticks: Some((high, low)), wire_length, data, fcs, overruns: lies })
    }
}

/// A packet's data, and the options after its padding.
#[inline]
fn split_data(rest: &[u8], captured: u32, order: Endianness) -> Option<(&[u8], BlockOptions<'_>)> {
    let data = rest.get(..captured as usize)?;
    let options = rest.get(data.len().next_multiple_of(4)..).unwrap_or_default();
    Some((data, BlockOptions::new(options, order)))
}

/// `if_fcslen` counts bits, but its own example is the 4 of Ethernet's four bytes, and files exist
/// that follow the example. No check sequence is shorter than a byte.
fn fcs_bytes(length: u8) -> u8 {
    if length < 8 { length } else { length / 8 }
}

/// The flags of a packet may state the length of its check sequence, in bytes.
#[inline]
fn packet_fcs(options: BlockOptions<'_>) -> Option<u8> {
    let (_, flags) = options.iter().find(|(code, _)| OptionCode(*code) == PACKET_FLAGS)?;
    let (_, flags) = parsed(u32(options.order()).parse(flags))?;
    let fcs = (flags >> 5 & 0xf) as u8;
    (fcs > 0).then_some(fcs)
}

/// The parsed value and the rest, if complete.
#[inline]
fn parsed<'a, T>(read: IResult<&'a [u8], T, Error<&'a [u8]>>) -> Option<(&'a [u8], T)> {
    read.ok()
}
