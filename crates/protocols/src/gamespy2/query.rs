//! What clients ask.

use super::super::identifiers::bytes;
use super::super::{ASK, Values};
use super::{MARK, REQUEST_KEY, TYPE};
use codec::{
    Endian, Field, Group, Parts, Pass, RawBytes, Shape, Sink, View, ViewLayout, Walk, Want,
};
use protocol::{Message, Spec};

static ALL_OR_NONE: Values = &[("0", "none"), ("255", "all")];
/// The settings that are asked for.
pub(crate) static SERVER_KEYS: Field =
    Field::number("server keys", "how many settings are asked for").values(ALL_OR_NONE);
/// The fields of players that are asked for.
pub(crate) static PLAYER_KEYS: Field =
    Field::number("player keys", "how many fields of players are asked for").values(ALL_OR_NONE);
/// The fields of teams that are asked for.
pub(crate) static TEAM_KEYS: Field =
    Field::number("team keys", "how many fields of teams are asked for").values(ALL_OR_NONE);
static NUMBER: Field = Field::number("key number", "a key, by the number that the game gave it");
pub(crate) static SELECTOR: Field = Field::group("selector", "which keys are asked for");

/// Which keys are asked for: none, all, or a count and the number of each.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Selector<'a> {
    raw: &'a [u8],
}

impl<'a> Selector<'a> {
    /// The bytes of a selector.
    pub fn new(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    /// The length of the selector at the beginning of `all`; `None` if it is not whole.
    fn whole(all: &[u8]) -> Option<usize> {
        let length = match all.first()? {
            0 | 0xff => 1,
            count => 1 + usize::from(*count),
        };
        (length <= all.len()).then_some(length)
    }

    /// Whether it asks for all keys.
    pub fn is_all(self) -> bool {
        self.raw == [0xff]
    }

    /// Whether it asks for anything.
    pub fn is_any(self) -> bool {
        !matches!(self.raw, [] | [0])
    }
}

/// What is behind three selectors; `None` if they are not whole.
pub(crate) fn selectors(bytes: &[u8]) -> Option<&[u8]> {
    (0..3).try_fold(bytes, |left, _| left.get(Selector::whole(left)?..))
}

impl<'a> RawBytes<'a> for Selector<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> View<'a> for Selector<'a> {
    type Form = &'static Field;
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], _: Self::Form) -> usize {
        Self::whole(all).unwrap_or(0)
    }

    fn broken(_taken: usize, all: &'a [u8], _: Self::Form) -> Option<(usize, Want)> {
        let count = all.first().copied().filter(|count| *count != 0xff).unwrap_or(0);
        Self::whole(all).is_none().then_some((0, Want::Bytes(1 + usize::from(count))))
    }

    fn parts<S: Sink>(&self, count: Self::Form, out: &mut Parts<'_, '_, S>) {
        out.leaf(count, Shape::Unsigned(Endian::Big), 1);
        for _ in self.raw.iter().skip(1) {
            out.leaf(&NUMBER, Shape::Unsigned(Endian::Big), 1);
        }
    }

    fn layout(count: Self::Form) -> ViewLayout {
        ViewLayout::Numbers { count, number: &NUMBER }
    }

    fn fields(count: Self::Form, each: &mut dyn FnMut(&'static Field)) {
        [count, &NUMBER].into_iter().for_each(each);
    }
}

/// A client or master asks a server for settings, players and teams.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Query<'a> {
    pub key: u32,
    pub server: Selector<'a>,
    pub players: Selector<'a>,
    pub teams: Selector<'a>,
}

impl<'a> Message<'a> for Query<'a> {
    const SPEC: Spec = Spec::new(
        "query",
        &["008 qr2.c", "010 qstat.h"],
        ASK,
        b"\xfe\xfd\0\x10\x20\x30\x40\xff\xff\xff",
    )
    .exact()
    .content_match(b"\xfe", |bytes| {
        let body = bytes.strip_prefix(b"\xfe\xfd\0").and_then(|behind| behind.get(4..));
        body.and_then(selectors).is_some_and(<[u8]>::is_empty)
    })
    .sends(bytes::<3, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xfe\xfd")?;
        p.lit(&TYPE, b"\0")?;
        p.int(&REQUEST_KEY, Endian::Big, &mut self.key)?;
        p.view(&SELECTOR, &SERVER_KEYS, &mut self.server)?;
        p.view(&SELECTOR, &PLAYER_KEYS, &mut self.players)?;
        p.view(&SELECTOR, &TEAM_KEYS, &mut self.teams)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_taken_whole() {
        for (bytes, left) in [
            (&b"\xff\xff\xff"[..], Some(0)),
            (b"\0\0\0\x01", Some(1)),
            (b"\x03\x01\x03\x05\0\0", Some(0)),
            (b"\x03\x01\x03", None),
            (b"\xff\xff", None),
        ] {
            assert_eq!(selectors(bytes).map(<[u8]>::len), left, "{}", bytes.escape_ascii());
        }
    }
}
