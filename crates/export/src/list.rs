//! Lists in cells: texts, or numbers, one after the other in one run of bytes.
//!
//! A list of a row is borrowed by its cell, stored and read back without being taken apart.

use std::borrow::Cow;
use std::net::SocketAddr;

use text::digits::push_endpoint;

/// A list of texts: the length of each in eight bytes, then the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextList<'a>(Cow<'a, [u8]>);

/// A list of numbers from 0, eight bytes each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NumberList<'a>(Cow<'a, [u8]>);

impl<'a> TextList<'a> {
    /// Reads what [`Self::stored`] gave.
    pub(super) fn from_stored(stored: &'a [u8]) -> Self {
        Self(stored.into())
    }

    /// Endpoints as texts.
    pub(super) fn of_endpoints(ends: impl Iterator<Item = SocketAddr>) -> Self {
        let mut out = Vec::new();
        for end in ends {
            let begin = out.len();
            out.extend_from_slice(&[0; 8]);
            push_endpoint(&mut out, end);
            let length = (out.len() - begin - 8) as u64;
            if let Some(before) = out.get_mut(begin..begin + 8) {
                before.copy_from_slice(&length.to_le_bytes());
            }
        }
        Self(out.into())
    }

    pub(super) fn stored(&self) -> &[u8] {
        &self.0
    }

    /// The same, borrowed.
    pub(super) fn by_ref(&self) -> TextList<'_> {
        TextList::from_stored(&self.0)
    }

    /// The texts, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let mut rest = self.stored();
        std::iter::from_fn(move || {
            let (length, behind) = rest.split_first_chunk()?;
            let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
            let (text, behind) = behind.split_at_checked(length)?;
            rest = behind;
            str::from_utf8(text).ok()
        })
    }
}

impl<T: AsRef<str>> FromIterator<T> for TextList<'_> {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        let mut out = Vec::new();
        for text in texts {
            let text = text.as_ref().as_bytes();
            out.extend_from_slice(&(text.len() as u64).to_le_bytes());
            out.extend_from_slice(text);
        }
        Self(out.into())
    }
}

impl<'a> NumberList<'a> {
    /// Reads what [`Self::stored`] gave.
    pub(super) fn from_stored(stored: &'a [u8]) -> Self {
        Self(stored.into())
    }

    #[cfg(feature = "parquet")]
    pub(super) fn stored(&self) -> &[u8] {
        &self.0
    }

    /// The same, borrowed.
    pub(super) fn by_ref(&self) -> NumberList<'_> {
        NumberList::from_stored(&self.0)
    }

    /// The numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.0.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number))
    }
}

impl FromIterator<u64> for NumberList<'_> {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Self {
        Self(numbers.into_iter().flat_map(u64::to_le_bytes).collect::<Vec<_>>().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back() {
        for texts in [&[][..], &[""], &["a", "", "größer"]] {
            let list: TextList<'_> = texts.iter().collect();
            assert_eq!(TextList::from_stored(list.stored()).iter().collect::<Vec<_>>(), texts);
            for end in 0..list.stored().len() {
                let cut = TextList::from_stored(&list.stored()[..end]);
                assert!(texts.starts_with(&cut.iter().collect::<Vec<_>>()), "{end}");
            }
        }
        let ends = ["192.0.2.1:27950", "[2001:db8::7]:1"].map(|end| end.parse().unwrap());
        let list = TextList::of_endpoints(ends.into_iter());
        assert_eq!(list, ends.iter().map(SocketAddr::to_string).collect());
        for numbers in [&[][..], &[0, u64::MAX, 7]] {
            let list: NumberList<'_> = numbers.iter().copied().collect();
            assert_eq!(NumberList::from_stored(list.stored()).iter().collect::<Vec<_>>(), numbers);
        }
    }
}
