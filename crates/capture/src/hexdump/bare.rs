//! Lines of hex digits without offsets.

use super::words::hex_bytes;

/// The mark with which messages of many protocols begin.
const MARK: [u8; 4] = [0xff; 4];

/// Lines of hex digits that follow each other.
#[derive(Debug, Default)]
pub(super) struct BareLines {
    lines: Vec<Vec<u8>>,
    /// Every line is one word.
    are_words: bool,
}

impl BareLines {
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Adds a line. Returns whether it is one.
    pub fn add_line(&mut self, line: &str) -> bool {
        let Some(bytes) = bytes(line) else { return false };
        let is_word = !line.contains(|c: char| !c.is_ascii_hexdigit());
        self.are_words = is_word && (self.are_words || self.lines.is_empty());
        self.lines.push(bytes);
        true
    }

    /// The packets: one for each line where lines are messages of their own, or else one of them
    /// all.
    pub fn packets(self) -> Vec<Vec<u8>> {
        if self.are_messages() { self.lines } else { vec![self.lines.concat()] }
    }

    /// Whether every line is a message: all begin with a mark, or lines of one word do not break at
    /// one width.
    fn are_messages(&self) -> bool {
        let [first, between @ .., last] = self.lines.as_slice() else { return false };
        let is_wrapped =
            between.iter().all(|line| line.len() == first.len()) && last.len() <= first.len();
        self.lines.iter().all(|line| line.starts_with(&MARK)) || self.are_words && !is_wrapped
    }
}

/// The bytes of a line that has nothing but hex digits, and what separates them: `\xff\xff`,
/// `0xff, 0xff`, `ff:ff`; a backslash at its end says that the next line belongs to it.
fn bytes(line: &str) -> Option<Vec<u8>> {
    let line = line.trim().trim_end_matches('\\');
    let line = line.replace("\\x", " ").replace("0x", " ");
    let words = line.split(|c: char| c.is_whitespace() || ":,;-\"'{}[]()".contains(c));
    let bytes: Option<Vec<_>> = words.filter(|word| !word.is_empty()).map(hex_bytes).collect();
    bytes.map(|bytes| bytes.concat()).filter(|bytes| !bytes.is_empty())
}
