//! Which exchange a message belongs to: by the request that it answers, by the endpoints of open
//! exchanges, or a new one. The number of open exchanges is bounded, and each has a timeout.

use std::net::{IpAddr, SocketAddr};

use super::challenges::OpenChallenges;
use super::keyed::{KeyHash, Keyed};
use super::open::{OpenExchange, SlotKey, cut, reply_number};
use super::registrations::OpenRegistrations;
use super::silence::SilenceWatch;
use super::timers::{TimerSlot, Timers};
use super::{Exchange, ExchangeState, MessageTurn, PacketOfList, Placement};
use crate::analysis::facts::{ListEnd, MessageValues};
use crate::analysis::message::{CapturedMessage, MessageHeader};
use crate::flow::Flows;
use crate::protocol::{Entry, ExchangeKind};

/// Maximum number of open exchanges.
const OPEN: usize = 1 << 15;
/// Memory limit of all open exchanges, in bytes.
const WEIGHT: usize = 32 << 20;
/// Maximum number of keys per exchange; the oldest are removed.
const KEYS: usize = 32;
/// Timeout for an answer, in nanoseconds.
const PATIENCE: i64 = 30_000_000_000;
/// Timeout for more of an answer, in nanoseconds.
const LINGER: i64 = 5_000_000_000;

/// All exchanges that are open.
#[derive(Default)]
pub(in crate::analysis) struct Exchanges {
    pub(super) slots: Vec<Option<Box<OpenExchange>>>,
    pub(super) free: Vec<TimerSlot>,
    /// Their timeouts.
    pub(super) timers: Timers,
    /// Total size in bytes.
    pub(super) weight: usize,
    generation: u64,
    /// By the frame of a request and its id.
    pub(super) requests: Keyed<(u64, &'static str)>,
    /// By asker, asked and the request's id: the latest.
    pub(super) asked: Keyed<(SocketAddr, SocketAddr, &'static str)>,
    /// The same by the host that got the request, for answers from another port.
    pub(super) hosts: Keyed<(SocketAddr, IpAddr, &'static str)>,
    /// Registrations and shutdowns, by server and master.
    pub(super) registrations: OpenRegistrations,
    /// Servers that may be shutting down.
    pub(super) watch: SilenceWatch,
    /// Connections by client and server.
    pub(super) connections: Keyed<(SocketAddr, SocketAddr)>,
    /// Answers in parts, by receiver, sender, and the sender's number.
    pub(super) replies: Keyed<(SocketAddr, SocketAddr, u32)>,
    pub(super) challenges: OpenChallenges,
    /// Number of exchanges that were ended to free memory.
    pub(super) crowded_out: u64,
    /// The time of the last message.
    pub(super) now: i64,
}

impl Exchanges {
    /// Processes the next message, and passes on every exchange that has ended by then.
    pub fn take(
        &mut self,
        message: &CapturedMessage<'_>,
        facts: &MessageValues,
        flows: &Flows,
        over: &mut impl FnMut(Exchange),
    ) -> Option<Placement> {
        let header = &message.header;
        self.expire(header.time, flows, over);
        self.watch.observe(header);
        let (slot, turn) = match self.place(message, facts, flows) {
            Some(found) => found,
            None => (self.open(message, facts, flows, over), MessageTurn::Ask),
        };
        let is_request = self.join(slot, turn, message, facts);
        self.misdirect(slot, turn, message, facts);
        if turn == MessageTurn::Query
            && let Some(sent) = self.challenges.remember(header, facts, slot)
        {
            self.key(slot, SlotKey::Challenge(Box::new(sent)));
        }
        if is_request {
            self.remember(slot, header);
        } else {
            self.remember_answer(slot, message);
        }
        self.weigh(slot);
        let open = self.get(slot)?;
        let Exchange { id, affair, server, asked: master, proof, .. } = open.exchange;
        let placed = Placement { id, affair, turn, server, master, proof };
        while self.weight > WEIGHT && self.crowd_out(flows, over) {}
        Some(placed)
    }

    /// The capture ends: ends all exchanges.
    pub fn finish(&mut self, flows: &Flows, over: &mut impl FnMut(Exchange)) {
        let end = flows.iter().map(|(_, flow)| flow.last).max().unwrap_or(i64::MIN);
        self.expire(end, flows, over);
        let mut left: Vec<_> = (0..).zip(&self.slots).filter(|(_, open)| open.is_some()).collect();
        left.sort_by_key(|(_, open)| open.as_ref().map(|o| (o.exchange.first, o.generation)));
        let left: Vec<TimerSlot> = left.into_iter().map(|(slot, _)| slot).collect();
        for slot in left {
            self.end(slot, flows, over);
        }
    }

    /// Number of exchanges that were ended early because too many were open.
    pub fn crowded_out(&self) -> u64 {
        self.crowded_out
    }

    /// The request for the list that a message is a part of, if it was captured.
    pub fn request_of(&self, header: &MessageHeader) -> Option<&'static Entry> {
        let spec = &header.entry.spec;
        let number = header.answers.filter(|_| spec.part.is_some() && spec.has_end_mark)?;
        let slot = spec.answers.iter().find_map(|id| self.requests.get(&(number, *id)))?;
        self.get(slot)?.request().map(|(entry, _)| *entry)
    }

    /// The open exchange of a message, and what the message does in it.
    fn place(
        &self,
        message: &CapturedMessage<'_>,
        facts: &MessageValues,
        flows: &Flows,
    ) -> Option<(TimerSlot, MessageTurn)> {
        let header = &message.header;
        let spec = &header.entry.spec;
        if let Some(slot) = self.more_of_an_answer(message) {
            return Some((slot, MessageTurn::Answer));
        }
        let answered = header.answers.and_then(|number| {
            spec.answers.iter().find_map(|id| self.requests.get(&(number, *id)))
        });
        if let Some(slot) = answered {
            let affair = self.get(slot)?.exchange.affair;
            let asks_back = header.entry.is_request() && affair == ExchangeKind::Registration;
            let refuses = affair != ExchangeKind::Query
                && spec.refusal.is(facts.verdict.as_deref().unwrap_or_default());
            let turn = match (asks_back, refuses) {
                (true, _) => MessageTurn::Query,
                (_, true) => MessageTurn::Refuse,
                _ => MessageTurn::Answer,
            };
            let proves = turn == MessageTurn::Answer && affair == ExchangeKind::Registration;
            let proven = proves.then(|| self.challenges.find(header, facts)).flatten();
            return Some((proven.unwrap_or(slot), turn));
        }
        self.asked_back(header)
            .or_else(|| self.asked_again(message))
            .or_else(|| self.answered_elsewhere(header, flows))
    }

    /// Another part of an answer, whatever request the flow pairs it with; or another packet of a
    /// list whose request was not captured.
    fn more_of_an_answer(&self, message: &CapturedMessage<'_>) -> Option<TimerSlot> {
        let header = &message.header;
        let ends = (header.destination, header.source);
        if let Some(reply) = reply_number(message) {
            return self.replies.get(&(ends.0, ends.1, reply));
        }
        let is_list = !header.entry.is_request() && header.entry.exchange() == ExchangeKind::List;
        if !is_list || header.answers.is_some() {
            return None;
        }
        let slot = self.asked.get(&(ends.0, ends.1, header.entry.spec.id))?;
        (self.get(slot)?.exchange.state == ExchangeState::Unsolicited).then_some(slot)
    }

    /// A retry, or the next request after an answer that continues.
    fn asked_again(&self, message: &CapturedMessage<'_>) -> Option<(TimerSlot, MessageTurn)> {
        let CapturedMessage { header, payload } = message;
        let (source, destination) = (header.source, header.destination);
        let spec = &header.entry.spec;
        if spec.exchange == ExchangeKind::Connection
            && let Some(slot) = self.connections.get(&(source, destination))
        {
            let open = self.get(slot)?;
            let goes_on = open.led_on || !open.settled;
            return goes_on.then_some((
                slot,
                if open.led_on { MessageTurn::Ask } else { MessageTurn::Again },
            ));
        }
        let slot = self.asked.get(&(source, destination, spec.id))?;
        let open = self.get(slot)?;
        if spec.exchange == ExchangeKind::Registration && !spec.one_way {
            return Self::joins_registration(open, message).then_some((slot, MessageTurn::Again));
        }
        let again = open.exchange.steps.first().is_some_and(|step| step.name == header.name);
        let alone = again && open.exchange.replies() == 0;
        // A list request for another game is a different request.
        let same = spec.exchange != ExchangeKind::List
            || open.opening.as_ref().is_some_and(|(_, sent)| **sent == *cut(payload));
        (alone && same && !spec.one_way).then_some((slot, MessageTurn::Again))
    }

    /// An answer from this port to a request that went to another port of the same host.
    fn answered_elsewhere(
        &self,
        header: &MessageHeader,
        flows: &Flows,
    ) -> Option<(TimerSlot, MessageTurn)> {
        let spec = &header.entry.spec;
        let never_asked = flows.flow(header.flow).is_some_and(|flow| {
            let [there, back] = flow.traffic;
            let asked = if header.forward { back } else { there };
            asked.packets == 0
        });
        if spec.answers.is_empty() || header.answers.is_some() || !never_asked {
            return None;
        }
        let (asker, host) = (header.destination, header.source.ip());
        let slot = spec.answers.iter().find_map(|id| self.hosts.get(&(asker, host, *id)))?;
        let open = self.get(slot)?;
        let fits = open.exchange.replies() == 0 || open.exchange.from_other_port;
        fits.then_some((slot, MessageTurn::Answer))
    }

    /// Opens an exchange.
    fn open(
        &mut self,
        message: &CapturedMessage<'_>,
        facts: &MessageValues,
        flows: &Flows,
        over: &mut impl FnMut(Exchange),
    ) -> TimerSlot {
        if self.slots.len() - self.free.len() >= OPEN {
            self.crowd_out(flows, over);
        }
        self.generation += 1;
        let mut open = OpenExchange::new(message, facts, self.generation);
        open.exchange.crossed = self.crosses(&open, message.header.entry.spec.id);
        let exchange = &open.exchange;
        let (server, affair) = (exchange.server, exchange.affair);
        let ends = (exchange.asker, exchange.asked);
        let is_solicited = exchange.state != ExchangeState::Unsolicited;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() as TimerSlot - 1
        });
        if let Some(place) = self.slots.get_mut(slot as usize) {
            *place = Some(Box::new(open));
        }
        if is_solicited && matches!(affair, ExchangeKind::Registration | ExchangeKind::Shutdown) {
            let server = server.unwrap_or(ends.0);
            self.registrations.insert(server, ends.1, slot);
            self.key(slot, SlotKey::Registration(Box::new((server, ends.1))));
        }
        if is_solicited
            && matches!(
                affair,
                ExchangeKind::Registration | ExchangeKind::Shutdown | ExchangeKind::List
            )
        {
            self.registrations.learn(ends.1);
        }
        if is_solicited && affair == ExchangeKind::Connection {
            let key = self.connections.hash(&ends);
            self.connections.insert(key, slot);
            self.key(slot, SlotKey::Connection(key));
        }
        slot
    }

    /// Whether another list from the same master is in progress; that exchange is marked as crossed
    /// too.
    fn crosses(&mut self, open: &OpenExchange, id: &'static str) -> bool {
        let exchange = &open.exchange;
        if exchange.affair != ExchangeKind::List || exchange.state == ExchangeState::Unsolicited {
            return false;
        }
        let other = self.asked.get(&(exchange.asker, exchange.asked, id));
        let other = other.and_then(|slot| self.slots.get_mut(slot as usize)?.as_mut());
        let Some(other) = other else {
            return false;
        };
        let ended = |packet: &PacketOfList| packet.end == Some(ListEnd::Marked);
        let is_whole = other.exchange.listing().is_some_and(|l| l.packets.iter().any(ended));
        other.exchange.crossed |= !is_whole;
        !is_whole
    }

    /// Adds a message; whether answers to it are expected.
    fn join(
        &mut self,
        slot: TimerSlot,
        turn: MessageTurn,
        message: &CapturedMessage<'_>,
        facts: &MessageValues,
    ) -> bool {
        let Some(open) = self.slots.get_mut(slot as usize).and_then(Option::as_mut) else {
            return false;
        };
        let pair = open.pair;
        open.join(turn, message, facts);
        let solicited = open.exchange.state != ExchangeState::Unsolicited;
        let done = open.settled && !open.led_on || open.exchange.state == ExchangeState::Told;
        let patience = if done || !solicited { LINGER } else { PATIENCE };
        open.due = message.header.time.saturating_add(patience);
        self.watch_pair(slot, pair);
        self.set_timer(slot);
        solicited && !matches!(turn, MessageTurn::Answer | MessageTurn::Refuse)
    }

    /// Adds the keys by which answers to a request find the exchange.
    fn remember(&mut self, slot: TimerSlot, header: &MessageHeader) {
        let id = header.entry.spec.id;
        let (asker, asked) = (header.source, header.destination);
        let request = self.requests.hash(&(header.number, id));
        self.requests.insert(request, slot);
        self.key(slot, SlotKey::Request(request));
        let [ends, host] = self.hash_asked(asker, asked, id);
        self.hosts.insert(host, slot);
        if self.asked.insert(ends, slot) {
            self.key(slot, SlotKey::Asked { ends, host });
        }
    }

    /// The keys of a request by the endpoint it goes to, and by its host.
    fn hash_asked(&self, asker: SocketAddr, asked: SocketAddr, id: &'static str) -> [KeyHash; 2] {
        [self.asked.hash(&(asker, asked, id)), self.hosts.hash(&(asker, asked.ip(), id))]
    }

    /// Adds the key by which other parts of an answer find the exchange.
    fn remember_answer(&mut self, slot: TimerSlot, message: &CapturedMessage<'_>) {
        let header = &message.header;
        let ends = (header.destination, header.source);
        if let Some(reply) = reply_number(message) {
            let key = self.replies.hash(&(ends.0, ends.1, reply));
            if self.replies.insert(key, slot) {
                self.key(slot, SlotKey::Reply(key));
            }
        }
        let exchange = self.get(slot).map(|open| &open.exchange);
        let is_loose =
            |e: &Exchange| e.affair == ExchangeKind::List && e.state == ExchangeState::Unsolicited;
        if exchange.is_some_and(is_loose) {
            let id = header.entry.spec.id;
            let [ends, host] = self.hash_asked(ends.0, ends.1, id);
            if self.asked.insert(ends, slot) {
                self.key(slot, SlotKey::Asked { ends, host });
            }
        }
    }

    fn key(&mut self, slot: TimerSlot, key: SlotKey) {
        let Some(open) = self.slots.get_mut(slot as usize).and_then(Option::as_mut) else {
            return;
        };
        open.keys.push(key);
        if open.keys.len() > KEYS
            && let Some(key) = SlotKey::remove_oldest(&mut open.keys)
        {
            self.remove_key(slot, &key);
        }
    }

    pub(super) fn get(&self, slot: TimerSlot) -> Option<&OpenExchange> {
        self.slots.get(slot as usize)?.as_deref()
    }
}
