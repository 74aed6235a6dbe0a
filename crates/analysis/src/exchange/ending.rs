//! How exchanges end: by timeout, or because too many are open.

use std::net::SocketAddr;

use super::ended::EndedExchanges;
use super::open::{HeartbeatPair, OpenExchange, SlotKey};
use super::outcome::finish;
use super::pairing::Exchanges;
use super::silence::SILENCE;
use super::timers::TimerSlot;
use super::{AnalysisBound, Exchange};
use flow::Flows;

/// How many exchanges that have ended are kept for their memory.
const SPARE: usize = 1024;

impl Exchanges {
    /// The exchanges that the last message has ended, in order.
    pub fn ended(&self) -> impl Iterator<Item = &Exchange> {
        self.ended.range(0..self.ended.len())
    }

    /// Moves the exchanges that have ended to the end of a list.
    pub fn move_ended(&mut self, list: &mut EndedExchanges) {
        list.0.append(&mut self.ended.0);
    }

    /// Forgets the exchanges of a list; the memory of some is used again.
    pub fn forget(&mut self, list: &mut EndedExchanges) {
        let free = SPARE.saturating_sub(self.spare.len());
        self.spare.extend(list.0.drain(..).take(free));
    }

    /// Forgets the exchanges that have ended; the memory of some is used again.
    pub(super) fn forget_ended(&mut self) {
        let mut ended = std::mem::take(&mut self.ended);
        self.forget(&mut ended);
        self.ended = ended;
    }

    /// Ends the exchanges whose timeout has passed.
    pub(super) fn expire(&mut self, now: i64, flows: &Flows) {
        self.now = self.now.max(now);
        while let Some((time, slot)) = self.timers.expired(now) {
            self.check_silence(slot, flows);
            let goes_on =
                |open: &OpenExchange| open.pair != HeartbeatPair::Silent && open.due > time;
            if self.get(slot).is_some_and(goes_on) {
                self.set_timer(slot);
            } else {
                self.end(slot, flows);
            }
        }
    }

    /// Schedules the next check of an exchange: at its timeout, or when its server has been silent
    /// for long enough.
    pub(super) fn set_timer(&mut self, slot: TimerSlot) {
        let Some(open) = self.get(slot) else { return };
        let due = match open.pair {
            HeartbeatPair::Close(time) => open.due.min(time.saturating_add(SILENCE)),
            HeartbeatPair::None | HeartbeatPair::Silent => open.due,
        };
        self.timers.set(slot, due);
    }

    /// Ends the exchange with the nearest timeout to free memory.
    pub(super) fn end_nearest(&mut self, flows: &Flows) -> bool {
        let Some((_, slot)) = self.timers.first() else {
            return false;
        };
        self.ended_early += 1;
        self.bound(slot, AnalysisBound::OpenExchanges);
        self.end(slot, flows);
        true
    }

    /// Records that a limit was reached, after which a missing answer proves nothing.
    pub(super) fn bound(&mut self, slot: TimerSlot, bound: AnalysisBound) {
        if let Some(open) = self.slots.get_mut(slot as usize).and_then(Option::as_deref_mut) {
            open.exchange.bound.get_or_insert(bound);
        }
    }

    /// Updates the size of an exchange that got a message.
    pub(super) fn weigh(&mut self, slot: TimerSlot) {
        if let Some(open) = self.slots.get_mut(slot as usize).and_then(Option::as_mut) {
            self.weight -= open.weight;
            open.weight = open.weigh();
            self.weight += open.weight;
        }
    }

    pub(super) fn end(&mut self, slot: TimerSlot, flows: &Flows) {
        let Some(mut open) = self.slots.get_mut(slot as usize).and_then(Option::take) else {
            return;
        };
        self.timers.cancel(slot);
        self.weight -= open.weight;
        if let HeartbeatPair::Close(time) = open.pair {
            // The capture ends too early to prove silence.
            self.silence.end(open.exchange.requester, time);
        }
        let registration = open.registration();
        for key in &open.keys {
            self.remove_key(slot, key, registration);
        }
        self.free.push(slot);
        finish(&mut open, self.now, flows);
        self.ended.0.push(open);
    }

    /// Removes the key of an exchange, unless a later exchange uses it now. `registration`: its
    /// server and its master.
    pub(super) fn remove_key(
        &mut self,
        slot: TimerSlot,
        key: &SlotKey,
        registration: (SocketAddr, SocketAddr),
    ) {
        match key {
            SlotKey::Request(key) | SlotKey::Connection(key) | SlotKey::Other(key) => {
                self.keys.forget(*key, slot);
            }
            SlotKey::Registration => {
                let (server, master) = registration;
                self.registrations.forget(server, master, slot);
            }
        }
    }
}
