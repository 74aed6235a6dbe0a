//! Whether a game is still served: what programs ask before anything else.

use std::marker::PhantomData;

use crate::gamespy2::{MARK, TYPE};
use codec::{Endian, Field, FieldRole, Pass, Walk};
use protocol::{Message, Role, Spec};

static RESERVED: Field = Field::separator("reserved", "four zero bytes, in place of a key");
static GAMENAME: Field =
    Field::text("gamename", "the game's own name in the network").role(FieldRole::Game);
static STATUS: Field = Field::number("status", "whether the game is served").values(&[
    ("0", "available"),
    ("1", "temporarily unavailable"),
    ("2", "permanently unavailable"),
]);

const ASKING: &[(Role, Role)] = &[(Role::Client, Role::Master), (Role::Server, Role::Master)];
const ANSWERED: &[(Role, Role)] = &[(Role::Master, Role::Client), (Role::Master, Role::Server)];

/// A client or server asks whether its game is served.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Available<'a> {
    pub gamename: &'a [u8],
}

impl<'a> Message<'a> for Available<'a> {
    const SPEC: Spec = Spec::new(
        "available",
        &["008 qr2.c", "009 handle_available.cpp"],
        ASKING,
        b"\x09\0\0\0\0battlefield2\0",
    )
    .exact()
    .whole()
    .content_match(b"\x09", |bytes| {
        let name = bytes.strip_prefix(b"\x09\0\0\0\0").and_then(|name| name.strip_suffix(b"\0"));
        name.is_some_and(|name| {
            name.first().is_some_and(u8::is_ascii_alphabetic)
                && name.iter().all(u8::is_ascii_graphic)
        })
    });

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&TYPE, b"\x09")?;
        p.lit(&RESERVED, b"\0\0\0\0")?;
        p.cstr(&GAMENAME, &mut self.gamename)
    }
}

/// The master says whether the game is served.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct AvailableReply<'a> {
    pub status: u32,
    pub payload: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for AvailableReply<'a> {
    const SPEC: Spec = Spec::new(
        "available reply",
        &["008 qr2.c", "009 handle_available.cpp"],
        ANSWERED,
        b"\xfe\xfd\x09\0\0\0\0",
    )
    .id("available-reply")
    .weak()
    .whole()
    .content_match(b"\xfe", |bytes| matches!(bytes, [0xfe, 0xfd, 9, 0, 0, 0, 0..=2]))
    .answers(&["available"]);

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&MARK, b"\xfe\xfd")?;
        p.lit(&TYPE, b"\x09")?;
        p.int(&STATUS, Endian::Big, &mut self.status)
    }
}
