//! The classic capture format: a header of 24 bytes, then records.
//!
//! The crate `pcap-parser` parses both, from the bytes in the window. This file decides how large
//! the window may be, what the header's numbers mean for all frames, and which records are invalid.
//! The crate's errors borrow the window; none of them leaves this file.

use pcap_parser::nom::{
    Err, IResult, Needed, Offset, Parser, bytes::streaming::take, number::Endianness,
    number::streaming::be_u32,
};
use pcap_parser::{
    LegacyPcapBlock, PcapError, PcapHeader, parse_pcap_frame, parse_pcap_frame_be,
    parse_pcap_frame_modified, parse_pcap_header,
};

use super::format::{FrameHead, LONGEST_BLOCK, LONGEST_PACKET};
use super::warning::Damage;
use super::window::Window;

type PcapParsed<'a, T> = IResult<&'a [u8], T, PcapError<&'a [u8]>>;
type ParseRecord = for<'a> fn(&'a [u8]) -> PcapParsed<'a, LegacyPcapBlock<'a>>;

/// Reads the records of one file.
pub(super) struct PcapReader {
    /// The properties of all frames from the header, once it is read.
    header: Option<PcapFileHeader>,
    /// Where other captures begin in it, as `cat` joins files: the first place, and how many.
    pub joined: Option<(u64, u64)>,
}

/// The first numbers of a header, in either byte order.
const MAGICS: [u32; 3] = [0xa1b2_c3d4, 0xa1b2_3c4d, 0xa1b2_cd34];

#[derive(Clone, Copy)]
struct PcapFileHeader {
    parse: ParseRecord,
    /// Length of a record header in bytes.
    record: usize,
    /// Nanoseconds per unit of a record's fraction.
    unit: i64,
    link: u16,
    fcs: u8,
    /// The maximum packet length that is accepted.
    longest: u32,
}

impl PcapReader {
    /// A reader for files with this beginning.
    pub fn from_beginning(beginning: &[u8]) -> Option<Self> {
        let whole_magic = beginning.len() >= 4;
        let known = !matches!(parse_header(beginning), Err(Err::Error(_) | Err::Failure(_)));
        (whole_magic && known).then_some(Self { header: None, joined: None })
    }

    #[inline]
    pub fn next(&mut self, window: &mut Window) -> Result<Option<FrameHead>, Damage> {
        let mut header = match self.header {
            Some(header) => header,
            None => *self.header.insert(PcapFileHeader::read_header(window)?),
        };
        window.mark();
        loop {
            let missing = match (header.parse)(window.bytes()) {
                Ok((_, record)) if record.caplen == 0 && is_magic(record.ts_sec) => {
                    let (first, count) = self.joined.unwrap_or((window.offset(), 0));
                    self.joined = Some((first, count + 1));
                    header = *self.header.insert(PcapFileHeader::read_header(window)?);
                    window.mark();
                    continue;
                }
                Ok((_, record)) => {
                    let head = header.head(window, &record)?;
                    window.pass(header.record + head.range.len());
                    return Ok(Some(head));
                }
                Err(Err::Incomplete(missing)) => missing,
                Err(_) => return Err(Damage::CutPacket),
            };
            if !header.hold(window, missing)? {
                return Ok(None);
            }
        }
    }
}

impl PcapFileHeader {
    fn read_header(window: &mut Window) -> Result<Self, Damage> {
        let length = PcapHeader::new().size();
        if !window.hold(length) {
            return Err(Damage::CutHeader);
        }
        let Ok((_, (header, parse))) = parse_header(window.bytes()) else {
            return Err(Damage::CutHeader);
        };
        // The link type shares its number with the length of the frame check sequence: the sixth
        // bit from the top says that the four highest count it, in units of 16 bits.
        let network = header.network.0.cast_unsigned();
        let states_fcs = network & 0x0400_0000 != 0;
        window.pass(length);
        Ok(Self {
            parse,
            record: if header.is_modified_format() { 24 } else { 16 },
            unit: if header.is_nanosecond_precision() { 1 } else { 1_000 },
            link: network as u16,
            fcs: if states_fcs { (network >> 28) as u8 * 2 } else { 0 },
            longest: header.snaplen.clamp(LONGEST_PACKET, LONGEST_BLOCK),
        })
    }

    /// The frame of a record at the beginning of the window. The crate would take the zeros that a
    /// crash leaves behind for empty packets.
    #[inline]
    fn head(&self, window: &Window, record: &LegacyPcapBlock<'_>) -> Result<FrameHead, Damage> {
        let LegacyPcapBlock { ts_sec, ts_usec, caplen, origlen, data } = *record;
        if (ts_sec, ts_usec, caplen, origlen) == (0, 0, 0, 0) {
            return Err(Damage::Zeros);
        }
        if caplen > self.longest {
            return Err(Damage::HugePacket(caplen));
        }
        let at = window.bytes().offset(data);
        let start = window.position() + at;
        Ok(FrameHead {
            time: i64::from(ts_sec) * 1_000_000_000 + i64::from(ts_usec) * self.unit,
            link: self.link,
            fcs: self.fcs,
            wire_length: origlen.max(caplen),
            range: start..start + data.len(),
            offset: window.offset() + at as u64,
            options: 0..0,
            order: Endianness::Little,
        })
    }

    /// Reads the missing bytes of a record, unless it exceeds the maximum packet length. False when
    /// the file ends before the record does.
    #[cold]
    fn hold(&self, window: &mut Window, missing: Needed) -> Result<bool, Damage> {
        if window.bytes().is_empty() {
            return Ok(window.hold(1));
        }
        let missing = match missing {
            Needed::Size(missing) => missing.get(),
            Needed::Unknown => 1,
        };
        let length = window.bytes().len().saturating_add(missing);
        let captured = u32::try_from(length.saturating_sub(self.record)).unwrap_or(u32::MAX);
        if captured > self.longest {
            return Err(Damage::HugePacket(captured));
        }
        if window.hold(length) { Ok(true) } else { Err(Damage::CutPacket) }
    }
}

/// Whether a header begins with this number, in the byte order of either machine: a record whose time
/// that was would be of the year 2055 or later, or of the 1970s.
fn is_magic(number: u32) -> bool {
    MAGICS.contains(&number) || MAGICS.contains(&number.swap_bytes())
}

/// The header, and the function that parses the records after it.
///
/// The "modified" form of an old Linux patch has eight more bytes in every record. The crate knows
/// it in little-endian files only, so the header and the records of big-endian ones are read here.
fn parse_header(bytes: &[u8]) -> PcapParsed<'_, (PcapHeader, ParseRecord)> {
    let modified = PcapHeader { magic_number: 0xa1b2_cd34, ..PcapHeader::new() };
    if !bytes.starts_with(&modified.magic_number.to_be_bytes()) {
        let (rest, header) = parse_pcap_header(bytes)?;
        let parse: ParseRecord = if header.is_modified_format() {
            parse_pcap_frame_modified
        } else if header.is_bigendian() {
            parse_pcap_frame_be
        } else {
            parse_pcap_frame
        };
        return Ok((rest, (header, parse)));
    }
    let (rest, _magic_versions_zone_and_accuracy) = take(16_usize)(bytes)?;
    let (rest, (snaplen, network)) = (be_u32, be_u32).parse(rest)?;
    let network = pcap_parser::Linktype(network.cast_signed());
    Ok((rest, (PcapHeader { snaplen, network, ..modified }, parse_pcap_frame_modified_be)))
}

/// Like `parse_pcap_frame_modified`, for the byte order that the crate does not have.
fn parse_pcap_frame_modified_be(bytes: &[u8]) -> PcapParsed<'_, LegacyPcapBlock<'_>> {
    let (rest, head) = take(24_usize)(bytes)?;
    let (_, (seconds, fraction, captured, wire_length)) =
        (be_u32, be_u32, be_u32, be_u32).parse(head)?;
    let (rest, data) = take(captured)(rest)?;
    let record = LegacyPcapBlock {
        ts_sec: seconds,
        ts_usec: fraction,
        caplen: captured,
        origlen: wire_length,
        data,
    };
    Ok((rest, record))
}
