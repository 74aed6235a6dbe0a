//! How a client joins a game, and the server's messages meanwhile.

use super::super::declare::{choices, words};
use super::super::{
    BLANK, C2S, CHALLENGE, COMMAND, M2S, MAYBE_BLANK, MAYBE_LF, NEWLINE, NOTHING, S2C, S2M, TEXT,
    USERINFO, newline, oob, quoted,
};
use super::{PROTOCOL_NUMBER, TO_QUOTE};
use crate::codec::{
    Anomaly, Body, Coded, CommandWord, Decimal, Field, FieldRole, Huffman, Info, Kind, Pass,
    Spelling, Walk,
};
use crate::protocol::{ExchangeKind, Message, Refusal, Spec};

static CLIENT_CHALLENGE: Field = Field::text(
    "client_challenge",
    "the client's own challenge, sent back to it; ioquake3 and programs made from it, in no document",
)
.role(FieldRole::Challenge);
static GAMENAME: Field = Field::text(
    "gamename",
    "the game that the client wants to play; ioquake3 and programs made from it, in no document",
)
.role(FieldRole::Game);
static CODED: Field =
    Field::new("coded", Kind::Coded, "the player's settings, in Quake III's adaptive Huffman code");

/// Quake 2's `getchallenge` ends in a newline, Quake III's does not.
static RARE_LF: [Spelling; 2] = [NOTHING, Spelling::odd(b"\n", Anomaly::Spelling)];

/// A client requests a challenge before it connects.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetChallenge<'a> {
    pub command: CommandWord<'a>,
    pub blank: u8,
    pub client_challenge: &'a [u8],
    pub named: u8,
    pub gamename: &'a [u8],
    pub newline: u8,
}

impl<'a> Message<'a> for GetChallenge<'a> {
    const SPEC: Spec =
        Spec::new("getchallenge", &["001 1.2.5", "001 11.9"], C2S, b"\xff\xff\xff\xffgetchallenge")
            .exchange(ExchangeKind::Connection)
            .rare_directions(M2S);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"getchallenge", &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "from ioquake3", |p| {
            p.text(&CLIENT_CHALLENGE, b" \n", &mut self.client_challenge)?;
            p.led(&BLANK, &MAYBE_BLANK, &mut self.named, "with the game's name", |p| {
                p.text(&GAMENAME, b" \n", &mut self.gamename)
            })
        })?;
        p.one_of(&NEWLINE, &RARE_LF, &mut self.newline)
    }
}

/// A server sends a challenge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ChallengeResponse<'a> {
    pub command: CommandWord<'a>,
    pub challenge: &'a [u8],
    pub blank: u8,
    pub client_challenge: &'a [u8],
    pub numbered: u8,
    pub protocol: Decimal<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for ChallengeResponse<'a> {
    const SPEC: Spec = Spec::new(
        "challengeResponse",
        &["001 1.2.6", "001 11.10"],
        S2C,
        b"\xff\xff\xff\xffchallengeResponse 96116651",
    )
    .id("challenge-response")
    .answers(&["getchallenge"])
    .continues()
    .rare_directions(S2M);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"challengeResponse", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.text(&CHALLENGE, b" \n", &mut self.challenge)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "from ioquake3", |p| {
            p.text(&CLIENT_CHALLENGE, b" \n", &mut self.client_challenge)?;
            p.led(&BLANK, &MAYBE_BLANK, &mut self.numbered, "with a protocol number", |p| {
                p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)
            })
        })?;
        newline(p, &mut self.newline)
    }
}

/// A client's settings, in quotes; the content of `connect`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct UserInfo<'a> {
    pub info: Info<'a>,
}

impl<'a> Body<'a> for UserInfo<'a> {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        quoted(p, &USERINFO, TO_QUOTE, &mut self.info)
    }
}

choices! {
    /// Old versions sent `connect` uncompressed.
    Clear { Coded "Huffman coded", Plain "in the clear: a quote first" }
    |rest| rest.starts_with(b"\"");
}

/// A client asks to join.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Connect<'a> {
    pub command: CommandWord<'a>,
    pub clear: Clear,
    pub coded: Coded<'a, UserInfo<'a>>,
    pub plain: UserInfo<'a>,
}

impl<'a> Message<'a> for Connect<'a> {
    const SPEC: Spec = Spec::new(
        "connect",
        &["001 1.2.7"],
        C2S,
        b"\xff\xff\xff\xffconnect \"\\challenge\\96116651\\protocol\\68\"",
    )
    .exchange(ExchangeKind::Connection);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"connect", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.choose(&mut self.clear, |p, clear| match clear {
            Clear::Coded => p.layer(&CODED, Huffman, &mut self.coded),
            Clear::Plain => Body::walk(&mut self.plain, p),
        })
    }
}

/// A server accepts a client.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ConnectResponse<'a> {
    pub command: CommandWord<'a>,
    pub blank: u8,
    pub challenge: &'a [u8],
    pub newline: u8,
}

impl<'a> Message<'a> for ConnectResponse<'a> {
    const SPEC: Spec =
        Spec::new("connectResponse", &["001 1.2.8"], S2C, b"\xff\xff\xff\xffconnectResponse")
            .id("connect-response")
            .answers(&["connect"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"connectResponse", &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "from ioquake3", |p| {
            p.text(&CHALLENGE, b" \n", &mut self.challenge)
        })?;
        newline(p, &mut self.newline)
    }
}

words! {
    /// A server disconnects a client.
    Disconnect = b"disconnect", &MAYBE_LF, Spec::new(
        "disconnect", &["001 1.2.14"], S2C, b"\xff\xff\xff\xffdisconnect",
    ).exchange(ExchangeKind::Connection).one_way();
}

/// A server's text for the player, mostly why it refuses to connect.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Print<'a> {
    pub command: CommandWord<'a>,
    pub text: &'a [u8],
}

impl<'a> Message<'a> for Print<'a> {
    const SPEC: Spec = Spec::new(
        "print",
        &["001 1.2.10", "001 11.11"],
        S2C,
        b"\xff\xff\xff\xffprint\nServer is full.\n",
    )
    .answers(&["connect", "getchallenge", "rcon"])
    .exchange(ExchangeKind::Connection)
    .refusal(Refusal::Always)
    // Quake 2's servers answer `status` with it.
    .excluded(|bytes| bytes.get(9..).is_some_and(|behind| behind.starts_with(b"\n\\")));

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"print", &mut self.command)?;
        p.lit(&NEWLINE, b"\n")?;
        p.text(&TEXT, b"", &mut self.text)
    }
}

/// A client's `ping`, without a mark.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Ping<'a> {
    pub command: CommandWord<'a>,
}

impl<'a> Message<'a> for Ping<'a> {
    const SPEC: Spec = Spec::new("ping", &["001 1.2.13"], C2S, b"ping").weak();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.word(&COMMAND, b"ping", &mut self.command)
    }
}
