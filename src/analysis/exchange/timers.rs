//! The timeouts of open exchanges, in time order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// An index in the table of open exchanges.
pub(super) type TimerSlot = u32;

/// The times at which exchanges end, in nanoseconds since the Unix epoch.
///
/// Most messages postpone a timeout, so that is done without touching the queue: an entry may be
/// earlier than the timeout of its exchange, never later, and is moved when it comes up. Entries
/// that were replaced or whose exchange has ended stay until they come up, or are too many.
#[derive(Default)]
pub(super) struct Timers {
    queue: BinaryHeap<Reverse<(i64, TimerSlot)>>,
    /// By slot.
    slots: Vec<Option<Timer>>,
    /// How many timers there are.
    count: usize,
}

/// How many entries without a timer there may be for each timer, and beside them.
const OBSOLETE: usize = 2;
const SPARE: usize = 64;

#[derive(Clone, Copy)]
struct Timer {
    due: i64,
    /// The time of its entry in the queue.
    queued: i64,
}

impl Timers {
    /// Sets the timeout of the exchange in `slot` to `due`, in place of any earlier value.
    pub fn set(&mut self, slot: TimerSlot, due: i64) {
        let at = slot as usize;
        if at >= self.slots.len() {
            self.slots.resize(at + 1, None);
        }
        let Some(timer) = self.slots.get_mut(at) else { return };
        if let Some(Timer { due: before, queued }) = timer
            && *queued <= due
        {
            *before = due;
            return;
        }
        self.count += usize::from(timer.is_none());
        *timer = Some(Timer { due, queued: due });
        self.queue.push(Reverse((due, slot)));
        self.limit();
    }

    /// The exchange in `slot` has ended.
    pub fn cancel(&mut self, slot: TimerSlot) {
        let timer = self.slots.get_mut(slot as usize).and_then(Option::take);
        self.count -= usize::from(timer.is_some());
    }

    /// The exchange with the first timeout, if that is before `now`.
    pub fn expired(&mut self, now: i64) -> Option<(i64, TimerSlot)> {
        if self.queue.peek().is_none_or(|Reverse((queued, _))| *queued >= now) {
            return None;
        }
        self.first().filter(|(due, _)| *due < now)
    }

    /// The exchange with the first timeout, and that time.
    pub fn first(&mut self) -> Option<(i64, TimerSlot)> {
        loop {
            let mut first = self.queue.peek_mut()?;
            let Reverse((queued, slot)) = *first;
            let timer = self.slots.get_mut(slot as usize).and_then(Option::as_mut);
            match timer.filter(|timer| timer.queued == queued) {
                Some(timer) if timer.due > queued => {
                    timer.queued = timer.due;
                    *first = Reverse((timer.due, slot));
                }
                Some(_) => return Some((queued, slot)),
                None => _ = PeekMut::pop(first),
            }
        }
    }

    /// Removes entries without a timer if there are too many.
    fn limit(&mut self) {
        if self.queue.len() <= (1 + OBSOLETE) * self.count + SPARE {
            return;
        }
        let timers = (0..).zip(&self.slots);
        let entries =
            timers.filter_map(|(slot, timer)| Some(Reverse((timer.as_ref()?.queued, slot))));
        self.queue = entries.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_comes_first_however_times_change() {
        let mut timers = Timers::default();
        for (slot, due) in [(0, 30), (1, 10), (2, 20)] {
            timers.set(slot, due);
        }
        timers.set(1, 40);
        timers.set(0, 5);
        assert_eq!(timers.expired(5), None, "what is due now has not waited too long");
        assert_eq!(timers.expired(6), Some((5, 0)));
        timers.cancel(0);
        assert_eq!(timers.first(), Some((20, 2)));
        timers.cancel(2);
        assert_eq!(timers.expired(40), None);
        assert_eq!(timers.expired(41), Some((40, 1)));
        timers.cancel(1);
        assert_eq!(timers.first(), None);
    }

    #[test]
    fn time_that_stands_still_or_goes_back_adds_few_entries() {
        let mut timers = Timers::default();
        for message in 0..1_000 {
            timers.set(0, 7);
            timers.set(1, 1_000 + message);
            timers.set(2, 1_000 - message);
            timers.set(3, 5 + 4 * (message % 2));
            assert_eq!(timers.count, 4);
            assert!(timers.queue.len() <= (1 + OBSOLETE) * 4 + SPARE);
        }
        assert_eq!(timers.first(), Some((1, 2)));
        (0..4).for_each(|slot| timers.cancel(slot));
        assert_eq!(timers.count, 0);
        for _ in 0..1_000 {
            timers.set(0, 7);
            timers.cancel(0);
            assert!(timers.queue.len() <= 1 + OBSOLETE + SPARE);
        }
        assert_eq!(timers.first(), None);
        assert!(timers.queue.is_empty());
    }
}
