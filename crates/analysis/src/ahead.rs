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
    work_ahead_in_order(threads, next, worker, |_| {}, take);
}

/// The same with a stage between: after the work on a job, and before it is taken, it is passed to
/// `pass`, in order, on any thread. So two things that are done in order are done at the same time.
pub(super) fn work_ahead_in_order<J: Default + Send, W: FnMut(&mut J)>(
    threads: usize,
    next: impl FnMut(&mut J) -> bool + Send,
    worker: impl Fn() -> W + Sync,
    pass: impl FnMut(&mut J) + Send,
    take: impl FnMut(&mut J) -> ControlFlow<()>,
) {
    let jobs = AheadJobs {
        source: Mutex::new(AheadSource { next, jobs: 0, ended: false }),
        pass: Mutex::new(pass),
        queue: Mutex::new(AheadQueue::default()),
        changed: Condvar::new(),
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
struct AheadJobs<N, P, J> {
    source: Mutex<AheadSource<N>>,
    pass: Mutex<P>,
    queue: Mutex<AheadQueue<J>>,
    /// There is something to do for a thread that waits.
    changed: Condvar,
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
    /// How many were passed, and how many were taken: the numbers of the next ones.
    passed: u64,
    taken: u64,
    /// How many there are, once that is known.
    total: Option<u64>,
    /// How many were begun and not taken.
    begun: usize,
    /// Whether a thread passes one.
    is_passing: bool,
    /// Those that have been worked on, and of these those that have been passed.
    worked_on: BTreeMap<u64, J>,
    ready: BTreeMap<u64, J>,
    /// Those that were taken, to be filled again.
    spare: Vec<J>,
    broken: bool,
}

impl<J: Default, N: FnMut(&mut J) -> bool, P: FnMut(&mut J)> AheadJobs<N, P, J> {
    /// Works on jobs and passes them until there are no more.
    fn help(&self, mut work: impl FnMut(&mut J)) {
        let mut queue = self.queue.lock();
        while !queue.broken && queue.total != Some(queue.passed) {
            self.go_on(&mut queue, &mut work);
        }
    }

    /// Takes all jobs in order, and does what else there is to do.
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
                self.changed.notify_all();
            } else {
                self.go_on(&mut queue, &mut work);
            }
        }
        queue.broken = true;
        self.changed.notify_all();
    }

    /// Passes the next job, or works on another one, or waits.
    fn go_on(&self, queue: &mut MutexGuard<'_, AheadQueue<J>>, work: &mut impl FnMut(&mut J)) {
        if let Some(mut job) = queue.begin_pass() {
            MutexGuard::unlocked(queue, || (self.pass.lock())(&mut job));
            queue.end_pass(job);
        } else if queue.total.is_none() && queue.begun < AHEAD {
            let mut job = queue.begin();
            let number = MutexGuard::unlocked(queue, || {
                let number = self.source.lock().fill(&mut job);
                if number.is_ok() {
                    work(&mut job);
                }
                number
            });
            queue.end_work(number, job);
        } else {
            self.changed.wait(queue);
            return;
        }
        self.changed.notify_all();
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

impl<J> Default for AheadQueue<J> {
    fn default() -> Self {
        Self {
            passed: 0,
            taken: 0,
            total: None,
            begun: 0,
            is_passing: false,
            worked_on: BTreeMap::new(),
            ready: BTreeMap::new(),
            spare: Vec::new(),
            broken: false,
        }
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
            Ok(number) => _ = self.worked_on.insert(number, job),
            Err(total) => (self.begun, self.total) = (self.begun - 1, Some(total)),
        }
    }

    /// The next job to pass, if it has been worked on and no other thread passes one.
    fn begin_pass(&mut self) -> Option<J> {
        let job = if self.is_passing { None } else { self.worked_on.remove(&self.passed) };
        self.is_passing |= job.is_some();
        job
    }

    fn end_pass(&mut self, job: J) {
        self.ready.insert(self.passed, job);
        self.passed += 1;
        self.is_passing = false;
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

    /// Sums of consecutive numbers, in order, by so many threads, each with that of those before.
    fn sums(threads: usize, jobs: u64, most: usize) -> Vec<u64> {
        let (mut number, mut before, mut sums) = (0, 0, Vec::new());
        work_ahead_in_order(
            threads,
            |(numbers, _): &mut (Vec<u64>, u64)| {
                numbers.clear();
                numbers.extend(number..number + 100);
                number += 100;
                number < jobs * 100
            },
            || |(numbers, sum): &mut (Vec<u64>, u64)| *sum = numbers.iter().sum(),
            |(_, sum)| {
                *sum += before;
                before = *sum;
            },
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
        assert_eq!(one.last(), Some(&(0..30_000).sum()));
        for threads in [1, 2, 3, 8] {
            for jobs in [1, 2, 300] {
                assert_eq!(sums(threads, jobs, usize::MAX), one[..jobs as usize]);
                assert_eq!(sums(threads, jobs, 7), one[..(jobs as usize).min(7)]);
            }
        }
    }
}
