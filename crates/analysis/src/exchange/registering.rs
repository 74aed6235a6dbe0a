//! Which registration a heartbeat, a challenge or an answer belongs to if a server has several
//! masters; and whether two heartbeats are a shutdown.

use super::open::{HeartbeatPair, OpenExchange};
use super::pairing::Exchanges;
use super::silence::{SILENCE, TOGETHER};
use super::timers::TimerSlot;
use super::{MessageTurn, Misdirected};
use crate::message::{CapturedMessage, MessageHeader};
use crate::sent_times::goes_on;
use crate::values::{MessageValues, TextOf};
use flow::Flows;
use protocol::{ExchangeKind, Role};

impl Exchanges {
    /// The registration of a challenge that a master sends to a server, from any port.
    ///
    /// A challenge from the port that got the heartbeat belongs to that registration. One from
    /// another port of the same address does so too, unless a separate master is known to be there:
    /// then it belongs to that master. If the server sent heartbeats to several masters at that
    /// address, it belongs to one that has not sent a challenge yet.
    pub(super) fn registration_of_challenge(
        &self,
        header: &MessageHeader,
    ) -> Option<(TimerSlot, MessageTurn)> {
        let kind = header.exchange_kind();
        if !header.entry.is_request()
            || !matches!(kind, ExchangeKind::Query | ExchangeKind::Connection)
        {
            return None;
        }
        let (server, source) = (header.destination, header.source);
        if self.registrations.has_none(server) {
            return None;
        }
        let exact = self.registrations.slot_of(server, source);
        let is_registration = |slot: &TimerSlot| {
            self.get(*slot).is_some_and(|o| o.exchange.kind == ExchangeKind::Registration)
        };
        if let Some(slot) = exact {
            return is_registration(&slot).then_some((slot, MessageTurn::Query));
        }
        let from_client = header.direction.from == Some(Role::Client);
        if from_client || source.ip() == server.ip() || self.registrations.is_master(source) {
            return None;
        }
        let same_host = |slot: &TimerSlot| {
            let of = |open: &OpenExchange| open.exchange.responder.ip() == source.ip();
            self.get(*slot).is_some_and(of) && is_registration(slot)
        };
        let waits = |slot: &TimerSlot| self.get(*slot).is_some_and(|open| !open.is_challenged());
        let slots = || self.registrations.all_of(server).filter(same_host);
        let slot = slots().find(waits).or_else(|| slots().last())?;
        Some((slot, MessageTurn::Query))
    }

    /// Whether a heartbeat belongs to the open registration: it comes at once after the one before
    /// it, or no challenge has come yet.
    pub(super) fn joins_registration(open: &OpenExchange, message: &CapturedMessage<'_>) -> bool {
        let spec = &message.header.entry.spec;
        let is_shutdown = spec.shutdown.is_some_and(|is_shutdown| is_shutdown(message.payload));
        let exchange = &open.exchange;
        if is_shutdown || exchange.kind != ExchangeKind::Registration || exchange.replies() > 0 {
            return false;
        }
        let time = message.header.time;
        let is_close = spec.shutdown_if_repeated && open.follows_closely(time);
        is_close || !open.is_challenged() && time - exchange.first <= TOGETHER
    }

    /// A heartbeat was added to its registration, whose last two were `before`: if it came at once
    /// after another one, the server is watched for silence.
    pub(super) fn watch_pair(&mut self, slot: TimerSlot, before: HeartbeatPair) {
        let Some(open) = self.slots.get(slot as usize).and_then(Option::as_deref) else {
            return;
        };
        if open.pair == before {
            return;
        }
        let requester = open.exchange.requester;
        if let HeartbeatPair::Close(time) = before {
            self.silence.end(requester, time);
        }
        if let HeartbeatPair::Close(time) = open.pair {
            self.silence.begin(requester, time);
        }
    }

    /// Checks, after two heartbeats close together, whether silence followed, in the captures of
    /// earlier runs too.
    pub(super) fn check_silence(&mut self, slot: TimerSlot, flows: &Flows) {
        let Some(open) = self.slots.get_mut(slot as usize).and_then(Option::as_deref_mut) else {
            return;
        };
        let HeartbeatPair::Close(time) = open.pair else {
            return;
        };
        if time.saturating_add(SILENCE) >= self.now {
            return;
        }
        let server = open.exchange.requester;
        let silent = self.silence.end(server, time)
            && open.exchange.replies() == 0
            && !goes_on(flows.known_to_send(server), time);
        open.pair = if silent { HeartbeatPair::Silent } else { HeartbeatPair::None };
    }

    /// Records in both registrations that a server returned the challenge of another of its
    /// masters.
    pub(super) fn misdirect(
        &mut self,
        slot: TimerSlot,
        turn: MessageTurn,
        message: &CapturedMessage<'_>,
        values: &MessageValues<'_>,
    ) {
        let header = &message.header;
        let Some(challenge) = values.text(TextOf::Challenge).filter(|c| !c.is_empty()) else {
            return;
        };
        let is_answer = matches!(turn, MessageTurn::Answer | MessageTurn::Refusal)
            || !header.entry.is_request();
        let Some(here) = self.get(slot).filter(|_| is_answer) else {
            return;
        };
        let master = here.exchange.responder;
        let is_registration = here.exchange.kind == ExchangeKind::Registration;
        let to = if is_registration { master } else { header.destination };
        if here.sent(challenge) {
            return;
        }
        let server = here.exchange.server.unwrap_or(header.source);
        let sent_it = |slot: &TimerSlot| {
            let of_other =
                |open: &OpenExchange| open.exchange.responder != to && open.sent(challenge);
            self.get(*slot).is_some_and(of_other)
        };
        let Some(other) = self.registrations.all_of(server).find(sent_it) else {
            return;
        };
        let frame = header.frame();
        let sender = self.get(other).map(|open| open.exchange.responder);
        if let Some(there) = self.slots.get_mut(other as usize).and_then(Option::as_mut) {
            there
                .exchange
                .misdirected
                .get_or_insert_with(|| Box::new(Misdirected { frame, other: to }));
        }
        if let (true, Some(sender)) = (is_registration, sender)
            && let Some(here) = self.slots.get_mut(slot as usize).and_then(Option::as_mut)
        {
            here.exchange
                .misdirected
                .get_or_insert_with(|| Box::new(Misdirected { frame, other: sender }));
        }
    }
}
