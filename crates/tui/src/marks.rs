//! The messages that the user has marked.

use super::action::Step;

/// The marked messages, by their session indices: the latest last.
#[derive(Debug, Clone, Default)]
pub struct Marks(Vec<usize>);

impl Marks {
    /// Marks a message, or removes its mark; returns whether it is marked.
    pub fn toggle(&mut self, message: usize) -> bool {
        let before = self.0.len();
        self.0.retain(|marked| *marked != message);
        let is_new = self.0.len() == before;
        if is_new {
            self.0.push(message);
        }
        is_new
    }

    pub fn len(&self) -> usize {
        self.0.len()
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

    /// The next marked message after this one, or the one before it; around the end.
    pub fn after(&self, message: Option<usize>, step: Step) -> Option<usize> {
        let here = message.unwrap_or(0);
        match step {
            Step::Forward => {
                let behind = self.0.iter().filter(|marked| **marked > here).min();
                behind.or_else(|| self.0.iter().min()).copied()
            }
            Step::Back => {
                let before = self.0.iter().filter(|marked| **marked < here).max();
                before.or_else(|| self.0.iter().max()).copied()
            }
        }
    }

    /// The two messages to compare: the two marked last, or the marked one and this one.
    pub fn pair(&self, message: Option<usize>) -> Option<(usize, usize)> {
        match (self.0.as_slice(), message) {
            ([.., first, second], _) => Some((*first, *second)),
            ([marked], Some(message)) if *marked != message => Some((*marked, message)),
            _ => None,
        }
    }
}
