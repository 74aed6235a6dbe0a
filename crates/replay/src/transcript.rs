//! The requests and responses of masters in a capture: read in the same way from the recording and
//! from the run.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::net::{IpAddr, SocketAddr};
use std::ops::ControlFlow;

use super::ReplayError;
use super::recorded_messages::{RecordedReply, RecordedRequest};
use super::recorded_replies::RecordedReplies;
use super::registration::RegistrationLog;
use analysis::{
    AnalysisNeeds, Analyzer, CapturedMessage, Exchange, ExchangeState, Finding, MessageHeader,
    MessageTurn, Pipeline, ValueBatch, ValueReader,
};
use flow::{DecodeAs, DecodeTarget, FlowId, Flows, StreamClose, Transport};
use protocol::{ExchangeKind, Game, Reading, Role};
use render::{FieldValue, field_values};
use text::Secrets;

/// The maximum number of messages to masters, of their bytes, and of responses to each.
const REQUESTS: usize = 1 << 21;
const BYTES: usize = 1 << 29;
const REPLIES: usize = 1024;
/// The maximum number of ICMP errors, and which texts count.
const ERRORS: usize = 4096;
const UNREACHABLE: &str = "port unreachable";
/// How many requests of one kind may be unanswered at once.
const WAITING: usize = 4;

/// The messages of a capture that a replay uses.
#[derive(Default)]
pub struct Transcript {
    /// Messages of servers and clients to masters, in order.
    pub requests: Vec<RecordedRequest>,
    /// Messages of masters that answer none of them.
    pub unrequested: Vec<RecordedReply>,
    /// The endpoints of masters, with their games.
    pub masters: BTreeMap<(Transport, SocketAddr), &'static Game>,
    /// The recorded answers of the other endpoints.
    pub recorded_replies: RecordedReplies,
    /// When each server was registered.
    pub registrations: RegistrationLog,
    /// What is wrong in the recording.
    pub findings: Vec<Finding>,
    /// The outcome of each exchange.
    outcomes: HashMap<u64, (ExchangeKind, ExchangeState)>,
    /// Messages between masters, which are not replayed.
    pub of_masters: u64,
    /// Selected messages of which the capture has only a part.
    pub cut: u64,
    /// ICMP errors "port unreachable" for masters: the address, the time, and the frame.
    pub unreachable: Vec<(SocketAddr, i64, u64)>,
    /// Which side ended each TCP connection first behind its last message, by the connection's
    /// number.
    pub closes: HashMap<u64, StreamClose>,
    /// Messages dropped by the limits.
    pub left_out: u64,
    /// The frames of all messages that were decoded as a master's.
    pub of_target: BTreeSet<u64>,
    /// What of the recording could not be read.
    pub warnings: Vec<String>,
}

/// The roles of endpoints, if they are known in advance.
pub(crate) struct ReplayedEndpoints {
    /// The simulated endpoints.
    pub ends: BTreeSet<SocketAddr>,
    /// The masters' addresses in the recording.
    pub masters: BTreeSet<IpAddr>,
}

/// The direction of a message.
#[derive(Clone, Copy)]
enum Recipient {
    ToMaster(Role),
    OfMaster,
    BetweenMasters,
    Elsewhere,
}

impl Transcript {
    /// Reads a recording; `selected` selects the messages to replay.
    ///
    /// # Errors
    ///
    /// If the recording cannot be read again.
    pub fn of_recording(
        pipeline: &mut Pipeline,
        mut selected: impl FnMut(&CapturedMessage<'_>) -> bool,
    ) -> Result<Self, ReplayError> {
        let side = |header: &MessageHeader| match (header.direction.from, header.direction.to) {
            (Some(Role::Master), Some(Role::Master)) => Recipient::BetweenMasters,
            (Some(Role::Master), _) => Recipient::OfMaster,
            // Of what servers send too, a client is assumed.
            (role, Some(Role::Master)) => Recipient::ToMaster(role.unwrap_or(Role::Client)),
            _ => Recipient::Elsewhere,
        };
        Self::read_messages(pipeline, side, |message, _| selected(message))
    }

    /// Reads the journal of a run, in which endpoints have their recorded addresses. `to_recording` maps
    /// the addresses in a payload back to the recording.
    pub(super) fn of_run(
        pipeline: &mut Pipeline,
        replayed: &ReplayedEndpoints,
        mut to_recording: impl FnMut(&CapturedMessage<'_>, &mut Vec<u8>),
    ) -> Result<Self, ReplayError> {
        let side = |header: &MessageHeader| {
            if replayed.ends.contains(&header.source) {
                Recipient::ToMaster(header.direction.from.unwrap_or(Role::Client))
            } else if replayed.masters.contains(&header.source.ip()) {
                Recipient::OfMaster
            } else {
                Recipient::Elsewhere
            }
        };
        Self::read_messages(pipeline, side, |message, edited| {
            to_recording(message, edited);
            true
        })
    }

    fn read_messages(
        pipeline: &mut Pipeline,
        side: impl Fn(&MessageHeader) -> Recipient,
        mut select: impl FnMut(&CapturedMessage<'_>, &mut Vec<u8>) -> bool,
    ) -> Result<Self, ReplayError> {
        let mut transcript = Self::default();
        let (mut analyzer, mut reader) =
            (Analyzer::new(AnalysisNeeds::Findings), TranscriptReader::default());
        let mut edited = Vec::new();
        pipeline.messages_with(|message, flows| {
            edited.clear();
            let selected = select(message, &mut edited);
            let payload = if edited.is_empty() { message.payload } else { &edited };
            let message = &CapturedMessage { header: message.header, payload };
            let assigned = analyzer.analyze(message, flows);
            analyzer.ended().for_each(|exchange| transcript.add_exchange(exchange));
            transcript.observe(message, assigned, side(&message.header), selected, &mut reader);
            ControlFlow::<()>::Continue(())
        })?;
        analyzer.finish(pipeline.flows(), |exchange| transcript.add_exchange(exchange));
        transcript.closes = reader.closes(pipeline.flows());
        transcript.registrations.sort();
        transcript.findings = analyzer.findings().into_iter().cloned().collect();
        transcript.warnings.extend(pipeline.warnings().iter().cloned());
        transcript.warnings.extend(analyzer.warnings());
        Ok(transcript)
    }

    /// Takes an exchange that has ended.
    fn add_exchange(&mut self, exchange: &Exchange) {
        self.outcomes.insert(exchange.id, (exchange.kind, exchange.state));
        if let Some(master) = exchange.master().filter(|master| *master == exchange.responder) {
            let errors = exchange.errors.iter().filter(|e| e.what == UNREACHABLE);
            let errors = errors.map(|error| (master, error.time, error.number));
            let left = ERRORS.saturating_sub(self.unreachable.len());
            self.unreachable.extend(errors.take(left));
        }
        self.registrations.add_exchange(exchange);
    }

    fn observe(
        &mut self,
        message: &CapturedMessage<'_>,
        assigned: Option<(u64, MessageTurn)>,
        side: Recipient,
        selected: bool,
        reader: &mut TranscriptReader,
    ) {
        let header = &message.header;
        let (exchange, item) = assigned.unwrap_or((0, MessageTurn::Request));
        self.recorded_replies.add_message(message, &mut reader.reading);
        if let Some(connection) = header.connection {
            reader.last.insert(connection, (header.flow, header.number));
        }
        match side {
            Recipient::Elsewhere => {}
            Recipient::BetweenMasters => self.of_masters += 1,
            Recipient::OfMaster => {
                self.of_target.insert(header.number);
                let reply = RecordedReply {
                    number: header.number,
                    time: header.time,
                    entry: header.entry,
                    is_request: item == MessageTurn::Query || header.entry.spec.answers.is_empty(),
                    from: header.source,
                    to: header.destination,
                    cut: header.missing > 0,
                    bytes: message.payload.into(),
                };
                self.answered(reply, header, exchange, reader);
            }
            Recipient::ToMaster(role) => {
                self.masters.insert((header.transport, header.destination), header.verdict.game);
                let is_answer = !header.entry.spec.answers.is_empty();
                if header.missing > 0 {
                    self.cut += u64::from(selected && !is_answer);
                    return;
                }
                reader.bytes += message.payload.len();
                if self.requests.len() >= REQUESTS || reader.bytes > BYTES {
                    self.left_out += 1;
                    return;
                }
                let index = self.requests.len();
                self.requests.push(RecordedRequest {
                    number: header.number,
                    time: header.time,
                    from: header.source,
                    to: header.destination,
                    transport: header.transport,
                    connection: header.connection,
                    role,
                    entry: header.entry,
                    bytes: message.payload.into(),
                    server: named_server(message),
                    exchange,
                    is_answer,
                    selected,
                    replies: Vec::new(),
                });
                if let Some(connection) = header.connection {
                    // Messages that the master sent before any request belong to the first one.
                    let before = reader.before.remove(&connection).unwrap_or_default();
                    if let Some(request) = self.requests.last_mut() {
                        request.replies.extend(before);
                    }
                    reader.streams.insert(connection, index);
                } else if !is_answer {
                    reader.exchanges.insert(exchange, index);
                    let key = (header.source, header.destination, header.entry.spec.id);
                    let waiting = reader.waiting.entry(key).or_default();
                    if waiting.len() >= WAITING {
                        waiting.pop_front();
                    }
                    waiting.push_back(index);
                }
            }
        }
    }

    /// Assigns a master's message to the request that it answers.
    fn answered(
        &mut self,
        reply: RecordedReply,
        header: &MessageHeader,
        exchange: u64,
        reader: &mut TranscriptReader,
    ) {
        let index = if let Some(connection) = &header.connection {
            reader.streams.get(connection).copied()
        } else {
            let last = reader.exchanges.get(&exchange).copied();
            last.map(|last| self.answered_request(&reply, last, reader))
        };
        let request = index.and_then(|index| self.requests.get_mut(index));
        let list = match (request, header.connection) {
            (Some(request), _) => &mut request.replies,
            (None, Some(connection)) => reader.before.entry(connection).or_default(),
            (None, None) => &mut self.unrequested,
        };
        if list.len() < REPLIES {
            list.push(reply);
        } else {
            self.left_out += 1;
        }
    }

    /// Which of several unanswered requests a response belongs to: the one that has most in common
    /// with it, else the first. A list or a challenge belongs to the `last`.
    fn answered_request(
        &self,
        reply: &RecordedReply,
        last: usize,
        reader: &mut TranscriptReader,
    ) -> usize {
        let waits = |index: &usize| self.requests.get(*index).is_some_and(|a| a.replies.is_empty());
        let Some(request) = self.requests.get(last) else {
            return last;
        };
        let is_single = !reply.is_request && reply.entry.exchange() != ExchangeKind::List;
        let key = (request.from, request.to, request.entry.spec.id);
        let Some(waiting) = reader.waiting.get(&key).filter(|_| is_single) else {
            return last;
        };
        let waiting: Vec<usize> = waiting.iter().copied().filter(waits).collect();
        if waiting.len() < 2 {
            return waiting.first().copied().unwrap_or(last);
        }
        let answer = field_values(&mut reader.reading, reply.entry, &reply.bytes);
        let mut best = (last, None);
        for index in waiting {
            let Some(request) = self.requests.get(index) else {
                continue;
            };
            let values = field_values(&mut reader.reading, request.entry, &request.bytes);
            let same =
                |i: &&FieldValue| answer.iter().any(|a| a.name() == i.name() && a.text == i.text);
            let common = values.iter().filter(|i| i.field.is_data()).filter(same).count();
            if Some(common) > best.1 {
                best = (index, Some(common));
            }
        }
        best.0
    }

    /// The outcome of an exchange.
    pub(super) fn outcome(&self, exchange: u64) -> Option<(ExchangeKind, ExchangeState)> {
        self.outcomes.get(&exchange).copied()
    }

    /// Whether this message, or its exchange, is a server's shutdown.
    pub(super) fn is_shutdown(&self, request: &RecordedRequest) -> bool {
        let shutdown = request.entry.spec.shutdown;
        shutdown.is_some_and(|announces| announces(&request.bytes))
            || self
                .outcome(request.exchange)
                .is_some_and(|(kind, _)| kind == ExchangeKind::Shutdown)
    }

    /// The rules that the recording violates in one of these frames.
    pub(super) fn faults(&self, frames: impl Fn(u64) -> bool) -> Option<&Finding> {
        self.findings.iter().find(|f| f.messages.iter().any(|number| frames(*number)))
    }

    /// The masters and their games, as `DecodeAs` overrides for reading the run.
    pub(super) fn decode_as(&self) -> Vec<DecodeAs> {
        self.masters
            .iter()
            .map(|((_, end), game)| DecodeAs { subject: DecodeTarget::End(*end), game })
            .collect()
    }
}

/// State while reading.
#[derive(Default)]
struct TranscriptReader {
    reading: Reading,
    bytes: usize,
    /// The last message of each exchange, and of each connection, by its index.
    exchanges: HashMap<u64, usize>,
    streams: HashMap<u64, usize>,
    /// The last messages of one kind between two endpoints.
    waiting: HashMap<(SocketAddr, SocketAddr, &'static str), VecDeque<usize>>,
    /// Messages of masters on connections before the client sent anything.
    before: HashMap<u64, Vec<RecordedReply>>,
    /// The flow of each connection, and the frame of its last message.
    last: HashMap<u64, (FlowId, u64)>,
}

impl TranscriptReader {
    /// The first end of each connection behind its last message.
    fn closes(&self, flows: &Flows) -> HashMap<u64, StreamClose> {
        let closes = self.last.iter().filter_map(|(connection, (flow, last))| {
            let close = flows.closes(*flow).iter().find(|close| close.number >= *last)?;
            Some((*connection, *close))
        });
        closes.collect()
    }
}

/// The server that a message names by a port of its own, if that is not its source port.
fn named_server(message: &CapturedMessage<'_>) -> Option<SocketAddr> {
    let header = &message.header;
    if !header.entry.spec.has_query_port {
        return None;
    }
    let mut values = ValueBatch::default();
    ValueReader::new(Secrets::default(), AnalysisNeeds::Exchanges)
        .read_values(message, &mut values);
    values.last().plain.port.map(|port| SocketAddr::new(header.source.ip(), port))
}
