//! Which of the merged inputs a host was seen in.

use smallvec::SmallVec;

/// Indices of inputs: a bit for each of them, so that thousands of inputs take a few hundred bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputIndices(SmallVec<[u64; 2]>);

impl InputIndices {
    /// One input.
    pub fn from_input(input: u16) -> Self {
        let mut indices = Self(SmallVec::new());
        indices.add_input(input);
        indices
    }

    /// Adds an input.
    pub fn add_input(&mut self, input: u16) {
        let (word, bit) = (usize::from(input / 64), 1 << (input % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    /// In ascending order, the order of the command line.
    pub fn iter(&self) -> impl Iterator<Item = u16> {
        let bits = (0..).zip(&self.0).flat_map(|(at, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit)
        });
        bits.map(|index: u32| index as u16)
    }

    /// Its size on the heap, in bytes.
    pub fn weigh(&self) -> usize {
        if self.0.spilled() { size_of::<u64>() * self.0.capacity() } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_come_once_and_in_order() {
        let mut indices = InputIndices::from_input(130);
        for input in [3, 65_534, 3, 0, 130] {
            indices.add_input(input);
        }
        assert_eq!(indices.iter().collect::<Vec<_>>(), [0, 3, 130, 65_534]);
        assert!(indices.weigh() >= 65_535 / 8);
        assert_eq!(InputIndices::from_input(127).weigh(), 0, "few inputs need no heap");
    }
}
