//! A simulated server on loopback, as tools that query servers meet it.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use fragshark::codec::FieldRole;
use fragshark::protocol::{Carrier, Direction, Game, Protocol, Reading, Role};
use fragshark::protocols::registry;
use simulate::KnownValue;

use crate::answering::answering;

/// What every simulated server says of itself.
pub const NAME: &str = "a simulated server";
pub const MAP: &str = "simulated";

pub fn game_named(id: &str) -> &'static Game {
    registry().games().find(|game| game.id == id).unwrap_or_else(|| panic!("no game {id}"))
}

/// Runs a server of the game while `tool` queries it; gives the names of the requests, and what the
/// tool gave.
pub fn queried<T>(
    game: &'static Game,
    tool: impl FnOnce(SocketAddr) -> T,
) -> (BTreeSet<String>, T) {
    queried_in(game.protocol, game, tool)
}

/// The same for a server that speaks this one of its protocols.
pub fn queried_in<T>(
    protocol: &'static Protocol,
    game: &'static Game,
    tool: impl FnOnce(SocketAddr) -> T,
) -> (BTreeSet<String>, T) {
    let known = known();
    let answers =
        |request: &[u8]| simulate::families::answers(protocol, Some(game), &known, request);
    let (asked, given) = answering(answers, tool);
    (asked.iter().map(|request| name(protocol, request)).collect(), given)
}

/// The name of a request; it says so if the request does not decode to its last byte.
fn name(protocol: &Protocol, request: &[u8]) -> String {
    let direction = Direction { from: Some(Role::Client), to: Some(Role::Server) };
    let Some(entry) =
        fragshark::protocols::recognise(protocol, Carrier::Datagram, request, direction)
    else {
        return format!("not recognised: {}", request.escape_ascii());
    };
    let mut reading = Reading::default();
    let name = entry.spec.name_of(request, None);
    if reading.takes_all(entry, request) {
        name.to_owned()
    } else {
        format!("{name}, not whole: {}", request.escape_ascii())
    }
}

fn known() -> Vec<KnownValue> {
    let value = |role, text: &str| KnownValue { role, key: Vec::new(), text: text.into() };
    vec![value(FieldRole::Host, NAME), value(FieldRole::Map, MAP)]
}
