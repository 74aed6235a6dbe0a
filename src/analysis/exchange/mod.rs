//! Exchanges: requests with their answers, and the outcome.
//!
//! Flows know which request a reply answers. This module groups replies, challenges and retries
//! into exchanges, across flows if needed: a master may send a challenge from another port than the
//! one that got the heartbeat. Nothing here reads a payload; the values of a message come as
//! [`MessageValues`](super::MessageValues).

mod ending;
mod keys;
mod open;
mod outcome;
mod pairing;
mod registering;
mod registrations;
mod silence;
#[cfg(test)]
mod tests;
mod timers;

use std::fmt;
use std::net::SocketAddr;

use crate::flow::{FlowId, Transport, Verdict};
use crate::protocol::{Entry, ExchangeKind, Role};

use super::values::ListEnd;

pub(super) use outcome::without_blanks;
pub(super) use pairing::Exchanges;

/// Messages that belong together, and their outcome.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// Its number, from 1 in the order in which exchanges began.
    pub id: u64,
    pub kind: ExchangeKind,
    pub state: ExchangeState,
    pub verdict: Verdict,
    pub transport: Transport,
    /// The flow of its first message, and whether the requester began that flow.
    pub flow: FlowId,
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
    /// When it began, and when its last message came, in nanoseconds since the Unix epoch.
    pub first: i64,
    pub last: i64,
    /// When the first and the last answer came.
    pub first_reply: Option<i64>,
    pub last_reply: Option<i64>,
    /// Number of retries: requests sent again because no answer came.
    pub retries: u16,
    /// Number of messages; `steps` has the first of them.
    pub messages: u32,
    pub steps: Vec<ExchangeStep>,
    /// Bytes of payload in requests, and in answers.
    pub bytes: [u64; 2],
    /// Whether the challenge, where one was sent, was returned.
    pub proof: ChallengeProof,
    /// ICMP errors: the requester's messages did not arrive.
    pub errors: Vec<DeliveryError>,
    /// ICMP errors about the other side's messages, such as a master's challenge.
    pub return_errors: Vec<DeliveryError>,
    /// Of a registration: an answer that returned a challenge to another master than the one that
    /// had sent it.
    pub misdirected: Option<Misdirected>,
    /// For how long the capture goes on after its last message until it was closed, in nanoseconds.
    /// If this is short, a missing answer proves nothing.
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
}

/// The outcome of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExchangeState {
    /// Every request was answered.
    Answered,
    /// The answer was a refusal.
    Refused,
    /// No answer within 30 seconds.
    Unanswered,
    /// Incomplete: a challenge was not answered, or not correctly, a part is missing, or the next
    /// request never came.
    Incomplete,
    /// An answer without a captured request.
    Unsolicited,
    /// One-way: the protocol has no answer to it.
    OneWay,
}

/// Whether a challenge was returned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ChallengeProof {
    /// No challenge was sent.
    #[default]
    NotSent,
    /// It has not been returned.
    Awaited,
    Right,
    /// A different one was returned.
    Wrong,
    /// The answer has none.
    Missing,
    /// It cannot be checked: the key is not published.
    Unknown,
}

/// A message of an exchange.
#[derive(Debug, Clone, Copy)]
pub struct ExchangeStep {
    /// The frame's number.
    pub number: u64,
    /// Nanoseconds since the Unix epoch.
    pub time: i64,
    pub turn: MessageTurn,
    pub entry: &'static Entry,
    /// The documents' name for it.
    pub name: &'static str,
    pub source: SocketAddr,
    pub destination: SocketAddr,
}

/// What a message does in its exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageTurn {
    /// A request that opens the exchange, or continues it.
    Request,
    /// A retry.
    Retry,
    /// A request in the other direction, such as a master's challenge.
    Query,
    Answer,
    Refusal,
}

/// An ICMP error about one of its messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryError {
    pub number: u64,
    pub time: i64,
    /// The error: `port unreachable`.
    pub what: String,
}

impl DeliveryError {
    /// Whether the destination is unreachable; not an error about a single packet that was too
    /// large or incomplete.
    pub fn is_unreachable(&self) -> bool {
        let of_the_packet = ["packet too big", "fragments", "a header field"];
        !of_the_packet.iter().any(|what| self.what.starts_with(what))
    }
}

/// A server's answer that returns another master's challenge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Misdirected {
    /// The frame of the answer.
    pub number: u64,
    /// In the registration whose challenge it returns: the master that got it instead. In the
    /// registration of the master that got it: the master that had sent the challenge.
    pub other: SocketAddr,
}

/// The fate of a message, where the next messages do not show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepOutcome<'a> {
    /// An answer was due and did not come.
    NoAnswer,
    /// It is a refusal.
    Refused,
    /// An ICMP error reports that it did not arrive: `port unreachable`.
    Lost(&'a str),
}

/// The contents of a list.
#[derive(Debug, Clone, Default)]
pub struct ListContents {
    pub packets: Vec<PacketOfList>,
    /// Every server with the index of its packet in `packets`, in order; the first 16,384.
    pub servers: Vec<(SocketAddr, u16)>,
    /// Total number of servers.
    pub count: u32,
    /// The type of the request and its first 256 bytes; nothing if the request was not captured.
    pub request: Option<(&'static Entry, Box<[u8]>)>,
}

/// One packet of a list.
#[derive(Debug, Clone, Copy)]
pub struct PacketOfList {
    pub number: u64,
    /// Bytes of payload, and their hash.
    pub length: u32,
    pub hash: u64,
    /// How many servers it lists.
    pub servers: u32,
    /// How the list ends, if its protocol has an end mark.
    pub end: Option<ListEnd>,
    /// Number of records that are cut short.
    pub short: u32,
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
    /// The server that its exchange is about.
    pub server: Option<SocketAddr>,
    /// The endpoint that got the first request: of a registration, the master.
    pub master: SocketAddr,
    /// Whether the challenge has been returned so far.
    pub proof: ChallengeProof,
}

impl Exchange {
    /// Nanoseconds from its beginning to the first answer.
    pub fn latency(&self) -> Option<i64> {
        Some(self.first_reply? - self.first)
    }

    /// Nanoseconds from its beginning to the last answer.
    pub fn duration(&self) -> Option<i64> {
        Some(self.last_reply? - self.first)
    }

    /// The frame that it began with.
    pub fn number(&self) -> u64 {
        self.steps.first().map_or(0, |step| step.number)
    }

    /// The frames of its messages, as far as `steps` has them.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.steps.iter().map(|step| step.number)
    }

    /// The fate of a step.
    pub fn outcome(&self, step: &ExchangeStep) -> Option<StepOutcome<'_>> {
        match step.turn {
            MessageTurn::Refusal => return Some(StepOutcome::Refused),
            MessageTurn::Answer => return None,
            MessageTurn::Request | MessageTurn::Retry | MessageTurn::Query => {}
        }
        let is_next =
            |next: &&ExchangeStep| next.number > step.number && next.source == step.source;
        let next = self.steps.iter().find(is_next).map_or(i64::MAX, |next| next.time);
        let lost = self.errors.iter().find(|e| (step.time..next).contains(&e.time));
        if let Some(lost) = lost.filter(|_| step.source == self.requester) {
            return Some(StepOutcome::Lost(&lost.what));
        }
        if !matches!(self.state, ExchangeState::Unanswered | ExchangeState::Incomplete) {
            return None;
        }
        let answered = |later: &&ExchangeStep| {
            let from_other = later.source.ip() == step.destination.ip();
            later.number > step.number && from_other && later.turn != MessageTurn::Retry
        };
        self.steps.iter().find(answered).is_none().then_some(StepOutcome::NoAnswer)
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

impl ExchangeState {
    /// Every state, in the order of the tables.
    pub const ALL: [Self; 6] = [
        Self::Answered,
        Self::Refused,
        Self::Unanswered,
        Self::Incomplete,
        Self::Unsolicited,
        Self::OneWay,
    ];

    /// Its name in tables and filters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Refused => "refused",
            Self::Unanswered => "unanswered",
            Self::Incomplete => "incomplete",
            Self::Unsolicited => "unsolicited",
            Self::OneWay => "one-way",
        }
    }
}

impl fmt::Display for ExchangeState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for MessageTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Request => "request",
            Self::Retry => "retry",
            Self::Query => "query",
            Self::Answer => "answer",
            Self::Refusal => "refusal",
        })
    }
}
