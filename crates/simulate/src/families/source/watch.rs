//! Watching a master of games on Steam, which has Half-Life's lists.

use crate::families::half_life::messages as half_life;
use crate::families::half_life::watch::{HALF_LIFE_LIST, of_game};
use crate::families::{HeartbeatMessages, RegistrationMessages, WatchMessages};
use crate::written;
use protocols::half_life::HALF_LIFE;
use protocols::source::{A2sInfo, SOURCE};

/// A master of games on Steam.
pub static STEAM_LIST: WatchMessages = WatchMessages {
    profile: SOURCE.id,
    port: 27011,
    variant_of: Some(HALF_LIFE.id),
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
    query: || written(A2sInfo::default()),
    ..HALF_LIFE_LIST
};
