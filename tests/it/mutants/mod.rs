//! Mutated messages: seeded, so that every run gets the same.

use random::SeededRandom;

/// Changes messages.
pub struct Mutator(SeededRandom);

impl Mutator {
    pub fn new(seed: u64) -> Self {
        Self(SeededRandom::new(seed))
    }

    /// A number below `end`; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        self.0.below(end)
    }

    /// One to four changes: significant bytes, flipped bits, cuts, insertions, removals.
    pub fn mutate(&mut self, seed: &[u8]) -> Vec<u8> {
        let mut bytes = seed.to_vec();
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len());
            match self.below(5) {
                0 if !bytes.is_empty() => bytes[at] = b"\\\n \"/09EOT\0\xff;"[self.below(13)],
                1 if !bytes.is_empty() => bytes[at] ^= 1 << self.below(8),
                2 => bytes.truncate(at),
                3 => bytes.insert(at, b"\\\n \"/09\0\x20\xff"[self.below(10)]),
                _ if !bytes.is_empty() => drop(bytes.remove(at)),
                _ => {}
            }
        }
        bytes
    }
}
