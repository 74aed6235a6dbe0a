//! Registrations by the challenges that masters sent: an answer that brings one back belongs there,
//! whichever question its flow takes it for. Flows only know which question is the oldest, and that
//! one's answer may be lost.

use std::collections::HashMap;
use std::net::SocketAddr;

use foldhash::fast::RandomState;

use super::settle::{bare, bits};
use super::timers::Slot;
use crate::session::facts::{Facts, Text};
use crate::session::message::Header;

/// The server, the endpoint that asked, and the challenge; a number however it is written.
pub(super) type Sent = (SocketAddr, SocketAddr, Text);

/// The challenges of registrations that are open.
#[derive(Default)]
pub(super) struct Challenges {
    by_sent: HashMap<Sent, Slot, RandomState>,
}

impl Challenges {
    /// The registration whose challenge an answer of a server brings back.
    pub fn find(&self, answer: &Header, facts: &Facts) -> Option<Slot> {
        let sent = key(answer.source, answer.destination, facts.challenge.as_deref()?);
        self.by_sent.get(&sent).copied()
    }

    /// A master's question belongs to a registration; what to forget with that, where it is new.
    pub fn remember(&mut self, query: &Header, facts: &Facts, slot: Slot) -> Option<Sent> {
        let sent = key(query.destination, query.source, facts.challenge.as_deref()?);
        (self.by_sent.insert(sent.clone(), slot) != Some(slot)).then_some(sent)
    }

    /// A registration is over, unless another one was sent the same challenge since.
    pub fn forget(&mut self, sent: &Sent, slot: Slot) {
        if self.by_sent.get(sent) == Some(&slot) {
            self.by_sent.remove(sent);
        }
    }
}

fn key(server: SocketAddr, master: SocketAddr, challenge: &[u8]) -> Sent {
    let number = bits(challenge).map(|number| Text::from(number.to_string().as_bytes()));
    (server, master, number.unwrap_or_else(|| bare(challenge).into()))
}
