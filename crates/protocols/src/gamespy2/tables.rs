//! Tables of players and teams: a count, the names of the fields up to an empty one, and the values
//! row by row. Each text has a NUL behind it.
//!
//! Programs cut what does not fit into a datagram, so a table may end anywhere between two texts.

use smallvec::SmallVec;

use super::keys::KEYS;
use super::{MAYBE_NUL, report};
use codec::{Endian, Field, Group, Parts, Pass, RawBytes, Sink, View, ViewLayout, Walk, Want};

static PLAYER_COUNT: Field = Field::number("player count", "how many players there are");
static TEAM_COUNT: Field = Field::number("team count", "how many teams there are");
static PLAYER_FIELDS: Field = Field::group("player fields", "what is said of each player");
static TEAM_FIELDS: Field = Field::group("team fields", "what is said of each team");
pub(crate) static PLAYERS: Field = Field::group("players", "who plays");
pub(crate) static TEAMS: Field = Field::group("teams", "the teams");
pub(crate) static FIELD_NAME: Field =
    Field::text("field", "the name of a field of players or teams");
pub(crate) static NUL: Field = Field::terminator("NUL", "ends a text");
static END: Field = Field::separator("end", "no more names");
static PLAYER: Field = Field::group("player", "one player");
static TEAM: Field = Field::group("team", "one team");

/// How many fields rows have mostly, at most.
const COLUMNS: usize = 16;
/// The end of the name of a field of teams.
const TEAM_NAME: &[u8] = b"_t";

/// Whose values a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableOf {
    /// Each row is a player.
    Players,
    /// Each row is a team.
    Teams,
}

impl TableOf {
    /// One row.
    fn row(self) -> &'static Field {
        match self {
            Self::Players => &PLAYER,
            Self::Teams => &TEAM,
        }
    }
}

/// A table: the number of rows, of which some may be missing, the fields, and the rows.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FieldTable<'a> {
    pub count: u16,
    pub names: FieldNames<'a>,
    pub end: u8,
    pub rows: FieldRows<'a>,
}

/// The names of the fields, up to an empty one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FieldNames<'a> {
    raw: &'a [u8],
}

/// The values, row by row.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FieldRows<'a> {
    raw: &'a [u8],
}

/// What rows depend on.
#[derive(Debug, Clone, Copy)]
pub struct RowForm<'a> {
    /// The most rows.
    pub count: u16,
    /// The field of each value in a row.
    pub names: FieldNames<'a>,
    /// Whose values they are.
    pub of: TableOf,
}

/// The text at the beginning of `left` without its NUL, and what is behind it; `None` if it has no
/// NUL.
pub(crate) fn text(left: &[u8]) -> Option<(&[u8], &[u8])> {
    let (text, behind) = left.split_at_checked(memchr::memchr(0, left)?)?;
    Some((text, behind.get(1..)?))
}

impl<'a> FieldTable<'a> {
    /// The table at the beginning of `all`, and what is behind it; `None` if there is no count.
    pub fn split_off(all: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (count, behind) = all.split_first_chunk()?;
        let count = u16::from_be_bytes(*count);
        let names = FieldNames::split_off(behind, ());
        let behind = behind.get(names.raw.len()..)?;
        let end = u8::from(behind.is_empty());
        let behind = behind.get(1..).unwrap_or_default();
        let rows = FieldRows::split_off(behind, RowForm { count, names, of: TableOf::Players });
        Some((Self { count, names, end, rows }, behind.get(rows.raw.len()..)?))
    }

    pub(super) fn walk<P: Pass<'a>>(&mut self, p: &mut P, of: TableOf) -> Walk {
        let [count, names, rows] = match of {
            TableOf::Players => [&PLAYER_COUNT, &PLAYER_FIELDS, &PLAYERS],
            TableOf::Teams => [&TEAM_COUNT, &TEAM_FIELDS, &TEAMS],
        };
        p.int(count, Endian::Big, &mut self.count)?;
        p.view(names, (), &mut self.names)?;
        p.one_of(&END, &MAYBE_NUL, &mut self.end)?;
        let form = RowForm { count: self.count, names: self.names, of };
        p.view(rows, form, &mut self.rows)
    }

    /// Its count alone, where two tables without rows lack everything else.
    pub(super) fn walk_count<P: Pass<'a>>(&mut self, p: &mut P, of: TableOf) -> Walk {
        let count = match of {
            TableOf::Players => &PLAYER_COUNT,
            TableOf::Teams => &TEAM_COUNT,
        };
        p.int(count, Endian::Big, &mut self.count)
    }

    /// Whether its fields are of teams.
    pub(super) fn is_of_teams(&self) -> bool {
        self.names.iter().next().is_some_and(|name| name.ends_with(TEAM_NAME))
    }

    /// Whether it has fields, and each is named as one of players or teams is.
    pub(super) fn is_named(&self) -> bool {
        let is_name = |name: &[u8]| name.ends_with(b"_") || name.ends_with(TEAM_NAME);
        self.names.iter().next().is_some() && self.names.iter().all(is_name)
    }
}

impl<'a> FieldNames<'a> {
    /// Each name.
    pub fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        let mut left = self.raw;
        std::iter::from_fn(move || {
            let (name, behind) = text(left).filter(|(name, _)| !name.is_empty())?;
            left = behind;
            Some(name)
        })
    }
}

impl<'a> FieldRows<'a> {
    /// Each value.
    pub fn values(self) -> impl Iterator<Item = &'a [u8]> {
        let mut left = self.raw;
        std::iter::from_fn(move || {
            let (value, behind) = text(left)?;
            left = behind;
            Some(value)
        })
    }
}

impl<'a> RawBytes<'a> for FieldNames<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> RawBytes<'a> for FieldRows<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> View<'a> for FieldNames<'a> {
    type Form = ();
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], (): ()) -> usize {
        Self { raw: all }.iter().map(|name| name.len() + 1).sum()
    }

    fn broken(taken: usize, all: &'a [u8], (): ()) -> Option<(usize, Want)> {
        let left = all.get(taken..).filter(|left| !left.is_empty())?;
        text(left).is_none().then_some((all.len(), Want::Stop(0)))
    }

    fn parts<S: Sink>(&self, (): (), out: &mut Parts<'_, '_, S>) {
        for name in self.iter() {
            report(&FIELD_NAME, (name, true), out);
        }
    }

    fn layout((): ()) -> ViewLayout {
        ViewLayout::Texts { text: &FIELD_NAME, ends_at_empty: true }
    }

    fn fields((): (), each: &mut dyn FnMut(&'static Field)) {
        each(&FIELD_NAME);
    }
}

impl<'a> View<'a> for FieldRows<'a> {
    type Form = RowForm<'a>;
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], form: RowForm<'a>) -> usize {
        // The count sizes nothing: the values end with the bytes too.
        let most = usize::from(form.count) * form.names.iter().count();
        Self { raw: all }.values().take(most).map(|value| value.len() + 1).sum()
    }

    fn broken(taken: usize, all: &'a [u8], form: RowForm<'a>) -> Option<(usize, Want)> {
        let most = usize::from(form.count) * form.names.iter().count();
        let is_cut = Self { raw: all }.values().take(most).count() < most && taken < all.len();
        is_cut.then_some((all.len(), Want::Stop(0)))
    }

    fn parts<S: Sink>(&self, form: RowForm<'a>, out: &mut Parts<'_, '_, S>) {
        let row = form.of.row();
        // Once, not in each row: a name may be as long as all rows.
        let fields: SmallVec<[_; COLUMNS]> =
            form.names.iter().map(|name| KEYS.resolve(name)).collect();
        let mut values = self.values().peekable();
        while values.peek().is_some() {
            out.open(row, Group::Record);
            let before = out.at();
            for (field, value) in fields.iter().zip(&mut values) {
                report(field, (value, true), out);
            }
            out.close();
            if out.at() == before {
                break;
            }
        }
    }

    fn layout(form: RowForm<'a>) -> ViewLayout {
        ViewLayout::TextRows { row: form.of.row() }
    }

    fn fields(_: RowForm<'a>, each: &mut dyn FnMut(&'static Field)) {
        KEYS.iter().for_each(each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_ends_with_its_rows_or_with_the_bytes() {
        for (raw, values, behind) in [
            (&b"\0\x02player_\0score_\0\0a\x001\0b\x002\0rest"[..], 4, 4),
            (b"\0\x02player_\0score_\0\0a\x001\0b\0", 3, 0),
            (b"\0\x02player_\0\0a\0b", 1, 1),
            (b"\0\x02player_\0", 0, 0),
            (b"\0\x02", 0, 0),
            (b"\0\0\0\0\0\0", 0, 3),
        ] {
            let (table, left) = FieldTable::split_off(raw).unwrap();
            let got = (table.rows.values().count(), left.len());
            assert_eq!(got, (values, behind), "{}", raw.escape_ascii());
        }
        assert!(FieldTable::split_off(b"\0").is_none());
    }
}
