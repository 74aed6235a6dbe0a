//! A client requests all servers from a master, in plain text, and gets them in one list.

use super::super::declare::messages;
use super::super::{BLANK, C2M, COMMAND, M2C, MAYBE_BLANK, NEWLINE, NOTHING, SERVERS, oob};
use super::{ENDS, PROTOCOL_NUMBER};
use codec::{AddrForm, Addrs, CommandWord, Decimal, PLAIN_BIG, Pass, Spelling, Walk};
use protocol::{ExchangeKind, Message, Spec};

/// The first is documented for id's master; the second is observed in other programs.
static BLANK_OR_LF: [Spelling; 2] = [Spelling::new(b" "), Spelling::new(b"\n")];

/// The document's end first; later programs send nothing or a part of it.
static QUERY_ENDS: [Spelling; 4] =
    [Spelling::new(b"\n\0"), NOTHING, Spelling::new(b"\n"), Spelling::new(b"\0")];

/// A client requests all servers from its master.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Query<'a> {
    pub command: CommandWord<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for Query<'a> {
    const SPEC: Spec =
        Spec::new("query", &["001 3.2"], C2M, b"query\n\0").weak().exchange(ExchangeKind::List);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.word(&COMMAND, b"query", &mut self.command)?;
        p.one_of(&NEWLINE, &QUERY_ENDS, &mut self.newline)
    }
}

messages! {
    { command: CommandWord<'a>, newline: u8 }
    |self, p, word: &'static [u8]| {
        oob(p, word, &mut self.command)?;
        p.one_of(&NEWLINE, &ENDS, &mut self.newline)
    }
    /// The same with the mark. In no document; some tools send it, and q2master does not know it.
    MarkedQuery = b"query", Spec::new("query", &["001 3.2"], C2M, b"\xff\xff\xff\xffquery\n")
        .id("marked-query").exact().exchange(ExchangeKind::List).undocumented();
}

/// The same with Quake III's word. In no document; R1Q2 sends it without a protocol, and q2master
/// answers it; Quetoo's clients send their protocol.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetServers<'a> {
    pub command: CommandWord<'a>,
    pub blank: u8,
    pub protocol: Decimal<'a>,
    pub newline: u8,
}

impl<'a> Message<'a> for GetServers<'a> {
    const SPEC: Spec = Spec::new("query", &["001 3.2"], C2M, b"\xff\xff\xff\xffgetservers")
        .id("getservers")
        .exact()
        .exchange(ExchangeKind::List)
        .undocumented();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"getservers", &mut self.command)?;
        p.led(&BLANK, &MAYBE_BLANK, &mut self.blank, "from Quetoo's clients", |p| {
            p.decimal(&PROTOCOL_NUMBER, &mut self.protocol)
        })?;
        p.one_of(&NEWLINE, &ENDS, &mut self.newline)
    }
}

/// A master's list; there is no end mark.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Servers<'a> {
    pub command: CommandWord<'a>,
    pub blank: u8,
    pub servers: Addrs<'a>,
}

impl Servers<'_> {
    /// The form of its records.
    pub const FORM: AddrForm = PLAIN_BIG;
}

impl<'a> Message<'a> for Servers<'a> {
    const SPEC: Spec = Spec::new(
        "servers",
        &["001 3.12"],
        M2C,
        b"\xff\xff\xff\xffservers \xc2\xfb\xf9\x3a\x6d\x06",
    )
    .answers(&["query", "marked-query", "getservers"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"servers", &mut self.command)?;
        p.one_of(&BLANK, &BLANK_OR_LF, &mut self.blank)?;
        p.view(&SERVERS, Self::FORM, &mut self.servers)
    }
}
