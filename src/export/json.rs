//! JSON text that is safe to print.
//!
//! JSON itself escapes quotes, backslashes and the first thirty-two characters. A terminal obeys
//! more than those, so everything that [`dump::is_hidden`] names is written as `\uXXXX` too: the
//! value a reader gets is the same.

use std::borrow::Cow;
use std::io::Write as _;

use crate::dump;

/// Valid JSON on one line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Json<'a> {
    text: &'a str,
    quotes: Quotes,
}

/// How JSON is written. A quote in five bytes is no rarity, so what is to be quoted in CSV is best
/// written so from the beginning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Quotes {
    #[default]
    Single,
    /// Each of them twice, as in a quoted cell of CSV.
    Doubled,
}

impl<'a> Json<'a> {
    pub(super) fn new(text: &'a str, quotes: Quotes) -> Self {
        Self { text, quotes }
    }

    /// The JSON itself.
    pub fn text(self) -> Cow<'a, str> {
        match self.quotes {
            Quotes::Single => self.text.into(),
            Quotes::Doubled => self.text.replace("\"\"", "\"").into(),
        }
    }

    /// The JSON as it stands between the quotes of a cell, where it was written so.
    pub(super) fn doubled(self) -> Option<&'a str> {
        (self.quotes == Quotes::Doubled).then_some(self.text)
    }
}

impl<'a> From<&'a str> for Json<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text, Quotes::Single)
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

/// Appends bytes as [`dump::latin`] reads them, as a JSON string.
pub(super) fn push_latin(out: &mut Vec<u8>, bytes: &[u8], quotes: Quotes) {
    if is_plain(bytes) {
        out.reserve(bytes.len() + 4);
        quotes.push(out);
        out.extend_from_slice(bytes);
        quotes.push(out);
    } else {
        push(out, &dump::latin(bytes), quotes);
    }
}

/// Appends `text` as a JSON string with such quotes.
pub(super) fn push(out: &mut Vec<u8>, text: &str, quotes: Quotes) {
    quotes.push(out);
    if is_plain(text.as_bytes()) {
        out.extend_from_slice(text.as_bytes());
    } else {
        text.chars().for_each(|c| push_char(out, c, quotes));
    }
    quotes.push(out);
}

/// Whether text stands for itself: from blank to tilde, but for quotes and backslashes. Most texts
/// are short, and are looked at eight bytes at a time.
fn is_plain(bytes: &[u8]) -> bool {
    let (words, rest) = bytes.as_chunks();
    let plain = |b: &u8| matches!(b, b' '..=b'~') && !matches!(b, b'"' | b'\\');
    words.iter().all(|word| is_plain_word(u64::from_le_bytes(*word))) && rest.iter().all(plain)
}

/// The same of eight bytes. Each term has the high bit of some byte set if, and only if, any byte is
/// such a one.
fn is_plain_word(word: u64) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let any_below = |word: u64, than: u8| word.wrapping_sub(ONES * u64::from(than)) & !word;
    let controls = any_below(word, b' ');
    let above_tilde = word.wrapping_add(ONES) | word;
    let quotes = any_below(word ^ (ONES * u64::from(b'"')), 1);
    let backslashes = any_below(word ^ (ONES * u64::from(b'\\')), 1);
    (controls | above_tilde | quotes | backslashes) & ONES << 7 == 0
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
        c if dump::is_hidden(c) => {
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
    fn a_byte_stands_for_itself_wherever_it_stands() {
        for byte in 0..=255 {
            let plain = matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
            for at in 0..19 {
                for around in [b' ', b'~', b'a'] {
                    let mut text = [around; 19];
                    text[at] = byte;
                    assert_eq!(is_plain(&text), plain, "{byte:02x} at {at} among {around:02x}");
                }
            }
        }
        assert!(is_plain(b""));
    }

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
