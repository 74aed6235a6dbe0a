//! All-Seeing Eye: how servers of Multi Theft Auto, Far Cry, Soldat and others are queried, on the
//! port 123 above that on which they play. Source: gamedig (protocols/ase.js).

mod players;
mod query;

use protocol::protocol;
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

pub use players::EyePlayers;
pub use query::{StatusReply, StatusRequest};

protocol! {
    /// One message of All-Seeing Eye.
    Eye: "eye", "All-Seeing Eye", &[&EYE, &MTA],
    [StatusRequest, StatusReply]
}

/// Any game that is queried so.
pub static EYE: Game = Game {
    id: "eye",
    title: "a game with All-Seeing Eye's queries",
    protocol: &PROTOCOL,
    ports: &[],
    signatures: &[Signature::new(SignatureSource::Message("status-reply"), Confidence::Form)],
    required_keys: &[],
};

/// Multi Theft Auto: San Andreas.
pub static MTA: Game = Game {
    id: "mta-san-andreas",
    title: "Multi Theft Auto: San Andreas",
    protocol: &PROTOCOL,
    ports: &[Port::new(22126, Role::Server)],
    signatures: &[Signature::new(
        SignatureSource::In("status-reply", "game", Pattern::Is(&["mta"])),
        Confidence::Certain,
    )],
    required_keys: &[],
};
