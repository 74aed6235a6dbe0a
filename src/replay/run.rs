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
use super::account::{Played, Transcript};
use super::connection::Caller;
use super::ear::{self, Ear, ReceiverEnd, Shared};
use super::journal::{
    FrameNumbers, Happened, Journal, JournalEvent, NameSide, SentMessage, Writing,
};
use super::mouth::Mouth;
use super::pace::Pacing;
use super::partner::{MadeUp, Partners, SenderPosition};
use super::plan::{Plan, PlanAction};
use super::stage::ReplaySockets;
use crate::analysis::{CapturedMessage, Pipeline, Prepared};
use crate::capture::Input;
use crate::text::Secrets;

/// The maximum number of simultaneous connections.
const CALLS: usize = 64;

/// The options of a run.
#[derive(Debug)]
pub struct ReplayOptions {
    /// The number of rounds.
    pub rounds: u32,
    /// Whether every message waits for the response to the previous one.
    pub waits: bool,
    /// How long to wait for a response.
    pub patience: Duration,
    /// An empty temporary file for the journal.
    pub journal: File,
    /// Whether notes quote secrets.
    pub secrets: Secrets,
}

/// The number of sent messages, readable from other threads.
#[derive(Debug, Clone, Default)]
pub struct SendProgress(Arc<AtomicU64>);

impl SendProgress {
    pub fn sent(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A sent message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairing {
    /// Its index in the transcript of the recording.
    pub recorded: usize,
    /// Its index in the transcript of the run, if it was decoded there.
    pub live: Option<usize>,
    /// Nanoseconds from the start.
    pub at: u64,
}

/// The result of a run.
pub struct ReplayOutcome {
    pub pacing: Pacing,
    /// The target's requests and responses, with the addresses of the recording.
    pub run: Transcript,
    /// The sent messages, with their indices in both transcripts.
    pub pairs: Vec<Pairing>,
    /// When each endpoint first answered the target, in nanoseconds from the start.
    pub proved: HashMap<SocketAddr, u64>,
    /// Frames of the run in which the target sent something that is no message.
    pub strange: Vec<u64>,
    pub made_up: MadeUp,
    /// Messages refused by ICMP: port unreachable.
    pub refused: u64,
    /// Received datagrams.
    pub heard: u64,
    /// Messages and answers that could not be sent, and the first reason.
    pub unsent: u64,
    pub failed: Option<io::Error>,
    /// Connections that failed, and the first reason.
    pub broken: u64,
    pub broke: Option<io::Error>,
    /// Messages dropped by limits, and so not compared.
    pub left_out: u64,
}

impl ReplayOutcome {
    /// Whether the target sent nothing at all.
    pub fn is_silent(&self) -> bool {
        self.heard == 0
    }

    /// Whether ICMP reports that the target's port is closed.
    pub fn is_down(&self) -> bool {
        let is_refused = |error: &io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
        self.is_silent()
            && (self.refused > 0
                || [&self.broke, &self.failed].into_iter().flatten().any(is_refused))
    }
}

/// Runs a plan, writes all traffic to `record`, and reads it again for the comparison.
pub fn play(
    account: &Transcript,
    plan: &Plan,
    stage: &mut ReplaySockets,
    options: &ReplayOptions,
    progress: &SendProgress,
    record: Option<&mut dyn Write>,
) -> Result<ReplayOutcome, ReplayError> {
    let mut sockets = stage.take_sockets();
    let (poll, waker) = ear::prepare(&mut sockets)?;
    let stage = &*stage;
    let places: Vec<_> = sockets.iter().map(|_| SenderPosition::default()).collect();
    let target = stage.target();
    let gap = match target.limit() {
        Some(limit) if !target.is_loopback() => 1_000_000_000 / u64::from(limit.max(1)),
        _ => 0,
    };
    let shared = Shared::new(sockets.len(), gap);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let start = Instant::now();
    let partners = Partners::new(account, stage, &places);
    let (told, ending, calls) = thread::scope(|scope| {
        let ear = Ear { poll, sockets: &sockets, partners, shared: &shared, start };
        let ear = scope.spawn(|| ear.run());
        let mut mouth = Mouth {
            sockets: &sockets,
            places: &places,
            shared: &shared,
            start,
            sent: Vec::with_capacity(
                plan.len().saturating_mul(options.rounds as usize).min(1 << 20),
            ),
            bytes: 0,
            left_out: 0,
            unsent: 0,
            failed: None,
            open: vec![None; sockets.len()],
            progress: &progress.0,
        };
        let mut calls = Calls::default();
        let mut begin = 0u64;
        for round in 0..options.rounds {
            for (turn, planned) in (0u32..).zip(&plan.turns) {
                let due = begin.saturating_add(planned.due);
                if plan.is_timed || gap > 0 {
                    mouth.wait(due);
                }
                match &planned.what {
                    PlanAction::Say(cue) => {
                        let before = mouth.send_due(cue, turn, round, due);
                        if options.waits {
                            mouth.hold(cue, before, options.patience);
                        }
                    }
                    PlanAction::Call(place) => {
                        let Some(call) = plan.calls.get(*place) else {
                            continue;
                        };
                        shared.takes_turn(start);
                        let (place, patience) = (*place, options.patience);
                        let is_timed = plan.is_timed;
                        let journal = Journal::default();
                        let caller = Caller {
                            account,
                            stage,
                            call,
                            place,
                            round,
                            start,
                            begin,
                            is_timed,
                            patience,
                            journal,
                        };
                        calls.open.push(scope.spawn(|| caller.run()));
                        if options.waits || calls.open.len() >= CALLS {
                            calls.close();
                        }
                    }
                }
            }
            begin = begin.saturating_add(plan.span()).saturating_add(plan.pause);
        }
        calls.close();
        mouth.wait_for_replies(options.patience);
        ear::stop(&shared, &waker);
        let ending = ear.join().unwrap_or_else(|_| ReceiverEnd {
            failed: Some(io::Error::other("what is heard could not be taken down")),
            ..ReceiverEnd::default()
        });
        (mouth.finish(), ending, calls.done)
    });
    let heard = shared.total.load(Ordering::Relaxed);
    let refused = shared.refused.load(Ordering::Relaxed);
    let late: Vec<u64> = told.sent.iter().map(|sent| sent.late).collect();
    let span = match (told.sent.first(), told.sent.last()) {
        (Some(first), Some(last)) => last.at - first.at,
        _ => 0,
    };
    let is_timed = plan.is_timed && !options.waits;
    let pacing = Pacing::of(&late, is_timed, told.bytes, ending.answers, span);
    let pacing = pacing.and_streams(calls.said, calls.bytes);
    let mut events = ending.journal.events;
    events.extend(calls.journal);
    events.sort_by_key(|event| event.at);
    let writing = Writing { account, plan, stage, sent: &told.sent, events: &events };
    if let Some(out) = record {
        let start = i64::try_from(clock.as_nanos()).unwrap_or(i64::MAX);
        writing.write(NameSide::Live { start }, out).map_err(ReplayError::Journal)?;
    }
    let (run, frames) = read(&writing, options)?;
    let places: HashMap<u64, usize> = run.asked.iter().map(|asked| asked.number).zip(0..).collect();
    let pairs = frames.asked.iter().map(|(frame, asked, at)| {
        let live = places.get(frame).copied();
        Pairing { recorded: *asked, live, at: *at }
    });
    let pairs = pairs.collect();
    let mut proved = HashMap::new();
    for event in &events {
        if let Happened::Answered { place, .. } = event.what
            && let Some(end) = stage.end(place)
        {
            proved.entry(end).or_insert(event.at);
        }
    }
    let strange = frames.heard.iter().copied().filter(|f| !run.of_target.contains(f)).collect();
    Ok(ReplayOutcome {
        pacing,
        pairs,
        proved,
        strange,
        made_up: ending.made_up,
        refused,
        heard: heard + calls.answered,
        unsent: told.unsent + ending.unsent,
        failed: told.failed.or(ending.failed),
        broken: calls.broken,
        broke: calls.broke,
        left_out: told.left_out + ending.journal.left_out + calls.left_out + run.left_out,
        run,
    })
}

/// Writes a run with the addresses of the recording and reads it like the recording.
fn read(
    writing: &Writing<'_>,
    options: &ReplayOptions,
) -> Result<(Transcript, FrameNumbers), ReplayError> {
    let file = options.journal.try_clone().map_err(ReplayError::Journal)?;
    let copy = file.try_clone().map_err(ReplayError::Journal)?;
    let frames = writing
        .write(NameSide::Recorded, BufWriter::with_capacity(1 << 16, copy))
        .map_err(ReplayError::Journal)?;
    let input = held(file);
    let prepared = Prepared::new(vec![input]).shows(options.secrets);
    let mut pipeline = Pipeline::begin(prepared, writing.account.notes())?;
    let mut ends: BTreeSet<_> = writing.stage.ends().iter().copied().collect();
    ends.extend(writing.plan.calls.iter().map(|call| call.end));
    let masters = writing.account.masters.keys().map(|(_, end)| end.ip()).collect();
    let played = Played { ends, masters };
    let stage = writing.stage;
    let back = |message: &CapturedMessage<'_>, out: &mut Vec<u8>| {
        let header = &message.header;
        let is_ours = played.ends.contains(&header.source);
        let end = if is_ours { header.source } else { header.destination };
        stage.back(header.entry, message.payload, end, out);
    };
    let account = Transcript::of_run(&mut pipeline, &played, back)?;
    Ok((account, frames))
}

fn held(file: File) -> Input {
    Input::Held { name: "the run".to_owned(), file: Arc::new(file) }
}

/// Open connections, and the results of closed ones.
#[derive(Default)]
struct Calls<'s> {
    open: Vec<ScopedJoinHandle<'s, (Journal, Option<io::Error>)>>,
    done: ConnectionResults,
}

/// The results of connections.
#[derive(Default)]
struct ConnectionResults {
    journal: Vec<JournalEvent>,
    answered: u64,
    /// Messages of clients, and their bytes.
    said: u64,
    bytes: u64,
    broken: u64,
    broke: Option<io::Error>,
    left_out: u64,
}

impl Calls<'_> {
    fn close(&mut self) {
        let done = &mut self.done;
        for call in self.open.drain(..) {
            let lost = || (Journal::default(), Some(io::Error::other("a connection was lost")));
            let (journal, failed) = call.join().unwrap_or_else(|_| lost());
            done.left_out += journal.left_out;
            for event in &journal.events {
                match &event.what {
                    Happened::Told { .. } => done.answered += 1,
                    Happened::Said { bytes, .. } => {
                        done.said += 1;
                        done.bytes += bytes.len() as u64;
                    }
                    _ => {}
                }
            }
            done.journal.extend(journal.events);
            done.broken += u64::from(failed.is_some());
            done.broke = done.broke.take().or(failed);
        }
    }
}

/// The sender's record of sent messages.
struct SendLog {
    sent: Vec<SentMessage>,
    bytes: u64,
    left_out: u64,
    unsent: u64,
    failed: Option<io::Error>,
}

impl Mouth<'_> {
    fn finish(self) -> SendLog {
        let Self { sent, bytes, left_out, unsent, failed, .. } = self;
        SendLog { sent, bytes, left_out, unsent, failed }
    }
}
