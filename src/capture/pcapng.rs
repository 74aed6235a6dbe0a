//! The newer capture format: blocks in sections (draft-ietf-opsawg-pcapng).
//!
//! Packet blocks of all three kinds are read, section headers and interface descriptions as far as
//! packets depend on them; every other block is passed over unread, whatever its length. The crate
//! `pcap-parser` reads a block once the window holds all of it. Type and length are read here
//! before, so that no length is believed that no block has, and so is the length at the end, which
//! the crate compares in some blocks only and never tells. What the block means for its packets is
//! in [`super::packet`].

use pcap_parser::nom::number::{Endianness, complete::u32};
use pcap_parser::nom::{Err, IResult, Offset, Parser, error::Error};
use pcap_parser::pcapng::{
    BOM_MAGIC, Block, EPB_MAGIC, IDB_MAGIC, InterfaceDescriptionBlock, SHB_MAGIC, SPB_MAGIC,
    SectionHeaderBlock, parse_block_be, parse_block_le, parse_sectionheaderblock,
};

use super::format::{Format, Head, LONGEST_BLOCK};
use super::packet::{Interface, OBSOLETE_PACKET, Packet};
use super::warning::Damage;
use super::window::Window;

/// The major version; the minor one changes nothing that is read here.
const VERSION: u16 = 1;
/// Type, length, and length again behind the contents.
const BLOCK_FRAME: usize = 12;

const MAX_INTERFACES: usize = 1 << 16;

/// Reads the blocks of one file.
pub(super) struct Reader {
    order: Endianness,
    /// The interfaces of this section, in the order of their description.
    interfaces: Vec<Interface>,
    /// The time of the last packet that had one.
    time: i64,
    /// Whether a section header has been read.
    begun: bool,
}

impl Reader {
    /// A reader for files that begin so. The type of a section header reads the same in both byte
    /// orders and could begin a text; the byte order that follows it could not.
    pub fn of(beginning: &[u8]) -> Option<Self> {
        let beginning = beginning.get(..Format::RECOGNISED_BY).unwrap_or(beginning);
        let known = !matches!(parse_sectionheaderblock(beginning), Err(Err::Error(_)));
        let (interfaces, time, begun) = (Vec::new(), 0, false);
        (known && beginning.starts_with(&SHB_MAGIC.to_le_bytes())).then_some(Self {
            order: Endianness::Little,
            interfaces,
            time,
            begun,
        })
    }

    #[inline]
    pub fn next(&mut self, window: &mut Window) -> Result<Option<Head>, Damage> {
        while let Some((kind, length)) = self.peek(window)? {
            if !matches!(kind, SHB_MAGIC | IDB_MAGIC | EPB_MAGIC | SPB_MAGIC | OBSOLETE_PACKET) {
                self.pass_over(window, length)?;
                continue;
            }
            self.hold(window, length)?;
            let head = self.read(kind, length, window)?;
            window.pass(length as usize);
            if head.is_some() {
                return Ok(head);
            }
        }
        Ok(None)
    }

    /// Type and length of the block that begins here; nothing at the end. A section header sets
    /// the byte order first: its own length is already written in it.
    #[inline]
    fn peek(&mut self, window: &mut Window) -> Result<Option<(u32, u32)>, Damage> {
        window.mark();
        if !window.hold(BLOCK_FRAME) {
            return if window.bytes().is_empty() { Ok(None) } else { Err(self.cut()) };
        }
        if window.bytes().starts_with(&SHB_MAGIC.to_le_bytes()) {
            self.order = section_order(window.bytes()).ok_or(Damage::Section)?;
        }
        let head: IResult<_, _, Error<_>> =
            (u32(self.order), u32(self.order)).parse(window.bytes());
        let Ok((_, (kind, length))) = head else { return Err(self.cut()) };
        if (kind, length) == (0, 0) {
            return Err(Damage::Zeros);
        }
        if (length as usize) < BLOCK_FRAME || !length.is_multiple_of(4) {
            return Err(Damage::BlockLength(length));
        }
        Ok(Some((kind, length)))
    }

    /// Reads a whole block into the window and checks the length at its end.
    #[inline]
    fn hold(&self, window: &mut Window, length: u32) -> Result<(), Damage> {
        if length > LONGEST_BLOCK {
            return Err(Damage::HugeBlock(length));
        }
        if !window.hold(length as usize) {
            return Err(self.cut());
        }
        self.check_end(length, window.bytes().get(length as usize - 4..))
    }

    /// Passes over a block without holding more of it than its last number.
    fn pass_over(&self, window: &mut Window, length: u32) -> Result<(), Damage> {
        if !window.skip(u64::from(length) - 4) || !window.hold(4) {
            return Err(Damage::CutBlock);
        }
        self.check_end(length, Some(window.bytes()))?;
        window.pass(4);
        Ok(())
    }

    /// The length at the end of a block repeats the one at its beginning.
    #[inline]
    fn check_end(&self, before: u32, end: Option<&[u8]>) -> Result<(), Damage> {
        let after: IResult<_, _, Error<_>> = u32(self.order)(end.unwrap_or_default());
        match after {
            Ok((_, after)) if after == before => Ok(()),
            Ok((_, after)) => Err(Damage::BlockEnd { before, after }),
            Err(_) => Err(Damage::CutBlock),
        }
    }

    /// Reads the block that the window holds. Answers with its frame if it is a packet.
    ///
    /// The crate's errors borrow the window, and of a block that is whole they all say the same.
    /// Its options come as a list, which takes at most eight times the memory that they take in
    /// the window.
    #[inline]
    fn read(&mut self, kind: u32, length: u32, window: &Window) -> Result<Option<Head>, Damage> {
        let bytes = window.bytes().get(..length as usize).unwrap_or_default();
        let parsed = match self.order {
            Endianness::Big => parse_block_be(bytes),
            _ => parse_block_le(bytes),
        };
        let Ok((_, block)) = parsed else { return Err(Damage::ShortBlock) };
        let packet = match block {
            Block::EnhancedPacket(block) => Packet::enhanced(&block, self.order),
            Block::SimplePacket(block) => Packet::simple(&block, self.interfaces.first()),
            Block::Unknown(block) if kind == OBSOLETE_PACKET => {
                Packet::obsolete(&block, self.order)
            }
            Block::SectionHeader(block) => return self.begin(&block).map(|()| None),
            Block::InterfaceDescription(block) => return self.describe(&block).map(|()| None),
            _ => return Ok(None),
        };
        let packet = packet.ok_or(Damage::ShortBlock)?;
        let interface = *self
            .interfaces
            .get(packet.interface as usize)
            .ok_or(Damage::UnknownInterface(packet.interface))?;
        if let Some((high, low)) = packet.ticks {
            self.time = interface.clock.nanoseconds(high, low);
        }
        let at = bytes.offset(packet.data);
        let start = window.position() + at;
        let options = if kind == SPB_MAGIC {
            0..0
        } else {
            let behind = start + packet.data.len().next_multiple_of(4);
            behind..window.position() + bytes.len() - 4
        };
        Ok(Some(Head {
            time: self.time,
            link: interface.link,
            fcs: packet.fcs.unwrap_or(interface.fcs),
            wire_length: packet.wire_length.max(packet.data.len() as u32),
            range: start..start + packet.data.len(),
            offset: window.offset() + at as u64,
            options,
            order: self.order,
        }))
    }

    /// A new section has interfaces of its own.
    fn begin(&mut self, section: &SectionHeaderBlock<'_>) -> Result<(), Damage> {
        if section.major_version != VERSION {
            return Err(Damage::Section);
        }
        self.interfaces.clear();
        self.begun = true;
        Ok(())
    }

    fn describe(&mut self, interface: &InterfaceDescriptionBlock<'_>) -> Result<(), Damage> {
        if self.interfaces.len() == MAX_INTERFACES {
            return Err(Damage::TooManyInterfaces(MAX_INTERFACES));
        }
        self.interfaces.push(Interface::new(interface, self.order));
        Ok(())
    }

    /// What it means that the file ends inside a block.
    #[cold]
    fn cut(&self) -> Damage {
        if self.begun { Damage::CutBlock } else { Damage::CutHeader }
    }
}

/// The byte order that a section header declares for its section.
fn section_order(block: &[u8]) -> Option<Endianness> {
    let declared = block.get(8..)?.first_chunk::<4>()?;
    if *declared == BOM_MAGIC.to_le_bytes() {
        Some(Endianness::Little)
    } else if *declared == BOM_MAGIC.to_be_bytes() {
        Some(Endianness::Big)
    } else {
        None
    }
}
