//! The games with this protocol, and their signatures.

use crate::protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};
use Pattern::{Any, Is, Starts};
use SignatureSource::Field;

/// Quake 2 is first: it is the default without evidence.
pub(super) static GAMES: &[&Game] = &[&QUAKE2, &HERETIC2];

/// Quake 2.
pub static QUAKE2: Game = Game {
    id: "quake2",
    title: "Quake 2",
    ports: &[Port::of(27910, Role::Server), Port::of(27900, Role::Master)],
    clues: &[
        Signature::of(Field("gamename", Is(&["baseq2"])), Confidence::Certain),
        Signature::of(Field("version", Starts(&["R1Q2", "Q2PRO", "Yamagi"])), Confidence::Certain),
        // 3.00 to 3.24, and R1Q2's `r1.01`: no other game of this protocol has such versions.
        Signature::of(Field("version", Starts(&["3.", "r1."])), Confidence::Likely),
        Signature::of(Field("protocol", Is(&["34", "35", "36"])), Confidence::Number),
    ],
    owes: &[],
};

/// Its servers also send heartbeats to GameSpy's master, in GameSpy's protocol.
pub static HERETIC2: Game = Game {
    id: "heretic2",
    title: "Heretic 2",
    ports: &[
        Port::of(28910, Role::Server),
        Port::of(28900, Role::Master),
        // GameSpy's: document 001, section 2.
        Port::of(27900, Role::Master),
    ],
    clues: &[
        Signature::of(Field("gamename", Starts(&["Heretic2"])), Confidence::Certain),
        Signature::of(Field("version", Starts(&["1.0"])), Confidence::Likely),
        Signature::of(Field("advancedstaff", Any), Confidence::Form),
        Signature::of(Field("protocol", Is(&["51"])), Confidence::Number),
    ],
    owes: &[],
};
