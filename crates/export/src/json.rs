//! JSON text that is safe to print.
//!
//! JSON itself escapes quotes, backslashes and the first thirty-two characters. A terminal
//! interprets more than those, so every character that [`text::is_hidden`] names is written as
//! `\uXXXX` too: the parsed value is the same.

use std::borrow::Cow;
use std::io::Write as _;

use codec::swar::{self, ByteMarks, EightBytes};

/// Valid JSON on one line.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonWriter<'a> {
    /// UTF-8.
    text: Cow<'a, [u8]>,
    quotes: Quotes,
}

/// How quotes in JSON are written. They are frequent, so JSON for CSV cells is written with doubled
/// quotes from the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Quotes {
    /// As in JSON itself.
    #[default]
    Single,
    /// Each of them twice, as in a quoted cell of CSV.
    Doubled,
}

impl<'a> JsonWriter<'a> {
    pub(super) fn new(text: &'a [u8], quotes: Quotes) -> Self {
        Self { text: text.into(), quotes }
    }

    /// The same, borrowed.
    pub(super) fn by_ref(&self) -> JsonWriter<'_> {
        JsonWriter::new(&self.text, self.quotes)
    }

    /// The JSON itself.
    pub fn text(&self) -> Cow<'_, str> {
        // Checked as a whole first: a search for bad bytes takes three times as long.
        let text = str::from_utf8(&self.text)
            .map_or_else(|_| String::from_utf8_lossy(&self.text), Cow::Borrowed);
        match self.quotes {
            Quotes::Single => text,
            Quotes::Doubled => text.replace("\"\"", "\"").into(),
        }
    }

    /// The JSON in its quotes.
    pub(super) fn quoted(&self) -> &[u8] {
        &self.text
    }

    /// The bytes of [`Self::text`].
    pub(super) fn bytes(&self) -> Cow<'_, [u8]> {
        match self.quotes {
            Quotes::Single => Cow::Borrowed(&self.text),
            Quotes::Doubled => Cow::Owned(self.text().into_owned().into_bytes()),
        }
    }

    /// The JSON with doubled quotes, if it was written so.
    pub(super) fn doubled(&self) -> Option<&[u8]> {
        (self.quotes == Quotes::Doubled).then_some(&*self.text)
    }
}

impl<'a> From<&'a str> for JsonWriter<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text.as_bytes(), Quotes::Single)
    }
}

impl From<String> for JsonWriter<'_> {
    fn from(text: String) -> Self {
        Self { text: text.into_bytes().into(), quotes: Quotes::Single }
    }
}

impl Quotes {
    /// Appends one quote.
    pub(super) fn push(self, out: &mut Vec<u8>) {
        match self {
            Self::Single => out.push(b'"'),
            Self::Doubled => out.extend_from_slice(b"\"\""),
        }
    }
}

/// Appends `text` as a JSON string.
pub(super) fn push_text(out: &mut Vec<u8>, text: &str) {
    push(out, text, Quotes::Single);
}

/// Appends an array of items, each written by `push`.
pub(super) fn push_array<T>(
    out: &mut Vec<u8>,
    items: impl Iterator<Item = T>,
    mut push: impl FnMut(&mut Vec<u8>, T),
) {
    let mut gap = b'[';
    for item in items {
        out.push(gap);
        gap = b',';
        push(out, item);
    }
    out.extend_from_slice(if gap == b'[' { b"[]" } else { b"]" });
}

/// Appends bytes as [`text::latin`] reads them, as a JSON string.
pub(super) fn push_latin(out: &mut Vec<u8>, bytes: &[u8], quotes: Quotes) {
    if is_plain(bytes) {
        out.reserve(bytes.len() + 4);
        quotes.push(out);
        out.extend_from_slice(bytes);
        quotes.push(out);
    } else {
        push(out, &text::latin(bytes), quotes);
    }
}

/// Appends a name and its text, both as [`push_latin`] does, with a colon between.
pub(super) fn push_member(out: &mut Vec<u8>, name: &[u8], text: &[u8], quotes: Quotes) {
    if is_plain(name) && is_plain(text) {
        push_plain_member(out, name, text, quotes);
    } else {
        push_latin(out, name, quotes);
        out.push(b':');
        push_latin(out, text, quotes);
    }
}

/// The same for a name and a text that need no escapes.
pub(super) fn push_plain_member(out: &mut Vec<u8>, name: &[u8], text: &[u8], quotes: Quotes) {
    match quotes {
        Quotes::Single => quote_both(out, name, text, b"\"", b"\":\""),
        Quotes::Doubled => quote_both(out, name, text, b"\"\"", b"\"\":\"\""),
    }
}

/// Appends a name and its text with these quotes around and between.
fn quote_both<const N: usize, const M: usize>(
    out: &mut Vec<u8>,
    name: &[u8],
    text: &[u8],
    around: &[u8; N],
    between: &[u8; M],
) {
    out.reserve(name.len() + text.len() + 2 * N + M);
    out.extend_from_slice(around);
    out.extend_from_slice(name);
    out.extend_from_slice(between);
    out.extend_from_slice(text);
    out.extend_from_slice(around);
}

/// Appends `text` as a JSON string with these quotes.
pub(super) fn push(out: &mut Vec<u8>, text: &str, quotes: Quotes) {
    quotes.push(out);
    let mut rest = text;
    while let Some((plain, special)) = split_plain(rest) {
        out.extend_from_slice(plain.as_bytes());
        let mut chars = special.chars();
        if let Some(c) = chars.next() {
            push_char(out, c, quotes);
        }
        rest = chars.as_str();
    }
    out.extend_from_slice(rest.as_bytes());
    quotes.push(out);
}

/// What of a text needs no escapes, and what begins with a character that may; `None` if there is
/// no such character.
fn split_plain(text: &str) -> Option<(&str, &str)> {
    let special = |word: EightBytes| is_special(word).or(word.is(b'\\'));
    text.split_at_checked(swar::position(text.as_bytes(), special)?)
}

/// Whether text needs no escapes: printable ASCII without quotes and backslashes.
fn is_plain(bytes: &[u8]) -> bool {
    !swar::any(bytes, |word| is_special(word).or(word.is(b'\\')))
}

/// The same for text between backslashes.
pub(super) fn is_plain_but_backslashes(bytes: &[u8]) -> bool {
    !swar::any(bytes, is_special)
}

fn is_special(word: EightBytes) -> ByteMarks {
    word.below(b' ').or(word.above_tilde()).or(word.is(b'"'))
}

fn push_char(out: &mut Vec<u8>, c: char, quotes: Quotes) {
    match c {
        '"' => {
            out.push(b'\\');
            quotes.push(out);
        }
        '\\' => out.extend(b"\\\\"),
        '\n' => out.extend(b"\\n"),
        '\r' => out.extend(b"\\r"),
        '\t' => out.extend(b"\\t"),
        c if text::is_hidden(c) => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
        c => out.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_back_and_holds_nothing_that_a_terminal_obeys() {
        for (text, json) in [
            ("plain ^1text", r#""plain ^1text""#),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("\n\r\t\0\u{1b}", r#""\n\r\t\u0000\u001b""#),
            ("\u{9b}31m\u{7f}", r#""\u009b31m\u007f""#),
            ("größer \u{202e}x", r#""größer \u202ex""#),
            ("\u{e0041}", r#""\udb40\udc41""#),
            ("", r#""""#),
        ] {
            let mut out = Vec::new();
            push_text(&mut out, text);
            let out = String::from_utf8(out).unwrap();
            assert_eq!(out, json);
            assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
        }
    }
}
