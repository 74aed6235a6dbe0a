//! What a flow has in which messages were recognised; noise never gets one.

use super::evidence::Evidence;
use super::requests::Requests;
use crate::proto::Protocol;

/// The speaking part of a flow.
#[derive(Debug)]
pub(super) struct Talk {
    pub protocol: &'static Protocol,
    pub evidence: Evidence,
    pub requests: Requests,
    /// How many messages of each entry, by its place in `proto::entries`.
    seen: Vec<(u16, u64)>,
}

impl Talk {
    pub fn new(protocol: &'static Protocol) -> Self {
        let (evidence, requests) = (Evidence::default(), Requests::default());
        Self { protocol, evidence, requests, seen: Vec::new() }
    }

    pub fn count(&mut self, entry: u16) {
        match self.seen.iter_mut().find(|(e, _)| *e == entry) {
            Some((_, n)) => *n += 1,
            None => self.seen.push((entry, 1)),
        }
    }

    pub fn seen(&self) -> &[(u16, u64)] {
        &self.seen
    }
}
