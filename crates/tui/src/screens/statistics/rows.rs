//! The rows of a chart's table: their order, the cursor among them, and what they are sorted by.

use super::chart::ChartKind;
use crate::screens::arrangement::Arrangement;
use crate::screens::screen::Sort;
use crate::widgets::scroll::Scroll;
use analysis::SessionStatistics;
use filter::{RowSorter, SortKey};

/// What the rows of a chart's table can be sorted by.
pub struct ChartColumn {
    pub name: &'static str,
    /// The places of all rows, in the order of the statistics.
    pub keys: fn(&SessionStatistics) -> Vec<SortKey>,
}

/// The rows of a chart's table as they are shown.
#[derive(Debug, Clone, Default)]
pub struct ChartRows {
    pub scroll: Scroll,
    pub arrangement: Arrangement,
}

impl ChartRows {
    /// The row under the cursor, by its place in the statistics.
    pub fn selected(&self, all: usize) -> Option<usize> {
        self.arrangement.at(self.scroll.cursor, all)
    }

    /// The rows from the first visible one on: where each is shown, and its place in the statistics.
    pub fn visible(&self, all: usize) -> impl Iterator<Item = (usize, usize)> {
        (self.scroll.top..all).filter_map(move |row| Some((row, self.arrangement.at(row, all)?)))
    }

    /// Puts the rows into their order; the cursor stays at its row.
    pub fn arrange(&mut self, kind: ChartKind, statistics: &SessionStatistics) {
        let all = kind.rows(statistics);
        let selected = self.selected(all);
        let order = self.arrangement.sort().and_then(|sort| sorted(kind, statistics, sort));
        self.arrangement.set(order);
        if let Some(row) = selected.and_then(|at| self.arrangement.row_of(at, all)) {
            self.scroll.cursor = row;
        }
    }

    /// The name of a column as a heading: with an arrow, if the rows are sorted by it.
    pub fn heading(&self, column: &str, name: &str) -> String {
        let sort = self.arrangement.sort().filter(|sort| sort.column == column);
        format!("{}{name}", sort.map_or("", Sort::arrow))
    }
}

/// The rows in the order of a column; a row that sums up the others stays first.
fn sorted(kind: ChartKind, statistics: &SessionStatistics, sort: &Sort) -> Option<Vec<u32>> {
    let column = kind.columns().iter().find(|column| column.name == sort.column)?;
    let sums = kind.sums(statistics);
    let mut sorter = RowSorter::new(sort.is_descending);
    for (row, key) in (0_u32..).zip((column.keys)(statistics)).skip(sums) {
        sorter.add_row(&key, row);
    }
    Some((0..sums as u32).chain(sorter.finish()).collect())
}
