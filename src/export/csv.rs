//! CSV as RFC 4180 has it, but for lines that end in LF alone: UTF-8, no byte order mark, a
//! header line, quotes where they are needed.
//!
//! A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@`, also behind a tab or a carriage
//! return. Text that came from the net may begin so, and gets a `'` in front; numbers, times and
//! JSON cannot.

use std::io::{self, Write};

use csv::{QuoteStyle, Terminator, Writer, WriterBuilder};

use super::digits::{push_decimal, push_flag, push_number, push_signed};
use super::stamp::Stamp;
use super::{Cell, Row};

pub(super) struct Csv<W: Write> {
    out: Writer<W>,
    stamp: Stamp,
    cell: Vec<u8>,
}

impl<W: Write> Csv<W> {
    /// Writes the header line.
    pub fn new<R: Row>(out: W) -> io::Result<Self> {
        let mut builder = WriterBuilder::new();
        // Quotes are made here: half of a row is JSON, and its many are doubled without a search for
        // each.
        builder.quote_style(QuoteStyle::Never);
        builder.terminator(Terminator::Any(b'\n')).buffer_capacity(1 << 16);
        let mut out = builder.from_writer(out);
        out.write_record(R::COLUMNS.iter().map(|column| column.name)).map_err(failed)?;
        Ok(Self { out, stamp: Stamp::new(), cell: Vec::new() })
    }

    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        let Self { out, stamp, cell } = self;
        for value in row.cells() {
            cell.clear();
            match value {
                Cell::Nothing => {}
                Cell::Number(number) => push_number(cell, number),
                Cell::Integer(number) | Cell::Duration(number) => push_signed(cell, number),
                Cell::Decimal(number) => push_decimal(cell, number),
                Cell::Flag(flag) => push_flag(cell, flag),
                Cell::Time(nanos) => {
                    out.write_field(stamp.write(nanos)).map_err(failed)?;
                    continue;
                }
                Cell::Text(text) if is_formula(text) => push_text(cell, &["'", text].concat()),
                Cell::Text(text) => push_text(cell, text),
                Cell::Json(json) => match json.doubled() {
                    // What has no quotes, an empty object, needs none around it.
                    Some(text) if text.contains('"') => {
                        cell.push(b'"');
                        cell.extend_from_slice(text.as_bytes());
                        cell.push(b'"');
                    }
                    _ => push_text(cell, &json.text()),
                },
            }
            out.write_field(&cell).map_err(failed)?;
        }
        out.write_record(None::<&[u8]>).map_err(failed)
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// What the writer below could not do: whoever reads may have gone, and that is no error.
fn failed(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// Whether a text would be taken for several cells, or for a quoted one. Looks at every byte: that is
/// faster than to stop early.
fn needs_quotes(text: &str) -> bool {
    let parts = |b: u8| matches!(b, b',' | b'"' | b'\n' | b'\r');
    text.bytes().fold(false, |any, b| any | parts(b))
}

/// Appends a text, where it must be in quotes with those inside of it doubled.
fn push_text(out: &mut Vec<u8>, text: &str) {
    if !needs_quotes(text) {
        return out.extend_from_slice(text.as_bytes());
    }
    let mut at = out.len() + 1;
    // The room is all quotes, so that the second one of a pair is there already, and the last.
    out.resize(at + 2 * text.len() + 1, b'"');
    for byte in text.bytes() {
        if let Some(place) = out.get_mut(at) {
            *place = byte;
        }
        at += 1 + usize::from(byte == b'"');
    }
    out.truncate(at + 1);
}

/// Whether a spreadsheet would take a text for a formula.
fn is_formula(text: &str) -> bool {
    matches!(text.as_bytes().first(), Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_as_the_crate_would() {
        for text in
            ["", "plain", "a,b", "\"", "\"\"", "a\nb", "a\rb", r#"{"a":"b","c":""}"#, "größer, ja"]
        {
            let mut cell = Vec::new();
            push_text(&mut cell, text);
            let mut crates =
                WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(vec![]);
            crates.write_record([text, "behind"]).unwrap();
            let line = crates.into_inner().unwrap();
            assert_eq!([&cell[..], b",behind\n"].concat(), line, "{text}");
        }
    }
}
