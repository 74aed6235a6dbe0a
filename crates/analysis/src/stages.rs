//! Stages of work on batches that overlap in time, in order.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::thread;

use parking_lot::{Condvar, Mutex, MutexGuard};

/// How many filled batches may wait. Filling goes on when half of them have been taken: to wake a
/// thread for each takes as long as a part of the work.
const WAITING: usize = 6;

/// Fills batches and takes them in order, until `fill` returns false for the last one or `take`
/// breaks. With two threads or more, the next batches are filled while one is taken; `fill` is told
/// whether others wait to be taken, so that it may do more for this one. Emptied batches are filled
/// again.
pub(super) fn overlap<T: Default + Send>(
    threads: usize,
    mut fill: impl FnMut(&mut T, bool) -> bool + Send,
    mut take: impl FnMut(&mut T) -> ControlFlow<()>,
) {
    let is_done = threads > 1 && overlap_threads(&mut fill, &mut take);
    let mut batch = T::default();
    let mut more = !is_done;
    while more {
        more = fill(&mut batch, false);
        more &= take(&mut batch).is_continue();
    }
}

/// The same with a thread that fills; false if the system refuses the thread.
fn overlap_threads<T: Default + Send>(
    fill: &mut (impl FnMut(&mut T, bool) -> bool + Send),
    take: &mut impl FnMut(&mut T) -> ControlFlow<()>,
) -> bool {
    let queue = BatchQueue::<T>::default();
    thread::scope(|scope| {
        let fill_all = || {
            let _end = QueueEnd(&queue);
            let mut more = true;
            while more {
                let (mut batch, others_wait) = queue.emptied();
                more = fill(&mut batch, others_wait);
                more &= queue.push(batch);
            }
        };
        let filling = thread::Builder::new().name("read".to_owned()).spawn_scoped(scope, fill_all);
        if filling.is_err() {
            return false;
        }
        let _end = QueueEnd(&queue);
        while let Some(mut batch) = queue.pop() {
            if take(&mut batch).is_break() {
                break;
            }
            queue.empty(batch);
        }
        true
    })
}

/// Batches between the thread that fills them and the one that takes them.
struct BatchQueue<T> {
    batches: Mutex<QueuedBatches<T>>,
    /// There is a batch, or the end, for the thread that takes them.
    filled: Condvar,
    /// There is room, or the end, for the thread that fills them.
    room: Condvar,
}

struct QueuedBatches<T> {
    filled: VecDeque<T>,
    /// Those that were taken, to be filled again.
    empty: Vec<T>,
    /// One of the two threads has ended.
    ended: bool,
}

/// Ends the queue when a thread stops, by a panic too: the other one must not wait for it.
struct QueueEnd<'a, T>(&'a BatchQueue<T>);

impl<T> Default for BatchQueue<T> {
    fn default() -> Self {
        let batches = QueuedBatches { filled: VecDeque::new(), empty: Vec::new(), ended: false };
        Self { batches: Mutex::new(batches), filled: Condvar::new(), room: Condvar::new() }
    }
}

impl<T: Default> BatchQueue<T> {
    /// A batch to be filled, and whether there are filled ones.
    fn emptied(&self) -> (T, bool) {
        let mut batches = self.batches.lock();
        let batch = batches.empty.pop().unwrap_or_default();
        (batch, !batches.filled.is_empty())
    }

    /// A batch that was taken.
    fn empty(&self, batch: T) {
        self.batches.lock().empty.push(batch);
    }

    /// Adds a filled batch, and waits for room if too many wait; false after the end.
    fn push(&self, batch: T) -> bool {
        let mut batches = self.batches.lock();
        batches.filled.push_back(batch);
        self.filled.notify_one();
        if batches.filled.len() >= WAITING {
            self.room.wait_while(&mut batches, |b| b.filled.len() > WAITING / 2 && !b.ended);
        }
        !batches.ended
    }

    /// The next batch, once there is one; nothing after the last.
    fn pop(&self) -> Option<T> {
        let mut batches = self.batches.lock();
        self.filled.wait_while(&mut batches, |b| b.filled.is_empty() && !b.ended);
        let batch = batches.filled.pop_front();
        if batches.filled.len() == WAITING / 2 {
            self.room.notify_one();
        }
        batch
    }
}

impl<T> Drop for QueueEnd<'_, T> {
    fn drop(&mut self) {
        let Self(queue) = self;
        queue.batches.lock().ended = true;
        queue.filled.notify_one();
        queue.room.notify_one();
    }
}

/// Does two things at the same time if there are two threads, else one after the other.
pub(super) fn both<T>(
    threads: usize,
    mut one: impl FnMut() + Send,
    other: impl FnOnce() -> T,
) -> T {
    let (is_done, result) = thread::scope(|scope| {
        let is_begun = threads > 1 && {
            let work = thread::Builder::new().name("work".to_owned());
            work.spawn_scoped(scope, &mut one).is_ok()
        };
        (is_begun, other())
    });
    if !is_done {
        one();
    }
    result
}

/// How many results may wait for an earlier one.
const AHEAD: usize = 8;

/// What all threads of [`in_order`] take jobs from.
struct JobSource<F> {
    next: F,
    /// Number of jobs so far.
    jobs: u64,
    ended: bool,
}

/// Where the threads of [`in_order`] leave results.
struct ResultQueue<R> {
    /// The number of the next result to be taken.
    next: u64,
    waiting: BTreeMap<u64, R>,
    /// Results that were taken, to be filled again.
    spare: Vec<R>,
    /// Whether a thread takes results. It also takes those that others leave meanwhile.
    is_taking: bool,
    broken: bool,
}

/// Gets jobs one after the other, works on them with all threads, and takes the results in the order
/// of the jobs; until `next` returns false for the last job, or `take` breaks. Each thread has its
/// own worker.
pub(super) fn in_order<J: Default, R: Default + Send, W: FnMut(&mut J, &mut R)>(
    threads: usize,
    next: impl FnMut(&mut J) -> bool + Send,
    worker: impl Fn() -> W + Sync,
    take: impl FnMut(&mut R) -> ControlFlow<()> + Send,
) {
    let source = Mutex::new(JobSource { next, jobs: 0, ended: false });
    let take = Mutex::new(take);
    let results = Mutex::new(ResultQueue {
        next: 0,
        waiting: BTreeMap::new(),
        spare: Vec::new(),
        is_taking: false,
        broken: false,
    });
    let room = Condvar::new();
    let work = || {
        let (mut work, mut job) = (worker(), J::default());
        loop {
            let number = {
                let mut source = source.lock();
                if source.ended {
                    return;
                }
                source.ended = !(source.next)(&mut job);
                source.jobs += 1;
                source.jobs - 1
            };
            let mut result = results.lock().spare.pop().unwrap_or_default();
            work(&mut job, &mut result);
            let mut results = results.lock();
            while results.has_to_wait(number) {
                room.wait(&mut results);
            }
            results.waiting.insert(number, result);
            while let Some(mut result) = results.begin_take() {
                let is_broken = MutexGuard::unlocked(&mut results, || {
                    let mut take = take.lock();
                    take(&mut result).is_break()
                });
                results.end_take(result, is_broken);
                room.notify_all();
            }
            if results.broken {
                drop(results);
                source.lock().ended = true;
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Without more threads, this one does all.
            _ = thread::Builder::new().name("work".to_owned()).spawn_scoped(scope, work);
        }
        work();
    });
}

impl<R> ResultQueue<R> {
    /// Whether too many results wait for an earlier one than that of this job.
    fn has_to_wait(&self, number: u64) -> bool {
        !self.broken && number != self.next && self.waiting.len() >= AHEAD
    }

    /// The next result, if it is there and no other thread takes one.
    fn begin_take(&mut self) -> Option<R> {
        if self.is_taking || self.broken {
            return None;
        }
        let result = self.waiting.remove(&self.next)?;
        self.is_taking = true;
        Some(result)
    }

    fn end_take(&mut self, result: R, is_broken: bool) {
        self.next += 1;
        self.spare.push(result);
        (self.is_taking, self.broken) = (false, is_broken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of consecutive numbers, in order, by so many threads.
    fn sums(threads: usize, jobs: u64, most: usize) -> Vec<u64> {
        let (mut number, mut sums) = (0, Vec::new());
        in_order(
            threads,
            |job: &mut Vec<u64>| {
                job.clear();
                job.extend(number..number + 100);
                number += 100;
                number < jobs * 100
            },
            || |job: &mut Vec<u64>, sum: &mut u64| *sum = job.iter().sum(),
            |sum| {
                sums.push(*sum);
                if sums.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        sums
    }

    #[test]
    fn results_are_in_order_with_any_number_of_threads() {
        let one = sums(1, 300, usize::MAX);
        assert_eq!(one.len(), 300);
        assert_eq!(one.iter().sum::<u64>(), (0..30_000).sum::<u64>());
        for threads in [2, 3, 8] {
            assert_eq!(sums(threads, 300, usize::MAX), one);
            assert_eq!(sums(threads, 300, 7), one[..7]);
        }
    }

    #[test]
    fn both_are_done_with_any_number_of_threads() {
        for threads in [1, 2, 3] {
            let mut done = 0;
            assert_eq!(both(threads, || done += 1, || 7), 7);
            assert_eq!(done, 1);
        }
    }

    #[test]
    fn batches_are_taken_in_order_until_the_end_or_a_break() {
        for threads in [1, 2] {
            for most in [5, 1000] {
                let (mut number, mut taken) = (0, Vec::new());
                overlap(
                    threads,
                    |batch: &mut u64, _| {
                        *batch = number;
                        number += 1;
                        number < 300
                    },
                    |batch| {
                        taken.push(*batch);
                        let goes_on = taken.len() < most;
                        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                    },
                );
                assert_eq!(taken, (0..most.min(300) as u64).collect::<Vec<_>>());
            }
        }
    }
}
