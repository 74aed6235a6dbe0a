//! A run: the sender, the receiver and the connections, and their journals.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::ReplayError;
use super::connection::ConnectionRun;
use super::journal::{
    ConnectionEvent, EventKind, FrameNumbers, Journal, JournalEvent, NameSide, Writing,
};
use super::pace::Pacing;
use super::plan::{Plan, PlanAction};
use super::receiver::{self, Receiver, ReceiverEnd, Shared};
use super::responder::{ComposedAnswers, Responders, SenderPosition};
use super::sender::Sender;
use super::sockets::ReplaySockets;
use super::transcript::{ReplayedEndpoints, Transcript};
use super::turns::{RecordedOrder, Turn};
use analysis::{CapturedMessage, Pipeline, Prepared};
use capture::Input;
use simulate::TargetPair;
use text::Secrets;

/// The maximum number of simultaneous connections.
const CONNECTIONS: usize = 64;

/// The options of a run.
#[derive(Debug)]
pub struct ReplayOptions {
    /// The number of rounds.
    pub rounds: u32,
    /// Whether every message waits for the response to the previous one.
    pub wait_replies: bool,
    /// How long to wait for a response.
    pub timeout: Duration,
    /// An empty temporary file for the journal.
    pub journal: File,
    /// Whether notes quote secrets.
    pub secrets: Secrets,
}

/// A sent message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pairing {
    /// Its index in the transcript of the recording.
    pub recorded: usize,
    /// Its index in the transcript of the run, if it was decoded there.
    pub live: Option<usize>,
    /// Nanoseconds from the start.
    pub at: u64,
}

/// The result of a run.
pub struct ReplayOutcome {
    /// How far the times were kept.
    pub(crate) pacing: Pacing,
    /// The target's requests and responses, with the addresses of the recording.
    pub run: Transcript,
    /// The sent messages, with their indices in both transcripts.
    pub(crate) pairs: Vec<Pairing>,
    /// When each endpoint first answered the target, in nanoseconds from the start.
    pub answered_at: HashMap<SocketAddr, u64>,
    /// Frames of the run in which the target sent something that is no message.
    pub unrecognised: Vec<u64>,
    /// Answers that were made for live challenges.
    pub composed_answers: ComposedAnswers,
    /// Messages refused by ICMP: port unreachable.
    pub refused: u64,
    /// Received datagrams.
    pub received: u64,
    /// Messages and answers that could not be sent, and the first reason.
    pub unsent: u64,
    /// Why a datagram could not be sent.
    pub failed: Option<io::Error>,
    /// Connections that failed, and the first reason.
    pub broken: u64,
    /// Why a connection was not made.
    pub connection_error: Option<io::Error>,
    /// Messages dropped by limits, and so not compared.
    pub left_out: u64,
}

impl ReplayOutcome {
    /// Whether the target sent nothing at all.
    pub fn is_silent(&self) -> bool {
        self.received == 0
    }

    /// Whether ICMP reports that the target's port is closed.
    pub fn is_down(&self) -> bool {
        let is_refused = |error: &io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
        self.is_silent()
            && (self.refused > 0
                || [&self.connection_error, &self.failed].into_iter().flatten().any(is_refused))
    }
}

/// Runs a plan, writes all traffic to `record`, and reads it again for the comparison; `progress` is
/// the number of messages sent so far.
///
/// # Errors
/// If a socket or the recording fails.
pub fn run_plan(
    transcript: &Transcript,
    plan: &Plan,
    sockets: &mut ReplaySockets,
    options: &ReplayOptions,
    progress: &AtomicU64,
    record: Option<&mut dyn Write>,
) -> Result<ReplayOutcome, ReplayError> {
    let mut open = sockets.take_sockets();
    let (poll, waker) = receiver::prepare(&mut open)?;
    let sockets = &*sockets;
    let positions: Vec<_> = open.iter().map(|_| SenderPosition::default()).collect();
    let gap = packet_gap(sockets.target());
    let shared = Shared::new(open.len(), gap);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let start = Instant::now();
    let responders = Responders::new(transcript, sockets, &positions);
    let order = options.wait_replies.then(RecordedOrder::default);
    let (sender, ending, connections) = thread::scope(|scope| {
        let receiver = Receiver { poll, sockets: &open, responders, shared: &shared, start };
        let receiver = scope.spawn(|| receiver.run());
        let mut sender = Sender::new(&open, &positions, &shared, start, progress);
        sender.sent.reserve(plan.len().saturating_mul(options.rounds as usize).min(1 << 20));
        let mut connections = OpenConnections::default();
        let mut turn = Turn::new(order.as_ref());
        let mut begin = 0u64;
        for round in 0..options.rounds {
            for (item, planned) in (0u32..).zip(&plan.items) {
                let due = begin.saturating_add(planned.due);
                if plan.is_timed || gap > 0 {
                    sender.wait(due);
                }
                match &planned.what {
                    PlanAction::Send(send) => {
                        turn.wait((round, send.request, false));
                        let before = sender.send_due(send, item, round, due);
                        if options.wait_replies {
                            sender.wait_for_reply(send, before, options.timeout);
                        }
                    }
                    PlanAction::Connect(index) => {
                        let Some(connection) = plan.connections.get(*index) else {
                            continue;
                        };
                        let first = connection.first();
                        turn.wait((round, first, false));
                        let of_connection = Turn::new(order.as_ref()).at((round, first, true));
                        shared.wait_for_rate(start);
                        let run = ConnectionRun {
                            transcript,
                            sockets,
                            connection,
                            id: (*index, round),
                            start,
                            begin,
                            is_timed: plan.is_timed,
                            timeout: options.timeout,
                            journal: Journal::default(),
                            turn: of_connection,
                        };
                        connections.open.push(scope.spawn(|| run.run()));
                        connections.make_room(&mut turn);
                    }
                }
            }
            begin = begin.saturating_add(plan.span()).saturating_add(plan.pause);
        }
        drop(turn);
        connections.close();
        sender.wait_for_replies(options.timeout);
        receiver::stop(&shared, &waker);
        let ending = receiver.join().unwrap_or_else(|_| ReceiverEnd {
            failed: Some(io::Error::other("the receiver thread failed")),
            ..ReceiverEnd::default()
        });
        (sender, ending, connections.done)
    });
    let received = shared.total.load(Ordering::Relaxed);
    let refused = shared.refused.load(Ordering::Relaxed);
    let is_timed = plan.is_timed && order.is_none();
    let pacing =
        pacing(&sender, is_timed, ending.answers).and_streams(connections.sent, connections.bytes);
    let mut events = ending.journal.events;
    events.extend(connections.journal);
    events.sort_by_key(|event| event.at);
    let writing = Writing { transcript, plan, sockets, sent: &sender.sent, events: &events };
    if let Some(out) = record {
        let start = i64::try_from(clock.as_nanos()).unwrap_or(i64::MAX);
        writing.write(NameSide::Live { start }, out).map_err(ReplayError::Recording)?;
    }
    let (run, frames) = read_recording(&writing, options)?;
    let unrecognised =
        frames.received.iter().copied().filter(|f| !run.of_target.contains(f)).collect();
    Ok(ReplayOutcome {
        pacing,
        pairs: pairs(&run, &frames),
        answered_at: first_answers(&events, sockets),
        unrecognised,
        composed_answers: ending.composed_answers,
        refused,
        received: received + connections.answered,
        unsent: sender.unsent + ending.unsent,
        failed: sender.failed.or(ending.failed),
        broken: connections.broken,
        connection_error: connections.connection_error,
        left_out: sender.left_out + ending.journal.left_out + connections.left_out + run.left_out,
        run,
    })
}

/// How closely the datagrams kept to their times.
fn pacing(sender: &Sender<'_>, is_timed: bool, answers: u64) -> Pacing {
    let late: Vec<u64> = sender.sent.iter().map(|sent| sent.late).collect();
    let span = match (sender.sent.first(), sender.sent.last()) {
        (Some(first), Some(last)) => last.at - first.at,
        _ => 0,
    };
    Pacing::new(&late, is_timed, sender.bytes, answers, span)
}

/// Nanoseconds between packets to a target with a rate limit; 0: no limit.
fn packet_gap(target: &TargetPair) -> u64 {
    match target.limit() {
        Some(limit) if !target.is_loopback() => 1_000_000_000 / u64::from(limit.max(1)),
        _ => 0,
    }
}

/// The sent messages with those of the run.
fn pairs(run: &Transcript, frames: &FrameNumbers) -> Vec<Pairing> {
    let indices: HashMap<u64, usize> =
        run.requests.iter().map(|request| request.number).zip(0..).collect();
    let pair = |(frame, recorded, at): &(u64, usize, u64)| Pairing {
        recorded: *recorded,
        live: indices.get(frame).copied(),
        at: *at,
    };
    frames.requests.iter().map(pair).collect()
}

/// When each endpoint first answered the target.
fn first_answers(events: &[JournalEvent], sockets: &ReplaySockets) -> HashMap<SocketAddr, u64> {
    let mut all = HashMap::new();
    for event in events {
        if let EventKind::Answered { socket, .. } = event.what
            && let Some(end) = sockets.end(socket)
        {
            all.entry(end).or_insert(event.at);
        }
    }
    all
}

/// Writes a run with the addresses of the recording and reads it like the recording.
fn read_recording(
    writing: &Writing<'_>,
    options: &ReplayOptions,
) -> Result<(Transcript, FrameNumbers), ReplayError> {
    let file = options.journal.try_clone().map_err(ReplayError::Journal)?;
    let copy = file.try_clone().map_err(ReplayError::Journal)?;
    let frames = writing
        .write(NameSide::Recorded, BufWriter::with_capacity(1 << 16, copy))
        .map_err(ReplayError::Journal)?;
    let input = journal_input(file);
    let prepared = Prepared::new(vec![input]).shows(options.secrets);
    let mut pipeline = Pipeline::begin(prepared, writing.transcript.decode_as())?;
    let mut ends: BTreeSet<_> = writing.sockets.ends().iter().copied().collect();
    ends.extend(writing.plan.connections.iter().map(|connection| connection.end));
    let masters = writing.transcript.masters.keys().map(|(_, end)| end.ip()).collect();
    let replayed = ReplayedEndpoints { ends, masters };
    let sockets = writing.sockets;
    let to_recording = |message: &CapturedMessage<'_>, out: &mut Vec<u8>| {
        let header = &message.header;
        let is_ours = replayed.ends.contains(&header.source);
        let end = if is_ours { header.source } else { header.destination };
        sockets.to_recording(header.entry, message.payload, end, out);
    };
    let transcript = Transcript::of_run(&mut pipeline, &replayed, to_recording)?;
    Ok((transcript, frames))
}

fn journal_input(file: File) -> Input {
    Input::Held { name: "the run".to_owned(), file: Arc::new(file) }
}

/// Open connections, and the results of closed ones.
#[derive(Default)]
struct OpenConnections<'s> {
    open: Vec<ScopedJoinHandle<'s, (Journal, Option<io::Error>)>>,
    done: ConnectionResults,
}

/// The results of connections.
#[derive(Default)]
struct ConnectionResults {
    journal: Vec<JournalEvent>,
    answered: u64,
    /// Messages of clients, and their bytes.
    sent: u64,
    bytes: u64,
    broken: u64,
    connection_error: Option<io::Error>,
    left_out: u64,
}

impl OpenConnections<'_> {
    /// If too many are open, waits until they end; the recorded order is not kept then.
    fn make_room(&mut self, turn: &mut Turn<'_>) {
        if self.open.len() >= CONNECTIONS {
            turn.set(None);
            self.close();
        }
    }

    fn close(&mut self) {
        let done = &mut self.done;
        for connection in self.open.drain(..) {
            let lost = || (Journal::default(), Some(io::Error::other("a connection was lost")));
            let (journal, failed) = connection.join().unwrap_or_else(|_| lost());
            done.left_out += journal.left_out;
            for event in &journal.events {
                let EventKind::Connection(_, event) = &event.what else {
                    continue;
                };
                match event {
                    ConnectionEvent::Received(_) => done.answered += 1,
                    ConnectionEvent::Sent { bytes, .. } => {
                        done.sent += 1;
                        done.bytes += bytes.len() as u64;
                    }
                    ConnectionEvent::Opened { .. } | ConnectionEvent::Closed => {}
                }
            }
            done.journal.extend(journal.events);
            done.broken += u64::from(failed.is_some());
            done.connection_error = done.connection_error.take().or(failed);
        }
    }
}
