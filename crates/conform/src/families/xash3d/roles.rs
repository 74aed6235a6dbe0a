//! Xash3D's servers and clients, and the lists that clients get.

use std::net::SocketAddr;

use super::LISTS;
use crate::client::ListClient;
use crate::families::half_life::roles::GamedirMessages;
use crate::list::ReceivedList;
use crate::server::{TestMessages, TestServer};
use crate::{Failure, ReceivedDatagram, TestContext};
use protocols::half_life::{HalfLife, ListFamily, ListHead};
use simulate::ServerInfo;
use simulate::families::MasterMessages;
use simulate::families::half_life::messages::{self, XASH_KEY, filter_of, xash_filter};

/// A server, and a client.
pub type XashServer<'s> = TestServer<'s, XashMessages>;
pub type XashClient<'s> = ListClient<'s, XashMessages>;

/// A filter for servers of a server's gamedir.
pub struct XashMessages {
    pub filter: String,
}

/// One packet of a list.
pub struct XashListPacket {
    pub datagram: ReceivedDatagram,
    pub key: Option<u32>,
    pub family: ListFamily,
    /// Every record, including the last of zeros.
    pub records: Vec<SocketAddr>,
}

impl TestMessages for XashMessages {
    const SERVICE: &'static str = LISTS;
    const REQUEST: &'static str = "an s in answer to the heartbeat";
    const MASTER: &'static MasterMessages = &simulate::families::xash3d::master::XASH_LIST;
    type Challenge = u32;
    /// Words behind the client's version and key.
    type List<'l> = &'l str;

    /// A server of version 0.21 with one player on six places, and a gamedir of its own.
    fn new(ctx: &TestContext<'_>) -> (Self, ServerInfo) {
        let game = ctx.game();
        (Self { filter: filter_of(&game) }, messages::xash_server_info().with("gamedir", game))
    }

    fn set(&mut self, key: &str, value: &str) {
        if key == "gamedir" {
            self.filter = filter_of(value);
        }
    }

    fn heartbeat(&self, _: SocketAddr) -> Vec<u8> {
        messages::xash_heartbeat(Some(XASH_KEY))
    }

    fn challenge(request: &[u8]) -> Option<u32> {
        messages::challenge(request)
    }

    fn answer(&self, info: &ServerInfo, challenge: &u32) -> Vec<u8> {
        Self::reply(info, Some(&challenge.to_string()))
    }

    /// The servers of its gamedir.
    fn list<'l>(server: &'l XashServer<'_>) -> &'l str {
        &server.messages.filter
    }

    fn request(_: &TestContext<'_>, words: &str) -> Vec<u8> {
        messages::get_xash_region(&xash_filter(words))
    }

    /// The list may be empty; then the target may not respond.
    fn collect(client: &XashClient<'_>, words: &str) -> Result<ReceivedList, Failure> {
        client.request_any(&Self::request(client.end.ctx(), words))
    }
}

impl GamedirMessages for XashMessages {
    fn filter(&self) -> &str {
        &self.filter
    }

    fn matching(filter: &str) -> &str {
        filter
    }

    fn reply(info: &ServerInfo, challenge: Option<&str>) -> Vec<u8> {
        messages::xash_reply(info, challenge)
    }
}

impl XashClient<'_> {
    /// Requests with this filter and nothing else.
    pub fn request_filter(&self, filter: &str) -> Result<ReceivedList, Failure> {
        self.request_any(&messages::get_xash_region(filter))
    }

    /// The same in the setup of a case; the list must not be empty, and is waited for.
    pub fn list_of_some(&self, filter: &str) -> Result<ReceivedList, Failure> {
        self.end.ctx().setup(|| self.request_bytes(&messages::get_xash_region(filter)))
    }
}

/// The packets of a list, with their heads.
pub fn packets(listed: &ReceivedList) -> impl Iterator<Item = XashListPacket> {
    listed.packets.iter().filter_map(|datagram| {
        messages::with_message(&datagram.bytes, |message| match message {
            HalfLife::Servers(list) => Some(XashListPacket {
                datagram: datagram.clone(),
                key: (list.head == ListHead::Key).then_some(list.key),
                family: list.family,
                records: list.servers.iter(list.family.form()).collect(),
            }),
            _ => None,
        })
    })
}
