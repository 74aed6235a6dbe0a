//! A client asks a master for all servers, and gets them in one datagram.

use std::marker::PhantomData;

use super::super::{Affair, C2M, COMMAND, M2C, Message, NEWLINE, Spec};
use super::{END, MAYBE_NUL, mark};
use crate::wire::{AddrForm, Addrs, Field, Kind, PLAIN_BIG, Pass, Walk};

static SERVERS: Field = Field::new("servers", Kind::Group, "the servers listed");

/// A client asks its master for all servers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetServers<'a> {
    pub end: u8,
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for GetServers<'a> {
    const SPEC: Spec =
        Spec::new("c", &["001 6.3"], C2M, b"c\n\0").id("get-servers").weak().about(Affair::List);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"c")?;
        p.lit(&NEWLINE, b"\n")?;
        p.one_of(&END, &MAYBE_NUL, &mut self.end)
    }
}

/// A master lists servers; there is no end mark.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Servers<'a> {
    pub mark: u8,
    pub servers: Addrs<'a>,
}

impl Servers<'_> {
    /// How its records are written.
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
