//! Looks at text eight bytes at a time: most texts are short, and there are many of them.

/// The lowest bit of each byte of a word.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte of a word.
const HIGH: u64 = ONES << 7;

/// Eight bytes of a text.
#[derive(Clone, Copy)]
pub struct Word(u64);

/// Which bytes of a word are such; only whether any is, can be relied on.
#[derive(Clone, Copy)]
pub struct Marks(u64);

impl Word {
    /// Bytes that are `byte`.
    pub fn is(self, byte: u8) -> Marks {
        Self(self.0 ^ (ONES * u64::from(byte))).below(1)
    }

    /// Bytes below `byte`, which is below 128.
    pub fn below(self, byte: u8) -> Marks {
        Marks(self.0.wrapping_sub(ONES * u64::from(byte)) & !self.0)
    }

    /// Bytes above `~`.
    pub fn above_tilde(self) -> Marks {
        Marks(self.0.wrapping_add(ONES) | self.0)
    }
}

impl Marks {
    /// Those of either.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Whether any byte is marked. A text shorter than a word is filled up with blanks.
pub fn any(bytes: &[u8], marks: impl Fn(Word) -> Marks) -> bool {
    let has = |word: [u8; 8]| marks(Word(u64::from_le_bytes(word))).0 & HIGH != 0;
    let Some(last) = bytes.last_chunk() else {
        let mut word = [b' '; 8];
        word.iter_mut().zip(bytes).for_each(|(room, byte)| *room = *byte);
        return has(word);
    };
    // The last word may hold bytes that were looked at before.
    let (words, _) = bytes.as_chunks();
    words.iter().any(|word| has(*word)) || has(*last)
}

/// Whether bytes are text that stands for itself everywhere: from blank to tilde.
pub fn is_plain(bytes: &[u8]) -> bool {
    !any(bytes, |word| word.below(b' ').or(word.above_tilde()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_marked_wherever_it_stands() {
        for byte in 0..=255 {
            for len in 1..=19 {
                for at in 0..len {
                    for around in [b' ', b'~', b'a'] {
                        let mut text = vec![around; len];
                        text[at] = byte;
                        let place = || format!("{byte:02x} at {at} of {len} among {around:02x}");
                        assert_eq!(is_plain(&text), matches!(byte, b' '..=b'~'), "{}", place());
                        let comma = any(&text, |word| word.is(b',').or(word.is(b'\n')));
                        assert_eq!(comma, matches!(byte, b',' | b'\n'), "{}", place());
                    }
                }
            }
        }
        assert!(is_plain(b""));
    }
}
