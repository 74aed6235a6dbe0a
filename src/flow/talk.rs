//! What a flow has in which messages were recognised, or may yet be; noise rarely gets one.

use super::evidence::Evidence;
use super::recognise::Protocols;
use super::requests::Requests;
use crate::proto::{entries, place_of};

/// How many kinds of messages of one flow are counted.
const KINDS: usize = 64;

/// The place of an entry in `proto::entries`, a name, and how many messages of it there were.
pub(super) type Kind = (u16, &'static str, u64);

/// The speaking part of a flow.
#[derive(Debug, Default)]
pub(super) struct Talk {
    /// Protocols of messages that no other could have said.
    pub spoken: Protocols,
    /// Protocols whose weak magic counts here, for an exchange was seen.
    pub confirmed: Protocols,
    pub evidence: Evidence,
    /// The challenge that was seen last.
    pub challenge: Option<Box<[u8]>>,
    /// Of the answer in several datagrams that was seen last: its number, and what it is called.
    pub parts: Option<(u32, &'static str)>,
    /// How many datagrams of a list that goes on have come.
    pub chain: u16,
    pub requests: Requests,
    /// Protocols under which words were taken that others share.
    pub shared: Protocols,
    /// How many messages of each kind.
    seen: Vec<Kind>,
    /// The same of those that weak magic suggests and nothing confirms yet.
    suspected: Vec<Kind>,
}

impl Talk {
    pub fn count(&mut self, entry: u16, name: &'static str) {
        add(&mut self.seen, (entry, name, 1));
    }

    pub fn suspect(&mut self, entry: u16, name: &'static str) {
        add(&mut self.suspected, (entry, name, 1));
    }

    /// The weak magic of a protocol counts from now on; how many suspected messages it makes
    /// messages.
    pub fn confirm(&mut self, protocol: usize) -> u64 {
        self.confirmed = self.confirmed.with(protocol);
        let mut confirmed = 0;
        for (entry, name, n) in std::mem::take(&mut self.suspected) {
            let known = entries().get(usize::from(entry));
            if known.and_then(|e| place_of(e)).is_some_and(|(of, _)| of == protocol) {
                add(&mut self.seen, (entry, name, n));
                confirmed += n;
            } else {
                self.suspected.push((entry, name, n));
            }
        }
        confirmed
    }

    pub fn seen(&self) -> &[Kind] {
        &self.seen
    }

    /// The protocol that most of its messages are of, by its id.
    pub fn protocol(&self) -> Option<&'static str> {
        let of = |entry: u16| entries().get(usize::from(entry)).map(|e| e.protocol);
        let weight = |id: &str| -> u64 {
            self.seen.iter().filter(|(e, ..)| of(*e) == Some(id)).map(|(.., n)| n).sum()
        };
        let ids = self.seen.iter().rev().filter_map(|(e, ..)| of(*e));
        ids.max_by_key(|id| weight(id))
    }
}

fn add(counts: &mut Vec<Kind>, (entry, name, n): Kind) {
    let is_full = counts.len() >= KINDS;
    match counts.iter_mut().find(|(e, m, _)| *e == entry && *m == name) {
        Some((.., count)) => *count += n,
        None if is_full => {}
        None => counts.push((entry, name, n)),
    }
}
