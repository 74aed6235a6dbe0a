//! What servers answer: settings with their keys and tables, or values alone where the query has
//! selected keys by their numbers.

use super::super::ANSWER;
use super::super::identifiers::bytes;
use super::settings::{Settings, report};
use super::tables::{FieldTable, TableOf};
use super::{MAYBE_NUL, REQUEST_KEY, TYPE, is_common, text};
use codec::{
    Choice, Endian, Field, FieldRole, Group, Parts, Pass, RawBytes, Sink, View, ViewLayout, Walk,
};
use protocol::{Message, Spec};

/// The settings of a server.
pub(crate) static PAIRS: Field = Field::group("info", "settings, as pairs of texts");
pub(crate) static END: Field = Field::separator("end", "an empty key: no more settings");
static VALUES: Field = Field::group("values", "the values that were asked for, without their keys");
static VALUE: Field =
    Field::text("value", "a value; the query says of which key").role(FieldRole::Free);

crate::declare::choices! {
    /// What a reply begins with.
    ReplyForm { Settings "settings", Tables "tables alone: a count first, which is below 256" }
    |rest| rest.first() == Some(&0)
        && FieldTable::split_off(rest).is_some_and(|(table, _)| table.is_named());
}

/// Which tables follow.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum TableKind {
    /// None.
    #[default]
    None,
    /// That of the players, and maybe that of the teams.
    Players,
    /// That of the teams alone.
    Teams,
    /// Both, of nobody, and without names.
    Empty,
}

impl Choice for TableKind {
    const ALL: &'static [(Self, &'static str)] = &[
        (Self::None, "nothing follows"),
        (Self::Players, "players first"),
        (Self::Teams, "teams alone: the first field ends in `_t`"),
        (Self::Empty, "two counts of 0, and nothing else"),
    ];

    fn peek(rest: &[u8]) -> Self {
        match rest {
            [] => Self::None,
            [0, 0, 0, 0] => Self::Empty,
            _ if FieldTable::split_off(rest).is_some_and(|(table, _)| table.is_of_teams()) => {
                Self::Teams
            }
            _ => Self::Players,
        }
    }
}

/// What replies and heartbeats have in common: settings and tables.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ReplyBody<'a> {
    pub info: Settings<'a>,
    pub end: u8,
    pub tables: TableKind,
    pub players: FieldTable<'a>,
    pub has_teams: bool,
    pub teams: FieldTable<'a>,
}

impl<'a> ReplyBody<'a> {
    /// Settings, and the tables behind them.
    pub(crate) fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.view(&PAIRS, (), &mut self.info)?;
        p.one_of(&END, &MAYBE_NUL, &mut self.end)?;
        self.walk_tables(p)
    }

    /// The tables alone.
    pub(crate) fn walk_tables<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.choose(&mut self.tables, |p, tables| match tables {
            TableKind::None => Ok(()),
            TableKind::Teams => self.teams.walk(p, TableOf::Teams),
            TableKind::Players => {
                self.players.walk(p, TableOf::Players)?;
                p.more(&mut self.has_teams, "unless they do not fit", |p| {
                    self.teams.walk(p, TableOf::Teams)
                })
            }
            TableKind::Empty => {
                self.players.walk_count(p, TableOf::Players)?;
                self.teams.walk_count(p, TableOf::Teams)
            }
        })
    }
}

/// Whether bytes behind the key of a reply are whole settings of which some are common, or whole
/// tables with named fields.
pub(crate) fn is_reply(body: &[u8]) -> bool {
    let tables = |left: &[u8]| {
        let all_of =
            |left| FieldTable::split_off(left).is_some_and(|(_, behind)| behind.is_empty());
        matches!(left, [] | [0, 0, 0, 0])
            || all_of(left)
            || FieldTable::split_off(left).is_some_and(|(_, behind)| all_of(behind))
    };
    if body.first() == Some(&0) {
        return FieldTable::split_off(body).is_some_and(|(table, _)| table.is_named())
            && tables(body);
    }
    let is_text = |key: &[u8]| key.iter().all(|byte| (0x20..0x7f).contains(byte));
    let settings = Settings::split_off(body, ());
    // What does not fit into a datagram is cut: only then may the empty key be missing.
    match body.get(settings.raw().len()..) {
        Some([0, behind @ ..]) if !tables(behind) => return false,
        Some([0, ..]) => {}
        _ if body.len() < CUT => return false,
        _ => {}
    }
    settings.pairs().all(|(key, _)| is_text(key)) && settings.pairs().any(|(key, _)| is_common(key))
}

/// Replies with at least as many bytes may be cut.
const CUT: usize = 1024;

/// A server's reply with names.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct QueryReply<'a> {
    pub key: u32,
    pub form: ReplyForm,
    pub body: ReplyBody<'a>,
}

impl<'a> Message<'a> for QueryReply<'a> {
    const SPEC: Spec = Spec::new(
        "reply",
        &["008 qr2.c", "012 gamespy2.js"],
        ANSWER,
        b"\0\x10\x20\x30\x40hostname\0A server\0mapname\0bloodgulch\0numplayers\x001\0\0\
          \0\x01player_\0score_\0\0Alfa\x002\0\0\0team_t\0\0",
    )
    .weak()
    .content_match(b"\0", |bytes| bytes.get(5..).is_some_and(is_reply))
    .answers(&["query"])
    .returns(bytes::<1, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&TYPE, b"\0")?;
        p.int(&REQUEST_KEY, Endian::Big, &mut self.key)?;
        p.choose(&mut self.form, |p, form| match form {
            ReplyForm::Settings => self.body.walk(p),
            ReplyForm::Tables => self.body.walk_tables(p),
        })
    }
}

/// Texts with a NUL behind each.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ValueList<'a> {
    raw: &'a [u8],
}

impl<'a> ValueList<'a> {
    /// Each value.
    pub fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        let mut left = self.raw;
        std::iter::from_fn(move || {
            let (value, behind) = text(left)?;
            left = behind;
            Some(value)
        })
    }
}

impl<'a> RawBytes<'a> for ValueList<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> View<'a> for ValueList<'a> {
    type Form = ();
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], (): ()) -> usize {
        Self { raw: all }.iter().map(|value| value.len() + 1).sum()
    }

    fn parts<S: Sink>(&self, (): (), out: &mut Parts<'_, '_, S>) {
        for value in self.iter() {
            report(&VALUE, (value, true), out);
        }
    }

    fn layout((): ()) -> ViewLayout {
        ViewLayout::Texts { text: &VALUE, ends_at_empty: false }
    }

    fn fields((): (), each: &mut dyn FnMut(&'static Field)) {
        each(&VALUE);
    }
}

/// Whether bytes are texts, and not settings with their keys.
fn is_values(body: &[u8]) -> bool {
    // Colours begin with 0x1B.
    let is_shown = |byte: &u8| *byte >= 0x20 || *byte == 0x1b || byte.is_ascii_whitespace();
    let is_text = |value: &[u8]| value.iter().all(is_shown);
    let values = ValueList::split_off(body, ());
    !body.is_empty()
        && values.raw().len() == body.len()
        && body.first() != Some(&0)
        && values.iter().all(is_text)
        && !is_reply(body)
}

/// A server's reply to a query that selects settings by the numbers of their keys. What it selects of
/// players and teams would be behind a count, and is not told from values.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ValuesReply<'a> {
    pub key: u32,
    pub values: ValueList<'a>,
}

impl<'a> Message<'a> for ValuesReply<'a> {
    const SPEC: Spec = Spec::new(
        "reply",
        &["008 qr2.c"],
        ANSWER,
        b"\0\x10\x20\x30\x40A server\x0001.00.10.0621\0bloodgulch\0",
    )
    .id("values-reply")
    .content_match(b"\0", |bytes| bytes.get(5..).is_some_and(is_values))
    .answer_only()
    .answers(&["query"])
    .returns(bytes::<1, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&TYPE, b"\0")?;
        p.int(&REQUEST_KEY, Endian::Big, &mut self.key)?;
        p.view(&VALUES, (), &mut self.values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_recognised_by_their_names() {
        for (body, named, values) in [
            (&b"hostname\0x\0\0"[..], true, false),
            (b"hostname\0x\0\0\0\x01player_\0\0Alfa\0\0\0team_t\0\0", true, false),
            (b"hostname\0x\0\0\0\x01player_\0\0Alfa\0rest", false, false),
            (b"hostname\0x\0", false, true),
            (b"other\0x\0\0", false, true),
            (b"A server\0map\0", false, true),
            (b"\0\x01player_\0\0Alfa\0\0\0\0", true, false),
            (b"\0\x01team_t\0\0Red\0", true, false),
            (b"\0\x01other\0\0Alfa\0", false, false),
            (b"\0\0\0", false, false),
            (b"A server\0map", false, false),
            (b"A server\0\x01\0", false, false),
            (b"", false, false),
        ] {
            assert_eq!(
                (is_reply(body), is_values(body)),
                (named, values),
                "{}",
                body.escape_ascii()
            );
        }
    }
}
