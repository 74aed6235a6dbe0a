//! Finds registrations by the challenges that masters sent: an answer that returns one belongs
//! there, whichever request its flow pairs it with. Flows only know the oldest request, and the
//! answer to that one may be lost.

use std::collections::HashMap;
use std::net::SocketAddr;

use foldhash::fast::RandomState;

use super::settle::{bare, bits};
use super::timers::TimerSlot;
use crate::analysis::facts::{MessageValues, TextValue};
use crate::analysis::message::MessageHeader;

/// The server, the endpoint that sent the challenge, and the challenge; numbers are normalised.
pub(super) type ChallengeKey = (SocketAddr, SocketAddr, TextValue);

/// The challenges of registrations that are open.
#[derive(Default)]
pub(super) struct OpenChallenges {
    by_sent: HashMap<ChallengeKey, TimerSlot, RandomState>,
}

impl OpenChallenges {
    /// The registration whose challenge a server's answer returns.
    pub fn find(&self, answer: &MessageHeader, facts: &MessageValues) -> Option<TimerSlot> {
        let sent = key(answer.source, answer.destination, facts.challenge.as_deref()?);
        self.by_sent.get(&sent).copied()
    }

    /// Adds a master's challenge to a registration; returns the key to remove with the
    /// registration, if it is new.
    pub fn remember(
        &mut self,
        query: &MessageHeader,
        facts: &MessageValues,
        slot: TimerSlot,
    ) -> Option<ChallengeKey> {
        let sent = key(query.destination, query.source, facts.challenge.as_deref()?);
        (self.by_sent.insert(sent.clone(), slot) != Some(slot)).then_some(sent)
    }

    /// Removes a registration that ended, unless another one was sent the same challenge since.
    pub fn forget(&mut self, sent: &ChallengeKey, slot: TimerSlot) {
        if self.by_sent.get(sent) == Some(&slot) {
            self.by_sent.remove(sent);
        }
    }
}

fn key(server: SocketAddr, master: SocketAddr, challenge: &[u8]) -> ChallengeKey {
    let number = bits(challenge).map(|number| TextValue::from(number.to_string().as_bytes()));
    (server, master, number.unwrap_or_else(|| bare(challenge).into()))
}
