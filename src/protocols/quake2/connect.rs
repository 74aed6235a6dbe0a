//! How a client joins a game.

use super::super::declare::words;
use super::super::{
    BLANK, C2S, CHALLENGE, MAYBE_BLANK, NEWLINE, RemoteCommand, S2C, USERINFO, newline, oob, quoted,
};
use super::{PROTOCOL_NUMBER, TO_QUOTE, WARSOW};
use crate::codec::{CommandWord, Decimal, Field, Info, Pass, Walk};
use crate::protocol::{ExchangeKind, Message, Spec};

static QPORT: Field = Field::number(
    "qport",
    "a random number that tells clients behind one address apart; the document does not know it, \
     the released sources do",
);

static OFFERS: Field = Field::text(
    "offers",
    "what the server can do: p= and the protocols that it speaks; Q2PRO, R1Q2 and Yamagi, in no \
     document",
);

/// A client requests a challenge before it connects. Quake III's has no newline.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetChallenge<'a> {
    pub command: CommandWord<'a>,
}

impl<'a> Message<'a> for GetChallenge<'a> {
    const SPEC: Spec = Spec::new(
        "getchallenge",
        &["001 2.1.6", "001 3.8"],
        C2S,
        b"\xff\xff\xff\xffgetchallenge\n",
    )
    .exchange(ExchangeKind::Connection);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"getchallenge", &mut self.command)?;
        p.lit(&NEWLINE, b"\n")
    }
}

words! {
    /// A server accepts a client.
    ClientConnect = b"client_connect", &super::WORD_ENDS, Spec::new(
        "client_connect", &["001 2.1.9", "001 3.11"], S2C, b"\xff\xff\xff\xffclient_connect",
    ).id("client-connect").answers(&["connect"]).shared_with(WARSOW);
}

/// A server sends a challenge.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Challenge<'a> {
    pub command: CommandWord<'a>,
    pub challenge: &'a [u8],
    pub blank: u8,
    pub offers: &'a [u8],
    pub newline: u8,
}

impl<'a> Message<'a> for Challenge<'a> {
    const SPEC: Spec =
        Spec::new("challenge", &["001 2.1.7", "001 3.9"], S2C, b"\xff\xff\xff\xffchallenge 22695")
            .answers(&["getchallenge"])
            .continues();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"challenge", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.text(&CHALLENGE, b" \n", &mut self.challenge)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "from later programs", |p| {
            p.text(&OFFERS, b"\n", &mut self.offers)
        })?;
        newline(p, &mut self.newline)
    }
}

/// A client asks to join.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Connect<'a> {
    pub command: CommandWord<'a>,
    pub protocol: Decimal<'a>,
    pub qport: Decimal<'a>,
    pub challenge: Decimal<'a>,
    pub info: Info<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for Connect<'a> {
    const SPEC: Spec = Spec::new(
        "connect",
        &["001 2.1.8", "001 3.10"],
        C2S,
        b"\xff\xff\xff\xffconnect 34 810 22695 \"\\name\\ChickenMan\\hand\\0\"\n",
    )
    .exchange(ExchangeKind::Connection);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"connect", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&QPORT, &mut self.qport)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&CHALLENGE, &mut self.challenge)?;
        p.lit(&BLANK, b" ")?;
        quoted(p, &USERINFO, TO_QUOTE, &mut self.info)?;
        newline(p, &mut self.newline)
    }
}

/// A command for the server, from a user with its password. In no document.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rcon<'a> {
    pub command: CommandWord<'a>,
    pub remote: RemoteCommand<'a>,
}

impl<'a> Message<'a> for Rcon<'a> {
    const SPEC: Spec =
        Spec::new("rcon", &["001 3"], C2S, b"\xff\xff\xff\xffrcon swordfish status\n")
            .exchange(ExchangeKind::Command)
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"rcon", &mut self.command)?;
        self.remote.walk(p)
    }
}
