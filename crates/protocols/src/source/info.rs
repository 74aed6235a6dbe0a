//! What a server says of itself: the reply of today, and the older one of GoldSrc.

use super::super::{C2S, COMMAND, MARK, NO_YES, S2C, Values};
use super::{PADDING, Padding, PaddingAlone, behind, challenge, padding, string};
use crate::half_life::DetailsReply;
use codec::{BitMeanings, Endian::Little, Field, FieldRole, Pass, Scratch, Shape, Walk};
use protocol::{Message, Spec};

static QUERY: Field = Field::separator("query", "the same in every request");
static PROTOCOL_NUMBER: Field =
    Field::number("protocol", "the network protocol's number").role(FieldRole::Protocol).values(&[
        ("7", "Source, old"),
        ("17", "Source"),
        ("47", "GoldSrc, old"),
        ("48", "GoldSrc"),
        ("49", "Xash3D"),
    ]);
static NAME: Field = Field::text("hostname", "the server's name").role(FieldRole::Host);
static MAP: Field = Field::text("map", "the map being played").role(FieldRole::Map);
static FOLDER: Field =
    Field::text("folder", "the folder with the game's files").role(FieldRole::Game);
static GAME: Field = Field::text("game", "what the server calls its game").role(FieldRole::Free);
static APPLICATION: Field =
    Field::number("app id", "the application's number at Steam, its lower 16 bits")
        .values(&[("0", "it stands in the game id, if at all")]);
static PLAYERS: Field =
    Field::number("players", "players on the server now").role(FieldRole::Players);
static MAXIMUM: Field = Field::number("max", "places on the server").role(FieldRole::MaxPlayers);
static BOTS: Field = Field::number("bots", "players that are programs").role(FieldRole::Count);
static KIND: Field = Field::text("type", "what kind of server it is").values(KINDS);
static OS: Field = Field::text("os", "the server's system").values(SYSTEMS);
static PASSWORD: Field = Field::number("password", "whether a password is needed to join")
    .values(&[("0", "open"), ("1", "a password is needed")]);
static SECURE: Field =
    Field::number("secure", "whether cheats are looked for (VAC)").values(NO_YES);
static MODE: Field = Field::number("mode", "how it is played; The Ship's").values(&[
    ("0", "hunt"),
    ("1", "elimination"),
    ("2", "duel"),
    ("3", "deathmatch"),
    ("4", "VIP team"),
    ("5", "team elimination"),
]);
static WITNESSES: Field =
    Field::number("witnesses", "how many witnesses it takes to be arrested; The Ship's");
static DURATION: Field = Field::number("arrest", "seconds until a player is arrested; The Ship's");
static VERSION: Field = Field::text("version", "the program's version").role(FieldRole::Version);
static FLAGS: Field = Field::number("extra data", "what else follows").bits(&[
    BitMeanings::set(0x80, "port"),
    BitMeanings::set(0x10, "Steam id"),
    BitMeanings::set(0x40, "TV"),
    BitMeanings::set(0x20, "keywords"),
    BitMeanings::set(0x01, "game id"),
]);
static PORT: Field =
    Field::number("port", "the port that the server plays on").role(FieldRole::Port);
static STEAM_ID: Field = Field::number("steam id", "the server's own account at Steam");
static TV_PORT: Field =
    Field::number("tv port", "the port of the relay for spectators").role(FieldRole::Port);
static TV_NAME: Field =
    Field::text("tv name", "the name of the relay for spectators").role(FieldRole::Name);
static KEYWORDS: Field =
    Field::text("keywords", "tags of the server, with commas between").role(FieldRole::Free);
static GAME_ID: Field =
    Field::number("game id", "the game at Steam; its lower 24 bits are the application's number");

static KINDS: Values =
    &[("d", "dedicated"), ("l", "on a player's machine"), ("p", "a relay for spectators")];
static SYSTEMS: Values = &[("l", "Linux"), ("w", "Windows"), ("m", "macOS"), ("o", "macOS")];

/// The application whose reply has fields of its own.
const THE_SHIP: u16 = 2400;

/// A client requests a server's description. A server may want a challenge first.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct A2sInfo<'a> {
    pub has_challenge: bool,
    pub challenge: i32,
    pub padding_alone: PaddingAlone,
    pub padding: Padding,
    pub zeros: &'a [u8],
}

impl<'a> Message<'a> for A2sInfo<'a> {
    const SPEC: Spec =
        Spec::new("A2S_INFO", &["006 A2S_INFO"], C2S, b"\xff\xff\xff\xffTSource Engine Query\0")
            .id("a2s-info")
            .exact();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"T")?;
        p.lit(&QUERY, b"Source Engine Query\0")?;
        p.choose(&mut self.padding_alone, |p, form| match form {
            PaddingAlone::None => {
                challenge(p, &mut self.has_challenge, &mut self.challenge)?;
                padding(p, &mut self.padding, &mut self.zeros)
            }
            PaddingAlone::Zeros => p.text(&PADDING, b"", &mut self.zeros),
        })
    }
}

/// What stands behind the version: a byte of flags, and a part for each flag.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ExtraData<'a> {
    /// Bits 80, 10, 40, 20 and 01, in the order of their parts.
    pub flags: u8,
    pub port: u16,
    pub steam_id: u64,
    pub tv_port: u16,
    pub tv_name: &'a [u8],
    pub keywords: &'a [u8],
    pub game_id: u64,
}

impl<'a> ExtraData<'a> {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.int(&FLAGS, Little, &mut self.flags)?;
        let has = |bit: u8, flags: u8| flags & bit != 0;
        let flags = self.flags;
        p.when(has(0x80, flags), "flag 80", |p| p.int(&PORT, Little, &mut self.port))?;
        p.when(has(0x10, flags), "flag 10", |p| p.int(&STEAM_ID, Little, &mut self.steam_id))?;
        p.when(has(0x40, flags), "flag 40", |p| {
            p.int(&TV_PORT, Little, &mut self.tv_port)?;
            p.cstr(&TV_NAME, &mut self.tv_name)
        })?;
        p.when(has(0x20, flags), "flag 20", |p| p.cstr(&KEYWORDS, &mut self.keywords))?;
        p.when(has(0x01, flags), "flag 01", |p| p.int(&GAME_ID, Little, &mut self.game_id))
    }
}

/// A server's description. The Ship's has three fields more.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct S2aInfo<'a> {
    pub protocol: u8,
    pub hostname: &'a [u8],
    pub map: &'a [u8],
    pub folder: &'a [u8],
    pub game: &'a [u8],
    pub app_id: u16,
    pub players: u8,
    pub max: u8,
    pub bots: u8,
    pub kind: [u8; 1],
    pub os: [u8; 1],
    pub password: u8,
    pub secure: u8,
    pub mode: u8,
    pub witnesses: u8,
    pub arrest: u8,
    pub version: &'a [u8],
    pub has_extra: bool,
    pub extra: ExtraData<'a>,
}

/// Whether a description stands behind the mark and the letter: four texts, then numbers, letters and
/// answers that programs send; or as much of it as there is, from the second text on.
fn is_info(bytes: &[u8]) -> bool {
    let Some((_, mut rest)) = behind(bytes, b'I').and_then(<[u8]>::split_first) else {
        return false;
    };
    for text in 0..4 {
        let Some((_, behind)) = string(rest) else {
            return text > 1;
        };
        rest = behind;
    }
    let [_, _, _, _, _, kind, os, password, secure, ..] = rest else {
        return true;
    };
    b"dlpDLP\0".contains(kind) && b"lwmoLWMO".contains(os) && *password <= 1 && *secure <= 1
}

impl<'a> Message<'a> for S2aInfo<'a> {
    const SPEC: Spec = Spec::new(
        "S2A_INFO",
        &["006 A2S_INFO"],
        S2C,
        b"\xff\xff\xff\xffI\x11A server\0ctf_2fort\0tf\0Team Fortress\0\xb8\x01\x05\x18\x01dl\0\x01\
          1.0.0.34\0\xb1\x87\x69\0\0\0\0\0\0\x40\x01alltalk\0\xb8\x01\0\0\0\0\0\0",
    )
    .id("s2a-info")
    .exact()
    .excluded(|bytes| !is_info(bytes))
    .answers(&["a2s-info"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"I")?;
        p.int(&PROTOCOL_NUMBER, Little, &mut self.protocol)?;
        p.cstr(&NAME, &mut self.hostname)?;
        p.cstr(&MAP, &mut self.map)?;
        p.cstr(&FOLDER, &mut self.folder)?;
        p.cstr(&GAME, &mut self.game)?;
        p.int(&APPLICATION, Little, &mut self.app_id)?;
        p.int(&PLAYERS, Little, &mut self.players)?;
        p.int(&MAXIMUM, Little, &mut self.max)?;
        p.int(&BOTS, Little, &mut self.bots)?;
        p.raw(&KIND, Shape::Text, &mut self.kind)?;
        p.raw(&OS, Shape::Text, &mut self.os)?;
        p.int(&PASSWORD, Little, &mut self.password)?;
        p.int(&SECURE, Little, &mut self.secure)?;
        p.when(self.app_id == THE_SHIP, "of The Ship (application 2400)", |p| {
            p.int(&MODE, Little, &mut self.mode)?;
            p.int(&WITNESSES, Little, &mut self.witnesses)?;
            p.int(&DURATION, Little, &mut self.arrest)
        })?;
        p.cstr(&VERSION, &mut self.version)?;
        p.more(&mut self.has_extra, "with an extra data flag", |p| self.extra.walk(p))
    }
}

/// The first protocol of GoldSrc with Steam.
const WITH_STEAM: u8 = 47;

/// The description that GoldSrc's servers sent before, and some send besides the other one: that of
/// Half-Life before Steam, with a later protocol number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct S2aInfoDetailed<'a> {
    pub reply: DetailsReply<'a>,
}

/// Whether the description of a server since Steam stands behind the mark and the letter, or the
/// beginning of one without the number.
fn is_detailed(bytes: &[u8]) -> bool {
    let Some(rest) = behind(bytes, b'm') else {
        return false;
    };
    let address = string(rest).map_or(&[][..], |(address, _)| address);
    let (mut scratch, mut sink) = (Scratch::default(), ());
    let read = protocol::decode::<DetailsReply<'_>, _>(bytes, &mut scratch, &mut sink);
    let protocol = read.message.described.protocol;
    address.contains(&b':') && (protocol >= WITH_STEAM || protocol == 0 && read.fault.is_some())
}

impl<'a> Message<'a> for S2aInfoDetailed<'a> {
    const SPEC: Spec = Spec::new(
        "S2A_INFO_DETAILED",
        &["006 A2S_INFO"],
        S2C,
        b"\xff\xff\xff\xffm192.0.2.15:27015\0A server\0de_dust2\0cstrike\0Counter-Strike\0\
          \x03\x10\x2fdl\0\0\x01\0",
    )
    .id("s2a-info-detailed")
    .exact()
    .excluded(|bytes| !is_detailed(bytes))
    .answers(&["a2s-info"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        self.reply.walk(p)
    }
}
