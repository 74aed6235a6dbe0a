//! Servers and clients of games on Steam.

use super::LISTS;
use crate::client::ListClient;
use crate::families::half_life::roles::{RegionGame, RegionRole};
use crate::server::TestServer;
use simulate::ServerInfo;
use simulate::families::MasterMessages;
use simulate::families::half_life::messages;

/// The cases of games on Steam, a server, and a client.
pub type SteamRole = RegionRole<SteamGame>;
pub type SteamServer<'s> = TestServer<'s, SteamRole>;
pub type SteamClient<'s> = ListClient<'s, SteamRole>;

/// A game on Steam.
pub struct SteamGame;

impl RegionGame for SteamGame {
    const SERVICE: &'static str = LISTS;
    const MASTER: &'static MasterMessages = &simulate::families::source::master::STEAM_LIST;

    /// A game on Source with one player on 24 places.
    fn server_info(gamedir: &str) -> ServerInfo {
        messages::steam_server_info().with("gamedir", gamedir).with("product", gamedir)
    }
}
