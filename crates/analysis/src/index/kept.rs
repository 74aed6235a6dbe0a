//! The exchanges that an index keeps, in the order in which they began.

use super::record::ExchangeRecord;

/// Exchanges by their numbers. They come when they have ended; each is stored at once where it
/// belongs, near the ones before it, so that little is left to be sorted.
pub(super) struct KeptExchanges {
    /// An exchange at the position of its number.
    slots: Vec<Option<ExchangeRecord>>,
    limit: usize,
}

impl KeptExchanges {
    /// Room for so many numbers. Memory that is not used is not taken from the system, and nothing
    /// has to be moved.
    pub fn for_exchanges(limit: usize) -> Self {
        let slots = limit.saturating_add(1);
        Self { slots: Vec::with_capacity(slots), limit: slots }
    }

    /// Keeps an exchange of this number; false if there is no room for it.
    pub fn keep(&mut self, number: u64, record: ExchangeRecord) -> bool {
        let Some(at) = usize::try_from(number).ok().filter(|at| *at < self.limit) else {
            return false;
        };
        if self.slots.len() <= at {
            self.slots.resize_with(at + 1, || None);
        }
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = Some(record);
        }
        true
    }

    /// All of them by the time of their first message, then by its frame.
    #[expect(clippy::filter_map_identity, reason = "in the same memory, where flatten takes more")]
    pub fn into_sorted(self) -> Vec<ExchangeRecord> {
        let mut all: Vec<_> = self.slots.into_iter().filter_map(|slot| slot).collect();
        // Frames of several inputs may come out of the order of their times.
        if !all.is_sorted_by_key(ExchangeRecord::place) {
            all.sort_unstable_by_key(ExchangeRecord::place);
        }
        all.shrink_to_fit();
        all
    }
}
