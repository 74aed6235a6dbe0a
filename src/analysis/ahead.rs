//! Work that is done ahead of the thread that needs it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::thread;

use parking_lot::{Condvar, Mutex, MutexGuard};

/// How many jobs may be in progress or wait for an earlier one.
const AHEAD: usize = 8;

/// Fills jobs one after the other, works on them with all threads, and takes them in their order on
/// the calling thread, which works too while there is nothing to take; until `next` returns false
/// for the last job, or `take` breaks. Each thread has its own worker.
pub(super) fn work_ahead<J: Default + Send, W: FnMut(&mut J)>(
    threads: usize,
    next: impl FnMut(&mut J) -> bool + Send,
    worker: impl Fn() -> W + Sync,
    take: impl FnMut(&mut J) -> ControlFlow<()>,
) {
    let jobs = AheadJobs {
        source: Mutex::new(AheadSource { next, jobs: 0, ended: false }),
        queue: Mutex::new(AheadQueue {
            taken: 0,
            total: None,
            begun: 0,
            ready: BTreeMap::new(),
            spare: Vec::new(),
            broken: false,
        }),
        room: Condvar::new(),
        done: Condvar::new(),
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Without more threads, this one does all.
            let help = || jobs.help(worker());
            _ = thread::Builder::new().name("work".to_owned()).spawn_scoped(scope, help);
        }
        jobs.take_all(worker(), take);
    });
}

/// Jobs, and the threads that wait for them.
struct AheadJobs<N, J> {
    source: Mutex<AheadSource<N>>,
    queue: Mutex<AheadQueue<J>>,
    /// There is room for another job.
    room: Condvar,
    /// A job has been worked on, or there are no more.
    done: Condvar,
}

/// What all threads take jobs from.
struct AheadSource<N> {
    next: N,
    /// Number of jobs so far.
    jobs: u64,
    ended: bool,
}

/// Jobs on their way.
struct AheadQueue<J> {
    /// How many were taken: the number of the next one.
    taken: u64,
    /// How many there are, once that is known.
    total: Option<u64>,
    /// How many were begun and not taken.
    begun: usize,
    /// Those that have been worked on.
    ready: BTreeMap<u64, J>,
    /// Those that were taken, to be filled again.
    spare: Vec<J>,
    broken: bool,
}

impl<J: Default, N: FnMut(&mut J) -> bool> AheadJobs<N, J> {
    /// Works on jobs until there are no more.
    fn help(&self, mut work: impl FnMut(&mut J)) {
        loop {
            let mut queue = self.queue.lock();
            while !queue.broken && queue.begun >= AHEAD {
                self.room.wait(&mut queue);
            }
            let is_broken = queue.broken;
            drop(queue);
            if is_broken || !self.work_on_next(&mut work) {
                return;
            }
        }
    }

    /// Takes all jobs in order, and works on some.
    fn take_all(
        &self,
        mut work: impl FnMut(&mut J),
        mut take: impl FnMut(&mut J) -> ControlFlow<()>,
    ) {
        let mut queue = self.queue.lock();
        while !queue.broken && queue.total != Some(queue.taken) {
            let number = queue.taken;
            if let Some(mut job) = queue.ready.remove(&number) {
                let taken = MutexGuard::unlocked(&mut queue, || take(&mut job));
                queue.end_take(job, taken.is_break());
                self.room.notify_one();
            } else if queue.total.is_some() || queue.begun >= AHEAD {
                self.done.wait(&mut queue);
            } else {
                MutexGuard::unlocked(&mut queue, || self.work_on_next(&mut work));
            }
        }
        queue.broken = true;
        self.room.notify_all();
    }

    /// Fills the next job and works on it; false if there is none.
    fn work_on_next(&self, work: &mut impl FnMut(&mut J)) -> bool {
        let mut job = self.queue.lock().begin();
        let number = self.source.lock().fill(&mut job);
        if number.is_ok() {
            work(&mut job);
        }
        self.queue.lock().end_work(number, job);
        self.done.notify_one();
        number.is_ok()
    }
}

impl<N> AheadSource<N> {
    /// Fills a job and returns its number; after the last, how many there are.
    fn fill<J>(&mut self, job: &mut J) -> Result<u64, u64>
    where
        N: FnMut(&mut J) -> bool,
    {
        if self.ended {
            return Err(self.jobs);
        }
        self.ended = !(self.next)(job);
        self.jobs += 1;
        Ok(self.jobs - 1)
    }
}

impl<J: Default> AheadQueue<J> {
    fn begin(&mut self) -> J {
        self.begun += 1;
        self.spare.pop().unwrap_or_default()
    }

    /// A job of this number has been worked on; or there was none.
    fn end_work(&mut self, number: Result<u64, u64>, job: J) {
        match number {
            Ok(number) => _ = self.ready.insert(number, job),
            Err(total) => (self.begun, self.total) = (self.begun - 1, Some(total)),
        }
    }

    fn end_take(&mut self, job: J, is_broken: bool) {
        self.taken += 1;
        self.begun -= 1;
        self.broken = is_broken;
        self.spare.push(job);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of consecutive numbers, in order, by so many threads.
    fn sums(threads: usize, jobs: u64, most: usize) -> Vec<u64> {
        let (mut number, mut sums) = (0, Vec::new());
        work_ahead(
            threads,
            |(numbers, _): &mut (Vec<u64>, u64)| {
                numbers.clear();
                numbers.extend(number..number + 100);
                number += 100;
                number < jobs * 100
            },
            || |(numbers, sum): &mut (Vec<u64>, u64)| *sum = numbers.iter().sum(),
            |(_, sum)| {
                sums.push(*sum);
                if sums.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        sums
    }

    #[test]
    fn jobs_are_taken_in_order_with_any_number_of_threads() {
        let one = sums(1, 300, usize::MAX);
        assert_eq!(one.len(), 300);
        assert_eq!(one.iter().sum::<u64>(), (0..30_000).sum::<u64>());
        for threads in [1, 2, 3, 8] {
            for jobs in [1, 2, 300] {
                assert_eq!(sums(threads, jobs, usize::MAX), one[..jobs as usize]);
                assert_eq!(sums(threads, jobs, 7), one[..(jobs as usize).min(7)]);
            }
        }
    }
}
