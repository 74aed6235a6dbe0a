//! The receiver of a run: receives the target's datagrams on all sockets, and sends the responders'
//! answers. It has its own thread, so that sending is not delayed.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mio::{Events, Interest, Poll, Token, Waker};
use parking_lot::{Condvar, Mutex};

use super::journal::{EventKind, Journal};
use super::responder::{ComposedAnswers, Responders};
use simulate::{Received, Socket};

const WAKER: Token = Token(usize::MAX);
/// The longest datagram.
const LONGEST: usize = 1 << 16;

/// State that the threads of a run share.
pub(super) struct Shared {
    /// Datagrams and ICMP refusals of each socket, all answered by then.
    received: Vec<AtomicU32>,
    /// Datagrams refused by the system: port unreachable.
    pub refused: AtomicU64,
    /// All received datagrams.
    pub total: AtomicU64,
    over: AtomicBool,
    waiting: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
    /// When the next packet may be sent, for a rate limit; nanoseconds from the start.
    next: Mutex<u64>,
    /// Nanoseconds between packets; 0: no limit.
    pub gap: u64,
}

impl Shared {
    pub fn new(sockets: usize, gap: u64) -> Self {
        Self {
            received: (0..sockets).map(|_| AtomicU32::new(0)).collect(),
            refused: AtomicU64::new(0),
            total: AtomicU64::new(0),
            over: AtomicBool::new(false),
            waiting: AtomicBool::new(false),
            lock: Mutex::new(()),
            changed: Condvar::new(),
            next: Mutex::new(0),
            gap,
        }
    }

    /// How many datagrams a socket has received.
    pub fn received_count(&self, index: usize) -> u32 {
        self.received.get(index).map_or(0, |received| received.load(Ordering::Acquire))
    }

    pub fn count_received(&self, index: usize) {
        if let Some(received) = self.received.get(index) {
            received.fetch_add(1, Ordering::Release);
        }
        if self.waiting.load(Ordering::Acquire) {
            drop(self.lock.lock());
            self.changed.notify_all();
        }
    }

    /// Waits until a condition holds, or for that time; returns whether it holds.
    pub fn wait(&self, until: Instant, is_so: impl Fn() -> bool) -> bool {
        self.waiting.store(true, Ordering::Release);
        let mut lock = self.lock.lock();
        let result = loop {
            if is_so() {
                break true;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break false;
            }
            self.changed.wait_for(&mut lock, left.min(Duration::from_millis(20)));
        };
        self.waiting.store(false, Ordering::Release);
        result
    }

    /// Waits for the rate limit before one more packet.
    pub fn wait_for_rate(&self, start: Instant) {
        if self.gap == 0 {
            return;
        }
        let due = {
            let mut next = self.next.lock();
            let due = (*next).max(since(start));
            *next = due + self.gap;
            due
        };
        let due = start + Duration::from_nanos(due);
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
    }
}

/// Nanoseconds since `start`.
pub(super) fn since(start: Instant) -> u64 {
    super::pace::nanoseconds(start.elapsed())
}

/// The result of receiving.
#[derive(Default)]
pub(super) struct ReceiverEnd {
    pub journal: Journal,
    pub composed_answers: ComposedAnswers,
    pub answers: u64,
    /// Answers that could not be sent.
    pub unsent: u64,
    pub failed: Option<io::Error>,
}

/// The receiver thread.
pub(super) struct Receiver<'a> {
    pub poll: Poll,
    pub sockets: &'a [Socket],
    pub responders: Responders<'a>,
    pub shared: &'a Shared,
    pub start: Instant,
}

/// Registers all sockets with a poll, and returns its waker.
pub(super) fn prepare(sockets: &mut [Socket]) -> io::Result<(Poll, Waker)> {
    let poll = Poll::new()?;
    for (index, socket) in sockets.iter_mut().enumerate() {
        poll.registry().register(socket, Token(index), Interest::READABLE)?;
    }
    let waker = Waker::new(poll.registry(), WAKER)?;
    Ok((poll, waker))
}

/// Tells the receiver to stop.
pub(super) fn stop(shared: &Shared, waker: &Waker) {
    shared.over.store(true, Ordering::Release);
    // Without it the receiver checks by itself, a little later.
    _ = waker.wake();
}

impl Receiver<'_> {
    pub fn run(mut self) -> ReceiverEnd {
        let mut ending = ReceiverEnd::default();
        let mut events = Events::with_capacity(1024);
        let mut buffer = vec![0; LONGEST];
        while !self.shared.over.load(Ordering::Acquire) {
            match self.poll.poll(&mut events, Some(Duration::from_millis(200))) {
                Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                    ending.failed = Some(error);
                    break;
                }
                _ => {}
            }
            for event in &events {
                self.drain(event.token().0, &mut buffer, &mut ending);
            }
        }
        ending.composed_answers = std::mem::take(&mut self.responders.composed_answers);
        ending
    }

    /// Reads everything that is pending on a socket.
    fn drain(&mut self, index: usize, buffer: &mut [u8], ending: &mut ReceiverEnd) {
        let Some(socket) = self.sockets.get(index) else {
            return;
        };
        loop {
            let (length, from) = match socket.receive(buffer) {
                Ok(Received::Datagram(length, from)) => (length, from),
                Ok(Received::Refused) => {
                    self.shared.refused.fetch_add(1, Ordering::Relaxed);
                    self.shared.count_received(index);
                    continue;
                }
                Ok(Received::Nothing) => return,
                Err(error) => {
                    ending.failed.get_or_insert(error);
                    return;
                }
            };
            let payload = buffer.get(..length).unwrap_or_default();
            self.shared.total.fetch_add(1, Ordering::Relaxed);
            let received = EventKind::Received { socket: index, from, bytes: payload.into() };
            ending.journal.note(since(self.start), received);
            if let Some(answer) = self.responders.answer(index, payload) {
                self.shared.wait_for_rate(self.start);
                let at = since(self.start);
                if socket.answer(from, &answer).is_ok() {
                    ending.answers += 1;
                    let bytes = answer.into_boxed_slice();
                    ending.journal.note(at, EventKind::Answered { socket: index, to: from, bytes });
                } else {
                    ending.unsent += 1;
                }
            }
            self.shared.count_received(index);
        }
    }
}
