//! Xash3D's servers and clients, and the lists that clients get.

use std::net::SocketAddr;

use super::LISTS;
use crate::client::ListClient;
use crate::families::half_life::roles::{GamedirRole, gamedir};
use crate::list::ReceivedList;
use crate::server::{TestRole, TestServer};
use crate::{Failure, ReceivedDatagram, TestContext};
use protocols::half_life::{HalfLife, ListFamily, ListHead};
use simulate::ServerInfo;
use simulate::families::MasterMessages;
use simulate::families::half_life::messages;
use simulate::families::half_life::registering::{RegisteringXash, ServerFilter, XashListRequest};

/// A server, and a client.
pub type XashServer<'s> = TestServer<'s, XashRole>;
pub type XashClient<'s> = ListClient<'s, XashRole>;

/// The servers of cases, and the lists that hold them.
pub struct XashRole;

/// One packet of a list.
pub struct XashListPacket {
    pub datagram: ReceivedDatagram,
    pub key: Option<u32>,
    pub family: ListFamily,
    /// Every record, including the last of zeros.
    pub records: Vec<SocketAddr>,
}

impl TestRole for XashRole {
    const SERVICE: &'static str = LISTS;
    const REQUEST: &'static str = "an s in answer to the heartbeat";
    const MASTER: &'static MasterMessages = &simulate::families::xash3d::master::XASH_LIST;
    type Server = RegisteringXash;
    type List<'l> = XashListRequest<'l>;

    /// A server of version 0.21 with one player on six places, and a gamedir of its own.
    fn new(ctx: &TestContext<'_>) -> (RegisteringXash, ServerInfo) {
        (RegisteringXash, messages::xash_server_info().with("gamedir", ctx.game()))
    }

    /// The servers of its gamedir.
    fn list<'l>(server: &'l XashServer<'_>) -> XashListRequest<'l> {
        Self::matching(ServerFilter::Gamedir(gamedir(server)))
    }

    /// The list may be empty; then the target may not respond.
    fn collect(
        client: &XashClient<'_>,
        list: XashListRequest<'_>,
    ) -> Result<ReceivedList, Failure> {
        client.request_any(&client.encode(list))
    }
}

impl GamedirRole for XashRole {
    fn matching(filter: ServerFilter<'_>) -> XashListRequest<'_> {
        XashListRequest(filter)
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
