//! NDJSON: one JSON object per line, its keys the columns, in their order. A cell of JSON is
//! written as a value, not as text.

use super::time::TimeFormatter;
use super::{Cell, Row, json};
use crate::text::digits::{push_decimal, push_flag, push_ip, push_number, push_signed};

/// Appends rows to lines.
#[derive(Default)]
pub(super) struct Ndjson {
    times: TimeFormatter,
}

impl Ndjson {
    /// Appends a row.
    pub fn push<R: Row>(&mut self, row: &R, lines: &mut Vec<u8>) {
        let mut gap = b'{';
        for (column, cell) in R::COLUMNS.iter().zip(row.cells()) {
            lines.push(gap);
            gap = b',';
            json::push_text(lines, column.name);
            lines.push(b':');
            self.value(cell, lines);
        }
        lines.extend_from_slice(b"}\n");
    }

    /// Appends a value.
    pub fn value(&mut self, cell: Cell<'_>, lines: &mut Vec<u8>) {
        match cell {
            Cell::Number(number) => push_number(lines, number),
            Cell::Port(port) => push_number(lines, port.into()),
            Cell::Integer(number) | Cell::Duration(number) => push_signed(lines, number),
            Cell::Decimal(number) if number.is_finite() => push_decimal(lines, number),
            // JSON cannot express numbers that are not finite.
            Cell::Nothing | Cell::Decimal(_) => lines.extend_from_slice(b"null"),
            Cell::Flag(flag) => push_flag(lines, flag),
            Cell::Time(nanos) => json::push_text(lines, self.times.write(nanos)),
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
