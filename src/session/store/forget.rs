//! What is kept of messages that never end.

use std::collections::{BTreeMap, VecDeque};

use super::{Record, Records};
use crate::capture::Shelf;

impl Records {
    /// The message at a place among all that came; nothing where it is forgotten.
    pub(super) fn get(&self, index: usize) -> Option<&Record> {
        self.all.get(index.checked_sub(self.gone)?)
    }

    /// Forgets the oldest where there are too many, or their payloads are gone.
    pub(super) fn forget(&mut self, room: &Shelf) {
        while let Some(oldest) = self.all.front()
            && (self.all.len() > self.limit || !room.holds(oldest.place))
        {
            self.all.pop_front();
            self.extras.remove(&self.gone);
            self.gone += 1;
        }
    }
}

impl Default for Records {
    fn default() -> Self {
        let (all, extras) = (VecDeque::new(), BTreeMap::new());
        Self { all, gone: 0, limit: usize::MAX, extras }
    }
}
