//! The newer capture format: blocks in sections (draft-ietf-opsawg-pcapng).
//!
//! Packet blocks of all three kinds are read, section headers and interface descriptions as far as
//! packets depend on them; every other block is passed over unread, whatever its length.

use super::clock::Clock;
use super::format::{Head, LONGEST_BLOCK};
use super::order::{Numbers, Order};
use super::warning::Damage;
use super::window::Window;

const SECTION_HEADER: u32 = 0x0a0d_0d0a;
const INTERFACE_DESCRIPTION: u32 = 1;
const PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const ENHANCED_PACKET: u32 = 6;

const BYTE_ORDER: u32 = 0x1a2b_3c4d;
/// The major version; the minor one changes nothing that is read here.
const VERSION: u16 = 1;
/// Type and length before a block's contents.
const BLOCK_HEAD: usize = 8;
/// Type, length, and length again behind the contents.
const BLOCK_FRAME: usize = 12;
/// Numbers before the data of an enhanced packet, and of the obsolete one.
const PACKET_HEAD: usize = 20;
/// The number before the data of a simple packet.
const SIMPLE_HEAD: usize = 4;

const MAX_INTERFACES: usize = 1 << 16;

/// Reads the blocks of one file.
pub(super) struct Reader {
    order: Order,
    /// The interfaces of this section, in the order of their description.
    interfaces: Vec<Interface>,
    /// The time of the last packet that had one.
    time: i64,
    /// Whether a section header has been read.
    begun: bool,
}

#[derive(Clone, Copy)]
struct Interface {
    link: u16,
    fcs: u8,
    snap_length: u32,
    clock: Clock,
}

/// What a packet block says of its data. The data itself lies `at` bytes behind the block's first.
struct Packet {
    interface: u32,
    /// Absent in a simple packet.
    ticks: Option<(u32, u32)>,
    captured: u32,
    wire_length: u32,
    at: usize,
    fcs: Option<u8>,
}

impl Reader {
    /// A reader for files that begin so. The type of a section header reads the same in both byte
    /// orders and could begin a text; the byte order that follows it could not.
    pub fn of(beginning: &[u8]) -> Option<Self> {
        let kind = Numbers::new(beginning, Order::Little).u32()?;
        let order = match beginning.len() {
            BLOCK_FRAME.. => section_order(beginning)?,
            _ => Order::Little,
        };
        let (interfaces, time, begun) = (Vec::new(), 0, false);
        (kind == SECTION_HEADER).then_some(Self { order, interfaces, time, begun })
    }

    #[inline]
    pub fn next(&mut self, window: &mut Window) -> Result<Option<Head>, Damage> {
        loop {
            let Some((kind, length)) = self.block(window)? else { return Ok(None) };
            match kind {
                ENHANCED_PACKET | PACKET | SIMPLE_PACKET => {
                    return self.packet(window, kind, length).map(Some);
                }
                SECTION_HEADER => {
                    let mut contents = self.hold(window, length)?;
                    if (contents.u32(), contents.u16()) != (Some(BYTE_ORDER), Some(VERSION)) {
                        return Err(Damage::Section);
                    }
                    self.interfaces.clear();
                    self.begun = true;
                    window.pass(length as usize);
                }
                INTERFACE_DESCRIPTION => {
                    let interface = Interface::read(self.hold(window, length)?)?;
                    if self.interfaces.len() == MAX_INTERFACES {
                        return Err(Damage::TooManyInterfaces(MAX_INTERFACES));
                    }
                    self.interfaces.push(interface);
                    window.pass(length as usize);
                }
                _ => self.pass_over(window, length)?,
            }
        }
    }

    /// Type and length of the block that begins here; nothing at the end. A section header sets
    /// the byte order first: its own length is already written in it.
    #[inline]
    fn block(&mut self, window: &mut Window) -> Result<Option<(u32, u32)>, Damage> {
        window.mark();
        if !window.hold(BLOCK_FRAME) {
            let cut = if self.begun { Damage::CutBlock } else { Damage::CutHeader };
            return if window.bytes().is_empty() { Ok(None) } else { Err(cut) };
        }
        let mut numbers = Numbers::new(window.bytes(), self.order);
        let (Some(kind), Some(mut length)) = (numbers.u32(), numbers.u32()) else {
            return Err(Damage::CutBlock);
        };
        if kind == SECTION_HEADER {
            self.order = section_order(window.bytes()).ok_or(Damage::Section)?;
            let mut numbers = Numbers::new(window.bytes(), self.order);
            (_, length) = (numbers.u32(), numbers.u32().ok_or(Damage::CutBlock)?);
        }
        if (kind, length) == (0, 0) {
            return Err(Damage::Zeros);
        }
        if (length as usize) < BLOCK_FRAME || !length.is_multiple_of(4) {
            return Err(Damage::BlockLength(length));
        }
        Ok(Some((kind, length)))
    }

    /// Reads a whole block and checks the length at its end. Answers with its contents.
    #[inline]
    fn hold<'w>(&self, window: &'w mut Window, length: u32) -> Result<Numbers<'w>, Damage> {
        if length > LONGEST_BLOCK {
            return Err(Damage::HugeBlock(length));
        }
        if !window.hold(length as usize) {
            return Err(if self.begun { Damage::CutBlock } else { Damage::CutHeader });
        }
        let mut numbers = Numbers::new(window.bytes(), self.order);
        let _head = numbers.bytes(BLOCK_HEAD);
        let contents = numbers.bytes(length as usize - BLOCK_FRAME).unwrap_or_default();
        check_end(length, numbers.u32())?;
        Ok(Numbers::new(contents, self.order))
    }

    /// Passes over a block without holding more of it than its last number.
    fn pass_over(&self, window: &mut Window, length: u32) -> Result<(), Damage> {
        if !window.skip(u64::from(length) - 4) || !window.hold(4) {
            return Err(Damage::CutBlock);
        }
        let end = Numbers::new(window.bytes(), self.order).u32();
        window.pass(4);
        check_end(length, end)
    }

    #[inline]
    fn packet(&mut self, window: &mut Window, kind: u32, length: u32) -> Result<Head, Damage> {
        let contents = self.hold(window, length)?;
        let packet = match kind {
            ENHANCED_PACKET => Packet::enhanced(contents),
            PACKET => Packet::obsolete(contents),
            _ => Packet::simple(contents, self.interfaces.first()),
        };
        let packet = packet.ok_or(Damage::ShortBlock)?;
        let interface = *self
            .interfaces
            .get(packet.interface as usize)
            .ok_or(Damage::UnknownInterface(packet.interface))?;
        if let Some((high, low)) = packet.ticks {
            self.time = interface.clock.nanoseconds(high, low);
        }
        let start = window.position() + packet.at;
        let head = Head {
            time: self.time,
            link: interface.link,
            fcs: packet.fcs.unwrap_or(interface.fcs),
            wire_length: packet.wire_length.max(packet.captured),
            range: start..start + packet.captured as usize,
            offset: window.offset() + packet.at as u64,
        };
        window.pass(length as usize);
        Ok(head)
    }
}

impl Packet {
    #[inline]
    fn enhanced(mut contents: Numbers<'_>) -> Option<Self> {
        let interface = contents.u32()?;
        Self::timed(interface, contents)
    }

    /// The obsolete packet block has a count of drops where the enhanced one has the upper half of
    /// the interface number.
    fn obsolete(mut contents: Numbers<'_>) -> Option<Self> {
        let interface = u32::from(contents.u16()?);
        let _drops = contents.u16()?;
        Self::timed(interface, contents)
    }

    #[inline]
    fn timed(interface: u32, mut contents: Numbers<'_>) -> Option<Self> {
        let ticks = Some((contents.u32()?, contents.u32()?));
        let captured = contents.u32()?;
        let wire_length = contents.u32()?;
        contents.bytes(captured as usize)?;
        contents.padding_of(captured as usize);
        let fcs = packet_fcs(contents);
        Some(Self { interface, ticks, captured, wire_length, at: BLOCK_HEAD + PACKET_HEAD, fcs })
    }

    /// A simple packet belongs to the first interface and is as long as it was on the wire, unless
    /// that interface's snap length is shorter.
    fn simple(mut contents: Numbers<'_>, first: Option<&Interface>) -> Option<Self> {
        let wire_length = contents.u32()?;
        let snap_length = first.map_or(0, |interface| interface.snap_length);
        let captured = if snap_length == 0 { wire_length } else { wire_length.min(snap_length) };
        contents.bytes(captured as usize)?;
        let at = BLOCK_HEAD + SIMPLE_HEAD;
        Some(Self { interface: 0, ticks: None, captured, wire_length, at, fcs: None })
    }
}

impl Interface {
    fn read(mut contents: Numbers<'_>) -> Result<Self, Damage> {
        let (Some(link), Some(_reserved), Some(snap_length)) =
            (contents.u16(), contents.u16(), contents.u32())
        else {
            return Err(Damage::ShortBlock);
        };
        let (mut resolution, mut offset, mut fcs) = (6, 0, 0);
        for (code, mut value) in options(contents) {
            match (code, value.rest()) {
                (9, [unit, ..]) => resolution = *unit,
                (13, [bits, ..]) => fcs = fcs_bytes(*bits),
                (14, _) => offset = value.i64().unwrap_or_default(),
                _ => {}
            }
        }
        Ok(Self { link, fcs, snap_length, clock: Clock::new(resolution, offset) })
    }
}

/// The length at the end of a block repeats the one at its beginning.
#[inline]
fn check_end(before: u32, after: Option<u32>) -> Result<(), Damage> {
    match after.ok_or(Damage::CutBlock)? {
        after if after == before => Ok(()),
        after => Err(Damage::BlockEnd { before, after }),
    }
}

/// `if_fcslen` counts bits, but its own example is the 4 of Ethernet's four bytes, and files exist
/// that follow the example. No check sequence is shorter than a byte.
fn fcs_bytes(length: u8) -> u8 {
    if length < 8 { length } else { length / 8 }
}

/// The flags of a packet (`epb_flags`) may state the length of its check sequence, in bytes.
fn packet_fcs(contents: Numbers<'_>) -> Option<u8> {
    if contents.rest().is_empty() {
        return None;
    }
    let (_, mut flags) = options(contents).find(|(code, _)| *code == 2)?;
    let fcs = (flags.u32()? >> 5 & 0xf) as u8;
    (fcs > 0).then_some(fcs)
}

/// The options of a block: codes and values, up to the end mark or to where they make no sense.
fn options(mut contents: Numbers<'_>) -> impl Iterator<Item = (u16, Numbers<'_>)> {
    std::iter::from_fn(move || {
        let code = contents.u16().filter(|code| *code != 0)?;
        let length = usize::from(contents.u16()?);
        let value = contents.part(length)?;
        contents.padding_of(length);
        Some((code, value))
    })
}

/// The byte order that a section header declares for its section.
fn section_order(block: &[u8]) -> Option<Order> {
    let mut numbers = Numbers::new(block, Order::Little);
    let _kind_and_length = numbers.bytes(BLOCK_HEAD)?;
    match numbers.u32()? {
        BYTE_ORDER => Some(Order::Little),
        order if order == BYTE_ORDER.swap_bytes() => Some(Order::Big),
        _ => None,
    }
}
