//! The games that speak the protocol, and what tells them apart.

use super::super::{Clue, Game, Party, Pattern, Port, Proof, Sure};
use super::QUAKE4_MAJOR;
use Pattern::{Major, Present, Starts};
use Proof::{Field, In};

/// Doom 3 stands first: it is the game where nothing tells.
pub(super) static GAMES: &[&Game] = &[&DOOM3, &QUAKE4];

/// Doom 3.
pub static DOOM3: Game = Game {
    id: "doom3",
    title: "Doom 3",
    ports: &[Port::of(27666, Party::Server), Port::of(27650, Party::Master)],
    clues: &[
        Clue::of(Field("gamename", Starts(&["baseDOOM"])), Sure::Certain),
        Clue::of(Field("si_version", Starts(&["DOOM "])), Sure::Certain),
        Clue::of(Field("version", Starts(&["DOOM "])), Sure::Certain),
        Clue::of(Field("protocol", Major(1)), Sure::Number),
    ],
    owes: &[],
};

// In no document; its ports are those that its own programs use.
static QUAKE4: Game = Game {
    id: "quake4",
    title: "Quake 4",
    ports: &[Port::of(28004, Party::Server), Port::of(27650, Party::Master)],
    clues: &[
        Clue::of(Field("gamename", Starts(&["baseQUAKE4"])), Sure::Certain),
        Clue::of(Field("si_version", Starts(&["Quake4 "])), Sure::Certain),
        Clue::of(Field("version", Starts(&["Quake4 "])), Sure::Certain),
        Clue::of(Field("protocol", Major(QUAKE4_MAJOR)), Sure::Number),
        Clue::of(In("info-response", "trailer", Present), Sure::Form),
        Clue::of(In("get-servers", "player", Present), Sure::Form),
    ],
    owes: &[],
};
