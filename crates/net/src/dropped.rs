//! A small, fixed-size set of the connections that were dropped for lack of memory.
//!
//! Later segments of such a connection begin in the middle of the stream. The endpoints of all
//! connections of a capture cannot be kept, so a Bloom filter keeps them: endpoints that were added
//! are always found, others rarely. After 100,000 connections one in 30 of the others is found.

use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;

use super::stream_event::EndpointPair;

/// Number of bits.
const BITS: usize = 1 << 20;

/// The endpoints of dropped connections.
#[derive(Default)]
pub(super) struct DroppedConnections {
    /// A fixed seed: the same capture always gives the same result.
    hasher: FixedState,
    /// Empty until the first one is added.
    words: Vec<u64>,
}

impl DroppedConnections {
    /// Adds the connection with these endpoints.
    pub fn add_connection(&mut self, ends: &EndpointPair) {
        if self.words.is_empty() {
            self.words = vec![0; BITS / 64];
        }
        for bit in self.bits(ends) {
            if let Some(word) = self.words.get_mut(bit / 64) {
                *word |= 1 << (bit % 64);
            }
        }
    }

    /// Whether the connection with these endpoints was dropped, or collides with one that was.
    pub fn may_have(&self, ends: &EndpointPair) -> bool {
        let is_set =
            |bit: usize| self.words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1);
        self.bits(ends).into_iter().all(is_set)
    }

    fn bits(&self, ends: &EndpointPair) -> [usize; 2] {
        let hash = self.hasher.hash_one(ends);
        [hash as u32, (hash >> 32) as u32].map(|direction| direction as usize % BITS)
    }
}
