//! Replays a recorded connection: the client answers the live master's challenge, and sends the
//! rest as recorded.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use super::account::Transcript;
use super::composed::ComposedQuestion;
use super::ear::since;
use super::fields;
use super::journal::{Happened, Journal};
use super::pace::wait_until;
use super::plan::Call;
use super::stage::ReplaySockets;
use crate::codec::{Leaf, Scratch};
use crate::protocol::{Carrier, Direction, Entry, FrameBoundary, Protocol, Reading, Role};

/// The maximum bytes kept of a master's messages on a connection.
const LONGEST: usize = 1 << 22;
/// How long to wait for the rest of a message whose end is not marked.
const MORE: Duration = Duration::from_millis(20);

/// A connection in progress.
pub(super) struct Caller<'a> {
    pub account: &'a Transcript,
    pub stage: &'a ReplaySockets,
    pub call: &'a Call,
    /// Its index in the plan, and the round.
    pub place: usize,
    pub round: u32,
    pub start: Instant,
    /// When the round began, in nanoseconds from the start.
    pub begin: u64,
    pub is_timed: bool,
    pub patience: Duration,
    pub journal: Journal,
}

impl Caller<'_> {
    /// Runs the connection; returns the journal, and the error that ended it, if any.
    pub fn run(mut self) -> (Journal, Option<io::Error>) {
        let failed = self.speak().err();
        (self.journal, failed)
    }

    fn speak(&mut self) -> io::Result<()> {
        let (call, round) = (self.place, self.round);
        let mut stream = self.stage.connect(self.call.end.ip(), self.call.port, self.patience)?;
        stream.set_nodelay(true)?;
        let (local, to) = (stream.local_addr()?, stream.peer_addr()?);
        self.journal.note(since(self.start), Happened::Opened { call, round, local, to });
        let done = self.talk(&mut stream);
        // The master may have closed it already.
        _ = stream.shutdown(Shutdown::Both);
        self.journal.note(since(self.start), Happened::Closed { call, round });
        done
    }

    fn talk(&mut self, stream: &mut TcpStream) -> io::Result<()> {
        let protocol = self
            .call
            .says
            .last()
            .and_then(|(place, _)| Some(self.account.asked.get(*place)?.entry.protocol));
        // The bytes received so far, the offset of the last part, and how many messages the master
        // had sent in the recording before the client continued.
        let (mut heard, mut last, mut wanted) = (Vec::new(), 0, 0);
        for (place, due) in &self.call.says {
            let Some(asked) = self.account.asked.get(*place) else {
                continue;
            };
            if asked.is_answer {
                let asks = |said: &[u8]| question(asked.entry, said).is_some();
                self.receive(stream, &mut heard, |said| said.get(last..).is_some_and(asks))?;
            } else if wanted > 0 {
                self.receive(stream, &mut heard, |said| messages(protocol, said) >= wanted)?;
            }
            if self.is_timed {
                wait_until(self.start + Duration::from_nanos(self.begin + due));
            }
            let question = heard.get(last..).unwrap_or_default();
            let bytes = self.rewritten(asked.entry, &asked.bytes, question);
            stream.write_all(&bytes)?;
            last = heard.len();
            wanted += asked.replies.len();
            let (call, round, bytes) = (self.place, self.round, bytes.into_boxed_slice());
            let said = Happened::Said { call, round, asked: *place, bytes };
            self.journal.note(since(self.start), said);
        }
        // The rest, until the master marks the end, or closes.
        self.receive(stream, &mut heard, |said| {
            let rest = said.get(last..).unwrap_or_default();
            messages(protocol, rest) > 0 && messages(protocol, said) >= wanted
        })
    }

    /// Reads until the received bytes are `whole`, or the master closes, or a timeout.
    fn receive(
        &mut self,
        stream: &mut TcpStream,
        heard: &mut Vec<u8>,
        whole: impl Fn(&[u8]) -> bool,
    ) -> io::Result<()> {
        let until = Instant::now() + self.patience;
        let mut buffer = [0; 4096];
        while heard.len() < LONGEST {
            let is_whole = whole(heard);
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
                    heard.extend_from_slice(bytes);
                    let (call, round) = (self.place, self.round);
                    let told = Happened::Told { call, round, bytes: bytes.into() };
                    self.journal.note(since(self.start), told);
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
    fn rewritten(&self, entry: &'static Entry, own: &[u8], heard: &[u8]) -> Vec<u8> {
        let mut reading = Reading::default();
        let asked = question(entry, heard);
        let challenge = asked.and_then(|asked| fields::challenge(&mut reading, asked, heard));
        let mut change = |leaf: &Leaf<'_>| {
            let proof = asked.and_then(|asked| {
                let challenge = challenge.as_deref();
                ComposedQuestion { entry: asked, bytes: heard, challenge }.change(entry, own, leaf)
            });
            proof.or_else(|| self.stage.change(leaf, self.call.end))
        };
        let mut said = Vec::new();
        if (entry.edit)(own, &mut Scratch::default(), &mut change, &mut said).is_err() {
            own.clone_into(&mut said);
        }
        said
    }
}

/// How many complete messages a master has sent on a connection.
fn messages(protocol: Option<&Protocol>, mut said: &[u8]) -> usize {
    let mut count = 0;
    while let Some(FrameBoundary::At(end)) = protocol.map(|protocol| (protocol.cut)(said, 0))
        && let Some((_, rest)) = said.split_at_checked(end.max(1))
    {
        (count, said) = (count + 1, rest);
    }
    count
}

/// The master's message among the received ones that this message answers.
fn question(answer: &Entry, said: &[u8]) -> Option<&'static Entry> {
    let way = Direction { from: Some(Role::Master), to: Some(Role::Client) };
    let asked = answer.protocol.recognise(Carrier::Stream, said, way)?;
    let answers = answer.spec.answers.contains(&asked.spec.id);
    (answers && asked.spec.challenge.is_none_or(|find| find(said).is_some())).then_some(asked)
}
