//! NDJSON: one JSON object per line, its keys the columns, in their order. A cell of JSON is
//! written as a value, not as text.

use super::time::TimeFormatter;
use super::{Cell, CellSink, Column, Row, json};
use text::digits::{push_decimal, push_flag, push_ip, push_number, push_port, push_signed};

/// Appends rows to lines.
#[derive(Default)]
pub(super) struct Ndjson {
    times: TimeFormatter,
    /// A bit for each column that is left out, the first in the lowest.
    left_out: u64,
}

impl Ndjson {
    /// Rows of fewer columns.
    pub fn of_columns(columns: &[Column], has: impl Fn(&Column) -> bool) -> Self {
        let bits = columns.iter().zip(0..u64::BITS).filter(|(column, _)| !has(column));
        let left_out = bits.fold(0, |bits, (_, at)| bits | 1 << at);
        Self { left_out, ..Self::default() }
    }

    /// Whether rows have a column like this among these.
    pub fn has(&self, columns: &[Column], is_it: impl Fn(&Column) -> bool) -> bool {
        let mut all = columns.iter().zip(0..u64::BITS);
        all.any(|(column, at)| is_it(column) && self.left_out >> at & 1 == 0)
    }

    /// Appends a row.
    pub fn push<R: Row>(&mut self, row: &R, lines: &mut Vec<u8>) {
        let begin = lines.len();
        let left_out = self.left_out;
        row.pass_cells(&mut JsonLine { formatter: self, lines, left_out });
        // The comma before the first member begins the object.
        if let Some(first) = lines.get_mut(begin) {
            *first = b'{';
        }
        lines.extend_from_slice(b"}\n");
    }

    /// Appends a value.
    #[expect(clippy::inline_always, reason = "the kind of cell is known where it is called")]
    #[inline(always)]
    pub fn value(&mut self, cell: Cell<'_>, lines: &mut Vec<u8>) {
        match cell {
            Cell::Number(number) => push_number(lines, number),
            Cell::Port(port) => push_port(lines, port),
            Cell::Integer(number) | Cell::Duration(number) => push_signed(lines, number),
            Cell::Decimal(number) if number.is_finite() => push_decimal(lines, number),
            // JSON cannot express numbers that are not finite.
            Cell::Nothing | Cell::Decimal(_) => lines.extend_from_slice(b"null"),
            Cell::Flag(flag) => push_flag(lines, flag),
            Cell::Time(nanos) => {
                lines.push(b'"');
                lines.extend_from_slice(self.times.write(nanos));
                lines.push(b'"');
            }
            Cell::Text(text) => json::push_text(lines, text),
            Cell::Word(word) => {
                lines.push(b'"');
                lines.extend_from_slice(word.as_bytes());
                lines.push(b'"');
            }
            Cell::Address(address) => {
                lines.push(b'"');
                push_ip(lines, address);
                lines.push(b'"');
            }
            Cell::Texts(texts) => json::push_array(lines, texts.iter(), json::push_text),
            Cell::Numbers(numbers) => json::push_array(lines, numbers.iter(), push_number),
            Cell::Json(json) => lines.extend_from_slice(&json.bytes()),
        }
    }
}

/// An object that is being written.
struct JsonLine<'a> {
    formatter: &'a mut Ndjson,
    lines: &'a mut Vec<u8>,
    /// A bit for each column from the next one on that is left out.
    left_out: u64,
}

impl CellSink for JsonLine<'_> {
    #[expect(clippy::inline_always, reason = "name and kind are known where it is called")]
    #[inline(always)]
    fn add_cell(&mut self, column: &'static Column, cell: Cell<'_>) {
        let is_left_out = self.left_out & 1 != 0;
        self.left_out >>= 1;
        if is_left_out {
            return;
        }
        // Names of columns need no escapes.
        self.lines.extend_from_slice(b",\"");
        self.lines.extend_from_slice(column.name.as_bytes());
        self.lines.extend_from_slice(b"\":");
        self.formatter.value(cell, self.lines);
    }
}
