//! The rows of servers and of masters.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::TextList;
use super::knowledge::{HostKnowledge, LearntFlows};
use super::row::row;
use analysis::{
    Hosts, InputIndices, InputSet, MasterHost, RegistrationStats, RegistrationView, ServerHost,
    ShutdownKind, TextValue,
};
use filter::MatchingRows;
use flow::Verdict;
use protocol::Colours;
use render::uncoloured;
use text::shown;

row! {
    /// A server that sent a heartbeat, a response, or its details.
    ServerRow {
        file: Texts in "", "the captures in which it was seen, as they were given on the command line, in their order";
        server;
        server_port;
        game;
        certainty;
        protocols;
        hostname;
        hostname_plain;
        hostname_time: Time or none in "UTC", "when it last sent its name";
        map_name;
        map_name_time: Time or none in "UTC", "when it last sent the map";
        protocol;
        protocol_time: Time or none in "UTC", "when it last sent the protocol's number";
        players;
        players_time: Time or none in "UTC", "when it last sent `players`";
        max_players;
        max_players_time: Time or none in "UTC", "when it last sent `max_players`";
        first_seen;
        first_number: Number in "", "the frame that showed it first";
        last_sent: Time or none in "UTC", "when it last sent a heartbeat, an answer, or one of its details";
        first_answer: Time or none in "UTC", "when it first answered a request";
        heartbeats: Number in "", "how many heartbeats it sent, to all masters; those of a shutdown are none";
        first_heartbeat: Time or none in "UTC", "when its first heartbeat was captured";
        last_heartbeat: Time or none in "UTC", "when its last heartbeat was captured";
        heartbeat_interval_ns: Duration or none in "nanoseconds", "the mean time between heartbeats to one master, those within 5 seconds and that to a shutdown by two heartbeats left out";
        heartbeat_interval_min_ns: Duration or none in "nanoseconds", "the shortest of them";
        heartbeat_interval_max_ns: Duration or none in "nanoseconds", "the longest of them";
        heartbeat_drift_ns: Duration or none in "nanoseconds", "the mean less the documented interval of the game, if there is one; negative if heartbeats come early";
        masters: Texts in "", "the masters that it sent heartbeats to, as `address:port`";
        listed: Flag in "", "whether any master listed it";
        listed_where: Text in "", "which masters list it: `yes` (all that know it), `2 of 3`, `no` (and a step of a registration failed), `unseen` (no list shows it)";
        causes: Texts in "", "why registrations failed, each cause once, as in `registrations`";
        listed_by;
        first_listed;
        shutdown: Text in "", "how it shut down: `message` (it sent a shutdown message), `silence` (no heartbeat for 15 minutes), or empty";
        shutdown_time: Time or none in "UTC", "when it sent that message, or its last heartbeat before the silence";
        knowledge;
    }
}

row! {
    /// A server that a master listed.
    ListedRow {
        file: Texts in "", "as in `servers`";
        server;
        server_port;
        game;
        has_sent: Flag in "", "whether it is in `servers`: it sent a heartbeat, an answer, or one of its details";
        listed_by;
        first_listed;
        last_listed: Time or none in "UTC", "when it was last listed";
    }
}

row! {
    /// A master that received list requests or heartbeats, or sent lists.
    MasterRow {
        file: Texts in "", "as in `servers`";
        master: Address in "", "the master's address";
        master_port: Port in "", "the master's port";
        game;
        certainty;
        protocols;
        first_seen;
        heartbeats: Number in "", "how many heartbeats it got; those of a shutdown are none";
        list_requests: Number in "", "how many list requests it got";
        lists: Number in "", "how many lists it sent";
        servers_min: Number or none in "", "servers in the shortest list";
        servers_max: Number or none in "", "servers in the longest list";
        servers_mean: Decimal or none in "", "servers in a list, on average";
        bytes_min: Number or none in "bytes", "payload of the smallest list";
        bytes_max: Number or none in "bytes", "payload of the largest list";
        bytes_mean: Decimal or none in "bytes", "payload of a list, on average";
        packets_max: Number or none in "", "packets of the longest list";
        packets_mean: Decimal or none in "", "packets of a list, on average";
        end_marked: Number in "", "list packets with an end mark";
        end_partial: Number in "", "list packets that end in a part of an end mark";
        end_missing: Number in "", "list packets without an end mark";
        amplification: Decimal or none in "", "bytes of a list for a byte of its request, on average";
        knowledge;
    }
}

/// What rows of hosts are made of.
#[derive(Clone, Copy)]
pub(super) struct HostRowSource<'a> {
    pub hosts: &'a Hosts,
    /// Nothing if no table is made of them.
    pub registrations: Option<&'a RegistrationView<'a>>,
    /// Nothing where names are replaced.
    pub learnt: Option<LearntFlows<'a>>,
    pub inputs: &'a InputSet,
    /// The hosts with a selected message; nothing if all are selected.
    pub selected: Option<&'a MatchingRows>,
}

impl<'a> HostRowSource<'a> {
    /// The selected servers, in the order in which they were first seen.
    pub fn servers(&self) -> impl Iterator<Item = &'a ServerHost> {
        let selected = self.selected;
        let servers = self.hosts.servers().into_iter();
        servers.filter(move |server| selected.is_none_or(|rows| rows.is_server(server.address)))
    }

    /// The selected masters, in the same order.
    pub fn masters(&self) -> impl Iterator<Item = &'a MasterHost> {
        let selected = self.selected;
        let masters = self.hosts.masters().into_iter();
        masters.filter(move |master| selected.is_none_or(|rows| rows.is_master(master.address)))
    }
}

impl<'a> ServerRow<'a> {
    pub(super) fn new(from: HostRowSource<'_>, server: &'a ServerHost) -> Self {
        let HostRowSource { hosts, learnt, inputs, registrations, .. } = from;
        let summary = registrations.map(|all| all.summary(server)).unwrap_or_default();
        let known = HostKnowledge::new(learnt, server.address, Some(&server.sent));
        let text = |value: &'a Option<TextValue>| value.as_deref().map(shown).unwrap_or_default();
        let colours = server.verdict.map_or(Colours::None, |verdict| verdict.game.colours());
        let plain = server.name.as_ref().map(|name| uncoloured(name, colours));
        let (stats, times) = (&server.registrations, server.detail_times);
        let registered = stats.iter().filter(|d| d.heartbeats() > 0).map(|d| d.master);
        let first_heartbeat =
            stats.iter().filter_map(RegistrationStats::first_heartbeat).map(|m| m.time);
        let last_heartbeat =
            stats.iter().filter_map(RegistrationStats::last_heartbeat).map(|m| m.time);
        let listed = ListedRow::new(server, inputs);
        // Of the master that it sends most heartbeats to; of several, to which it did so first.
        let first = |d: &RegistrationStats| d.first_heartbeat().map(|m| (m.time, m.number()));
        let most = stats.iter().max_by_key(|d| (d.heartbeats(), Reverse(first(d))));
        let intervals = most.and_then(RegistrationStats::intervals);
        let documented = most.and_then(RegistrationStats::documented_interval);
        let (shutdown, shutdown_time) = match hosts.shutdown_of(server) {
            Some(ShutdownKind::Shutdown(at)) => ("message", Some(at.time)),
            Some(ShutdownKind::Silence(at)) => ("silence", Some(at.time)),
            None => ("", None),
        };
        Self {
            file: listed.file,
            server: server.address.ip(),
            server_port: server.address.port(),
            game: listed.game,
            certainty: certainty(server.verdict),
            protocols: known.protocols.iter().collect(),
            hostname: text(&server.name),
            hostname_plain: plain.unwrap_or_default().into(),
            hostname_time: server.name.as_ref().map(|_| times.name),
            map_name: text(&server.map),
            map_name_time: server.map.as_ref().map(|_| times.map),
            protocol: text(&server.protocol),
            protocol_time: server.protocol.as_ref().map(|_| times.protocol),
            players: server.players,
            players_time: server.players.map(|_| times.players),
            max_players: server.max_players,
            max_players_time: server.max_players.map(|_| times.max_players),
            first_seen: server.seen.time,
            first_number: server.seen.number(),
            last_sent: server.last_sent,
            first_answer: server.answered.map(|moment| moment.time),
            heartbeats: server.heartbeats(),
            first_heartbeat: first_heartbeat.min(),
            last_heartbeat: last_heartbeat.max(),
            heartbeat_interval_ns: intervals.map(|of| of.mean),
            heartbeat_interval_min_ns: intervals.map(|of| of.shortest),
            heartbeat_interval_max_ns: intervals.map(|of| of.longest),
            heartbeat_drift_ns: intervals
                .zip(documented)
                .map(|(of, documented)| of.mean - documented),
            masters: TextList::of_endpoints(registered),
            listed: summary.listed > 0,
            listed_where: summary.listed_words().into(),
            causes: summary.causes.iter().map(|cause| cause.name()).collect(),
            listed_by: listed.listed_by,
            first_listed: listed.first_listed,
            shutdown: shutdown.into(),
            shutdown_time,
            knowledge: known.json,
        }
    }
}

impl ListedRow<'_> {
    pub(super) fn new(server: &ServerHost, inputs: &InputSet) -> Self {
        let by = || server.registrations.iter().filter(|d| d.first_listed.is_some());
        Self {
            file: files(&server.inputs, inputs),
            server: server.address.ip(),
            server_port: server.address.port(),
            game: server.game_id(),
            has_sent: server.has_sent(),
            listed_by: TextList::of_endpoints(by().map(|d| d.master)),
            first_listed: by().filter_map(|d| d.first_listed).map(|m| m.time).min(),
            last_listed: by().filter_map(|d| d.last_listed).map(|m| m.time).max(),
        }
    }
}

impl<'a> MasterRow<'a> {
    pub(super) fn new(from: HostRowSource<'_>, master: &'a MasterHost) -> Self {
        let HostRowSource { learnt, inputs, .. } = from;
        let known = HostKnowledge::new(learnt, master.address, None);
        let lists = master.lists;
        let of = |number: u64| (lists > 0).then_some(number);
        let mean = |sum: u64| (lists > 0).then(|| sum as f64 / lists as f64);
        let [end_marked, end_partial, end_missing] = master.ends;
        let requested = master.request_bytes;
        Self {
            file: files(&master.inputs, inputs),
            master: master.address.ip(),
            master_port: master.address.port(),
            game: master.verdict.game.id,
            certainty: certainty(Some(master.verdict)),
            protocols: known.protocols.iter().collect(),
            first_seen: master.seen.time,
            heartbeats: master.heartbeats,
            list_requests: master.list_requests,
            lists,
            servers_min: of(master.servers.min),
            servers_max: of(master.servers.max),
            servers_mean: mean(master.servers.sum),
            bytes_min: of(master.bytes.min),
            bytes_max: of(master.bytes.max),
            bytes_mean: mean(master.bytes.sum),
            packets_max: of(master.packets.max),
            packets_mean: mean(master.packets.sum),
            end_marked,
            end_partial,
            end_missing,
            amplification: (requested > 0).then(|| master.bytes.sum as f64 / requested as f64),
            knowledge: known.json,
        }
    }
}

/// The paths of the inputs in which a host was seen.
pub(super) fn files(seen: &InputIndices, inputs: &InputSet) -> TextList<'static> {
    seen.iter().map(|input| inputs.file(input)).collect()
}

/// How certain the game is.
fn certainty(verdict: Option<Verdict>) -> Cow<'static, str> {
    verdict.map_or("".into(), |verdict| verdict.confidence.name().into())
}
