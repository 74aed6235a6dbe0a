//! What a flow has in which messages were recognised, or may yet be; noise rarely gets one.

use super::evidence::Evidence;
use super::recognise::{Protocols, place_of};
use super::requests::Requests;
use crate::proto::entries;

/// How many kinds of messages of one flow are counted.
const KINDS: usize = 64;

/// The speaking part of a flow.
#[derive(Debug, Default)]
pub(super) struct Talk {
    /// Protocols of messages that no other could have said.
    pub spoken: Protocols,
    /// Protocols whose weak magic counts here, for an exchange was seen.
    pub confirmed: Protocols,
    pub evidence: Evidence,
    pub requests: Requests,
    /// Protocols under which words were taken that others share.
    pub shared: Protocols,
    /// How many messages of each entry, by its place in `proto::entries`.
    seen: Vec<(u16, u64)>,
    /// The same of those that weak magic suggests and nothing confirms yet.
    suspected: Vec<(u16, u64)>,
}

impl Talk {
    pub fn count(&mut self, entry: u16) {
        add(&mut self.seen, entry, 1);
    }

    pub fn suspect(&mut self, entry: u16) {
        add(&mut self.suspected, entry, 1);
    }

    /// The weak magic of a protocol counts from now on; how many suspected messages it makes
    /// messages.
    pub fn confirm(&mut self, protocol: usize) -> u64 {
        self.confirmed = self.confirmed.with(protocol);
        let mut confirmed = 0;
        for (entry, n) in std::mem::take(&mut self.suspected) {
            let known = entries().get(usize::from(entry));
            if known.and_then(|e| place_of(e)) == Some(protocol) {
                add(&mut self.seen, entry, n);
                confirmed += n;
            } else {
                self.suspected.push((entry, n));
            }
        }
        confirmed
    }

    pub fn seen(&self) -> &[(u16, u64)] {
        &self.seen
    }

    /// The protocol that most of its messages are of, by its id.
    pub fn protocol(&self) -> Option<&'static str> {
        let of = |entry: u16| entries().get(usize::from(entry)).map(|e| e.protocol);
        let weight = |id: &str| -> u64 {
            self.seen.iter().filter(|(e, _)| of(*e) == Some(id)).map(|(_, n)| n).sum()
        };
        let ids = self.seen.iter().rev().filter_map(|(e, _)| of(*e));
        ids.max_by_key(|id| weight(id))
    }
}

fn add(counts: &mut Vec<(u16, u64)>, entry: u16, n: u64) {
    let is_full = counts.len() >= KINDS;
    match counts.iter_mut().find(|(e, _)| *e == entry) {
        Some((_, count)) => *count += n,
        None if is_full => {}
        None => counts.push((entry, n)),
    }
}
