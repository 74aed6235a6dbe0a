//! How servers of later programs accept and refuse clients. In no document; known from the released
//! sources of DarkPlaces, qfusion, Daemon and CoD4x.

use super::super::declare::{choices, words};
use super::super::{BLANK, MAYBE_LF, NEWLINE, S2C, TEXT, oob};
use codec::{CommandWord, Decimal, Field, Pass, Spelling, Walk};
use protocol::{ExchangeKind, Message, Refusal, Spec};

static STATUS: Field = Field::number("status", "how many of the player's values the server has");
static SESSION: Field = Field::text("session", "the server's name for this connection");
static KIND: Field = Field::text("kind", "the kind of refusal, as a number");
static REASON_FLAGS: Field = Field::text("reason_flags", "whether the client may try again");

words! {
    /// A DarkPlaces server accepts a client. In no document; known from the released sources.
    Accept = b"accept", &MAYBE_LF, Spec::new(
        "accept", &["001 1.2.8"], S2C, b"\xff\xff\xff\xffaccept",
    ).answers(&["connect", "connect-pairs"]).exchange(ExchangeKind::Connection).undocumented();
}

choices! {
    /// How a refusal is written.
    RejectForm { Text "a text: DarkPlaces", Lines "in lines: Warsow and Warfork" }
    |rest| rest.starts_with(b"\n");
}

/// A server refuses a client. In no document; known from the released sources.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Reject<'a> {
    pub command: CommandWord<'a>,
    pub form: RejectForm,
    pub kind: &'a [u8],
    pub flags: &'a [u8],
    pub text: &'a [u8],
}

impl<'a> Message<'a> for Reject<'a> {
    const SPEC: Spec =
        Spec::new("reject", &["001 1.2.10"], S2C, b"\xff\xff\xff\xffreject Server is full.")
            .answers(&["connect", "connect-pairs", "key-exchange", "getchallenge"])
            .exchange(ExchangeKind::Connection)
            .refusal(Refusal::Always)
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"reject", &mut self.command)?;
        p.choose(&mut self.form, |p, form| match form {
            RejectForm::Text => p.lit(&BLANK, b" "),
            RejectForm::Lines => {
                p.lit(&NEWLINE, b"\n")?;
                p.text(&KIND, b"\n", &mut self.kind)?;
                p.lit(&NEWLINE, b"\n")?;
                p.text(&REASON_FLAGS, b"\n", &mut self.flags)?;
                p.lit(&NEWLINE, b"\n")
            }
        })?;
        p.text(&TEXT, b"", &mut self.text)
    }
}

/// Call of Duty and Daemon have a line feed behind the word, FiveM a blank.
static LF_OR_BLANK: [Spelling; 2] = [Spelling::new(b"\n"), Spelling::new(b" ")];

/// A server refuses, or reports an error. In no document; known from the released sources.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ErrorText<'a> {
    pub command: CommandWord<'a>,
    pub separator: u8,
    pub text: &'a [u8],
}

impl<'a> Message<'a> for ErrorText<'a> {
    const SPEC: Spec =
        Spec::new("error", &["001 1.2.10"], S2C, b"\xff\xff\xff\xfferror\nBad password")
            .answers(&["connect", "getchallenge", "rcon", "secure-rcon"])
            .exchange(ExchangeKind::Connection)
            .refusal(Refusal::Always)
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"error", &mut self.command)?;
        p.one_of(&NEWLINE, &LF_OR_BLANK, &mut self.separator)?;
        p.text(&TEXT, b"", &mut self.text)
    }
}

/// A CoD4x server counts the values of a player that it has got. In no document; known from the
/// released sources.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StatResponse<'a> {
    pub command: CommandWord<'a>,
    pub status: Decimal<'a>,
}

impl<'a> Message<'a> for StatResponse<'a> {
    const SPEC: Spec =
        Spec::new("statResponse", &["001 1.2.8"], S2C, b"\xff\xff\xff\xffstatResponse 4")
            .id("stat-response")
            .exchange(ExchangeKind::Connection)
            .one_way()
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"statResponse", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&STATUS, &mut self.status)
    }
}

/// A server of Warsow or Warfork accepts a client. In no document; known from the released sources.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ClientConnect<'a> {
    pub command: CommandWord<'a>,
    pub session: &'a [u8],
}

impl<'a> Message<'a> for ClientConnect<'a> {
    const SPEC: Spec = Spec::new(
        "client_connect",
        &["001 1.2.8"],
        S2C,
        b"\xff\xff\xff\xffclient_connect\n4bf07a11",
    )
    .id("client-connect")
    .answers(&["connect"])
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"client_connect", &mut self.command)?;
        p.lit(&NEWLINE, b"\n")?;
        p.text(&SESSION, b"", &mut self.session)
    }
}
