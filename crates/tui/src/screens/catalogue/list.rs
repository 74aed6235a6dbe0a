//! The list of the catalogue: protocols, and under each its messages.

use crate::screens::arrangement::Arrangement;
use crate::screens::screen::Sort;
use protocol::{Entry, Protocol};
use protocols::registry;

/// What the list can be sorted by: the order of the documents, or names.
pub const SORTS: [&str; 2] = ["document", BY_NAME];
const BY_NAME: &str = "name";

/// A line of the list: a protocol, or one of its messages.
#[derive(Clone, Copy)]
pub struct CatalogueRow {
    pub protocol: &'static Protocol,
    pub message: Option<&'static Entry>,
}

impl CatalogueRow {
    pub fn label(self) -> String {
        match self.message {
            None => self.protocol.title.to_owned(),
            Some(entry) => match entry.spec.explained(entry.spec.name) {
                Some(means) => format!("{} ({means})", entry.spec.name),
                None => entry.spec.name.to_owned(),
            },
        }
    }
}

/// All rows, in the order in which they are shown.
pub struct CatalogueRows {
    all: Vec<CatalogueRow>,
    arrangement: Arrangement,
}

impl Default for CatalogueRows {
    fn default() -> Self {
        let all = registry().protocols().iter().flat_map(|protocol| {
            let messages = protocol.messages.iter();
            let messages = messages.map(|entry| CatalogueRow { protocol, message: Some(entry) });
            std::iter::once(CatalogueRow { protocol, message: None }).chain(messages)
        });
        Self { all: all.collect(), arrangement: Arrangement::default() }
    }
}

impl CatalogueRows {
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// A shown row.
    pub fn get(&self, row: usize) -> Option<CatalogueRow> {
        self.all.get(self.place(row)?).copied()
    }

    /// The rows as they are shown.
    pub fn iter(&self) -> impl Iterator<Item = CatalogueRow> {
        (0..self.len()).filter_map(|row| self.get(row))
    }

    /// The place of a shown row in the order of the documents.
    pub fn place(&self, row: usize) -> Option<usize> {
        self.arrangement.at(row, self.len())
    }

    /// Where the row is shown that has this place in the order of the documents.
    pub fn row_of(&self, place: usize) -> Option<usize> {
        self.arrangement.row_of(place, self.len())
    }

    pub fn sort(&self) -> Option<&Sort> {
        self.arrangement.sort()
    }

    /// Sorts the protocols, and under each its messages.
    pub fn set_sort(&mut self, sort: Option<Sort>) {
        self.arrangement.set(sort.as_ref().map(|sort| self.sorted(sort)));
        self.arrangement.set_sort(sort);
    }

    fn sorted(&self, sort: &Sort) -> Vec<u32> {
        // Each protocol with its messages.
        let mut groups: Vec<(u32, Vec<u32>)> = Vec::new();
        for (at, row) in (0_u32..).zip(&self.all) {
            match (row.message, groups.last_mut()) {
                (Some(_), Some((_, messages))) => messages.push(at),
                _ => groups.push((at, Vec::new())),
            }
        }
        for (_, messages) in &mut groups {
            self.arrange(messages, |at| *at, sort);
        }
        self.arrange(&mut groups, |(protocol, _)| *protocol, sort);
        let rows =
            groups.into_iter().flat_map(|(at, messages)| std::iter::once(at).chain(messages));
        rows.collect()
    }

    /// Puts items, each with its place in the order of the documents, into the order of a column.
    fn arrange<T>(&self, items: &mut [T], place: fn(&T) -> u32, sort: &Sort) {
        if sort.column == BY_NAME {
            items.sort_by_cached_key(|item| {
                let row = self.all.get(place(item) as usize);
                row.map(|row| row.label().to_lowercase())
            });
        }
        if sort.is_descending {
            items.reverse();
        }
    }
}
