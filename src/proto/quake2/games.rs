//! The games that speak the protocol, and what tells them apart.

use super::super::{Clue, Game, Party, Pattern, Port, Proof, Sure};
use Pattern::{Any, Is, Starts};
use Proof::Field;

/// Quake 2 stands first: it is the game where nothing tells.
pub(super) static GAMES: &[&Game] = &[&QUAKE2, &HERETIC2];

/// Quake 2.
pub static QUAKE2: Game = Game {
    id: "quake2",
    title: "Quake 2",
    ports: &[Port::of(27910, Party::Server), Port::of(27900, Party::Master)],
    clues: &[
        Clue::of(Field("gamename", Is(&["baseq2"])), Sure::Certain),
        Clue::of(Field("version", Starts(&["R1Q2", "Q2PRO", "Yamagi"])), Sure::Certain),
        // 3.00 to 3.24, and R1Q2's `r1.01`: nothing else in this protocol counts so.
        Clue::of(Field("version", Starts(&["3.", "r1."])), Sure::Likely),
        Clue::of(Field("protocol", Is(&["34", "35", "36"])), Sure::Number),
    ],
    owes: &[],
};

/// Its servers also beat to GameSpy's master, in GameSpy's words.
pub static HERETIC2: Game = Game {
    id: "heretic2",
    title: "Heretic 2",
    ports: &[
        Port::of(28910, Party::Server),
        Port::of(28900, Party::Master),
        // GameSpy's: document 001, section 2.
        Port::of(27900, Party::Master),
    ],
    clues: &[
        Clue::of(Field("gamename", Starts(&["Heretic2"])), Sure::Certain),
        Clue::of(Field("version", Starts(&["1.0"])), Sure::Likely),
        Clue::of(Field("advancedstaff", Any), Sure::Form),
        Clue::of(Field("protocol", Is(&["51"])), Sure::Number),
    ],
    owes: &[],
};
