//! Servers and clients of Half-Life before Steam and of games on Steam, and the lists that clients
//! get; and what Xash3D's have in common with them.

use std::marker::PhantomData;

use super::LISTS;
use crate::client::ListClient;
use crate::list::ReceivedList;
use crate::server::{TestRole, TestServer};
use crate::shared::registration;
use crate::{Done, Failure, TestContext};
use simulate::ServerInfo;
use simulate::families::MasterMessages;
use simulate::families::half_life::messages::{self, LIST_RECORD, ZERO_ADDRESS};
use simulate::families::half_life::registering::{
    GamedirServer, RegionRequest, RegisteringHalfLife, ServerFilter,
};

/// The maximum requested packets of one list.
const PACKETS: usize = 64;
/// The protocol of servers since Steam; some masters do not list older ones.
const PROTOCOL: &str = "47";

/// Masters of which a client requests the servers of one gamedir, and whose `s` a server answers with
/// a `0`: those of Half-Life, of games on Steam and of Xash3D.
pub trait GamedirRole: TestRole<Server: GamedirServer> {
    /// The request for the servers that match a filter.
    fn matching(filter: ServerFilter<'_>) -> Self::List<'_>;
}

/// The gamedir of a server.
pub fn gamedir<'l, R: TestRole>(server: &'l TestServer<'_, R>) -> &'l str {
    let gamedir = server.info.get("gamedir").and_then(|text| std::str::from_utf8(text).ok());
    gamedir.unwrap_or_default()
}

/// The filter for servers of its gamedir.
pub fn filter<R: TestRole>(server: &TestServer<'_, R>) -> String {
    ServerFilter::Gamedir(gamedir(server)).text()
}

/// The same server in another gamedir of its own.
pub fn with_other_game<R: GamedirRole>(server: TestServer<'_, R>) -> TestServer<'_, R> {
    let game = server.end.ctx().game();
    server.with("gamedir", &game)
}

/// It is not among the servers of its gamedir.
pub fn expect_unlisted<R: GamedirRole>(
    server: &TestServer<'_, R>,
    client: &ListClient<'_, R>,
) -> Done {
    client.expect_unlisted(server, server.list())
}

/// A trait: the order of lists.
pub fn order_of_lists<R: GamedirRole>(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let game = ctx.game();
    registration::order_of_lists(ctx, || Ok(TestServer::<R>::new(ctx)?.with("gamedir", &game)))
}

/// A game whose lists a client asks for region by region, and goes on with behind the last server.
pub trait RegionGame: 'static {
    /// The service that lists its servers.
    const SERVICE: &'static str;
    /// What is said to its master.
    const MASTER: &'static MasterMessages;

    /// A server of this gamedir.
    fn server_info(gamedir: &str) -> ServerInfo;
}

/// Half-Life before Steam.
pub struct HalfLifeGame;

impl RegionGame for HalfLifeGame {
    const SERVICE: &'static str = LISTS;
    const MASTER: &'static MasterMessages = &simulate::families::half_life::master::HALF_LIFE_LIST;

    /// With one player on six places.
    fn server_info(gamedir: &str) -> ServerInfo {
        messages::server_info().with("protocol", PROTOCOL).with("gamedir", gamedir)
    }
}

/// The cases of Half-Life before Steam, and a server of them.
pub type HalfLifeRole = RegionRole<HalfLifeGame>;
pub type HalfLifeServer<'s> = TestServer<'s, HalfLifeRole>;

/// The servers of cases in a game, and the lists that hold them.
pub struct RegionRole<G>(PhantomData<G>);

impl<G: RegionGame> GamedirRole for RegionRole<G> {
    fn matching(filter: ServerFilter<'_>) -> RegionRequest<'_> {
        RegionRequest::everywhere(filter)
    }
}

impl<G: RegionGame> TestRole for RegionRole<G> {
    const SERVICE: &'static str = G::SERVICE;
    const REQUEST: &'static str = "an s in answer to the heartbeat";
    const MASTER: &'static MasterMessages = G::MASTER;
    type Server = RegisteringHalfLife;
    type List<'l> = RegionRequest<'l>;

    /// A server in a gamedir of its own.
    fn new(ctx: &TestContext<'_>) -> (RegisteringHalfLife, ServerInfo) {
        (RegisteringHalfLife, G::server_info(&ctx.game()))
    }

    /// The servers of its gamedir.
    fn list<'l>(server: &'l TestServer<'_, Self>) -> RegionRequest<'l> {
        Self::matching(ServerFilter::Gamedir(gamedir(server)))
    }

    /// Requests a list, packet by packet, until its last record is zeros.
    fn collect(
        client: &ListClient<'_, Self>,
        list: RegionRequest<'_>,
    ) -> Result<ReceivedList, Failure> {
        let first = client.request_bytes(&list.behind(ZERO_ADDRESS))?;
        rest_of(client, list, first)
    }

    fn collect_any(
        client: &ListClient<'_, Self>,
        list: RegionRequest<'_>,
    ) -> Result<ReceivedList, Failure> {
        client.end.ctx().setup(|| {
            let first = client.request_any(&list.behind(ZERO_ADDRESS))?;
            if first.packets.is_empty() { Ok(first) } else { rest_of(client, list, first) }
        })
    }
}

/// The whole list that begins with this packet. A record of zeros, and a cursor that is no server,
/// are left out.
fn rest_of<G: RegionGame>(
    client: &ListClient<'_, RegionRole<G>>,
    list: RegionRequest<'_>,
    first: ReceivedList,
) -> Result<ReceivedList, Failure> {
    let mut all = ReceivedList { packets: Vec::new(), records: Vec::new() };
    let mut listed = first;
    loop {
        let (packet, records) = listed.single("a packet for each request")?;
        let Some((last, _)) = records.servers.last().cloned() else {
            let what = "a record that says whether the list goes on";
            return Err(Failure::new(what, "none").at(packet));
        };
        if last == ZERO_ADDRESS || matches!(list, RegionRequest::Cursor) {
            listed.records.iter_mut().for_each(|records| _ = records.servers.pop());
        }
        all.packets.append(&mut listed.packets);
        all.records.append(&mut listed.records);
        if last == ZERO_ADDRESS || all.packets.len() == PACKETS {
            return Ok(all);
        }
        listed = client.request_bytes(&list.behind(last))?;
    }
}

/// Whether the last record of a list is all zeros.
pub fn is_complete(listed: &ReceivedList) -> bool {
    listed.packets.last().is_some_and(|packet| packet.bytes.ends_with(&[0; LIST_RECORD]))
}
