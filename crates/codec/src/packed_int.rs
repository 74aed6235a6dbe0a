//! Teeworlds' packed integer: a signed number in one to five bytes. The first has whether another
//! follows (bit 7), the sign (bit 6) and the lowest six bits; each other one has in bit 7 whether
//! another follows, and seven bits. A negative number is written as its complement, -1 as zero with
//! the sign. Source: Teeworlds 0.7 (compression.cpp).

use smallvec::{SmallVec, smallvec};

use super::fault::Want;

/// The maximum number of bytes.
const LONGEST: usize = 5;

/// A number and the bytes it was read from: more bytes than it needs are written back as they were.
///
/// Setting a value, by `From<i32>`, drops the bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PackedInt<'a> {
    raw: &'a [u8],
    value: i32,
}

impl<'a> PackedInt<'a> {
    /// The number at the beginning of `all`.
    ///
    /// # Errors
    /// What is missing; a number of more than five bytes is invalid.
    pub fn split_off(all: &'a [u8]) -> Result<Self, Want> {
        let more = all.iter().take(LONGEST).take_while(|byte| **byte & 0x80 != 0).count();
        if more >= LONGEST {
            return Err(Want::Number);
        }
        let raw = all.get(..=more).ok_or(Want::Bytes(all.len() + 1))?;
        let (first, rest) = raw.split_first().ok_or(Want::Bytes(1))?;
        let low = i32::from(first & 0x3f);
        let shifts = (6..).step_by(7);
        let bits = rest
            .iter()
            .zip(shifts)
            .fold(low, |bits, (byte, shift)| bits | i32::from(byte & 0x7f).wrapping_shl(shift));
        let value = if first & 0x40 == 0 { bits } else { !bits };
        Ok(Self { raw, value })
    }

    /// Its value.
    pub fn get(self) -> i32 {
        self.value
    }

    /// Its bytes: those that were read, or as few as possible.
    pub(super) fn bytes(&self) -> SmallVec<[u8; LONGEST]> {
        if !self.raw.is_empty() {
            return self.raw.into();
        }
        let (sign, bits) = if self.value < 0 { (0x40, !self.value) } else { (0, self.value) };
        let bits = bits.cast_unsigned();
        let more = |left: u32| if left > 0 { 0x80 } else { 0 };
        let mut left = bits >> 6;
        let mut bytes = smallvec![sign | more(left) | (bits & 0x3f) as u8];
        while left > 0 {
            let low = (left & 0x7f) as u8;
            left >>= 7;
            bytes.push(low | more(left));
        }
        bytes
    }
}

impl PackedInt<'_> {
    /// Its bytes, and as many empty ones as make it so long.
    pub(super) fn bytes_of(&self, length: usize) -> SmallVec<[u8; LONGEST]> {
        let mut bytes = self.bytes();
        while bytes.len() < length.min(LONGEST) {
            if let Some(last) = bytes.last_mut() {
                *last |= 0x80;
            }
            bytes.push(0);
        }
        bytes
    }
}

impl From<i32> for PackedInt<'_> {
    fn from(value: i32) -> Self {
        Self { raw: b"", value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_to_five_bytes() {
        for (bytes, value) in [
            (&b"\0"[..], 0),
            (b"\x3f", 63),
            (b"\x80\x01", 64),
            (b"\xbf\x7f", 0x1fff),
            (b"\x40", -1),
            (b"\x7f", -64),
            (b"\xc0\x01", -65),
            (b"\xbf\xff\xff\xff\x0f", i32::MAX),
            (b"\xff\xff\xff\xff\x0f", i32::MIN),
        ] {
            let read = PackedInt::split_off(bytes).unwrap();
            assert_eq!((read.get(), &*read.bytes()), (value, bytes));
            assert_eq!(*PackedInt::from(value).bytes(), *bytes, "{value}");
        }
    }

    #[test]
    fn numbers_are_written_as_they_were() {
        let long = PackedInt::split_off(b"\x85\0rest").unwrap();
        assert_eq!((long.get(), &*long.bytes()), (5, &b"\x85\0"[..]));
        for length in 1..=LONGEST {
            let bytes = PackedInt::from(-1).bytes_of(length);
            assert_eq!((bytes.len(), PackedInt::split_off(&bytes).unwrap().get()), (length, -1));
        }
        assert_eq!(PackedInt::split_off(b""), Err(Want::Bytes(1)));
        assert_eq!(PackedInt::split_off(b"\x85"), Err(Want::Bytes(2)));
        assert_eq!(PackedInt::split_off(b"\x85\x80\x80\x80\x80\0"), Err(Want::Number));
    }
}
