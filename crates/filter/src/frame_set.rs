//! Sets of frames by number, one bit per frame: the frames that match a filter.

/// A set of frames.
#[derive(Debug, Default)]
pub struct FrameSet(Vec<u64>);

impl FrameSet {
    /// Higher frame numbers are not stored, and count as members of the set.
    const FRAMES: u64 = 1 << 28;

    /// Adds a frame.
    pub fn add_frame(&mut self, number: u64) {
        if number >= Self::FRAMES {
            return;
        }
        let at = (number / 64) as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        if let Some(word) = self.0.get_mut(at) {
            *word |= 1 << (number % 64);
        }
    }

    /// Whether a frame is in the set.
    pub fn has(&self, number: u64) -> bool {
        let word = self.0.get((number / 64) as usize);
        number >= Self::FRAMES || word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_marked_or_not() {
        let mut marked = FrameSet::default();
        for number in [1, 64, 65, 4_000] {
            marked.add_frame(number);
        }
        let found: Vec<_> = (0..5_000).filter(|number| marked.has(*number)).collect();
        assert_eq!(found, [1, 64, 65, 4_000]);
        marked.add_frame(u64::MAX);
        assert!(marked.has(u64::MAX) && marked.0.len() < 100);
    }
}
