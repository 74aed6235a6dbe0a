//! Header lines: `Name: value`, one per line, up to an empty line, which is not part of them.

use super::fault::Anomaly;
use super::field::Field;
use super::info::KEY;
use super::keys::Keys;
use super::pass::View;
use super::seen::SeenKeys;
use super::shape::Shape;
use super::span::{Group, Parts, Sink};
use super::swar::{hash, is_like};
use super::view::view;

view! {
    /// Header lines as they were sent, each with its line end.
    Headers
}

static COLON: Field = Field::separator("colon", "parts a name and its value");
static EOL: Field = Field::separator("end of line", "ends a line");

impl<'a> Headers<'a> {
    /// Names and values in wire order; a line without a colon is a name without a value.
    pub fn iter(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        self.lines().map(|line| (line.name, line.value))
    }

    /// The first value of a name, compared without case.
    pub fn get(self, name: &[u8]) -> Option<&'a [u8]> {
        let mut pairs = self.iter();
        pairs.find_map(|(n, value)| is_like(n, name).then_some(value))
    }

    fn lines(self) -> impl Iterator<Item = HeaderLine<'a>> {
        self.raw.split_inclusive(|b| *b == b'\n').map_while(HeaderLine::parse)
    }
}

/// One line, with the blanks between its parts.
struct HeaderLine<'a> {
    name: &'a [u8],
    /// Colon and blanks.
    colon: usize,
    value: &'a [u8],
    /// The bytes that end the line.
    end: usize,
}

impl<'a> HeaderLine<'a> {
    /// `None` for an empty line, and for one without an end.
    fn parse(line: &'a [u8]) -> Option<Self> {
        let text = line.strip_suffix(b"\n")?;
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let end = line.len() - text.len();
        let colon = memchr::memchr(b':', text).unwrap_or(text.len());
        let (name, rest) = text.split_at_checked(colon)?;
        let behind = rest.strip_prefix(b":").unwrap_or(rest);
        let value = behind.trim_ascii_start();
        let colon = rest.len() - value.len();
        (!text.is_empty()).then_some(Self { name, colon, value, end })
    }

    fn len(&self) -> usize {
        self.name.len() + self.colon + self.value.len() + self.end
    }
}

impl<'a> View<'a> for Headers<'a> {
    type Form = &'static Keys;
    const GROUP: Group = Group::Pairs;

    fn len(all: &'a [u8], _: Self::Form) -> usize {
        Self::new(all).lines().map(|line| line.len()).sum()
    }

    fn parts<S: Sink>(&self, keys: Self::Form, out: &mut Parts<'_, '_, S>) {
        let mut seen = SeenKeys::default();
        for (n, line) in self.lines().enumerate() {
            out.leaf(&KEY, Shape::Text, line.name.len());
            let hash = hash(line.name);
            if seen.is_repeated(|| self.iter().map(|(name, _)| name), n, line.name, hash) {
                out.note(Anomaly::DuplicateKey, line.name.len());
            }
            if line.colon == 0 {
                out.note(Anomaly::OddPair, line.name.len());
            } else {
                out.gap(&COLON, Shape::Text, line.colon);
                out.leaf(keys.resolve_hashed(line.name, hash), Shape::Text, line.value.len());
            }
            out.gap(&EOL, Shape::Text, line.end);
        }
    }

    fn fields(keys: Self::Form, each: &mut dyn FnMut(&'static Field)) {
        keys.iter().for_each(each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static KEYS: Keys = Keys::new(&[], &[]);

    #[test]
    fn lines_end_at_an_empty_one_or_where_one_is_cut() {
        for (all, taken, pairs) in [
            (&b"Host: a:80\r\nX:1\r\n\r\nbody"[..], 17, &[("Host", "a:80"), ("X", "1")][..]),
            (b"Host:  a \n\n", 10, &[("Host", "a ")]),
            (b"A:\r\nodd\r\n", 9, &[("A", ""), ("odd", "")]),
            (b"A: 1\r\nB: 2", 6, &[("A", "1")]),
            (b": 1\r\n", 5, &[("", "1")]),
            (b"\r\n", 0, &[]),
            (b"", 0, &[]),
        ] {
            let headers = Headers::split_off(all, &KEYS);
            let text = all.escape_ascii();
            assert_eq!(headers.raw().len(), taken, "{text}");
            let pairs: Vec<_> = pairs.iter().map(|(n, v)| (n.as_bytes(), v.as_bytes())).collect();
            assert_eq!(headers.iter().collect::<Vec<_>>(), pairs, "{text}");
            assert_eq!(Headers::split_off(headers.raw(), &KEYS), headers, "{text}");
        }
        assert_eq!(Headers::new(b"Host: a\r\n").get(b"host"), Some(&b"a"[..]));
    }
}
