//! Servers and clients of games on Steam, and the lists that clients get.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::LISTS;
use crate::conform::client::ListClient;
use crate::conform::list::{PacketRecords, ReceivedList};
use crate::conform::server::{TestMessages, TestServer};
use crate::conform::{Failure, TestContext};
use crate::families::half_life::messages::{self, EVERYWHERE};
use crate::protocols::half_life::{HalfLife, ListHead, Servers};
use crate::simulate::ServerInfo;

/// A server, and a client.
pub type SteamServer<'s> = TestServer<'s, SteamMessages>;
pub type SteamClient<'s> = ListClient<'s, SteamMessages>;

/// The maximum requested packets of one list.
const PACKETS: usize = 64;
/// Bytes of the mark, the letter and the line feed, and of one record.
pub const HEAD: usize = b"\xff\xff\xff\xfff\n".len();
pub const RECORD: usize = 6;

/// A list request: the region, and the filter.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    pub region: u8,
    pub filter: &'a str,
}

/// The address of the first request, and the last record of a whole list.
pub const ZERO_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);

/// A client's filter for a server's folder.
pub struct SteamMessages {
    pub filter: String,
}

impl<'a> Wanted<'a> {
    /// Servers of all regions.
    pub fn everywhere(filter: &'a str) -> Self {
        Self { region: EVERYWHERE, filter }
    }

    /// The bytes of the request for the servers behind this one.
    pub fn behind(self, last: SocketAddr) -> Vec<u8> {
        messages::get_servers_of(self.region, last, self.filter)
    }
}

impl TestMessages for SteamMessages {
    const SERVICE: &'static str = LISTS;
    const REQUEST: &'static str = "an s in answer to the heartbeat";
    const IPV4_ONLY: &'static str = "the records of Steam's lists hold IPv4 addresses only";
    type Challenge = u32;
    type List<'l> = Wanted<'l>;

    /// A server of a game on Source with one player on 24 places, in a folder of its own.
    fn new(ctx: &TestContext<'_>) -> (Self, ServerInfo) {
        let game = ctx.game();
        let info = messages::steam_server_info().with("gamedir", &game).with("product", &game);
        (Self { filter: format!(r"\gamedir\{game}") }, info)
    }

    fn set(&mut self, key: &str, value: &str) {
        if key == "gamedir" {
            self.filter = format!(r"\gamedir\{value}");
        }
    }

    fn heartbeat(&self, _: SocketAddr) -> Vec<u8> {
        messages::heartbeat()
    }

    fn challenge(request: &[u8]) -> Option<u32> {
        messages::challenge(request)
    }

    fn answer(&self, info: &ServerInfo, challenge: &u32) -> Vec<u8> {
        messages::reply(info, Some(&challenge.to_string()))
    }

    /// The servers of its folder.
    fn list<'l>(server: &'l SteamServer<'_>) -> Wanted<'l> {
        Wanted::everywhere(&server.messages.filter)
    }

    fn request(_: &TestContext<'_>, wanted: Wanted<'_>) -> Vec<u8> {
        wanted.behind(ZERO_ADDRESS)
    }

    fn read(packet: &[u8]) -> Option<PacketRecords> {
        messages::read(packet, |message| match message {
            HalfLife::Servers(list) if list.head == ListHead::None => {
                Some(PacketRecords::of(HEAD, RECORD, list.servers.iter(Servers::FORM)))
            }
            _ => None,
        })
    }

    /// Requests a list, packet by packet, until its last record is zeros, which is left out.
    fn collect(client: &SteamClient<'_>, wanted: Wanted<'_>) -> Result<ReceivedList, Failure> {
        let first = client.request_bytes(&wanted.behind(ZERO_ADDRESS))?;
        rest_of(client, wanted, first)
    }

    fn collect_any(client: &SteamClient<'_>, wanted: Wanted<'_>) -> Result<ReceivedList, Failure> {
        client.end.ctx().setup(|| {
            let first = client.request_any(&wanted.behind(ZERO_ADDRESS))?;
            if first.packets.is_empty() { Ok(first) } else { rest_of(client, wanted, first) }
        })
    }
}

/// The whole list that begins with this packet.
fn rest_of(
    client: &SteamClient<'_>,
    wanted: Wanted<'_>,
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
        if last == ZERO_ADDRESS {
            listed.records.iter_mut().for_each(|records| _ = records.servers.pop());
        }
        all.packets.append(&mut listed.packets);
        all.records.append(&mut listed.records);
        if last == ZERO_ADDRESS || all.packets.len() == PACKETS {
            return Ok(all);
        }
        listed = client.request_bytes(&wanted.behind(last))?;
    }
}

/// Whether the last record of a list is all zeros.
pub fn is_complete(listed: &ReceivedList) -> bool {
    listed.packets.last().is_some_and(|packet| packet.bytes.ends_with(&[0; RECORD]))
}
