//! A made-up game with all roles, as a family of its own: the smallest example of a protocol, a
//! server, a master and cases.

mod cases;
mod master;
mod messages;
pub mod protocol;

use master::handle;
use masters::Service;
use protocol::{GAME, PROTOCOL};
use simulate::families::{FamilyMessages, ServerAnswers};

/// The services of its master.
pub static SERVICES: &[Service] = &[Service {
    means: "servers of the made-up game",
    source: "in no document",
    ..Service::udp(&GAME, 47_000, handle)
}];

pub use cases::SUITE;

pub static FAMILY: FamilyMessages = FamilyMessages {
    answers: Some((&PROTOCOL, ServerAnswers::One(messages::server))),
    masters: &[&messages::MASTER],
    questions: &[],
};
