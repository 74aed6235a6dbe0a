//! What names a request, in the request and in the answers to it: a challenge, a key, a token.

use std::hash::BuildHasher as _;
use std::num::NonZeroU64;

use foldhash::fast::FixedState;

/// The bytes by which an answer names its request; the request has the same.
///
/// Only a digest is kept: a decimal number and the four bytes of the same number are equal, and of a
/// text the first word counts, because some programs send back no more. Two others are equal once in
/// 2⁶³ cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identifier(NonZeroU64);

/// The identifier in the bytes of a message; nothing if they have none.
pub type IdentifierFn = fn(&[u8]) -> Option<Identifier>;

/// Digests of texts have this bit, those of numbers do not.
const TEXT: u64 = 1 << 63;

impl Identifier {
    /// A number of 32 bits, signed or not.
    pub const fn from_number(number: u32) -> Self {
        Self(NonZeroU64::MIN.saturating_add(number as u64))
    }

    /// The number, if it is one.
    pub fn number(self) -> Option<u32> {
        u32::try_from(self.0.get() - 1).ok()
    }

    /// A text: its first word. Nothing if it is empty.
    pub fn from_text(text: &[u8]) -> Option<Self> {
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\r' | b'\n' | 0);
        let word = text.split(is_blank).next().filter(|word| !word.is_empty())?;
        Some(decimal(word).map_or_else(|| Self::from_bytes(word), Self::from_number))
    }

    /// Bytes that are neither a number nor a text.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let digest = FixedState::with_seed(0).hash_one(bytes) | TEXT;
        Self(NonZeroU64::MIN | digest)
    }
}

/// A decimal number of 32 bits, signed or not.
fn decimal(word: &[u8]) -> Option<u32> {
    let is_short = word.len() <= "-2147483648".len();
    let text = std::str::from_utf8(word).ok().filter(|_| is_short)?;
    let signed = || text.parse::<i32>().ok().map(i32::cast_unsigned);
    text.parse::<u32>().ok().or_else(signed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_request_in_other_words() {
        let text = |text: &[u8]| Identifier::from_text(text).unwrap();
        assert_eq!(text(b"-1"), Identifier::from_number(u32::MAX));
        assert_eq!(text(b"4294967295\n"), text(b"-1"));
        assert_eq!(text(b"xxx"), text(b"xxx yyy"));
        assert_ne!(text(b"xxx"), text(b"xxy"));
        assert_ne!(text(b"\xff\xff\xff\xff"), Identifier::from_number(u32::MAX));
        assert_eq!(Identifier::from_text(b" xxx"), None);
        assert_ne!(Identifier::from_number(0), Identifier::from_number(1));
    }
}
