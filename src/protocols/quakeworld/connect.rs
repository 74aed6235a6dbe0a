//! How a client joins a game, and the messages meanwhile. The document shows only one `n` of these;
//! the rest is known from the released sources.

use super::super::{
    BLANK, C2S, CHALLENGE, COMMAND, HALF_LIFE, RemoteCommand, S2C, USERINFO, quoted,
};
use super::{END, LINE_ENDS, TO_QUOTE, after_mark, letter_message, mark};
use crate::codec::{CommandWord, Decimal, Field, FieldRole, Info, Pass, Walk};
use crate::protocol::{ExchangeKind, Message, Spec};

static PROTOCOL_NUMBER: Field = Field::number("protocol", "the number of the network protocol")
    .role(FieldRole::Protocol)
    .values(&[("28", "QuakeWorld 2.10 and later")]);
static QPORT: Field =
    Field::number("qport", "a random number that tells clients behind one address apart");

/// A server sends a challenge: the letter, directly followed by a number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Challenge<'a> {
    pub mark: u8,
    pub challenge: Decimal<'a>,
    pub end: u8,
}

impl<'a> Message<'a> for Challenge<'a> {
    const SPEC: Spec = Spec::new("c", &["001 6"], S2C, b"\xff\xff\xff\xffc22695\0")
        .id("challenge")
        .weak()
        .content_match(b"\xff", |bytes| {
            let rest = after_mark(bytes).and_then(|b| b.strip_prefix(b"c"));
            let first = rest.and_then(|b| b.strip_prefix(b"-").unwrap_or(b).first());
            first.is_some_and(u8::is_ascii_digit)
        })
        .answers(&["getchallenge"])
        .continues()
        .shared_with(HALF_LIFE);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        mark(p, &mut self.mark)?;
        p.lit(&COMMAND, b"c")?;
        p.decimal(&CHALLENGE, &mut self.challenge)?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
}

/// A client asks to join.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Connect<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub protocol: Decimal<'a>,
    pub qport: Decimal<'a>,
    pub challenge: Decimal<'a>,
    pub info: Info<'a>,
    pub end: u8,
}

impl<'a> Message<'a> for Connect<'a> {
    const SPEC: Spec = Spec::new(
        "connect",
        &["001 6"],
        C2S,
        b"\xff\xff\xff\xffconnect 28 810 22695 \"\\name\\ChickenMan\\topcolor\\4\"\n",
    )
    .exchange(ExchangeKind::Connection);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        letter_message(p, &mut self.mark, b"connect", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&QPORT, &mut self.qport)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&CHALLENGE, &mut self.challenge)?;
        p.lit(&BLANK, b" ")?;
        quoted(p, &USERINFO, TO_QUOTE, &mut self.info)?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
}

/// A command for the server, from a user with its password.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rcon<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub remote: RemoteCommand<'a>,
}

impl<'a> Message<'a> for Rcon<'a> {
    const SPEC: Spec =
        Spec::new("rcon", &["001 6.2"], C2S, b"\xff\xff\xff\xffrcon swordfish status\0")
            .exchange(ExchangeKind::Command)
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        letter_message(p, &mut self.mark, b"rcon", &mut self.command)?;
        self.remote.walk(p)
    }
}
