//! The games that speak the protocol, and what tells them apart.
//!
//! Heretic 2 announces itself here too, with the beacon `\heartbeat\28911\gamename\heretic2` of
//! document 001, section 2.1.2; it is a game of the protocol that its other messages are of.

use super::super::{Clue, Game, Party, Pattern, Port, Proof, Sure};
use Party::{Master, Server};
use Pattern::{Any, Is};
use Proof::{Field, Message};

const fn port(number: u16, party: Party) -> Port {
    Port { number, party }
}

const fn clue(proof: Proof, sure: Sure) -> Clue {
    Clue { proof, sure }
}

/// Every game that says its name without being another one here; it stands first, for it is the
/// game where nothing tells.
static GAMESPY: Game = Game {
    id: "gamespy",
    title: "Games with GameSpy's protocol",
    ports: &[port(8777, Server), port(27900, Master)],
    clues: &[clue(Field("gamename", Any), Sure::Likely)],
};

/// Unreal Tournament: document 001, section 5. Unreal and other games on its engine share most of
/// its keys.
pub static UNREAL_TOURNAMENT: Game = Game {
    id: "unreal-tournament",
    title: "Unreal Tournament",
    ports: &[
        port(7777, Server),
        port(7778, Server),
        port(7779, Server),
        port(7780, Server),
        port(8777, Server),
        port(8778, Server),
        port(8779, Server),
        port(8780, Server),
        port(8781, Server),
        port(8782, Server),
        port(8783, Server),
        port(8784, Server),
        port(8785, Server),
        port(8786, Server),
        port(80, Master),
        port(27900, Master),
        port(28900, Master),
    ],
    clues: &[
        clue(Field("gamename", Is(&["ut"])), Sure::Certain),
        clue(Field("product", Is(&["ut"])), Sure::Certain),
        clue(
            Field("Host", Is(&["unreal.epicgames.com", "unreal.epicgames.com:80"])),
            Sure::Certain,
        ),
        clue(Field("User-Agent", Is(&["Unreal"])), Sure::Likely),
        clue(Message("report-query"), Sure::Likely),
        clue(Field("minnetver", Any), Sure::Form),
        clue(Field("worldlog", Any), Sure::Form),
        clue(Field("ngsecret_*", Any), Sure::Form),
        clue(Field("mesh_*", Any), Sure::Form),
    ],
};

pub(super) static GAMES: &[&Game] = &[&GAMESPY, &UNREAL_TOURNAMENT];
