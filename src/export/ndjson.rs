//! NDJSON: a JSON object a line, its keys the columns, in their order. A cell of JSON is a value,
//! not its text.

use std::io::{self, Write};

use super::digits::push_number;
use super::stamp::Stamp;
use super::{Cell, Row, json};

pub(super) struct Ndjson<W> {
    out: W,
    stamp: Stamp,
    line: String,
}

impl<W: Write> Ndjson<W> {
    pub fn new(out: W) -> Self {
        Self { out, stamp: Stamp::new(), line: String::new() }
    }

    pub fn write<R: Row>(&mut self, row: &R) -> io::Result<()> {
        let line = &mut self.line;
        line.clear();
        for (column, cell) in R::COLUMNS.iter().zip(row.cells()) {
            line.push(if line.is_empty() { '{' } else { ',' });
            json::push_text(line, column.name);
            line.push(':');
            match cell {
                Cell::Number(number) => push_number(line, number),
                Cell::Time(nanos) => json::push_text(line, self.stamp.write(nanos)),
                Cell::Text(text) => json::push_text(line, text),
                Cell::Json(value) => line.push_str(value),
            }
        }
        line.push_str("}\n");
        self.out.write_all(line.as_bytes())
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
