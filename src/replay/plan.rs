//! The plan: which recorded messages are sent, from which socket, to which port, and when.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use super::account::{RecordedRequest, Transcript};
use super::pace::{Pace, Silences};
use super::stage::ReplaySockets;
use crate::flow::Transport;
use crate::protocol::{Carrier, Role};

/// Messages to be sent, in order.
pub struct Plan {
    pub(super) turns: Vec<PlanItem>,
    pub(super) calls: Vec<Call>,
    /// The pause between the last item and the next round, in nanoseconds.
    pub(super) pause: u64,
    pub(super) is_timed: bool,
    pub silences: Silences,
    pub skipped: SkippedMessages,
}

/// Messages that are not sent, with the reason.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkippedMessages {
    /// The target has no port for them; by the recorded destination.
    pub nowhere: BTreeMap<(Transport, SocketAddr), u64>,
    /// They answer the recorded master's requests; the live one sends its own.
    pub answers: u64,
}

/// A scheduled send.
pub(super) struct PlanItem {
    /// Nanoseconds from the start of its round.
    pub due: u64,
    pub what: PlanAction,
}

pub(super) enum PlanAction {
    Say(Cue),
    /// A connection, by its index in `calls`.
    Call(usize),
}

/// A datagram.
pub(super) struct Cue {
    /// Its index in the transcript.
    pub asked: usize,
    /// Its socket, and the one that the master may ask back.
    pub socket: usize,
    pub server: usize,
    pub port: u16,
    /// Shared by all messages with the same bytes.
    pub bytes: Arc<[u8]>,
    /// Nanoseconds since the Unix epoch, in the recording.
    pub time: i64,
    /// Whether it is the server's shutdown message.
    pub farewell: bool,
    pub expects: Expects,
}

/// The expected response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expects {
    /// None, by the documents.
    Nothing,
    /// The recording has none, but there may be one.
    Perhaps,
    /// The recording has one.
    Answer,
}

/// A connection.
pub(super) struct Call {
    pub end: SocketAddr,
    pub to: SocketAddr,
    pub port: u16,
    /// The client's messages, by their indices in the transcript, with times.
    pub says: Vec<(usize, u64)>,
}

/// The endpoints that a plan of these messages needs: those with sockets, and hosts that connect.
pub fn cast(
    account: &Transcript,
    plays: impl Fn(&RecordedRequest) -> bool,
) -> (BTreeSet<SocketAddr>, BTreeSet<IpAddr>) {
    let (mut ends, mut connecting) = (BTreeSet::new(), BTreeSet::new());
    for asked in account.asked.iter().filter(|asked| plays(asked)) {
        match asked.transport {
            Transport::Tcp => drop(connecting.insert(asked.from.ip())),
            Transport::Udp if asked.is_answer => {}
            Transport::Udp => {
                ends.insert(asked.from);
                ends.extend(asked.server);
            }
        }
    }
    (ends, connecting)
}

impl Plan {
    /// Plans the messages of a transcript that `plays` selects. `port` maps a recorded master's
    /// endpoint to the target's port.
    pub fn new(
        account: &Transcript,
        stage: &ReplaySockets,
        pace: Pace,
        plays: impl Fn(&RecordedRequest) -> bool,
        port: impl Fn(&RecordedRequest) -> Option<u16>,
    ) -> Self {
        let mut skipped = SkippedMessages::default();
        let mut chosen: Vec<(i64, PlanSelection)> = Vec::new();
        let mut streams: HashMap<Option<u64>, usize> = HashMap::new();
        let mut calls: Vec<Call> = Vec::new();
        let mut said = PayloadCache::default();
        for (place, asked) in account.asked.iter().enumerate().filter(|(_, asked)| plays(asked)) {
            let Some(port) = port(asked) else {
                *skipped.nowhere.entry((asked.transport, asked.to)).or_insert(0) += 1;
                continue;
            };
            match asked.transport {
                Transport::Udp if asked.is_answer => skipped.answers += 1,
                Transport::Udp => {
                    if let Some(cue) = cue(account, stage, place, asked, port, &mut said) {
                        chosen.push((asked.time, PlanSelection::Cue(cue)));
                    }
                }
                Transport::Tcp => {
                    let call = *streams.entry(asked.connection).or_insert_with(|| {
                        let (end, to) = (asked.from, asked.to);
                        calls.push(Call { end, to, port, says: Vec::new() });
                        chosen.push((asked.time, PlanSelection::Call(calls.len() - 1)));
                        calls.len() - 1
                    });
                    chosen.push((asked.time, PlanSelection::Said(call, place)));
                }
            }
        }
        let (due, silences) = pace.due(chosen.iter().map(|(time, _)| *time));
        let pause = pace.pause(&due);
        let mut turns = Vec::with_capacity(chosen.len());
        for (due, (_, chosen)) in due.into_iter().zip(chosen) {
            match chosen {
                PlanSelection::Cue(cue) => turns.push(PlanItem { due, what: PlanAction::Say(cue) }),
                PlanSelection::Call(call) => {
                    turns.push(PlanItem { due, what: PlanAction::Call(call) });
                }
                PlanSelection::Said(call, place) => {
                    if let Some(call) = calls.get_mut(call) {
                        call.says.push((place, due));
                    }
                }
            }
        }
        let is_timed = pace.spacing != super::Spacing::Asap;
        Self { turns, calls, pause, is_timed, silences, skipped }
    }

    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Whether the recording has a response to any of it.
    pub fn wants_answers(&self) -> bool {
        !self.calls.is_empty()
            || self.turns.iter().any(
                |turn| matches!(&turn.what, PlanAction::Say(cue) if cue.expects == Expects::Answer),
            )
    }

    /// The number of datagrams and connections in one round.
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// When the last item of a round is due, in nanoseconds.
    pub fn span(&self) -> u64 {
        self.turns.last().map_or(0, |turn| turn.due)
    }
}

enum PlanSelection {
    Cue(Cue),
    Call(usize),
    Said(usize, usize),
}

/// Payloads so far, each once: servers of one game send the same bytes, and bytes in the CPU cache
/// are sent faster.
#[derive(Default)]
struct PayloadCache {
    all: HashSet<Arc<[u8]>>,
    buffer: Vec<u8>,
}

fn cue(
    account: &Transcript,
    stage: &ReplaySockets,
    place: usize,
    asked: &RecordedRequest,
    port: u16,
    PayloadCache { all, buffer }: &mut PayloadCache,
) -> Option<Cue> {
    let socket = stage.place(asked.from)?;
    let server = asked.server.and_then(|server| stage.place(server)).unwrap_or(socket);
    buffer.clear();
    stage.forth(asked.entry, &asked.bytes, asked.from, buffer);
    let bytes = all.get(buffer.as_slice()).cloned().unwrap_or_else(|| {
        let bytes: Arc<[u8]> = buffer.as_slice().into();
        all.insert(Arc::clone(&bytes));
        bytes
    });
    let expects = match (asked.entry.spec.one_way, asked.replies.is_empty()) {
        (_, false) => Expects::Answer,
        (true, true) => Expects::Nothing,
        (false, true) => Expects::Perhaps,
    };
    let farewell = account.is_farewell(asked);
    Some(Cue { asked: place, socket, server, port, bytes, time: asked.time, farewell, expects })
}

/// Whether a message can be replayed: from a server or a client, and complete.
pub fn is_playable(asked: &RecordedRequest) -> bool {
    let carrier = asked.entry.spec.carrier;
    let fits = match asked.transport {
        Transport::Udp => carrier == Carrier::Datagram,
        Transport::Tcp => carrier == Carrier::Stream,
    };
    fits && asked.party != Role::Master
}
