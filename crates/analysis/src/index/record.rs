//! What an index keeps of an exchange: what its messages and its flow do not tell.

mod traits;

use std::net::SocketAddr;

use traits::{ExchangeTraits, PackedTraits, ServerEnd};

use crate::exchange::{Exchange, ExchangeState, ExchangeStep, ListContents, MessageTurn};
use crate::frame_ref::FrameRef;
use flow::{FlowId, Flows, IcmpNotice, Transport, Verdict};
use protocol::{ExchangeKind, Game, Role};

/// An exchange without its messages. There are millions of these.
#[derive(Debug)]
pub struct ExchangeRecord {
    first: i64,
    game: &'static Game,
    /// The exchange without its steps, if the other fields cannot hold it.
    whole: Option<Box<Exchange>>,
    id: u32,
    number: u32,
    flow: FlowId,
    /// The position of its first step.
    pub(super) steps: u32,
    traits: PackedTraits,
    /// Bytes of payload in answers, and in requests.
    answers: u32,
    requests: u16,
    messages: u16,
    input: u16,
    times: ShortTimes,
    /// Numbers of packets and servers of its list; what is no list has no packet.
    packets: u8,
    servers: u16,
}

/// Of an exchange, the times of its last message and of the first answer after its first message,
/// and for how long it was observed: nanoseconds of 40 bits each, up to 18 minutes.
#[derive(Debug, Clone, Copy)]
struct ShortTimes([[u8; 5]; 3]);

impl ShortTimes {
    /// Stands for a time that is not known.
    const NONE: i64 = (1 << 40) - 1;

    /// The times of an exchange; others where one is too long.
    fn from_exchange(exchange: &Exchange) -> Self {
        let after =
            |time: Option<i64>| time.map_or(Self::NONE, |time| time.wrapping_sub(exchange.first));
        let times =
            [after(Some(exchange.last)), after(exchange.first_reply), exchange.observed_for];
        Self(times.map(|time| {
            let [a, b, c, d, e, ..] = time.to_le_bytes();
            [a, b, c, d, e]
        }))
    }

    /// The time of the last message and of the first answer, and for how long the exchange was
    /// observed, if its first message came at `first`.
    fn after(self, first: i64) -> (i64, Option<i64>, i64) {
        let [last, reply, observed_for] =
            self.0.map(|[a, b, c, d, e]| i64::from_le_bytes([a, b, c, d, e, 0, 0, 0]));
        let reply = (reply != Self::NONE).then(|| first.wrapping_add(reply));
        (first.wrapping_add(last), reply, observed_for)
    }
}

/// A message of an exchange: how many messages of the session came before it since the beginning of
/// the index, and what it does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct StepRecord(u32);

impl StepRecord {
    /// How many bits the turn takes.
    const TURN: u32 = 3;

    /// Nothing if there are too many messages.
    pub fn new(message: usize, turn: MessageTurn) -> Option<Self> {
        let message = u32::try_from(message).ok().filter(|m| m.leading_zeros() >= Self::TURN)?;
        Some(Self(message << Self::TURN | turn as u32))
    }

    pub fn message(self) -> usize {
        (self.0 >> Self::TURN) as usize
    }

    pub fn turn(self) -> MessageTurn {
        let at = (self.0 & ((1 << Self::TURN) - 1)) as usize;
        MessageTurn::ALL.get(at).copied().unwrap_or(MessageTurn::Request)
    }
}

impl ExchangeRecord {
    /// The record of an exchange. Of listed servers and packets it has only the numbers.
    pub fn from_exchange(exchange: &Exchange) -> Self {
        let (server, is_end) = match exchange.server {
            None => (ServerEnd::None, true),
            Some(server) if server == exchange.requester => (ServerEnd::Requester, true),
            Some(server) => (ServerEnd::Responder, server == exchange.responder),
        };
        let traits = ExchangeTraits {
            kind: exchange.kind,
            state: exchange.state,
            confidence: exchange.verdict.confidence,
            proof: exchange.proof,
            roles: exchange.roles,
            server,
            retries: exchange.retries,
            is_unsolicited: exchange.is_unsolicited(),
            ends_with_answer: exchange.last_reply == Some(exchange.last),
            forward: exchange.forward,
            from_other_port: exchange.from_other_port,
            cut: exchange.cut,
            crossed: exchange.crossed,
            parts_missing: exchange.parts_missing,
        };
        let listed = exchange.listing.as_ref().map(|listing| [listing.count, listing.packet_count]);
        let [servers, packets] = listed.unwrap_or_default();
        let [requests, answers] = exchange.bytes;
        let mut record = Self {
            first: exchange.first,
            game: exchange.verdict.game,
            whole: None,
            id: exchange.id as u32,
            number: exchange.number() as u32,
            flow: exchange.flow,
            steps: 0,
            traits: PackedTraits::pack(&traits),
            answers: answers as u32,
            requests: requests as u16,
            messages: exchange.messages as u16,
            input: exchange.input(),
            times: ShortTimes::from_exchange(exchange),
            packets: packets as u8,
            servers: servers as u16,
        };
        let (last, replies, observed_for) = record.times();
        let fits = u64::from(record.id) == exchange.id
            && u64::from(record.number) == exchange.number()
            && record.bytes() == exchange.bytes
            && u32::from(record.messages) == exchange.messages
            && record.listed() == listed
            && record.traits.unpack() == traits
            && last == exchange.last
            && replies == [exchange.first_reply, exchange.last_reply]
            && observed_for == exchange.observed_for;
        let has_no_more = is_end
            && exchange.errors.is_empty()
            && exchange.return_errors.is_empty()
            && exchange.misdirected.is_none()
            && exchange.changed.is_none()
            && exchange.bound.is_none();
        // Its ends and its transport are those of its flow, if that is known.
        if !(fits && has_no_more && exchange.flow != FlowId(0)) {
            record.whole = Some(Box::new(Exchange {
                steps: Vec::new(),
                listing: listed.map(list_of).map(Box::new),
                errors: exchange.errors.clone(),
                return_errors: exchange.return_errors.clone(),
                missing_parts: None,
                ..*exchange
            }));
        }
        record
    }

    /// Its size in memory, in bytes.
    pub fn weigh(&self) -> usize {
        size_of::<Self>() + self.whole.as_ref().map_or(0, |whole| whole.weigh())
    }

    /// The exchange with these steps; nothing if it is of other flows.
    pub fn exchange(&self, flows: &Flows, steps: Vec<ExchangeStep>) -> Option<Exchange> {
        if let Some(whole) = &self.whole {
            return Some(Exchange { steps, ..(**whole).clone() });
        }
        let (transport, [requester, responder]) = self.ends(flows)?;
        let (last, [first_reply, last_reply], observed_for) = self.times();
        let traits = self.traits.unpack();
        Some(Exchange {
            id: self.id.into(),
            kind: traits.kind,
            state: traits.state,
            verdict: Verdict { game: self.game, confidence: traits.confidence },
            transport,
            bound: None,
            begin: FrameRef { number: self.number.into(), flow: self.flow, input: self.input },
            flow: self.flow,
            forward: traits.forward,
            requester,
            responder,
            roles: traits.roles,
            server: self.server(flows),
            first: self.first,
            last,
            first_reply,
            last_reply,
            retries: traits.retries,
            messages: self.messages.into(),
            steps,
            bytes: self.bytes(),
            proof: traits.proof,
            errors: Vec::new(),
            return_errors: Vec::new(),
            misdirected: None,
            changed: None,
            observed_for,
            from_other_port: traits.from_other_port,
            cut: traits.cut,
            crossed: traits.crossed,
            listing: self.listed().map(list_of).map(Box::new),
            parts_missing: traits.parts_missing,
            missing_parts: None,
        })
    }

    /// What is requested.
    pub fn kind(&self) -> ExchangeKind {
        self.traits.unpack().kind
    }

    /// The outcome.
    pub fn state(&self) -> ExchangeState {
        self.traits.unpack().state
    }

    /// The game.
    pub fn game(&self) -> &'static Game {
        self.game
    }

    /// How many servers are in its list, if it is one.
    pub fn listed_servers(&self) -> Option<u32> {
        match &self.whole {
            Some(whole) => whole.listing().map(|listing| listing.count),
            None => self.listed().map(|[servers, _]| servers),
        }
    }

    /// Nanoseconds from its beginning to the first answer; `None` without a request.
    pub fn latency(&self) -> Option<i64> {
        match &self.whole {
            Some(whole) => whole.latency(),
            None if self.traits.unpack().is_unsolicited => None,
            None => Some(self.times().1[0]? - self.first),
        }
    }

    /// Number of retries.
    pub fn retries(&self) -> u16 {
        self.whole.as_ref().map_or_else(|| self.traits.unpack().retries, |whole| whole.retries)
    }

    /// ICMP errors: the requester's messages did not arrive.
    pub fn errors(&self) -> &[IcmpNotice] {
        self.whole.as_ref().map_or(&[], |whole| &whole.errors)
    }

    /// The server that it is about, if known.
    pub fn server(&self, flows: &Flows) -> Option<SocketAddr> {
        if let Some(whole) = &self.whole {
            return whole.server;
        }
        match self.traits.unpack().server {
            ServerEnd::None => None,
            ServerEnd::Requester => Some(self.ends(flows)?.1[0]),
            ServerEnd::Responder => Some(self.ends(flows)?.1[1]),
        }
    }

    /// The endpoint that should answer.
    pub fn responder(&self, flows: &Flows) -> Option<SocketAddr> {
        match &self.whole {
            Some(whole) => Some(whole.responder),
            None => Some(self.ends(flows)?.1[1]),
        }
    }

    /// Its master, if it has one.
    pub fn master(&self, flows: &Flows) -> Option<SocketAddr> {
        match (&self.whole, self.traits.unpack().roles) {
            (Some(whole), _) => whole.master(),
            (None, [_, Some(Role::Master)]) => Some(self.ends(flows)?.1[1]),
            (None, [Some(Role::Master), _]) => Some(self.ends(flows)?.1[0]),
            _ => None,
        }
    }

    /// Where it comes in the order of all: by time, then by frame.
    pub(super) fn place(&self) -> (i64, u64, u64) {
        match &self.whole {
            Some(whole) => (whole.first, whole.number(), whole.id),
            None => (self.first, self.number.into(), self.id.into()),
        }
    }

    /// Its number, from 1 in the order in which exchanges began.
    pub(super) fn id(&self) -> u64 {
        self.whole.as_ref().map_or(self.id.into(), |whole| whole.id)
    }

    /// The transport, and the requester and the responder as its flow has them.
    fn ends(&self, flows: &Flows) -> Option<(Transport, [SocketAddr; 2])> {
        let (transport, [a, b]) = flows.ends(self.flow)?;
        Some((transport, if self.traits.unpack().forward { [a, b] } else { [b, a] }))
    }

    /// The time of its last message, of the first and the last answer, and for how long it was
    /// observed.
    fn times(&self) -> (i64, [Option<i64>; 2], i64) {
        let (last, first_reply, observed_for) = self.times.after(self.first);
        let is_end = self.traits.unpack().ends_with_answer;
        let last_reply = first_reply.map(|first| if is_end { last } else { first });
        (last, [first_reply, last_reply], observed_for)
    }

    /// Bytes of payload in requests, and in answers.
    fn bytes(&self) -> [u64; 2] {
        [self.requests.into(), self.answers.into()]
    }

    /// Numbers of servers and packets, if it is a list.
    fn listed(&self) -> Option<[u32; 2]> {
        (self.packets != 0).then(|| [self.servers.into(), self.packets.into()])
    }
}

/// A list of so many servers and packets, without them.
fn list_of([count, packet_count]: [u32; 2]) -> ListContents {
    ListContents { count, packet_count, ..ListContents::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_small() {
        assert!(size_of::<ExchangeRecord>() <= 72);
    }

    #[test]
    fn a_step_keeps_its_message_and_its_turn() {
        for turn in MessageTurn::ALL {
            for message in [0, 1, 77, (1 << 29) - 1] {
                let step = StepRecord::new(message, turn).unwrap();
                assert_eq!((step.message(), step.turn()), (message, turn));
            }
            assert_eq!(StepRecord::new(1 << 29, turn), None);
        }
    }
}
