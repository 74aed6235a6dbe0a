//! JSON text that is safe to print.
//!
//! JSON itself escapes quotes, backslashes and the first thirty-two characters. A terminal obeys
//! more than those, so everything that [`dump::is_hidden`] names is written as `\uXXXX` too: the
//! value a reader gets is the same.

use std::io::Write as _;

use crate::dump;

/// Appends `text` as a JSON string.
pub(super) fn push_text(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    if is_plain(text.as_bytes()) {
        out.extend_from_slice(text.as_bytes());
    } else {
        text.chars().for_each(|c| push_char(out, c));
    }
    out.push(b'"');
}

/// Appends bytes as [`dump::latin`] reads them, as a JSON string.
pub(super) fn push_latin(out: &mut Vec<u8>, bytes: &[u8]) {
    if is_plain(bytes) {
        out.push(b'"');
        out.extend_from_slice(bytes);
        out.push(b'"');
    } else {
        push_text(out, &dump::latin(bytes));
    }
}

/// Whether text stands for itself. Looks at every byte: that is faster than to stop early.
fn is_plain(bytes: &[u8]) -> bool {
    let plain = |b: u8| b.wrapping_sub(b' ') < 0x5f && b != b'"' && b != b'\\';
    bytes.iter().fold(true, |all, b| all & plain(*b))
}

fn push_char(out: &mut Vec<u8>, c: char) {
    match c {
        '"' => out.extend(b"\\\""),
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
