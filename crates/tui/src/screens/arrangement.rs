//! Which rows of a list are shown, in which order.

use std::ops::Range;

use super::screen::{SearchFrom, Sort};
use crate::action::Step;

/// The shown rows: all of them in the order of the session, unless there is a filter or a sort.
#[derive(Debug, Clone, Default)]
pub struct Arrangement {
    order: Option<Vec<u32>>,
    sort: Option<Sort>,
}

impl Arrangement {
    /// How many rows are shown of so many.
    pub fn len(&self, all: usize) -> usize {
        self.order.as_ref().map_or(all, Vec::len)
    }

    /// What stands in a shown row.
    pub fn at(&self, row: usize, all: usize) -> Option<usize> {
        match &self.order {
            Some(order) => order.get(row).map(|at| *at as usize),
            None => Some(row).filter(|row| *row < all),
        }
    }

    /// The shown row of something.
    pub fn row_of(&self, at: usize, all: usize) -> Option<usize> {
        match &self.order {
            Some(order) => order.iter().position(|shown| *shown as usize == at),
            None => Some(at).filter(|at| *at < all),
        }
    }

    /// Whether there is an order that is not the session's.
    pub fn is_set(&self) -> bool {
        self.order.is_some()
    }

    /// The shown rows; nothing if they are all, in the order of the session.
    pub fn order(&self) -> Option<&[u32]> {
        self.order.as_deref()
    }

    pub fn set(&mut self, order: Option<Vec<u32>>) {
        self.order = order;
    }

    pub fn sort(&self) -> Option<&Sort> {
        self.sort.as_ref()
    }

    pub fn set_sort(&mut self, sort: Option<Sort>) {
        self.sort = sort;
    }

    /// All shown rows in the order in which a search that begins at `cursor` goes through them.
    pub fn from(&self, cursor: usize, from: SearchFrom, all: usize) -> Vec<u32> {
        let rows = search_order(cursor, from, 0..self.len(all));
        rows.filter_map(|row| self.at(row, all)).map(|at| at as u32).collect()
    }
}

/// The rows in the order in which a search goes through them: around the end.
pub fn search_order(
    cursor: usize,
    from: SearchFrom,
    rows: Range<usize>,
) -> Box<dyn Iterator<Item = usize>> {
    let cursor = cursor.clamp(rows.start, rows.end);
    match from {
        SearchFrom::Here => Box::new((cursor..rows.end).chain(rows.start..cursor)),
        SearchFrom::After(Step::Forward) => {
            let next = (cursor + 1).min(rows.end);
            Box::new((next..rows.end).chain(rows.start..next))
        }
        SearchFrom::After(Step::Back) => {
            Box::new((rows.start..cursor).rev().chain((cursor..rows.end).rev()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_go_around_the_end() {
        for (from, rows) in [
            (SearchFrom::Here, [2, 3, 4, 0, 1]),
            (SearchFrom::After(Step::Forward), [3, 4, 0, 1, 2]),
            (SearchFrom::After(Step::Back), [1, 0, 4, 3, 2]),
        ] {
            assert_eq!(search_order(2, from, 0..5).collect::<Vec<_>>(), rows);
        }
        assert_eq!(search_order(9, SearchFrom::Here, 0..0).count(), 0);
    }
}
