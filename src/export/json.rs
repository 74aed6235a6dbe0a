//! JSON text that is safe to print.
//!
//! JSON itself escapes quotes, backslashes and the first thirty-two characters. A terminal obeys
//! more than those, so everything that [`dump::is_hidden`] names is written as `\uXXXX` too: the
//! value a reader gets is the same.

use std::fmt::Write as _;

use crate::dump;

/// Appends `text` as a JSON string.
pub(super) fn push_text(out: &mut String, text: &str) {
    out.push('"');
    if text.bytes().all(|b| matches!(b, b' '..=b'~') && b != b'"' && b != b'\\') {
        out.push_str(text);
    } else {
        text.chars().for_each(|c| push_char(out, c));
    }
    out.push('"');
}

fn push_char(out: &mut String, c: char) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if dump::is_hidden(c) => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
        c => out.push(c),
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
            let mut out = String::new();
            push_text(&mut out, text);
            assert_eq!(out, json);
            assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
        }
    }
}
