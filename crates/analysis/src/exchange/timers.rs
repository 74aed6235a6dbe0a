//! The timeouts of open exchanges, in time order.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// An index in the table of open exchanges.
pub(super) type TimerSlot = u32;

/// The times at which exchanges end, in nanoseconds since the Unix epoch.
///
/// Most messages postpone a timeout, so that is done without touching the queues: an entry may be
/// earlier than the timeout of its exchange, never later, and is moved when it comes up. Entries
/// that were replaced or whose exchange has ended stay until they come up, or are too many.
///
/// There are few different timeouts, and the time of messages mostly increases: most entries come
/// behind the last one of a queue that is in order.
#[derive(Default)]
pub(super) struct Timers {
    ordered: [VecDeque<TimerEntry>; QUEUES],
    others: BinaryHeap<Reverse<TimerEntry>>,
    /// The first entry of each queue, and of the others.
    fronts: [Option<TimerEntry>; QUEUES + 1],
    /// By slot.
    slots: Vec<Option<Timer>>,
    /// How many timers there are.
    count: usize,
}

/// A time, and the exchange that may end then.
type TimerEntry = (i64, TimerSlot);

/// How many queues are in order.
const QUEUES: usize = 3;
/// How many entries without a timer there may be for each timer, and beside them.
const OBSOLETE: usize = QUEUES + 1;
const SPARE: usize = 64;

#[derive(Clone, Copy)]
struct Timer {
    due: i64,
    /// The time of its entry in a queue.
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
        self.push((due, slot));
        self.limit();
    }

    /// The exchange in `slot` has ended.
    pub fn cancel(&mut self, slot: TimerSlot) {
        let timer = self.slots.get_mut(slot as usize).and_then(Option::take);
        self.count -= usize::from(timer.is_some());
    }

    /// The exchange with the first timeout, if that is before `now`.
    pub fn expired(&mut self, now: i64) -> Option<(i64, TimerSlot)> {
        if self.front().is_none_or(|(_, (queued, _))| queued >= now) {
            return None;
        }
        self.first().filter(|(due, _)| *due < now)
    }

    /// The exchange with the first timeout, and that time.
    pub fn first(&mut self) -> Option<(i64, TimerSlot)> {
        loop {
            let (queue, entry) = self.front()?;
            let (queued, slot) = entry;
            let timer = self.slots.get_mut(slot as usize).and_then(Option::as_mut);
            let timer = timer.filter(|timer| timer.queued == queued);
            let due = timer.as_ref().map(|timer| timer.due);
            if due == Some(queued) {
                return Some(entry);
            }
            if let Some(timer) = timer {
                timer.queued = timer.due;
            }
            match self.ordered.get_mut(queue) {
                Some(queue) => _ = queue.pop_front(),
                None => _ = self.others.pop(),
            }
            self.find_front(queue);
            if let Some(due) = due {
                self.push((due, slot));
            }
        }
    }

    /// The exchanges of entries before `now`, up to so many of each queue.
    pub fn queued_before(&self, now: i64, most: usize) -> impl Iterator<Item = TimerSlot> {
        let before = move |entry: &&TimerEntry| entry.0 < now;
        self.ordered
            .iter()
            .flat_map(move |queue| queue.iter().take(most).take_while(before))
            .map(|(_, slot)| *slot)
    }

    /// The first entry, and its queue.
    fn front(&self) -> Option<(usize, TimerEntry)> {
        let fronts = self.fronts.iter().enumerate();
        fronts.filter_map(|(queue, entry)| Some((queue, (*entry)?))).min_by_key(|(_, entry)| *entry)
    }

    /// Notes the first entry of a queue that has changed.
    fn find_front(&mut self, queue: usize) {
        if let Some(front) = self.fronts.get_mut(queue) {
            *front = match self.ordered.get(queue) {
                Some(queue) => queue.front().copied(),
                None => self.others.peek().map(|Reverse(entry)| *entry),
            };
        }
    }

    fn push(&mut self, entry: TimerEntry) {
        let fits = |queue: &VecDeque<_>| queue.back().is_none_or(|last| *last <= entry);
        let at = self.ordered.iter().position(fits).unwrap_or(QUEUES);
        match self.ordered.get_mut(at) {
            Some(queue) => queue.push_back(entry),
            None => self.others.push(Reverse(entry)),
        }
        self.find_front(at);
    }

    /// How many entries there are.
    fn entries(&self) -> usize {
        self.ordered.iter().map(VecDeque::len).sum::<usize>() + self.others.len()
    }

    /// Removes entries without a timer if there are too many.
    fn limit(&mut self) {
        if self.entries() <= (1 + OBSOLETE) * self.count + SPARE {
            return;
        }
        let Self { ordered, others, slots, .. } = self;
        let is_current = |(queued, slot): TimerEntry| {
            slots.get(slot as usize).copied().flatten().is_some_and(|timer| timer.queued == queued)
        };
        for queue in ordered {
            let mut before = None;
            queue.retain(|entry| is_current(*entry) && before.replace(*entry) != Some(*entry));
        }
        let mut rest = std::mem::take(others).into_vec();
        rest.retain(|Reverse(entry)| is_current(*entry));
        rest.sort_unstable();
        rest.dedup();
        *others = rest.into();
        (0..=QUEUES).for_each(|queue| self.find_front(queue));
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
            assert!(timers.entries() <= (1 + OBSOLETE) * 4 + SPARE);
        }
        assert_eq!(timers.first(), Some((1, 2)));
        (0..4).for_each(|slot| timers.cancel(slot));
        assert_eq!(timers.count, 0);
        for _ in 0..1_000 {
            timers.set(0, 7);
            timers.cancel(0);
            assert!(timers.entries() <= 1 + OBSOLETE + SPARE);
        }
        assert_eq!(timers.first(), None);
        assert_eq!(timers.entries(), 0);
    }
}
