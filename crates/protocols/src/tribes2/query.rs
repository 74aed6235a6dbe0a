//! What a client asks a server, and the replies.

use super::super::identifiers::bytes;
use std::marker::PhantomData;

use super::super::declare::{choices, messages};
use super::super::{C2S, COMMAND, S2C};
use super::{BOTS, FLAGS, KEY, MAX_PLAYERS};
use codec::{
    BitMeanings, CountedText, Counting::Text, Endian::Little, Field, FieldRole, Pass, Walk,
};
use protocol::{Message, Spec};

static QUERY_VERSION: Field = Field::text("query version", "of these messages: VER3 or VER5");
static PROTOCOL_NUMBER: Field =
    Field::number("protocol", "the network protocol's number").role(FieldRole::Protocol);
static MINIMUM: Field = Field::number("minimum protocol", "the oldest that may join");
static BUILD: Field = Field::number("build", "of the game");
static NAME: Field = Field::text("name", "the server's name").role(FieldRole::Host);
static MOD: Field = Field::text("mod", "the modification, base is the game alone");
static MISSION_TYPE: Field = Field::text("mission type", "such as CTF");
static MAP: Field = Field::text("map", "the mission that is played").role(FieldRole::Map);
static STATUS: Field = Field::number("status", "how the server plays").bits(&[
    BitMeanings::set(1, "dedicated"),
    BitMeanings::set(2, "a password is needed"),
    BitMeanings::set(4, "on Linux"),
    BitMeanings::set(8, "a tournament"),
    BitMeanings::set(16, "no aliases"),
    BitMeanings::set(32, "players hurt their own team"),
]);
static PLAYERS_NOW: Field = Field::number("players", "how many play").role(FieldRole::Players);
static CPU: Field = Field::number("cpu", "the speed of the server's processor in MHz");
static INFO: Field = Field::text("info", "what its operator says of it").role(FieldRole::Free);
static LENGTH: Field = Field::number("length", "how many bytes the scores have");
static SCORES: Field = Field::text(
    "scores",
    "lines with tabs: the number of teams, each team and its score, the number of players, each \
     player, the team and the score",
)
.role(FieldRole::Person);

messages! {
    { flags: u8, key: u32, borrowed: PhantomData<&'a [u8]> }
    |self, p, letter: &'static [u8]| {
        p.lit(&COMMAND, letter)?;
        p.int(&FLAGS, Little, &mut self.flags)?;
        p.int(&KEY, Little, &mut self.key)
    }
    /// A client asks for a server's name and versions.
    Ping = b"\x0e", Spec::new("ping", &["010 qstat.h"], C2S, b"\x0e\x02\x01\x02\x03\x04")
        .weak().whole().sends(bytes::<2, 4>);
    /// A client asks for a server's information.
    InfoRequest = b"\x12", Spec::new("info", &["010 qstat.h"], C2S, b"\x12\x02\x01\x02\x03\x04")
        .id("info-request").weak().whole().sends(bytes::<2, 4>);
}

choices! {
    /// Whether a reply has the number of the server's protocol.
    QueryVersion { Five "VER5: the protocol's number", Three "VER3: without it" }
    |rest| rest.starts_with(b"\x04VER3");
}

/// A server's name and versions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PingReply<'a> {
    pub flags: u8,
    pub key: u32,
    pub form: QueryVersion,
    pub version: CountedText<'a>,
    pub protocol: u32,
    pub minimum: u32,
    pub build: u32,
    pub name: CountedText<'a>,
}

impl<'a> Message<'a> for PingReply<'a> {
    const SPEC: Spec = Spec::new(
        "ping reply",
        &["010 qstat.c"],
        S2C,
        b"\x10\x02\x01\x02\x03\x04\x04VER5\x34\0\0\0\x33\0\0\0\xca\x61\0\0\x08A server",
    )
    .id("ping-reply")
    .exact()
    .content_match(b"\x10", |bytes| {
        matches!(bytes, [0x10, _, _, _, _, _, 4, b'V', b'E', b'R', b'3' | b'5', ..])
    })
    .answers(&["ping"])
    .returns(bytes::<2, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"\x10")?;
        p.int(&FLAGS, Little, &mut self.flags)?;
        p.int(&KEY, Little, &mut self.key)?;
        p.choose(&mut self.form, |p, form| {
            p.counted(&QUERY_VERSION, Text, &mut self.version)?;
            match form {
                QueryVersion::Five => p.int(&PROTOCOL_NUMBER, Little, &mut self.protocol),
                QueryVersion::Three => Ok(()),
            }
        })?;
        p.int(&MINIMUM, Little, &mut self.minimum)?;
        p.int(&BUILD, Little, &mut self.build)?;
        p.counted(&NAME, Text, &mut self.name)
    }
}

/// A server's information.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InfoReply<'a> {
    pub flags: u8,
    pub key: u32,
    pub mods: CountedText<'a>,
    pub mission_type: CountedText<'a>,
    pub map: CountedText<'a>,
    pub status: u8,
    pub players: u8,
    pub max_players: u8,
    pub bots: u8,
    pub cpu: u16,
    pub info: CountedText<'a>,
    pub length: u16,
    pub scores: &'a [u8],
}

impl<'a> Message<'a> for InfoReply<'a> {
    const SPEC: Spec = Spec::new(
        "info reply",
        &["010 qstat.c"],
        S2C,
        b"\x14\x02\x01\x02\x03\x04\x04base\x03CTF\x09Katabatic\x21\x01\x20\0\xb8\x0b\x07Welcome\
          \x19\x002\nStorm\t100\nInferno\t200\n0\n",
    )
    .id("info-reply")
    .exact()
    .content_match(b"\x14", |bytes| {
        // Three texts in printable characters.
        let mut left = bytes.get(6..).unwrap_or_default();
        (0..3).all(|_| {
            let Some((count, rest)) = left.split_first() else {
                return false;
            };
            let Some((text, rest)) = rest.split_at_checked((*count).into()) else {
                return false;
            };
            left = rest;
            !text.is_empty() && text.iter().all(|b| matches!(b, b' '..=b'~'))
        })
    })
    .answers(&["info-request"])
    .returns(bytes::<2, 4>);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"\x14")?;
        p.int(&FLAGS, Little, &mut self.flags)?;
        p.int(&KEY, Little, &mut self.key)?;
        p.counted(&MOD, Text, &mut self.mods)?;
        p.counted(&MISSION_TYPE, Text, &mut self.mission_type)?;
        p.counted(&MAP, Text, &mut self.map)?;
        p.int(&STATUS, Little, &mut self.status)?;
        p.int(&PLAYERS_NOW, Little, &mut self.players)?;
        p.int(&MAX_PLAYERS, Little, &mut self.max_players)?;
        p.int(&BOTS, Little, &mut self.bots)?;
        p.int(&CPU, Little, &mut self.cpu)?;
        p.counted(&INFO, Text, &mut self.info)?;
        p.int(&LENGTH, Little, &mut self.length)?;
        p.text(&SCORES, b"", &mut self.scores)
    }
}
