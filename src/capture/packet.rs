//! What the blocks of a pcapng section say of packets: whose they are, when they came, where their
//! data lies.
//!
//! The values of options are taken as they stand in the file. The crate reads some of them itself,
//! but `if_tsoffset` always as little-endian and `if_tsresol` only where its length is exactly 1,
//! and it reads on behind the end of a block's options.

use pcap_parser::nom::combinator::complete;
use pcap_parser::nom::multi::many0;
use pcap_parser::nom::number::Endianness;
use pcap_parser::nom::number::complete::{i64, u16, u32};
use pcap_parser::nom::{IResult, Parser, error::Error};
use pcap_parser::pcapng::{
    EnhancedPacketBlock, InterfaceDescriptionBlock, OptionCode, PcapNGOption, SimplePacketBlock,
    UnknownBlock, parse_option_be, parse_option_le,
};

use super::clock::Clock;

/// Block type of the obsolete packet block, which the crate takes for an unknown one.
pub(super) const OBSOLETE_PACKET: u32 = 2;

/// `if_fcslen`, which the crate has no name for.
pub(super) const IF_FCSLEN: OptionCode = OptionCode(13);
/// `epb_flags`, which the crate has no name for, and `pack_flags`, which is the same.
const PACKET_FLAGS: OptionCode = OptionCode(2);

/// What an interface description says of the packets of an interface.
#[derive(Clone, Copy)]
pub(super) struct Interface {
    pub link: u16,
    pub fcs: u8,
    pub snap_length: u32,
    pub clock: Clock,
}

/// What a packet block says of its packet.
pub(super) struct Packet<'a> {
    pub interface: u32,
    /// Upper and lower half of its time, absent in a simple packet.
    pub ticks: Option<(u32, u32)>,
    pub wire_length: u32,
    /// What was captured, without padding.
    pub data: &'a [u8],
    /// The length of its check sequence, if it has a say of its own.
    pub fcs: Option<u8>,
}

impl Interface {
    pub fn new(block: &InterfaceDescriptionBlock<'_>, order: Endianness) -> Self {
        let (mut resolution, mut offset, mut fcs) = (6, 0, 0);
        for (code, value) in values(&block.options) {
            match (code, value) {
                (OptionCode::IfTsresol, [unit, ..]) => resolution = *unit,
                (OptionCode::IfTsoffset, _) => {
                    offset = number(i64(order).parse(value)).unwrap_or(0);
                }
                (IF_FCSLEN, [bits, ..]) => fcs = fcs_bytes(*bits),
                _ => {}
            }
        }
        let link = block.linktype.0.cast_unsigned() as u16;
        Self { link, fcs, snap_length: block.snaplen, clock: Clock::new(resolution, offset) }
    }
}

impl<'a> Packet<'a> {
    #[inline]
    pub fn enhanced(block: &EnhancedPacketBlock<'a>, order: Endianness) -> Option<Self> {
        Some(Self {
            interface: block.if_id,
            ticks: Some((block.ts_high, block.ts_low)),
            wire_length: block.origlen,
            data: block.data.get(..block.caplen as usize)?,
            fcs: packet_fcs(&block.options, order),
        })
    }

    /// A simple packet belongs to the first interface and is as long as it was on the wire, unless
    /// that interface's snap length is shorter. The crate does not ask for it and takes padding
    /// for data there.
    pub fn simple(block: &SimplePacketBlock<'a>, first: Option<&Interface>) -> Option<Self> {
        let wire_length = block.origlen;
        let snap_length = first.map_or(0, |interface| interface.snap_length);
        let captured = if snap_length == 0 { wire_length } else { wire_length.min(snap_length) };
        let data = block.data.get(..captured as usize)?;
        Some(Self { interface: 0, ticks: None, wire_length, data, fcs: None })
    }

    /// The obsolete packet block has a count of drops where the enhanced one has the upper half of
    /// the interface number. The crate does not know it and gives its contents unread.
    pub fn obsolete(block: &UnknownBlock<'a>, order: Endianness) -> Option<Self> {
        let head: IResult<_, _, Error<_>> =
            (u16(order), u16(order), u32(order), u32(order), u32(order), u32(order))
                .parse(block.data);
        let (rest, (interface, _drops, high, low, captured, wire_length)) = head.ok()?;
        let data = rest.get(..captured as usize)?;
        let padding = data.len().next_multiple_of(4) - data.len();
        let option = match order {
            Endianness::Big => parse_option_be::<Error<_>>,
            _ => parse_option_le,
        };
        let options = rest.get(data.len() + padding..).unwrap_or_default();
        let (_, options) = many0(complete(option)).parse(options).ok()?;
        Some(Self {
            interface: interface.into(),
            ticks: Some((high, low)),
            wire_length,
            data,
            fcs: packet_fcs(&options, order),
        })
    }
}

/// `if_fcslen` counts bits, but its own example is the 4 of Ethernet's four bytes, and files exist
/// that follow the example. No check sequence is shorter than a byte.
fn fcs_bytes(length: u8) -> u8 {
    if length < 8 { length } else { length / 8 }
}

/// The flags of a packet may state the length of its check sequence, in bytes.
#[inline]
fn packet_fcs(options: &[PcapNGOption<'_>], order: Endianness) -> Option<u8> {
    let (_, flags) = values(options).find(|(code, _)| *code == PACKET_FLAGS)?;
    let fcs = (number(u32(order).parse(flags))? >> 5 & 0xf) as u8;
    (fcs > 0).then_some(fcs)
}

/// Codes and values of a block's options, up to the end mark.
#[inline]
fn values<'o>(options: &'o [PcapNGOption<'_>]) -> impl Iterator<Item = (OptionCode, &'o [u8])> {
    options
        .iter()
        .take_while(|option| option.code != OptionCode::EndOfOpt)
        .filter_map(|option| Some((option.code, option.as_bytes().ok()?)))
}

/// A number that is there or is not.
fn number<T>(parsed: IResult<&[u8], T, Error<&[u8]>>) -> Option<T> {
    parsed.ok().map(|(_, number)| number)
}
