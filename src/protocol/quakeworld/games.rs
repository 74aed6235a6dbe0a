//! The games that speak the protocol, and what tells them apart.

use super::super::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};
use Pattern::{Bytes, Is, Starts};
use SignatureSource::{Field, In};

/// QuakeWorld stands first: it is the game where nothing tells.
pub(super) static GAMES: &[&Game] = &[&QUAKEWORLD, &HEXENWORLD];

/// QuakeWorld.
pub static QUAKEWORLD: Game = Game {
    id: "quakeworld",
    title: "QuakeWorld",
    ports: &[Port::of(27500, Role::Server), Port::of(27000, Role::Master)],
    clues: &[
        Signature::of(Field("*gamedir", Is(&["qw"])), Confidence::Likely),
        // QuakeWorld's own, and the servers that grew from it.
        Signature::of(
            Field("*version", Starts(&["2.", "MVDSV", "FTE", "QWExtended", "ZQuake"])),
            Confidence::Likely,
        ),
        Signature::of(In("connect", "protocol", Is(&["28"])), Confidence::Number),
    ],
    owes: &[],
};

/// HexenWorld.
pub static HEXENWORLD: Game = Game {
    id: "hexenworld",
    title: "HexenWorld",
    ports: &[Port::of(26950, Role::Server), Port::of(26900, Role::Master)],
    clues: &[
        Signature::of(Field("mark", Bytes(super::FIVE)), Confidence::Certain),
        Signature::of(Field("*gamedir", Is(&["hw"])), Confidence::Certain),
    ],
    owes: &[],
};
