//! Descent 3's own protocol, of which only the request for a server's information is known. Source:
//! qstat (qstat.h). Its servers report to GameSpy's masters in the protocol `gamespy`.

use std::marker::PhantomData;

use super::{C2S, COMMAND};
use codec::{Endian::Little, Field, Kind, Pass, Shape, Spelling, Walk};
use protocol::protocol;
use protocol::{Confidence, Game, Message, Pattern, Port, Role, Signature, SignatureSource, Spec};

protocol! {
    /// One message of Descent 3.
    Descent3: "descent3", "Descent 3", &[&DESCENT3],
    [ServerInfoQuery]
}

/// Descent 3.
pub static DESCENT3: Game = Game {
    id: "descent3",
    title: "Descent 3",
    protocol: &PROTOCOL,
    ports: &[
        Port::new(2092, Role::Server),
        Port::new(20142, Role::Server),
        Port::new(27900, Role::Master),
    ],
    signatures: &[Signature::new(
        SignatureSource::Field("gamename", Pattern::Is(&["descent3"])),
        Confidence::Certain,
    )],
    required_keys: &[],
};

static ROUTING: Field = Field::new("routing", Kind::Mark, "01: between the players of a game");
/// Servers that are on the game's own list, and others, are asked differently.
static COMMANDS: [Spelling; 2] = [Spelling::new(b"\x29"), Spelling::new(b"\x1e")];
static LENGTH: Field = Field::number("length", "how many bytes there are, without the first");
static UNKNOWN: Field =
    Field::number("unknown", "eight bytes that no source explains; qstat sends always the same");

/// A client asks for a server's information.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ServerInfoQuery<'a> {
    pub command: u8,
    pub length: u16,
    pub unknown: [u8; 8],
    pub borrowed: PhantomData<&'a [u8]>,
}

impl<'a> Message<'a> for ServerInfoQuery<'a> {
    const SPEC: Spec = Spec::new(
        "server info query",
        &["010 qstat.h"],
        C2S,
        b"\x01\x29\x0b\0\x1b\x2f\xf4\x41\x09\0\0\0",
    )
    .id("server-info-query")
    .weak()
    .whole()
    .content_match(b"\x01", |bytes| matches!(bytes, [1, 0x29 | 0x1e, 0x0b, 0, ..]));

    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        p.lit(&ROUTING, b"\x01")?;
        p.one_of(&COMMAND, &COMMANDS, &mut self.command)?;
        p.int(&LENGTH, Little, &mut self.length)?;
        p.raw(&UNKNOWN, Shape::Unsigned(Little), &mut self.unknown)
    }
}
