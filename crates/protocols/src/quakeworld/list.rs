//! A client requests all servers from a master, and gets them in one datagram.

use std::marker::PhantomData;

use super::super::{C2M, COMMAND, M2C, NEWLINE, NOTHING, SERVERS};
use super::{END, LF, LF_NUL, NUL, ONE, mark};
use codec::{AddrForm, Addrs, Field, Kind, PLAIN_BIG, Pass, Spelling, Walk};
use protocol::{ExchangeKind, Message, Spec};

static MARK: Field =
    Field::new("header", Kind::Mark, "quakestat puts FF before what it asks HexenWorld's masters");
static MARKS: [Spelling; 2] = [NOTHING, Spelling::new(ONE)];
static ENDS: [Spelling; 3] = [LF_NUL, LF, NUL];

/// A client requests all servers from its master. Observed with quakestat, as `ff 63 00`: its
/// request for HexenWorld's.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetServers<'a> {
    /// Whether FF comes first: 1 if it does.
    pub mark: u8,
    /// A line feed and NUL, a line feed, or NUL.
    pub end: u8,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for GetServers<'a> {
    const SPEC: Spec = Spec::new("c", &["001 6.3"], C2M, b"c\n\0")
        .id("get-servers")
        .weak()
        .exchange(ExchangeKind::List);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.one_of(&MARK, &MARKS, &mut self.mark)?;
        p.lit(&COMMAND, b"c")?;
        p.one_of(&END, &ENDS, &mut self.end)
    }
}

/// A master's list; there is no end mark.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Servers<'a> {
    pub mark: u8,
    pub servers: Addrs<'a>,
}

impl Servers<'_> {
    /// The form of its records.
    pub const FORM: AddrForm = PLAIN_BIG;
}

impl<'a> Message<'a> for Servers<'a> {
    const SPEC: Spec =
        Spec::new("d", &["001 6.4"], M2C, b"\xff\xff\xff\xffd\n\x42\x45\x65\x94\x6b\x6c")
            .id("servers")
            .exact()
            .answers(&["get-servers"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        mark(p, &mut self.mark)?;
        p.lit(&COMMAND, b"d")?;
        p.lit(&NEWLINE, b"\n")?;
        p.view(&SERVERS, Self::FORM, &mut self.servers)
    }
}
