//! CSV by RFC 4180, but with lines that end in LF alone: UTF-8, no byte order mark, a header line,
//! quotes only where needed.
//!
//! A spreadsheet evaluates a cell that begins with `=`, `+`, `-` or `@`, also after a tab or a
//! carriage return. Text from the network may begin so, and gets a `'` in front; numbers, times and
//! JSON cannot.

use std::io;

use csv::{Terminator, WriterBuilder};

use super::json::{push_array, push_text as push_json};
use super::time::TimeFormatter;
use super::{Cell, CellSink, Column, Row};
use codec::swar;
use text::digits::{push_decimal, push_flag, push_ip, push_number, push_port, push_signed};

/// The first characters of a formula, and what spreadsheets treat alike: full-width forms of the
/// signs, and blanks before them.
const FORMULA: [char; 10] =
    ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}', '\t', '\r'];

/// Appends rows to lines.
#[derive(Default)]
pub(super) struct Csv {
    times: TimeFormatter,
    list: Vec<u8>,
}

/// The header line.
pub(super) fn header(columns: &[Column]) -> io::Result<Vec<u8>> {
    let mut header = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(vec![]);
    header.write_record(columns.iter().map(|column| column.name)).map_err(failed)?;
    header.into_inner().map_err(csv::IntoInnerError::into_error)
}

impl Csv {
    /// Appends a row. Quotes are made here: half of a row is JSON, and its many quotes are doubled
    /// without a search for each.
    pub fn push<R: Row>(&mut self, row: &R, lines: &mut Vec<u8>) {
        row.pass_cells(&mut CsvLine { formatter: self, lines });
        // The last cell ends the line.
        if let Some(end) = lines.last_mut() {
            *end = b'\n';
        }
    }
}

/// A line that is being written.
struct CsvLine<'a> {
    formatter: &'a mut Csv,
    lines: &'a mut Vec<u8>,
}

impl CellSink for CsvLine<'_> {
    #[expect(clippy::inline_always, reason = "the kind of cell is known where it is called")]
    #[inline(always)]
    fn add_cell(&mut self, _: &'static Column, cell: Cell<'_>) {
        let Self { formatter: Csv { times, list }, lines } = self;
        match cell {
            Cell::Nothing => {}
            Cell::Number(number) => push_number(lines, number),
            Cell::Port(port) => push_port(lines, port),
            Cell::Integer(number) | Cell::Duration(number) => push_signed(lines, number),
            Cell::Decimal(number) => push_decimal(lines, number),
            Cell::Flag(flag) => push_flag(lines, flag),
            Cell::Time(nanos) => lines.extend_from_slice(times.write(nanos)),
            Cell::Text(text) => push_harmless(lines, text),
            Cell::Word(word) => {
                debug_assert!(!needs_quotes(word.as_bytes()) && !is_formula(word), "{word}");
                lines.extend_from_slice(word.as_bytes());
            }
            Cell::Address(address) => push_ip(lines, address),
            Cell::Texts(texts) => {
                list.clear();
                push_array(list, texts.iter(), push_json);
                push_text(lines, list);
            }
            Cell::Numbers(numbers) => {
                list.clear();
                push_array(list, numbers.iter(), push_number);
                push_text(lines, list);
            }
            Cell::Json(json) => match json.doubled() {
                // JSON without quotes, an empty object, needs none around it.
                Some(text) if text.contains(&b'"') => {
                    lines.reserve(text.len() + 3);
                    lines.push(b'"');
                    lines.extend_from_slice(text);
                    lines.push(b'"');
                }
                _ => push_text(lines, &json.bytes()),
            },
        }
        lines.push(b',');
    }
}

/// Appends a text, which does not become a formula.
fn push_harmless(lines: &mut Vec<u8>, text: &str) {
    if is_formula(text) {
        push_text(lines, ["'", text].concat().as_bytes());
    } else if !text.is_empty() {
        push_text(lines, text.as_bytes());
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
fn needs_quotes(text: &[u8]) -> bool {
    swar::any(text, |word| word.is(b',').or(word.is(b'"')).or(word.is(b'\n')).or(word.is(b'\r')))
}

/// Appends a text; if it needs quotes, those inside are doubled.
fn push_text(out: &mut Vec<u8>, text: &[u8]) {
    if !needs_quotes(text) {
        return out.extend_from_slice(text);
    }
    out.push(b'"');
    let mut at = 0;
    for quote in memchr::memchr_iter(b'"', text) {
        out.extend_from_slice(text.get(at..=quote).unwrap_or_default());
        out.push(b'"');
        at = quote + 1;
    }
    out.extend_from_slice(text.get(at..).unwrap_or_default());
    out.push(b'"');
}

/// Whether a spreadsheet would evaluate a text as a formula. A dash alone is none: it is the name of
/// standard input.
fn is_formula(text: &str) -> bool {
    // Most begin with a letter, a digit or a slash.
    let is_safe = text.as_bytes().first().is_none_or(|b| matches!(b, b'.'..=b'9' | b'A'..=b'~'));
    !is_safe && text.starts_with(FORMULA) && text != "-"
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
            push_text(&mut cell, text.as_bytes());
            let mut crates =
                WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(vec![]);
            crates.write_record([text, "behind"]).unwrap();
            let line = crates.into_inner().unwrap();
            assert_eq!([&cell[..], b",behind\n"].concat(), line, "{text}");
        }
    }
}
