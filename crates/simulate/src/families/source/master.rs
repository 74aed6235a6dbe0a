//! What is said to a master of games on Steam, which has Half-Life's lists.

use super::query::SERVER_QUERY;
use crate::families::half_life::master::{HALF_LIFE_LIST, of_game};
use crate::families::half_life::messages as half_life;
use crate::families::{HeartbeatMessages, MasterMessages, RegistrationMessages};
use protocols::half_life::HALF_LIFE;
use protocols::source::SOURCE;

/// A master of games on Steam.
pub static STEAM_LIST: MasterMessages = MasterMessages {
    profile: SOURCE.id,
    port: 27011,
    variant_of: Some(HALF_LIFE.id),
    ipv4_only: Some("the records of Steam's lists hold IPv4 addresses only"),
    registration: RegistrationMessages::Heartbeats(HeartbeatMessages {
        shutdown: Some(|_, _| half_life::log_off()),
        ..HeartbeatMessages::new(
            |_, _| half_life::heartbeat(),
            |selection, request| {
                let info = half_life::steam_server_info().with("players", "0");
                half_life::answer(&of_game(info, selection), request)
            },
        )
    }),
    servers: &SERVER_QUERY,
    ..HALF_LIFE_LIST
};
