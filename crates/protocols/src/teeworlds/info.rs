//! What a client asks a server, and what the server says of itself.

use std::marker::PhantomData;

use super::super::declare::{choices, messages};
use super::super::{C2S, COMMAND, S2C};
use super::parts::{entries_64, extended_entries, first_part, later_entries, later_part, part_64};
use super::{HEADS, MARK, TOKEN, command, request};
use codec::{
    Endian::Big, Field, FieldRole, PackedInt, Pass, RecordForm, Records, RecordsEnd, Walk, text,
};
use protocol::{Identifier, Message, Spec};

static EXTRA_TOKEN: Field = Field::number(
    "extra token",
    "the upper 16 bits of the token in the reply; DDNet's extended request",
)
.role(FieldRole::Challenge);
static RESERVED: Field = Field::number("reserved", "zero");
static RESERVED_TEXT: Field = Field::text("reserved", "empty").role(FieldRole::Free);
static TOKEN_TEXT: Field = Field::number("token", "that of the request").role(FieldRole::Challenge);
pub(super) static VERSION: Field =
    Field::text("version", "the server's version").role(FieldRole::Version);
pub(super) static NAME: Field = Field::text("name", "the server's name").role(FieldRole::Host);
pub(super) static MAP: Field = Field::text("map", "the map that is played").role(FieldRole::Map);
static CRC: Field = Field::number("map crc", "the checksum of the map's file, as a signed number");
static SIZE: Field = Field::number("map size", "the length of the map's file in bytes");
pub(super) static TYPE: Field = Field::text("game type", "CTF, DM, DDraceNetwork and others");
static FLAGS: Field =
    Field::number("flags", "what the server demands").values(&[("0", "none"), ("1", "a password")]);
static PROGRESSION: Field = Field::number("progression", "how far the match is, in percent");
pub(super) static PLAYING: Field =
    Field::number("players", "how many clients play").role(FieldRole::Players);
pub(super) static MAX_PLAYERS: Field =
    Field::number("max players", "how many clients may play").role(FieldRole::MaxPlayers);
pub(super) static CLIENTS: Field =
    Field::number("clients", "how many clients there are, with those that watch")
        .role(FieldRole::Count);
pub(super) static MAX_CLIENTS: Field =
    Field::number("max clients", "how many clients there may be").role(FieldRole::Count);
static OFFSET: Field = Field::number("offset", "the number of the first client that follows");
static PACKET: Field = Field::number("packet", "its number, from 1");
pub(super) static PLAYER_LIST: Field = Field::group("clients", "who is there");
pub(super) static PLAYER: Field = Field::group("client", "one client");
pub(super) static PLAYER_NAME: Field =
    Field::text("name", "the player's name").role(FieldRole::Person);
pub(super) static CLAN: Field = Field::text("clan", "the player's clan").role(FieldRole::Name);
pub(super) static COUNTRY: Field =
    Field::text("country", "its number in ISO 3166-1, or -1").role(FieldRole::Location);
pub(super) static SCORE: Field =
    Field::text("score", "the player's points, or the negative time in seconds");
static IS_PLAYER: Field = Field::text("is player", "whether the client plays")
    .values(&[("0", "watches"), ("1", "plays")]);

/// The clients in a reply, to its end.
pub const PLAYERS: RecordForm = RecordForm {
    record: &PLAYER,
    members: &[text(&PLAYER_NAME), text(&CLAN), text(&COUNTRY), text(&SCORE), text(&IS_PLAYER)],
    end: RecordsEnd::Rest,
};
/// The same of version 0.5.
pub const PLAYERS_5: RecordForm =
    RecordForm { members: &[text(&PLAYER_NAME), text(&SCORE)], ..PLAYERS };
/// The same with a reserved text behind each.
pub const PLAYERS_EXTENDED: RecordForm = RecordForm {
    members: &[
        text(&PLAYER_NAME),
        text(&CLAN),
        text(&COUNTRY),
        text(&SCORE),
        text(&IS_PLAYER),
        text(&RESERVED_TEXT),
    ],
    ..PLAYERS
};

choices! {
    /// The head of a request.
    RequestHead { Plain "ten bytes FF", Extended "`xe` and a token: DDNet's" }
    |rest| rest.starts_with(b"xe");
}

/// A client requests a server's information.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InfoRequest<'a> {
    pub head: RequestHead,
    /// The spelling of a plain head.
    pub plain: u8,
    pub extra_token: u16,
    pub reserved: u16,
    pub token: u8,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for InfoRequest<'a> {
    const SPEC: Spec = Spec::new(
        "gie3",
        &["011 protocol.rs"],
        C2S,
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffgie3\x05",
    )
    .id("info-request")
    .content_match(b"\xff\x20x", is_request)
    .sends(|bytes| {
        let token = u32::from(*bytes.get(14)?);
        let extra = match bytes {
            [b'x', b'e', high, low, ..] => u32::from(u16::from_be_bytes([*high, *low])),
            _ => 0,
        };
        Some(Identifier::from_number(extra << 8 | token))
    });

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.choose(&mut self.head, |p, head| match head {
            RequestHead::Plain => p.one_of(&MARK, &HEADS, &mut self.plain),
            RequestHead::Extended => {
                p.lit(&MARK, b"xe")?;
                p.int(&EXTRA_TOKEN, Big, &mut self.extra_token)?;
                p.int(&RESERVED, Big, &mut self.reserved)?;
                p.lit(&MARK, b"\xff\xff\xff\xff")
            }
        })?;
        p.lit(&COMMAND, b"gie3")?;
        p.int(&TOKEN, Big, &mut self.token)
    }
}

/// The token of a request: the byte behind head and command.
fn token(bytes: &[u8]) -> Option<Identifier> {
    bytes.get(14).map(|token| Identifier::from_number((*token).into()))
}

/// The token in a reply, as text.
fn returned_token(bytes: &[u8]) -> Option<Identifier> {
    Identifier::from_text(bytes.get(14..)?)
}

fn is_request(bytes: &[u8]) -> bool {
    let Some((head, rest)) = bytes.split_first_chunk::<10>() else {
        return false;
    };
    let is_extended = head.starts_with(b"xe") && head.ends_with(&[0xff; 4]);
    let is_plain = HEADS.iter().any(|plain| plain.bytes == head);
    rest.starts_with(b"gie3") && (is_extended || is_plain)
}

/// A client of version 0.5 requests a server's information.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InfoRequest5<'a> {
    pub head: u8,
    pub token: u8,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for InfoRequest5<'a> {
    const SPEC: Spec = Spec::new(
        "gie2",
        &["011 protocol.rs"],
        C2S,
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffgie2\x05",
    )
    .id("info-request-5")
    .sends(token);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        request(p, b"gie2", &mut self.head)?;
        p.int(&TOKEN, Big, &mut self.token)
    }
}

/// A server's information for clients of version 0.5.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Info5<'a> {
    pub token: &'a [u8],
    pub version: &'a [u8],
    pub name: &'a [u8],
    pub map: &'a [u8],
    pub game_type: &'a [u8],
    pub flags: &'a [u8],
    pub progression: &'a [u8],
    pub players: &'a [u8],
    pub max_players: &'a [u8],
    pub player_list: Records<'a>,
}

impl<'a> Message<'a> for Info5<'a> {
    const SPEC: Spec = Spec::new(
        "inf2",
        &["011 protocol.rs"],
        S2C,
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffinf25\x000.5.2\0A server\0dm1\0DM\x000\x0050\0\
          1\x008\0Alfa\x0012\0",
    )
    .id("info-5")
    .answers(&["info-request-5"])
    .returns(returned_token);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"inf2")?;
        p.cstr(&TOKEN_TEXT, &mut self.token)?;
        p.cstr(&VERSION, &mut self.version)?;
        p.cstr(&NAME, &mut self.name)?;
        p.cstr(&MAP, &mut self.map)?;
        p.cstr(&TYPE, &mut self.game_type)?;
        p.cstr(&FLAGS, &mut self.flags)?;
        p.cstr(&PROGRESSION, &mut self.progression)?;
        p.cstr(&PLAYING, &mut self.players)?;
        p.cstr(&MAX_PLAYERS, &mut self.max_players)?;
        p.view(&PLAYER_LIST, PLAYERS_5, &mut self.player_list)
    }
}

/// A client requests the information of a server with up to 64 clients; DDNet's older form.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Info64Request<'a> {
    pub head: u8,
    pub token: u8,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for Info64Request<'a> {
    const SPEC: Spec = Spec::new(
        "fstd",
        &["011 protocol.rs"],
        C2S,
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfffstd\x05",
    )
    .id("info-64-request")
    .sends(token);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        request(p, b"fstd", &mut self.head)?;
        p.int(&TOKEN, Big, &mut self.token)
    }
}

/// How many clients there are, and how many there may be; as decimal numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Counts<'a> {
    pub players: &'a [u8],
    pub max_players: &'a [u8],
    pub clients: &'a [u8],
    pub max_clients: &'a [u8],
}

impl<'a> Counts<'a> {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.cstr(&PLAYING, &mut self.players)?;
        p.cstr(&MAX_PLAYERS, &mut self.max_players)?;
        p.cstr(&CLIENTS, &mut self.clients)?;
        p.cstr(&MAX_CLIENTS, &mut self.max_clients)
    }
}

messages! {
    {
        token: &'a [u8], version: &'a [u8], name: &'a [u8], map: &'a [u8], game_type: &'a [u8],
        flags: &'a [u8], counts: Counts<'a>, offset: PackedInt<'a>, players: Records<'a>,
    }
    |self, p, value: (&'static [u8], bool)| {
        command(p, value.0)?;
        p.cstr(&TOKEN_TEXT, &mut self.token)?;
        p.cstr(&VERSION, &mut self.version)?;
        p.cstr(&NAME, &mut self.name)?;
        p.cstr(&MAP, &mut self.map)?;
        p.cstr(&TYPE, &mut self.game_type)?;
        p.cstr(&FLAGS, &mut self.flags)?;
        self.counts.walk(p)?;
        p.when(value.1, "of up to 64 clients", |p| p.packed(&OFFSET, &mut self.offset))?;
        p.view(&PLAYER_LIST, PLAYERS, &mut self.players)
    }
    /// A server's information.
    Info = (b"inf3", false), Spec::new(
        "inf3", &["011 server.cpp"], S2C,
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffinf35\x000.6.5\0A server\0dm1\0DM\x000\x001\0\
          16\x001\x0016\0Alfa\0LAB\x00276\x0012\x001\0",
    ).id("info").answers(&["info-request"]).returns(returned_token);
    /// A server's information with up to 64 clients; DDNet's older form.
    Info64 = (b"dtsf", true), Spec::new(
        "dtsf", &["011 server.cpp"], S2C,
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffdtsf5\x000.6.5\0A server\0ctf5\0CTF\x000\x001\0\
          64\x001\x0064\0\0Alfa\0LAB\x00276\x0012\x001\0",
    ).id("info-64").answers(&["info-64-request"]).returns(returned_token)
        .part(part_64).entries(entries_64);
}

/// A server's information in DDNet's extended form.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ExtendedInfo<'a> {
    pub token: &'a [u8],
    pub version: &'a [u8],
    pub name: &'a [u8],
    pub map: &'a [u8],
    pub crc: &'a [u8],
    pub size: &'a [u8],
    pub game_type: &'a [u8],
    pub flags: &'a [u8],
    pub counts: Counts<'a>,
    pub reserved: &'a [u8],
    pub players: Records<'a>,
}

impl<'a> Message<'a> for ExtendedInfo<'a> {
    const SPEC: Spec = Spec::new(
        "iext",
        &["011 serverinfo_extended.md"],
        S2C,
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffiext66053\x000.6.4\0A server\0dm1\0-1234\0\
          523456\0DM\x000\x001\x0064\x001\x0064\0\0Alfa\0LAB\x00276\x0012\x001\0\0",
    )
    .id("info-extended")
    .answers(&["info-request"])
    .returns(returned_token)
    .part(first_part)
    .entries(extended_entries);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"iext")?;
        p.cstr(&TOKEN_TEXT, &mut self.token)?;
        p.cstr(&VERSION, &mut self.version)?;
        p.cstr(&NAME, &mut self.name)?;
        p.cstr(&MAP, &mut self.map)?;
        p.cstr(&CRC, &mut self.crc)?;
        p.cstr(&SIZE, &mut self.size)?;
        p.cstr(&TYPE, &mut self.game_type)?;
        p.cstr(&FLAGS, &mut self.flags)?;
        self.counts.walk(p)?;
        p.cstr(&RESERVED_TEXT, &mut self.reserved)?;
        p.view(&PLAYER_LIST, PLAYERS_EXTENDED, &mut self.players)
    }
}

/// More clients of a server, which did not fit into its extended information.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MoreInfo<'a> {
    pub token: &'a [u8],
    pub packet: &'a [u8],
    pub reserved: &'a [u8],
    pub players: Records<'a>,
}

impl<'a> Message<'a> for MoreInfo<'a> {
    const SPEC: Spec = Spec::new(
        "iex+",
        &["011 serverinfo_extended.md"],
        S2C,
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffiex+66053\x001\0\0Bravo\0\0-1\x00321\x001\0\0",
    )
    .id("info-more")
    .answers(&["info-request"])
    .returns(returned_token)
    .part(later_part)
    .entries(later_entries);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"iex+")?;
        p.cstr(&TOKEN_TEXT, &mut self.token)?;
        p.cstr(&PACKET, &mut self.packet)?;
        p.cstr(&RESERVED_TEXT, &mut self.reserved)?;
        p.view(&PLAYER_LIST, PLAYERS_EXTENDED, &mut self.players)
    }
}
