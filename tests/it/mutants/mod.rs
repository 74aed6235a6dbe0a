//! Mutated messages: seeded, so that every run gets the same.

/// xorshift64, with its seed, which is not 0.
pub struct Random(pub u64);

impl Random {
    /// A number below `below`; 0 if there is none.
    pub fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
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
