//! The plan: which recorded messages are sent, from which socket, to which port, and when.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use super::pace::{Pace, Pauses};
use super::recorded_messages::RecordedRequest;
use super::sockets::ReplaySockets;
use super::transcript::Transcript;
use flow::Transport;
use protocol::{Carrier, Role};

/// Messages to be sent, in order.
pub struct Plan {
    pub(super) items: Vec<PlanItem>,
    pub(super) connections: Vec<PlannedConnection>,
    /// The pause between the last item and the next round, in nanoseconds.
    pub(super) pause: u64,
    pub(super) is_timed: bool,
    /// The pauses that were shortened.
    pub pauses: Pauses,
    /// Messages that are not sent, and why.
    pub skipped: SkippedMessages,
}

/// Messages that are not sent, with the reason.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkippedMessages {
    /// The target has no port for them; by the recorded destination.
    pub without_port: BTreeMap<(Transport, SocketAddr), u64>,
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
    Send(ScheduledSend),
    /// A connection, by its index in `connections`.
    Connect(usize),
}

/// A datagram.
pub(super) struct ScheduledSend {
    /// Its index in the transcript.
    pub request: usize,
    /// Its socket, and the one that the master may ask back.
    pub socket: usize,
    pub server: usize,
    pub port: u16,
    /// Shared by all messages with the same bytes.
    pub bytes: Arc<[u8]>,
    /// Nanoseconds since the Unix epoch, in the recording.
    pub time: i64,
    /// Whether it is the server's shutdown message.
    pub shutdown: bool,
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
pub(super) struct PlannedConnection {
    pub end: SocketAddr,
    pub to: SocketAddr,
    pub port: u16,
    /// The client's messages, by their indices in the transcript, with times.
    pub messages: Vec<(usize, u64)>,
}

impl PlannedConnection {
    /// Its first message.
    pub fn first(&self) -> usize {
        self.messages.first().map_or(0, |(at, _)| *at)
    }
}

/// The endpoints that a plan of these messages needs: those with sockets, and hosts that connect.
pub fn participants(
    transcript: &Transcript,
    is_replayed: impl Fn(&RecordedRequest) -> bool,
) -> (BTreeSet<SocketAddr>, BTreeSet<IpAddr>) {
    let (mut ends, mut connecting) = (BTreeSet::new(), BTreeSet::new());
    for request in transcript.requests.iter().filter(|request| is_replayed(request)) {
        match request.transport {
            Transport::Tcp => drop(connecting.insert(request.from.ip())),
            Transport::Udp if request.is_answer => {}
            Transport::Udp => {
                ends.insert(request.from);
                ends.extend(request.server);
            }
        }
    }
    (ends, connecting)
}

impl Plan {
    /// Plans the messages of a transcript that `is_replayed` selects. `port` maps a recorded master's
    /// endpoint to the target's port.
    pub fn new(
        transcript: &Transcript,
        sockets: &ReplaySockets,
        pace: Pace,
        is_replayed: impl Fn(&RecordedRequest) -> bool,
        port: impl Fn(&RecordedRequest) -> Option<u16>,
    ) -> Self {
        let mut skipped = SkippedMessages::default();
        let mut chosen: Vec<(i64, PlanSelection)> = Vec::new();
        let mut streams: HashMap<Option<u64>, usize> = HashMap::new();
        let mut connections: Vec<PlannedConnection> = Vec::new();
        let mut payload = PayloadCache::default();
        for (index, request) in
            transcript.requests.iter().enumerate().filter(|(_, request)| is_replayed(request))
        {
            let Some(port) = port(request) else {
                *skipped.without_port.entry((request.transport, request.to)).or_insert(0) += 1;
                continue;
            };
            match request.transport {
                Transport::Udp if request.is_answer => skipped.answers += 1,
                Transport::Udp => {
                    if let Some(send) =
                        send(transcript, sockets, index, request, port, &mut payload)
                    {
                        chosen.push((request.time, PlanSelection::Item(PlanAction::Send(send))));
                    }
                }
                Transport::Tcp => {
                    let connection = *streams.entry(request.connection).or_insert_with(|| {
                        let (end, to) = (request.from, request.to);
                        connections.push(PlannedConnection { end, to, port, messages: Vec::new() });
                        let connect = PlanAction::Connect(connections.len() - 1);
                        chosen.push((request.time, PlanSelection::Item(connect)));
                        connections.len() - 1
                    });
                    chosen.push((request.time, PlanSelection::OnConnection(connection, index)));
                }
            }
        }
        let (due, pauses) = pace.due(chosen.iter().map(|(time, _)| *time));
        let pause = pace.pause(&due);
        let mut items = Vec::with_capacity(chosen.len());
        for (due, (_, chosen)) in due.into_iter().zip(chosen) {
            match chosen {
                PlanSelection::Item(what) => items.push(PlanItem { due, what }),
                PlanSelection::OnConnection(connection, index) => {
                    if let Some(connection) = connections.get_mut(connection) {
                        connection.messages.push((index, due));
                    }
                }
            }
        }
        let is_timed = pace.spacing != super::Spacing::Asap;
        Self { items, connections, pause, is_timed, pauses, skipped }
    }

    /// Whether there is nothing to send.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Whether the recording has a response to any of it.
    pub fn wants_answers(&self) -> bool {
        !self.connections.is_empty()
            || self.items.iter().any(
                |item| matches!(&item.what, PlanAction::Send(send) if send.expects == Expects::Answer),
            )
    }

    /// The number of datagrams and connections in one round.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// When the last item of a round is due, in nanoseconds.
    pub fn span(&self) -> u64 {
        self.items.last().map_or(0, |item| item.due)
    }
}

enum PlanSelection {
    Item(PlanAction),
    /// A message on a connection, by their indices.
    OnConnection(usize, usize),
}

/// Payloads so far, each once: servers of one game send the same bytes, and bytes in the CPU cache
/// are sent faster.
#[derive(Default)]
struct PayloadCache {
    all: HashSet<Arc<[u8]>>,
    buffer: Vec<u8>,
}

fn send(
    transcript: &Transcript,
    sockets: &ReplaySockets,
    index: usize,
    request: &RecordedRequest,
    port: u16,
    PayloadCache { all, buffer }: &mut PayloadCache,
) -> Option<ScheduledSend> {
    let socket = sockets.socket_of(request.from)?;
    let server = request.server.and_then(|server| sockets.socket_of(server)).unwrap_or(socket);
    buffer.clear();
    sockets.to_run(request.entry, &request.bytes, request.from, buffer);
    let bytes = all.get(buffer.as_slice()).cloned().unwrap_or_else(|| {
        let bytes: Arc<[u8]> = buffer.as_slice().into();
        all.insert(Arc::clone(&bytes));
        bytes
    });
    let expects = match (request.entry.spec.one_way, request.replies.is_empty()) {
        (_, false) => Expects::Answer,
        (true, true) => Expects::Nothing,
        (false, true) => Expects::Perhaps,
    };
    let shutdown = transcript.is_shutdown(request);
    Some(ScheduledSend {
        request: index,
        socket,
        server,
        port,
        bytes,
        time: request.time,
        shutdown,
        expects,
    })
}

/// Whether a message can be replayed: from a server or a client, and complete.
pub fn is_replayable(request: &RecordedRequest) -> bool {
    let carrier = request.entry.spec.carrier;
    let fits = match request.transport {
        Transport::Udp => carrier == Carrier::Datagram,
        Transport::Tcp => carrier == Carrier::Stream,
    };
    fits && request.role != Role::Master
}
