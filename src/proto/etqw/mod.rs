//! Enemy Territory: Quake Wars: Doom 3's frame, a task number, a size, and players whose members
//! changed with the protocol. Specification: document 002, which describes the blocks of the
//! players and the server.
//!
//! Its servers are listed over HTTP, so only queries stand here. The task number, the size, the id
//! in front of each player and what stands behind the game's state are known from real replies.

mod info;
mod players;

use super::entry::protocol;
use super::{Clue, Game, Party, Pattern, Port, Proof, Sure};

pub use info::{GetInfo, GetInfoEx, InfoExResponse, InfoResponse, Server};
pub use players::{PLAYERS, PLAYERS_10_17, PLAYERS_BEFORE_10_17, STATISTICS};

protocol! {
    /// One message of Enemy Territory: Quake Wars.
    Etqw: "etqw", "Enemy Territory: Quake Wars", &[&ETQW],
    colours Caret,
    [GetInfo, InfoResponse, GetInfoEx, InfoExResponse]
}

/// The port is the one that the game's servers use by themselves; the document has none.
pub(in crate::proto) static ETQW: Game = Game {
    id: "etqw",
    title: "Enemy Territory: Quake Wars",
    ports: &[Port::of(27733, Party::Server)],
    clues: &[
        Clue::of(Proof::Field("gamename", Pattern::Starts(&["baseETQW"])), Sure::Certain),
        Clue::of(
            Proof::Field("Host", Pattern::Starts(&["etqw-ipgetter.", "etqwdemo-ipgetter."])),
            Sure::Certain,
        ),
        Clue::of(Proof::Message("server-feed"), Sure::Certain),
    ],
    owes: &[],
};

#[cfg(test)]
mod tests;
