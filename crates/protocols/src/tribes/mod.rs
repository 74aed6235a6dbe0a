//! Starsiege: Tribes. Source: qstat (qstat.c, qstat.h), and gamedig for the time of a ping.
//!
//! A request has a letter and two bytes, which the reply has again. A text has its length in front.

mod list;
mod query;

use codec::{Endian, Field, FieldRole, Shape};
use protocol::protocol;
use protocol::{Confidence, Game, Port, Role, Signature, SignatureSource};

pub use list::{List, ListRequest};
pub use query::{Described, InfoReply, InfoRequest, PLAYERS, StatusReply, StatusRequest, TEAMS};

protocol! {
    /// One message of Tribes.
    Tribes: "tribes", "Starsiege: Tribes", &[&TRIBES],
    [InfoRequest, InfoReply, StatusRequest, StatusReply, ListRequest, List]
}

/// Starsiege: Tribes.
pub static TRIBES: Game = Game {
    id: "tribes",
    title: "Starsiege: Tribes",
    protocol: &PROTOCOL,
    ports: &[Port::new(28001, Role::Server), Port::new(28000, Role::Master)],
    signatures: &[
        Signature::new(SignatureSource::Message("status-reply"), Confidence::Certain),
        Signature::new(SignatureSource::Message("info-reply"), Confidence::Certain),
    ],
    required_keys: &[],
};

static KEY: Field =
    Field::number("key", "chosen by the client; the reply has it again").role(FieldRole::Challenge);
const KEY_SHAPE: Shape = Shape::Unsigned(Endian::Big);
