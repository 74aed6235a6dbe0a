//! The packets in a text, line by line.

use super::bare::BareLines;
use super::dump::Dump;
use super::row::HexdumpRow;
use super::{HexdumpError, LONGEST};

/// Bytes of a full row of a stream in Wireshark.
const STREAM_ROW: usize = 16;
/// How many bytes tell that messages begin alike.
const MARK: usize = 4;

/// The packets of a hexdump; none if it is no hexdump.
///
/// # Errors
///
/// If rows were left out and nothing tells how many.
pub(super) fn packets(text: &str) -> Result<Vec<Vec<u8>>, HexdumpError> {
    let mut parser = HexdumpParser::default();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        parser.line(line, lines.peek().copied())?;
    }
    parser.end()?;
    Ok(parser.packets)
}

/// Reads a hexdump line by line.
#[derive(Default)]
struct HexdumpParser {
    packets: Vec<Vec<u8>>,
    /// How many bytes they have.
    size: usize,
    /// The rows with offsets of the packet that is read.
    dump: Dump,
    /// Its lines without offsets.
    bare: BareLines,
    /// What is read is a stream as Wireshark follows it: its offsets continue from message to
    /// message. The first bytes of it, with which most messages begin.
    stream: Option<Vec<u8>>,
    /// Whether the last row was indented.
    is_indented: bool,
    /// The line before begins with an offset, but its bytes cannot be read: what follows is not the
    /// beginning of a dump.
    is_unreadable: bool,
}

impl HexdumpParser {
    /// Takes a line, and looks at the next one.
    fn line(&mut self, line: &str, next: Option<&str>) -> Result<(), HexdumpError> {
        if line.trim() == "*" {
            if !self.bare.is_empty() {
                return Err(HexdumpError::RowsLeftOut);
            }
            self.dump.repeat();
            return Ok(());
        }
        let row = HexdumpRow::parse(line);
        if let Some(row) = &row
            && self.row(row, next)?
        {
            return Ok(());
        }
        self.is_unreadable = row.is_some();
        if !self.dump.is_empty() {
            self.end()?;
        }
        if !self.bare.add_line(line) {
            self.end()?;
            if line.starts_with("Follow: ") {
                self.stream = Some(Vec::new());
            } else if line.is_empty() {
                self.stream = None;
            }
        }
        Ok(())
    }

    /// Takes a row with an offset. Returns whether it is one, and no line of digits that looks so.
    fn row(&mut self, row: &HexdumpRow, next: Option<&str>) -> Result<bool, HexdumpError> {
        let is_open = !self.dump.is_empty() && !row.is_first();
        let is_turn = is_open && row.is_of_stream() && self.is_indented != row.is_indented;
        if is_turn {
            self.stream.get_or_insert_default();
        }
        let is_next = is_open && !is_turn && self.dump.takes(row);
        let is_message = is_next && self.is_message(row);
        if is_next && !is_message {
            self.dump.add_row(row);
            return Ok(true);
        }
        let is_followed = || {
            let behind = next.and_then(HexdumpRow::parse);
            behind.is_some_and(|behind| Dump::beginning_with(row).takes(&behind))
        };
        let in_stream = is_message || self.stream.is_some() && row.is_of_stream();
        let begins =
            row.is_first() || in_stream || !self.is_unreadable && (row.is_marked || is_followed());
        if row.bytes.is_empty() || !begins {
            return Ok(false);
        }
        self.end()?;
        self.dump = Dump::beginning_with(row);
        self.is_indented = row.is_indented;
        if let Some(mark) = self.stream.as_mut().filter(|mark| mark.is_empty()) {
            mark.extend(row.bytes.iter().take(MARK));
        }
        Ok(true)
    }

    /// Whether a row that may come next begins another message of a stream: the row before it is not
    /// full, or it begins like the first message.
    fn is_message(&self, row: &HexdumpRow) -> bool {
        let last = self.dump.last_row();
        // Other programs may be told to print less in a row, but no odd number.
        let is_short = last < STREAM_ROW && (self.stream.is_some() || !last.is_multiple_of(4));
        let begins_alike = || {
            let mark = self.stream.as_deref().filter(|mark| mark.len() == MARK);
            mark.is_some_and(|mark| row.bytes.starts_with(mark))
        };
        row.is_of_stream() && !row.bytes.is_empty() && (is_short || begins_alike())
    }

    /// Ends a packet.
    fn end(&mut self) -> Result<(), HexdumpError> {
        let packet = std::mem::take(&mut self.dump).finish()?;
        let bare = std::mem::take(&mut self.bare);
        let bare = if bare.is_empty() { Vec::new() } else { bare.packets() };
        let before = self.packets.len();
        self.packets.extend([packet].into_iter().chain(bare).filter(|packet| packet.len() > 1));
        self.size += self.packets.iter().skip(before).map(Vec::len).sum::<usize>();
        // The digits of a text stand for fewer bytes than it has.
        if self.size as u64 > LONGEST { Err(HexdumpError::TooLong) } else { Ok(()) }
    }
}
