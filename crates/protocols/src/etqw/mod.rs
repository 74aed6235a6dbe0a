//! Enemy Territory: Quake Wars: Doom 3's message header, a task number, a size, and players whose
//! fields depend on the protocol version. Specification: document 002, which describes the blocks
//! of the players and the server.
//!
//! Its servers are listed over HTTP, so this module has only queries. The task number, the size,
//! the id before each player and the bytes after the game state are known from real replies.

mod info;
mod players;

use protocol::protocol;
use protocol::{Colours, Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

pub use info::{GetInfo, GetInfoEx, InfoExResponse, InfoResponse, ServerDetails};
pub use players::{PLAYERS, PLAYERS_10_17, PLAYERS_BEFORE_10_17, STATISTICS};

protocol! {
    /// One message of Enemy Territory: Quake Wars.
    Etqw: "etqw", "Enemy Territory: Quake Wars", &[&ETQW],
    [GetInfo, InfoResponse, GetInfoEx, InfoExResponse], colours: Colours::Caret
}

/// The port is the default of the game's servers; the document has none.
pub static ETQW: Game = Game {
    id: "etqw",
    title: "Enemy Territory: Quake Wars",
    protocol: &PROTOCOL,
    ports: &[Port::new(27733, Role::Server)],
    signatures: &[
        Signature::new(
            SignatureSource::Field("gamename", Pattern::Starts(&["baseETQW"])),
            Confidence::Certain,
        ),
        Signature::new(
            SignatureSource::Field(
                "Host",
                Pattern::Starts(&["etqw-ipgetter.", "etqwdemo-ipgetter."]),
            ),
            Confidence::Certain,
        ),
        Signature::new(SignatureSource::Message("server-feed"), Confidence::Certain),
        Signature::new(SignatureSource::Message("requested-feed"), Confidence::Certain),
    ],
    required_keys: &[],
};

#[cfg(test)]
mod tests;
