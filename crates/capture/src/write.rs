//! Writing of captures: pcapng with comments, and classic pcap. Both little-endian, with times in
//! nanoseconds. The crate `pcap-parser` serialises the blocks and records.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};

use pcap_parser::pcapng::{
    BOM_MAGIC, EPB_MAGIC, EnhancedPacketBlock, IDB_MAGIC, ISB_MAGIC, InterfaceDescriptionBlock,
    InterfaceStatisticsBlock, OptionCode, PcapNGOption, SHB_MAGIC, SPB_MAGIC, SectionHeaderBlock,
};
use pcap_parser::{LegacyPcapBlock, Linktype, PcapHeader, ToVec};

use super::Frame;
use super::format::{LONGEST_BLOCK, LONGEST_PACKET};
use super::live::{Counters, LiveDevice};
use super::packet::IF_FCSLEN;
use super::pcapng::BLOCK_FRAME;

/// The overhead of a packet block beside its packet and options, including padding and the end of
/// options.
const BLOCK: usize = 40;
/// The option codes of an interface statistics block (pcapng, section 4.6).
const ISB_IFRECV: u16 = 4;
const ISB_IFDROP: u16 = 5;
const ISB_FILTERACCEPT: u16 = 6;
const ISB_OSDROP: u16 = 7;
const ISB_USRDELIV: u16 = 8;

/// LINKTYPE_ number of IP packets without a link-layer header.
const RAW_IP: u16 = 101;

/// A frame to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameRecord<'a> {
    /// Nanoseconds since the Unix epoch; neither format has a time before it. With
    /// [`text::NO_TIME`], a frame of the first interface is written to pcapng as a simple packet block,
    /// unless it is cut or has comments, which need a block with a time: then that is 0, as in pcap.
    pub time: i64,
    /// LINKTYPE_ number.
    pub link: u16,
    /// Bytes of frame check sequence at the end of the frame.
    pub fcs: u8,
    /// The captured bytes.
    pub bytes: &'a [u8],
    /// How long the frame was on the wire.
    pub wire_length: u32,
    /// The packet's comment, as Wireshark shows it; empty for none. Only pcapng has comments, with
    /// at most 65535 bytes.
    pub comment: &'a str,
    /// The index of its described interface; 0 if none was described. Only pcapng has it.
    pub interface: u16,
}

/// Writes a pcapng file of one section. An interface is described before its first frame.
pub struct PcapNg<W> {
    out: W,
    /// Its number in [`FrameRecord`], and its link type and check sequence.
    interfaces: Vec<(u16, u16, u8)>,
}

/// Writes a classic pcap file; all frames have the same link type.
pub struct PcapWriter<W> {
    out: W,
    link: u16,
    fcs: u8,
}

impl<'a> FrameRecord<'a> {
    /// A whole IP packet without a link-layer header, at a time in nanoseconds since the Unix epoch.
    pub fn ip(time: i64, bytes: &'a [u8], comment: &'a str) -> Self {
        let wire_length = bytes.len() as u32;
        Self { time, link: RAW_IP, fcs: 0, bytes, wire_length, comment, interface: 0 }
    }
}

impl<'a> From<Frame<'a>> for FrameRecord<'a> {
    fn from(frame: Frame<'a>) -> Self {
        let Frame { time, link, fcs, bytes, wire_length, interface, .. } = frame;
        Self { time, link, fcs, bytes, wire_length, comment: "", interface }
    }
}

#[expect(
    clippy::missing_errors_doc,
    reason = "all errors are those of the given writer, or of a frame that is too long"
)]
impl<W: Write> PcapNg<W> {
    /// Begins a file.
    pub fn new(mut out: W) -> io::Result<Self> {
        let mut section = SectionHeaderBlock {
            block_type: SHB_MAGIC,
            block_len1: 0,
            bom: BOM_MAGIC,
            major_version: 1,
            minor_version: 0,
            // The length of the section is not known yet.
            section_len: -1,
            options: Vec::new(),
            block_len2: 0,
        };
        out.write_all(&section.to_vec().map_err(io::Error::other)?)?;
        Ok(Self { out, interfaces: Vec::new() })
    }

    /// Appends a frame. One that is longer than 16 MiB is an error: no reader accepts it.
    pub fn write(&mut self, record: &FrameRecord<'_>) -> io::Result<()> {
        self.write_with_comments(std::iter::empty(), record)
    }

    /// The same, with comments before the record's own. Comments that would make the block too long
    /// to be read again are left out.
    pub fn write_with_comments<'c>(
        &mut self,
        comments: impl Iterator<Item = &'c [u8]>,
        record: &FrameRecord<'c>,
    ) -> io::Result<()> {
        let captured = length_of(record.bytes)?;
        let interface = self.interface(record.interface, record.link, record.fcs)?;
        let ticks = u64::try_from(record.time).unwrap_or_default();
        let end = record.comment.floor_char_boundary(usize::from(u16::MAX));
        let comment = record.comment.get(..end).unwrap_or_default();
        let mut space = LONGEST_BLOCK as usize - BLOCK - record.bytes.len();
        let mut fits = |text: &&[u8]| {
            let needed = 4 + text.len().next_multiple_of(4);
            let fits = !text.is_empty() && u16::try_from(text.len()).is_ok() && needed <= space;
            space -= if fits { needed } else { 0 };
            fits
        };
        let comments = comments.chain([comment.as_bytes()]).filter(|text| fits(text));
        let options: Vec<_> = comments.map(|text| option(OptionCode::Comment, text)).collect();
        let is_whole = record.wire_length == captured;
        let is_plain = interface == 0 && options.is_empty();
        if !text::has_time(record.time) && is_whole && is_plain {
            return self.write_simple(record);
        }
        let mut packet = EnhancedPacketBlock {
            block_type: EPB_MAGIC,
            block_len1: 0,
            if_id: interface,
            ts_high: (ticks >> 32) as u32,
            ts_low: ticks as u32,
            caplen: captured,
            origlen: record.wire_length,
            data: record.bytes,
            options,
            block_len2: 0,
        };
        self.out.write_all(&packet.to_vec().map_err(io::Error::other)?)
    }

    /// Appends a frame of the first interface as a block that has no time.
    fn write_simple(&mut self, record: &FrameRecord<'_>) -> io::Result<()> {
        let padded = record.bytes.len().next_multiple_of(4);
        let length = ((BLOCK_FRAME + 4 + padded) as u32).to_le_bytes();
        let head = [SPB_MAGIC.to_le_bytes(), length, record.wire_length.to_le_bytes()];
        self.out.write_all(head.as_flattened())?;
        self.out.write_all(record.bytes)?;
        self.out.write_all([0; 3].get(..padded - record.bytes.len()).unwrap_or_default())?;
        self.out.write_all(&length)
    }

    /// Flushes and returns the underlying writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }

    /// Flushes the buffer: everything written so far can be read.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// The underlying writer.
    pub fn get_ref(&self) -> &W {
        &self.out
    }

    /// The same, without the rest.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Describes the interface with the number `interface`, before its first record.
    pub(crate) fn describe(&mut self, interface: u16, device: &LiveDevice) -> io::Result<()> {
        let LiveDevice { name, filter, link, snap_length } = device;
        // The first byte means that a filter as text follows.
        let filter = [&[0], filter.as_bytes()].concat();
        let options = [
            Some(option(OptionCode::IfName, name.as_bytes())),
            (filter.len() > 1).then(|| option(OptionCode::IfFilter, &filter)),
        ];
        let options = options.into_iter().flatten().collect();
        self.begin_interface((interface, *link, 0), *snap_length, options)?;
        Ok(())
    }

    /// Writes the packet counters of a described interface, as of `time` in nanoseconds since the
    /// Unix epoch.
    pub(crate) fn statistics(
        &mut self,
        interface: u16,
        time: i64,
        counters: &Counters,
    ) -> io::Result<()> {
        let known = self.interfaces.iter().position(|(number, ..)| *number == interface);
        let Some(number) = known else { return Ok(()) };
        let ticks = u64::try_from(time).unwrap_or_default();
        let counts = [
            (ISB_IFRECV, counters.received.to_le_bytes()),
            (ISB_IFDROP, counters.dropped_by_interface.to_le_bytes()),
            (ISB_FILTERACCEPT, counters.received.to_le_bytes()),
            (ISB_OSDROP, counters.dropped_by_kernel.to_le_bytes()),
            (ISB_USRDELIV, counters.delivered.to_le_bytes()),
        ];
        let comment = format!("dropped by fragshark itself: {}", counters.dropped_by_us);
        let comment = option(OptionCode::Comment, comment.as_bytes());
        let counts = counts.iter().map(|(code, count)| option(OptionCode(*code), count));
        let end = option(OptionCode::EndOfOpt, &[]);
        let mut block = InterfaceStatisticsBlock {
            block_type: ISB_MAGIC,
            block_len1: 0,
            if_id: number as u32,
            ts_high: (ticks >> 32) as u32,
            ts_low: ticks as u32,
            options: [comment].into_iter().chain(counts).chain([end]).collect(),
            block_len2: 0,
        };
        self.out.write_all(&block.to_vec().map_err(io::Error::other)?)
    }

    /// The number of the interface with this link type, described if it is new.
    fn interface(&mut self, interface: u16, link: u16, fcs: u8) -> io::Result<u32> {
        let wanted = (interface, link, fcs);
        if let Some(known) = self.interfaces.iter().position(|known| *known == wanted) {
            return Ok(known as u32);
        }
        // No snap length.
        self.begin_interface(wanted, 0, Vec::new())
    }

    fn begin_interface(
        &mut self,
        (interface, link, fcs): (u16, u16, u8),
        snap_length: u32,
        names: Vec<PcapNGOption<'_>>,
    ) -> io::Result<u32> {
        let resolution = option(OptionCode::IfTsresol, &[9]);
        // In bits.
        let length = [fcs.saturating_mul(8)];
        let check_sequence = (fcs > 0).then(|| option(IF_FCSLEN, &length));
        let end = option(OptionCode::EndOfOpt, &[]);
        let options = [Some(resolution), check_sequence, Some(end)];
        let mut all = names;
        all.extend(options.into_iter().flatten());
        let options = all;
        // Values are padded to four bytes after their code and length.
        let lengths = options.iter().map(|option| 4 + u32::from(option.len).next_multiple_of(4));
        let block_length = 20 + lengths.sum::<u32>();
        let description = InterfaceDescriptionBlock {
            block_type: IDB_MAGIC,
            block_len1: block_length,
            linktype: Linktype(link.into()),
            reserved: 0,
            snaplen: snap_length,
            options,
            block_len2: block_length,
            if_tsresol: 9,
            if_tsoffset: 0,
        };
        // Written raw, because the crate's corrections add an offset of zero seconds to every
        // interface.
        self.out.write_all(&description.to_vec_raw().map_err(io::Error::other)?)?;
        self.interfaces.push((interface, link, fcs));
        Ok(self.interfaces.len() as u32 - 1)
    }
}

#[expect(
    clippy::missing_errors_doc,
    reason = "all errors are those of the given writer, or of a frame that does not fit"
)]
impl<W: Write> PcapWriter<W> {
    /// Begins a file of frames with this link type and this many bytes of check sequence.
    pub fn new(mut out: W, link: u16, fcs: u8) -> io::Result<Self> {
        let states_fcs = if fcs > 0 { u32::from(fcs / 2) << 28 | 0x0400_0000 } else { 0 };
        let header = PcapHeader {
            magic_number: 0xa1b2_3c4d,
            snaplen: LONGEST_PACKET,
            network: Linktype((u32::from(link) | states_fcs).cast_signed()),
            ..PcapHeader::new()
        };
        out.write_all(&header.to_vec_raw().map_err(io::Error::other)?)?;
        Ok(Self { out, link, fcs })
    }

    /// Appends a frame. pcap has no comments: it is left out; another link type is an error.
    pub fn write(&mut self, record: &FrameRecord<'_>) -> io::Result<()> {
        if (record.link, record.fcs) != (self.link, self.fcs) {
            let why = "a pcap file holds frames of one link type; pcapng holds several";
            return Err(io::Error::new(ErrorKind::InvalidInput, why));
        }
        let time = u64::try_from(record.time).unwrap_or_default();
        let block = LegacyPcapBlock {
            ts_sec: u32::try_from(time / 1_000_000_000).unwrap_or(u32::MAX),
            ts_usec: (time % 1_000_000_000) as u32,
            caplen: length_of(record.bytes)?,
            origlen: record.wire_length,
            data: record.bytes,
        };
        self.out.write_all(&block.to_vec_raw().map_err(io::Error::other)?)
    }

    /// Flushes and returns the underlying writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

fn option(code: OptionCode, value: &[u8]) -> PcapNGOption<'_> {
    PcapNGOption { code, len: value.len() as u16, value: Cow::Borrowed(value) }
}

/// The crate adds lengths in 32 bits without checks; frames that no reader accepts are refused
/// before.
fn length_of(bytes: &[u8]) -> io::Result<u32> {
    let longest = LONGEST_BLOCK - BLOCK as u32;
    let length = u32::try_from(bytes.len()).ok().filter(|length| *length <= longest);
    length.ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "a frame longer than 16 MiB"))
}
