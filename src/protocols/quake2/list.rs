//! A client requests all servers from a master, in plain text, and gets them in one list.

use super::super::{BLANK, C2M, COMMAND, M2C, NEWLINE, SERVERS, oob};
use crate::codec::{AddrForm, Addrs, CommandWord, PLAIN_BIG, Pass, Spelling, Walk};
use crate::protocol::{ExchangeKind, Message, Spec};

/// The first is documented for id's master; the second is observed in other programs.
static BLANK_OR_LF: [Spelling; 2] = [Spelling::of(b" "), Spelling::of(b"\n")];

/// A client requests all servers from its master.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Query<'a> {
    pub command: CommandWord<'a>,
}

impl<'a> Message<'a> for Query<'a> {
    const SPEC: Spec =
        Spec::new("query", &["001 3.2"], C2M, b"query\n\0").weak().exchange(ExchangeKind::List);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.word(&COMMAND, b"query", &mut self.command)?;
        p.lit(&NEWLINE, b"\n\0")
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
    .answers(&["query"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        oob(p, b"servers", &mut self.command)?;
        p.one_of(&BLANK, &BLANK_OR_LF, &mut self.blank)?;
        p.view(&SERVERS, Self::FORM, &mut self.servers)
    }
}
