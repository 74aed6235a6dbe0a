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
        Port::of(27500, Role::Server),
        Port::of(30000, Role::Server),
        Port::of(27000, Role::Master),
    ],
    signatures: &[
        Signature::of(Field("*gamedir", Is(&["qw"])), Confidence::Likely),
        // QuakeWorld's own servers, and their descendants.
        Signature::of(
            Field("*version", Starts(&["2.", "MVDSV", "FTE", "QWExtended", "ZQuake"])),
            Confidence::Likely,
        ),
        Signature::of(Message("hashed-rcon"), Confidence::Likely),
        Signature::of(In("connect", "protocol", Is(&["28"])), Confidence::Number),
    ],
    required_keys: &[],
};

/// HexenWorld.
pub static HEXENWORLD: Game = Game {
    id: "hexenworld",
    title: "HexenWorld",
    protocol: &super::PROTOCOL,
    ports: &[Port::of(26950, Role::Server), Port::of(26900, Role::Master)],
    signatures: &[
        Signature::of(Field("mark", Bytes(super::FIVE)), Confidence::Certain),
        Signature::of(Field("mark", Bytes(super::ONE)), Confidence::Certain),
        Signature::of(Field("*gamedir", Is(&["hw"])), Confidence::Certain),
    ],
    required_keys: &[],
};
