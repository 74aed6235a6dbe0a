//! The classic capture format: a header of 24 bytes, then records.
//!
//! Its first number tells byte order and time unit (draft-ietf-opsawg-pcap, section 4). The
//! "modified" form of an old Linux patch has eight more bytes in every record.

use super::format::{Head, LONGEST_BLOCK, LONGEST_PACKET};
use super::order::{Numbers, Order};
use super::warning::Damage;
use super::window::Window;

const HEADER: usize = 24;
const MICROSECONDS: u32 = 0xa1b2_c3d4;
const NANOSECONDS: u32 = 0xa1b2_3c4d;
const MODIFIED: u32 = 0xa1b2_cd34;

/// Reads the records of one file.
pub(super) struct Reader {
    order: Order,
    /// Nanoseconds in the unit of a record's fraction.
    unit: i64,
    /// Bytes before the data of a record.
    record: usize,
    /// What the header says of all frames, once it is read.
    header: Option<Header>,
}

#[derive(Clone, Copy)]
struct Header {
    link: u16,
    fcs: u8,
    longest: u32,
}

impl Reader {
    /// A reader for files that begin so.
    pub fn of(beginning: &[u8]) -> Option<Self> {
        let magic = beginning.first_chunk::<4>()?;
        [Order::Little, Order::Big].into_iter().find_map(|order| {
            let (unit, record) = match order.u32(*magic) {
                MICROSECONDS => (1_000, 16),
                NANOSECONDS => (1, 16),
                MODIFIED => (1_000, 24),
                _ => return None,
            };
            Some(Self { order, unit, record, header: None })
        })
    }

    #[inline]
    pub fn next(&mut self, window: &mut Window) -> Result<Option<Head>, Damage> {
        let header = match self.header {
            Some(header) => header,
            None => self.read_header(window)?,
        };
        window.mark();
        if !window.hold(self.record) {
            return if window.bytes().is_empty() { Ok(None) } else { Err(Damage::CutPacket) };
        }
        let mut numbers = Numbers::new(window.bytes(), self.order);
        let (Some(seconds), Some(fraction), Some(captured), Some(wire_length)) =
            (numbers.u32(), numbers.u32(), numbers.u32(), numbers.u32())
        else {
            return Err(Damage::CutPacket);
        };
        if (seconds, fraction, captured, wire_length) == (0, 0, 0, 0) {
            return Err(Damage::Zeros);
        }
        if captured > header.longest {
            return Err(Damage::HugePacket(captured));
        }
        let length = self.record + captured as usize;
        if !window.hold(length) {
            return Err(Damage::CutPacket);
        }
        let start = window.position() + self.record;
        let head = Head {
            time: i64::from(seconds) * 1_000_000_000 + i64::from(fraction) * self.unit,
            link: header.link,
            fcs: header.fcs,
            wire_length: wire_length.max(captured),
            range: start..start + captured as usize,
            offset: window.offset() + self.record as u64,
        };
        window.pass(length);
        Ok(Some(head))
    }

    /// The link type shares its number with the length of the frame check sequence: the sixth bit
    /// from the top says that the four highest count it, in units of 16 bits.
    fn read_header(&mut self, window: &mut Window) -> Result<Header, Damage> {
        if !window.hold(HEADER) {
            return Err(Damage::CutHeader);
        }
        let mut numbers = Numbers::new(window.bytes(), self.order);
        let _magic_versions_zone_and_accuracy = numbers.bytes(16);
        let (Some(snap_length), Some(network)) = (numbers.u32(), numbers.u32()) else {
            return Err(Damage::CutHeader);
        };
        let states_fcs = network & 0x0400_0000 != 0;
        let header = Header {
            link: network as u16,
            fcs: if states_fcs { (network >> 28) as u8 * 2 } else { 0 },
            longest: snap_length.clamp(LONGEST_PACKET, LONGEST_BLOCK),
        };
        window.pass(HEADER);
        self.header = Some(header);
        Ok(header)
    }
}
