//! Watching a master of games on Steam, which has Half-Life's lists.

use crate::families::WatchMessages;
use crate::families::half_life::messages as half_life;
use crate::families::half_life::watch::{HALF_LIFE_LIST, of_game};
use crate::protocols::source::{A2sInfo, SOURCE};
use crate::simulate::written;

/// A master of games on Steam.
pub static STEAM_LIST: WatchMessages = WatchMessages {
    profile: SOURCE.id,
    port: 27011,
    // Its lists are Half-Life's.
    is_variant: true,
    answer: |selection, request| {
        let info = of_game(half_life::steam_server_info().with("players", "0"), selection);
        half_life::answer(&info, request)
    },
    query: || written(A2sInfo::default()),
    ..HALF_LIFE_LIST
};
