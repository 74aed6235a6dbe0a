//! How Warsow and Warfork describe a server in a line of their browser: a request like Quake 2's, and
//! a reply with two backslashes where an infostring has one. In no document; known from the sources
//! of qfusion.

use super::super::{BLANK, C2S, INFO, NEWLINE, S2C, newline, oob};
use super::PROTOCOL_NUMBER;
use codec::{CommandWord, Decimal, Field, FieldRole, Keys, Pass, Tokens, Walk, WideInfo};
use protocol::{Message, Spec};

static FILTERS: Field = Field::group("filters", "which servers are to answer, too");
static KEYWORD: Field = Field::text("keyword", "one word of the filter")
    .values(&[("empty", "also an empty server"), ("full", "also a full server")]);
static END: Field = Field::separator("end", "says that the reply is complete");

/// The keys of the reply.
static KEYS: Keys = Keys::new(
    &[
        Field::text("b", "bots on the server").role(FieldRole::Count),
        Field::text("g", "the rules that are played"),
        Field::text("ig", "1: instagib"),
        Field::text("m", "the map being played").role(FieldRole::Map),
        Field::text("mo", "the modification's folder").role(FieldRole::Game),
        Field::text("n", "the server's name, with colours").role(FieldRole::Host),
        Field::text("p", "1: a password is needed"),
        Field::text("r", "1: a race"),
        Field::text("s", "the least skill"),
        Field::text("stm", "1: for people with Steam"),
        Field::text("u", "players and places"),
    ],
    &[],
);

/// A client asks servers for a line of its browser.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ColumnsRequest<'a> {
    pub command: CommandWord<'a>,
    pub protocol: Decimal<'a>,
    pub filters: Tokens<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for ColumnsRequest<'a> {
    const SPEC: Spec =
        Spec::new("info", &["001 1.2.1"], C2S, b"\xff\xff\xff\xffinfo 23 full empty")
            .id("columns-request")
            .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"info", &mut self.command)?;
        p.lit(&BLANK, b" ")?;
        p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)?;
        p.view(&FILTERS, &KEYWORD, &mut self.filters)?;
        newline(p, &mut self.newline)
    }
}

/// The server's reply.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ColumnsReply<'a> {
    pub command: CommandWord<'a>,
    pub info: WideInfo<'a>,
}

impl<'a> Message<'a> for ColumnsReply<'a> {
    const SPEC: Spec = Spec::new(
        "info",
        &["001 1.2.2"],
        S2C,
        b"\xff\xff\xff\xffinfo\n\\\\n\\\\noname\\\\m\\\\  wfdm5\\\\u\\\\ 3/16\\\\EOT",
    )
    .id("columns-reply")
    .answers(&["columns-request"])
    .excluded(|bytes| bytes.get(8..11) != Some(b"\n\\\\"))
    .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"info", &mut self.command)?;
        p.lit(&NEWLINE, b"\n")?;
        p.view(&INFO, &KEYS, &mut self.info)?;
        p.lit(&END, b"\\\\EOT")
    }
}
