//! Captures that are written: pcapng with comments, and classic pcap. Both little-endian, both in
//! nanoseconds.

use std::io::{self, ErrorKind, Write};

use super::Frame;

/// A frame to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    /// Nanoseconds since the Unix epoch; neither format has a time before it.
    pub time: i64,
    /// LINKTYPE_ number.
    pub link: u16,
    /// Bytes of frame check sequence at the end of the frame.
    pub fcs: u8,
    /// The captured bytes.
    pub bytes: &'a [u8],
    /// How long the frame was on the wire.
    pub wire_length: u32,
    /// What Wireshark shows as the packet's comment; empty for none. Only pcapng has them, and
    /// none longer than 65535 bytes.
    pub comment: &'a str,
}

/// Writes a pcapng file of one section. An interface is described when its first frame comes.
pub struct PcapNg<W> {
    out: W,
    /// Link type and check sequence of each interface.
    interfaces: Vec<(u16, u8)>,
    block: Vec<u8>,
}

/// Writes a classic pcap file, whose frames are all of one link type.
pub struct Pcap<W> {
    out: W,
    link: u16,
    fcs: u8,
}

impl<'a> From<Frame<'a>> for Record<'a> {
    fn from(frame: Frame<'a>) -> Self {
        let Frame { time, link, fcs, bytes, wire_length, .. } = frame;
        Self { time, link, fcs, bytes, wire_length, comment: "" }
    }
}

impl<W: Write> PcapNg<W> {
    /// Begins a file.
    pub fn new(out: W) -> io::Result<Self> {
        let mut file = Self { out, interfaces: Vec::new(), block: Vec::new() };
        file.begin();
        file.number(0x1a2b_3c4d);
        file.block.extend_from_slice(&[1, 0, 0, 0]);
        // The length of the section is not known yet, which is written as -1.
        file.block.extend_from_slice(&[0xff; 8]);
        file.end(0x0a0d_0d0a)?;
        Ok(file)
    }

    /// Appends a frame.
    pub fn write(&mut self, record: &Record<'_>) -> io::Result<()> {
        let interface = self.interface(record.link, record.fcs)?;
        let ticks = u64::try_from(record.time).unwrap_or_default();
        self.begin();
        self.number(interface);
        self.number((ticks >> 32) as u32);
        self.number(ticks as u32);
        self.number(length_of(record.bytes)?);
        self.number(record.wire_length);
        self.padded(record.bytes);
        if !record.comment.is_empty() {
            let end = record.comment.floor_char_boundary(usize::from(u16::MAX));
            let comment = record.comment.get(..end).unwrap_or_default();
            self.option(1, comment.as_bytes());
            self.option(0, &[]);
        }
        self.end(6)
    }

    /// Writes out what is buffered below and gives the writer back.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }

    /// The number of the interface with this link type, described if it is new.
    fn interface(&mut self, link: u16, fcs: u8) -> io::Result<u32> {
        if let Some(known) = self.interfaces.iter().position(|known| *known == (link, fcs)) {
            return Ok(known as u32);
        }
        self.begin();
        self.block.extend_from_slice(&link.to_le_bytes());
        self.block.extend_from_slice(&[0; 2]);
        // No snap length.
        self.number(0);
        // if_tsresol: nanoseconds.
        self.option(9, &[9]);
        if fcs > 0 {
            // if_fcslen, in bits.
            self.option(13, &[fcs.saturating_mul(8)]);
        }
        self.option(0, &[]);
        self.end(1)?;
        self.interfaces.push((link, fcs));
        Ok(self.interfaces.len() as u32 - 1)
    }

    /// Begins a block. Its type and length are written when its end is known.
    fn begin(&mut self) {
        self.block.clear();
    }

    fn number(&mut self, number: u32) {
        self.block.extend_from_slice(&number.to_le_bytes());
    }

    fn padded(&mut self, bytes: &[u8]) {
        self.block.extend_from_slice(bytes);
        self.block.resize(self.block.len().next_multiple_of(4), 0);
    }

    fn option(&mut self, code: u16, value: &[u8]) {
        self.block.extend_from_slice(&code.to_le_bytes());
        self.block.extend_from_slice(&(value.len() as u16).to_le_bytes());
        self.padded(value);
    }

    fn end(&mut self, kind: u32) -> io::Result<()> {
        let length = length_of(&self.block)?.saturating_add(12).to_le_bytes();
        self.out.write_all(&kind.to_le_bytes())?;
        self.out.write_all(&length)?;
        self.out.write_all(&self.block)?;
        self.out.write_all(&length)
    }
}

impl<W: Write> Pcap<W> {
    /// Begins a file of frames with this link type and this many bytes of check sequence.
    pub fn new(mut out: W, link: u16, fcs: u8) -> io::Result<Self> {
        let states_fcs = if fcs > 0 { u32::from(fcs / 2) << 28 | 0x0400_0000 } else { 0 };
        for number in [0xa1b2_3c4d, 0x0004_0002, 0, 0, 0x0004_0000, u32::from(link) | states_fcs] {
            out.write_all(&u32::to_le_bytes(number))?;
        }
        Ok(Self { out, link, fcs })
    }

    /// Appends a frame. Its comment has no place here and is left out; another link type is an
    /// error.
    pub fn write(&mut self, record: &Record<'_>) -> io::Result<()> {
        if (record.link, record.fcs) != (self.link, self.fcs) {
            let why = "a pcap file holds frames of one link type; pcapng holds several";
            return Err(io::Error::new(ErrorKind::InvalidInput, why));
        }
        let time = u64::try_from(record.time).unwrap_or_default();
        let seconds = u32::try_from(time / 1_000_000_000).unwrap_or(u32::MAX);
        let nanoseconds = (time % 1_000_000_000) as u32;
        let captured = length_of(record.bytes)?;
        for number in [seconds, nanoseconds, captured, record.wire_length] {
            self.out.write_all(&number.to_le_bytes())?;
        }
        self.out.write_all(record.bytes)
    }

    /// Writes out what is buffered below and gives the writer back.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

fn length_of(bytes: &[u8]) -> io::Result<u32> {
    u32::try_from(bytes.len())
        .map_err(|_| io::Error::new(ErrorKind::InvalidInput, "a frame longer than 4 GiB"))
}
