//! The probe: a server without players that registers with a master by datagrams, as game servers do.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use query::{DATAGRAMS, received, send};
use simulate::families::{HeartbeatMessages, ListSelection, ServerAnswerFn};
use simulate::{Pacer, Received, Socket};

/// The maximum of answers in one round, so that a master cannot make it send more.
const ANSWERS: usize = 16;
/// How long a probe that leaves waits for the question whether it does.
const SHUTDOWN_PATIENCE: Duration = Duration::from_millis(300);

/// A server that registers by datagrams.
#[derive(Debug)]
pub struct DatagramProbe {
    socket: Socket,
    messages: HeartbeatMessages,
    selection: ListSelection,
    master: SocketAddr,
    /// Whether it has sent its first message.
    is_started: bool,
}

impl DatagramProbe {
    /// A server that is not registered yet, and the master's address for heartbeats.
    pub fn new(
        socket: Socket,
        messages: HeartbeatMessages,
        selection: ListSelection,
        master: SocketAddr,
    ) -> Self {
        Self { socket, messages, selection, master, is_started: false }
    }

    /// Its address.
    pub fn address(&self) -> SocketAddr {
        self.socket.local()
    }

    /// Sends one heartbeat, and answers what the master asks. Returns whether it asked; `None` for
    /// a kind of master that does not ask each time.
    ///
    /// # Errors
    /// If the system cannot send.
    pub fn register(
        &mut self,
        timeout: Duration,
        pacer: Option<&Pacer>,
    ) -> io::Result<Option<bool>> {
        self.answer(Duration::ZERO, pacer)?;
        if !self.is_started
            && let Some(start) = self.messages.start
        {
            send(&self.socket, self.master, &start(), pacer)?;
        }
        self.is_started = true;
        let heartbeat = (self.messages.heartbeat)(&self.selection, self.address());
        send(&self.socket, self.master, &heartbeat, pacer)?;
        if !self.messages.are_answered {
            return Ok(None);
        }
        self.answer(timeout, pacer).map(|answers| Some(answers > 0))
    }

    /// Answers what has come, and waits so long for a first request. Returns how many were
    /// answered.
    ///
    /// # Errors
    /// If the system cannot send.
    pub fn answer(&self, patience: Duration, pacer: Option<&Pacer>) -> io::Result<usize> {
        self.answer_by(self.messages.answer, patience, pacer)
    }

    fn answer_by(
        &self,
        answer: ServerAnswerFn,
        patience: Duration,
        pacer: Option<&Pacer>,
    ) -> io::Result<usize> {
        let deadline = Instant::now() + patience;
        let (mut buffer, mut answers) = (vec![0; 1 << 16], 0);
        for _ in 0..DATAGRAMS {
            if answers >= ANSWERS {
                break;
            }
            match received(&self.socket, &mut buffer)? {
                Received::Datagram(length, from) => {
                    let request = buffer.get(..length).unwrap_or_default();
                    let Some(answer) = answer(&self.selection, request) else { continue };
                    pacer.inspect(|pacer| pacer.wait());
                    // To where it came from: some masters ask from another port.
                    self.socket.answer(from, &answer)?;
                    answers += 1;
                }
                Received::Refused => {}
                Received::Nothing => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if answers > 0 || left.is_zero() {
                        break;
                    }
                    self.socket.wait(left)?;
                }
            }
        }
        Ok(answers)
    }

    /// Sends the shutdown message, if the protocol has one, so that players do not see a server
    /// that has gone, and answers the question whether it ends.
    ///
    /// # Errors
    /// If the system cannot send.
    pub fn leave(&self, pacer: Option<&Pacer>) -> io::Result<()> {
        let shutdown = self.messages.shutdown.filter(|_| self.is_started);
        let Some(shutdown) = shutdown else { return Ok(()) };
        // What was asked before is no question about the end.
        self.answer(Duration::ZERO, pacer)?;
        let shutdown = shutdown(&self.selection, self.address());
        send(&self.socket, self.master, &shutdown, pacer)?;
        match self.messages.last_answer {
            Some(answer) => self.answer_by(answer, SHUTDOWN_PATIENCE, pacer).map(drop),
            None => Ok(()),
        }
    }
}
