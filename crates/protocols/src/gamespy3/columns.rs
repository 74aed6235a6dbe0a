//! Players and teams as replies in several datagrams have them: field by field, each with the number
//! of the first row that it has a value for. A datagram ends anywhere; what did not fit follows in the
//! next one, under its field again.

use crate::gamespy2::{FIELD_NAME, KEYS, NUL, TableOf, piece, report};
use codec::{Endian, Field, Group, Parts, RawBytes, Shape, Sink, View, ViewLayout};

static COLUMN: Field = Field::group("column", "one field of several players or teams");
static FIRST: Field = Field::number("first", "the row of the first value, from 0");

/// Fields up to an empty name, which is not part of them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Columns<'a> {
    raw: &'a [u8],
}

/// One field.
#[derive(Debug, Clone, Copy)]
struct ColumnPart<'a> {
    /// Its name, and whether a NUL is behind it.
    name: (&'a [u8], bool),
    /// The row of the first value, unless the datagram ends in front of it.
    first: Option<u8>,
    /// The values, and the empty texts behind them unless the datagram ends in front of it.
    values: &'a [u8],
    length: usize,
}

impl<'a> ColumnPart<'a> {
    /// The field at the beginning of `all`; `None` if there is none.
    fn split_off(all: &'a [u8]) -> Option<Self> {
        let (name, behind) = piece(all);
        if name.0.is_empty() {
            return None;
        }
        let Some((first, values)) = behind.split_first() else {
            return Some(Self { name, first: None, values: behind, length: all.len() });
        };
        let mut left = values;
        while !left.is_empty() {
            let ((value, _), behind) = piece(left);
            left = behind;
            if value.is_empty() {
                left = left.get(padding(left)..).unwrap_or_default();
                break;
            }
        }
        let values = values.get(..values.len() - left.len()).unwrap_or_default();
        Some(Self { name, first: Some(*first), values, length: all.len() - left.len() })
    }

    /// Each value, and whether a NUL is behind it; the last one is empty.
    fn values(self) -> impl Iterator<Item = (&'a [u8], bool)> {
        let mut left = self.values;
        std::iter::from_fn(move || {
            let (_, all) = (left.first()?, left);
            let (value, behind) = piece(all);
            left = behind;
            Some(value)
        })
    }
}

/// How many NULs are between a field and the next one: two in Unreal Tournament 3's replies.
fn padding(behind: &[u8]) -> usize {
    let zeros = behind.iter().take_while(|byte| **byte == 0).count();
    let is_field_next = behind.get(zeros).is_some_and(|byte| *byte >= b' ');
    if zeros > 1 && is_field_next { zeros } else { 0 }
}

impl<'a> Columns<'a> {
    /// The bytes of columns.
    pub fn new(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn iter(self) -> impl Iterator<Item = ColumnPart<'a>> {
        let mut left = self.raw;
        std::iter::from_fn(move || {
            let column = ColumnPart::split_off(left)?;
            left = left.get(column.length..)?;
            Some(column)
        })
    }
}

impl<'a> RawBytes<'a> for Columns<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> View<'a> for Columns<'a> {
    type Form = TableOf;
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], _: TableOf) -> usize {
        Self { raw: all }.iter().map(|column| column.length).sum()
    }

    fn parts<S: Sink>(&self, _: TableOf, out: &mut Parts<'_, '_, S>) {
        for column in self.iter() {
            out.open(&COLUMN, Group::Record);
            report(&FIELD_NAME, column.name, out);
            if column.first.is_some() {
                out.leaf(&FIRST, Shape::Unsigned(Endian::Big), 1);
            }
            let field = KEYS.resolve(column.name.0);
            for value in column.values() {
                match value {
                    (b"", _) => out.gap(&NUL, Shape::Raw, 1),
                    value => report(field, value, out),
                }
            }
            out.close();
        }
    }

    fn layout(_: TableOf) -> ViewLayout {
        ViewLayout::TextColumns { column: &COLUMN, name: &FIELD_NAME, first: &FIRST }
    }

    fn fields(_: TableOf, each: &mut dyn FnMut(&'static Field)) {
        [&FIELD_NAME, &FIRST].into_iter().for_each(&mut *each);
        KEYS.iter().for_each(each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_end_at_an_empty_name_or_with_the_datagram() {
        for (raw, values, taken) in [
            (&b"player_\0\0a\0b\0\0score_\0\0\x31\0\x32\0\0\0rest"[..], &[2, 2][..], 27),
            (b"player_\0\0a\0\0\0\0team_\0\0\0\0\0\0pid_\0\x009\0\0\0\0\0", &[1, 0, 1], 34),
            (b"player_\0\0a\0b\0\0\0", &[2], 14),
            (b"player_\0\0a\0b\0", &[2], 13),
            (b"player_\0\0a\0b", &[2], 12),
            (b"player_\0\x02", &[0], 9),
            (b"player_\0", &[0], 8),
            (b"player_", &[0], 7),
            (b"player_\0\0\0\0", &[0], 10),
            (b"\0", &[], 0),
            (b"", &[], 0),
        ] {
            let columns = Columns::split_off(raw, TableOf::Players);
            let count =
                |column: ColumnPart<'_>| column.values().filter(|v| !v.0.is_empty()).count();
            let found: Vec<_> = columns.iter().map(count).collect();
            assert_eq!((&*found, columns.raw().len()), (values, taken), "{}", raw.escape_ascii());
            assert_eq!(Columns::split_off(columns.raw(), TableOf::Players), columns);
        }
    }
}
