//! Queries of clients to a server: the full status, or one line for a list of local servers.

use super::super::declare::choices;
use super::super::{BLANK, C2S, INFO, LINES, MAYBE_BLANK, NEWLINE, S2C, TEXT, newline, oob};
use super::{ENDS, PROTOCOL_NUMBER, TO_LF, WARSOW};
use crate::quake3::PLAYERS;
use codec::{CommandWord, Decimal, Field, Info, Lines, PaddedInfo, Pass, Walk};
use protocol::{Message, Refusal, Spec};

static NUMBER: Field = Field::number(
    "number",
    "what a server of QuakeWorld is to tell; those of Quake 2 do not read it",
);
static REPLY: Field = Field::group("reply", "name, map and players, in columns");

/// A client requests a server's settings and players. Some browsers use the form for QuakeWorld's
/// servers, with a number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Status<'a> {
    pub command: CommandWord<'a>,
    pub blank: u8,
    pub number: Decimal<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for Status<'a> {
    const SPEC: Spec =
        Spec::new("status", &["001 2.1.4", "001 3.4"], C2S, b"\xff\xff\xff\xffstatus\n")
            .shared_with(super::super::HALF_LIFE);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"status", &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "with a number", |p| {
            p.decimal(&NUMBER, &mut self.number)
        })?;
        p.one_of(&NEWLINE, &ENDS, &mut self.newline)
    }
}

choices! {
    /// The content of `print`: a backslash begins a status.
    Printed { Text "a text", Status "a status: a backslash first" }
    |rest| rest.starts_with(b"\\");
}

/// A server's text for the console, or its answer to `status`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Print<'a> {
    pub command: CommandWord<'a>,
    pub printed: Printed,
    pub text: &'a [u8],
    pub info: Info<'a>,
    pub players: Lines<'a>,
}

impl<'a> Message<'a> for Print<'a> {
    const SPEC: Spec = Spec::new(
        "print",
        &["001 2.1.5", "001 3.5"],
        S2C,
        b"\xff\xff\xff\xffprint\n\\mapname\\q2dm1\n0 6 \"ChickenMan\"\n",
    )
    .answers(&["status", "rcon", "connect", "getchallenge"])
    .refusal(Refusal::Always);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"print", &mut self.command)?;
        p.lit(&NEWLINE, b"\n")?;
        p.choose(&mut self.printed, |p, printed| match printed {
            Printed::Text => p.text(&TEXT, b"", &mut self.text),
            Printed::Status => {
                p.view(&INFO, TO_LF, &mut self.info)?;
                p.lit(&NEWLINE, b"\n")?;
                p.view(&LINES, PLAYERS, &mut self.players)
            }
        })
    }
}

/// A client asks all servers of its protocol in the local network for their names.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InfoRequest<'a> {
    pub command: CommandWord<'a>,
    pub protocol: Decimal<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for InfoRequest<'a> {
    const SPEC: Spec =
        Spec::new("info", &["001 2.1.3", "001 3.7"], C2S, b"\xff\xff\xff\xffinfo 34")
            .shared_with(WARSOW);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"info", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)?;
        p.one_of(&NEWLINE, &ENDS, &mut self.newline)
    }
}

/// A server's name, map and players: Quake 2 in one line of columns, Heretic 2 with the name on a
/// separate line.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct InfoReply<'a> {
    pub command: CommandWord<'a>,
    pub reply: PaddedInfo<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for InfoReply<'a> {
    const SPEC: Spec = Spec::new(
        "info",
        &["001 2.1.3", "001 3.6"],
        S2C,
        b"\xff\xff\xff\xffinfo\n          noname    q2dm1  0/ 8\n",
    )
    .id("info-reply")
    .answers(&["info"])
    .shared_with(WARSOW);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"info", &mut self.command)?;
        p.lit(&NEWLINE, b"\n")?;
        p.view(&REPLY, (), &mut self.reply)?;
        newline(p, &mut self.newline)
    }
}
