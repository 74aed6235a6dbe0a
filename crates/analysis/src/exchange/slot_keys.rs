//! By which keys the next messages find an open exchange.

use super::keys::{ExchangeKey, KeyHash};
use super::open::SlotKey;
use super::pairing::Exchanges;
use super::timers::TimerSlot;
use super::{AnalysisBound, Exchange, ExchangeState};
use crate::message::MessageHeader;
use protocol::{ExchangeKind, Part};

/// Maximum number of keys per exchange, more than requests wait in a flow; the oldest are removed.
const KEYS: usize = 96;

impl Exchanges {
    /// Adds the keys by which answers to a request find the exchange.
    pub(super) fn remember(&mut self, slot: TimerSlot, header: &MessageHeader) {
        let id = header.entry.spec.id;
        let (requester, responder) = (header.source, header.destination);
        self.key(slot, &ExchangeKey::Request(header.number, id), SlotKey::Request);
        self.key(slot, &ExchangeKey::Host(requester, responder.ip(), id), SlotKey::Other);
        self.key(slot, &ExchangeKey::Endpoints(requester, responder, id), SlotKey::Other);
    }

    /// Adds the key by which other parts of an answer find the exchange.
    pub(super) fn remember_answer(
        &mut self,
        slot: TimerSlot,
        header: &MessageHeader,
        part: Option<Part>,
    ) {
        let ends = (header.destination, header.source);
        if let Some(Part { reply, .. }) = part {
            self.key(slot, &ExchangeKey::Parts(ends.0, ends.1, reply), SlotKey::Other);
        }
        let exchange = self.get(slot).map(|open| &open.exchange);
        let is_loose =
            |e: &Exchange| e.kind == ExchangeKind::List && e.state == ExchangeState::Unsolicited;
        if exchange.is_some_and(is_loose) {
            let key = ExchangeKey::Endpoints(ends.0, ends.1, header.entry.spec.id);
            self.key(slot, &key, SlotKey::Other);
        }
    }

    /// Makes an exchange known by a key.
    pub(super) fn key(
        &mut self,
        slot: TimerSlot,
        key: &ExchangeKey<'_>,
        of: fn(KeyHash) -> SlotKey,
    ) {
        let hash = self.keys.hash(key);
        if self.keys.insert(hash, slot) {
            self.add_key(slot, of(hash));
        }
    }

    pub(super) fn add_key(&mut self, slot: TimerSlot, key: SlotKey) {
        let Some(open) = self.slots.get_mut(slot as usize).and_then(Option::as_mut) else {
            return;
        };
        open.keys.push(key);
        if open.keys.len() > KEYS
            && let Some(key) = SlotKey::remove_oldest(&mut open.keys)
        {
            let registration = open.registration();
            if matches!(key, SlotKey::Request(_)) {
                open.exchange.bound.get_or_insert(AnalysisBound::Retries);
            }
            self.remove_key(slot, &key, registration);
        }
    }
}
