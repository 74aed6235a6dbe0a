//! Tables of players and teams: a count, the names of the fields up to an empty one, and the values
//! row by row. Each text has a NUL behind it.
//!
//! Programs cut what does not fit into a datagram, so a table may end anywhere between two texts.

use super::keys::KEYS;
use crate::codec::{
    Endian, Field, FieldRole, Group, Parts, RawBytes, Shape, Sink, View, Want,
};

static COUNT: Field = Field::number("count", "how many rows there are").role(FieldRole::Count);
pub(in crate::protocols) static FIELD_NAME: Field =
    Field::text("field", "the name of a field of players or teams");
static END: Field = Field::separator("end", "no more names");
pub(in crate::protocols) static NUL: Field = Field::separator("NUL", "ends a text");
static PLAYER: Field = Field::group("player", "one player");
static TEAM: Field = Field::group("team", "one team");

/// Whose values a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableOf {
    /// Each row is a player.
    Players,
    /// Each row is a team.
    Teams,
}

impl TableOf {
    /// The field of a row.
    pub(in crate::protocols) fn row(self) -> &'static Field {
        match self {
            Self::Players => &PLAYER,
            Self::Teams => &TEAM,
        }
    }
}

/// A table as it was sent.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FieldTable<'a> {
    raw: &'a [u8],
}

/// The text at the beginning of `left` without its NUL, and what is behind it; `None` if it has no
/// NUL.
pub(in crate::protocols) fn text(left: &[u8]) -> Option<(&[u8], &[u8])> {
    let (text, behind) = left.split_at_checked(memchr::memchr(0, left)?)?;
    Some((text, behind.get(1..)?))
}

impl<'a> FieldTable<'a> {
    /// The number of rows that the table names; it may have fewer.
    pub fn count(self) -> u16 {
        self.raw.first_chunk().map_or(0, |count| u16::from_be_bytes(*count))
    }

    /// The name of each column.
    pub fn columns(self) -> impl Iterator<Item = &'a [u8]> {
        let mut left = self.raw.get(2..).unwrap_or_default();
        std::iter::from_fn(move || {
            let (name, behind) = text(left).filter(|(name, _)| !name.is_empty())?;
            left = behind;
            Some(name)
        })
    }

    /// Each value, row by row.
    pub fn values(self) -> impl Iterator<Item = &'a [u8]> {
        let columns = self.columns();
        let (width, length) = columns.fold((0, 0), |(n, all), name| (n + 1, all + name.len() + 1));
        let mut left = self.raw.get(2 + length + 1..).unwrap_or_default();
        // The count sizes nothing: the values end with the bytes too.
        std::iter::from_fn(move || {
            let (value, behind) = text(left)?;
            left = behind;
            Some(value)
        })
        .take(usize::from(self.count()) * width)
    }

    /// Whether its columns are of teams.
    pub(super) fn is_of_teams(self) -> bool {
        self.columns().next().is_some_and(|name| name.ends_with(b"_t"))
    }

    /// Whether it has columns, and each is named as a field of players or teams is.
    pub(super) fn is_named(self) -> bool {
        let is_name = |name: &[u8]| name.ends_with(b"_") || name.ends_with(b"_t");
        self.columns().next().is_some() && self.columns().all(is_name)
    }
}

impl<'a> RawBytes<'a> for FieldTable<'a> {
    fn of(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> View<'a> for FieldTable<'a> {
    type Form = TableOf;
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], _: TableOf) -> usize {
        let table = Self { raw: all };
        match all {
            [] | [_] => return 0,
            // Two tables without rows, whose names and the end of these were left out.
            [0, 0, 0, 0] => return 2,
            _ => {}
        }
        let names: usize = table.columns().map(|name| name.len() + 1).sum();
        let head = 2 + names;
        let end = usize::from(all.get(head) == Some(&0));
        head + end + table.values().map(|value| value.len() + 1).sum::<usize>()
    }

    fn broken(all: &'a [u8], form: TableOf) -> Option<(usize, Want)> {
        if all.len() < 2 {
            return Some((0, Want::Bytes(2)));
        }
        let whole = Self::len(all, form);
        let is_short = Self { raw: all }.columns().next().is_some()
            && all.get(whole).is_some()
            && text(all.get(whole..)?).is_none();
        is_short.then_some((all.len(), Want::Stop(0)))
    }

    fn parts<S: Sink>(&self, form: TableOf, out: &mut Parts<'_, '_, S>) {
        out.leaf(&COUNT, Shape::Unsigned(Endian::Big), 2);
        for name in self.columns() {
            out.leaf(&FIELD_NAME, Shape::Text, name.len());
            out.gap(&NUL, Shape::Raw, 1);
        }
        let end = usize::from(out.at() < self.raw.len());
        out.gap(&END, Shape::Raw, end);
        let mut values = self.values().peekable();
        while values.peek().is_some() {
            out.open(form.row(), Group::Record);
            for (name, value) in self.columns().zip(&mut values) {
                out.leaf(KEYS.resolve(name), Shape::Text, value.len());
                out.gap(&NUL, Shape::Raw, 1);
            }
            out.close();
        }
    }

    fn fields(_: TableOf, each: &mut dyn FnMut(&'static Field)) {
        [&COUNT, &FIELD_NAME].into_iter().for_each(&mut *each);
        KEYS.iter().for_each(each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_ends_with_its_rows_or_with_the_bytes() {
        for (raw, values, taken) in [
            (&b"\0\x02player_\0score_\0\0a\x001\0b\x002\0rest"[..], 4, 26),
            (b"\0\x02player_\0score_\0\0a\x001\0b\0", 3, 24),
            (b"\0\x02player_\0\0a\0b", 1, 13),
            (b"\0\x02player_\0", 0, 10),
            (b"\0\x02", 0, 2),
            (b"\0\0\0\0\0\0", 0, 3),
            (b"\0\0\0\0", 0, 2),
            (b"\0", 0, 0),
        ] {
            let table = FieldTable::take(raw, TableOf::Players);
            let got = (table.values().count(), table.raw().len());
            assert_eq!(got, (values, taken), "{}", raw.escape_ascii());
            assert_eq!(FieldTable::take(table.raw(), TableOf::Players), table);
        }
        assert_eq!(
            FieldTable::broken(b"\0\x02player_\0\0a\0b", TableOf::Players),
            Some((14, Want::Stop(0)))
        );
    }
}
