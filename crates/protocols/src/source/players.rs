//! Who plays on a server.

use std::marker::PhantomData;

use super::super::{C2S, COMMAND, MARK, S2C};
use super::{behind, challenge, string};
use codec::{
    Choice, Endian::Little, Field, FieldRole, Group, Parts, Pass, RawBytes, RecordForm, Records,
    RecordsEnd, Shape, Sink, View, ViewLayout, Walk, Want, bytes, text,
};
use protocol::{Message, Spec};

static COUNT: Field =
    Field::number("count", "how many follow; not always right").role(FieldRole::Count);
static LIST: Field = Field::group("players", "who plays");
static PLAYER: Field = Field::group("player", "one player");
static INDEX: Field =
    Field::number("index", "the player's number; 0 for all players of most servers");
static NAME: Field =
    Field::text("name", "the player's name; empty while they join").role(FieldRole::Person);
static SCORE: Field = Field::number("score", "the player's points, mostly kills");
static TIME: Field = Field::number("duration", "how long the player has been here, in seconds");
static SHIP_LIST: Field =
    Field::group("deaths and money", "of each player, in the same order; The Ship's");
static SHIP_PLAYER: Field = Field::group("of a player", "of one player");
static DEATHS: Field = Field::number("deaths", "how often the player died; The Ship's");
static MONEY: Field = Field::number("money", "the player's money; The Ship's");

/// The Ship's values of each player, behind all players.
const SHIP_FORM: RecordForm = RecordForm {
    record: &SHIP_PLAYER,
    members: &[bytes(&DEATHS, 4, Shape::Signed(Little)), bytes(&MONEY, 4, Shape::Signed(Little))],
    end: RecordsEnd::Rest,
};
/// Bytes of The Ship's values of one player.
const SHIP_LENGTH: usize = 8;
/// Bytes of a player behind the name: score and duration.
const NUMBERS: usize = 8;

/// A client requests a server's players. With -1 or 0 it asks for a challenge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct A2sPlayer<'a> {
    pub has_challenge: bool,
    pub challenge: i32,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for A2sPlayer<'a> {
    const SPEC: Spec =
        Spec::new("A2S_PLAYER", &["006 A2S_PLAYER"], C2S, b"\xff\xff\xff\xffU\xff\xff\xff\xff")
            .id("a2s-player")
            .weak()
            .whole()
            .excluded(|bytes| !matches!(bytes.len(), 5 | 9));

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"U")?;
        challenge(p, &mut self.has_challenge, &mut self.challenge)
    }
}

/// Players, up to a number of them or to the end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScoreList<'a> {
    raw: &'a [u8],
}

/// Where a list of players ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PlayersForm {
    /// At the end of the message.
    #[default]
    Plain,
    /// Behind as many as the count says, and values of each follow: The Ship's.
    TheShip,
}

impl Choice for PlayersForm {
    const ALL: &'static [(Self, &'static str)] = &[
        (Self::Plain, "players to the end"),
        (Self::TheShip, "of The Ship: eight bytes more for each player, behind all of them"),
    ];

    fn peek(rest: &[u8]) -> Self {
        let Some((count, players)) = rest.split_first() else {
            return Self::Plain;
        };
        let form = ScoreForm::most(*count);
        let left = players.len() - ScoreList::len(players, form);
        let whole = ScoreList { raw: players }.count(form);
        if whole > 0 && whole == usize::from(*count) && left == whole * SHIP_LENGTH {
            Self::TheShip
        } else {
            Self::Plain
        }
    }
}

/// Players to the end.
const PLAYER_FORM: RecordForm = RecordForm {
    record: &PLAYER,
    members: &[
        bytes(&INDEX, 1, Shape::Unsigned(Little)),
        text(&NAME),
        bytes(&SCORE, 4, Shape::Signed(Little)),
        bytes(&TIME, 4, Shape::Float(Little)),
    ],
    end: RecordsEnd::Rest,
};

/// How many players a list has at most.
#[derive(Debug, Clone, Copy)]
pub struct ScoreForm(usize);

impl ScoreForm {
    /// Players to the end.
    pub const ALL: Self = Self(usize::MAX);

    fn most(count: u8) -> Self {
        Self(count.into())
    }
}

/// The length of the name of the player at the beginning of `left`, or what is missing.
fn name_length(left: &[u8]) -> Result<usize, Want> {
    let behind = left.get(1..).ok_or(Want::Bytes(1))?;
    let name = behind.iter().position(|byte| *byte == 0).ok_or(Want::Stop(0))?;
    if behind.len() < name + 1 + NUMBERS { Err(Want::Bytes(NUMBERS)) } else { Ok(name) }
}

impl<'a> ScoreList<'a> {
    /// The list with these bytes.
    pub fn new(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    /// The number of whole players.
    pub fn count(self, form: ScoreForm) -> usize {
        self.names(form).count()
    }

    /// The length of the name of each whole player.
    fn names(self, ScoreForm(most): ScoreForm) -> impl Iterator<Item = usize> {
        let mut left = self.raw;
        let next = move || {
            let name = name_length(left).ok()?;
            left = left.get(1 + name + 1 + NUMBERS..)?;
            Some(name)
        };
        std::iter::from_fn(next).take(most)
    }
}

impl<'a> RawBytes<'a> for ScoreList<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> View<'a> for ScoreList<'a> {
    type Form = ScoreForm;
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], form: ScoreForm) -> usize {
        Self::new(all).names(form).map(|name| 1 + name + 1 + NUMBERS).sum()
    }

    fn broken(taken: usize, all: &'a [u8], form: ScoreForm) -> Option<(usize, Want)> {
        let left = all.get(taken..).filter(|left| !left.is_empty())?;
        let has_all = Self::new(all).count(form) == form.0;
        let want = name_length(left).err().filter(|_| !has_all)?;
        Some((taken, want))
    }

    fn parts<S: Sink>(&self, _: ScoreForm, out: &mut Parts<'_, '_, S>) {
        Records::new(self.raw).parts(PLAYER_FORM, out);
    }

    fn layout(form: ScoreForm) -> ViewLayout {
        let is_all = form.0 == ScoreForm::ALL.0;
        let end = if is_all { RecordsEnd::Rest } else { RecordsEnd::Count(0) };
        ViewLayout::Records(RecordForm { end, ..PLAYER_FORM })
    }

    fn fields(_: ScoreForm, each: &mut dyn FnMut(&'static Field)) {
        Records::fields(PLAYER_FORM, each);
    }
}

/// Whether players follow the mark and the letter: as many as there are bytes for, or at least one
/// with a name and a duration that are credible.
fn is_players(bytes: &[u8]) -> bool {
    let Some(rest) = behind(bytes, b'D') else {
        return false;
    };
    let Some((count, players)) = rest.split_first() else {
        return false;
    };
    let list = ScoreList::new(players);
    let (whole, length) = (list.count(ScoreForm::ALL), ScoreList::len(players, ScoreForm::ALL));
    if length == players.len() {
        return whole > 0 || *count == 0;
    }
    PlayersForm::peek(rest) == PlayersForm::TheShip || *count > 0 && is_player(players)
}

/// The longest time that a player is credibly on a server, in seconds.
const LONGEST: f32 = 1e8;

/// Whether the first player is credible.
fn is_player(players: &[u8]) -> bool {
    let Some((name, numbers)) = players.get(1..).and_then(string) else {
        return false;
    };
    let duration = numbers.get(4..).and_then(<[u8]>::first_chunk);
    let duration = duration.map(|bytes| f32::from_le_bytes(*bytes));
    std::str::from_utf8(name).is_ok()
        && duration.is_some_and(|time| (-1.0..LONGEST).contains(&time))
}

/// A server's players. The count may be wrong; then the bytes tell how many there are.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct S2aPlayer<'a> {
    pub form: PlayersForm,
    pub count: u8,
    pub players: ScoreList<'a>,
    pub ship: Records<'a>,
}

impl<'a> Message<'a> for S2aPlayer<'a> {
    const SPEC: Spec = Spec::new(
        "S2A_PLAYER",
        &["006 A2S_PLAYER"],
        S2C,
        b"\xff\xff\xff\xffD\x01\0Alfa\0\x0c\0\0\0\0\0\xa0\x43",
    )
    .id("s2a-player")
    .weak()
    .excluded(|bytes| !is_players(bytes))
    .answers(&["a2s-player"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"D")?;
        p.choose(&mut self.form, |p, form| {
            p.int(&COUNT, Little, &mut self.count)?;
            match form {
                PlayersForm::Plain => p.view(&LIST, ScoreForm::ALL, &mut self.players),
                PlayersForm::TheShip => {
                    p.view(&LIST, ScoreForm::most(self.count), &mut self.players)?;
                    p.view(&SHIP_LIST, SHIP_FORM, &mut self.ship)
                }
            }
        })
    }
}
