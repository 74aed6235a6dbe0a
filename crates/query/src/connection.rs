//! TCP connections to a master: one at a time, bounded in time and bytes.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{IpAddr, TcpStream};
use std::time::{Duration, Instant};

use super::list_answer::{LONGEST_LIST, ListFailure};
use super::traffic::{StreamRecord, TrafficRecorder};
use simulate::families::{StreamStep, StreamTurn};
use simulate::{AddressPool, Pacer};

/// The maximum bytes that are read on one connection.
const LONGEST: usize = 1 << 22;
/// The maximum messages that are sent on one connection before its purpose is reached.
const MESSAGES: usize = 4;
/// Bytes that are read at once.
const BATCH: usize = 1 << 16;

/// Connects to one port of a target, from one address of this machine.
#[derive(Debug)]
pub struct MasterDialer {
    pool: AddressPool,
    host: IpAddr,
    port: u16,
}

/// What the connections of a round share.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits<'a> {
    /// How long a connection, and each message of the master, may take.
    pub timeout: Duration,
    /// The rate limit, if there is one.
    pub pacer: Option<&'a Pacer>,
    /// Records what is sent and what comes, if that is wanted.
    pub recorder: Option<&'a TrafficRecorder>,
}

/// How a connection has ended, or where it is now.
#[derive(Debug)]
pub enum ConnectionEnd<T> {
    /// Its purpose is reached; it is still open.
    Reached {
        /// What it was for.
        value: T,
        /// The time from the last message that was sent to the first byte behind it.
        latency: Duration,
        /// The connection.
        stream: TcpStream,
    },
    /// A list began, and did not come to its end.
    Cut {
        /// The time from the request to the first byte of the list.
        latency: Duration,
    },
    /// It was of no use.
    Failed(ListFailure),
}

impl MasterDialer {
    /// Connects from this address of the pool to the target, on this port if it has none.
    pub fn new(pool: AddressPool, host: IpAddr, port: u16) -> Self {
        Self { pool, host, port }
    }

    /// Opens a connection, and does what `next` says until it is done or of no use.
    ///
    /// # Errors
    /// If this machine cannot open a connection. What the master does is no error.
    pub fn run<T>(
        &self,
        limits: ConnectionLimits<'_>,
        next: impl Fn(StreamTurn<'_>) -> StreamStep<T>,
    ) -> io::Result<ConnectionEnd<T>> {
        limits.pacer.inspect(|pacer| pacer.wait());
        let connected = self.pool.connect(self.host, self.port, limits.timeout);
        let stream = match connected {
            Err(why) if is_of_peer(why.kind()) => {
                return Ok(ConnectionEnd::Failed(ListFailure::NoConnection));
            }
            connected => connected?,
        };
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(limits.timeout))?;
        let asked = Instant::now();
        let last = asked + limits.timeout * LONGEST_LIST;
        let record = limits.recorder.and_then(|recorder| {
            Some(recorder.stream(stream.local_addr().ok()?, stream.peer_addr().ok()?))
        });
        let dialogue = MasterDialogue {
            stream,
            record,
            limits,
            sent: 0,
            received: Vec::new(),
            is_over: false,
            asked,
            first: None,
            deadline: asked + limits.timeout,
            last,
        };
        dialogue.run(next)
    }
}

/// A connection in progress.
struct MasterDialogue<'a> {
    stream: TcpStream,
    /// Its part of the recording.
    record: Option<StreamRecord<'a>>,
    limits: ConnectionLimits<'a>,
    /// How many messages were sent.
    sent: usize,
    /// What came behind the last of them.
    received: Vec<u8>,
    is_over: bool,
    /// When the last message was sent, or the connection opened.
    asked: Instant,
    /// When the first byte behind it came.
    first: Option<Instant>,
    /// Until when more has to come.
    deadline: Instant,
    /// Until when everything has to have come.
    last: Instant,
}

impl MasterDialogue<'_> {
    fn run<T>(
        mut self,
        next: impl Fn(StreamTurn<'_>) -> StreamStep<T>,
    ) -> io::Result<ConnectionEnd<T>> {
        loop {
            let (sent, is_over) = (self.sent, self.is_over);
            let is_begun = match next(StreamTurn { sent, received: &self.received, is_over }) {
                StreamStep::Done(value) => {
                    let (latency, stream) = (self.latency(), self.stream);
                    return Ok(ConnectionEnd::Reached { value, latency, stream });
                }
                StreamStep::Refused => return Ok(ConnectionEnd::Failed(ListFailure::Refused)),
                StreamStep::Send(bytes) => {
                    if let Some(failure) = self.send(&bytes) {
                        return Ok(ConnectionEnd::Failed(failure));
                    }
                    continue;
                }
                StreamStep::Begun => true,
                StreamStep::Wait => false,
            };
            if let Some(failure) = self.failure() {
                let latency = self.latency();
                return Ok(if is_begun {
                    ConnectionEnd::Cut { latency }
                } else {
                    ConnectionEnd::Failed(failure)
                });
            }
            self.read_bytes()?;
        }
    }

    fn latency(&self) -> Duration {
        self.first.unwrap_or(self.asked).duration_since(self.asked)
    }

    /// Why nothing more is waited for; `None` if something is.
    fn failure(&self) -> Option<ListFailure> {
        let is_late = Instant::now() >= self.deadline;
        Some(match self.received.is_empty() {
            _ if self.received.len() >= LONGEST => ListFailure::TooLong,
            true if self.is_over => ListFailure::Closed,
            true if is_late => ListFailure::Silent,
            false if self.is_over || is_late => ListFailure::OtherBytes,
            _ => return None,
        })
    }

    /// Sends a message; why that is of no use, if it is.
    fn send(&mut self, bytes: &[u8]) -> Option<ListFailure> {
        if self.sent >= MESSAGES {
            return Some(ListFailure::OtherBytes);
        }
        self.limits.pacer.inspect(|pacer| pacer.wait());
        self.asked = Instant::now();
        if self.stream.write_all(bytes).is_err() {
            return Some(ListFailure::Closed);
        }
        if let Some(record) = &mut self.record {
            record.sent(bytes);
        }
        self.sent += 1;
        self.received.clear();
        self.first = None;
        self.deadline = (self.asked + self.limits.timeout).min(self.last);
        None
    }

    /// Waits for more bytes, or the end.
    fn read_bytes(&mut self) -> io::Result<()> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        // The system takes zero for no limit.
        self.stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        let mut buffer = vec![0; BATCH];
        match self.stream.read(&mut buffer) {
            Ok(0) => self.is_over = true,
            Ok(length) => {
                let now = Instant::now();
                self.first.get_or_insert(now);
                let bytes = buffer.get(..length).unwrap_or_default();
                if let Some(record) = &mut self.record {
                    record.received(bytes);
                }
                self.received.extend_from_slice(bytes);
                self.deadline = (now + self.limits.timeout).min(self.last);
            }
            Err(why) => match why.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                kind if is_of_peer(kind) => self.is_over = true,
                _ => return Err(why),
            },
        }
        Ok(())
    }
}

/// Whether an error of a connection says something about the other side.
fn is_of_peer(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::ConnectionRefused
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
            | ErrorKind::TimedOut
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::NetworkDown
    )
}

/// Whether the other side of a connection has closed it. What it has sent is discarded, up to a
/// limit.
///
/// # Errors
/// If the system cannot read.
pub fn is_closed(mut stream: &TcpStream) -> io::Result<bool> {
    stream.set_nonblocking(true)?;
    let (mut buffer, mut left) = (vec![0; BATCH], LONGEST / BATCH);
    let is_closed = loop {
        match stream.read(&mut buffer) {
            Ok(0) => break true,
            Ok(_) if left == 0 => break false,
            Ok(_) => left -= 1,
            Err(why) if why.kind() == ErrorKind::Interrupted => {}
            Err(why) => break why.kind() != ErrorKind::WouldBlock,
        }
    };
    stream.set_nonblocking(false)?;
    Ok(is_closed)
}
