//! CSV as RFC 4180 has it, but for lines that end in LF alone: UTF-8, no byte order mark, a
//! header line, quotes where they are needed.
//!
//! A spreadsheet runs a cell that begins with `=`, `+`, `-` or `@`, also behind a tab or a carriage
//! return. Text that came from the net may begin so, and gets a `'` in front; numbers, times and
//! JSON cannot.

use std::io::{self, Write};

use csv::{QuoteStyle, Terminator, Writer, WriterBuilder};

use super::digits::{push_decimal, push_flag, push_ip, push_number, push_signed};
use super::stamp::Stamp;
use super::{Cell, Row};
use crate::dump::plain;

pub(super) struct Csv<W: Write> {
    out: Writer<W>,
    stamp: Stamp,
    line: Vec<u8>,
}

impl<W: Write> Csv<W> {
    /// Writes the header line.
    pub fn new<R: Row>(out: W) -> io::Result<Self> {
        let mut builder = WriterBuilder::new();
        // Quotes are made here: half of a row is JSON, and its many are doubled without a search for
        // each. So the crate is given lines.
        builder.quote_style(QuoteStyle::Never).flexible(true);
        builder.terminator(Terminator::Any(b'\n')).buffer_capacity(1 << 16);
        let mut out = builder.from_writer(out);
        out.write_record(R::COLUMNS.iter().map(|column| column.name)).map_err(failed)?;
        Ok(Self { out, stamp: Stamp::new(), line: Vec::new() })
    }

    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        let Self { out, stamp, line } = self;
        line.clear();
        for cell in row.cells() {
            match cell {
                Cell::Nothing => {}
                Cell::Number(number) => push_number(line, number),
                Cell::Integer(number) | Cell::Duration(number) => push_signed(line, number),
                Cell::Decimal(number) => push_decimal(line, number),
                Cell::Flag(flag) => push_flag(line, flag),
                Cell::Time(nanos) => line.extend_from_slice(stamp.write(nanos).as_bytes()),
                Cell::Text(text) if is_formula(text) => push_text(line, &["'", text].concat()),
                Cell::Text(text) => push_text(line, text),
                Cell::Word(word) => {
                    debug_assert!(!needs_quotes(word) && !is_formula(word), "{word}");
                    line.extend_from_slice(word.as_bytes());
                }
                Cell::Address(address) => push_ip(line, address),
                Cell::Json(json) => match json.doubled() {
                    // What has no quotes, an empty object, needs none around it.
                    Some(text) if text.contains(&b'"') => {
                        line.push(b'"');
                        line.extend_from_slice(text);
                        line.push(b'"');
                    }
                    _ => push_text(line, &json.text()),
                },
            }
            line.push(b',');
        }
        line.pop();
        out.write_record([&line]).map_err(failed)
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

/// Whether a text would be taken for several cells, or for a quoted one.
fn needs_quotes(text: &str) -> bool {
    plain::any(text.as_bytes(), |word| {
        word.is(b',').or(word.is(b'"')).or(word.is(b'\n')).or(word.is(b'\r'))
    })
}

/// Appends a text, where it must be in quotes with those inside of it doubled.
fn push_text(out: &mut Vec<u8>, text: &str) {
    if !needs_quotes(text) {
        return out.extend_from_slice(text.as_bytes());
    }
    out.push(b'"');
    for part in text.split_inclusive('"') {
        out.extend_from_slice(part.as_bytes());
        if part.ends_with('"') {
            out.push(b'"');
        }
    }
    out.push(b'"');
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
