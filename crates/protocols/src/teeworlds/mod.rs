//! Teeworlds and DDNet: what servers say of themselves, and the lists of masters. Sources: DDNet
//! (server.cpp, mastersrv.cpp) and libtw2 (protocol.rs, serverinfo_extended.md).
//!
//! Messages outside of connections have a head of ten bytes and a command of four letters. The head
//! is ten bytes FF, or has a token in it (version 0.7, DDNet's extended requests).

mod info;
mod lists;
mod parts;
mod register;
mod seven;

use codec::{Field, FieldRole, Kind, Pass, Spelling, Walk};
use protocol::protocol;
use protocol::{Confidence, Game, Port, Role, Signature, SignatureSource};

pub use info::{
    Counts, ExtendedInfo, Info, Info5, Info64, Info64Request, InfoRequest, InfoRequest5, MoreInfo,
    PLAYERS, PLAYERS_5, PLAYERS_EXTENDED, RequestHead,
};
pub use lists::{
    Count, Count5, CountRequest, CountRequest5, List, List5, ListRequest, ListRequest5,
};
pub use register::{Check, CheckResponse, Heartbeat, Heartbeat5, Listed, NotListed};
pub use seven::{
    Check7, CheckResponse7, Count7, CountRequest7, Heartbeat7, Info7, InfoRequest7, List7,
    ListRequest7, Listed7, NotListed7, PLAYERS_7, Token7, TokenPair, TokenRequest7,
};

protocol! {
    /// One message of Teeworlds outside of connections.
    Teeworlds: "teeworlds", "Teeworlds", &[&TEEWORLDS],
    [
        InfoRequest, InfoRequest5, Info64Request, Info, Info5, Info64, ExtendedInfo, MoreInfo, Heartbeat,
        Heartbeat5, Check, CheckResponse, Listed, NotListed, ListRequest, ListRequest5, List,
        List5, CountRequest, CountRequest5, Count, Count5, TokenRequest7, Token7, InfoRequest7,
        Info7, Heartbeat7, Check7, CheckResponse7, Listed7, NotListed7, ListRequest7, List7,
        CountRequest7, Count7,
    ]
}

/// Teeworlds, and DDNet, which has its protocol.
pub static TEEWORLDS: Game = Game {
    id: "teeworlds",
    title: "Teeworlds and DDNet",
    protocol: &PROTOCOL,
    ports: &[
        Port::new(8303, Role::Server),
        Port::new(8300, Role::Master),
        Port::new(8301, Role::Master),
        Port::new(8283, Role::Master),
        Port::new(8284, Role::Master),
    ],
    signatures: &[
        Signature::new(SignatureSource::Message("info"), Confidence::Certain),
        Signature::new(SignatureSource::Message("heartbeat"), Confidence::Certain),
        Signature::new(SignatureSource::Message("info-7"), Confidence::Certain),
        Signature::new(SignatureSource::Message("heartbeat-7"), Confidence::Certain),
    ],
    required_keys: &[],
};

static MARK: Field =
    Field::new("header", Kind::Mark, "ten bytes FF: a message outside of any connection");
static TOKEN: Field = Field::number("token", "chosen by the client, which the reply has again")
    .role(FieldRole::Challenge);
static PORT: Field =
    Field::number("port", "the port on which the server plays").role(FieldRole::Port);

/// The head of a client's message: what clients of the game send, and the bare flag of qstat.
static HEADS: [Spelling; 2] =
    [Spelling::new(&[0xff; 10]), Spelling::new(b"\x20\0\0\0\0\0\xff\xff\xff\xff")];

/// A client's head and a command.
fn request<'a, P: Pass<'a>>(p: &mut P, letters: &'static [u8], head: &mut u8) -> Walk {
    p.one_of(&MARK, &HEADS, head)?;
    p.lit(&super::COMMAND, letters)
}

/// Ten bytes FF and a command.
fn command<'a, P: Pass<'a>>(p: &mut P, letters: &'static [u8]) -> Walk {
    p.lit(&MARK, &[0xff; 10])?;
    p.lit(&super::COMMAND, letters)
}
