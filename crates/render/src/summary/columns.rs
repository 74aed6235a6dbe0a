//! Players and teams that a reply has column by column: they are the rows.

use super::{NAMED, SummaryWriter};
use codec::{FieldRole, Group, Node, Span};

/// The name of the group of one column, and of the number before its values.
const COLUMN: &str = "column";
const FIRST: &str = "first";

/// Whether the groups of a list are columns.
pub(super) fn are_columns(first: &Span) -> bool {
    first.node == Node::Group(Group::Record) && first.field.name == COLUMN
}

impl SummaryWriter<'_> {
    /// How many rows there are, and the first names, of a person or of a team.
    pub(super) fn columns(&mut self, list: &Span, parts: &[Span]) {
        let starts = parts.iter().enumerate().filter(|(_, span)| are_columns(span));
        let mut rows = 0;
        let mut names: Option<&[Span]> = None;
        for (at, column) in starts {
            let inside = parts.get(at + 1..).unwrap_or_default();
            let length = inside.iter().take_while(|span| span.depth > column.depth).count();
            let inside = inside.get(..length).unwrap_or_default();
            rows = rows.max(values(inside).count());
            let is_person = values(inside).any(|span| span.field.role == FieldRole::Person);
            if is_person && names.is_none() {
                names = Some(inside);
            }
        }
        if rows == 0 {
            return self.empty_list(list);
        }
        self.gap(", ");
        let name = list.field.name;
        self.count(rows, if rows == 1 { name.strip_suffix('s').unwrap_or(name) } else { name });
        let mut named = 0;
        for span in names.into_iter().flat_map(values).take(NAMED) {
            self.out.extend_from_slice(if named == 0 { b": " } else { b", " });
            self.value(span);
            named += 1;
        }
        if named > 0 && named < rows {
            self.out.extend_from_slice(", …".as_bytes());
        }
    }
}

/// The values of a column.
fn values(inside: &[Span]) -> impl Iterator<Item = &Span> {
    let data = inside.iter().filter(|span| span.node == Node::Leaf && span.field.is_data());
    data.skip_while(|span| span.field.name != FIRST).skip(1)
}
