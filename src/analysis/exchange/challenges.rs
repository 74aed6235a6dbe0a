//! Registrations by the challenges that masters sent: an answer that brings one back belongs there,
//! whichever question its flow takes it for. Flows only know which question is the oldest, and that
//! one's answer may be lost.

use std::collections::HashMap;
use std::net::SocketAddr;

use foldhash::fast::RandomState;

use super::settle::{bare, bits};
use super::timers::TimerSlot;
use crate::analysis::facts::{MessageValues, TextValue};
use crate::analysis::message::MessageHeader;

/// The server, the endpoint that asked, and the challenge; a number however it is written.
pub(super) type ChallengeKey = (SocketAddr, SocketAddr, TextValue);

/// The challenges of registrations that are open.
#[derive(Default)]
pub(super) struct OpenChallenges {
    by_sent: HashMap<ChallengeKey, TimerSlot, RandomState>,
}

impl OpenChallenges {
    /// The registration whose challenge an answer of a server brings back.
    pub fn find(&self, answer: &MessageHeader, facts: &MessageValues) -> Option<TimerSlot> {
        let sent = key(answer.source, answer.destination, facts.challenge.as_deref()?);
        self.by_sent.get(&sent).copied()
    }

    /// A master's question belongs to a registration; what to forget with that, where it is new.
    pub fn remember(
        &mut self,
        query: &MessageHeader,
        facts: &MessageValues,
        slot: TimerSlot,
    ) -> Option<ChallengeKey> {
        let sent = key(query.destination, query.source, facts.challenge.as_deref()?);
        (self.by_sent.insert(sent.clone(), slot) != Some(slot)).then_some(sent)
    }

    /// A registration is over, unless another one was sent the same challenge since.
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
