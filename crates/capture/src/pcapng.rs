//! The newer capture format: blocks in sections (draft-ietf-opsawg-pcapng).
//!
//! Packet blocks of all three kinds are parsed, section headers and interface descriptions as far
//! as packets depend on them; every other block is skipped, whatever its length. What a block says
//! about its packets is in [`super::packet`].
//!
//! A block that cannot be parsed is skipped alone: reading continues after it, and skipped blocks
//! are counted. If a length is wrong, the next block is searched for ([`super::resync`]); the file
//! ends only if none is found.

use pcap_parser::nom::number::{
    Endianness,
    complete::{u16, u32},
};
use pcap_parser::nom::{Err, IResult, Offset, Parser, error::Error};
use pcap_parser::pcapng::{
    BOM_MAGIC, EPB_MAGIC, IDB_MAGIC, SHB_MAGIC, SPB_MAGIC, parse_sectionheaderblock,
};

use text::NO_TIME;

use super::format::{FormatReader, FrameHead, LONGEST_BLOCK};
use super::packet::{InterfaceBlock, OBSOLETE_PACKET, PacketBlock};
use super::resync;
use super::warning::{Damage, SkippedBlocks};
use super::window::Window;

/// The major version; the minor one does not matter here.
const VERSION: u16 = 1;
/// Type, length, and the length again after the contents.
pub(super) const BLOCK_FRAME: usize = 12;

const MAX_INTERFACES: usize = 1 << 16;

/// The kind of the next block.
enum BlockKind {
    Packet(FrameHead),
    Other,
    /// There is none.
    None,
}

/// Reads the blocks of one file.
pub(super) struct PcapngReader {
    order: Endianness,
    /// The interfaces of this section, in the order of their description; nothing for one that
    /// could not be parsed.
    interfaces: Vec<Option<InterfaceBlock>>,
    /// Whether a section header has been read.
    begun: bool,
    /// Blocks that could not be parsed.
    pub skipped: Option<SkippedBlocks>,
}

impl PcapngReader {
    /// A reader for files with this beginning. The type of a section header is the same in both
    /// byte orders and could begin a text; the byte order that follows it could not.
    pub fn from_beginning(beginning: &[u8]) -> Option<Self> {
        let beginning = beginning.get(..FormatReader::RECOGNISED_BY).unwrap_or(beginning);
        let known = !matches!(parse_sectionheaderblock(beginning), Err(Err::Error(_)));
        let (interfaces, begun, skipped) = (Vec::new(), false, None);
        (known && beginning.starts_with(&SHB_MAGIC.to_le_bytes())).then_some(Self {
            order: Endianness::Little,
            interfaces,
            begun,
            skipped,
        })
    }

    #[inline]
    pub fn next(&mut self, window: &mut Window) -> Result<Option<FrameHead>, Damage> {
        loop {
            match self.block(window) {
                Ok(BlockKind::Packet(head)) => return Ok(Some(head)),
                Ok(BlockKind::Other) => {}
                Ok(BlockKind::None) => return Ok(None),
                Err(damage) => self.resync(damage, window)?,
            }
        }
    }

    /// Reads the next block.
    #[inline]
    fn block(&mut self, window: &mut Window) -> Result<BlockKind, Damage> {
        let Some((kind, length)) = self.peek(window)? else {
            return Ok(BlockKind::None);
        };
        if !matches!(kind, SHB_MAGIC | IDB_MAGIC | EPB_MAGIC | SPB_MAGIC | OBSOLETE_PACKET) {
            self.skip_block(window, length)?;
            return Ok(BlockKind::Other);
        }
        self.hold(window, length)?;
        let read = self.read_block(kind, length, window);
        if let Err(Damage::Section) = read {
            return Err(Damage::Section);
        }
        window.pass(length as usize);
        match read {
            Ok(Some(head)) => Ok(BlockKind::Packet(head)),
            Ok(None) => Ok(BlockKind::Other),
            Err(damage) => {
                self.count_skipped(damage, window);
                Ok(BlockKind::Other)
            }
        }
    }

    /// Continues after a block with a wrong length, if the next one is found.
    #[cold]
    fn resync(&mut self, damage: Damage, window: &mut Window) -> Result<(), Damage> {
        let lies = matches!(
            damage,
            Damage::CutBlock
                | Damage::Zeros
                | Damage::HugeBlock(_)
                | Damage::BlockLength(_)
                | Damage::BlockEnd { .. }
        );
        if !lies || !self.begun || !resync::pass_damage(window, self.order) {
            return Err(damage);
        }
        self.count_skipped(damage, window);
        Ok(())
    }

    /// Skips the block at the mark.
    #[cold]
    fn count_skipped(&mut self, damage: Damage, window: &Window) {
        self.damage_at_mark(damage, window).blocks += 1;
    }

    /// The skipped blocks so far, with damage in the block at the mark.
    #[cold]
    fn damage_at_mark(&mut self, damage: Damage, window: &Window) -> &mut SkippedBlocks {
        let offset = window.marked();
        let none = || SkippedBlocks { first: damage, offset, blocks: 0, options: 0 };
        self.skipped.get_or_insert_with(none)
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

    /// Skips a block; only its last number is read.
    fn skip_block(&self, window: &mut Window, length: u32) -> Result<(), Damage> {
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

    /// Parses the block in the window. Returns its frame if it is a packet.
    #[inline]
    fn read_block(
        &mut self,
        kind: u32,
        length: u32,
        window: &Window,
    ) -> Result<Option<FrameHead>, Damage> {
        let bytes = window.bytes().get(..length as usize).unwrap_or_default();
        let contents = bytes.get(8..length as usize - 4).unwrap_or_default();
        let packet = match kind {
            EPB_MAGIC => PacketBlock::enhanced(contents, self.order),
            SPB_MAGIC => {
                let first = self.interfaces.first().and_then(Option::as_ref);
                PacketBlock::simple(contents, self.order, first)
            }
            OBSOLETE_PACKET => PacketBlock::obsolete(contents, self.order),
            SHB_MAGIC => return self.begin(contents).map(|()| None),
            _ => return self.describe(contents, window).map(|()| None),
        };
        let packet = packet.ok_or(Damage::ShortBlock)?;
        if packet.overruns {
            self.damage_at_mark(Damage::LongOption, window).options += 1;
        }
        let interface = self.interfaces.get(packet.interface as usize).copied().flatten();
        let interface = interface.ok_or(Damage::UnknownInterface(packet.interface))?;
        let ticks = |(high, low)| interface.clock.nanoseconds(high, low);
        let at = bytes.offset(packet.data);
        let start = window.position() + at;
        let options = if kind == SPB_MAGIC {
            0..0
        } else {
            let behind = start + packet.data.len().next_multiple_of(4);
            behind..window.position() + bytes.len() - 4
        };
        Ok(Some(FrameHead {
            time: packet.ticks.map_or(NO_TIME, ticks),
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
    fn begin(&mut self, contents: &[u8]) -> Result<(), Damage> {
        let head: IResult<_, _, Error<_>> = (u32(self.order), u16(self.order)).parse(contents);
        if head.ok().is_none_or(|(_, (_, version))| version != VERSION) {
            return Err(Damage::Section);
        }
        self.interfaces.clear();
        self.begun = true;
        Ok(())
    }

    /// Adds an interface. One that cannot be parsed keeps its number, so that the next ones have
    /// theirs.
    fn describe(&mut self, contents: &[u8], window: &Window) -> Result<(), Damage> {
        if self.interfaces.len() == MAX_INTERFACES {
            return Err(Damage::TooManyInterfaces(MAX_INTERFACES));
        }
        let interface = InterfaceBlock::new(contents, self.order);
        self.interfaces.push(interface.map(|(interface, _)| interface));
        let (_, lies) = interface.ok_or(Damage::ShortBlock)?;
        if lies {
            self.damage_at_mark(Damage::LongOption, window).options += 1;
        }
        Ok(())
    }

    /// The damage if the file ends inside a block.
    #[cold]
    fn cut(&self) -> Damage {
        if self.begun { Damage::CutBlock } else { Damage::CutHeader }
    }
}

/// The byte order that a section header declares for its section.
pub(super) fn section_order(block: &[u8]) -> Option<Endianness> {
    let declared = block.get(8..)?.first_chunk::<4>()?;
    if *declared == BOM_MAGIC.to_le_bytes() {
        Some(Endianness::Little)
    } else if *declared == BOM_MAGIC.to_be_bytes() {
        Some(Endianness::Big)
    } else {
        None
    }
}
