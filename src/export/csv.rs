//! CSV as RFC 4180 has it, but for lines that end in LF alone: UTF-8, no byte order mark, a
//! header line, quotes where they are needed.
//!
//! A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@`, also behind a tab or a carriage
//! return. Text that came from the net may begin so, and gets a `'` in front; numbers, times and
//! JSON cannot.

use std::io::{self, Write};

use super::digits::{push_decimal, push_flag, push_number, push_signed};
use super::stamp::Stamp;
use super::{Cell, Row};

pub(super) struct Csv<W> {
    out: W,
    stamp: Stamp,
    line: Vec<u8>,
}

impl<W: Write> Csv<W> {
    /// Writes the header line.
    pub fn new<R: Row>(mut out: W) -> io::Result<Self> {
        let mut line = Vec::new();
        for column in R::COLUMNS {
            push_text(&mut line, column.name);
            line.push(b',');
        }
        end(&mut line);
        out.write_all(&line)?;
        Ok(Self { out, stamp: Stamp::new(), line })
    }

    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        let line = &mut self.line;
        line.clear();
        for value in row.cells() {
            match value {
                Cell::Nothing => {}
                Cell::Number(number) => push_number(line, number),
                Cell::Integer(number) | Cell::Duration(number) => push_signed(line, number),
                Cell::Decimal(number) => push_decimal(line, number),
                Cell::Flag(flag) => push_flag(line, flag),
                Cell::Time(nanos) => line.extend_from_slice(self.stamp.write(nanos).as_bytes()),
                Cell::Text(text) if is_formula(text) => push_text(line, &format!("'{text}")),
                Cell::Text(text) => push_text(line, text),
                // An object with a member holds quotes: that is not asked of every byte.
                Cell::Json(text) if text.starts_with("{\"") => push_quoted(line, text.as_bytes()),
                Cell::Json(text) => push_text(line, text),
            }
            line.push(b',');
        }
        end(line);
        self.out.write_all(line)
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Ends a line behind the comma of its last cell. A line of one empty cell would be none at all to
/// those who read it.
fn end(line: &mut Vec<u8>) {
    line.pop();
    line.extend_from_slice(if line.is_empty() { b"\"\"\n" } else { b"\n" });
}

/// Appends a text, in quotes where it holds what ends a cell or a line.
fn push_text(line: &mut Vec<u8>, text: &str) {
    // Letters and digits lie behind all of these.
    let ends = |b: u8| b <= b',' && matches!(b, b',' | b'"' | b'\n' | b'\r');
    if text.bytes().any(ends) {
        push_quoted(line, text.as_bytes());
    } else {
        line.extend_from_slice(text.as_bytes());
    }
}

/// Appends a text in quotes, with each quote in it twice: into room that is all quotes, where one
/// of the text's takes two places.
fn push_quoted(line: &mut Vec<u8>, text: &[u8]) {
    let begin = line.len() + 1;
    line.resize(begin + 2 * text.len() + 1, b'"');
    let mut at = 0;
    let room = line.get_mut(begin..).unwrap_or_default();
    for byte in text {
        if let Some(place) = room.get_mut(at) {
            *place = *byte;
        }
        at += 1 + usize::from(*byte == b'"');
    }
    line.truncate(begin + at + 1);
}

/// Whether a spreadsheet would take a text for a formula.
fn is_formula(text: &str) -> bool {
    matches!(text.as_bytes().first(), Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What another program reads is what was written, and it writes the same.
    #[test]
    fn cells_are_quoted_where_they_must_be_and_come_back() {
        for cells in [
            &["plain", "", "a b"][..],
            &["a,b", "say \"so\"", "\"", "\"\"", "two\nlines", "old\rlines"],
            &["{\"name\":\"größer\",\"n\":[1,2]}", "{}", "[]", "'=1"],
            &[""],
        ] {
            let mut line = Vec::new();
            for cell in cells {
                push_text(&mut line, cell);
                line.push(b',');
            }
            end(&mut line);
            let mut reader = csv::ReaderBuilder::new();
            let mut reader = reader.has_headers(false).from_reader(line.as_slice());
            let record = reader.records().next().unwrap().unwrap();
            assert_eq!(record.iter().collect::<Vec<_>>(), cells);
            let mut writer = csv::WriterBuilder::new();
            let writer = writer.terminator(csv::Terminator::Any(b'\n'));
            let mut writer = writer.from_writer(Vec::new());
            writer.write_record(cells).unwrap();
            assert_eq!(writer.into_inner().unwrap(), line, "{cells:?}");
        }
    }
}
