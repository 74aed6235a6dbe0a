//! CSV by RFC 4180, but with lines that end in LF alone: UTF-8, no byte order mark, a header line,
//! quotes only where needed.
//!
//! A spreadsheet evaluates a cell that begins with `=`, `+`, `-` or `@`, also after a tab or a
//! carriage return. Text from the network may begin so, and gets a `'` in front; numbers, times and
//! JSON cannot.

use std::io::{self, Write};

use csv::{Terminator, WriterBuilder};

use super::time::TimeFormatter;
use super::{Cell, Column, Row};
use crate::codec::swar;
use crate::text::digits::{push_decimal, push_flag, push_ip, push_number, push_signed};

/// The first characters of a formula, and what spreadsheets treat alike: full-width forms of the
/// signs, and blanks before them.
const FORMULA: [char; 10] =
    ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}', '\t', '\r'];

/// How many bytes are buffered before they are written.
const BATCH: usize = 1 << 16;

pub(super) struct Csv<W: Write> {
    out: W,
    times: TimeFormatter,
    lines: Vec<u8>,
}

impl<W: Write> Csv<W> {
    /// Starts with the header line.
    pub fn new(columns: &[Column], out: W) -> io::Result<Self> {
        let mut header =
            WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(vec![]);
        header.write_record(columns.iter().map(|column| column.name)).map_err(failed)?;
        let lines = header.into_inner().map_err(csv::IntoInnerError::into_error)?;
        Ok(Self { out, times: TimeFormatter::default(), lines })
    }

    /// Adds a row. Quotes are made here: half of a row is JSON, and its many quotes are doubled
    /// without a search for each.
    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        let Self { times, lines, .. } = self;
        for cell in row.cells() {
            match cell {
                Cell::Nothing | Cell::Text("") => {}
                Cell::Number(number) => push_number(lines, number),
                Cell::Integer(number) | Cell::Duration(number) => push_signed(lines, number),
                Cell::Decimal(number) => push_decimal(lines, number),
                Cell::Flag(flag) => push_flag(lines, flag),
                Cell::Time(nanos) => lines.extend_from_slice(times.write(nanos).as_bytes()),
                Cell::Text(text) if is_formula(text) => push_text(lines, &["'", text].concat()),
                Cell::Text(text) => push_text(lines, text),
                Cell::Word(word) => {
                    debug_assert!(!needs_quotes(word) && !is_formula(word), "{word}");
                    lines.extend_from_slice(word.as_bytes());
                }
                Cell::Address(address) => push_ip(lines, address),
                Cell::Json(json) => match json.doubled() {
                    // JSON without quotes, an empty object, needs none around it.
                    Some(text) if text.contains(&b'"') => {
                        lines.push(b'"');
                        lines.extend_from_slice(text);
                        lines.push(b'"');
                    }
                    _ => push_text(lines, &json.text()),
                },
            }
            lines.push(b',');
        }
        // The last cell ends the line.
        if let Some(end) = lines.last_mut() {
            *end = b'\n';
        }
        if lines.len() >= BATCH { self.write_out() } else { Ok(()) }
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.write_out()?;
        self.out.flush()
    }

    fn write_out(&mut self) -> io::Result<()> {
        let given = self.out.write_all(&self.lines);
        self.lines.clear();
        given
    }
}

impl<W: Write> Drop for Csv<W> {
    /// A table that is dropped early still writes its complete rows.
    fn drop(&mut self) {
        _ = self.write_out();
    }
}

/// The error of a header line that was not written.
fn failed(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// Whether a text would be parsed as several cells, or as a quoted one.
fn needs_quotes(text: &str) -> bool {
    swar::any(text.as_bytes(), |word| {
        word.is(b',').or(word.is(b'"')).or(word.is(b'\n')).or(word.is(b'\r'))
    })
}

/// Appends a text; if it needs quotes, those inside are doubled.
fn push_text(out: &mut Vec<u8>, text: &str) {
    if !needs_quotes(text) {
        return out.extend_from_slice(text.as_bytes());
    }
    out.push(b'"');
    let (text, mut at) = (text.as_bytes(), 0);
    for quote in memchr::memchr_iter(b'"', text) {
        out.extend_from_slice(text.get(at..=quote).unwrap_or_default());
        out.push(b'"');
        at = quote + 1;
    }
    out.extend_from_slice(text.get(at..).unwrap_or_default());
    out.push(b'"');
}

/// Whether a spreadsheet would evaluate a text as a formula.
fn is_formula(text: &str) -> bool {
    text.starts_with(FORMULA)
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
