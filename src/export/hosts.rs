//! The rows of servers and of masters.

use super::json;
use super::row::row;
use crate::analysis::{Hosts, Left, MasterHost, ServerHost};
use crate::protocol::Colours;
use crate::render::uncoloured;
use crate::text::shown;

row! {
    /// A server that sent a heartbeat or a response.
    ServerRow {
        server: Address in "", "the server's address";
        server_port: Number in "", "the port on which it is asked";
        game: Word in "", "the game that it speaks";
        name: Text in "", "what it is called, as it was sent, with its colours' codes; the last that it said";
        name_plain: Text in "", "the same without the codes";
        map: Text in "", "the map being played, the last that it said";
        protocol: Text in "", "its protocol's number";
        players: Integer or none in "", "how many play, the last that it said";
        places: Integer or none in "", "how many may";
        first: Time in "UTC", "when it was first seen";
        first_number: Number in "", "the frame that showed it first";
        answered: Time or none in "UTC", "when it first answered anybody";
        heartbeats: Number in "", "how many heartbeats it sent, to all masters";
        first_heartbeat: Time or none in "UTC", "when its first heartbeat was captured";
        last_heartbeat: Time or none in "UTC", "when its last heartbeat was captured";
        interval: Duration or none in "nanoseconds", "the mean time between heartbeats to one master, those within 5 seconds left out; 300 s are documented";
        interval_least: Duration or none in "nanoseconds", "the shortest of them";
        interval_most: Duration or none in "nanoseconds", "the longest of them";
        strays: Duration or none in "nanoseconds", "how far the mean is from the documented 300 s: behind it, or, negative, ahead";
        masters: Json in "", "the masters that it turned to, an array of addresses";
        listed: Flag in "", "whether any master listed it";
        listed_by: Json in "", "the masters that listed it, an array of addresses";
        first_listed: Time or none in "UTC", "when it was first listed";
        left: Text in "", "how it went: `goodbye`, `silence` (no heartbeat for 15 minutes), or empty";
        left_at: Time or none in "UTC", "when it said goodbye, or its last heartbeat before the silence";
    }
}

row! {
    /// A server that a master listed.
    ListedRow {
        server: Address in "", "the server's address";
        server_port: Number in "", "its port, as the list has it";
        game: Word in "", "the game that it speaks, else that of the list";
        spoke: Flag in "", "whether it is in `servers`: it sent a heartbeat, or answered anybody";
        listed_by: Json in "", "the masters that listed it, an array of addresses";
        first_listed: Time or none in "UTC", "when it was first listed";
        last_listed: Time or none in "UTC", "when it was last listed";
    }
}

row! {
    /// A master that received list requests or heartbeats.
    MasterRow {
        master: Address in "", "the master's address";
        master_port: Number in "", "the master's port";
        game: Word in "", "the game that is spoken with it";
        first: Time in "UTC", "when it was first seen";
        heartbeats: Number in "", "how many heartbeats it got";
        asked: Number in "", "how often it was asked for servers";
        lists: Number in "", "how many lists it gave";
        servers_least: Number or none in "", "servers in the shortest list";
        servers_most: Number or none in "", "servers in the longest list";
        servers_mean: Decimal or none in "", "servers in a list, on the average";
        bytes_least: Number or none in "bytes", "payload of the smallest list";
        bytes_most: Number or none in "bytes", "payload of the biggest list";
        bytes_mean: Decimal or none in "bytes", "payload of a list, on the average";
        packets_most: Number or none in "", "most packets of a list";
        packets_mean: Decimal or none in "", "packets of a list, on the average";
        marked: Number in "", "list packets that say that the list is complete";
        half_marked: Number in "", "list packets that end in half of such a mark";
        unmarked: Number in "", "list packets that do not say it";
        amplification: Decimal or none in "", "bytes of a list for a byte of its request, on the average";
    }
}

/// The documented time between heartbeats, in nanoseconds (document 001, 1.2.9).
const DOCUMENTED: i64 = 300_000_000_000;

/// Builds the rows of servers, with reused buffers.
#[derive(Default)]
pub(super) struct ServerRows {
    name: String,
    name_plain: String,
    map: String,
    protocol: String,
    masters: String,
    listed_by: String,
}

impl ServerRows {
    pub fn row(&mut self, hosts: &Hosts, server: &ServerHost) -> ServerRow<'_> {
        for (text, said) in [
            (&mut self.name, &server.name),
            (&mut self.map, &server.map),
            (&mut self.protocol, &server.protocol),
        ] {
            *text = said.as_ref().map(|said| shown(said)).unwrap_or_default();
        }
        let colours = server.verdict.map_or(Colours::None, |verdict| verdict.game.protocol.colours);
        let plain = server.name.as_ref().map(|name| uncoloured(name, colours));
        self.name_plain = plain.unwrap_or_default();
        let dealings = &server.dealings;
        let told = dealings.iter().filter(|d| d.heartbeats > 0).map(|d| d.master.to_string());
        self.masters = json::array(told);
        let by = dealings.iter().filter(|d| d.first_listed.is_some());
        self.listed_by = json::array(by.map(|d| d.master.to_string()));
        let first_heartbeat = dealings.iter().filter_map(|d| d.first_heartbeat).map(|m| m.time);
        let last_heartbeat = dealings.iter().filter_map(|d| d.last_heartbeat).map(|m| m.time);
        let first_listed = dealings.iter().filter_map(|d| d.first_listed).map(|m| m.time).min();
        // Of the master that it sends most heartbeats to.
        let most = dealings.iter().max_by_key(|d| d.heartbeats);
        let intervals = most.and_then(|d| d.intervals);
        let (left, left_at) = match hosts.left(server) {
            Some(Left::Goodbye(at)) => ("goodbye", Some(at.time)),
            Some(Left::Silence(at)) => ("silence", Some(at.time)),
            None => ("", None),
        };
        ServerRow {
            server: server.address.ip(),
            server_port: server.address.port().into(),
            game: server.verdict.map_or("", |verdict| verdict.game.id),
            name: &self.name,
            name_plain: &self.name_plain,
            map: &self.map,
            protocol: &self.protocol,
            players: server.players,
            places: server.places,
            first: server.seen.time,
            first_number: server.seen.number(),
            answered: server.answered.map(|moment| moment.time),
            heartbeats: server.heartbeats(),
            first_heartbeat: first_heartbeat.min(),
            last_heartbeat: last_heartbeat.max(),
            interval: intervals.map(|of| of.mean),
            interval_least: intervals.map(|of| of.shortest),
            interval_most: intervals.map(|of| of.longest),
            strays: intervals.map(|of| of.mean - DOCUMENTED),
            masters: self.masters.as_str().into(),
            listed: first_listed.is_some(),
            listed_by: self.listed_by.as_str().into(),
            first_listed,
            left,
            left_at,
        }
    }
}

/// Builds the rows of listed servers, with reused buffers.
#[derive(Default)]
pub(super) struct ListedRows {
    listed_by: String,
}

impl ListedRows {
    /// The row of a server; `None` if no master listed it.
    pub fn row(&mut self, server: &ServerHost) -> Option<ListedRow<'_>> {
        let by = || server.dealings.iter().filter(|d| d.first_listed.is_some());
        by().next()?;
        self.listed_by = json::array(by().map(|d| d.master.to_string()));
        Some(ListedRow {
            server: server.address.ip(),
            server_port: server.address.port().into(),
            game: server.verdict.map_or("", |verdict| verdict.game.id),
            spoke: server.spoke(),
            listed_by: self.listed_by.as_str().into(),
            first_listed: by().filter_map(|d| d.first_listed).map(|m| m.time).min(),
            last_listed: by().filter_map(|d| d.last_listed).map(|m| m.time).max(),
        })
    }
}

impl<'a> MasterRow<'a> {
    pub(super) fn of(master: &'a MasterHost) -> Self {
        let lists = master.lists;
        let of = |number: u64| (lists > 0).then_some(number);
        let mean = |sum: u64| (lists > 0).then(|| sum as f64 / lists as f64);
        let [marked, half_marked, unmarked] = master.ends;
        let asked = master.asked_bytes;
        Self {
            master: master.address.ip(),
            master_port: master.address.port().into(),
            game: master.verdict.game.id,
            first: master.seen.time,
            heartbeats: master.heartbeats,
            asked: master.asked,
            lists,
            servers_least: of(master.servers.least),
            servers_most: of(master.servers.most),
            servers_mean: mean(master.servers.sum),
            bytes_least: of(master.bytes.least),
            bytes_most: of(master.bytes.most),
            bytes_mean: mean(master.bytes.sum),
            packets_most: of(master.packets.most),
            packets_mean: mean(master.packets.sum),
            marked,
            half_marked,
            unmarked,
            amplification: (asked > 0).then(|| master.bytes.sum as f64 / asked as f64),
        }
    }
}
