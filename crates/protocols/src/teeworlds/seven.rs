//! The messages of version 0.7. In place of the mark stand a byte of flags and two tokens: a program
//! answers nobody who has not shown that packets reach it, so it gives a token away first. Numbers
//! are packed.

use super::super::identifiers::bytes;
use std::marker::PhantomData;

use super::super::declare::messages;
use super::super::{C2M, C2S, COMMAND, M2C, M2S, S2C, S2M, SERVERS};
use super::info::{CLAN, CLIENTS, COUNTRY, MAP, MAX_CLIENTS, MAX_PLAYERS, NAME, PLAYER};
use super::info::{PLAYER_LIST, PLAYER_NAME, PLAYING, SCORE, TYPE, VERSION};
use super::lists::COUNT;
use super::{MARK, PORT, TOKEN};
use codec::{
    Addrs, BitMeanings, Endian::Big, Field, FieldRole, Kind, PLAIN_BIG6, PackedInt, Pass,
    RecordForm, Records, RecordsEnd, Shape, Walk, packed, text,
};
use protocol::{Directions, ExchangeKind, Identifier, Message, Refusal, Role, Spec};

/// Whoever sends a message outside of a connection asks for a token before.
const ASKS: Directions = &[
    (Role::Client, Role::Server),
    (Role::Client, Role::Master),
    (Role::Server, Role::Master),
    (Role::Master, Role::Server),
];
const GIVES: Directions = &[
    (Role::Server, Role::Client),
    (Role::Master, Role::Client),
    (Role::Master, Role::Server),
    (Role::Server, Role::Master),
];

static PACKET_FLAGS: Field = Field::new(
    "packet flags",
    Kind::Mark,
    "21: version 0.7, outside of any connection; 04: control",
);
static ACK: Field = Field::new("ack", Kind::Mark, "nothing to acknowledge, and no chunks");
static PACKET_TOKEN: Field = Field::number(
    "packet token",
    "what the receiver gave the sender; FFFFFFFF if it gave none yet",
)
.role(FieldRole::Token);
static RESPONSE_TOKEN: Field =
    Field::number("response token", "what the receiver has to send back when it answers")
        .role(FieldRole::Token);
static GIVEN_TOKEN: Field =
    Field::number("given token", "which the receiver has to send back").role(FieldRole::Token);
static PADDING: Field = Field::separator(
    "padding",
    "508 bytes, so that a forged sender gets no more than was sent; none in a reply",
);
static HOST: Field = Field::text("host", "the host name of the server, if its operator set one")
    .role(FieldRole::Free);
static FLAGS: Field = Field::number("flags", "what the server demands, and how it counts")
    .bits(&[BitMeanings::set(1, "a password is needed"), BitMeanings::set(2, "scores are times")]);
static SKILL: Field = Field::number("skill level", "of the players that are expected").values(&[
    ("0", "casual"),
    ("1", "normal"),
    ("2", "competitive"),
]);
static KIND: Field = Field::number("kind", "what the client is").values(&[
    ("0", "plays"),
    ("1", "watches"),
    ("2", "a program"),
]);

/// The clients in a reply, to its end.
pub const PLAYERS_7: RecordForm = RecordForm {
    record: &PLAYER,
    members: &[text(&PLAYER_NAME), text(&CLAN), packed(&COUNTRY), packed(&SCORE), packed(&KIND)],
    end: RecordsEnd::Rest,
};

/// The two tokens in front of a message.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TokenPair {
    pub packet: u32,
    pub response: u32,
}

impl TokenPair {
    fn walk<'a, P: Pass<'a>>(&mut self, p: &mut P, letters: &'static [u8]) -> Walk {
        p.lit(&PACKET_FLAGS, b"\x21")?;
        p.int(&PACKET_TOKEN, Big, &mut self.packet)?;
        p.int(&RESPONSE_TOKEN, Big, &mut self.response)?;
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, letters)
    }
}

/// Whether a message has these letters behind the tokens.
fn is(bytes: &[u8], letters: [u8; 4]) -> bool {
    bytes.get(9..17).is_some_and(|mark| mark.strip_prefix(&[0xff; 4]) == Some(&letters))
}

/// The packed number behind the letters.
fn token(bytes: &[u8]) -> Option<Identifier> {
    let packed = bytes.get(17..)?;
    let last = packed.iter().take(5).position(|byte| byte & 0x80 == 0)?;
    packed.get(..=last).map(Identifier::from_bytes)
}

/// Whether a control packet gives a token, and this many bytes follow it.
fn gives_token(bytes: &[u8], padding: usize) -> bool {
    let is_control = bytes.starts_with(b"\x04\0\0") && bytes.get(7) == Some(&5);
    is_control && bytes.len() == 12 + padding
}

messages! {
    { packet: [u8; 4], given: [u8; 4], padding: &'a [u8] }
    |self, p, value: ()| {
        let () = value;
        p.lit(&PACKET_FLAGS, b"\x04")?;
        p.lit(&ACK, b"\0\0")?;
        p.raw(&PACKET_TOKEN, Shape::Unsigned(Big), &mut self.packet)?;
        p.lit(&COMMAND, b"\x05")?;
        p.raw(&GIVEN_TOKEN, Shape::Unsigned(Big), &mut self.given)?;
        p.text(&PADDING, b"", &mut self.padding)
    }
    /// A program asks for a token, and gives one.
    TokenRequest7 = (), Spec::new(
        "token request", &["011 network_token.cpp"], ASKS, &TOKEN_REQUEST,
    ).id("token-request").weak().sends(bytes::<8, 4>)
    .content_match(b"\x04", |bytes| gives_token(bytes, 508));
    /// A program gives the token that was asked for.
    Token7 = (), Spec::new(
        "token", &["011 network_token.cpp"], GIVES,
        b"\x04\0\0\x11\x22\x33\x44\x05\x55\x66\x77\x88",
    ).id("token").weak()
    .content_match(b"\x04", |bytes| gives_token(bytes, 0))
    .answers(&["token-request"]).returns(bytes::<3, 4>);
}

/// A request for a token, and as many bytes as it has to have.
static TOKEN_REQUEST: [u8; 520] = {
    let mut bytes = [0; 520];
    if let Some(head) = bytes.first_chunk_mut() {
        *head = *b"\x04\0\0\xff\xff\xff\xff\x05\x11\x22\x33\x44";
    }
    bytes
};

messages! {
    { tokens: TokenPair, token: PackedInt<'a> }
    |self, p, letters: &'static [u8]| {
        self.tokens.walk(p, letters)?;
        p.packed(&TOKEN, &mut self.token)
    }
    /// A client requests a server's information.
    InfoRequest7 = b"gie3", Spec::new(
        "gie3", &["011 protocol.rs"], C2S,
        b"\x21\x11\x22\x33\x44\x55\x66\x77\x88\xff\xff\xff\xffgie3\x05",
    ).id("info-request-7").content_match(b"\x21", |bytes| is(bytes, *b"gie3")).sends(token);
}

/// A server's information.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Info7<'a> {
    pub tokens: TokenPair,
    pub token: PackedInt<'a>,
    pub version: &'a [u8],
    pub name: &'a [u8],
    pub host: &'a [u8],
    pub map: &'a [u8],
    pub game_type: &'a [u8],
    pub flags: PackedInt<'a>,
    pub skill: PackedInt<'a>,
    pub players: PackedInt<'a>,
    pub max_players: PackedInt<'a>,
    pub clients: PackedInt<'a>,
    pub max_clients: PackedInt<'a>,
    pub player_list: Records<'a>,
}

impl<'a> Message<'a> for Info7<'a> {
    const SPEC: Spec = Spec::new(
        "inf3",
        &["011 server.cpp"],
        S2C,
        b"\x21\x55\x66\x77\x88\x11\x22\x33\x44\xff\xff\xff\xffinf3\x050.7.5\0A server\0\0dm1\0DM\0\0\x01\
          \x01\x08\x01\x88\x01Alfa\0LAB\0\x94\x04\x0c\0",
    )
    .id("info-7")
    .content_match(b"\x21", |bytes| is(bytes, *b"inf3"))
    .answers(&["info-request-7"])
    .returns(token);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        self.tokens.walk(p, b"inf3")?;
        p.packed(&TOKEN, &mut self.token)?;
        p.cstr(&VERSION, &mut self.version)?;
        p.cstr(&NAME, &mut self.name)?;
        p.cstr(&HOST, &mut self.host)?;
        p.cstr(&MAP, &mut self.map)?;
        p.cstr(&TYPE, &mut self.game_type)?;
        p.packed(&FLAGS, &mut self.flags)?;
        p.packed(&SKILL, &mut self.skill)?;
        p.packed(&PLAYING, &mut self.players)?;
        p.packed(&MAX_PLAYERS, &mut self.max_players)?;
        p.packed(&CLIENTS, &mut self.clients)?;
        p.packed(&MAX_CLIENTS, &mut self.max_clients)?;
        p.view(&PLAYER_LIST, PLAYERS_7, &mut self.player_list)
    }
}

messages! {
    { tokens: TokenPair, port: u16, borrowed: PhantomData<&'a [u8]> }
    |self, p, letters: &'static [u8]| {
        self.tokens.walk(p, letters)?;
        p.int(&PORT, Big, &mut self.port)
    }
    /// A server's heartbeat, with its port behind a router.
    Heartbeat7 = b"bea2", Spec::new(
        "bea2", &["011 mastersrv.cpp"], S2M,
        b"\x21\x11\x22\x33\x44\x55\x66\x77\x88\xff\xff\xff\xffbea2\x20\x6f",
    ).id("heartbeat-7").content_match(b"\x21", |bytes| is(bytes, *b"bea2"))
    .exchange(ExchangeKind::Registration);
}

messages! {
    { tokens: TokenPair, borrowed: PhantomData<&'a [u8]> }
    |self, p, letters: &'static [u8]| {
        self.tokens.walk(p, letters)
    }
    /// A master checks whether a server can be reached; it comes from the port above its own.
    Check7 = b"fw??", Spec::new(
        "fwcheck", &["011 mastersrv.cpp"], M2S,
        b"\x21\x11\x22\x33\x44\x55\x66\x77\x88\xff\xff\xff\xfffw??",
    ).id("check-7").content_match(b"\x21", |bytes| is(bytes, *b"fw??")).answers(&["heartbeat-7"]);
    /// A server has received the check.
    CheckResponse7 = b"fw!!", Spec::new(
        "fwresponse", &["011 mastersrv.cpp"], S2M,
        b"\x21\x11\x22\x33\x44\x55\x66\x77\x88\xff\xff\xff\xfffw!!",
    ).id("check-response-7").content_match(b"\x21", |bytes| is(bytes, *b"fw!!"))
    .answers(&["check-7"]);
    /// A master has listed the server.
    Listed7 = b"fwok", Spec::new(
        "fwok", &["011 mastersrv.cpp"], M2S,
        b"\x21\x55\x66\x77\x88\x11\x22\x33\x44\xff\xff\xff\xfffwok",
    ).id("listed-7").content_match(b"\x21", |bytes| is(bytes, *b"fwok"))
    .answers(&["check-response-7", "heartbeat-7"]);
    /// A master could not reach the server, and does not list it.
    NotListed7 = b"fwer", Spec::new(
        "fwer", &["011 mastersrv.cpp"], M2S,
        b"\x21\x55\x66\x77\x88\x11\x22\x33\x44\xff\xff\xff\xfffwer",
    ).id("not-listed-7").content_match(b"\x21", |bytes| is(bytes, *b"fwer"))
    .answers(&["heartbeat-7"]).refusal(Refusal::Always);
    /// A client requests the list.
    ListRequest7 = b"req2", Spec::new(
        "req2", &["011 protocol.rs"], C2M,
        b"\x21\x11\x22\x33\x44\x55\x66\x77\x88\xff\xff\xff\xffreq2",
    ).id("list-request-7").content_match(b"\x21", |bytes| is(bytes, *b"req2"))
    .exchange(ExchangeKind::List);
    /// A client asks how many servers there are.
    CountRequest7 = b"cou2", Spec::new(
        "cou2", &["011 protocol.rs"], C2M,
        b"\x21\x11\x22\x33\x44\x55\x66\x77\x88\xff\xff\xff\xffcou2",
    ).id("count-request-7").content_match(b"\x21", |bytes| is(bytes, *b"cou2"));
}

/// A list; an IPv4 address is the end of an IPv6 address.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct List7<'a> {
    pub tokens: TokenPair,
    pub servers: Addrs<'a>,
}

impl<'a> Message<'a> for List7<'a> {
    const SPEC: Spec = Spec::new(
        "lis2",
        &["011 protocol.rs"],
        M2C,
        b"\x21\x55\x66\x77\x88\x11\x22\x33\x44\xff\xff\xff\xfflis2\0\0\0\0\0\0\0\0\0\0\xff\
          \xff\xc0\0\x02\x0a\x20\x6f",
    )
    .id("list-7")
    .content_match(b"\x21", |bytes| is(bytes, *b"lis2"))
    .answers(&["list-request-7"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        self.tokens.walk(p, b"lis2")?;
        p.view(&SERVERS, PLAIN_BIG6, &mut self.servers)
    }
}

/// How many servers a master lists.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Count7<'a> {
    pub tokens: TokenPair,
    pub count: u16,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for Count7<'a> {
    const SPEC: Spec = Spec::new(
        "siz2",
        &["011 protocol.rs"],
        M2C,
        b"\x21\x55\x66\x77\x88\x11\x22\x33\x44\xff\xff\xff\xffsiz2\0\x0c",
    )
    .id("count-7")
    .content_match(b"\x21", |bytes| is(bytes, *b"siz2"))
    .answers(&["count-request-7"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        self.tokens.walk(p, b"siz2")?;
        p.int(&COUNT, Big, &mut self.count)
    }
}
