//! The probe: a server without players that registers with a master, as game servers do.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::list_request::{DATAGRAMS, send};
use crate::families::{ListSelection, WatchMessages};
use crate::simulate::{Pacer, Received, Socket};

/// The maximum of answers in one round, so that a master cannot make it send more.
const ANSWERS: usize = 16;

/// A registered server.
#[derive(Debug)]
pub struct ProbeServer {
    socket: Socket,
    kind: &'static WatchMessages,
    selection: ListSelection,
    master: SocketAddr,
    /// Whether it has sent its first message.
    is_started: bool,
}

impl ProbeServer {
    /// A server that is not registered yet.
    pub fn new(
        socket: Socket,
        kind: &'static WatchMessages,
        selection: ListSelection,
        master: SocketAddr,
    ) -> Self {
        Self { socket, kind, selection, master, is_started: false }
    }

    /// Its address.
    pub fn address(&self) -> SocketAddr {
        self.socket.local()
    }

    /// Sends one heartbeat, and answers what the master asks. Returns whether it asked; `None` for
    /// a kind of master that does not.
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
            && let Some(start) = self.kind.start
        {
            send(&self.socket, self.master, &start(), pacer)?;
        }
        self.is_started = true;
        let heartbeat = (self.kind.heartbeat)(&self.selection, self.address().port());
        send(&self.socket, self.master, &heartbeat, pacer)?;
        if !self.kind.answers_heartbeats {
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
        let deadline = Instant::now() + patience;
        let (mut buffer, mut answers) = (vec![0; 1 << 16], 0);
        for _ in 0..DATAGRAMS {
            if answers >= ANSWERS {
                break;
            }
            match self.socket.receive(&mut buffer)? {
                Received::Datagram(length, from) => {
                    let request = buffer.get(..length).unwrap_or_default();
                    let Some(answer) = (self.kind.answer)(&self.selection, request) else {
                        continue;
                    };
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

    /// Whether an entry of a list is this server. Behind NAT only the port is known, if that.
    pub fn is(&self, entry: SocketAddr, is_far: bool) -> bool {
        let own = self.address();
        entry == own || is_far && entry.port() == own.port()
    }

    /// Sends the shutdown message, if the protocol has one, so that players do not see a server
    /// that has gone.
    ///
    /// # Errors
    /// If the system cannot send.
    pub fn leave(&self, pacer: Option<&Pacer>) -> io::Result<()> {
        let Some(shutdown) = self.kind.shutdown.filter(|_| self.is_started) else { return Ok(()) };
        let shutdown = shutdown(&self.selection, self.address().port());
        send(&self.socket, self.master, &shutdown, pacer).map(drop)
    }
}
