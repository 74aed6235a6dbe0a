//! Exchanges: requests with their answers, and the outcome.
//!
//! Flows know which request a reply answers. This module groups replies, challenges and retries
//! into exchanges, across flows if needed: a master may send a challenge from another port than the
//! one that got the heartbeat. Nothing here reads a payload; the values of a message come as
//! [`MessageValues`](super::MessageValues).

mod ended;
mod ending;
mod keys;
mod missing;
mod open;
mod outcome;
mod pairing;
mod prefetch;
mod registering;
mod registrations;
mod silence;
mod slot_keys;
#[cfg(test)]
mod tests;
mod timers;

use std::net::SocketAddr;

use flow::{FlowId, IcmpNotice, Transport, Verdict};
use protocol::{Entry, ExchangeKind, MessageOutcome, Role};
use text::{named, since};

use super::frame_ref::FrameRef;
use super::message::MessageHeader;
use super::values::ListEnd;

pub use ended::{EndedExchanges, EndedRange};
pub use keys::without_blanks;
pub use missing::{AnalysisBound, MissingParts};
pub use open::AnswerParts;
pub use outcome::STEPS;
pub use pairing::Exchanges;
pub use silence::{PAIR_INTERVAL, SILENCE};

/// How long a capture has to go on to prove that no answer came, in nanoseconds. Masters send
/// challenges, and servers answer, at once.
pub(super) const ANSWER_TIME: i64 = 5_000_000_000;

/// Messages that belong together, and their outcome.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each asked for alone")]
#[derive(Debug, Clone)]
pub struct Exchange {
    /// Its number, from 1 in the order in which exchanges began.
    pub id: u64,
    /// What is requested.
    pub kind: ExchangeKind,
    /// The outcome.
    pub state: ExchangeState,
    /// The game.
    pub verdict: Verdict,
    /// UDP or TCP.
    pub transport: Transport,
    /// The limit that was reached, if an answer that seems to be missing may have come.
    pub bound: Option<AnalysisBound>,
    /// Its first message.
    pub begin: FrameRef,
    /// The flow of its first message.
    pub flow: FlowId,
    /// Whether the requester began that flow.
    pub forward: bool,
    /// The endpoint that began; of an unsolicited answer, its receiver.
    pub requester: SocketAddr,
    /// The endpoint that should answer.
    pub responder: SocketAddr,
    /// The roles of the requester and the asked, as far as known.
    pub roles: [Option<Role>; 2],
    /// The server that it is about, if known: the one that a heartbeat announces or a query goes
    /// to.
    pub server: Option<SocketAddr>,
    /// When it began, in nanoseconds since the Unix epoch.
    pub first: i64,
    /// When its last message came.
    pub last: i64,
    /// When the first answer came.
    pub first_reply: Option<i64>,
    /// When the last answer came.
    pub last_reply: Option<i64>,
    /// Number of retries: requests sent again because no answer came.
    pub retries: u16,
    /// Number of messages; `steps` has the first of them.
    pub messages: u32,
    /// The first 64 messages, in order.
    pub steps: Vec<ExchangeStep>,
    /// Bytes of payload in requests, and in answers.
    pub bytes: [u64; 2],
    /// Whether the challenge, where one was sent, was returned.
    pub proof: ChallengeProof,
    /// ICMP errors: the requester's messages did not arrive.
    pub errors: Vec<IcmpNotice>,
    /// ICMP errors about the other side's messages, such as a master's challenge.
    pub return_errors: Vec<IcmpNotice>,
    /// Of a registration: an answer that returned a challenge to another master than the one that
    /// had sent it.
    pub misdirected: Option<Box<Misdirected>>,
    /// Of a registration: a challenge that brings back another value than the heartbeat had.
    pub changed: Option<Box<ChangedValue>>,
    /// For how long the capture goes on after its last message until it was closed, in nanoseconds.
    /// If this is short, a missing answer proves nothing. Not known of exchanges that were kept.
    pub observed_for: i64,
    /// Whether an answer came from another port than was asked.
    pub from_other_port: bool,
    /// The capture has only a part of one of its messages.
    pub cut: bool,
    /// Of a list: whether the same client requested another one from the same master meanwhile, so
    /// that packets cannot be assigned to one of them.
    pub crossed: bool,
    /// Of a list, its packets and servers.
    pub listing: Option<Box<ListContents>>,
    /// Of an answer in several datagrams: whether some are missing.
    pub parts_missing: bool,
    /// Which, as far as it is known; not known of exchanges that were kept.
    pub missing_parts: Option<Box<MissingParts>>,
}

named! {
    /// The outcome of an exchange.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum ExchangeState {
        /// Every request was answered.
        Answered = "answered",
        /// The answer was a refusal.
        Refused = "refused",
        /// No answer within 30 seconds.
        Unanswered = "unanswered",
        /// A challenge was not answered, or not correctly, a part is missing, or the next request
        /// never came.
        Incomplete = "incomplete",
        /// An answer without a captured request.
        Unsolicited = "unsolicited",
        /// The protocol has no answer to it.
        OneWay = "one-way",
    }
}

named! {
    /// Whether a challenge was returned.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum ChallengeProof {
        /// No challenge was sent.
        #[default]
        NotSent = "",
        /// It has not been returned.
        Awaited = "awaited",
        /// It was returned.
        Right = "right",
        /// A different one was returned.
        Wrong = "wrong",
        /// The answer has none.
        Missing = "missing",
        /// It cannot be checked: the key is not published.
        Unknown = "unknown",
    }
}

/// A message of an exchange.
#[derive(Debug, Clone, Copy)]
pub struct ExchangeStep {
    /// The frame's number.
    pub number: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    /// What it does in the exchange.
    pub turn: MessageTurn,
    /// Its declaration.
    pub entry: &'static Entry,
    /// The documents' name for it.
    pub name: &'static str,
    /// The sender.
    pub source: SocketAddr,
    /// The receiver.
    pub destination: SocketAddr,
    /// Its flow; 0 where the table of flows was full.
    pub flow: FlowId,
    /// The index of its input.
    pub input: u16,
}

impl ExchangeStep {
    /// A message that does this in the exchange.
    pub(super) fn from_header(header: &MessageHeader, turn: MessageTurn) -> Self {
        let MessageHeader { number, time, entry, name, source, destination, flow, input, .. } =
            *header;
        Self { number, time, turn, entry, name, source, destination, flow, input }
    }

    /// Its frame.
    pub(super) fn frame(&self) -> FrameRef {
        FrameRef { number: self.number, flow: self.flow, input: self.input }
    }
}

named! {
    /// What a message does in its exchange.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum MessageTurn {
        /// A request that opens the exchange, or continues it.
        Request = "request",
        /// A retry.
        Retry = "retry",
        /// A request in the other direction, such as a master's challenge.
        Query = "query",
        /// An answer, or a part of one.
        Answer = "answer",
        /// An answer that refuses.
        Refusal = "refusal",
    }
}

/// A server's answer that returns another master's challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Misdirected {
    /// The frame of the answer.
    pub(crate) frame: FrameRef,
    /// In the registration whose challenge it returns: the master that got it instead. In the
    /// registration of the master that got it: the master that had sent the challenge.
    pub other: SocketAddr,
}

/// A master's message that brings back another value than its server had sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangedValue {
    /// The frame of the master's message.
    pub(crate) frame: FrameRef,
    /// What the server sent, and what came back.
    pub values: [u32; 2],
}

/// The contents of a list.
#[derive(Debug, Clone, Default)]
pub struct ListContents {
    /// Its packets in order, the first 512.
    pub packets: Vec<PacketOfList>,
    /// Every server with the index of its packet in `packets`, in order; the first 16,384.
    pub servers: Vec<(SocketAddr, u16)>,
    /// Total number of servers.
    pub count: u32,
    /// Total number of packets.
    pub packet_count: u32,
    /// Whether any of them has the end mark.
    pub is_marked: bool,
    /// The type of the request and its first 256 bytes; nothing if the request was not captured.
    pub request: Option<(&'static Entry, Box<[u8]>)>,
}

/// One packet of a list.
#[derive(Debug, Clone, Copy)]
pub struct PacketOfList {
    /// The frame's number.
    pub number: u64,
    /// Its flow; 0 where the table of flows was full.
    pub flow: FlowId,
    /// The index of its input.
    pub input: u16,
    /// Bytes of payload.
    pub length: u32,
    /// Their hash.
    pub hash: u64,
    /// How the list ends, if its protocol has an end mark.
    pub end: Option<ListEnd>,
    /// The capture has only a part of it.
    pub cut: bool,
}

/// The exchange to which a message was assigned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    /// The exchange's number.
    pub id: u64,
    pub kind: ExchangeKind,
    pub turn: MessageTurn,
    /// The same as its exchange tells it: without a request, every message is an answer.
    pub step: MessageTurn,
    /// The server that its exchange is about.
    pub server: Option<SocketAddr>,
    /// The endpoint that got the first request: of a registration, the master.
    pub master: SocketAddr,
    /// Whether the challenge has been returned so far.
    pub proof: ChallengeProof,
}

impl PacketOfList {
    /// Its frame.
    pub(super) fn frame(&self) -> FrameRef {
        FrameRef { number: self.number, flow: self.flow, input: self.input }
    }
}

impl Exchange {
    /// Nanoseconds from its beginning to the first answer; `None` without a request or their times.
    pub fn latency(&self) -> Option<i64> {
        since(self.first, self.first_reply.filter(|_| !self.is_unsolicited())?)
    }

    /// Whether its first message is an answer: its request was not captured.
    pub(super) fn is_unsolicited(&self) -> bool {
        self.steps.first().is_some_and(|step| step.turn == MessageTurn::Answer)
    }

    /// What a message does in it: without a request, every message is an answer.
    fn step_of(&self, turn: MessageTurn) -> MessageTurn {
        if self.state == ExchangeState::Unsolicited { MessageTurn::Answer } else { turn }
    }

    /// Nanoseconds from its beginning to the last answer.
    pub fn duration(&self) -> Option<i64> {
        since(self.first, self.last_reply?)
    }

    /// The frame that it began with.
    pub fn number(&self) -> u64 {
        self.begin.number
    }

    /// The input of the frame that it began with.
    pub fn input(&self) -> u16 {
        self.begin.input
    }

    /// The frames of its messages, as far as `steps` has them.
    pub(super) fn frames(&self) -> impl Iterator<Item = FrameRef> {
        self.steps.iter().map(ExchangeStep::frame)
    }

    /// The numbers of the same.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.steps.iter().map(|step| step.number)
    }

    /// The outcome of a step.
    pub fn outcome(&self, step: &ExchangeStep) -> Option<MessageOutcome<&str>> {
        match step.turn {
            MessageTurn::Refusal => return Some(MessageOutcome::Refused),
            MessageTurn::Answer => return None,
            MessageTurn::Request | MessageTurn::Retry | MessageTurn::Query => {}
        }
        let is_next =
            |next: &&ExchangeStep| next.number > step.number && next.source == step.source;
        let next = self.steps.iter().find(is_next).map_or(i64::MAX, |next| next.time);
        let lost = self.errors.iter().find(|e| (step.time..next).contains(&e.time));
        if let Some(lost) = lost.filter(|_| step.source == self.requester) {
            return Some(MessageOutcome::Lost(&lost.what));
        }
        if !matches!(self.state, ExchangeState::Unanswered | ExchangeState::Incomplete) {
            return None;
        }
        let answered = |later: &&ExchangeStep| {
            let from_other = later.source.ip() == step.destination.ip();
            later.number > step.number && from_other && later.turn != MessageTurn::Retry
        };
        self.steps.iter().find(answered).is_none().then_some(MessageOutcome::NoAnswer)
    }

    /// Whether an answer that was not seen did not come: none of it was cut, and no limit reached.
    pub(super) fn is_known(&self) -> bool {
        !self.cut && self.bound.is_none()
    }

    /// Whether silence after it proves something: the capture goes on for long enough.
    pub(super) fn proves_silence(&self) -> bool {
        self.is_known() && self.observed_for >= ANSWER_TIME
    }

    /// Its master, if it has one.
    pub fn master(&self) -> Option<SocketAddr> {
        let [requester, responder] = self.roles;
        match (requester, responder) {
            (_, Some(Role::Master)) => Some(self.responder),
            (Some(Role::Master), _) => Some(self.requester),
            _ => None,
        }
    }
}
