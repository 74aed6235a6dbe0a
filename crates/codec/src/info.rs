//! Infostrings: `\key\value\key\value`, as Quake and GameSpy write them.
//!
//! One iterator of ranges implements the grammar, with all common errors: no first backslash, one
//! at the end, a key without a value, a key twice.

use std::ops::Range;

use super::fault::Anomaly;
use super::field::{Field, Kind};
use super::grammar::ViewLayout;
use super::keys::Keys;
use super::pass::View;
use super::reader::until;
use super::seen::SeenKeys;
use super::shape::Shape;
use super::span::{Group, Parts, Sink};
use super::swar::{find_all, hash, is_like};
use super::view::view;

/// How an infostring ends, and the meaning of its keys.
#[derive(Debug, Clone, Copy)]
pub struct InfoForm {
    /// The byte that ends it, not included; none: the end of the payload.
    pub stop: &'static [u8],
    /// The fields of its keys.
    pub keys: &'static Keys,
}

view! {
    /// An infostring as it was sent: order, duplicates, case and irregular ends are kept.
    Info
}

static BACKSLASH: Field = Field::separator("backslash", "parts an infostring");
pub(super) static KEY: Field = Field::new("key", Kind::Key, "the name of the value that follows");

impl<'a> Info<'a> {
    /// Keys and values in wire order.
    pub fn pairs(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        self.ranges().map(move |(key, value)| (self.part(key), self.part(value)))
    }

    /// The first value of a key, compared without case.
    pub fn get(self, key: &[u8]) -> Option<&'a [u8]> {
        let mut pairs = self.pairs();
        pairs.find_map(|(k, value)| is_like(k, key).then_some(value))
    }

    /// The value of every key with these bytes, in wire order. Only the places where they occur are
    /// looked at, so a key of a long infostring is found sooner than by [`Info::pairs`].
    pub fn values_of(self, key: &[u8]) -> impl Iterator<Item = &'a [u8]> {
        let raw = self.raw;
        // Keys stand at the beginning, or behind the first backslash, and behind every second one
        // after that.
        let (mut from, mut words) = (usize::from(raw.first() == Some(&b'\\')), 0);
        memchr::memmem::find_iter(raw, key).filter_map(move |at| {
            words += memchr::memchr_iter(b'\\', raw.get(from..at).unwrap_or_default()).count();
            from = from.max(at);
            let begins = at == 0 || raw.get(at - 1) == Some(&b'\\');
            let behind = raw.get(at + key.len()..).filter(|_| begins && words % 2 == 0)?;
            match behind.split_first() {
                Some((b'\\', rest)) => rest.get(..until(rest, b"\\")),
                Some(_) => None,
                None => Some(behind),
            }
        })
    }

    /// The same infostring, written to `buffer`, with the first value of `key` replaced, or a pair
    /// appended; everything else is unchanged.
    pub fn with<'b>(self, key: &[u8], value: &[u8], buffer: &'b mut Vec<u8>) -> Info<'b> {
        buffer.clear();
        let called = |range: &Range<usize>| is_like(self.part(range.clone()), key);
        if let Some((k, old)) = self.ranges().find(|(k, _)| called(k)) {
            buffer.extend_from_slice(self.part(0..old.start));
            if old.start == k.end {
                buffer.push(b'\\');
            }
            buffer.extend_from_slice(value);
            buffer.extend_from_slice(self.part(old.end..self.raw.len()));
        } else {
            buffer.extend_from_slice(self.raw);
            for part in [key, value] {
                buffer.push(b'\\');
                buffer.extend_from_slice(part);
            }
        }
        Info { raw: buffer }
    }

    fn part(self, range: Range<usize>) -> &'a [u8] {
        self.raw.get(range).unwrap_or_default()
    }

    /// The ranges of every key and its value; a key at the end of the string has an empty value.
    fn ranges(self) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        let raw = self.raw;
        let mut backslashes = find_all(raw, b'\\');
        let mut at = 0;
        if raw.first() == Some(&b'\\') {
            at = backslashes.next().map_or(0, |first| first + 1);
        }
        std::iter::from_fn(move || {
            if at >= raw.len() {
                return None;
            }
            let mut word = |at: usize| at..backslashes.next().unwrap_or(raw.len());
            let key = word(at);
            let value = word((key.end + 1).min(raw.len()));
            at = value.end + 1;
            Some((key, value))
        })
    }
}

impl<'a> View<'a> for Info<'a> {
    type Form = InfoForm;
    const GROUP: Group = Group::Pairs;

    fn len(all: &'a [u8], form: InfoForm) -> usize {
        until(all, form.stop)
    }

    fn parts<S: Sink>(&self, form: InfoForm, out: &mut Parts<'_, '_, S>) {
        if self.raw.first().is_some_and(|b| *b != b'\\') {
            out.note(Anomaly::NoLeadingBackslash, 0);
        }
        let mut seen = SeenKeys::default();
        for (n, (key, value)) in self.ranges().enumerate() {
            let name = self.part(key.clone());
            if !out.wants(name) {
                out.skip_to(value.end);
                continue;
            }
            out.gap(&BACKSLASH, Shape::Text, key.start - out.at());
            out.leaf(&KEY, Shape::Text, key.len());
            let hash = hash(name);
            if seen.is_repeated(|| self.pairs().map(|(key, _)| key), n, name, hash) {
                out.note(Anomaly::DuplicateKey, key.len());
            }
            if value.start == key.end {
                out.note(Anomaly::OddPair, key.len());
                continue;
            }
            out.gap(&BACKSLASH, Shape::Text, value.start - key.end);
            out.leaf(form.keys.resolve_hashed(name, hash), Shape::Text, value.len());
        }
        let end = self.raw.len() - out.at();
        out.gap(&BACKSLASH, Shape::Text, end);
    }

    fn layout(form: InfoForm) -> ViewLayout {
        ViewLayout::Infostring { stop: form.stop, before: b"" }
    }

    fn fields(form: Self::Form, each: &mut dyn FnMut(&'static Field)) {
        form.keys.iter().for_each(each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::{Notice, Spans};

    #[test]
    fn pairs_survive_what_programs_get_wrong() {
        for (raw, pairs) in [
            (r"\a\1\b\2", &[("a", "1"), ("b", "2")][..]),
            (r"a\1\b\2\", &[("a", "1"), ("b", "2")]),
            (r"\a\\b\2", &[("a", ""), ("b", "2")]),
            (r"\a\1\b", &[("a", "1"), ("b", "")]),
            (r"\a\1\a\2", &[("a", "1"), ("a", "2")]),
            (r"\\1", &[("", "1")]),
            (r"\", &[]),
            ("", &[]),
        ] {
            let got: Vec<_> = Info::new(raw.as_bytes()).pairs().collect();
            let pairs: Vec<_> = pairs.iter().map(|(k, v)| (k.as_bytes(), v.as_bytes())).collect();
            assert_eq!(got, pairs, "{raw}");
        }
    }

    #[test]
    fn values_are_found_by_their_keys_as_pairs_have_them() {
        let words = ["", "a", "b", "ab", "aab", "ba"];
        let of = |n: usize| (0..5).map(move |place| words[n / 6_usize.pow(place) % 6]);
        for n in 0..6_usize.pow(5) {
            for before in ["", "\\"] {
                let raw = before.to_owned() + &of(n).collect::<Vec<_>>().join("\\");
                let info = Info::new(raw.as_bytes());
                for key in ["a", "ab", "b"].map(str::as_bytes) {
                    let pairs = info.pairs().filter(|(k, _)| *k == key).map(|(_, value)| value);
                    assert!(info.values_of(key).eq(pairs), "{raw}");
                }
            }
        }
    }

    #[test]
    fn a_key_that_is_repeated_is_known_among_few_and_among_many() {
        static KEYS: Keys = Keys::new(&[], &[]);
        let form = InfoForm { stop: b"", keys: &KEYS };
        for count in [1, 2, SeenKeys::FEW - 1, SeenKeys::FEW, SeenKeys::FEW + 1, 10_000] {
            let last = format!("K{}", count - 1);
            let mut keys: Vec<_> = (0..count).map(|n| format!("k{n}")).collect();
            keys.extend(["K0", "new", &last, "NEW"].map(str::to_owned));
            let raw = format!(r"\{}\1", keys.join(r"\1\"));
            let (mut spans, info) = (Spans::default(), Info::new(raw.as_bytes()));
            Parts::in_view(info.raw, 0, &mut spans, |parts| info.parts(form, parts));
            let odd = |n: &&Notice| n.odd == Anomaly::DuplicateKey;
            let named: Vec<_> = spans.notes.iter().filter(odd).collect();
            let named = named.iter().map(|n| &raw[n.start as usize..n.end as usize]);
            assert_eq!(named.collect::<Vec<_>>(), ["K0", &last, "NEW"], "{count} keys");
        }
    }

    #[test]
    fn a_value_is_replaced_in_place_or_added() {
        let mut buffer = Vec::new();
        let info = Info::new(br"\a\1\B\2\c");
        for (key, value, now) in [
            ("b", "long", r"\a\1\B\long\c"),
            ("c", "3", r"\a\1\B\2\c\3"),
            ("d", "4", r"\a\1\B\2\c\d\4"),
            ("a", "", r"\a\\B\2\c"),
        ] {
            let got = info.with(key.as_bytes(), value.as_bytes(), &mut buffer);
            assert_eq!(got, Info::new(now.as_bytes()), "{key}={value}");
        }
    }
}
