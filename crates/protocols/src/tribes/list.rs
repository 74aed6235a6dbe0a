//! A master's list.

use std::marker::PhantomData;

use super::super::declare::messages;
use super::super::{C2M, COMMAND, M2C, SERVERS};
use super::KEY;
use codec::{
    AddrForm, Addrs, CountedText, Counting::Text, Endian, Endian::Big, Field, FieldRole, Kind,
    Pass, QUAKE3, Walk,
};
use protocol::{ExchangeKind, Message, Part, Spec};

/// A byte 06, an IPv4 address and a port with the least significant byte first.
const ADDRESSES: AddrForm =
    AddrForm { separator: Some(6), port: Endian::Little, ends: &[], ..QUAKE3 };

static NUMBER: Field = Field::number("packet", "its number, from 1").role(FieldRole::Packet);
static TOTAL: Field = Field::number("packets", "how many there are").role(FieldRole::Packet);
static VERSION: Field = Field::number("version", "of the list's protocol: 2");
static MARK: Field = Field::new("header", Kind::Mark, "66, which no source explains");
static NAME: Field = Field::text("name", "the master's name; only in the first packet");
static MOTD: Field = Field::text("motd", "the master's message to players").role(FieldRole::Free);
static END: Field = Field::separator("end", "ends the texts");
static COUNT: Field = Field::number("count", "how many servers follow").role(FieldRole::Count);

messages! {
    { borrowed: PhantomData<&'a [u8]> }
    |self, p, letters: &'static [u8]| {
        p.lit(&COMMAND, letters)
    }
    /// A client requests the list.
    ListRequest = b"\x10\x03\xff\0\x02", Spec::new(
        "list query", &["010 qstat.h"], C2M, b"\x10\x03\xff\0\x02",
    ).id("list-request").weak().whole().exchange(ExchangeKind::List);
}

/// A packet of the list.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct List<'a> {
    pub number: u8,
    pub total: u8,
    pub version: u8,
    pub key: u16,
    pub name: CountedText<'a>,
    pub motd: CountedText<'a>,
    pub count: u8,
    pub servers: Addrs<'a>,
}

impl<'a> Message<'a> for List<'a> {
    const SPEC: Spec = Spec::new(
        "list",
        &["010 qstat.c"],
        M2C,
        b"\x10\x06\x01\x01\x02\0\0\x66\x08A master\x07Welcome\0\x01\x06\xc0\0\x02\x0a\x61\x6d",
    )
    .id("list")
    .exact()
    .content_match(b"\x10", |bytes| matches!(bytes, [0x10, 6, _, _, 2, _, _, 0x66, ..]))
    .part(|bytes| {
        let (index, total) = (*bytes.get(2)?, *bytes.get(3)?);
        Some(Part { reply: 0, index: index.into(), last: index == total })
    })
    .answers(&["list-request"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&COMMAND, b"\x10\x06")?;
        p.int(&NUMBER, Big, &mut self.number)?;
        p.int(&TOTAL, Big, &mut self.total)?;
        p.int(&VERSION, Big, &mut self.version)?;
        p.int(&KEY, Big, &mut self.key)?;
        p.lit(&MARK, b"\x66")?;
        p.counted(&NAME, Text, &mut self.name)?;
        p.when(!self.name.text.is_empty(), "in the first packet", |p| {
            p.counted(&MOTD, Text, &mut self.motd)?;
            p.lit(&END, b"\0")
        })?;
        p.int(&COUNT, Big, &mut self.count)?;
        p.view(&SERVERS, ADDRESSES, &mut self.servers)
    }
}
