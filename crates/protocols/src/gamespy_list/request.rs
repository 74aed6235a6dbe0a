//! What clients ask.

use super::super::C2M;
use codec::{BitMeanings, Endian, Field, FieldRole, Pass, Shape, Walk};
use protocol::{ExchangeKind, Message, Spec};

static LENGTH: Field = Field::number("length", "the bytes of the request, with these two");
static KIND: Field = Field::new("type", codec::Kind::Command, "0: a list is asked for");
static PROTOCOL_VERSION: Field = Field::separator("protocol version", "1");
static ENCODING: Field = Field::separator("encoding", "3: how the list is enciphered");
static GAME_VERSION: Field = Field::number("game version", "the program's own number");
static GAMENAME: Field =
    Field::text("gamename", "the game whose servers are asked for").role(FieldRole::Game);
static FROM: Field = Field::text("asking game", "the game that asks, with whose key is enciphered");
static CHALLENGE: Field = Field::new(
    "client challenge",
    codec::Kind::Mark,
    "eight bytes, a part of the key of the cipher",
)
.role(FieldRole::Packet);
static FILTER: Field =
    Field::text("filter", "which servers to list, as a condition").role(FieldRole::Free);
static FIELDS: Field =
    Field::text("fields", "the keys to tell of each server, with a backslash before each");
static OPTIONS: Field = Field::number("options", "what to list")
    .bits(&[
        BitMeanings::set(1, "keys of all servers"),
        BitMeanings::set(2, "no servers"),
        BitMeanings::set(4, "later changes too"),
        BitMeanings::set(OTHER_SOURCE, "for another address"),
        BitMeanings::set(32, "rooms"),
        BitMeanings::set(64, "not from the cache"),
        BitMeanings::set(LIMITED, "not more than a number"),
    ])
    .values(&[("0", "servers, to be asked themselves")]);
static SOURCE: Field =
    Field::new("source", codec::Kind::Address, "the address that the list is for")
        .role(FieldRole::Address);
static MOST: Field = Field::number("maximum", "how many servers to list").role(FieldRole::Count);

const OTHER_SOURCE: u32 = 8;
const LIMITED: u32 = 128;

/// What stands behind the length.
pub(super) const HEAD: &[u8] = b"\0\x01\x03";

/// A client asks a master for servers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BrowseRequest<'a> {
    pub length: u16,
    pub game_version: u32,
    pub gamename: &'a [u8],
    pub from: &'a [u8],
    pub challenge: [u8; 8],
    pub filter: &'a [u8],
    pub fields: &'a [u8],
    pub options: u32,
    pub source: [u8; 4],
    pub most: u32,
}

impl<'a> Message<'a> for BrowseRequest<'a> {
    const SPEC: Spec = Spec::new(
        "list request",
        &["008 sb_serverlist.c", "009 V2Peer.cpp"],
        C2M,
        b"\0\x44\0\x01\x03\0\0\0\0gmtest\0gmtest\0pWc8[V{]\0\\hostname\\numplayers\\maxplayers\0\
          \0\0\0\0",
    )
    .id("list-request")
    .stream()
    .exact()
    .content_match(b"\0\x01\x02\x03\x04\x05\x06\x07", |bytes| {
        let is_named =
            |behind: &[u8]| behind.get(HEAD.len() + 4).is_none_or(u8::is_ascii_alphanumeric);
        bytes.get(2..).is_some_and(|behind| behind.starts_with(HEAD) && is_named(behind))
    })
    .exchange(ExchangeKind::List);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.int(&LENGTH, Endian::Big, &mut self.length)?;
        p.lit(&KIND, b"\0")?;
        p.lit(&PROTOCOL_VERSION, b"\x01")?;
        p.lit(&ENCODING, b"\x03")?;
        p.int(&GAME_VERSION, Endian::Little, &mut self.game_version)?;
        p.cstr(&GAMENAME, &mut self.gamename)?;
        p.cstr(&FROM, &mut self.from)?;
        p.raw(&CHALLENGE, Shape::Raw, &mut self.challenge)?;
        p.cstr(&FILTER, &mut self.filter)?;
        p.cstr(&FIELDS, &mut self.fields)?;
        p.int(&OPTIONS, Endian::Big, &mut self.options)?;
        p.when(self.options & OTHER_SOURCE != 0, "for another address", |p| {
            p.raw(&SOURCE, Shape::Ipv4, &mut self.source)
        })?;
        p.when(self.options & LIMITED != 0, "not more than a number", |p| {
            p.int(&MOST, Endian::Little, &mut self.most)
        })
    }
}
