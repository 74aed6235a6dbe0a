//! Settings as pairs of texts with a NUL behind each, up to an empty key, which is not part of them.
//! A datagram that was cut may end within a pair.

use super::keys::KEYS;
use super::tables::NUL;
use codec::{Anomaly, Field, Group, Kind, Parts, RawBytes, Shape, Sink, View, ViewLayout};

static KEY: Field = Field::new("key", Kind::Key, "the name of the value that follows");

/// Settings as they were sent.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Settings<'a> {
    raw: &'a [u8],
}

/// A text, and whether a NUL is behind it.
type Piece<'a> = (&'a [u8], bool);

/// A key, and its value unless the datagram ends in front of it.
type Pair<'a> = (Piece<'a>, Option<Piece<'a>>);

/// The text at the beginning of `left`, up to a NUL or the end, and what is behind it.
pub(crate) fn piece(left: &[u8]) -> (Piece<'_>, &[u8]) {
    let length = memchr::memchr(0, left).unwrap_or(left.len());
    let (text, behind) = left.split_at_checked(length).unwrap_or((left, &[]));
    match behind.split_first() {
        Some((_, behind)) => ((text, true), behind),
        None => ((text, false), behind),
    }
}

/// Reports a text and the NUL behind it.
pub(crate) fn report<S: Sink>(
    field: &'static Field,
    (text, nul): Piece<'_>,
    out: &mut Parts<'_, '_, S>,
) {
    out.leaf(field, Shape::Text, text.len());
    out.gap(&NUL, Shape::Raw, usize::from(nul));
}

impl<'a> Settings<'a> {
    /// Every key and its value, in order.
    pub fn pairs(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        self.pieces().map(|((key, _), value)| (key, value.map_or(&b""[..], |(value, _)| value)))
    }

    /// The first value of a key.
    pub fn get(self, key: &[u8]) -> Option<&'a [u8]> {
        self.pairs().find_map(|(k, value)| (k == key).then_some(value))
    }

    fn pieces(self) -> impl Iterator<Item = Pair<'a>> {
        let mut left = self.raw;
        std::iter::from_fn(move || {
            let (key, behind) = piece(left);
            if key.0.is_empty() {
                return None;
            }
            left = behind;
            if behind.is_empty() {
                return Some((key, None));
            }
            let (value, behind) = piece(left);
            left = behind;
            Some((key, Some(value)))
        })
    }
}

impl<'a> RawBytes<'a> for Settings<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> View<'a> for Settings<'a> {
    type Form = ();
    const GROUP: Group = Group::Pairs;

    fn len(all: &'a [u8], (): ()) -> usize {
        let length = |(text, nul): Piece<'_>| text.len() + usize::from(nul);
        let pairs = Self { raw: all }.pieces();
        pairs.map(|(key, value)| length(key) + value.map_or(0, length)).sum()
    }

    fn parts<S: Sink>(&self, (): (), out: &mut Parts<'_, '_, S>) {
        for (key, value) in self.pieces() {
            report(&KEY, key, out);
            match value {
                Some(value) => report(KEYS.resolve(key.0), value, out),
                None => out.note(Anomaly::OddPair, key.0.len()),
            }
        }
    }

    fn layout((): ()) -> ViewLayout {
        ViewLayout::TerminatedPairs { may_be_cut: true }
    }

    fn fields((): (), each: &mut dyn FnMut(&'static Field)) {
        KEYS.iter().for_each(each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_end_at_an_empty_key_or_with_the_bytes() {
        for (raw, count, taken) in [
            (&b"a\x001\0b\x002\0\0rest"[..], 2, 8),
            (b"a\0\0\0", 1, 3),
            (b"a\x001\0b\0", 2, 6),
            (b"a\x001\0b", 2, 5),
            (b"a\x001", 1, 3),
            (b"\0", 0, 0),
            (b"", 0, 0),
        ] {
            let settings = Settings::split_off(raw, ());
            assert_eq!(
                (settings.pairs().count(), settings.raw().len()),
                (count, taken),
                "{}",
                raw.escape_ascii()
            );
            assert_eq!(Settings::split_off(settings.raw(), ()), settings);
        }
    }
}
