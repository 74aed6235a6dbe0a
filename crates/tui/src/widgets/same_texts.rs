//! Columns that say the same in all rows: where space is short, they are left out.

use super::table::Runs;

/// More than so many rows must have the same.
const LEAST: usize = 3;

/// Of each column the text of its first row, and whether other rows have another one.
#[derive(Debug, Clone, Default)]
pub struct SameTexts {
    columns: Vec<(String, bool)>,
    rows: usize,
}

impl SameTexts {
    pub fn add_row(&mut self, row: &[Runs]) {
        self.rows += 1;
        for (at, cell) in row.iter().enumerate() {
            let of_cell = || cell.iter().map(|run| run.text.as_str());
            match self.columns.get_mut(at) {
                Some((_, true)) => {}
                Some((text, differs)) => {
                    *differs = !of_cell().flat_map(str::bytes).eq(text.bytes());
                }
                None => self.columns.push((of_cell().collect(), false)),
            }
        }
    }

    /// Whether a column has one text, or none, in all rows.
    pub fn has_one(&self, column: usize) -> bool {
        self.rows > LEAST && self.columns.get(column).is_some_and(|(_, differs)| !differs)
    }
}
