//! Replays a recorded connection: the client answers the live master's challenge, and sends the
//! rest as recorded.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use super::composed::ComposedQuestion;
use super::journal::{ConnectionEvent, ConnectionId, EventKind, Journal};
use super::pace::wait_until;
use super::plan::PlannedConnection;
use super::receiver::since;
use super::sockets::ReplaySockets;
use super::transcript::Transcript;
use super::turns::Turn;
use codec::{Leaf, Scratch};
use protocol::{Carrier, Direction, Entry, FrameBoundary, Protocol, Reading, Role};
use render::challenge_of;

/// The maximum bytes kept of a master's messages on a connection.
const LONGEST: usize = 1 << 22;
/// How long to wait for the rest of a message whose end is not marked.
const MORE: Duration = Duration::from_millis(20);

/// A connection in progress.
pub(super) struct ConnectionRun<'a> {
    pub transcript: &'a Transcript,
    pub sockets: &'a ReplaySockets,
    pub connection: &'a PlannedConnection,
    pub id: ConnectionId,
    pub start: Instant,
    /// When the round began, in nanoseconds from the start.
    pub begin: u64,
    pub is_timed: bool,
    pub timeout: Duration,
    pub journal: Journal,
    pub turn: Turn<'a>,
}

impl ConnectionRun<'_> {
    /// Runs the connection; returns the journal, and the error that ended it, if any.
    pub fn run(mut self) -> (Journal, Option<io::Error>) {
        let failed = self.exchange().err();
        (self.journal, failed)
    }

    fn exchange(&mut self) -> io::Result<()> {
        let mut stream =
            self.sockets.connect(self.connection.end.ip(), self.connection.port, self.timeout)?;
        stream.set_nodelay(true)?;
        let (local, to) = (stream.local_addr()?, stream.peer_addr()?);
        self.note(ConnectionEvent::Opened { local, to });
        let done = self.exchange_messages(&mut stream);
        // The master may have closed it already.
        _ = stream.shutdown(Shutdown::Both);
        self.note(ConnectionEvent::Closed);
        done
    }

    fn note(&mut self, event: ConnectionEvent) {
        self.journal.note(since(self.start), EventKind::Connection(self.id, event));
    }

    fn exchange_messages(&mut self, stream: &mut TcpStream) -> io::Result<()> {
        let protocol = self
            .connection
            .messages
            .last()
            .and_then(|(at, _)| Some(self.transcript.requests.get(*at)?.entry.protocol));
        // The bytes received so far, the offset of the last part, and how many messages the master
        // had sent in the recording before the client continued.
        let (mut received, mut last, mut expected) = (Vec::new(), 0, 0);
        let mut is_unanswered = false;
        for (at, due) in &self.connection.messages {
            let Some(request) = self.transcript.requests.get(*at) else {
                continue;
            };
            if request.is_answer {
                let has_request = |payload: &[u8]| request_in(request.entry, payload).is_some();
                self.receive(stream, &mut received, |payload| {
                    payload.get(last..).is_some_and(has_request)
                })?;
            } else if expected > 0 {
                self.receive(stream, &mut received, |payload| {
                    messages(protocol, payload) >= expected
                })?;
            }
            if self.is_timed {
                wait_until(self.start + Duration::from_nanos(self.begin + due));
            }
            self.turn.wait((self.id.1, *at, true));
            let unanswered = received.get(last..).unwrap_or_default();
            let bytes = self.rewritten(request.entry, &request.bytes, unanswered);
            stream.write_all(&bytes)?;
            last = received.len();
            expected += request.replies.len();
            let bytes = bytes.into_boxed_slice();
            self.note(ConnectionEvent::Sent { request: *at, bytes });
            is_unanswered = request.replies.is_empty() && self.turn.has_order();
            if self.turn.has_order() {
                self.receive(stream, &mut received, |payload| {
                    messages(protocol, payload) >= expected
                })?;
            }
        }
        // The rest, until the master marks the end, or closes.
        self.receive(stream, &mut received, |payload| {
            let rest = payload.get(last..).unwrap_or_default();
            (is_unanswered || messages(protocol, rest) > 0)
                && messages(protocol, payload) >= expected
        })
    }

    /// Reads until the received bytes are `whole`, or the master closes, or a timeout.
    fn receive(
        &mut self,
        stream: &mut TcpStream,
        received: &mut Vec<u8>,
        whole: impl Fn(&[u8]) -> bool,
    ) -> io::Result<()> {
        let until = Instant::now() + self.timeout;
        let mut buffer = [0; 4096];
        while received.len() < LONGEST {
            let is_whole = whole(received);
            let left = until.saturating_duration_since(Instant::now());
            let left = if is_whole { left.min(MORE) } else { left };
            if left.is_zero() {
                return Ok(());
            }
            stream.set_read_timeout(Some(left))?;
            match stream.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(length) => {
                    let bytes = buffer.get(..length).unwrap_or_default();
                    received.extend_from_slice(bytes);
                    self.note(ConnectionEvent::Received(bytes.into()));
                }
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => return Ok(()),
                    ErrorKind::Interrupted => {}
                    _ => return Err(error),
                },
            }
        }
        Ok(())
    }

    /// The client's bytes, with the proof for the live challenge and the addresses of the run.
    fn rewritten(&self, entry: &'static Entry, own: &[u8], received: &[u8]) -> Vec<u8> {
        let mut reading = Reading::default();
        let request = request_in(entry, received);
        let challenge = request.and_then(|request| challenge_of(&mut reading, request, received));
        let mut change = |leaf: &Leaf<'_>| {
            let proof = request.and_then(|request| {
                let challenge = challenge.as_deref();
                ComposedQuestion { entry: request, bytes: received, challenge }
                    .change(entry, own, leaf)
            });
            proof.or_else(|| self.sockets.change(leaf, self.connection.end))
        };
        let mut payload = Vec::new();
        if entry.edit(own, &mut Scratch::default(), &mut change, &mut payload).is_err() {
            own.clone_into(&mut payload);
        }
        payload
    }
}

/// How many complete messages a master has sent on a connection.
fn messages(protocol: Option<&Protocol>, mut payload: &[u8]) -> usize {
    let mut count = 0;
    while let Some(FrameBoundary::At(end)) = protocol.map(|protocol| (protocol.cut)(payload, 0))
        && let Some((_, rest)) = payload.split_at_checked(end.max(1))
    {
        (count, payload) = (count + 1, rest);
    }
    count
}

/// The master's message among the received ones that this message answers.
fn request_in(answer: &Entry, payload: &[u8]) -> Option<&'static Entry> {
    let way = Direction { from: Some(Role::Master), to: Some(Role::Client) };
    let request = protocols::recognise(answer.protocol, Carrier::Stream, payload, way)?;
    let answers = answer.spec.answers.contains(&request.spec.id);
    (answers && request.spec.challenge.is_none_or(|find| find(payload).is_some()))
        .then_some(request)
}
