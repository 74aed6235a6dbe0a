//! Unreal's compact index: a number in one to five bytes. The first has the sign (bit 7), whether
//! another byte follows (bit 6) and the lowest six bits; each other one has seven bits and in bit 7
//! whether another follows. Source: replies of servers of Killing Floor, whose names are longer than
//! 63 bytes.

use smallvec::{SmallVec, smallvec};

use super::fault::Want;

/// The maximum number of bytes.
const LONGEST: usize = 5;

/// A number as its sign and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CompactIndex {
    pub is_negative: bool,
    pub value: usize,
}

impl CompactIndex {
    /// The number at the beginning of `all`, and how many bytes it has.
    ///
    /// # Errors
    /// What is missing; a number in more bytes than it needs is invalid.
    pub fn split_off(all: &[u8]) -> Result<(Self, usize), Want> {
        let (first, rest) = all.split_first().ok_or(Want::Bytes(1))?;
        let (is_negative, mut value) = (first & 0x80 != 0, usize::from(first & 0x3f));
        let (mut length, mut has_more) = (1, first & 0x40 != 0);
        for byte in rest.iter().take(LONGEST - 1) {
            if !has_more {
                break;
            }
            value |= usize::from(byte & 0x7f) << (6 + 7 * (length - 1));
            length += 1;
            has_more = byte & 0x80 != 0;
        }
        let index = Self { is_negative, value };
        match all.get(..length) {
            _ if has_more && length < LONGEST => Err(Want::Bytes(length + 1)),
            Some(bytes) if *bytes == *index.bytes() => Ok((index, length)),
            _ => Err(Want::Boundary),
        }
    }

    /// Its bytes, as few as possible.
    pub fn bytes(self) -> SmallVec<[u8; LONGEST]> {
        let mut left = self.value >> 6;
        let more = |left: usize, bit: u8| if left > 0 { bit } else { 0 };
        let sign = if self.is_negative { 0x80 } else { 0 };
        let mut bytes = smallvec![sign | more(left, 0x40) | (self.value & 0x3f) as u8];
        while left > 0 {
            let low = (left & 0x7f) as u8;
            left >>= 7;
            bytes.push(low | more(left, 0x80));
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_they_were() {
        for (bytes, is_negative, value) in [
            (&b"\0"[..], false, 0),
            (b"\x3f", false, 63),
            (b"\x40\x01", false, 64),
            (b"\x41\x03", false, 193),
            (b"\x5b\x02", false, 155),
            (b"\x83", true, 3),
            (b"\xc0\x01", true, 64),
            (b"\x7f\xff\x01", false, 0x3fff),
        ] {
            let index = CompactIndex { is_negative, value };
            assert_eq!(CompactIndex::split_off(&[bytes, b"x"].concat()), Ok((index, bytes.len())));
            assert_eq!(*index.bytes(), *bytes);
        }
        assert_eq!(CompactIndex::split_off(b""), Err(Want::Bytes(1)));
        assert_eq!(CompactIndex::split_off(b"\x40"), Err(Want::Bytes(2)));
        assert_eq!(CompactIndex::split_off(b"\x41\0"), Err(Want::Boundary));
        assert_eq!(CompactIndex::split_off(b"\x7f\xff\xff\xff\xff\xff"), Err(Want::Boundary));
    }
}
