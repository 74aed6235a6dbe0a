//! Packets as texts with escapes: bytes of Python, strings of C, Go, Rust and JavaScript.

use std::iter::Peekable;
use std::str::Chars;

/// The packets in a text: each literal of bytes, and each string or line that has an escape for a byte
/// that is no letter.
pub(super) fn packets(text: &str) -> Vec<Vec<u8>> {
    let mut packets: Vec<Vec<u8>> = Vec::new();
    // Whether nothing but blanks and line breaks came behind the last literal.
    let mut is_open = false;
    for line in text.lines() {
        let trimmed = line.trim().trim_end_matches('\\').trim_end();
        if trimmed.starts_with("\\x") && !is_of_digits(trimmed) {
            let mut all = EscapedText::default();
            all.take(&mut trimmed.chars().peekable(), None);
            packets.extend(Some(all).filter(EscapedText::is_packet).map(|all| all.bytes));
            is_open = false;
            continue;
        }
        let mut chars = line.chars().peekable();
        let mut before = ' ';
        while let Some(c) = chars.next() {
            let is_quote = matches!(c, '"' | '\'');
            let has_prefix = matches!(before, 'b' | 'B');
            if !is_quote || before.is_alphanumeric() && !has_prefix {
                is_open &= c.is_whitespace() || c == '\\';
                before = c;
                continue;
            }
            let mut literal = EscapedText { has_escapes: has_prefix, ..EscapedText::default() };
            let is_closed = literal.take(&mut chars, Some(c));
            before = c;
            // What follows a string without a comma belongs to it.
            let continues = is_open && !has_prefix;
            is_open = is_closed && (continues || literal.is_packet());
            match packets.last_mut() {
                Some(packet) if continues => packet.extend(literal.bytes),
                _ if literal.is_packet() => packets.push(literal.bytes),
                _ => {}
            }
        }
    }
    packets.retain(|packet| packet.len() > 1);
    packets
}

/// Whether a line has nothing but `\xff`: such lines may be wrapped.
fn is_of_digits(line: &str) -> bool {
    let rest = line.replace("\\x", " ");
    rest.split_whitespace().all(|word| word.len() == 2 && super::words::is_hex(word))
}

/// A text with escapes.
#[derive(Default)]
struct EscapedText {
    bytes: Vec<u8>,
    /// It has an escape for a byte, or is said to be of bytes.
    has_escapes: bool,
}

impl EscapedText {
    /// Takes characters up to the quote that closes it, or all. Returns whether that came.
    fn take(&mut self, chars: &mut Peekable<Chars<'_>>, quote: Option<char>) -> bool {
        while let Some(c) = chars.next() {
            match c {
                c if Some(c) == quote => return true,
                '\\' => self.escape(chars),
                c => self.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        quote.is_none()
    }

    /// Takes what is behind a backslash.
    fn escape(&mut self, chars: &mut Peekable<Chars<'_>>) {
        let Some(c) = chars.next() else { return };
        let byte = match c {
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'a' => 7,
            'b' => 8,
            'v' => 11,
            'f' => 12,
            'e' => 27,
            'x' => return self.number(chars, 16, 2),
            'u' => return self.number(chars, 16, 4),
            '0'..='7' => {
                let first = c.to_digit(8).unwrap_or_default();
                return self.digits(chars, (8, first), 2);
            }
            // Of Python's, a backslash stays where no escape follows; a quote and a backslash are
            // themselves.
            c => return self.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        };
        self.bytes.push(byte);
    }

    fn number(&mut self, chars: &mut Peekable<Chars<'_>>, radix: u32, most: usize) {
        self.digits(chars, (radix, 0), most);
    }

    /// Takes so many more digits, and adds the byte; a greater number as its letter in UTF-8.
    fn digits(&mut self, chars: &mut Peekable<Chars<'_>>, (radix, first): (u32, u32), most: usize) {
        let mut number = first;
        for _ in 0..most {
            let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else { break };
            number = number * radix + digit;
            chars.next();
        }
        self.has_escapes = true;
        if let Ok(byte) = u8::try_from(number) {
            self.bytes.push(byte);
        } else {
            let letter = char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER);
            self.bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }

    /// Whether it may be a packet.
    fn is_packet(&self) -> bool {
        self.has_escapes && !self.bytes.is_empty()
    }
}
