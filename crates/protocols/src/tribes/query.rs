//! What a client asks a server, and the replies.

use super::super::identifiers;
use std::marker::PhantomData;

use super::super::declare::messages;
use super::super::{C2S, COMMAND, NO_YES, S2C};
use super::{KEY, KEY_SHAPE};
use codec::{
    CountedText, Counting::Text, Endian::Little, Field, FieldRole, Pass, RecordForm, Records,
    RecordsEnd, Shape, Walk, bytes, counted,
};
use protocol::{Message, Spec};

static GAME: Field = Field::text("game", "its name: Tribes");
static VERSION: Field = Field::text("version", "of the game").role(FieldRole::Version);
static NAME: Field = Field::text("name", "the server's name").role(FieldRole::Host);
static DEDICATED: Field =
    Field::number("dedicated", "whether nobody plays on the server itself").values(NO_YES);
static PASSWORD: Field =
    Field::number("password", "whether a password is needed to play").values(NO_YES);
static PLAYERS_NOW: Field = Field::number("players", "how many play").role(FieldRole::Players);
static MAX_PLAYERS: Field =
    Field::number("max players", "how many may play").role(FieldRole::MaxPlayers);
static CPU: Field = Field::number("cpu", "the speed of the server's processor in MHz");
static MOD: Field = Field::text("mod", "the modifications, base is the game alone");
static GAME_TYPE: Field = Field::text("game type", "such as Capture the Flag");
static MAP: Field = Field::text("map", "the mission that is played").role(FieldRole::Map);
static DESCRIPTION: Field =
    Field::text("description", "who operates the server, and how to reach them")
        .role(FieldRole::Person);
static TEAM_COUNT: Field = Field::number("teams", "how many teams follow");
static TEAM_HEADING: Field = Field::text("team heading", "of the table of teams");
static PLAYER_HEADING: Field = Field::text("player heading", "of the table of players");
static TEAM_LIST: Field = Field::group("team list", "the teams");
static TEAM: Field = Field::group("team", "one team");
static TEAM_NAME: Field = Field::text("name", "the team's name").role(FieldRole::Name);
static TEAM_SCORE: Field = Field::text("score", "its row in the table: %t is its name");
static PLAYER_LIST: Field = Field::group("player list", "who plays");
static PLAYER: Field = Field::group("player", "one player");
static PING: Field = Field::number("ping units", "of four milliseconds each");
static LOSS: Field = Field::number("packet loss", "in percent");
static PLAYER_TEAM: Field = Field::number("team", "the number of the player's team, from 0");
static PLAYER_NAME: Field = Field::text("name", "the player's name").role(FieldRole::Person);
static PLAYER_SCORE: Field =
    Field::text("score", "the player's row in the table: %n is the name, %t the team");

/// The teams of a reply; the number of teams comes before.
pub const TEAMS: RecordForm = RecordForm {
    record: &TEAM,
    members: &[counted(&TEAM_NAME, Text), counted(&TEAM_SCORE, Text)],
    end: RecordsEnd::Rest,
};
/// The players of a reply, to its end.
pub const PLAYERS: RecordForm = RecordForm {
    record: &PLAYER,
    members: &[
        bytes(&PING, 1, Shape::Unsigned(Little)),
        bytes(&LOSS, 1, Shape::Unsigned(Little)),
        bytes(&PLAYER_TEAM, 1, Shape::Unsigned(Little)),
        counted(&PLAYER_NAME, Text),
        counted(&PLAYER_SCORE, Text),
    ],
    end: RecordsEnd::Rest,
};

messages! {
    { key: [u8; 2], borrowed: PhantomData<&'a [u8]> }
    |self, p, letter: &'static [u8]| {
        p.lit(&COMMAND, letter)?;
        p.raw(&KEY, KEY_SHAPE, &mut self.key)
    }
    /// A client asks what a server is.
    InfoRequest = b"`", Spec::new("info query", &["010 qstat.h"], C2S, b"`**")
        .id("info-request").weak().whole().sends(identifiers::bytes::<1, 2>);
    /// A client asks for everything: teams and players too.
    StatusRequest = b"b", Spec::new("status query", &["010 qstat.h"], C2S, b"b**")
        .id("status-request").weak().whole().sends(identifiers::bytes::<1, 2>);
}

/// What both replies begin with.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Described<'a> {
    pub key: [u8; 2],
    pub game: CountedText<'a>,
    pub version: CountedText<'a>,
    pub name: CountedText<'a>,
    pub dedicated: u8,
    pub password: u8,
    pub players: u8,
    pub max_players: u8,
}

impl<'a> Described<'a> {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P, letter: &'static [u8]) -> Walk {
        p.lit(&COMMAND, letter)?;
        p.raw(&KEY, KEY_SHAPE, &mut self.key)?;
        p.lit(&COMMAND, b"b")?;
        p.counted(&GAME, Text, &mut self.game)?;
        p.counted(&VERSION, Text, &mut self.version)?;
        p.counted(&NAME, Text, &mut self.name)?;
        p.int(&DEDICATED, Little, &mut self.dedicated)?;
        p.int(&PASSWORD, Little, &mut self.password)?;
        p.int(&PLAYERS_NOW, Little, &mut self.players)?;
        p.int(&MAX_PLAYERS, Little, &mut self.max_players)
    }
}

/// Whether a payload is a reply with this letter: the game's name follows.
fn is_reply(bytes: &[u8], letter: u8) -> bool {
    matches!(bytes, [own, _, _, b'b', 6, rest @ ..] if *own == letter && rest.starts_with(b"Tribes"))
}

/// What a server is.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InfoReply<'a> {
    pub described: Described<'a>,
}

impl<'a> Message<'a> for InfoReply<'a> {
    const SPEC: Spec = Spec::new(
        "info reply",
        &["010 qstat.c"],
        S2C,
        b"a**b\x06Tribes\x041.11\x08A server\x01\0\x02\x20",
    )
    .id("info-reply")
    .content_match(b"a", |bytes| is_reply(bytes, b'a'))
    .answers(&["info-request"])
    .returns(identifiers::bytes::<1, 2>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        self.described.walk(p, b"a")
    }
}

/// Everything that a server tells.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StatusReply<'a> {
    pub described: Described<'a>,
    pub cpu: u16,
    pub mods: CountedText<'a>,
    pub game_type: CountedText<'a>,
    pub map: CountedText<'a>,
    pub description: CountedText<'a>,
    pub team_count: u8,
    pub team_heading: CountedText<'a>,
    pub player_heading: CountedText<'a>,
    pub teams: Records<'a>,
    pub team: CountedText<'a>,
    pub score: u8,
    pub players: Records<'a>,
}

impl<'a> Message<'a> for StatusReply<'a> {
    const SPEC: Spec = Spec::new(
        "status reply",
        &["010 qstat.c"],
        S2C,
        b"c**b\x06Tribes\x041.11\x08A server\x01\0\x01\x20\x28\x0a\x04base\x03CTF\x09Raindance\
          \x0aAdmin: Ops\x02\x0aTeam\tScore\x0bPlayer Name\x0bBlood Eagle\x04%t\t3\
          \x0dDiamond Sword\x04%t\t5\x0c\0\0\x04Alfa\x05%n\t12",
    )
    .id("status-reply")
    .content_match(b"c", |bytes| is_reply(bytes, b'c'))
    .answers(&["status-request"])
    .returns(identifiers::bytes::<1, 2>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        self.described.walk(p, b"c")?;
        p.int(&CPU, Little, &mut self.cpu)?;
        p.counted(&MOD, Text, &mut self.mods)?;
        p.counted(&GAME_TYPE, Text, &mut self.game_type)?;
        p.counted(&MAP, Text, &mut self.map)?;
        p.counted(&DESCRIPTION, Text, &mut self.description)?;
        p.int(&TEAM_COUNT, Little, &mut self.team_count)?;
        p.counted(&TEAM_HEADING, Text, &mut self.team_heading)?;
        p.counted(&PLAYER_HEADING, Text, &mut self.player_heading)?;
        let count = self.team_count;
        p.when(count > 1, "of several teams", |p| {
            let form = RecordForm { end: RecordsEnd::Count(count), ..TEAMS };
            p.view(&TEAM_LIST, form, &mut self.teams)
        })?;
        p.when(count <= 1, "where everybody plays alone", |p| {
            p.counted(&TEAM_NAME, Text, &mut self.team)?;
            p.int(&TEAM_SCORE_BYTE, Little, &mut self.score)
        })?;
        p.view(&PLAYER_LIST, PLAYERS, &mut self.players)
    }
}

static TEAM_SCORE_BYTE: Field = Field::number("team score", "a byte that no source explains");
