//! Queries of clients and the master to a server: its settings and its players.

use super::super::declare::choices;
use super::super::identifiers::little;
use super::super::{ANSWER, ASK, NOTHING};
use super::{CHALLENGE, KEYS, LAST, PROTOCOL_NUMBER, SYSTEMS, command, is_quake4};
use codec::{
    CommandWord, Endian::Little, Field, FieldRole, KeyList, Pairs, Pass, RecordForm, RecordPart,
    Records, RecordsEnd, Shape, Spelling, Walk, bytes, text,
};
use protocol::{Message, Spec};

static REST: Field = Field::text(
    "rest",
    "five bytes more: GameQ sends a text where servers read a number, and get back its first four",
);
static INFO: Field = Field::group("info", "settings, as a dictionary");
static REMOVED: Field = Field::group(
    "removed",
    "keys that no longer hold; the document does not know it, the released sources do",
)
.mostly_empty();
static LIST: Field = Field::group("players", "who plays, up to the id 32");
static PLAYER: Field = Field::group("player", "one player");
static ID: Field = Field::number("id", "the player's number on this server");
static PING: Field = Field::number("ping", "round trip in milliseconds");
static RATE: Field = Field::number("rate", "bytes a second that the client takes");
static NAME: Field = Field::text("name", "the player's name, with colours").role(FieldRole::Person);
static CLAN: Field =
    Field::text("clan", "the player's clan; observed, in no document").role(FieldRole::Name);
static TRAILER: Field =
    Field::text("trailer", "five bytes that Quake 4 sends; observed, meaning not known");

// Limits in the released sources of Doom 3 (`neo/framework`): 32 clients, with numbers below
// `MAX_ASYNC_CLIENTS`; signed numbers of 16 bits for pings and of 32 bits for rates, none of them
// negative; texts shorter than `MAX_STRING_CHARS`.
const MOST_TEXT: u32 = 1023;
pub const PLAYER_ID: RecordPart = bytes(&ID, 1, Shape::Unsigned(Little)).most(31);
pub const PLAYER_PING: RecordPart = bytes(&PING, 2, Shape::Unsigned(Little)).most(i16::MAX as u32);
pub const PLAYER_RATE: RecordPart = bytes(&RATE, 4, Shape::Unsigned(Little)).most(i32::MAX as u32);
pub const PLAYER_NAME: RecordPart = text(&NAME).most(MOST_TEXT);

/// A player of Doom 3.
pub const PLAYERS: RecordForm = RecordForm {
    record: &PLAYER,
    members: &[PLAYER_ID, PLAYER_PING, PLAYER_RATE, PLAYER_NAME],
    end: RecordsEnd::Byte(32),
};

/// A player of Quake 4.
pub const PLAYERS_WITH_CLANS: RecordForm = RecordForm {
    members: &[PLAYER_ID, PLAYER_PING, PLAYER_RATE, PLAYER_NAME, text(&CLAN).most(MOST_TEXT)],
    ..PLAYERS
};

choices! {
    /// Whether the challenge is a text of eight letters and a NUL. Quake Wars' request is a byte
    /// shorter.
    ChallengeText { No "a number", Yes "a text: five bytes more, the last a NUL" }
    |rest| matches!(rest, [_, _, _, _, 0]);
}

static END: Field = Field::separator("end", "ends the message; opengsq's");
static MAYBE_NUL: [Spelling; 2] = [NOTHING, Spelling::new(b"\0").last()];

/// A client or the master requests a server's description.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetInfo<'a> {
    pub command: CommandWord<'a>,
    pub challenge: i32,
    pub text: ChallengeText,
    pub rest: [u8; 5],
    /// Whether a NUL ends it: 1 if it does, as opengsq sends it.
    pub end: u8,
}

impl<'a> Message<'a> for GetInfo<'a> {
    const SPEC: Spec =
        Spec::new("getInfo", &["001 9.4"], ASK, b"\xff\xffgetInfo\0\x01\x01\x01\x01")
            .id("get-info")
            .sends(little::<10>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"getInfo", &mut self.command)?;
        p.int(&CHALLENGE, Little, &mut self.challenge)?;
        p.choose(&mut self.text, |p, text| match text {
            ChallengeText::No => Ok(()),
            ChallengeText::Yes => p.raw(&REST, Shape::Text, &mut self.rest),
        })?;
        p.one_of(&END, &MAYBE_NUL, &mut self.end)
    }
}

/// A server's description.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InfoResponse<'a> {
    pub command: CommandWord<'a>,
    pub challenge: i32,
    pub protocol: u32,
    pub info: Pairs<'a>,
    pub removed: KeyList<'a>,
    /// In the form for the protocol's major version.
    pub players: Records<'a>,
    pub systems: u32,
    pub ended: bool,
    pub trailer: [u8; 5],
}

impl<'a> Message<'a> for InfoResponse<'a> {
    const SPEC: Spec = Spec::new(
        "infoResponse",
        &["001 9.5"],
        ANSWER,
        b"\xff\xffinfoResponse\0\0\0\0\0\x21\0\x01\0si_map\0game/mp/d3dm1\0\0\0\
          \0\x5e\0\x80\x3e\0\0kevin\0\x20\x01\0\0\0",
    )
    .id("info-response")
    .answers(&["get-info"])
    .returns(little::<15>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"infoResponse", &mut self.command)?;
        p.int(&CHALLENGE, Little, &mut self.challenge)?;
        p.int(&PROTOCOL_NUMBER, Little, &mut self.protocol)?;
        p.view(&INFO, &KEYS, &mut self.info)?;
        p.lit(&LAST, b"\0")?;
        p.view(&REMOVED, (), &mut self.removed)?;
        p.lit(&LAST, b"\0")?;
        let quake4 = is_quake4(self.protocol);
        p.when(!quake4, "of Doom 3", |p| p.view(&LIST, PLAYERS, &mut self.players))?;
        p.when(quake4, "of Quake 4", |p| p.view(&LIST, PLAYERS_WITH_CLANS, &mut self.players))?;
        p.lit(&LAST, b"\x20")?;
        p.int(&SYSTEMS, Little, &mut self.systems)?;
        p.when(quake4, "of Quake 4", |p| {
            p.more(&mut self.ended, "where it was sent", |p| {
                p.raw(&TRAILER, Shape::Raw, &mut self.trailer)
            })
        })
    }
}
