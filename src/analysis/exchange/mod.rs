//! Exchanges: who asked whom, and what came of it.
//!
//! Flows know which request a reply answers. Here replies, what is asked back, and what is asked
//! again are put together to what they are all about, over flows where need be: a master may ask
//! from another port than the one that it was told on. Nothing here reads a payload; what a
//! message says comes as [`Facts`](super::Facts).

mod challenges;
mod ending;
mod keyed;
mod open;
mod pairing;
mod registering;
mod registrations;
mod settle;
mod silence;
#[cfg(test)]
mod tests;
mod timers;

use std::fmt;
use std::net::SocketAddr;

use crate::flow::{FlowId, Transport, Verdict};
use crate::protocol::{Entry, ExchangeKind, Role};

use super::facts::ListEnd;

pub(super) use pairing::Exchanges;
pub(super) use settle::bare;

/// Messages that belong together, and what came of them.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// Its number, from 1 in the order in which exchanges began.
    pub id: u64,
    pub affair: ExchangeKind,
    pub state: ExchangeState,
    pub verdict: Verdict,
    pub transport: Transport,
    /// The flow of its first message, and whether the asker is who began that.
    pub flow: FlowId,
    pub forward: bool,
    /// Who began; of an unsolicited answer, who got it.
    pub asker: SocketAddr,
    /// Who was to answer.
    pub asked: SocketAddr,
    /// Who the asker and the asked are, as far as is known.
    pub parties: [Option<Role>; 2],
    /// The server that it is about, where that is known: whom a heartbeat announces, who is asked.
    pub server: Option<SocketAddr>,
    /// When it began, and when its last message came, in nanoseconds since the Unix epoch.
    pub first: i64,
    pub last: i64,
    /// When the first and the last answer came.
    pub first_reply: Option<i64>,
    pub last_reply: Option<i64>,
    /// How often something was asked again because no answer came.
    pub retries: u16,
    /// How many messages there were; `steps` has the first of them.
    pub messages: u32,
    pub steps: Vec<ExchangeStep>,
    /// Bytes of payload that were asked, and answered.
    pub bytes: [u64; 2],
    /// Whether the challenge, where one was sent, came back.
    pub proof: ChallengeProof,
    /// Word from the network that the asker's messages did not arrive.
    pub errors: Vec<Trouble>,
    /// The same of the messages of who was asked: a master's question that did not arrive.
    pub return_errors: Vec<Trouble>,
    /// Of a registration: an answer that brought a challenge to another master than the one that
    /// had sent it.
    pub misdirected: Option<Misdirected>,
    /// For how long the capture went on behind its last message until it was closed, in
    /// nanoseconds. Where that is little, nobody can tell that an answer did not come.
    pub observed_for: i64,
    /// Whether an answer came from another port than was asked.
    pub from_other_port: bool,
    /// The capture has only a part of one of its messages.
    pub cut: bool,
    /// Of a list: whether the same client asked the same master for another one meanwhile, so that
    /// nobody can tell to which of them a packet belongs.
    pub crossed: bool,
    /// Of a list, its packets and servers.
    pub listing: Option<Box<ListContents>>,
    /// Of an answer in several datagrams: whether some did not come.
    pub parts_missing: bool,
}

/// What came of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ExchangeState {
    /// All that was asked was answered.
    Answered,
    /// The answer was no.
    Refused,
    /// Nothing came back within 30 seconds.
    Unanswered,
    /// It stopped on the way: a challenge was not answered, or not rightly, a part did not come, or
    /// nobody went on.
    Half,
    /// An answer to nothing that was seen.
    Unsolicited,
    /// Nothing has to come back to what was said.
    Told,
}

/// Whether a challenge came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeProof {
    /// Nobody asked for it.
    Unasked,
    /// It has not come back.
    Awaited,
    Right,
    /// Another one came back.
    Wrong,
    /// The answer has none.
    Missing,
    /// No published key tells.
    Unknown,
}

/// A message's place in its exchange.
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

/// What a message is in its exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageTurn {
    /// It opens the exchange, or goes on with it.
    Ask,
    /// What was asked before, once more.
    Again,
    /// The one who was told asks back.
    Query,
    Answer,
    Refuse,
}

/// An ICMP error about one of its messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    pub number: u64,
    pub time: i64,
    /// What: `port unreachable`.
    pub what: String,
}

impl Trouble {
    /// Whether it says that nobody is there, or that nothing gets there; not that one packet was too
    /// large, or torn.
    pub fn is_unreachable(&self) -> bool {
        let of_the_packet = ["packet too big", "fragments", "a header field"];
        !of_the_packet.iter().any(|what| self.what.starts_with(what))
    }
}

/// A server's answer whose challenge is that of another master.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Misdirected {
    /// The frame of the answer.
    pub number: u64,
    /// In the registration whose challenge it brings: the master that got it instead. In the
    /// registration of the master that got it: the one that had sent the challenge.
    pub other: SocketAddr,
}

/// What became of a message, where that is not plain from what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate<'a> {
    /// It should have been answered, and was not.
    NoAnswer,
    /// It is a refusal.
    Refused,
    /// The network says that it did not arrive: `port unreachable`.
    Lost(&'a str),
}

/// What a list held.
#[derive(Debug, Clone, Default)]
pub struct ListContents {
    pub packets: Vec<PacketOfList>,
    /// Every server with the place of its packet in `packets`, as listed; the first 16,384.
    pub servers: Vec<(SocketAddr, u16)>,
    /// How many servers there were in all.
    pub count: u32,
    /// What asked for it, and the first 256 bytes of how; nothing where that was not seen.
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
    /// Whether it says that the list is complete, where its protocol has a mark for that.
    pub end: Option<ListEnd>,
    /// Records that are cut short.
    pub short: u32,
    /// The capture has only a part of it.
    pub cut: bool,
}

/// Where a message was put.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    /// The exchange's number.
    pub id: u64,
    pub affair: ExchangeKind,
    pub turn: MessageTurn,
    /// The server that its exchange is about.
    pub server: Option<SocketAddr>,
    /// Who was asked first: of a registration, the master.
    pub master: SocketAddr,
    /// Whether the challenge has come back by now.
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

    /// What became of a step.
    pub fn fate(&self, step: &ExchangeStep) -> Option<Fate<'_>> {
        match step.turn {
            MessageTurn::Refuse => return Some(Fate::Refused),
            MessageTurn::Answer => return None,
            MessageTurn::Ask | MessageTurn::Again | MessageTurn::Query => {}
        }
        let is_next =
            |next: &&ExchangeStep| next.number > step.number && next.source == step.source;
        let next = self.steps.iter().find(is_next).map_or(i64::MAX, |next| next.time);
        let lost = self.errors.iter().find(|e| (step.time..next).contains(&e.time));
        if let Some(lost) = lost.filter(|_| step.source == self.asker) {
            return Some(Fate::Lost(&lost.what));
        }
        if !matches!(self.state, ExchangeState::Unanswered | ExchangeState::Half) {
            return None;
        }
        let answered = |later: &&ExchangeStep| {
            let from_other = later.source.ip() == step.destination.ip();
            later.number > step.number && from_other && later.turn != MessageTurn::Again
        };
        self.steps.iter().find(answered).is_none().then_some(Fate::NoAnswer)
    }

    /// The master that it is with, where it is with one.
    pub fn master(&self) -> Option<SocketAddr> {
        let [asker, asked] = self.parties;
        match (asker, asked) {
            (_, Some(Role::Master)) => Some(self.asked),
            (Some(Role::Master), _) => Some(self.asker),
            _ => None,
        }
    }
}

impl ExchangeState {
    /// Every state, in the order in which tables have them.
    pub const ALL: [Self; 6] = [
        Self::Answered,
        Self::Refused,
        Self::Unanswered,
        Self::Half,
        Self::Unsolicited,
        Self::Told,
    ];

    /// Its name in tables and filters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Refused => "refused",
            Self::Unanswered => "unanswered",
            Self::Half => "half",
            Self::Unsolicited => "unsolicited",
            Self::Told => "told",
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
            Self::Ask => "asks",
            Self::Again => "asks again",
            Self::Query => "asks back",
            Self::Answer => "answers",
            Self::Refuse => "refuses",
        })
    }
}
