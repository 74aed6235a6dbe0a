//! Which exchange a message belongs to: by the request that it answers, by the endpoints of open
//! exchanges, or a new one. The number of open exchanges is bounded, and each has a timeout.

use super::ended::EndedExchanges;
use super::keys::{ExchangeKey, KeyTable};
use super::open::{OpenExchange, SlotKey, cut, identifier, numbered_part};
use super::registrations::OpenRegistrations;
use super::silence::SilenceWatch;
use super::timers::{TimerSlot, Timers};
use super::{AnalysisBound, Exchange, ExchangeState, MessageTurn, PacketOfList, Placement};
use crate::message::{CapturedMessage, MessageHeader};
use crate::values::{ListEnd, MessageValues, TextOf};
use flow::Flows;
use protocol::{Entry, ExchangeKind, Part};

/// Maximum number of open exchanges.
const OPEN: usize = 1 << 15;
/// Memory limit of all open exchanges, in bytes.
const WEIGHT: usize = 32 << 20;
/// Timeout for an answer, in nanoseconds.
const TIMEOUT: i64 = 30_000_000_000;
/// Timeout for more of an answer, in nanoseconds.
const LINGER: i64 = 5_000_000_000;

/// All exchanges that are open.
#[derive(Default)]
pub struct Exchanges {
    pub(super) slots: Vec<Option<Box<OpenExchange>>>,
    pub(super) free: Vec<TimerSlot>,
    /// Those that the last message has ended.
    pub(super) ended: EndedExchanges,
    /// Those that have ended before, whose memory is used again.
    #[expect(clippy::vec_box, reason = "the boxes are used again")]
    pub(super) spare: Vec<Box<OpenExchange>>,
    /// Their timeouts.
    pub(super) timers: Timers,
    /// Total size in bytes.
    pub(super) weight: usize,
    generation: u64,
    pub(super) keys: KeyTable,
    /// Registrations and shutdowns, by server and master.
    pub(super) registrations: OpenRegistrations,
    /// Servers that may be shutting down.
    pub(super) silence: SilenceWatch,
    /// Number of exchanges that were ended to free memory.
    pub(super) ended_early: u64,
    /// The time of the last message.
    pub(super) now: i64,
}

impl Exchanges {
    /// Processes the next message with the values that it has alone. Returns the request that it
    /// answers, if its values depend on that, and its place.
    pub fn place(
        &mut self,
        message: &CapturedMessage<'_>,
        values: MessageValues<'_>,
        flows: &Flows,
    ) -> (Option<&'static Entry>, Option<Placement>) {
        let request = self.request_of(&message.header);
        let values = values.answering(message.header.entry, request);
        (request, self.place_message(message, &values, flows))
    }

    /// Processes the next message; [`Exchanges::ended`] has the exchanges that have ended by then.
    pub fn place_message(
        &mut self,
        message: &CapturedMessage<'_>,
        values: &MessageValues<'_>,
        flows: &Flows,
    ) -> Option<Placement> {
        let header = &message.header;
        self.forget_ended();
        self.expire(header.time, flows);
        self.silence.observe(header);
        if header.is_unknown() {
            return None;
        }
        let part = numbered_part(message);
        let (slot, turn) = match self.find(message, part, values, flows) {
            Some(found) => found,
            None => (self.open(message, values, flows), MessageTurn::Request),
        };
        let is_request = self.join(slot, turn, message, part, values);
        self.misdirect(slot, turn, message, values);
        if turn == MessageTurn::Query
            && let Some(challenge) = values.text(TextOf::Challenge)
        {
            let (server, master) = (header.destination, header.source);
            self.key(slot, &ExchangeKey::challenge(server, master, challenge), SlotKey::Other);
        }
        if is_request {
            self.remember(slot, header);
        } else {
            self.remember_answer(slot, header, part);
            // The server's answer may have an answer too: that of the master that lists it.
            if header.entry.is_request() {
                let key = ExchangeKey::Request(header.number, header.entry.spec.id);
                self.key(slot, &key, SlotKey::Request);
            }
        }
        self.weigh(slot);
        let open = self.get(slot)?;
        let Exchange { id, kind, server, responder: master, proof, .. } = open.exchange;
        let step = open.exchange.step_of(turn);
        let placement = Placement { id, kind, turn, step, server, master, proof };
        while self.weight > WEIGHT && self.end_nearest(flows) {}
        Some(placement)
    }

    /// The capture ends: ends all exchanges, in order, and passes each on to `ended`. Their memory is
    /// freed, before what takes the whole capture is concluded.
    pub fn finish(&mut self, flows: &Flows, mut ended: impl FnMut(&Exchange)) {
        self.forget_ended();
        self.expire(flows.end(), flows);
        self.ended().for_each(&mut ended);
        let mut left: Vec<_> = (0..).zip(&self.slots).filter(|(_, open)| open.is_some()).collect();
        left.sort_by_key(|(_, open)| open.as_ref().map(|o| (o.exchange.first, o.generation)));
        let left: Vec<TimerSlot> = left.into_iter().map(|(slot, _)| slot).collect();
        for slot in left {
            self.ended = EndedExchanges::default();
            self.end(slot, flows);
            self.ended().for_each(&mut ended);
        }
        *self = Self { ended_early: self.ended_early, now: self.now, ..Self::default() };
    }

    /// Number of exchanges that were ended early because too many were open.
    pub fn ended_early(&self) -> u64 {
        self.ended_early
    }

    /// The request for the list that a message is a part of, if it was captured.
    pub fn request_of(&self, header: &MessageHeader) -> Option<&'static Entry> {
        let spec = &header.entry.spec;
        let number = header.answers.filter(|_| spec.part.is_some() && spec.has_end_mark)?;
        let slot =
            spec.answers.iter().find_map(|id| self.keys.get(&ExchangeKey::Request(number, id)))?;
        self.get(slot)?.request().map(|(entry, _)| *entry)
    }

    /// The open exchange of a message, and what the message does in it.
    fn find(
        &self,
        message: &CapturedMessage<'_>,
        part: Option<Part>,
        values: &MessageValues<'_>,
        flows: &Flows,
    ) -> Option<(TimerSlot, MessageTurn)> {
        let header = &message.header;
        let spec = &header.entry.spec;
        let answered = header.answers.and_then(|number| {
            spec.answers.iter().find_map(|id| self.keys.get(&ExchangeKey::Request(number, id)))
        });
        if let Some(slot) = self.next_part(header, part, answered) {
            return Some((slot, MessageTurn::Answer));
        }
        if let Some(slot) = answered {
            let exchange = &self.get(slot)?.exchange;
            let (kind, server) = (exchange.kind, exchange.server.unwrap_or(exchange.requester));
            let is_registration = kind == ExchangeKind::Registration;
            // The server's answer may have an answer too: that of the master that lists it.
            let asks_back = is_registration && header.entry.is_request() && header.source != server;
            let refuses = kind != ExchangeKind::Query
                && spec.refusal.is(values.text(TextOf::Verdict).unwrap_or_default());
            let turn = match (asks_back, refuses) {
                (true, _) => MessageTurn::Query,
                (_, true) => MessageTurn::Refusal,
                _ => MessageTurn::Answer,
            };
            let proves = turn == MessageTurn::Answer && is_registration;
            let challenge = values.text(TextOf::Challenge).filter(|_| proves);
            let proven = challenge.and_then(|challenge| {
                let (server, master) = (header.source, header.destination);
                self.keys.get(&ExchangeKey::challenge(server, master, challenge))
            });
            return Some((proven.unwrap_or(slot), turn));
        }
        self.registration_of_challenge(header)
            .or_else(|| self.retried(message))
            .or_else(|| self.answered_from_other_port(header, flows))
    }

    /// Another part of an answer, whatever request the flow pairs it with, unless that is another one
    /// and the part came before: some askers use one number for all of their requests. Or another
    /// packet of a list whose request was not captured.
    fn next_part(
        &self,
        header: &MessageHeader,
        part: Option<Part>,
        answered: Option<TimerSlot>,
    ) -> Option<TimerSlot> {
        let ends = (header.destination, header.source);
        if let Some(part) = part {
            let slot = self.keys.get(&ExchangeKey::Parts(ends.0, ends.1, part.reply))?;
            let came_before = || self.get(slot).is_some_and(|open| open.parts.has_part(part));
            let is_of_other = answered.is_some_and(|answered| answered != slot) && came_before();
            return (!is_of_other).then_some(slot);
        }
        let is_list = !header.entry.is_request() && header.entry.exchange() == ExchangeKind::List;
        if !is_list || header.answers.is_some() {
            return None;
        }
        let slot = self.keys.get(&ExchangeKey::Endpoints(ends.0, ends.1, header.entry.spec.id))?;
        (self.get(slot)?.exchange.state == ExchangeState::Unsolicited).then_some(slot)
    }

    /// A retry, or the next request after an answer that continues.
    fn retried(&self, message: &CapturedMessage<'_>) -> Option<(TimerSlot, MessageTurn)> {
        let CapturedMessage { header, payload } = message;
        let (source, destination) = (header.source, header.destination);
        let spec = &header.entry.spec;
        if spec.exchange == ExchangeKind::Connection
            && let Some(slot) = self.keys.get(&ExchangeKey::Connection(source, destination))
        {
            let open = self.get(slot)?;
            let goes_on = open.continues || !open.is_answered;
            return goes_on.then_some((
                slot,
                if open.continues { MessageTurn::Request } else { MessageTurn::Retry },
            ));
        }
        let slot = self.keys.get(&ExchangeKey::Endpoints(source, destination, spec.id))?;
        let open = self.get(slot)?;
        if header.exchange_kind() == ExchangeKind::Registration && !spec.one_way {
            return Self::joins_registration(open, message).then_some((slot, MessageTurn::Retry));
        }
        let again = open.exchange.steps.first().is_some_and(|step| step.name == header.name);
        if again && open.continues {
            return Some((slot, MessageTurn::Request));
        }
        let is_other = |sent| open.identifier.is_some_and(|before| before != sent);
        let alone =
            again && open.exchange.replies() == 0 && !identifier(message).is_some_and(is_other);
        // A list request for another game is a different request.
        let same = spec.exchange != ExchangeKind::List
            || open.opening.as_ref().is_some_and(|(_, sent)| **sent == *cut(payload));
        (alone && same && !spec.one_way).then_some((slot, MessageTurn::Retry))
    }

    /// An answer from this port to a request that went to another port of the same host.
    fn answered_from_other_port(
        &self,
        header: &MessageHeader,
        flows: &Flows,
    ) -> Option<(TimerSlot, MessageTurn)> {
        let spec = &header.entry.spec;
        if spec.answers.is_empty() || header.answers.is_some() {
            return None;
        }
        let has_no_request = flows.flow(header.flow).is_some_and(|flow| {
            let [there, back] = flow.traffic;
            let requests = if header.forward { back } else { there };
            requests.packets == 0
        });
        if !has_no_request {
            return None;
        }
        let (requester, host) = (header.destination, header.source.ip());
        let slot = spec
            .answers
            .iter()
            .find_map(|id| self.keys.get(&ExchangeKey::Host(requester, host, id)))?;
        let open = self.get(slot)?;
        let fits = open.exchange.replies() == 0 || open.exchange.from_other_port;
        fits.then_some((slot, MessageTurn::Answer))
    }

    /// Opens an exchange.
    fn open(
        &mut self,
        message: &CapturedMessage<'_>,
        values: &MessageValues<'_>,
        flows: &Flows,
    ) -> TimerSlot {
        if self.slots.len() - self.free.len() >= OPEN {
            self.end_nearest(flows);
        }
        self.generation += 1;
        let mut spare = self.spare.pop();
        let steps = OpenExchange::spare_steps(spare.as_deref_mut());
        let mut open = OpenExchange::new(message, values, self.generation, steps);
        open.exchange.crossed = self.crosses(&open, message.header.entry.spec.id);
        let exchange = &open.exchange;
        let kind = exchange.kind;
        let ends = (exchange.requester, exchange.responder);
        let registration = open.registration();
        let is_solicited = exchange.state != ExchangeState::Unsolicited;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() as TimerSlot - 1
        });
        if let Some(free_slot) = self.slots.get_mut(slot as usize) {
            *free_slot = Some(match spare {
                Some(mut spare) => {
                    *spare = open;
                    spare
                }
                None => Box::new(open),
            });
        }
        if is_solicited && matches!(kind, ExchangeKind::Registration | ExchangeKind::Shutdown) {
            let (server, master) = registration;
            if let Some(forgotten) = self.registrations.insert(server, master, slot) {
                self.bound(forgotten, AnalysisBound::Masters);
            }
            self.add_key(slot, SlotKey::Registration);
        }
        if is_solicited
            && matches!(
                kind,
                ExchangeKind::Registration | ExchangeKind::Shutdown | ExchangeKind::List
            )
        {
            self.registrations.learn(ends.1);
        }
        if is_solicited && kind == ExchangeKind::Connection {
            self.key(slot, &ExchangeKey::Connection(ends.0, ends.1), SlotKey::Connection);
        }
        slot
    }

    /// Whether another list from the same master is in progress; that exchange is marked as crossed
    /// too.
    fn crosses(&mut self, open: &OpenExchange, id: &'static str) -> bool {
        let exchange = &open.exchange;
        if exchange.kind != ExchangeKind::List || exchange.state == ExchangeState::Unsolicited {
            return false;
        }
        let other =
            self.keys.get(&ExchangeKey::Endpoints(exchange.requester, exchange.responder, id));
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
        part: Option<Part>,
        values: &MessageValues<'_>,
    ) -> bool {
        let Some(open) = self.slots.get_mut(slot as usize).and_then(Option::as_mut) else {
            return false;
        };
        let pair = open.pair;
        open.join(turn, message, part, values);
        let solicited = open.exchange.state != ExchangeState::Unsolicited;
        let done =
            open.is_answered && !open.continues || open.exchange.state == ExchangeState::OneWay;
        let patience = if done || !solicited { LINGER } else { TIMEOUT };
        let time = message.header.time;
        // A frame without a time came at that of the frame before it.
        let time = if text::has_time(time) { time } else { self.now };
        open.due = time.saturating_add(patience);
        self.watch_pair(slot, pair);
        self.set_timer(slot);
        solicited && !matches!(turn, MessageTurn::Answer | MessageTurn::Refusal)
    }

    pub(super) fn get(&self, slot: TimerSlot) -> Option<&OpenExchange> {
        self.slots.get(slot as usize)?.as_deref()
    }
}
