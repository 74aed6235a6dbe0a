//! A server's answers of one letter to Half-Life's queries. The letters are Steam's too, and a
//! datagram that only begins so is none of them: each is read to its end before it is recognised.

use std::marker::PhantomData;

use super::super::declare::messages;
use super::super::{COMMAND, MARK, S2C};
use super::keys::{RULES, SYSTEM, TYPE};
use super::{END, MAYBE_NUL};
use codec::{
    Endian::Little, Field, FieldRole, Pairs, Pass, RecordForm, Records, RecordsEnd, Shape, Walk,
    bytes, text,
};
use protocol::{Message, Spec};

static ADDRESS: Field =
    Field::text("address", "the server's own, address:port").role(FieldRole::Address);
static NAME: Field = Field::text("hostname", "the server's name").role(FieldRole::Host);
static MAP: Field = Field::text("map", "the map being played").role(FieldRole::Map);
static GAMEDIR: Field = Field::text("gamedir", "the modification's folder").role(FieldRole::Game);
static DESCRIPTION: Field =
    Field::text("description", "the modification's name").role(FieldRole::Free);
static PLAYERS: Field =
    Field::number("players", "players on the server now").role(FieldRole::Players);
static PLACES: Field = Field::number("max", "places on the server").role(FieldRole::MaxPlayers);
static KIND: Field = Field::text("type", "what kind of server it is").values(TYPE);
static OS: Field = Field::text("os", "the server's system").values(SYSTEM);
static PASSWORD: Field =
    Field::number("password", "whether a password is needed to join").values(super::keys::PASSWORD);
static MODDED: Field = Field::number("modification", "whether a modification is described")
    .values(&[("0", "no"), ("1", "its description follows")]);
static SITE: Field = Field::text("site", "the modification's web site").role(FieldRole::Free);
static DOWNLOAD: Field =
    Field::text("download", "where to get the modification").role(FieldRole::Free);
static EMPTY: Field = Field::text("empty", "always empty").role(FieldRole::Free);
static MOD_VERSION: Field = Field::number("modification version", "its version");
static SIZE: Field = Field::number("size", "its size in bytes");
static SERVER_ONLY: Field =
    Field::number("server only", "whether only servers need it").values(super::super::NO_YES);
static OWN_DLL: Field =
    Field::number("own library", "whether it replaces the game's program library")
        .values(super::super::NO_YES);
static SECURE: Field =
    Field::number("secure", "whether cheats are looked for").values(super::super::NO_YES);
static BOTS: Field = Field::number("bots", "players that are programs").role(FieldRole::Count);
static COUNT: Field = Field::number("count", "how many follow").role(FieldRole::Count);
static LIST: Field = Field::group("players", "who plays");
static PLAYER: Field = Field::group("player", "one player");
static INDEX: Field = Field::number("index", "the player's number on this server, from 1");
static PLAYER_NAME: Field = Field::text("name", "the player's name").role(FieldRole::Person);
static FRAGS: Field = Field::number("frags", "the player's kills");
static TIME: Field = Field::number("time", "how long the player has been here, in seconds");
static SETTINGS: Field = Field::group("rules", "settings, as pairs");

/// The players of a server, to the end.
pub const PLAYER_LIST: RecordForm = RecordForm {
    record: &PLAYER,
    members: &[
        bytes(&INDEX, 1, Shape::Unsigned(Little)),
        text(&PLAYER_NAME),
        bytes(&FRAGS, 4, Shape::Signed(Little)),
        bytes(&TIME, 4, Shape::Float(Little)),
    ],
    end: RecordsEnd::Rest,
};

/// The bytes behind the mark and a letter.
fn behind(bytes: &[u8], letter: u8) -> Option<&[u8]> {
    let (first, rest) = bytes.strip_prefix(b"\xff\xff\xff\xff")?.split_first()?;
    (*first == letter).then_some(rest)
}

/// Whether an address and a port begin the rest, as a text with a NUL, and more follows.
fn is_description(bytes: &[u8], letter: u8) -> bool {
    let rest = behind(bytes, letter).unwrap_or_default();
    let address = rest.split(|b| *b == 0).next().unwrap_or_default();
    let is_address = |b: &u8| b.is_ascii_alphanumeric() || b".:[]-".contains(b);
    rest.len() > address.len() + 1 && address.contains(&b':') && address.iter().all(is_address)
}

/// What both descriptions begin with.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Described<'a> {
    pub address: &'a [u8],
    pub hostname: &'a [u8],
    pub map: &'a [u8],
    pub gamedir: &'a [u8],
    pub description: &'a [u8],
    pub players: u8,
    pub max: u8,
    pub protocol: u8,
}

impl<'a> Described<'a> {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.cstr(&ADDRESS, &mut self.address)?;
        p.cstr(&NAME, &mut self.hostname)?;
        p.cstr(&MAP, &mut self.map)?;
        p.cstr(&GAMEDIR, &mut self.gamedir)?;
        p.cstr(&DESCRIPTION, &mut self.description)?;
        p.int(&PLAYERS, Little, &mut self.players)?;
        p.int(&PLACES, Little, &mut self.max)?;
        p.int(&super::PROTOCOL_NUMBER, Little, &mut self.protocol)
    }
}

/// A server's short description.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ShortReply<'a> {
    pub described: Described<'a>,
}

impl<'a> Message<'a> for ShortReply<'a> {
    const SPEC: Spec = Spec::new(
        "C",
        &["001 10"],
        S2C,
        b"\xff\xff\xff\xffC192.0.2.15:27015\0A server\0crossfire\0valve\0Half-Life\0\x03\x10\x2e",
    )
    .id("short-reply")
    .weak()
    .letter_match(b'C', |bytes| is_description(bytes, b'C'))
    .answers(&["info"])
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"C")?;
        self.described.walk(p)
    }
}

/// What a server says of its modification.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Modification<'a> {
    pub site: &'a [u8],
    pub download: &'a [u8],
    pub empty: &'a [u8],
    pub version: i32,
    pub size: i32,
    pub server_only: u8,
    pub own_library: u8,
}

impl<'a> Modification<'a> {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.cstr(&SITE, &mut self.site)?;
        p.cstr(&DOWNLOAD, &mut self.download)?;
        p.cstr(&EMPTY, &mut self.empty)?;
        p.int(&MOD_VERSION, Little, &mut self.version)?;
        p.int(&SIZE, Little, &mut self.size)?;
        p.int(&SERVER_ONLY, Little, &mut self.server_only)?;
        p.int(&OWN_DLL, Little, &mut self.own_library)
    }
}

/// A server's full description. Old versions omit the last two bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DetailsReply<'a> {
    pub described: Described<'a>,
    pub kind: [u8; 1],
    pub os: [u8; 1],
    pub password: u8,
    pub modded: u8,
    pub modification: Modification<'a>,
    pub has_secure: bool,
    pub secure: u8,
    pub has_bots: bool,
    pub bots: u8,
}

impl<'a> Message<'a> for DetailsReply<'a> {
    const SPEC: Spec = Spec::new(
        "m",
        &["001 10"],
        S2C,
        b"\xff\xff\xff\xffm192.0.2.15:27015\0A server\0crossfire\0valve\0Half-Life\0\
          \x03\x10\x2edw\0\0\0\0",
    )
    .id("details-reply")
    .weak()
    .letter_match(b'm', |bytes| is_description(bytes, b'm'))
    .answers(&["details"])
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"m")?;
        self.described.walk(p)?;
        p.raw(&KIND, Shape::Text, &mut self.kind)?;
        p.raw(&OS, Shape::Text, &mut self.os)?;
        p.int(&PASSWORD, Little, &mut self.password)?;
        p.int(&MODDED, Little, &mut self.modded)?;
        p.when(self.modded == 1, "of a modification", |p| self.modification.walk(p))?;
        p.more(&mut self.has_secure, "in later versions", |p| {
            p.int(&SECURE, Little, &mut self.secure)?;
            p.more(&mut self.has_bots, "in later versions", |p| {
                p.int(&BOTS, Little, &mut self.bots)
            })
        })
    }
}

/// A server's players. Those of Steam's servers begin with the number 0.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PlayersReply<'a> {
    pub count: u8,
    pub players: Records<'a>,
}

impl<'a> Message<'a> for PlayersReply<'a> {
    const SPEC: Spec =
        Spec::new("D", &["001 10"], S2C, b"\xff\xff\xff\xffD\x01\x01Alfa\0\x0c\0\0\0\0\0\xa0\x43")
            .id("players-reply")
            .weak()
            .letter_match(b'D', |bytes| {
                matches!(behind(bytes, b'D'), Some([0] | [1..=32, 1..=32, ..]))
            })
            .answers(&["players"])
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"D")?;
        p.int(&COUNT, Little, &mut self.count)?;
        p.view(&LIST, PLAYER_LIST, &mut self.players)
    }
}

/// A server's settings.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RulesReply<'a> {
    pub count: u16,
    pub rules: Pairs<'a>,
}

impl<'a> Message<'a> for RulesReply<'a> {
    const SPEC: Spec = Spec::new(
        "E",
        &["001 10"],
        S2C,
        b"\xff\xff\xff\xffE\x02\0mp_timelimit\x0030\0sv_gravity\x00800\0",
    )
    .id("rules-reply")
    .weak()
    .letter_match(b'E', |bytes| {
        let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        matches!(behind(bytes, b'E'), Some([_, 0..=1, first, ..]) if is_word(*first))
    })
    .answers(&["rules"])
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"E")?;
        p.int(&COUNT, Little, &mut self.count)?;
        p.view(&SETTINGS, &RULES, &mut self.rules)
    }
}

messages! {
    { end: u8, borrowed: PhantomData<&'a [u8]> }
    |self, p, letter: &'static [u8]| {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, letter)?;
        p.one_of(&END, &MAYBE_NUL, &mut self.end)
    }
    /// A server answers a ping.
    PingReply = b"j", Spec::new("j", &["001 10"], S2C, b"\xff\xff\xff\xffj")
        .id("ping-reply").weak()
        .letter_match(b'j', |bytes| matches!(behind(bytes, b'j'), Some([] | [0])))
        .answers(&["ping"]).undocumented();
}
