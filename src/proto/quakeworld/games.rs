//! The games that speak the protocol, and what tells them apart.

use super::super::{Clue, Game, Party, Pattern, Port, Proof, Sure};
use Pattern::{Bytes, Is, Starts};
use Proof::{Field, In};

/// QuakeWorld stands first: it is the game where nothing tells.
pub(super) static GAMES: &[&Game] = &[&QUAKEWORLD, &HEXENWORLD];

/// QuakeWorld.
pub static QUAKEWORLD: Game = Game {
    id: "quakeworld",
    title: "QuakeWorld",
    ports: &[Port::of(27500, Party::Server), Port::of(27000, Party::Master)],
    clues: &[
        Clue::of(Field("*gamedir", Is(&["qw"])), Sure::Likely),
        // QuakeWorld's own, and the servers that grew from it.
        Clue::of(
            Field("*version", Starts(&["2.", "MVDSV", "FTE", "QWExtended", "ZQuake"])),
            Sure::Likely,
        ),
        Clue::of(In("connect", "protocol", Is(&["28"])), Sure::Number),
    ],
    owes: &[],
};

/// HexenWorld.
pub static HEXENWORLD: Game = Game {
    id: "hexenworld",
    title: "HexenWorld",
    ports: &[Port::of(26950, Party::Server), Port::of(26900, Party::Master)],
    clues: &[
        Clue::of(Field("mark", Bytes(super::FIVE)), Sure::Certain),
        Clue::of(Field("*gamedir", Is(&["hw"])), Sure::Certain),
    ],
    owes: &[],
};
