//! Rows of an exported table: all are counted, the most useful are kept.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Map, Value};

/// A row of an exported table: its cells by the names of their columns.
#[derive(Debug, Clone, Default)]
pub(super) struct TableRow(Map<String, Value>);

/// Takes the NDJSON of a table.
pub(super) struct KeptRows {
    limit: usize,
    /// How useful a row is; rows with the lowest rank are kept first.
    rank: fn(&TableRow) -> u8,
    /// The beginning of the next line.
    line: Vec<u8>,
    kept: Vec<RankedRow>,
    count: u64,
    games: BTreeMap<String, u64>,
}

/// What is known of a table.
#[derive(Default)]
pub(super) struct KeptTable {
    /// The kept rows, in the order of the table.
    pub rows: Vec<TableRow>,
    /// How many rows the table has.
    pub count: u64,
    /// How many of them each game has.
    pub games: BTreeMap<String, u64>,
}

/// A row with its place among all.
struct RankedRow {
    rank: u8,
    at: u64,
    row: TableRow,
}

impl TableRow {
    /// A cell; `null` where there is none.
    pub fn value(&self, column: &str) -> &Value {
        self.0.get(column).unwrap_or(&Value::Null)
    }

    /// A cell with a text; empty if it has none.
    pub fn text(&self, column: &str) -> &str {
        self.value(column).as_str().unwrap_or_default()
    }

    /// The values of a list.
    pub fn list(&self, column: &str) -> &[Value] {
        self.value(column).as_array().map_or(&[], Vec::as_slice)
    }

    /// A cell as `export` writes it; of a list, its values with commas between them.
    pub fn exact(&self, column: &str) -> String {
        match self.value(column) {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Array(values) => values.iter().map(exact).collect::<Vec<_>>().join(", "),
            value => value.to_string(),
        }
    }
}

fn exact(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl KeptRows {
    pub fn new(limit: usize, rank: fn(&TableRow) -> u8) -> Self {
        let (line, kept, games) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { limit, rank, line, kept, count: 0, games }
    }

    fn keep_line(&mut self, line: &[u8]) -> io::Result<()> {
        let row = TableRow(serde_json::from_slice(line)?);
        match self.games.get_mut(row.text("game")) {
            Some(count) => *count += 1,
            None => _ = self.games.insert(row.text("game").to_owned(), 1),
        }
        self.kept.push(RankedRow { rank: (self.rank)(&row), at: self.count, row });
        self.count += 1;
        if self.kept.len() >= 2 * self.limit.max(1) {
            self.shrink();
        }
        Ok(())
    }

    /// Drops what is beyond the limit.
    fn shrink(&mut self) {
        self.kept.sort_by_key(|row| (row.rank, row.at));
        self.kept.truncate(self.limit);
    }

    /// The table, when all rows have come.
    pub fn finish(mut self) -> KeptTable {
        self.shrink();
        self.kept.sort_by_key(|row| row.at);
        let rows = self.kept.into_iter().map(|kept| kept.row).collect();
        KeptTable { rows, count: self.count, games: self.games }
    }
}

impl Write for KeptRows {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            match part.strip_suffix(b"\n") {
                Some(end) if self.line.is_empty() => self.keep_line(end)?,
                Some(end) => {
                    let mut line = std::mem::take(&mut self.line);
                    line.extend_from_slice(end);
                    self.keep_line(&line)?;
                }
                None => self.line.extend_from_slice(part),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_useful_rows_are_kept_in_their_order() {
        let rank = |row: &TableRow| u8::from(row.text("state") == "answered");
        let mut rows = KeptRows::new(4, rank);
        for n in 0..20 {
            let state = if n % 7 == 5 { "refused" } else { "answered" };
            let line = format!("{{\"n\":{n},\"state\":\"{state}\"}}\n");
            // Lines may come in pieces.
            let (first, second) = line.as_bytes().split_at(n % line.len());
            rows.write_all(first).unwrap();
            rows.write_all(second).unwrap();
        }
        let kept = rows.finish();
        let numbers: Vec<_> = kept.rows.iter().filter_map(|row| row.value("n").as_u64()).collect();
        assert_eq!((numbers, kept.count), (vec![0, 5, 12, 19], 20));
    }

    #[test]
    fn cells_are_exact() {
        let line = br#"{"a":1.50,"b":[1,2],"c":["x","y"],"d":null,"e":true,"f":-7}"#;
        let row = TableRow(serde_json::from_slice(line).unwrap());
        let cells = ["a", "b", "c", "d", "e", "f", "g"].map(|column| row.exact(column));
        assert_eq!(cells, ["1.5", "1, 2", "x, y", "", "true", "-7", ""]);
        assert!(KeptRows::new(1, |_| 0).write_all(b"no JSON\n").is_err());
    }
}
