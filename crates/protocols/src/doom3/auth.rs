//! How a client joins a game: a challenge from the server, and the master's verdict on its key.
//!
//! The document shows these messages as bytes and asks what they mean. All meanings here come from
//! the released sources.

use super::super::{C2S, M2S, S2C, S2M, TEXT};
use super::{CHALLENGE, PROTOCOL_NUMBER, SINCE_1_37, command};
use codec::{CommandWord, Endian::Little, Field, FieldRole, Kind, Pass, Shape, Walk};
use protocol::{ExchangeKind, Message, Refusal, Spec};

static CLIENT_ID: Field = Field::number(
    "client id",
    "a random number that the client keeps; known from the released sources",
)
.values(&[("-1", "not told yet: the client asked for a challenge")]);
static SERVER_ID: Field = Field::number(
    "server id",
    "tells one run of the server from the next; known from the released sources",
);
static BASE: Field =
    Field::text("fs_game_base", "the folder that the modification builds on; in later versions")
        .role(FieldRole::Game);
static GAME: Field =
    Field::text("fs_game", "the modification's folder; in later versions").role(FieldRole::Game);
static ADDRESS: Field =
    Field::new("address", Kind::Address, "the client's address").role(FieldRole::Address);
static PORT: Field =
    Field::number("port", "the client's port, little-endian; from the master it may be zero")
        .role(FieldRole::Port);
static GUID: Field =
    Field::text("guid", "a lasting identifier of the player that stands for the CD key")
        .role(FieldRole::Secret);
static EXPANSION: Field = Field::number(
    "expansion",
    "whether the server runs the expansion; since protocol 1.37, known from the released sources",
)
.values(&[("0", "Doom 3 alone"), ("1", "Resurrection of Evil")]);
static REPLY: Field = Field::number("reply", "what to do with the client")
    .values(&[("1", "let the client in"), ("2", "wait"), ("3", "refuse the client")])
    .role(FieldRole::Verdict);
static MESSAGE: Field = Field::number("message", "the reason").values(&[
    ("1", "the key is not known"),
    ("2", "the key is refused"),
    ("3", "as the text says"),
    ("4", "the master is busy"),
]);

/// A client requests a challenge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Challenge<'a> {
    pub command: CommandWord<'a>,
    pub client: i32,
}

impl<'a> Message<'a> for Challenge<'a> {
    const SPEC: Spec =
        Spec::new("challenge", &["001 9.10"], C2S, b"\xff\xffchallenge\0\xaf\x10\0\0")
            .exchange(ExchangeKind::Connection);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"challenge", &mut self.command)?;
        p.int(&CLIENT_ID, Little, &mut self.client)
    }
}

/// A server sends a challenge; later versions include their game.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ChallengeResponse<'a> {
    pub command: CommandWord<'a>,
    pub challenge: i32,
    pub server: u16,
    pub later: bool,
    pub base: &'a [u8],
    pub game: &'a [u8],
}

impl<'a> Message<'a> for ChallengeResponse<'a> {
    const SPEC: Spec = Spec::new(
        "challengeResponse",
        &["001 9.11"],
        S2C,
        b"\xff\xffchallengeResponse\0\x0d\xa8\x29\0\x61\x4a\0d3xp\0",
    )
    .id("challenge-response")
    .answers(&["challenge"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"challengeResponse", &mut self.command)?;
        p.int(&CHALLENGE, Little, &mut self.challenge)?;
        p.int(&SERVER_ID, Little, &mut self.server)?;
        p.more(&mut self.later, "in later versions", |p| {
            p.cstr(&BASE, &mut self.base)?;
            p.cstr(&GAME, &mut self.game)
        })
    }
}

/// A server asks the master about a client: when it requests a challenge, and when it connects.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SrvAuth<'a> {
    pub command: CommandWord<'a>,
    pub protocol: u32,
    pub address: [u8; 4],
    pub port: u16,
    pub client: i32,
    pub guid: &'a [u8],
    pub has_expansion: bool,
    pub expansion: u8,
}

impl<'a> Message<'a> for SrvAuth<'a> {
    const SPEC: Spec = Spec::new(
        "srvAuth",
        &["001 9.8"],
        S2M,
        b"\xff\xffsrvAuth\0\x28\0\x01\0\xc0\x00\x02\x37\x07\x04\xaf\x10\0\0EClKrJB8lkc\0\x01",
    )
    .id("srv-auth")
    .exchange(ExchangeKind::Authorization);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"srvAuth", &mut self.command)?;
        p.int(&PROTOCOL_NUMBER, Little, &mut self.protocol)?;
        p.raw(&ADDRESS, Shape::Ipv4, &mut self.address)?;
        p.int(&PORT, Little, &mut self.port)?;
        p.int(&CLIENT_ID, Little, &mut self.client)?;
        p.when(self.client != -1, "at connect", |p| p.cstr(&GUID, &mut self.guid))?;
        p.when(self.protocol >= SINCE_1_37, "since protocol 1.37", |p| {
            p.more(&mut self.has_expansion, "where it was sent", |p| {
                p.int(&EXPANSION, Little, &mut self.expansion)
            })
        })
    }
}

/// The master's verdict on a client.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Auth<'a> {
    pub command: CommandWord<'a>,
    pub reply: u8,
    pub client: i16,
    pub address: [u8; 4],
    pub port: u16,
    pub guid: &'a [u8],
    pub message: u8,
    pub text: &'a [u8],
}

impl<'a> Message<'a> for Auth<'a> {
    const SPEC: Spec = Spec::new(
        "auth",
        &["001 9.9"],
        M2S,
        b"\xff\xffauth\0\x03\xff\xff\xc0\x00\x02\x37\0\0\0\x03banned\0",
    )
    .answers(&["srv-auth"])
    .refusal(Refusal::At("3"));

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        command(p, b"auth", &mut self.command)?;
        p.int(&REPLY, Little, &mut self.reply)?;
        p.int(&CLIENT_ID, Little, &mut self.client)?;
        p.raw(&ADDRESS, Shape::Ipv4, &mut self.address)?;
        p.int(&PORT, Little, &mut self.port)?;
        p.cstr(&GUID, &mut self.guid)?;
        p.when(self.reply != 1, "unless the client may come in", |p| {
            p.int(&MESSAGE, Little, &mut self.message)?;
            p.when(self.message == 3, "with a text", |p| p.cstr(&TEXT, &mut self.text))
        })
    }
}
