//! How a client joins a game, and the messages meanwhile. The document shows only one `n` of these;
//! the rest is known from the released sources.

use std::marker::PhantomData;

use super::super::{BLANK, C2S, CHALLENGE, COMMAND, QUOTE, RemoteCommand, S2C};
use super::{
    END, HALF_LIFE, LINE_ENDS, MAYBE_NUL, TEXT, TO_QUOTE, after_mark, letter_message, mark,
};
use crate::codec::{CommandWord, Decimal, Field, FieldRole, Info, Pass, Walk};
use crate::protocol::{ExchangeKind, Message, Refusal, Spec};

static PROTOCOL_NUMBER: Field = Field::number("protocol", "the number of the network protocol")
    .role(FieldRole::Protocol)
    .values(&[("28", "QuakeWorld 2.10 and later")]);
static QPORT: Field =
    Field::number("qport", "a random number that tells clients behind one address apart");
static USERINFO: Field = Field::group("userinfo", "the player's settings, as an infostring");
static LINE: Field =
    Field::text("line", "what the client's console is to do").role(FieldRole::Free);

/// A client requests a challenge before it connects.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetChallenge<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub end: u8,
}

impl<'a> Message<'a> for GetChallenge<'a> {
    const SPEC: Spec =
        Spec::new("getchallenge", &["001 6"], C2S, b"\xff\xff\xff\xffgetchallenge\n")
            .exchange(ExchangeKind::Connection)
            .shared_with(HALF_LIFE);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        letter_message(p, &mut self.mark, b"getchallenge", &mut self.command)?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
}

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
    .exchange(ExchangeKind::Connection)
    .shared_with(HALF_LIFE);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        letter_message(p, &mut self.mark, b"connect", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&QPORT, &mut self.qport)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&CHALLENGE, &mut self.challenge)?;
        p.lit(&BLANK, b" ")?;
        p.lit(&QUOTE, b"\"")?;
        p.view(&USERINFO, TO_QUOTE, &mut self.info)?;
        p.lit(&QUOTE, b"\"")?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
}

/// A server accepts a client.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Connected<'a> {
    pub mark: u8,
    pub end: u8,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for Connected<'a> {
    const SPEC: Spec = Spec::new("j", &["001 6"], S2C, b"\xff\xff\xff\xffj\0")
        .id("connected")
        .weak()
        .answers(&["connect"])
        .shared_with(HALF_LIFE);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        mark(p, &mut self.mark)?;
        p.lit(&COMMAND, b"j")?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
}

/// A letter and a text.
macro_rules! texts {
    ($($(#[$doc:meta])+ $name:ident = $letter:literal, $text:expr, $spec:expr;)+) => {$(
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub struct $name<'a> {
            pub mark: u8,
            pub text: &'a [u8],
            pub end: u8,
        }

        impl<'a> Message<'a> for $name<'a> {
            const SPEC: Spec = $spec;

            fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
                mark(p, &mut self.mark)?;
                p.lit(&COMMAND, $letter)?;
                p.text($text, b"\0", &mut self.text)?;
                p.one_of(&END, &MAYBE_NUL, &mut self.end)
            }
        }
    )+};
}

texts! {
    /// A server's text for the console, mostly why it refuses to connect.
    Print = b"n", &TEXT, Spec::new(
        "n", &["001 6.2"], S2C, b"\xff\xff\xff\xffnBad rcon_password.\n",
    )
    .id("print")
    .weak()
    .content_match(b"\xff", |bytes| {
        let rest = after_mark(bytes).and_then(|b| b.strip_prefix(b"n"));
        rest.is_some_and(|b| b.first() != Some(&b'\\'))
    })
    .answers(&["rcon", "connect", "getchallenge"]).refusal(Refusal::Always)
    .shared_with(HALF_LIFE);
    /// A server (or a program beside the client) sends the client a console command.
    ClientCommand = b"B", &LINE, Spec::new(
        "B", &["001 6"], S2C, b"\xff\xff\xff\xffBreconnect\n\0",
    ).id("client-command").weak().exchange(ExchangeKind::Command).one_way();
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
            .shared_with(HALF_LIFE)
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        letter_message(p, &mut self.mark, b"rcon", &mut self.command)?;
        self.remote.walk(p)
    }
}
