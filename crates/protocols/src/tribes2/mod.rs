//! Tribes 2: pings, server information and a master's lists. Source: qstat (qstat.c, qstat.h).
//!
//! A message has its type, flags, and a key of the client's, which the reply has again. A text has
//! its length in front.

mod lists;
mod query;

use protocol::protocol;
use protocol::{Confidence, Game, Port, Role, Signature, SignatureSource};

use codec::{BitMeanings, Field, FieldRole};

pub use lists::{List2, ListRequest2, Types, TypesRequest};
pub use query::{InfoReply, InfoRequest, Ping, PingReply};

protocol! {
    /// One message of Tribes 2.
    Tribes2: "tribes2", "Tribes 2", &[&TRIBES2],
    [
        Ping, PingReply, InfoRequest, InfoReply, TypesRequest, Types, ListRequest2, List2,
    ]
}

/// Tribes 2.
pub static TRIBES2: Game = Game {
    id: "tribes2",
    title: "Tribes 2",
    protocol: &PROTOCOL,
    ports: &[Port::new(28000, Role::Server), Port::new(28002, Role::Master)],
    signatures: &[Signature::new(SignatureSource::Message("ping-reply"), Confidence::Certain)],
    required_keys: &[],
};

static FLAGS: Field = Field::number("flags", "how the message is written")
    .bits(&[BitMeanings::set(2, "texts are not compressed")]);
static KEY: Field =
    Field::number("key", "chosen by the client; the reply has it again").role(FieldRole::Challenge);
static MAX_PLAYERS: Field =
    Field::number("max players", "how many may play").role(FieldRole::MaxPlayers);
static BOTS: Field = Field::number("bots", "players that are programs").role(FieldRole::Count);
