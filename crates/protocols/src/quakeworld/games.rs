//! The games with this protocol, and their signatures.

use Pattern::{Bytes, Is, Starts};
use SignatureSource::{Field, In, Message};
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

/// QuakeWorld is first: it is the default without evidence.
pub(super) static GAMES: &[&Game] = &[&QUAKEWORLD, &HEXENWORLD];

/// QuakeWorld.
pub static QUAKEWORLD: Game = Game {
    id: "quakeworld",
    title: "QuakeWorld",
    protocol: &super::PROTOCOL,
    // The second is that of qwfwd, a proxy.
    ports: &[
        Port::new(27500, Role::Server),
        Port::new(30000, Role::Server),
        Port::new(27000, Role::Master),
    ],
    signatures: &[
        Signature::new(Field("*gamedir", Is(&["qw"])), Confidence::Likely),
        // QuakeWorld's own servers, and their descendants.
        Signature::new(
            Field("*version", Starts(&["2.", "MVDSV", "FTE", "QWExtended", "ZQuake"])),
            Confidence::Likely,
        ),
        Signature::new(Message("hashed-rcon"), Confidence::Likely),
        Signature::new(In("connect", "protocol", Is(&["28"])), Confidence::Number),
    ],
    required_keys: &[],
};

/// HexenWorld.
pub static HEXENWORLD: Game = Game {
    id: "hexenworld",
    title: "HexenWorld",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(26950, Role::Server), Port::new(26900, Role::Master)],
    signatures: &[
        Signature::new(Field("header", Bytes(super::FIVE)), Confidence::Certain),
        Signature::new(Field("header", Bytes(super::ONE)), Confidence::Certain),
        Signature::new(Field("*gamedir", Is(&["hw"])), Confidence::Certain),
    ],
    required_keys: &[],
};
