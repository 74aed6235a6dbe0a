//! Which connections were forgotten for want of room, in little and fixed room.
//!
//! What comes later of such a connection begins in its middle. The ends of as many connections as a
//! capture may have cannot be kept, so a set of bits keeps them (a Bloom filter): an end that was
//! added is always found, one that was not is found rarely. After 100,000 connections that is one
//! in 30.

use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;

use super::streams::EndpointPair;

/// How many bits there are.
const BITS: usize = 1 << 20;

/// The ends of forgotten connections.
#[derive(Default)]
pub(super) struct Forgotten {
    /// With a seed of its own, so that a capture always gives the same.
    hasher: FixedState,
    /// Nothing until there is one.
    words: Vec<u64>,
}

impl Forgotten {
    /// The connection of these ends is forgotten.
    pub fn add(&mut self, ends: &EndpointPair) {
        if self.words.is_empty() {
            self.words = vec![0; BITS / 64];
        }
        for bit in self.bits(ends) {
            if let Some(word) = self.words.get_mut(bit / 64) {
                *word |= 1 << (bit % 64);
            }
        }
    }

    /// Whether the connection of these ends was forgotten, or by chance looks as if it was.
    pub fn may_have(&self, ends: &EndpointPair) -> bool {
        let is_set =
            |bit: usize| self.words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1);
        self.bits(ends).into_iter().all(is_set)
    }

    fn bits(&self, ends: &EndpointPair) -> [usize; 2] {
        let hash = self.hasher.hash_one(ends);
        [hash as u32, (hash >> 32) as u32].map(|half| half as usize % BITS)
    }
}
