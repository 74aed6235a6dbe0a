//! The sender of a run: sends planned messages when they are due.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::journal::{SENT, SentMessage};
use super::pace::wait_until;
use super::plan::{Expects, ScheduledSend};
use super::receiver::{Shared, since};
use super::responder::SenderPosition;
use simulate::Socket;

/// How long to wait for a response that the recording does not have.
const GRACE: Duration = Duration::from_millis(50);
/// How long to wait for a full send buffer.
const FULL: Duration = Duration::from_millis(200);

/// The state of the sender, and what it sent.
pub(super) struct Sender<'a> {
    pub sockets: &'a [Socket],
    pub positions: &'a [SenderPosition],
    pub shared: &'a Shared,
    pub start: Instant,
    pub sent: Vec<SentMessage>,
    /// Bytes of what was sent.
    pub bytes: u64,
    /// Messages that were sent but not kept.
    pub left_out: u64,
    pub unsent: u64,
    pub failed: Option<io::Error>,
    /// For each socket the last unanswered message: the socket that the master may ask back, and
    /// how many datagrams both had received before.
    pub open: Vec<Option<(usize, u32)>>,
    /// The number of sent messages, for progress output.
    pub progress: &'a AtomicU64,
}

impl<'a> Sender<'a> {
    pub fn new(
        sockets: &'a [Socket],
        positions: &'a [SenderPosition],
        shared: &'a Shared,
        start: Instant,
        progress: &'a AtomicU64,
    ) -> Self {
        Self {
            sockets,
            positions,
            shared,
            start,
            sent: Vec::new(),
            bytes: 0,
            left_out: 0,
            unsent: 0,
            failed: None,
            open: vec![None; sockets.len()],
            progress,
        }
    }

    /// Waits until nanosecond `due` from the start.
    pub fn wait(&self, due: u64) {
        wait_until(self.start + Duration::from_nanos(due));
    }

    /// Sends a message that is `due`, in nanoseconds from the start. Returns what its sockets had
    /// received before, for [`Sender::wait_for_reply`].
    pub fn send_due(&mut self, send: &ScheduledSend, item: u32, round: u32, due: u64) -> u32 {
        let other = (send.server != send.socket).then_some(send.server);
        for socket in [Some(send.socket), other].into_iter().flatten() {
            if let Some(position) = self.positions.get(socket) {
                position.time.store(send.time, Ordering::Relaxed);
                position.has_shut_down.store(send.shutdown, Ordering::Relaxed);
            }
        }
        let before = self.received_count(send.socket, send.server);
        let Some(socket) = self.sockets.get(send.socket) else {
            return before;
        };
        self.shared.wait_for_rate(self.start);
        let at = since(self.start);
        if let Err(error) = self.send(socket, send) {
            self.unsent += 1;
            self.failed.get_or_insert(error);
            return before.wrapping_add(1);
        }
        self.bytes += send.bytes.len() as u64;
        // No other thread writes it.
        self.progress.store(self.sent.len() as u64 + self.left_out + 1, Ordering::Relaxed);
        if self.sent.len() < SENT {
            self.sent.push(SentMessage { at, late: at.saturating_sub(due), item, round });
        } else {
            self.left_out += 1;
        }
        if send.expects == Expects::Answer
            && let Some(open) = self.open.get_mut(send.socket)
        {
            *open = Some((send.server, before));
        }
        before
    }

    /// An ICMP error of an earlier datagram fails the next send once; a full buffer drains.
    fn send(&self, socket: &Socket, send: &ScheduledSend) -> io::Result<()> {
        let mut until = None;
        loop {
            match socket.send(send.port, &send.bytes) {
                Ok(()) => return Ok(()),
                Err(error) => match error.kind() {
                    io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionReset => {
                        self.shared.refused.fetch_add(1, Ordering::Relaxed);
                        self.shared.count_received(send.socket);
                    }
                    io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => {
                        std::thread::yield_now();
                    }
                    io::ErrorKind::Interrupted => {}
                    _ => return Err(error),
                },
            }
            let until = until.get_or_insert_with(|| Instant::now() + FULL);
            if Instant::now() > *until {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
    }

    /// Waits for an answer, or for this long, before the next message.
    pub fn wait_for_reply(&self, send: &ScheduledSend, before: u32, timeout: Duration) {
        let timeout = match send.expects {
            Expects::Nothing => return,
            Expects::Perhaps => timeout.min(GRACE),
            Expects::Answer => timeout,
        };
        self.shared.wait(Instant::now() + timeout, || {
            self.received_count(send.socket, send.server) != before
        });
    }

    /// How many datagrams both sockets of a message have received.
    pub fn received_count(&self, socket: usize, server: usize) -> u32 {
        self.shared.received_count(socket).wrapping_add(self.shared.received_count(server))
    }

    /// Waits until every request that was answered in the recording is answered, and nothing more
    /// comes for a while.
    pub fn wait_for_replies(&self, timeout: Duration) {
        let until = Instant::now() + timeout;
        let is_answered = |(socket, open): (usize, &Option<(usize, u32)>)| {
            open.is_none_or(|(server, before)| self.received_count(socket, server) != before)
        };
        self.shared.wait(until, || self.open.iter().enumerate().all(is_answered));
        loop {
            let before = self.shared.total.load(Ordering::Relaxed);
            let deadline = Instant::now() + GRACE.min(timeout);
            let more = || self.shared.total.load(Ordering::Relaxed) != before;
            if !self.shared.wait(deadline, more) || Instant::now() > until + timeout {
                return;
            }
        }
    }
}
