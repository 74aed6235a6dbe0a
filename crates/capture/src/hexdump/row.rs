//! A row of a hexdump: its offset, and its bytes.

use super::words::{WordOrder, hex_words, in_other_digits, is_hex, with_text};

/// A base in which offsets are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    /// Most programs.
    Hexadecimal = 16,
    /// `od -A d`, `xxd -d`.
    Decimal = 10,
    /// od without options.
    Octal = 8,
}

/// A row that begins with an offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HexdumpRow {
    /// The digits of the offset.
    digits: String,
    /// A colon follows the offset.
    pub is_marked: bool,
    /// The offset is behind spaces, as Wireshark prints what the other end of a stream sent.
    pub is_indented: bool,
    /// Nothing follows the offset, which is the length of the dump.
    pub is_length: bool,
    /// The bytes of the row.
    pub bytes: Vec<u8>,
}

impl HexdumpRow {
    /// The row in a line; `None` if it does not begin with an offset.
    pub fn parse(line: &str) -> Option<Self> {
        let is_indented = line.starts_with([' ', '\t']);
        let line = line.trim();
        let end = line.find(|c: char| c == ':' || c.is_whitespace()).unwrap_or(line.len());
        let (digits, rest) = line.split_at_checked(end)?;
        let (digits, is_prefixed) =
            digits.strip_prefix("0x").map_or((digits, false), |d| (d, true));
        if !(4..=8).contains(&digits.len()) || !is_hex(digits) {
            return None;
        }
        let is_marked = rest.starts_with(':');
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
            return None;
        }
        let is_length = rest.trim().is_empty();
        let bytes = bytes(rest, digits.len(), is_marked && !is_prefixed, is_marked);
        let digits = digits.to_owned();
        Some(Self { digits, is_marked, is_indented, is_length, bytes })
    }

    /// The offset in a base; `None` if the row cannot be written in it. Only od has offsets that are
    /// not hexadecimal, of seven digits, and `xxd -d`.
    pub fn offset(&self, base: Base) -> Option<usize> {
        let may_be = match base {
            Base::Hexadecimal => true,
            Base::Decimal => self.digits.len() == 7 || self.digits.len() == 8 && self.is_marked,
            Base::Octal => self.digits.len() == 7,
        };
        usize::from_str_radix(&self.digits, base as u32).ok().filter(|_| may_be)
    }

    /// Whether a dump begins here: the offset is 0.
    pub fn is_first(&self) -> bool {
        self.digits.bytes().all(|digit| digit == b'0')
    }

    /// Whether the row may be one of a stream in Wireshark: eight digits without a colon.
    pub fn is_of_stream(&self) -> bool {
        self.digits.len() == 8 && !self.is_marked
    }
}

/// The bytes behind an offset of so many digits, without the text beside them.
fn bytes(rest: &str, digits: usize, may_have_text: bool, is_marked: bool) -> Vec<u8> {
    let spaced = rest.strip_prefix(' ').unwrap_or(rest);
    if let Some(bytes) = Some(spaced).filter(|_| may_have_text).and_then(with_text) {
        return bytes;
    }
    let rest = rest.trim_start();
    // Words of hexdump and od are numbers, the lowest byte first.
    let are_numbers = !is_marked && (6..=7).contains(&digits);
    let first = rest.split_whitespace().next().map_or(0, str::len);
    let beside: &[&str] = match (is_marked, are_numbers && first != 2) {
        (true, _) => &["  "],
        (false, true) => &["|", "│", ">"],
        (false, false) => &["   ", "|", "│"],
    };
    let cut = |rest, mark: &&str| str::split(rest, *mark).next().unwrap_or(rest);
    let rest = beside.iter().fold(rest, cut);
    let order = if are_numbers { WordOrder::Numbers } else { WordOrder::Bytes };
    in_other_digits(rest).unwrap_or_else(|| hex_words(rest.split_whitespace(), order))
}
