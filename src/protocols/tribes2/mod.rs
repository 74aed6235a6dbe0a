//! Tribes 2: pings and server information. Source: qstat (qstat.c, qstat.h).
//!
//! A message has its type, flags, and a key of the client's, which the reply has again. A text has
//! its length in front.

mod query;

use crate::protocol::protocol;
use crate::protocol::{Confidence, Game, Port, Role, Signature, SignatureSource};

pub use query::{InfoReply, InfoRequest, Ping, PingReply};

protocol! {
    /// One message of Tribes 2.
    Tribes2: "tribes2", "Tribes 2", &[&TRIBES2],
    [Ping, PingReply, InfoRequest, InfoReply]
}

/// Tribes 2.
pub static TRIBES2: Game = Game {
    id: "tribes2",
    title: "Tribes 2",
    protocol: &PROTOCOL,
    ports: &[Port::of(28000, Role::Server)],
    signatures: &[Signature::of(SignatureSource::Message("ping-reply"), Confidence::Certain)],
    required_keys: &[],
};
