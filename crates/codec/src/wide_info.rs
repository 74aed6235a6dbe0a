//! Infostrings with two backslashes where others have one: `\\\\key\\\\value`, as qfusion's games write
//! their columns.

use std::ops::Range;

use super::field::Field;
use super::grammar::ViewLayout;
use super::info::KEY;
use super::keys::Keys;
use super::pass::View;
use super::shape::Shape;
use super::span::{Group, Parts, Sink};
use super::view::view;

const SEPARATOR: &[u8] = br"\\";
/// What ends it; not included.
const END: &[u8] = br"\\EOT";

view! {
    /// Such an infostring as it was sent.
    WideInfo
}

static BACKSLASHES: Field = Field::separator("backslashes", "part keys and values");

impl<'a> WideInfo<'a> {
    /// Keys and values in wire order.
    pub fn pairs(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let part = move |range: Range<usize>| self.raw.get(range).unwrap_or_default();
        self.ranges().map(move |(key, value)| (part(key), part(value)))
    }

    /// The ranges of every key and its value; a key at the end has an empty value.
    fn ranges(self) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        let raw = self.raw;
        let mut at = if raw.starts_with(SEPARATOR) { SEPARATOR.len() } else { 0 };
        let word = move |at: usize| {
            let rest = raw.get(at..).unwrap_or_default();
            at..memchr::memmem::find(rest, SEPARATOR).map_or(raw.len(), |len| at + len)
        };
        std::iter::from_fn(move || {
            if at >= raw.len() {
                return None;
            }
            let key = word(at);
            let value = word((key.end + SEPARATOR.len()).min(raw.len()));
            at = value.end + SEPARATOR.len();
            Some((key, value))
        })
    }
}

impl<'a> View<'a> for WideInfo<'a> {
    type Form = &'static Keys;
    const GROUP: Group = Group::Pairs;

    fn len(all: &'a [u8], _: Self::Form) -> usize {
        let len = memchr::memmem::find(all, END).unwrap_or(all.len());
        if all.get(..len) == Some(SEPARATOR) { 0 } else { len }
    }

    fn parts<S: Sink>(&self, keys: &'static Keys, out: &mut Parts<'_, '_, S>) {
        for (key, value) in self.ranges() {
            let name = self.raw.get(key.clone()).unwrap_or_default();
            out.gap(&BACKSLASHES, Shape::Text, key.start - out.at());
            out.leaf(&KEY, Shape::Text, key.len());
            if value.start > key.end {
                out.gap(&BACKSLASHES, Shape::Text, value.start - key.end);
                out.leaf(keys.resolve(name), Shape::Text, value.len());
            }
        }
        let end = self.raw.len() - out.at();
        out.gap(&BACKSLASHES, Shape::Text, end);
    }

    fn layout(_: Self::Form) -> ViewLayout {
        ViewLayout::WideInfostring
    }

    fn fields(keys: Self::Form, each: &mut dyn FnMut(&'static Field)) {
        keys.iter().for_each(each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_backslashes_part_keys_and_values() {
        for (raw, pairs) in [
            (r"\\n\\Lab\\u\\ 3/16", &[("n", "Lab"), ("u", " 3/16")][..]),
            (r"\\n\\a\b", &[("n", r"a\b")]),
            (r"\\n", &[("n", "")]),
            (r"\\", &[]),
            ("", &[]),
        ] {
            let got: Vec<_> = WideInfo::new(raw.as_bytes()).pairs().collect();
            let pairs: Vec<_> = pairs.iter().map(|(k, v)| (k.as_bytes(), v.as_bytes())).collect();
            assert_eq!(got, pairs, "{raw}");
        }
    }
}
