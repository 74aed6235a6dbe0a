//! Rows of an exported table: all are counted, the most useful are kept.

use std::collections::BTreeMap;
use std::io;

use export::RowChoice;
use serde_json::{Map, Value};

/// How many bytes of a text a row keeps.
const TEXT: usize = 400;
/// How many values of a list a row keeps.
const VALUES: usize = 64;

/// A row of an exported table: its cells by the names of their columns. Of a long text and of a long
/// list it has the beginning.
#[derive(Debug, Clone, Default)]
pub(super) struct TableRow {
    cells: Map<String, Value>,
    /// How many values of lists are left out, by their columns.
    left_out: Vec<(String, usize)>,
}

/// Chooses the rows of a table, and keeps them.
pub(super) struct KeptRows {
    limit: usize,
    /// Rows with the lowest rank are kept first.
    rank: fn(&str) -> u8,
    kept: Vec<RankedRow>,
    /// The place of the row that comes next.
    next: RowPlace,
    /// Where no more rows are kept: the place of the last one.
    full_at: Option<RowPlace>,
    count: u64,
    games: BTreeMap<&'static str, u64>,
}

/// What is known of a table.
#[derive(Default)]
pub(super) struct KeptTable {
    /// The kept rows, in the order of the table.
    pub rows: Vec<TableRow>,
    /// How many rows the table has.
    pub count: u64,
    /// How many of them each game has.
    pub games: BTreeMap<&'static str, u64>,
}

/// A row with its place among all.
struct RankedRow {
    place: RowPlace,
    row: TableRow,
}

/// Where a row is among all, the most useful first: its rank, and its number in the table.
type RowPlace = (u8, u64);

impl TableRow {
    /// The row of a line of NDJSON.
    fn from_line(line: &[u8]) -> io::Result<Self> {
        let mut row = Self { cells: serde_json::from_slice(line)?, left_out: Vec::new() };
        for (column, value) in &mut row.cells {
            match value {
                Value::String(text) => shorten(text),
                Value::Array(values) => {
                    let count = values.len();
                    if count > VALUES {
                        row.left_out.push((column.clone(), count - VALUES));
                    }
                    // The space that a list had when it was read is given back.
                    values.truncate(VALUES);
                    values.shrink_to_fit();
                    for value in values {
                        if let Value::String(text) = value {
                            shorten(text);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(row)
    }

    /// A cell; `null` where there is none.
    pub fn value(&self, column: &str) -> &Value {
        self.cells.get(column).unwrap_or(&Value::Null)
    }

    /// A cell with a text; empty if it has none.
    pub fn text(&self, column: &str) -> &str {
        self.value(column).as_str().unwrap_or_default()
    }

    /// The first values of a list.
    pub fn list(&self, column: &str) -> &[Value] {
        self.value(column).as_array().map_or(&[], Vec::as_slice)
    }

    /// How many values of a list are left out.
    pub fn left_out(&self, column: &str) -> usize {
        self.left_out.iter().find(|(of, _)| of == column).map_or(0, |(_, count)| *count)
    }

    /// A cell as `export` writes it; of a list, its values with commas between them.
    pub fn exact(&self, column: &str) -> String {
        match self.value(column) {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Array(values) => {
                let mut texts: Vec<_> = values.iter().map(exact).collect();
                match self.left_out(column) {
                    0 => {}
                    more => texts.push(format!("and {more} more")),
                }
                texts.join(", ")
            }
            value => value.to_string(),
        }
    }
}

fn exact(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Cuts a text to so many bytes as a row keeps.
fn shorten(text: &mut String) {
    if text.len() > TEXT {
        let end = text.floor_char_boundary(TEXT);
        text.truncate(end);
        text.push('…');
        text.shrink_to_fit();
    }
}

impl KeptRows {
    /// No rows yet, and of all that come at most so many with the lowest rank.
    pub fn new(limit: usize, rank: fn(&str) -> u8) -> Self {
        Self {
            limit,
            rank,
            kept: Vec::new(),
            next: (0, 0),
            full_at: None,
            count: 0,
            games: BTreeMap::new(),
        }
    }

    /// Drops what is beyond the limit.
    fn shrink(&mut self) {
        self.kept.sort_by_key(|row| row.place);
        self.kept.truncate(self.limit);
        let is_full = self.kept.len() == self.limit;
        self.full_at = self.kept.last().filter(|_| is_full).map(|last| last.place);
    }

    /// The table, when all rows have come.
    pub fn finish(mut self) -> KeptTable {
        self.shrink();
        self.kept.sort_by_key(|row| row.place.1);
        let rows = self.kept.into_iter().map(|kept| kept.row).collect();
        KeptTable { rows, count: self.count, games: self.games }
    }
}

impl RowChoice for KeptRows {
    fn wants_row(
        &mut self,
        number: Option<u64>,
        game: &'static str,
        word: &mut dyn FnMut() -> &'static str,
    ) -> bool {
        *self.games.entry(game).or_insert(0) += 1;
        let number = number.unwrap_or(self.count);
        self.count += 1;
        // Of rows that are equally useful, the first ones are kept.
        let is_wanted = |place| self.full_at.is_none_or(|last| place < last);
        if self.limit == 0 || !is_wanted((0, number)) {
            return false;
        }
        let place = ((self.rank)(word()), number);
        let is_wanted = is_wanted(place);
        self.next = place;
        is_wanted
    }

    fn take_row(&mut self, line: &[u8]) -> io::Result<()> {
        self.kept.push(RankedRow { place: self.next, row: TableRow::from_line(line)? });
        if self.kept.len() > self.limit + self.limit / 4 {
            self.shrink();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_useful_rows_are_kept_in_their_order() {
        // In their order, and in another one with their numbers.
        for (step, has_numbers) in [(1, false), (1, true), (7, true)] {
            let (mut rows, mut made) = (KeptRows::new(4, |state| u8::from(state == "answered")), 0);
            for n in (0..2_000).map(|n| n * step % 2_000) {
                let state = if n % 7 == 5 && n < 20 { "refused" } else { "answered" };
                if rows.wants_row(has_numbers.then_some(n), "a", &mut || state) {
                    rows.take_row(format!("{{\"n\":{n}}}\n").as_bytes()).unwrap();
                    made += 1;
                }
            }
            let kept = rows.finish();
            let numbers = kept.rows.iter().filter_map(|row| row.value("n").as_u64());
            assert_eq!(numbers.collect::<Vec<_>>(), [0, 5, 12, 19]);
            assert_eq!((kept.count, kept.games), (2_000, BTreeMap::from([("a", 2_000)])));
            assert!(made < 40, "{made}");
        }
    }

    #[test]
    fn words_of_rows_that_nobody_can_want_are_not_asked_for() {
        let (mut rows, mut asked) = (KeptRows::new(4, |_| 0), 0);
        for _ in 0..100 {
            let is_wanted = rows.wants_row(None, "", &mut || {
                asked += 1;
                ""
            });
            if is_wanted {
                rows.take_row(b"{}").unwrap();
            }
        }
        assert_eq!(rows.finish().rows.len(), 4);
        assert_eq!(asked, 6);
    }

    #[test]
    fn cells_are_exact() {
        let line = br#"{"a":1.50,"b":[1,2],"c":["x","y"],"d":null,"e":true,"f":-7}"#;
        let row = TableRow::from_line(line).unwrap();
        let cells = ["a", "b", "c", "d", "e", "f", "g"].map(|column| row.exact(column));
        assert_eq!(cells, ["1.5", "1, 2", "x, y", "", "true", "-7", ""]);
        assert!(KeptRows::new(1, |_| 0).take_row(b"no JSON\n").is_err());
    }

    #[test]
    fn of_long_cells_the_beginning_is_kept() {
        let line = format!(
            "{{\"game\":\"a\",\"text\":\"\\\"game\\\":\\\"b\\\" {}\",\"frames\":{:?}}}",
            "ü".repeat(TEXT),
            (1..=VALUES + 3).collect::<Vec<_>>()
        );
        let row = TableRow::from_line(line.as_bytes()).unwrap();
        assert!(row.text("text").len() <= TEXT + '…'.len_utf8());
        assert!(row.text("text").ends_with('…'));
        assert_eq!((row.list("frames").len(), row.left_out("frames")), (VALUES, 3));
        assert!(row.exact("frames").ends_with(", 64, and 3 more"));
    }
}
