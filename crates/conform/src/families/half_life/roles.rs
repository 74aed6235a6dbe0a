//! Servers and clients of Half-Life before Steam and of games on Steam, and the lists that clients
//! get; and what Xash3D's have in common with them.

use std::marker::PhantomData;
use std::net::{IpAddr, SocketAddr};

use super::LISTS;
use crate::client::ListClient;
use crate::list::ReceivedList;
use crate::server::{TestMessages, TestServer};
use crate::shared::registration;
use crate::{Done, Failure, TestContext};
use simulate::ServerInfo;
use simulate::families::MasterMessages;
use simulate::families::half_life::messages::{
    self, EVERYWHERE, LIST_RECORD, ZERO_ADDRESS, filter_of,
};

/// The maximum requested packets of one list.
const PACKETS: usize = 64;
/// The protocol of servers since Steam; some masters do not list older ones.
const PROTOCOL: &str = "47";

/// Messages with which a client asks for the servers of one gamedir, and a server answers an `s`
/// with a `0`: those of Half-Life, of games on Steam and of Xash3D.
pub trait GamedirMessages: TestMessages<Challenge = u32> {
    /// The filter for servers of its gamedir.
    fn filter(&self) -> &str;

    /// The request for the servers that match a filter.
    fn matching(filter: &str) -> Self::List<'_>;

    /// A `0` with this challenge; without one the key is missing.
    fn reply(info: &ServerInfo, challenge: Option<&str>) -> Vec<u8>;
}

/// The same server in another gamedir of its own.
pub fn with_other_game<M: GamedirMessages>(server: TestServer<'_, M>) -> TestServer<'_, M> {
    let game = server.end.ctx().game();
    server.with("gamedir", &game)
}

/// It is not among the servers of its gamedir.
pub fn expect_unlisted<M: GamedirMessages>(
    server: &TestServer<'_, M>,
    client: &ListClient<'_, M>,
) -> Done {
    client.expect_unlisted(server, server.list())
}

/// A trait: the order of lists.
pub fn order_of_lists<M: GamedirMessages>(ctx: &TestContext<'_>) -> Result<String, Failure> {
    let game = ctx.game();
    registration::order_of_lists(ctx, || Ok(TestServer::<M>::new(ctx)?.with("gamedir", &game)))
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

/// The messages of Half-Life before Steam, and a server that sends them.
pub type HalfLifeMessages = RegionMessages<HalfLifeGame>;
pub type HalfLifeServer<'s> = TestServer<'s, HalfLifeMessages>;

/// A list request.
#[derive(Debug, Clone, Copy)]
pub enum ListQuery<'a> {
    /// With `e` and a cursor.
    Cursor,
    /// With `1`, a region, the last server that the client knows, and a filter.
    Region(u8, &'a str),
}

/// A client's filter for a server's gamedir.
pub struct RegionMessages<G> {
    filter: String,
    game: PhantomData<G>,
}

impl<'a> ListQuery<'a> {
    /// Servers of all regions.
    pub fn everywhere(filter: &'a str) -> Self {
        Self::Region(EVERYWHERE, filter)
    }

    /// The request for the servers behind this one.
    pub fn behind(self, last: SocketAddr) -> Vec<u8> {
        match (self, last.ip()) {
            (Self::Region(region, filter), _) => messages::get_servers_of(region, last, filter),
            (Self::Cursor, IpAddr::V4(ip)) => {
                let [low, middle, high, _] = ip.octets();
                messages::get_servers([low, middle, high])
            }
            (Self::Cursor, IpAddr::V6(_)) => messages::get_servers([0; 3]),
        }
    }
}

impl<G: RegionGame> GamedirMessages for RegionMessages<G> {
    fn filter(&self) -> &str {
        &self.filter
    }

    fn matching(filter: &str) -> ListQuery<'_> {
        ListQuery::everywhere(filter)
    }

    fn reply(info: &ServerInfo, challenge: Option<&str>) -> Vec<u8> {
        messages::reply(info, challenge)
    }
}

impl<G: RegionGame> TestMessages for RegionMessages<G> {
    const SERVICE: &'static str = G::SERVICE;
    const REQUEST: &'static str = "an s in answer to the heartbeat";
    const MASTER: &'static MasterMessages = G::MASTER;
    type Challenge = u32;
    type List<'l> = ListQuery<'l>;

    /// A server in a gamedir of its own.
    fn new(ctx: &TestContext<'_>) -> (Self, ServerInfo) {
        let game = ctx.game();
        (Self { filter: filter_of(&game), game: PhantomData }, G::server_info(&game))
    }

    fn set(&mut self, key: &str, value: &str) {
        if key == "gamedir" {
            self.filter = filter_of(value);
        }
    }

    fn heartbeat(&self, _: SocketAddr) -> Vec<u8> {
        messages::heartbeat()
    }

    fn challenge(request: &[u8]) -> Option<u32> {
        messages::challenge(request)
    }

    fn answer(&self, info: &ServerInfo, challenge: &u32) -> Vec<u8> {
        Self::reply(info, Some(&challenge.to_string()))
    }

    /// The servers of its gamedir.
    fn list<'l>(server: &'l TestServer<'_, Self>) -> ListQuery<'l> {
        Self::matching(server.messages.filter())
    }

    fn request(_: &TestContext<'_>, list: ListQuery<'_>) -> Vec<u8> {
        list.behind(ZERO_ADDRESS)
    }

    /// Requests a list, packet by packet, until its last record is zeros.
    fn collect(
        client: &ListClient<'_, Self>,
        list: ListQuery<'_>,
    ) -> Result<ReceivedList, Failure> {
        let first = client.request_bytes(&list.behind(ZERO_ADDRESS))?;
        rest_of(client, list, first)
    }

    fn collect_any(
        client: &ListClient<'_, Self>,
        list: ListQuery<'_>,
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
    client: &ListClient<'_, RegionMessages<G>>,
    list: ListQuery<'_>,
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
        if last == ZERO_ADDRESS || matches!(list, ListQuery::Cursor) {
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
