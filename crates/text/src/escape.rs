//! Bytes from the network as text that is safe for a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;

/// Replaces a masked value, whatever its length.
pub const MASK: &str = "********";
/// How many marks are put on one letter; more would cover the lines above and below.
const MARKS: usize = 4;

/// Whether secrets (CD keys, GUIDs, passwords) are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Secrets {
    /// Replaced by stars, everywhere.
    #[default]
    Masked,
    /// Shown as they are.
    Shown,
}

/// Bytes as text: as UTF-8 where [`is_latin`] says that they are, with the bytes that are no letter as
/// `\xd0`; else as Latin-1, byte by byte. Nothing else is escaped.
pub fn latin(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) if is_latin([bytes]) => Cow::Owned(as_latin(bytes)),
        Err(_) => Cow::Owned(as_utf8(bytes)),
    }
}

/// Whether a text, in parts, has to be read as Latin-1. Servers cut names at a number of bytes, inside
/// a letter too, and programs join texts of several encodings: a text in which letters of several
/// bytes are at least as many as sequences of bytes that are none is UTF-8, and so is one that ends
/// within its only such letter, behind the second byte.
pub fn is_latin<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> bool {
    let (mut letters, mut broken, mut cut) = (0_usize, 0_usize, 0_usize);
    for part in parts {
        let mut chunks = part.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            letters += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
            let invalid = chunk.invalid();
            broken += usize::from(!invalid.is_empty());
            cut += usize::from(invalid.len() > 1 && chunks.peek().is_none());
        }
    }
    match letters {
        0 => broken > cut || cut > 1,
        _ => broken > letters,
    }
}

/// Bytes as UTF-8; those that are no letter as `\xd0`.
pub fn as_utf8(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| _ = write!(text, "\\x{byte:02x}"));
    }
    text
}

/// Bytes as Latin-1, even if they are valid UTF-8.
#[inline]
pub fn as_latin(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// Escapes everything that a terminal would interpret or not show: control characters, and
/// characters that change the direction of writing or have no width. A letter keeps its first marks.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let mut marks = 0;
    let mut is_escaped = |c: char| {
        marks = if c.width() == Some(0) { marks + 1 } else { 0 };
        is_hidden(c) || marks > MARKS
    };
    if is_printable(text.as_bytes()) || !text.chars().any(&mut is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0' => out.push_str("\\0"),
            c if !is_escaped(c) => out.push(c),
            c if u32::from(c) < 0x100 => _ = write!(out, "\\x{:02x}", u32::from(c)),
            c => _ = write!(out, "\\u{{{:x}}}", u32::from(c)),
        }
    }
    Cow::Owned(out)
}

/// Bytes as a text from which [`unescaped`] gives the same bytes, for people who change it: UTF-8 as it
/// is, a backslash doubled, what cannot be seen as `\n` and `\x1b`.
pub fn escaped_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let digits = |text: &mut String, bytes: &[u8]| {
        for byte in bytes {
            _ = write!(text, "\\x{byte:02x}");
        }
    };
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => text.push_str("\\\\"),
                '\n' => text.push_str("\\n"),
                c if !is_hidden(c) => text.push(c),
                c => digits(&mut text, c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        digits(&mut text, chunk.invalid());
    }
    text
}

/// The bytes that a text with escapes means: `\n`, `\r`, `\t`, `\0`, `\\`, `\xff`, and all else in UTF-8.
/// `None` where a backslash begins none of these.
pub fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let (kind, behind) = rest.split_first()?;
        rest = behind;
        bytes.push(match kind {
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'0' => 0,
            b'\\' => b'\\',
            b'x' => {
                let (digits, behind) = rest.split_at_checked(2)?;
                rest = behind;
                u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?
            }
            _ => return None,
        });
    }
    Some(bytes)
}

/// Text of several lines, each of them escaped.
pub fn escaped_lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(escaped).collect();
    lines.join("\n")
}

/// Whether bytes are printable ASCII, as most texts are.
#[inline]
pub fn is_printable(bytes: &[u8]) -> bool {
    // Without an early end, several bytes are compared at a time.
    bytes.iter().fold(true, |printable, byte| printable & matches!(byte, b' '..=b'~'))
}

/// Text that was written in pieces, each of them UTF-8.
#[inline]
pub fn utf8(text: Vec<u8>) -> String {
    String::from_utf8(text).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// Bytes as escaped text: the form in which every view shows a value.
pub fn shown(bytes: &[u8]) -> Cow<'_, str> {
    match latin(bytes) {
        Cow::Borrowed(text) => escaped(text),
        Cow::Owned(text) => escaped(&text).into_owned().into(),
    }
}

/// Whether a terminal would interpret a character, or not show it: control characters, Unicode's
/// format characters (general category Cf), line separators, characters that look blank, and the
/// modifiers of emoji, which have columns of their own in some terminals only.
#[inline]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
            | '\u{890}' | '\u{891}' | '\u{8e2}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_gets_through() {
        for (bytes, text) in [
            (&b"plain \\ text"[..], "plain \\ text"),
            (b"\x1b[31mred\x07", "\\x1b[31mred\\x07"),
            (b"a\nb\tc\r\0", "a\\nb\\tc\\r\\0"),
            ("größer\u{202e}".as_bytes(), "größer\\u{202e}"),
            ("a\u{600}\u{2067}\u{e0101}東".as_bytes(), "a\\u{600}\\u{2067}\\u{e0101}東"),
            ("👍\u{1f3fd}".as_bytes(), "👍\\u{1f3fd}"),
            ("e\u{301}\u{327}o\u{301}".as_bytes(), "e\u{301}\u{327}o\u{301}"),
            (
                "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}o\u{301}".as_bytes(),
                "e\u{301}\u{301}\u{301}\u{301}\\u{301}\\u{301}o\u{301}",
            ),
            (b"gr\xf6\xdfer", "größer"),
            (b"\x9b31m", "\\x9b31m"),
        ] {
            assert_eq!(shown(bytes), text);
        }
    }

    #[test]
    fn a_letter_that_is_cut_makes_no_latin() {
        for (bytes, text) in [
            (&b"\xd0\x94\xd0\xbb\xd0"[..], "Дл\\xd0"),
            (b"ab\xe6\x97", "ab\\xe6\\x97"),
            (b"\x97\xa5\xe6\x97\xa5", "\u{97}¥æ\u{97}¥"),
            (b"\xa5\xe6\x97\xa5\xe6\x9c\xac", "\\xa5日本"),
            (b"\xd0\x94\xd0\xbb\xff\xd0\xb8", "Дл\\xffи"),
            (b"Jos\xe9", "José"),
            (b"gr\xfcn", "grün"),
            (b"\xcf\xb8\xf2\xf0", "Ï¸òð"),
            (b"\xc3", "Ã"),
            (b"", ""),
        ] {
            assert_eq!(latin(bytes), text, "{}", bytes.escape_ascii());
        }
    }
}
