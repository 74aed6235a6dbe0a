//! Every server and every master in the capture, with what they report and their registrations.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Place;
use std::net::SocketAddr;

use foldhash::fast::RandomState;

use super::exchange::{ChallengeProof, Exchange, MessageTurn, Placement};
use super::focus::Focus;
use super::host::{MasterHost, Range, ServerHost};
use super::message::{CapturedMessage, MessageHeader};
use super::registration_stats::{Left, Moment};
use super::values::{ListEnd, MessageValues};
use crate::protocol::{ExchangeKind, Role};

/// How many servers are kept, and how many masters; later ones are only counted.
const SERVERS: usize = 1 << 16;
const MASTERS: usize = 1 << 12;
/// Memory limit of all servers, in bytes.
const WEIGHT: usize = 28 << 20;
/// After how long without a heartbeat a server counts as gone, in nanoseconds: masters list it for
/// that long (document 004; 15 minutes).
pub(crate) const SILENCE: i64 = 900_000_000_000;
/// Within what time a server that shuts down notifies all its masters, in nanoseconds.
const TOGETHER: i64 = 250_000_000;

/// All servers and masters.
#[derive(Default)]
pub struct Hosts {
    /// Boxed: after a table has grown, half of it is empty.
    servers: HashMap<SocketAddr, Box<ServerHost>, RandomState>,
    masters: HashMap<SocketAddr, MasterHost, RandomState>,
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
        facts: &MessageValues,
        placed: &Placement,
    ) {
        let header = &message.header;
        self.now = self.now.max(header.time);
        let moment = Moment::new(header.number, header.time);
        if let (ExchangeKind::Registration | ExchangeKind::Shutdown, Some(server)) =
            (placed.kind, placed.server)
        {
            self.add_registration(header, placed, server, moment);
        }
        if header.direction.from == Some(Role::Server) {
            self.add_details(header, facts, placed, moment);
        }
        if header.entry.spec.exchange == ExchangeKind::List
            && header.entry.is_request()
            && let Some(master) = self.master_mut(header.destination, header, moment)
        {
            master.list_requests += 1;
        }
        if placed.kind == ExchangeKind::List && header.direction.from == Some(Role::Master) {
            for server in &facts.servers {
                self.listed(*server, placed.master, header, moment);
            }
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
        let Some(master) = self.masters.get_mut(&address) else {
            return;
        };
        let [asked, answered] = exchange.bytes;
        let first = master.lists == 0;
        master.lists += 1;
        master.servers.add(u64::from(listing.count), first);
        master.packets.add(listing.packets.len() as u64, first);
        master.bytes.add(answered, first);
        master.request_bytes += asked;
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
        self.servers.get(&address).map(Box::as_ref)
    }

    /// The master at an address.
    pub fn master(&self, address: SocketAddr) -> Option<&MasterHost> {
        self.masters.get(&address)
    }

    /// All servers, in the order in which they were first seen.
    pub fn servers(&self) -> Vec<&ServerHost> {
        let mut all: Vec<_> = self.servers.values().map(Box::as_ref).collect();
        all.sort_by_key(|server| (server.seen.number(), server.address));
        all
    }

    /// All masters, in the same order.
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
    pub fn how_it_left(&self, server: &ServerHost) -> Option<Left> {
        let last = server.registrations.iter().filter_map(|d| d.last_heartbeat);
        let last = last.max_by_key(|moment| moment.time);
        let back =
            |goodbye: Moment| last.is_some_and(|heartbeat| heartbeat.number() > goodbye.number());
        match (server.shutdown, last) {
            (Some(goodbye), _) if !back(goodbye) => Some(Left::Shutdown(goodbye)),
            (_, Some(heartbeat)) if self.now - heartbeat.time >= SILENCE => {
                Some(Left::Silence(heartbeat))
            }
            _ => None,
        }
    }

    fn add_registration(
        &mut self,
        header: &MessageHeader,
        placed: &Placement,
        address: SocketAddr,
        moment: Moment,
    ) {
        let is_heartbeat = matches!(placed.turn, MessageTurn::Request | MessageTurn::Retry);
        let master = if is_heartbeat { header.destination } else { placed.master };
        if is_heartbeat && let Some(master) = self.master_mut(master, header, moment) {
            master.heartbeats += 1;
        }
        let Some(server) = self.find(address, moment) else {
            return;
        };
        if is_heartbeat {
            server.verdict = Some(header.verdict);
        }
        if is_heartbeat && placed.kind == ExchangeKind::Shutdown {
            server.shutdown = Some(moment);
        }
        let Some(dealings) = server.with(master) else {
            return;
        };
        match placed.turn {
            MessageTurn::Request | MessageTurn::Retry
                if placed.kind == ExchangeKind::Registration =>
            {
                dealings.add_heartbeat(moment);
            }
            MessageTurn::Query => {
                dealings.challenged.get_or_insert(moment);
            }
            MessageTurn::Answer
                if matches!(placed.proof, ChallengeProof::Right | ChallengeProof::Unasked) =>
            {
                dealings.verified.get_or_insert(moment);
            }
            _ => {}
        }
        self.weigh(address);
    }

    /// Records a shutdown. The server notifies all its masters at the same time, so the last
    /// heartbeat that it sent by then is part of that.
    fn shuts_down(&mut self, exchange: &Exchange) {
        let mut said = exchange.steps.iter().filter(|step| step.source == exchange.requester);
        let (Some(address), Some(last)) = (exchange.server, said.next_back()) else {
            return;
        };
        let Some(server) = self.servers.get_mut(&address) else {
            return;
        };
        let until = last.time.saturating_add(TOGETHER);
        let heartbeats = server.registrations.iter().filter_map(|d| d.last_heartbeat);
        let heartbeat = heartbeats
            .filter(|heartbeat| heartbeat.time <= until)
            .max_by_key(|heartbeat| heartbeat.time);
        let told = Moment::new(last.number, last.time);
        let told = heartbeat.filter(|heartbeat| heartbeat.number() > told.number()).unwrap_or(told);
        if server.shutdown.is_none_or(|before| before.number() < told.number()) {
            server.shutdown = Some(told);
        }
    }

    /// Records what a server reports about itself.
    fn add_details(
        &mut self,
        header: &MessageHeader,
        facts: &MessageValues,
        placed: &Placement,
        moment: Moment,
    ) {
        let address = placed.server.unwrap_or(header.source);
        let is_answer = matches!(placed.turn, MessageTurn::Answer | MessageTurn::Refusal);
        let tells = facts.host.is_some() || facts.map.is_some() || facts.players.is_some();
        if !is_answer && !tells {
            return;
        }
        let Some(server) = self.find(address, moment) else {
            return;
        };
        server.verdict = Some(header.verdict);
        if is_answer {
            server.answered.get_or_insert(moment);
        }
        let news = [
            (&mut server.name, &facts.host),
            (&mut server.map, &facts.harmless(facts.map.as_ref())),
            (&mut server.protocol, &facts.harmless(facts.protocol.as_ref())),
        ];
        for (kept, said) in news {
            if said.is_some() && !server.full {
                kept.clone_from(said);
            }
        }
        if placed.kind == ExchangeKind::Registration && facts.gamename.is_some() {
            server.gamename.clone_from(&facts.gamename);
        }
        let people = (facts.named_players > 0).then_some(i64::from(facts.named_players));
        server.players = facts.players.or(people).or(server.players);
        server.max_players = facts.max_players.or(server.max_players);
        self.weigh(address);
    }

    fn listed(
        &mut self,
        address: SocketAddr,
        master: SocketAddr,
        header: &MessageHeader,
        moment: Moment,
    ) {
        let verdict = header.verdict;
        let Some(server) = self.find(address, moment) else {
            return;
        };
        server.verdict.get_or_insert(verdict);
        if let Some(dealings) = server.listed_by(master, header.transport) {
            dealings.listed += 1;
            dealings.first_listed.get_or_insert(moment);
            dealings.last_listed = Some(moment);
        }
        self.weigh(address);
    }

    /// Updates the size of a server.
    fn weigh(&mut self, address: SocketAddr) {
        if let Some(server) = self.servers.get_mut(&address) {
            let weight = server.weigh();
            self.weight = self.weight + weight as usize - server.weight as usize;
            server.weight = weight;
        }
    }

    fn find(&mut self, address: SocketAddr, seen: Moment) -> Option<&mut ServerHost> {
        let no_room = !self.focus.has_room(address, self.weight, WEIGHT);
        let is_full = !self.focus.has_room(address, self.servers.len(), SERVERS) || no_room;
        match self.servers.entry(address) {
            Place::Occupied(known) => {
                let known = known.into_mut();
                known.full = no_room;
                Some(known)
            }
            Place::Vacant(_) if is_full => {
                self.left_out += 1;
                None
            }
            Place::Vacant(place) => Some(place.insert(Box::new(ServerHost {
                address,
                verdict: None,
                name: None,
                map: None,
                protocol: None,
                gamename: None,
                players: None,
                max_players: None,
                seen,
                answered: None,
                registrations: Vec::new(),
                shutdown: None,
                weight: 0,
                full: false,
            }))),
        }
    }

    fn master_mut(
        &mut self,
        address: SocketAddr,
        header: &MessageHeader,
        seen: Moment,
    ) -> Option<&mut MasterHost> {
        let is_full = self.masters.len() >= MASTERS;
        match self.masters.entry(address) {
            Place::Occupied(known) => Some(known.into_mut()),
            Place::Vacant(_) if is_full => {
                self.left_out += 1;
                None
            }
            Place::Vacant(place) => Some(place.insert(MasterHost {
                address,
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
