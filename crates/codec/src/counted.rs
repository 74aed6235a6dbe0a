//! Texts with their length in front of them.

use smallvec::{SmallVec, smallvec};

use super::compact_index::CompactIndex;
use super::fault::Want;
use super::field::Field;
use super::grammar::ViewLayout;
use super::info::KEY;
use super::keys::Keys;
use super::pairs::NUL;
use super::pass::View;
use super::shape::Shape;
use super::span::{Group, Parts, Sink};
use super::view::view;

/// What the size in front of a text counts: a byte, but for Unreal's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// The bytes of the text.
    Text,
    /// The bytes of the text, and itself.
    Itself,
    /// Unreal's compact index: the bytes of the text and of a NUL behind it, which empty texts do not
    /// have. A negative number counts units of UTF-16, two bytes each.
    Unreal,
}

/// A text with its length in front.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CountedText<'a> {
    /// Its bytes, without the NUL.
    pub text: &'a [u8],
    /// Whether they are UTF-16, the least significant byte first.
    pub is_wide: bool,
    /// Whether the NUL is missing behind a text, or stands behind an empty one.
    pub is_odd: bool,
}

static SIZE: Field = Field::separator("size", "how long the text is that follows");

impl Counting {
    /// The text at the beginning of `all`.
    ///
    /// # Errors
    /// What is missing.
    pub fn split_off(self, all: &[u8]) -> Result<CountedText<'_>, Want> {
        let (CompactIndex { is_negative: is_wide, value: count }, size) = match self {
            Self::Unreal => CompactIndex::split_off(all)?,
            Self::Text | Self::Itself => {
                let count = all.first().ok_or(Want::Bytes(1))?;
                (CompactIndex { is_negative: false, value: usize::from(*count) }, 1)
            }
        };
        let rest = all.get(size..).unwrap_or_default();
        let take = |len: usize| rest.get(..len).ok_or(Want::Bytes(len));
        let plain = |text| CountedText { text, ..CountedText::default() };
        match self {
            Self::Text => take(count).map(plain),
            Self::Itself => take(count.checked_sub(1).ok_or(Want::Boundary)?).map(plain),
            Self::Unreal => {
                let unit = 1 + usize::from(is_wide);
                let all = take(count.saturating_mul(unit))?;
                let text = match all.len().checked_sub(unit).map(|len| all.split_at(len)) {
                    Some((text, end)) if end.iter().all(|b| *b == 0) => text,
                    _ => all,
                };
                let is_odd =
                    text.is_empty() != all.is_empty() || text.len() == all.len() && !all.is_empty();
                Ok(CountedText { text, is_wide, is_odd })
            }
        }
    }
}

impl CountedText<'_> {
    /// A text in its usual form.
    pub fn new(text: &[u8]) -> CountedText<'_> {
        CountedText { text, ..CountedText::default() }
    }

    /// How many bytes of NUL are behind the text.
    fn end(self, counting: Counting) -> usize {
        let has_end = self.text.is_empty() == self.is_odd;
        if counting == Counting::Unreal && has_end { 1 + usize::from(self.is_wide) } else { 0 }
    }

    /// Its length with all that belongs to it.
    pub fn len(self, counting: Counting) -> usize {
        self.size(counting).len() + self.text.len() + self.end(counting)
    }

    /// The size in front of it; the lowest byte of one that is too large.
    fn size(self, counting: Counting) -> SmallVec<[u8; 5]> {
        let counted = self.text.len() + self.end(counting);
        match counting {
            Counting::Text => smallvec![counted as u8],
            Counting::Itself => smallvec![(counted + 1) as u8],
            Counting::Unreal => {
                let value = if self.is_wide { counted / 2 } else { counted };
                CompactIndex { is_negative: self.is_wide, value }.bytes()
            }
        }
    }

    fn shape(self) -> Shape {
        if self.is_wide { Shape::Utf16 } else { Shape::Text }
    }

    /// Its bytes; `None` if it is too long, or would be read back differently.
    pub(super) fn bytes(self, counting: Counting) -> Option<Vec<u8>> {
        let end = self.end(counting);
        let mut bytes = self.size(counting).to_vec();
        bytes.extend_from_slice(self.text);
        bytes.resize(bytes.len() + end, 0);
        (counting.split_off(&bytes) == Ok(self)).then_some(bytes)
    }

    /// Reports its parts.
    pub fn parts<S: Sink>(
        self,
        field: &'static Field,
        counting: Counting,
        out: &mut Parts<'_, '_, S>,
    ) {
        match counting {
            Counting::Unreal => out.size(&SIZE, Shape::CompactIndex, self.size(counting).len()),
            Counting::Text | Counting::Itself => out.size(&SIZE, Shape::Raw, 1),
        }
        out.leaf(field, self.shape(), self.text.len());
        out.gap(&NUL, Shape::Raw, self.end(counting));
        out.sized();
    }
}

view! {
    /// Keys and values up to an empty key or the end, each with its length in front.
    CountedPairs
}

impl<'a> CountedPairs<'a> {
    /// The length of as many pairs as the first byte says, with this byte; or what is missing.
    pub(super) fn len_of_some(all: &[u8], counting: Counting) -> Result<usize, Want> {
        let (count, mut left) = all.split_first().ok_or(Want::Bytes(1))?;
        for _ in 0..2 * usize::from(*count) {
            let text = counting.split_off(left)?;
            left = left.get(text.len(counting)..).unwrap_or_default();
        }
        Ok(all.len() - left.len())
    }

    /// Every key and its value, in order.
    fn iter(self, counting: Counting) -> impl Iterator<Item = [CountedText<'a>; 2]> {
        let mut left = self.raw;
        let mut next = move || {
            let text = counting.split_off(left).ok()?;
            left = left.get(text.len(counting)..)?;
            Some(text)
        };
        std::iter::from_fn(move || {
            let key = next().filter(|key| !key.text.is_empty())?;
            Some([key, next()?])
        })
    }
}

impl<'a> View<'a> for CountedPairs<'a> {
    type Form = (Counting, &'static Keys);
    const GROUP: Group = Group::Pairs;

    fn len(all: &'a [u8], (counting, _): Self::Form) -> usize {
        let pairs = Self::new(all).iter(counting);
        pairs.flatten().map(|text| text.len(counting)).sum()
    }

    fn broken(taken: usize, all: &'a [u8], form: Self::Form) -> Option<(usize, Want)> {
        let left = all.get(taken..).filter(|left| !left.is_empty())?;
        let want = match form.0.split_off(left) {
            Ok(key) if key.text.is_empty() => return None,
            Ok(key) => form.0.split_off(left.get(key.len(form.0)..)?).err()?,
            Err(want) => want,
        };
        Some((taken, want))
    }

    fn parts<S: Sink>(&self, (counting, keys): Self::Form, out: &mut Parts<'_, '_, S>) {
        for [key, value] in self.iter(counting) {
            key.parts(&KEY, counting, out);
            value.parts(keys.resolve(key.text), counting, out);
        }
    }

    fn layout((counting, _): Self::Form) -> ViewLayout {
        ViewLayout::CountedPairs(counting)
    }

    fn fields((_, keys): Self::Form, each: &mut dyn FnMut(&'static Field)) {
        keys.iter().for_each(each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_written_as_they_were() {
        let long = [&b"\x64\x01"[..], &[b'x'; 99], b"\0"].concat();
        for (counting, bytes, text, rest) in [
            (Counting::Text, &b"\x04basemore"[..], &b"base"[..], 4),
            (Counting::Text, b"\0", b"", 0),
            (Counting::Itself, b"\x05basemore", b"base", 4),
            (Counting::Itself, b"\x01", b"", 0),
            (Counting::Unreal, b"\x05base\0more", b"base", 4),
            (Counting::Unreal, b"\x04base", b"base", 0),
            (Counting::Unreal, b"\0more", b"", 4),
            (Counting::Unreal, b"\x01\0more", b"", 4),
            (Counting::Unreal, b"\x83\xdc\0n\0\0\0more", b"\xdc\0n\0", 4),
            (Counting::Unreal, b"\x81\0\0", b"", 0),
            (Counting::Unreal, b"\x80", b"", 0),
            (Counting::Unreal, &long, &long[2..101], 0),
        ] {
            let read = counting.split_off(bytes).unwrap();
            assert_eq!((read.text, bytes.len() - read.len(counting)), (text, rest), "{bytes:?}");
            let written = read.bytes(counting).unwrap();
            assert_eq!(written, bytes[..bytes.len() - rest], "{bytes:?}");
        }
        assert_eq!(Counting::Itself.split_off(b"\0"), Err(Want::Boundary));
        assert_eq!(Counting::Unreal.split_off(b"\x05bas"), Err(Want::Bytes(5)));
        assert_eq!(CountedText::new(&[b'x'; 256]).bytes(Counting::Text), None);
        assert_eq!(CountedText::new(&[b'x'; 255]).bytes(Counting::Itself), None);
    }
}
