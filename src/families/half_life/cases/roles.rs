//! Half-Life's servers and clients, and the lists that clients get.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use super::LISTS;
use crate::conform::client::ListClient;
use crate::conform::list::{PacketRecords, ReceivedList};
use crate::conform::server::{TestMessages, TestServer};
use crate::conform::{Failure, TestContext};
use crate::families::half_life::messages;
use crate::protocols::half_life::{HalfLife, ListHead, Servers};
use crate::simulate::ServerInfo;

/// A server, and a client.
pub type HalfLifeServer<'s> = TestServer<'s, HalfLifeMessages>;
pub type HalfLifeClient<'s> = ListClient<'s, HalfLifeMessages>;

/// The maximum requested packets of one list.
const PACKETS: usize = 64;
/// Bytes of the mark, the letter and the line feed, and of one record.
pub const HEAD: usize = b"\xff\xff\xff\xfff\n".len();
pub const RECORD: usize = 6;
/// The protocol of servers since Steam; some masters do not list older ones.
const PROTOCOL: &str = "47";

/// The form of a list request.
#[derive(Debug, Clone, Copy)]
pub enum ListQuery<'a> {
    /// With `e` and a cursor.
    Cursor,
    /// With `1`, the last server that it knows and a filter.
    Filter(&'a str),
}

/// The cursor of the first request, and the last record of a whole list.
pub const ZERO_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);

/// A client's filter for a server's modification.
pub struct HalfLifeMessages {
    pub filter: String,
}

impl TestMessages for HalfLifeMessages {
    const SERVICE: &'static str = LISTS;
    const REQUEST: &'static str = "an s in answer to the heartbeat";
    const IPV4_ONLY: &'static str = "the records of Half-Life's lists hold IPv4 addresses only";
    type Challenge = u32;
    type List<'l> = ListQuery<'l>;

    /// A server with one player on six places, of a modification of its own.
    fn new(ctx: &TestContext<'_>) -> (Self, ServerInfo) {
        let game = ctx.game();
        let info = messages::server_info().with("protocol", PROTOCOL).with("gamedir", &game);
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

    /// The servers of its modification.
    fn list<'l>(server: &'l HalfLifeServer<'_>) -> ListQuery<'l> {
        ListQuery::Filter(&server.messages.filter)
    }

    fn request(_: &TestContext<'_>, list: ListQuery<'_>) -> Vec<u8> {
        request_behind(list, ZERO_ADDRESS)
    }

    fn read(packet: &[u8]) -> Option<PacketRecords> {
        messages::read(packet, |message| match message {
            HalfLife::Servers(list) if list.head == ListHead::None => {
                Some(PacketRecords::of(HEAD, RECORD, list.servers.iter(Servers::FORM)))
            }
            _ => None,
        })
    }

    /// Requests a list, packet by packet, until it is complete. A record of zeros, and a cursor
    /// that is no server, are left out.
    fn collect(client: &HalfLifeClient<'_>, list: ListQuery<'_>) -> Result<ReceivedList, Failure> {
        let mut all = ReceivedList { packets: Vec::new(), records: Vec::new() };
        let mut last = ZERO_ADDRESS;
        for _ in 0..PACKETS {
            let mut listed = client.request_bytes(&request_behind(list, last))?;
            let (packet, records) = listed.single("a packet for each request")?;
            let Some((cursor, _)) = records.servers.last() else {
                let what = "a record that says whether the list goes on";
                return Err(Failure::new(what, "none").at(packet));
            };
            last = *cursor;
            for records in &mut listed.records {
                if last == ZERO_ADDRESS || matches!(list, ListQuery::Cursor) {
                    records.servers.pop();
                }
            }
            all.packets.append(&mut listed.packets);
            all.records.append(&mut listed.records);
            if last == ZERO_ADDRESS {
                break;
            }
        }
        Ok(all)
    }
}

/// The request for the servers behind this one.
fn request_behind(list: ListQuery<'_>, last: SocketAddr) -> Vec<u8> {
    match (list, last.ip()) {
        (ListQuery::Cursor, IpAddr::V4(ip)) => {
            let [low, middle, high, _] = ip.octets();
            messages::get_servers([low, middle, high])
        }
        (ListQuery::Filter(filter), _) => messages::get_region(last, filter),
        (ListQuery::Cursor, IpAddr::V6(_)) => messages::get_servers([0; 3]),
    }
}

/// Whether the last record of a list is all zeros.
pub fn is_complete(listed: &ReceivedList) -> bool {
    listed.packets.last().is_some_and(|packet| packet.bytes.ends_with(&[0; RECORD]))
}
