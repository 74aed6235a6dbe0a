//! The two messages that are marked to be compared.

/// The marked messages, by their session indices: the two latest.
#[derive(Debug, Clone, Default)]
pub struct Marks(Vec<usize>);

impl Marks {
    /// Marks a message, or removes its mark; of three marks the oldest is removed. Returns the
    /// message of that one.
    pub fn toggle(&mut self, message: usize) -> Option<usize> {
        let before = self.0.len();
        self.0.retain(|marked| *marked != message);
        if self.0.len() < before {
            return None;
        }
        self.0.push(message);
        let excess = self.0.len().saturating_sub(2);
        self.0.drain(..excess).next()
    }

    /// Removes the marks of messages before this one, which are no longer kept; false if there are
    /// none.
    pub fn forget(&mut self, gone: usize) -> bool {
        let before = self.0.len();
        self.0.retain(|marked| *marked >= gone);
        self.0.len() < before
    }

    pub fn has(&self, message: usize) -> bool {
        self.0.contains(&message)
    }

    /// The two messages to compare: both marked ones, or the marked one and this one.
    pub fn pair(&self, message: Option<usize>) -> Option<(usize, usize)> {
        match (self.0.as_slice(), message) {
            ([first, second], _) => Some((*first, *second)),
            ([marked], Some(message)) if *marked != message => Some((*marked, message)),
            _ => None,
        }
    }
}
