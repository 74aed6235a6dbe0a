//! Work that takes long, in threads of its own: filters, searches, sorting, statistics, indices.
//!
//! A screen describes work by a function that reads the shared session and sends answers. Work of
//! the same kind for the same screen replaces earlier work, which is stopped; its answers are
//! dropped. Work that is repeated while a session grows is paced: it takes at most a fifth of the
//! time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::action::{Action, Answer};
use analysis::Session;
use text::Secrets;

/// What work is for; a screen has one of each kind at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkKind {
    /// Messages that match the display filter.
    Filter,
    Search,
    /// Rows in their order.
    Arrange,
    /// Exchanges, hosts and findings of the messages so far.
    Index,
    Statistics,
}

/// Work to be done.
pub struct Work {
    pub kind: WorkKind,
    /// Whether it is repeated while the session grows, and so is paced.
    pub is_paced: bool,
    pub run: Box<dyn FnOnce(&WorkContext) + Send>,
}

impl Work {
    pub fn new(kind: WorkKind, run: impl FnOnce(&WorkContext) + Send + 'static) -> Self {
        Self { kind, is_paced: false, run: Box::new(run) }
    }

    #[must_use]
    pub fn paced(self, is_paced: bool) -> Self {
        Self { is_paced, ..self }
    }
}

/// What work is done with.
pub struct WorkContext {
    pub session: Arc<Mutex<Session>>,
    pub secrets: Secrets,
    /// How many threads may work.
    pub threads: usize,
    stop: Arc<AtomicBool>,
    id: u64,
    answers: Sender<(u64, Answer)>,
}

impl WorkContext {
    /// Whether the work is no longer needed.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sends a result, which may be a part.
    pub fn answer(&self, answer: Answer) {
        // The receiver is gone only when the program ends.
        _ = self.answers.send((self.id, answer));
    }
}

/// The threads that work.
pub struct Workers {
    session: Arc<Mutex<Session>>,
    secrets: Secrets,
    threads: usize,
    running: Vec<Running>,
    /// Paced work, and when it may begin.
    waiting: Vec<(usize, Work, Instant)>,
    /// When paced work of a kind may begin again.
    rests: Vec<(usize, WorkKind, Instant)>,
    next: u64,
    sender: Sender<(u64, Answer)>,
    receiver: Receiver<(u64, Answer)>,
}

struct Running {
    id: u64,
    screen: usize,
    kind: WorkKind,
    began: Instant,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// How many times as long as it took, paced work rests.
const REST: u32 = 4;
/// How long work runs before users are told of it.
const LONG: Duration = Duration::from_millis(200);
/// The least time between the ends and beginnings of paced work.
const LEAST_REST: Duration = Duration::from_millis(300);

impl Workers {
    pub fn new(session: Arc<Mutex<Session>>, secrets: Secrets) -> Self {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let (sender, receiver) = channel();
        let (running, waiting, rests) = (Vec::new(), Vec::new(), Vec::new());
        Self { session, secrets, threads, running, waiting, rests, next: 0, sender, receiver }
    }

    /// Shows secrets in work that begins from now on, or masks them.
    pub fn set_secrets(&mut self, secrets: Secrets) {
        self.secrets = secrets;
    }

    /// Reads another session in work that begins from now on.
    pub fn set_session(&mut self, session: Arc<Mutex<Session>>) {
        self.session = session;
    }

    /// How many threads work may use.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Whether anything runs now.
    pub fn are_busy(&self) -> bool {
        !self.running.is_empty()
    }

    /// Begins work; work of the same kind for the same screen is stopped. Paced work waits for the end
    /// of earlier work instead, and for a while after it.
    pub fn begin(&mut self, screen: usize, work: Work, now: Instant) {
        if work.is_paced && self.is_running(screen, work.kind) {
            self.forget_waiting(screen, work.kind);
            return self.waiting.push((screen, work, now));
        }
        self.stop(screen, work.kind);
        let is_same =
            |(of, kind, _): &&(usize, WorkKind, Instant)| (*of, *kind) == (screen, work.kind);
        let rests_until = self.rests.iter().find(is_same).map(|(.., until)| *until);
        match rests_until.filter(|until| work.is_paced && *until > now) {
            Some(until) => self.waiting.push((screen, work, until)),
            None => self.start(screen, work, now),
        }
    }

    /// Stops work of a screen.
    pub fn stop(&mut self, screen: usize, kind: WorkKind) {
        self.forget_waiting(screen, kind);
        // Its thread ends soon; its answers are dropped, because its id is not known any more.
        self.running.retain(|running| {
            let is_it = (running.screen, running.kind) == (screen, kind);
            if is_it {
                running.stop.store(true, Ordering::Relaxed);
            }
            !is_it
        });
    }

    /// Whether work of a screen has been running for so long that users should know.
    pub fn is_long(&self, screen: usize, kind: WorkKind, now: Instant) -> bool {
        let mut running = self.running.iter();
        running.any(|running| {
            (running.screen, running.kind) == (screen, kind)
                && now.duration_since(running.began) > LONG
        })
    }

    fn is_running(&self, screen: usize, kind: WorkKind) -> bool {
        self.running.iter().any(|running| (running.screen, running.kind) == (screen, kind))
    }

    fn forget_waiting(&mut self, screen: usize, kind: WorkKind) {
        self.waiting.retain(|(of, work, _)| (*of, work.kind) != (screen, kind));
    }

    fn start(&mut self, screen: usize, work: Work, now: Instant) {
        self.next += 1;
        let (id, stop) = (self.next, Arc::new(AtomicBool::new(false)));
        let context = WorkContext {
            session: Arc::clone(&self.session),
            secrets: self.secrets,
            threads: self.threads,
            stop: Arc::clone(&stop),
            id,
            answers: self.sender.clone(),
        };
        let (kind, run) = (work.kind, work.run);
        let thread = thread::Builder::new().name("work".to_owned()).spawn(move || {
            run(&context);
            capture::return_freed();
        });
        let running = Running { id, screen, kind, began: now, stop, thread: thread.ok() };
        self.running.push(running);
    }

    /// Begins waiting work whose time has come; returns the results so far, and what has ended.
    pub fn poll(&mut self, now: Instant) -> Vec<Action> {
        let waiting = std::mem::take(&mut self.waiting);
        let is_ready = |(screen, work, until): &(usize, Work, Instant)| {
            *until <= now && !self.is_running(*screen, work.kind)
        };
        let (ready, waiting): (Vec<_>, _) = waiting.into_iter().partition(is_ready);
        self.waiting = waiting;
        for (screen, work, _) in ready {
            self.start(screen, work, now);
        }
        // What has ended by now has sent everything.
        let ended: Vec<_> = self
            .running
            .iter()
            .filter(|running| running.thread.as_ref().is_none_or(JoinHandle::is_finished))
            .map(|running| running.id)
            .collect();
        let mut actions = Vec::new();
        for (id, answer) in self.receiver.try_iter() {
            let running = self.running.iter().find(|running| running.id == id);
            actions.extend(running.map(|running| Action::Answer(running.screen, answer)));
        }
        for running in self.running.extract_if(.., |running| ended.contains(&running.id)) {
            let rest = (REST * now.duration_since(running.began)).max(LEAST_REST);
            self.rests.retain(|(of, kind, _)| (*of, *kind) != (running.screen, running.kind));
            self.rests.push((running.screen, running.kind, now + rest));
            let same = self.waiting.iter_mut();
            let same =
                same.filter(|(of, work, _)| (*of, work.kind) == (running.screen, running.kind));
            same.for_each(|(.., until)| *until = now + rest);
            actions.push(Action::Ended(running.screen, running.kind));
        }
        actions
    }

    /// When waiting work may begin.
    pub fn next_begin(&self) -> Option<Instant> {
        self.waiting.iter().map(|(.., until)| *until).min()
    }
}

impl Drop for Workers {
    /// No thread outlives the interface.
    fn drop(&mut self) {
        for running in &self.running {
            running.stop.store(true, Ordering::Relaxed);
        }
        for thread in self.running.iter_mut().filter_map(|running| running.thread.take()) {
            // Nobody waits for its result.
            _ = thread.join();
        }
    }
}
