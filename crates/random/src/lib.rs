//! Random numbers: those of the operating system, which cannot be predicted, and those of a seed,
//! which are the same in every run.
//!
//! It does not know what they are for.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io;

/// Fills a buffer with unpredictable bytes.
///
/// # Errors
/// If the operating system has none.
pub fn fill(bytes: &mut [u8]) -> io::Result<()> {
    getrandom::fill(bytes).map_err(io::Error::other)
}

/// Numbers that depend only on the seed: xorshift64 (Marsaglia 2003).
#[derive(Debug, Clone)]
pub struct SeededRandom(u64);

impl SeededRandom {
    /// `seed` must not be 0, from which only zeros would follow.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number of 64 bits.
    pub const fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        (self.number() % end.max(1) as u64) as usize
    }

    /// The next byte.
    pub const fn byte(&mut self) -> u8 {
        (self.number() >> 24) as u8
    }
}

/// A source of challenges: unpredictable, or, with a seed, the same each time.
pub struct Random {
    /// `None` for the operating system's numbers.
    seeded: Option<SeededRandom>,
    pool: [u8; 512],
    used: usize,
}

/// Characters not used in challenges, though printable: the five that end or separate texts
/// somewhere (document 004, 2) getinfo).
pub(crate) const FORBIDDEN: &[u8] = b"\\/;\"%";

impl Random {
    /// The operating system's source.
    ///
    /// # Errors
    /// If it has none.
    pub fn system() -> io::Result<Self> {
        let mut random = Self { seeded: None, pool: [0; 512], used: 0 };
        fill(&mut random.pool)?;
        Ok(random)
    }

    /// The same bytes for the same seed. For tests: the seed reveals the challenges.
    pub fn seeded(seed: u64) -> Self {
        Self {
            seeded: Some(SeededRandom::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)),
            pool: [0; 512],
            used: 512,
        }
    }

    /// Random text of `length` characters that are allowed in a challenge.
    pub fn text(&mut self, length: usize) -> Option<Vec<u8>> {
        (0..length)
            .map(|_| self.one_of(|b| b.is_ascii_graphic() && !FORBIDDEN.contains(&b)))
            .collect()
    }

    /// Random letters and digits.
    pub fn word(&mut self, length: usize) -> Option<Vec<u8>> {
        (0..length).map(|_| self.one_of(|b| b.is_ascii_alphanumeric())).collect()
    }

    /// A number from 1 to the largest of 31 bits.
    pub fn number(&mut self) -> Option<i32> {
        Some((self.unsigned()?.cast_signed() & i32::MAX).max(1))
    }

    /// A number from 1 to the largest of 32 bits.
    pub fn unsigned(&mut self) -> Option<u32> {
        let mut bytes = [0; 4];
        for byte in &mut bytes {
            *byte = self.byte()?;
        }
        Some(u32::from_le_bytes(bytes).max(1))
    }

    /// A number below `end`, which is at most 256; uniformly distributed.
    pub fn below(&mut self, end: u16) -> Option<u16> {
        let fair = 256 - 256 % end.max(1);
        loop {
            let byte = u16::from(self.byte()?);
            if byte < fair {
                return Some(byte % end.max(1));
            }
        }
    }

    /// A byte that `fits`; at least one must.
    fn one_of(&mut self, fits: impl Fn(u8) -> bool) -> Option<u8> {
        loop {
            let byte = self.byte()? & 0x7f;
            if fits(byte) {
                return Some(byte);
            }
        }
    }

    fn byte(&mut self) -> Option<u8> {
        if self.used == self.pool.len() {
            self.fill()?;
        }
        let byte = self.pool.get(self.used).copied();
        self.used += 1;
        byte
    }

    fn fill(&mut self) -> Option<()> {
        match &mut self.seeded {
            None => fill(&mut self.pool).ok()?,
            Some(seeded) => self.pool.fill_with(|| seeded.byte()),
        }
        self.used = 0;
        Some(())
    }
}

impl std::fmt::Debug for Random {
    /// Does not reveal the state.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Random")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn challenges_differ_and_hold_nothing_that_is_forbidden() {
        for mut random in [Random::system().unwrap(), Random::seeded(1)] {
            let mut texts: Vec<_> = (0..2000).map(|_| random.text(9).unwrap()).collect();
            let letters: Vec<u8> = texts.concat();
            assert!(letters.iter().all(|b| (33..=126).contains(b) && !FORBIDDEN.contains(b)));
            let all = (33..=126).filter(|b| !FORBIDDEN.contains(b));
            assert!(all.clone().all(|b| letters.contains(&b)), "89 characters are used");
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), 2000);
            assert!((0..2000).all(|_| random.number().unwrap() > 0));
            let high = (0..2000).filter(|_| random.unsigned().unwrap() > u32::MAX / 2).count();
            assert!((800..1200).contains(&high), "{high} of 2000 need the 32nd bit");
            let lengths: Vec<_> = (0..200).map(|_| random.below(4).unwrap()).collect();
            assert!((0..4).all(|n| lengths.contains(&n)) && lengths.iter().all(|n| *n < 4));
        }
    }

    #[test]
    fn a_seed_gives_the_same_bytes_again() {
        let text = |seed| Random::seeded(seed).text(12).unwrap();
        assert_eq!(text(7), text(7));
        assert_ne!(text(7), text(8));
    }
}
