//! Finds the next block of a pcapng file after a block with a wrong length.
//!
//! Blocks begin at multiples of four bytes from each other, have a type and a length, and repeat
//! the length at their end: bytes with all of that are taken for a block.

use pcap_parser::nom::number::{Endianness, complete::u32};
use pcap_parser::nom::{IResult, error::Error};

use super::pcapng::{BLOCK_FRAME, section_order};
use super::window::Window;

/// How far after the damage a block is searched for, in bytes.
const FAR: usize = 1 << 20;
/// The maximum length of a block that is accepted there.
const LIKELY: usize = 256 << 10;

/// Block types (pcapng, section 11.1) that are most frequent.
const SECTION: u32 = 0x0a0d_0d0a;
const COMMON: std::ops::RangeInclusive<u32> = 1..=6;

/// Skips the bytes before the next block that looks valid; false if there is none nearby.
pub(super) fn pass_damage(window: &mut Window, order: Endianness) -> bool {
    let mut at = 4;
    while at <= FAR && window.hold(at + BLOCK_FRAME) {
        if is_block(window, at, order) {
            window.pass(at);
            return true;
        }
        at += 4;
    }
    false
}

/// Whether a block begins at this offset of the window, and ends with the same length.
fn is_block(window: &mut Window, at: usize, order: Endianness) -> bool {
    let begin = window.bytes().get(at..).unwrap_or_default();
    let is_section = number(begin, 0, Endianness::Little) == Some(SECTION);
    let order = if is_section { section_order(begin) } else { Some(order) };
    let Some(order) = order else { return false };
    let (Some(kind), Some(length)) = (number(begin, 0, order), number(begin, 4, order)) else {
        return false;
    };
    let length = length as usize;
    let likely = (BLOCK_FRAME..=LIKELY).contains(&length) && length.is_multiple_of(4);
    if !likely || !is_section && !COMMON.contains(&kind) || !window.hold(at + length) {
        return false;
    }
    number(window.bytes(), at + length - 4, order) == Some(length as u32)
}

fn number(bytes: &[u8], at: usize, order: Endianness) -> Option<u32> {
    let read: IResult<_, _, Error<_>> = u32(order)(bytes.get(at..)?);
    Some(read.ok()?.1)
}
