//! Doom 3's servers and clients, and the lists that clients get.

use super::LISTS;
use crate::client::ListClient;
use crate::list::ReceivedList;
use crate::server::{TestRole, TestServer};
use crate::{Failure, TestContext};
use simulate::ServerInfo;
use simulate::families::MasterMessages;
use simulate::families::doom3::messages::{self, Doom3ListRequest};

/// A server, and a client.
pub type Doom3Server<'s> = TestServer<'s, Doom3Role>;
pub type Doom3Client<'s> = ListClient<'s, Doom3Role>;

/// The servers of cases, and the lists that hold them.
pub struct Doom3Role;

/// All servers of version 1.3, or of the case's own protocol instead.
pub fn all(ctx: &TestContext<'_>) -> Doom3ListRequest<'static> {
    Doom3ListRequest { protocol: protocol(ctx, messages::FOURTH), game: "", filter: 0 }
}

/// The protocol for servers of a case: that of the game, or the case's own if the endpoints of
/// servers are reused.
pub fn protocol(ctx: &TestContext<'_>, number: u32) -> u32 {
    u32::try_from(ctx.protocol(number)).unwrap_or(number)
}

impl TestRole for Doom3Role {
    const SERVICE: &'static str = LISTS;
    const REQUEST: &'static str = "a getInfo in answer to the heartbeat";
    const MASTER: &'static MasterMessages = &simulate::families::doom3::master::DOOM3_LIST;
    type Server = messages::RegisteringDoom3;
    type List<'l> = Doom3ListRequest<'l>;

    /// A server of version 1.3 with one player on eight places.
    fn new(ctx: &TestContext<'_>) -> (messages::RegisteringDoom3, ServerInfo) {
        let protocol = protocol(ctx, messages::FOURTH);
        (messages::RegisteringDoom3 { protocol, players: 1 }, messages::server_info())
    }

    /// All servers of its protocol and its modification.
    fn list<'l>(server: &'l Doom3Server<'_>) -> Doom3ListRequest<'l> {
        let game = server.info.get("fs_game").and_then(|game| std::str::from_utf8(game).ok());
        let (protocol, game) = (server.state.protocol, game.unwrap_or_default());
        Doom3ListRequest { protocol, game, filter: 0 }
    }

    fn collect(
        client: &Doom3Client<'_>,
        list: Doom3ListRequest<'_>,
    ) -> Result<ReceivedList, Failure> {
        let listed = client.request_bytes(&client.encode(list))?;
        listed.single("a list in one packet")?;
        Ok(listed)
    }
}

impl Doom3Server<'_> {
    /// The same server with this protocol from now on.
    #[must_use]
    pub fn of_protocol(mut self, protocol: u32) -> Self {
        self.state.protocol = protocol;
        self
    }

    /// The same with this number of players from now on.
    #[must_use]
    pub fn played_by(mut self, players: u8) -> Self {
        self.state.players = players;
        self
    }
}
