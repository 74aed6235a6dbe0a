//! What masters were asked in a capture, and what they answered: read alike of the recording and of
//! the run.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::net::{IpAddr, SocketAddr};
use std::ops::ControlFlow;

use super::ReplayError;
use super::fields::{FieldValue, items};
use super::repertoire::Repertoire;
use super::standing::Standings;
use crate::analysis::{
    Analyzer, CapturedMessage, Exchange, ExchangeState, Finding, MessageHeader, MessageTurn,
    Pipeline,
};
use crate::flow::{DecodeAs, DecodeTarget, Transport};
use crate::protocol::{Entry, ExchangeKind, Game, Reading, Role};

/// How many messages to masters are kept, how many bytes of them, and how many answers of each.
const ASKED: usize = 1 << 21;
const BYTES: usize = 1 << 29;
const REPLIES: usize = 1024;
/// How many ICMP errors are kept, and what those say that count.
const ERRORS: usize = 4096;
const UNREACHABLE: &str = "port unreachable";
/// How many questions of one kind may wait at once for their answers.
const WAITING: usize = 4;

/// Everything of a capture that a replay is about.
#[derive(Default)]
pub struct Transcript {
    /// What servers and clients said to masters, in order.
    pub asked: Vec<RecordedRequest>,
    /// What masters said that answers nothing of it.
    pub loose: Vec<RecordedReply>,
    /// Where masters listen, with the game that is spoken there.
    pub masters: BTreeMap<(Transport, SocketAddr), &'static Game>,
    /// What the ends that are not masters say when they are asked.
    pub repertoire: Repertoire,
    /// Which servers were registered when.
    pub standings: Standings,
    pub findings: Vec<Finding>,
    /// What came of each exchange.
    outcomes: HashMap<u64, (ExchangeKind, ExchangeState)>,
    /// Messages between masters, which are nobody's who is played.
    pub of_masters: u64,
    /// Messages to be played of which the capture has only a part.
    pub cut: u64,
    /// Where the network said that nobody listens at a master, when, and about which frame.
    pub unreachable: Vec<(SocketAddr, i64, u64)>,
    /// Messages that found no room.
    pub left_out: u64,
    /// The frames of all that was read as a message of a master.
    pub of_target: BTreeSet<u64>,
    pub warnings: Vec<String>,
}

/// One message to a master.
#[derive(Debug)]
pub struct RecordedRequest {
    /// The frame's number.
    pub number: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    pub from: SocketAddr,
    pub to: SocketAddr,
    pub transport: Transport,
    /// The number of its connection; nothing of a datagram.
    pub connection: Option<u64>,
    pub party: Role,
    pub entry: &'static Entry,
    pub bytes: Box<[u8]>,
    /// The server that its exchange is about.
    pub server: Option<SocketAddr>,
    pub exchange: u64,
    /// Whether it answers something that the master asked.
    pub is_answer: bool,
    /// Whether it was meant to be played.
    pub meant: bool,
    /// What the master said to that, in order.
    pub replies: Vec<RecordedReply>,
}

/// One message of a master.
#[derive(Debug)]
pub struct RecordedReply {
    pub number: u64,
    pub time: i64,
    pub from: SocketAddr,
    pub to: SocketAddr,
    pub entry: &'static Entry,
    /// Whether it asks back.
    pub asks: bool,
    /// Whether the capture has only its beginning.
    pub cut: bool,
    pub bytes: Box<[u8]>,
}

impl RecordedReply {
    /// Whether it is a list, or a part of one.
    pub fn is_list(&self) -> bool {
        self.entry.affair() == ExchangeKind::List && !self.entry.is_asked()
    }
}

/// Who is on which side of a message, where that is known beforehand.
pub struct Played {
    /// The ends that were played.
    pub ends: BTreeSet<SocketAddr>,
    /// Where the masters listen, as they are called.
    pub masters: BTreeSet<IpAddr>,
}

/// Where a message goes.
#[derive(Clone, Copy)]
enum Recipient {
    ToMaster(Role),
    OfMaster,
    BetweenMasters,
    Elsewhere,
}

impl Transcript {
    /// Reads a recording; `meant` says which messages shall be played.
    pub fn of_recording(
        pipeline: &mut Pipeline,
        mut meant: impl FnMut(&CapturedMessage<'_>) -> bool,
    ) -> Result<Self, ReplayError> {
        let side = |header: &MessageHeader| match (header.way.from, header.way.to) {
            (Some(Role::Master), Some(Role::Master)) => Recipient::BetweenMasters,
            (Some(Role::Master), _) => Recipient::OfMaster,
            (Some(party), Some(Role::Master)) => Recipient::ToMaster(party),
            _ => Recipient::Elsewhere,
        };
        Self::read(pipeline, side, |message, _| meant(message))
    }

    /// Reads what was kept of a run, in which ends have the addresses that they had in the
    /// recording. `back` writes a payload as it would have been said there.
    pub fn of_run(
        pipeline: &mut Pipeline,
        played: &Played,
        mut back: impl FnMut(&CapturedMessage<'_>, &mut Vec<u8>),
    ) -> Result<Self, ReplayError> {
        let side = |header: &MessageHeader| {
            if played.ends.contains(&header.source) {
                Recipient::ToMaster(header.way.from.unwrap_or(Role::Client))
            } else if played.masters.contains(&header.source.ip()) {
                Recipient::OfMaster
            } else {
                Recipient::Elsewhere
            }
        };
        Self::read(pipeline, side, |message, edited| {
            back(message, edited);
            true
        })
    }

    fn read(
        pipeline: &mut Pipeline,
        side: impl Fn(&MessageHeader) -> Recipient,
        mut look: impl FnMut(&CapturedMessage<'_>, &mut Vec<u8>) -> bool,
    ) -> Result<Self, ReplayError> {
        let mut account = Self::default();
        let (mut ledger, mut room) = (Analyzer::new(), TranscriptReader::default());
        let (mut edited, mut over) = (Vec::new(), Vec::new());
        pipeline.messages_with(|message, flows| {
            edited.clear();
            let meant = look(message, &mut edited);
            let payload = if edited.is_empty() { message.payload } else { &edited };
            let message = &CapturedMessage { header: message.header, payload };
            let placed = ledger.take(message, flows, |exchange| over.push(exchange));
            account.take_ended(&mut over);
            account.observe(message, placed, side(&message.header), meant, &mut room);
            ControlFlow::<()>::Continue(())
        })?;
        ledger.finish(pipeline.flows(), |exchange| over.push(exchange));
        account.take_ended(&mut over);
        account.standings.sort();
        account.findings = ledger.findings().into_iter().cloned().collect();
        account.warnings.extend(pipeline.warnings().iter().cloned());
        account.warnings.extend(ledger.complaints());
        Ok(account)
    }

    /// Exchanges are over.
    fn take_ended(&mut self, over: &mut Vec<Exchange>) {
        for exchange in over.drain(..) {
            self.outcomes.insert(exchange.id, (exchange.affair, exchange.state));
            if let Some(master) = exchange.master().filter(|master| *master == exchange.asked) {
                let errors = exchange.errors.iter().filter(|e| e.what == UNREACHABLE);
                let errors = errors.map(|error| (master, error.time, error.number));
                let room = ERRORS.saturating_sub(self.unreachable.len());
                self.unreachable.extend(errors.take(room));
            }
            self.standings.add_exchange(&exchange);
        }
    }

    fn observe(
        &mut self,
        message: &CapturedMessage<'_>,
        placed: Option<(u64, MessageTurn)>,
        side: Recipient,
        meant: bool,
        room: &mut TranscriptReader,
    ) {
        let header = &message.header;
        let (exchange, turn) = placed.unwrap_or((0, MessageTurn::Ask));
        self.repertoire.add_message(message, &mut room.reading);
        match side {
            Recipient::Elsewhere => {}
            Recipient::BetweenMasters => self.of_masters += 1,
            Recipient::OfMaster => {
                self.of_target.insert(header.number);
                let reply = RecordedReply {
                    number: header.number,
                    time: header.time,
                    from: header.source,
                    to: header.destination,
                    entry: header.entry,
                    asks: turn == MessageTurn::Query || header.entry.spec.answers.is_empty(),
                    cut: header.missing > 0,
                    bytes: message.payload.into(),
                };
                self.answered(reply, header, exchange, room);
            }
            Recipient::ToMaster(party) => {
                self.masters.insert((header.transport, header.destination), header.verdict.game);
                let is_answer = !header.entry.spec.answers.is_empty();
                if header.missing > 0 {
                    self.cut += u64::from(meant && !is_answer);
                    return;
                }
                room.bytes += message.payload.len();
                if self.asked.len() >= ASKED || room.bytes > BYTES {
                    self.left_out += 1;
                    return;
                }
                let place = self.asked.len();
                self.asked.push(RecordedRequest {
                    number: header.number,
                    time: header.time,
                    from: header.source,
                    to: header.destination,
                    transport: header.transport,
                    connection: header.connection,
                    party,
                    entry: header.entry,
                    bytes: message.payload.into(),
                    server: named_server(message),
                    exchange,
                    is_answer,
                    meant,
                    replies: Vec::new(),
                });
                if let Some(connection) = header.connection {
                    // What the master said before anybody asked belongs to the first that is said.
                    let before = room.before.remove(&connection).unwrap_or_default();
                    if let Some(asked) = self.asked.last_mut() {
                        asked.replies.extend(before);
                    }
                    room.streams.insert(connection, place);
                } else if !is_answer {
                    room.exchanges.insert(exchange, place);
                    let key = (header.source, header.destination, header.entry.spec.id);
                    let waiting = room.waiting.entry(key).or_default();
                    if waiting.len() >= WAITING {
                        waiting.pop_front();
                    }
                    waiting.push_back(place);
                }
            }
        }
    }

    /// Puts what a master says to what it answers.
    fn answered(
        &mut self,
        reply: RecordedReply,
        header: &MessageHeader,
        exchange: u64,
        room: &mut TranscriptReader,
    ) {
        let place = if let Some(connection) = &header.connection {
            room.streams.get(connection).copied()
        } else {
            let last = room.exchanges.get(&exchange).copied();
            last.map(|last| self.meant_for(&reply, last, room))
        };
        let asked = place.and_then(|place| self.asked.get_mut(place));
        let list = match (asked, header.connection) {
            (Some(asked), _) => &mut asked.replies,
            (None, Some(connection)) => room.before.entry(connection).or_default(),
            (None, None) => &mut self.loose,
        };
        if list.len() < REPLIES {
            list.push(reply);
        } else {
            self.left_out += 1;
        }
    }

    /// Which of several questions that wait at once is answered: the one that has most in common
    /// with the answer, else the first. A list, and what asks back, belongs to the `last`.
    fn meant_for(&self, reply: &RecordedReply, last: usize, room: &mut TranscriptReader) -> usize {
        let waits = |place: &usize| self.asked.get(*place).is_some_and(|a| a.replies.is_empty());
        let Some(question) = self.asked.get(last) else {
            return last;
        };
        let is_single = !reply.asks && reply.entry.affair() != ExchangeKind::List;
        let key = (question.from, question.to, question.entry.spec.id);
        let Some(waiting) = room.waiting.get(&key).filter(|_| is_single) else {
            return last;
        };
        let waiting: Vec<usize> = waiting.iter().copied().filter(waits).collect();
        if waiting.len() < 2 {
            return waiting.first().copied().unwrap_or(last);
        }
        let answer = items(&mut room.reading, reply.entry, &reply.bytes);
        let mut best = (last, None);
        for place in waiting {
            let Some(asked) = self.asked.get(place) else {
                continue;
            };
            let said = items(&mut room.reading, asked.entry, &asked.bytes);
            let same =
                |i: &&FieldValue| answer.iter().any(|a| a.name() == i.name() && a.text == i.text);
            let common = said.iter().filter(|i| i.field.is_data()).filter(same).count();
            if Some(common) > best.1 {
                best = (place, Some(common));
            }
        }
        best.0
    }

    /// What came of an exchange.
    pub(super) fn outcome(&self, exchange: u64) -> Option<(ExchangeKind, ExchangeState)> {
        self.outcomes.get(&exchange).copied()
    }

    /// Whether with this message, or the exchange that it is part of, a server says that it goes.
    pub(super) fn is_farewell(&self, asked: &RecordedRequest) -> bool {
        let farewell = asked.entry.spec.dealing.farewell;
        farewell.is_some_and(|leaves| leaves(&asked.bytes))
            || self
                .outcome(asked.exchange)
                .is_some_and(|(affair, _)| affair == ExchangeKind::Shutdown)
    }

    /// The rules that the recording breaks where one of these frames is at fault.
    pub(super) fn faults(&self, frames: impl Fn(u64) -> bool) -> Option<&Finding> {
        self.findings.iter().find(|f| f.messages.iter().any(|number| frames(*number)))
    }

    /// What to tell whoever reads the run of its masters: the games that they were found to be.
    pub(super) fn notes(&self) -> Vec<DecodeAs> {
        let told = self.masters.iter();
        told.map(|((_, end), game)| DecodeAs { subject: DecodeTarget::End(*end), game }).collect()
    }
}

/// What is known while reading.
#[derive(Default)]
struct TranscriptReader {
    reading: Reading,
    bytes: usize,
    /// The last message of each exchange, and of each connection, by its place.
    exchanges: HashMap<u64, usize>,
    streams: HashMap<u64, usize>,
    /// The last messages of one kind between two ends.
    waiting: HashMap<(SocketAddr, SocketAddr, &'static str), VecDeque<usize>>,
    /// What masters said on connections before anybody spoke.
    before: HashMap<u64, Vec<RecordedReply>>,
}

/// The server that a message names by a port of its own, where it is another one than it was sent
/// from.
fn named_server(message: &CapturedMessage<'_>) -> Option<SocketAddr> {
    let header = &message.header;
    if !header.entry.spec.dealing.names_port {
        return None;
    }
    let mut facts = crate::analysis::MessageValues::default();
    facts.read(message);
    facts.port.map(|port| SocketAddr::new(header.source.ip(), port))
}
