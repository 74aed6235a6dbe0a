//! What is said to a master of games on Steam, which has Half-Life's lists.

use super::query::SERVER_QUERY;
use crate::families::half_life::master::{HALF_LIFE_LIST, of_game};
use crate::families::half_life::messages;
use crate::families::half_life::registering::RegisteringHalfLife;
use crate::families::{
    HeartbeatMessages, ListSelection, MasterMessages, Probe, RegistrationMessages,
};
use protocols::half_life::HALF_LIFE;
use protocols::source::SOURCE;

/// A master of games on Steam.
pub static STEAM_LIST: MasterMessages = MasterMessages {
    profile: SOURCE.id,
    port: 27011,
    variant_of: Some(HALF_LIFE.id),
    ipv4_only: Some("the records of Steam's lists hold IPv4 addresses only"),
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages {
        shutdown: Some(|_, _| messages::log_off()),
        ..HeartbeatMessages::new(
            |selection, address| probe(selection).heartbeat(address),
            |selection, request| probe(selection).answer(request),
        )
    }),
    servers: &SERVER_QUERY,
    ..HALF_LIFE_LIST
};

fn probe(selection: &ListSelection) -> Probe<RegisteringHalfLife> {
    let info = of_game(messages::steam_server_info(), selection);
    Probe { server: RegisteringHalfLife, info }
}
