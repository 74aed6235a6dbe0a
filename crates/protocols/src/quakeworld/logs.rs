//! The log of frags, and what servers tell each other. In no document; known from MVDSV.

use super::super::{BLANK, C2S, CHALLENGE, COMMAND, INFO, MAYBE_BLANK, NEWLINE, S2C};
use super::{END, LINE_ENDS, MAYBE_NUL, TO_LF, letter_message};
use codec::{CommandWord, Decimal, Field, FieldRole, Info, Pass, Walk};
use protocol::{ExchangeKind, Message, Role, Spec};

static NUMBER: Field = Field::number("number", "of the log; it grows with every new one");
static FRAGS: Field = Field::text("log", "one frag a line: who, and whom").role(FieldRole::Free);
static SLOT: Field = Field::number("slot", "the client's place on the server");
static SERVERS_TO_SERVERS: &[(Role, Role)] = &[(Role::Server, Role::Server)];

/// A client asks for the log of frags, if it is newer than the one that it has.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Log<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub blank: u8,
    pub number: Decimal<'a>,
    pub end: u8,
}

impl<'a> Message<'a> for Log<'a> {
    // Half-Life's servers send lines of their logs behind the same word.
    const SPEC: Spec = Spec::new("log", &["001 6.1"], C2S, b"\xff\xff\xff\xfflog 12\n")
        .exact()
        .whole()
        .shared_with(super::super::HALF_LIFE)
        .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        letter_message(p, &mut self.mark, b"log", &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "with a number", |p| {
            p.decimal(&NUMBER, &mut self.number)
        })?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
}

/// The log of frags. It has no mark.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LogReply<'a> {
    pub number: Decimal<'a>,
    pub log: &'a [u8],
    pub end: u8,
}

impl<'a> Message<'a> for LogReply<'a> {
    const SPEC: Spec = Spec::new("stdlog", &["001 6.2"], S2C, b"stdlog 13\n\\Alfa\\Bravo\\\n\0")
        .id("log-reply")
        .weak()
        .answers(&["log"])
        .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"stdlog")?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&NUMBER, &mut self.number)?;
        p.lit(&NEWLINE, b"\n")?;
        p.text(&FRAGS, b"\0", &mut self.log)?;
        p.one_of(&END, &MAYBE_NUL, &mut self.end)
    }
}

/// A client behind a proxy shows its own address to the server by sending the server's number back.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RealAddress<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub slot: Decimal<'a>,
    pub challenge: Decimal<'a>,
    pub end: u8,
}

impl<'a> Message<'a> for RealAddress<'a> {
    const SPEC: Spec = Spec::new("ip", &["001 6"], C2S, b"\xff\xff\xff\xffip 3 913472\n")
        .exact()
        .exchange(ExchangeKind::Connection)
        .one_way()
        .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        letter_message(p, &mut self.mark, b"ip", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&SLOT, &mut self.slot)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&CHALLENGE, &mut self.challenge)?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
}

/// A player's message, which a server passes on to all servers of the master's list.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Broadcast<'a> {
    pub mark: u8,
    pub command: CommandWord<'a>,
    pub info: Info<'a>,
    pub end: u8,
}

impl<'a> Message<'a> for Broadcast<'a> {
    const SPEC: Spec = Spec::new(
        "broadcast",
        &["001 6"],
        SERVERS_TO_SERVERS,
        b"\xff\xff\xff\xffbroadcast \\hostport\\lab.example.org:27500\\name\\Alfa\\players\\1\\message\\one more\n",
    )
    .exact()
    .exchange(ExchangeKind::Command)
    .one_way()
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        letter_message(p, &mut self.mark, b"broadcast", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.view(&INFO, TO_LF, &mut self.info)?;
        p.one_of(&END, &LINE_ENDS, &mut self.end)
    }
}
