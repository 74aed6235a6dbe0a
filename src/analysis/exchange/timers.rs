//! The timeouts of open exchanges, in time order: one entry per exchange, however often its timeout
//! changes.

use std::collections::BTreeSet;

/// An index in the table of open exchanges.
pub(super) type TimerSlot = u32;

/// The times at which exchanges end, in nanoseconds since the Unix epoch.
///
/// Most messages postpone a timeout, so that is done without touching the queue: an entry may be
/// earlier than the timeout of its exchange, never later, and is moved when it comes up.
#[derive(Default)]
pub(super) struct Timers {
    queue: BTreeSet<(i64, TimerSlot)>,
    /// By slot.
    timers: Vec<Option<Timer>>,
}

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
        if at >= self.timers.len() {
            self.timers.resize(at + 1, None);
        }
        let Some(timer) = self.timers.get_mut(at) else { return };
        let queued = match *timer {
            Some(Timer { queued, .. }) if queued <= due => queued,
            Some(Timer { queued, .. }) => {
                self.queue.remove(&(queued, slot));
                self.queue.insert((due, slot));
                due
            }
            None => {
                self.queue.insert((due, slot));
                due
            }
        };
        *timer = Some(Timer { due, queued });
    }

    /// The exchange in `slot` has ended.
    pub fn cancel(&mut self, slot: TimerSlot) {
        if let Some(Timer { queued, .. }) =
            self.timers.get_mut(slot as usize).and_then(Option::take)
        {
            self.queue.remove(&(queued, slot));
        }
    }

    /// The exchange with the first timeout, if that is before `now`.
    pub fn expired(&mut self, now: i64) -> Option<(i64, TimerSlot)> {
        if self.queue.first().is_none_or(|(queued, _)| *queued >= now) {
            return None;
        }
        self.first().filter(|(due, _)| *due < now)
    }

    /// The exchange with the first timeout, and that time.
    pub fn first(&mut self) -> Option<(i64, TimerSlot)> {
        loop {
            let (queued, slot) = *self.queue.first()?;
            let timer = self.timers.get_mut(slot as usize).and_then(Option::as_mut);
            match timer {
                Some(timer) if timer.due > queued => {
                    timer.queued = timer.due;
                    self.queue.pop_first();
                    self.queue.insert((timer.due, slot));
                }
                Some(_) => return Some((queued, slot)),
                None => _ = self.queue.pop_first(),
            }
        }
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
    fn time_that_stands_still_or_goes_back_adds_no_entries() {
        let mut timers = Timers::default();
        for message in 0..1_000 {
            timers.set(0, 7);
            timers.set(1, 1_000 + message);
            timers.set(2, 1_000 - message);
            timers.set(3, 5 + 4 * (message % 2));
            assert_eq!(timers.queue.len(), 4);
        }
        (0..4).for_each(|slot| timers.cancel(slot));
        assert!(timers.queue.is_empty());
    }
}
