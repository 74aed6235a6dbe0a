//! How a client gets a master's list, packet by packet: each answer ends with the place to go on
//! from. In no document; known from programs that ask so.

use std::marker::PhantomData;

use super::super::{Affair, C2M, COMMAND, M2C, MARK, Message, NEWLINE, Part, Spec};
use crate::wire::{AddrForm, Addrs, Endian, Field, Kind, PLAIN_BIG, Pass, Role, Shape, Walk};

static CURSOR: Field = Field::new(
    "cursor",
    Kind::Number,
    "where the list goes on, zero at first; observed, the document does not know it",
);
static REGION: Field = Field::new("region", Kind::Number, "whose servers are asked for; observed")
    .values(&[
        ("0", "eastern North America"),
        ("1", "western North America"),
        ("2", "South America"),
        ("3", "Europe"),
        ("4", "Asia"),
        ("5", "Australia"),
        ("6", "Middle East"),
        ("7", "Africa"),
        ("255", "everywhere"),
    ]);
static FROM: Field = Field::new(
    "from",
    Kind::Text,
    "address:port of the last server of the packet before, 0.0.0.0:0 at first; observed",
)
.role(Role::Address);
static FILTER: Field =
    Field::new("filter", Kind::Text, "which servers to leave in, as an infostring; observed");
static SERVERS: Field = Field::new(
    "servers",
    Kind::Group,
    "the servers listed; the last is 0.0.0.0:0 where the list is complete, else where it goes on",
);

/// A client asks for the list from a cursor on.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetServers<'a> {
    pub cursor: [u8; 3],
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for GetServers<'a> {
    const SPEC: Spec =
        Spec::new("e", &["001 10"], C2M, b"e\0\0\0").id("get-servers").weak().about(Affair::List);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"e")?;
        p.raw(&CURSOR, Shape::Unsigned(Endian::Little), &mut self.cursor)
    }
}

/// A client asks for the servers of a region that fit a filter.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GetRegion<'a> {
    pub region: u8,
    pub from: &'a [u8],
    pub filter: &'a [u8],
}

impl<'a> Message<'a> for GetRegion<'a> {
    const SPEC: Spec = Spec::new("1", &["001 10"], C2M, b"1\xff0.0.0.0:0\0\\gamedir\\valve\0")
        .id("get-region")
        .weak()
        .about(Affair::List);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"1")?;
        p.int(&REGION, Endian::Little, &mut self.region)?;
        p.cstr(&FROM, &mut self.from)?;
        p.cstr(&FILTER, &mut self.filter)
    }
}

/// A master lists servers, and where the list goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Servers<'a> {
    pub servers: Addrs<'a>,
}

impl Servers<'_> {
    /// How its records are written.
    pub const FORM: AddrForm = PLAIN_BIG;
}

impl<'a> Message<'a> for Servers<'a> {
    const SPEC: Spec = Spec::new(
        "f",
        &["001 10"],
        M2C,
        b"\xff\xff\xff\xfff\n\xc0\x00\x02\x07\x69\x87\0\0\0\0\0\0",
    )
    .id("servers")
    .exact()
    .parts(|bytes| {
        // A list is complete whose last record is all zeros; else that record is the cursor, with
        // which the client asks for more.
        let last = bytes.ends_with(&[0; 6]);
        Some(Part { reply: 0, index: 0, last })
    })
    .answers(&["get-servers", "get-region"])
    .marks_end();

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xff\xff\xff\xff")?;
        p.lit(&COMMAND, b"f")?;
        p.lit(&NEWLINE, b"\n")?;
        p.view(&SERVERS, Self::FORM, &mut self.servers)
    }
}
