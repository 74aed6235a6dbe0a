//! SWAR: processes eight bytes at a time, in a register. Texts are short and so frequent that the
//! setup of a search routine would cost more than the search itself.

/// The lowest bit of each byte of a word.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte of a word.
const HIGH: u64 = ONES << 7;
/// The bit that distinguishes upper case from lower case.
const CASE: u64 = ONES << 5;

/// How many words of a long text are processed per iteration.
const BLOCK: usize = 4;
/// How many words are checked before a search routine with setup costs is called.
const NEAR: usize = 4;

/// Eight bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EightBytes(u64);

/// Marked bytes of a word, by their highest bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteMarks(u64);

impl EightBytes {
    /// The next eight bytes.
    #[inline]
    pub const fn of(bytes: &[u8; 8]) -> Self {
        Self(u64::from_le_bytes(*bytes))
    }

    /// Fewer than eight bytes; other bytes of the same number make another word.
    #[inline]
    const fn short(bytes: &[u8]) -> Self {
        if bytes.is_empty() { Self(0) } else { Self::repeated(bytes) }
    }

    /// One to eight bytes, some of them more than once.
    #[inline]
    const fn repeated(bytes: &[u8]) -> Self {
        if let (Some(head), Some(tail)) = (bytes.first_chunk(), bytes.last_chunk()) {
            let [head, tail] = [u32::from_le_bytes(*head), u32::from_le_bytes(*tail)];
            return Self((tail as u64) << 32 | head as u64);
        }
        Self(match *bytes {
            [a] => ONES * a as u64,
            [a, b] => 0x0001_0001_0001_0001 * u16::from_le_bytes([a, b]) as u64,
            [a, b, c] => 0x0000_0001_0000_0001 * u32::from_le_bytes([a, b, c, c]) as u64,
            _ => 0,
        })
    }

    /// Its bytes as a number, the same for upper and lower case.
    const fn caseless(self) -> u64 {
        self.0 | CASE
    }

    /// Bytes that are `byte`.
    #[inline]
    pub fn is(self, byte: u8) -> ByteMarks {
        let differs = self.0 ^ (ONES * u64::from(byte));
        ByteMarks(!(((differs & !HIGH) + !HIGH) | differs | !HIGH))
    }

    /// Bytes below `byte`, which is below 128. Only the first mark is reliable.
    #[inline]
    pub fn below(self, byte: u8) -> ByteMarks {
        ByteMarks(self.0.wrapping_sub(ONES * u64::from(byte)) & !self.0 & HIGH)
    }

    /// Bytes above `~`. Only the first mark is reliable.
    #[inline]
    pub fn above_tilde(self) -> ByteMarks {
        ByteMarks((self.0.wrapping_add(ONES) | self.0) & HIGH)
    }

    /// Whether two words differ only in the case of letters.
    #[inline]
    fn is_like(self, other: Self) -> bool {
        let differs = self.0 ^ other.0;
        let capitals = differs << 2;
        differs == 0 || differs & !CASE == 0 && capitals & !Self(self.caseless()).letters().0 == 0
    }

    /// Lower-case letters.
    fn letters(self) -> ByteMarks {
        let low = self.0 & !HIGH;
        let [from_a, behind_z] = [b'a', b'z' + 1].map(|from| low + ONES * u64::from(128 - from));
        ByteMarks(from_a & !behind_z & !self.0 & HIGH)
    }
}

impl ByteMarks {
    /// The marks of either.
    #[must_use]
    #[inline]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn any(self) -> bool {
        self.0 != 0
    }

    /// The index of the first mark.
    fn first(self) -> Option<usize> {
        self.any().then(|| self.0.trailing_zeros() as usize / 8)
    }

    fn without_first(self) -> Self {
        Self(self.0 & self.0.wrapping_sub(1))
    }
}

/// Whether any byte is marked.
#[inline]
pub fn any(bytes: &[u8], marks: impl Fn(EightBytes) -> ByteMarks) -> bool {
    let Some(last) = bytes.last_chunk() else {
        // Some bytes occur twice.
        return !bytes.is_empty() && marks(EightBytes::repeated(bytes)).any();
    };
    let marks = |word| marks(EightBytes::of(word));
    let (words, _) = bytes.as_chunks();
    let (blocks, words) = words.as_chunks::<BLOCK>();
    let mut blocks =
        blocks.iter().map(|block| block.iter().fold(ByteMarks(0), |all, word| all.or(marks(word))));
    // The last word may overlap bytes that were checked before.
    blocks.any(ByteMarks::any) || words.iter().any(|word| marks(word).any()) || marks(last).any()
}

/// The index of the first marked byte. The first mark of each word has to be reliable.
#[inline]
pub fn position(bytes: &[u8], marks: impl Fn(EightBytes) -> ByteMarks) -> Option<usize> {
    let (words, rest) = bytes.as_chunks();
    for (at, word) in (0..).step_by(8).zip(words) {
        if let Some(first) = marks(EightBytes::of(word)).first() {
            return Some(at + first);
        }
    }
    let last = (!rest.is_empty()).then(|| EightBytes::of(&filled(rest, b'a')))?;
    let first = marks(last).first().filter(|first| *first < rest.len());
    first.map(|first| 8 * words.len() + first)
}

/// The index of the first `byte`.
#[inline]
pub(super) fn find(bytes: &[u8], byte: u8) -> Option<usize> {
    let (words, rest) = bytes.as_chunks();
    for (at, word) in (0..).step_by(8).zip(words.iter().take(NEAR)) {
        if let Some(first) = EightBytes::of(word).is(byte).first() {
            return Some(at + first);
        }
    }
    let (begin, rest) = match words.len() {
        ..=NEAR => (8 * words.len(), rest),
        _ => (8 * NEAR, bytes.get(8 * NEAR..).unwrap_or_default()),
    };
    memchr::memchr(byte, rest).map(|at| begin + at)
}

/// The indices of every `byte`, for bytes that are close together.
pub(super) fn find_all(bytes: &[u8], byte: u8) -> impl Iterator<Item = usize> {
    let (words, rest) = bytes.as_chunks();
    let last = (!rest.is_empty()).then(|| EightBytes::of(&filled(rest, !byte)));
    let mut words = words.iter().map(EightBytes::of).chain(last);
    let (mut begin, mut found) = (0, ByteMarks(0));
    let mut next = 0;
    std::iter::from_fn(move || {
        while !found.any() {
            begin = next;
            found = words.next()?.is(byte);
            next += 8;
        }
        let first = found.first()?;
        found = found.without_first();
        Some(begin + first)
    })
}

/// Whether two names differ only in the case of letters, like `eq_ignore_ascii_case`.
#[inline]
pub fn is_like(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let (Some(last), Some(others)) = (one.last_chunk(), other.last_chunk()) else {
        return EightBytes::short(one).is_like(EightBytes::short(other));
    };
    let ((words, _), (other_words, _)) = (one.as_chunks(), other.as_chunks());
    let is_like =
        |(one, other): (&[u8; 8], &[u8; 8])| EightBytes::of(one).is_like(EightBytes::of(other));
    // The last word may overlap bytes that were compared before.
    words.iter().zip(other_words).all(is_like) && is_like((last, others))
}

/// A hash of a name, independent of case: from its first eight bytes, its last eight, its length.
/// The highest bits are the best.
#[inline]
pub(super) const fn hash(name: &[u8]) -> u64 {
    let [head, tail] = match (name.first_chunk(), name.last_chunk()) {
        (Some(head), Some(tail)) => [EightBytes::of(head), EightBytes::of(tail)],
        _ => [EightBytes::short(name), EightBytes(0)],
    };
    let ends = head.caseless() ^ tail.caseless().rotate_left(29);
    (ends ^ name.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Fewer than eight bytes, filled up with another.
fn filled(bytes: &[u8], with: u8) -> [u8; 8] {
    let mut word = [with; 8];
    word.iter_mut().zip(bytes).for_each(|(slot, byte)| *slot = *byte);
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of every length with a separate code path, with one different byte at each position.
    fn texts(mut each: impl FnMut(&[u8], u8)) {
        for len in (1..=19).chain([31, 32, 33, 40, 41, 47, 71]) {
            for around in [b' ', b'~', b'a'] {
                let mut text = vec![around; len];
                for at in (0..len).filter(|at| len < 20 || at % 7 == 0 || at + 9 > len) {
                    for byte in 0..=255 {
                        text[at] = byte;
                        each(&text, byte);
                    }
                    text[at] = around;
                }
            }
        }
    }

    #[test]
    fn a_byte_is_marked_wherever_it_stands() {
        texts(|text, byte| {
            let any_of = |marks: fn(EightBytes) -> ByteMarks| any(text, marks);
            let shown = text.escape_ascii();
            assert_eq!(any_of(|word| word.below(b' ')), byte < b' ', "{shown}");
            assert_eq!(any_of(EightBytes::above_tilde), byte > b'~', "{shown}");
            let is_end = matches!(byte, b',' | b'\n');
            assert_eq!(any_of(|word| word.is(b',').or(word.is(b'\n'))), is_end, "{shown}");
            let first = position(text, |word| word.below(b' ').or(word.above_tilde()));
            assert_eq!(first, text.iter().position(|b| !matches!(b, b' '..=b'~')), "{shown}");
        });
        assert!(!any(b"", |word| word.below(b' ')));
    }

    #[test]
    fn bytes_are_found_as_the_library_finds_them() {
        texts(|text, byte| {
            for stop in [byte, b'a', b'\\', !byte] {
                let mut expected = text.iter().enumerate().filter(|(_, b)| **b == stop);
                assert!(find_all(text, stop).eq(expected.clone().map(|(at, _)| at)));
                assert_eq!(find(text, stop), expected.next().map(|(at, _)| at));
            }
        });
        assert_eq!((find(b"", 0), find_all(b"", 0).next()), (None, None));
    }

    #[test]
    fn names_are_compared_as_the_library_compares_them() {
        texts(|text, byte| {
            for other in [byte ^ 0x20, byte ^ 0x80, byte.wrapping_add(1), b'A'] {
                let swap = |b: &u8| if *b == byte { other } else { *b };
                let others: Vec<_> = text.iter().map(swap).collect();
                let expected = text.eq_ignore_ascii_case(&others);
                assert_eq!(is_like(text, &others), expected, "{}", text.escape_ascii());
            }
        });
        assert!(is_like(b"", b""));
        assert!(!is_like(b"key", b"keys"));
    }
}
