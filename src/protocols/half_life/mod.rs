//! Half-Life before Steam: a byte, a challenge, an infostring. Specification: document 001,
//! section 10.
//!
//! The document shows how a server registers. How it logs off, and how a client gets lists, is
//! known from other programs with this protocol. Steam's own queries (the mark and a capital
//! letter) are another protocol, which is not implemented.

mod keys;
mod list;
mod register;

use crate::protocol::protocol;
use crate::protocol::{Game, Port, Role};

pub use keys::KEYS;
pub use list::{GetRegion, GetServers, ListFamily, ListHead, Servers};
pub use register::{Challenge, ChallengeReply, Heartbeat, LogOff};

protocol! {
    /// One message of Half-Life.
    HalfLife: "half-life", "Half-Life", &[&HALF_LIFE],
    [Heartbeat, Challenge, ChallengeReply, LogOff, GetServers, GetRegion, Servers]
}

/// Half-Life.
pub static HALF_LIFE: Game = Game {
    id: "half-life",
    title: "Half-Life",
    ports: &[Port::of(27015, Role::Server), Port::of(27010, Role::Master)],
    clues: &[],
    owes: &[],
};

#[cfg(test)]
mod tests;
