//! Every server and every master in the capture, with what they report and their registrations.

mod listed;
mod lists;
mod servers;

use std::collections::hash_map::Entry as MapEntry;
use std::net::SocketAddr;

use super::endpoint_key::EndpointMap;
use super::exchange::{ChallengeProof, Exchange, MessageTurn, Placement};
use super::focus::Focus;
use super::host::{MasterHost, Range, ServerHost};
use super::input_indices::InputIndices;
use super::message::{CapturedMessage, MessageHeader};
use super::registration_stats::{Moment, RegistrationStats, ShutdownKind};
use super::values::{ListEnd, MessageValues, TextOf, TextValue};
use listed::{ListMoments, ListerId};
use protocol::{ExchangeKind, Role};
use servers::{ServerIndex, ServerTable};
use text::since;

pub(super) use listed::ListedTraits;
pub(super) use lists::is_list_of_master;

/// How many servers are kept, and how many masters; later ones are only counted.
const SERVERS: usize = 1 << 16;
const MASTERS: usize = 1 << 12;
/// Memory limit of all servers, in bytes.
const WEIGHT: usize = 28 << 20;
/// After how long without a heartbeat a server counts as gone, in nanoseconds: masters list it for
/// that long (document 004; 15 minutes).
pub const SILENCE: i64 = 900_000_000_000;
/// Within what time a server that shuts down notifies all its masters, in nanoseconds.
const TOGETHER: i64 = 250_000_000;

/// All servers and masters.
#[derive(Default)]
pub struct Hosts {
    servers: ServerTable,
    masters: EndpointMap<MasterHost>,
    /// The endpoints that send lists, and the recent packets of lists.
    listers: [EndpointMap<ListerId>; 2],
    moments: ListMoments,
    /// The indices of the servers of the current list, as far as they are known.
    found: Vec<Option<ServerIndex>>,
    listed: Vec<ListedTraits>,
    /// Servers with a higher limit than others.
    pub(super) focus: Focus,
    left_out: u64,
    /// Total size of the servers, in bytes.
    weight: usize,
    /// The time of the last message.
    now: i64,
}

impl Hosts {
    /// Processes a message and the exchange that it belongs to.
    pub(super) fn add_message(
        &mut self,
        message: &CapturedMessage<'_>,
        values: &MessageValues<'_>,
        placement: &Placement,
    ) {
        let header = &message.header;
        self.now = self.now.max(header.time);
        let moment = Moment::new(header.frame(), header.time);
        // An answer whose request was not captured is no heartbeat.
        let has_request = placement.step == placement.turn;
        if let (ExchangeKind::Registration | ExchangeKind::Shutdown, Some(server)) =
            (placement.kind, placement.server)
            && has_request
        {
            self.add_registration(header, placement, server, moment);
        }
        if header.direction.from == Some(Role::Server) {
            self.add_details(header, values, placement, moment);
        }
        if header.entry.spec.exchange == ExchangeKind::List
            && header.entry.is_request()
            && let Some(master) = self.master_mut(header.destination, header, moment)
        {
            master.list_requests += 1;
        }
        if is_list_of_master(header, placement) {
            _ = self.master_mut(placement.master, header, moment);
            self.add_list(header, values, placement.master, moment);
        }
    }

    /// Processes an exchange that has ended: counts complete lists, and detects shutdowns by two
    /// heartbeats.
    pub(super) fn add_exchange(&mut self, exchange: &Exchange) {
        if exchange.kind == ExchangeKind::Shutdown {
            self.shuts_down(exchange);
        }
        let (Some(listing), Some(address)) = (exchange.listing(), exchange.master()) else {
            return;
        };
        let Some(master) = self.masters.get_mut(&address.into()) else {
            return;
        };
        let [request_bytes, reply_bytes] = exchange.bytes;
        let first = master.lists == 0;
        master.lists += 1;
        master.servers.add_number(u64::from(listing.count), first);
        master.packets.add_number(listing.packets.len() as u64, first);
        master.bytes.add_number(reply_bytes, first);
        master.request_bytes += request_bytes;
        for packet in &listing.packets {
            let [marked, bare, open] = &mut master.ends;
            match packet.end {
                Some(ListEnd::Marked) => *marked += 1,
                Some(ListEnd::Bare) => *bare += 1,
                Some(ListEnd::Open) => *open += 1,
                None => {}
            }
        }
    }

    /// The server at an address.
    pub fn server(&self, address: SocketAddr) -> Option<&ServerHost> {
        self.servers.get(self.servers.find(address.into())?)
    }

    /// The master at an address.
    pub fn master(&self, address: SocketAddr) -> Option<&MasterHost> {
        self.masters.get(&address.into())
    }

    /// All servers, in the order in which they were first seen.
    pub fn servers(&self) -> Vec<&ServerHost> {
        let mut all: Vec<_> = self.servers.iter().collect();
        all.sort_by_key(|server| (server.seen.number(), server.address));
        all
    }

    /// All servers, in the order in which they were added.
    pub(super) fn as_added(&self) -> impl Iterator<Item = &ServerHost> {
        self.servers.iter()
    }

    /// All masters, in the order in which they were first seen.
    pub fn masters(&self) -> Vec<&MasterHost> {
        let mut all: Vec<_> = self.masters.values().collect();
        all.sort_by_key(|master| (master.seen.number(), master.address));
        all
    }

    /// How many occurrences of servers and masters were dropped because the tables were full.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// How a server shut down, as far as the capture goes.
    pub fn shutdown_of(&self, server: &ServerHost) -> Option<ShutdownKind> {
        let last = server.registrations.iter().filter_map(RegistrationStats::last_heartbeat);
        let last = last.max_by_key(|moment| moment.time);
        let back =
            |shutdown: Moment| last.is_some_and(|heartbeat| heartbeat.number() > shutdown.number());
        match (server.shutdown, last) {
            (Some(shutdown), _) if !back(shutdown) => Some(ShutdownKind::Shutdown(shutdown)),
            (_, Some(heartbeat))
                if since(heartbeat.time, self.now).is_some_and(|time| time >= SILENCE) =>
            {
                Some(ShutdownKind::Silence(heartbeat))
            }
            _ => None,
        }
    }

    fn add_registration(
        &mut self,
        header: &MessageHeader,
        placement: &Placement,
        address: SocketAddr,
        moment: Moment,
    ) {
        let is_heartbeat = matches!(placement.turn, MessageTurn::Request | MessageTurn::Retry);
        let master = if is_heartbeat { header.destination } else { placement.master };
        let mut master_seen = None;
        if is_heartbeat && let Some(master) = self.master_mut(master, header, moment) {
            master.heartbeats += u64::from(placement.kind == ExchangeKind::Registration);
            master_seen = Some(master.seen);
        }
        let Some(index) = self.find(address, moment) else {
            return;
        };
        let Some((server, listed)) = self.servers.both_mut(index) else {
            return;
        };
        if server.is_new_master(master) {
            listed.forget(server, &self.moments);
        }
        if is_heartbeat {
            let spec = &header.entry.spec;
            server.sends(header.verdict, moment.time, spec.shutdown_if_repeated);
        }
        if is_heartbeat && placement.kind == ExchangeKind::Shutdown {
            server.shutdown = Some(moment);
        }
        let Some(stats) = server.with(master) else {
            return;
        };
        match placement.turn {
            MessageTurn::Request | MessageTurn::Retry
                if placement.kind == ExchangeKind::Registration =>
            {
                let came_late =
                    |seen: Moment| since(seen.time, moment.time).is_some_and(|time| time > SILENCE);
                listed.traits.came_late |=
                    stats.first_heartbeat().is_none() && master_seen.is_some_and(came_late);
                listed.traits.is_known = true;
                let documented = header.entry.heartbeat_interval(header.verdict.game);
                stats.add_heartbeat(moment, documented);
            }
            MessageTurn::Query => {
                stats.add_challenge(moment);
            }
            MessageTurn::Answer
                if matches!(placement.proof, ChallengeProof::Right | ChallengeProof::NotSent) =>
            {
                stats.add_proof(moment);
            }
            _ => {}
        }
        self.weigh(index);
    }

    /// Records a shutdown. The server notifies all its masters at the same time, so the last
    /// heartbeat that it sent by then is part of that.
    fn shuts_down(&mut self, exchange: &Exchange) {
        let mut steps = exchange.steps.iter().filter(|step| step.source == exchange.requester);
        let (Some(address), Some(last)) = (exchange.server, steps.next_back()) else {
            return;
        };
        let index = self.servers.find(address.into());
        let Some(server) = index.and_then(|index| self.servers.get_mut(index)) else {
            return;
        };
        let sent = exchange.steps.iter().filter(|step| step.source == exchange.requester);
        // They were counted as heartbeats when they came.
        let pair = sent.filter(|step| step.entry.spec.shutdown_if_repeated).count() as u32;
        let is_master = |stats: &&mut RegistrationStats| stats.master == last.destination;
        if let Some(stats) = server.registrations.iter_mut().find(is_master) {
            stats.end(exchange.first..=last.time, pair);
        }
        if let Some(master) = self.masters.get_mut(&last.destination.into()) {
            master.heartbeats = master.heartbeats.saturating_sub(pair.into());
        }
        let until = last.time.saturating_add(TOGETHER);
        let heartbeats = server.registrations.iter().filter_map(RegistrationStats::last_heartbeat);
        let heartbeat = heartbeats
            .filter(|heartbeat| heartbeat.time <= until)
            .max_by_key(|heartbeat| heartbeat.time);
        let moment = Moment::new(last.frame(), last.time);
        let moment =
            heartbeat.filter(|heartbeat| heartbeat.number() > moment.number()).unwrap_or(moment);
        if server.shutdown.is_none_or(|before| before.number() < moment.number()) {
            server.shutdown = Some(moment);
        }
    }

    /// Records what a server reports about itself.
    fn add_details(
        &mut self,
        header: &MessageHeader,
        values: &MessageValues<'_>,
        placement: &Placement,
        moment: Moment,
    ) {
        let address = placement.server.unwrap_or(header.source);
        let is_answer = matches!(placement.turn, MessageTurn::Answer | MessageTurn::Refusal);
        let has_details =
            values.has(TextOf::Host) || values.has(TextOf::Map) || values.plain.players.is_some();
        if !is_answer && !has_details {
            return;
        }
        let Some(index) = self.find(address, moment) else {
            return;
        };
        let Some((server, listed)) = self.servers.both_mut(index) else {
            return;
        };
        server.sends(header.verdict, moment.time, header.entry.spec.shutdown_if_repeated);
        if is_answer {
            server.answered.get_or_insert(moment);
            listed.traits.is_known = true;
        }
        let (times, now) = (&mut server.detail_times, moment.time);
        if !server.full {
            let map = values.harmless(TextOf::Map);
            let protocol = values.harmless(TextOf::Protocol);
            update(&mut server.name, &mut times.name, values.text(TextOf::Host), now);
            update(&mut server.map, &mut times.map, map.as_deref(), now);
            update(&mut server.protocol, &mut times.protocol, protocol.as_deref(), now);
        }
        if placement.kind == ExchangeKind::Registration {
            let ServerHost { gamename, filtered, full, has_forgotten, .. } = server;
            for (kept, of) in [(gamename, TextOf::Gamename), (filtered, TextOf::Filtered)] {
                let text = values.text(of).filter(|text| kept.as_deref() != Some(*text));
                if *full && text.is_some() {
                    (*kept, *has_forgotten) = (None, true);
                } else {
                    update(kept, &mut 0, text, now);
                }
            }
        }
        // Names without more about the server may be those of some of its players alone.
        let are_all = values.has(TextOf::Host) || values.plain.max_players.is_some();
        let people = Some(i64::from(values.plain.named_players)).filter(|n| are_all && *n > 0);
        if let Some(players) = values.plain.players.or(people) {
            (server.players, times.players) = (Some(players), now);
        }
        if let Some(max_players) = values.plain.max_players {
            (server.max_players, times.max_players) = (Some(max_players), now);
        }
        self.weigh(index);
    }

    /// Updates the size of a server.
    fn weigh(&mut self, index: ServerIndex) {
        if let Some(server) = self.servers.get_mut(index) {
            let weight = server.weigh() + ServerTable::ENTRY as u32;
            self.weight = self.weight + weight as usize - server.weight as usize;
            server.weight = weight;
        }
    }

    /// The index of a server, which is added if there is room.
    fn find(&mut self, address: SocketAddr, seen: Moment) -> Option<ServerIndex> {
        let no_room = !self.focus.has_room(address, self.weight, WEIGHT);
        if let Some(index) = self.servers.find(address.into()) {
            let server = self.servers.get_mut(index)?;
            server.full = no_room;
            if !no_room {
                server.inputs.add_input(seen.input());
            }
            return Some(index);
        }
        if no_room || !self.focus.has_room(address, self.servers.len(), SERVERS) {
            self.left_out += 1;
            return None;
        }
        Some(self.servers.add_server(address, seen))
    }

    fn master_mut(
        &mut self,
        address: SocketAddr,
        header: &MessageHeader,
        seen: Moment,
    ) -> Option<&mut MasterHost> {
        let is_full = self.masters.len() >= MASTERS;
        match self.masters.entry(address.into()) {
            MapEntry::Occupied(known) => {
                let known = known.into_mut();
                known.inputs.add_input(seen.input());
                Some(known)
            }
            MapEntry::Vacant(_) if is_full => {
                self.left_out += 1;
                None
            }
            MapEntry::Vacant(vacant) => Some(vacant.insert(MasterHost {
                address,
                inputs: InputIndices::from_input(seen.input()),
                verdict: header.verdict,
                seen,
                heartbeats: 0,
                list_requests: 0,
                lists: 0,
                servers: Range::default(),
                packets: Range::default(),
                bytes: Range::default(),
                request_bytes: 0,
                ends: [0; 3],
            })),
        }
    }
}

/// Replaces a text, if there is another, and the time when it was sent.
fn update(current: &mut Option<TextValue>, time: &mut i64, text: Option<&[u8]>, now: i64) {
    if text.is_some() {
        *time = now;
        if current.as_deref() != text {
            *current = text.map(TextValue::from);
        }
    }
}
