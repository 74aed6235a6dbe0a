//! NDJSON: one JSON object per line, its keys the columns, in their order. A cell of JSON is
//! written as a value, not as text.

use std::io::{self, Write};

use super::time::TimeFormatter;
use super::{Cell, Row, json};
use crate::text::digits::{push_decimal, push_flag, push_ip, push_number, push_signed};

pub(super) struct Ndjson<W> {
    out: W,
    times: TimeFormatter,
    line: Vec<u8>,
}

impl<W: Write> Ndjson<W> {
    pub fn new(out: W) -> Self {
        Self { out, times: TimeFormatter::default(), line: Vec::new() }
    }

    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        let line = &mut self.line;
        line.clear();
        for (column, cell) in R::COLUMNS.iter().zip(row.cells()) {
            line.push(if line.is_empty() { b'{' } else { b',' });
            json::push_text(line, column.name);
            line.push(b':');
            match cell {
                Cell::Number(number) => push_number(line, number),
                Cell::Integer(number) | Cell::Duration(number) => push_signed(line, number),
                Cell::Decimal(number) if number.is_finite() => push_decimal(line, number),
                // JSON cannot express numbers that are not finite.
                Cell::Nothing | Cell::Decimal(_) => line.extend_from_slice(b"null"),
                Cell::Flag(flag) => push_flag(line, flag),
                Cell::Time(nanos) => json::push_text(line, self.times.write(nanos)),
                Cell::Text(text) => json::push_text(line, text),
                Cell::Word(word) => {
                    line.push(b'"');
                    line.extend_from_slice(word.as_bytes());
                    line.push(b'"');
                }
                Cell::Address(address) => {
                    line.push(b'"');
                    push_ip(line, address);
                    line.push(b'"');
                }
                Cell::Json(json) => line.extend_from_slice(json.text().as_bytes()),
            }
        }
        line.extend_from_slice(b"}\n");
        self.out.write_all(line)
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
