//! What an index keeps of an exchange: what its messages and its flow do not tell.

use std::net::SocketAddr;

use crate::analysis::exchange::{
    ChallengeProof, Exchange, ExchangeState, ExchangeStep, ListContents, MessageTurn,
};
use crate::analysis::frame_ref::FrameRef;
use crate::flow::{FlowId, Flows, IcmpNotice, Transport, Verdict};
use crate::protocol::{Confidence, ExchangeKind, Game, Role};

/// An exchange without its messages. There are millions of these.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, as in an exchange")]
#[derive(Debug)]
pub struct ExchangeRecord {
    first: i64,
    game: &'static Game,
    /// The exchange without its steps, if the other fields cannot hold it.
    whole: Option<Box<Exchange>>,
    times: ShortTimes,
    bytes: [u32; 2],
    id: u32,
    number: u32,
    flow: FlowId,
    messages: u32,
    /// Numbers of servers and packets of its list; what is no list has no packet.
    listed: [u32; 2],
    /// The position of its first step.
    pub(super) steps: u32,
    input: u16,
    retries: u8,
    kind: ExchangeKind,
    state: ExchangeState,
    confidence: Confidence,
    proof: ChallengeProof,
    roles: [Option<Role>; 2],
    server: ServerEnd,
    /// Whether its first message is an answer.
    is_unsolicited: bool,
    forward: bool,
    from_other_port: bool,
    cut: bool,
    crossed: bool,
    parts_missing: bool,
}

/// Of an exchange, the times of its last message, of the first and the last answer after its first
/// message, and for how long it was observed: nanoseconds of 40 bits each, up to 18 minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ShortTimes {
    lower: [u32; 4],
    upper: [u8; 4],
}

impl ShortTimes {
    /// Stands for a time that is not known.
    const NONE: i64 = (1 << 40) - 1;

    /// The times of an exchange; others where one is too long.
    fn of(exchange: &Exchange) -> Self {
        let after =
            |time: Option<i64>| time.map_or(Self::NONE, |time| time.wrapping_sub(exchange.first));
        let times = [
            after(Some(exchange.last)),
            after(exchange.first_reply),
            after(exchange.last_reply),
            exchange.observed_for,
        ]
        .map(i64::cast_unsigned);
        Self { lower: times.map(|time| time as u32), upper: times.map(|time| (time >> 32) as u8) }
    }

    /// The time of the last message, of the first and the last answer, and for how long the exchange
    /// was observed, if its first message came at `first`.
    fn after(self, first: i64) -> (i64, [Option<i64>; 2], i64) {
        let [a, b, c, d] = self.upper;
        let [last, first_reply, last_reply, observed_for] = {
            let [e, f, g, h] = self.lower;
            [(a, e), (b, f), (c, g), (d, h)].map(|(up, low)| i64::from(up) << 32 | i64::from(low))
        };
        let reply = |time: i64| (time != Self::NONE).then(|| first.wrapping_add(time));
        (first.wrapping_add(last), [reply(first_reply), reply(last_reply)], observed_for)
    }
}

/// Which end of an exchange is its server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ServerEnd {
    None,
    Requester,
    Responder,
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
    pub fn of(exchange: &Exchange, flows: &Flows) -> Self {
        let mut fits = true;
        let mut fit = |value: Option<u32>| {
            fits &= value.is_some();
            value.unwrap_or_default()
        };
        let listed = exchange.listing.as_ref();
        let listed = listed.map_or([0; 2], |listing| [listing.count, listing.packet_count]);
        let (server, is_end) = match exchange.server {
            None => (ServerEnd::None, true),
            Some(server) if server == exchange.requester => (ServerEnd::Requester, true),
            Some(server) => (ServerEnd::Responder, server == exchange.responder),
        };
        let mut record = Self {
            first: exchange.first,
            game: exchange.verdict.game,
            whole: None,
            times: ShortTimes::of(exchange),
            bytes: exchange.bytes.map(|bytes| fit(u32::try_from(bytes).ok())),
            id: fit(u32::try_from(exchange.id).ok()),
            number: fit(u32::try_from(exchange.number()).ok()),
            flow: exchange.flow,
            messages: exchange.messages,
            listed,
            steps: 0,
            input: exchange.input(),
            retries: fit(u8::try_from(exchange.retries).ok().map(u32::from)) as u8,
            kind: exchange.kind,
            state: exchange.state,
            confidence: exchange.verdict.confidence,
            proof: exchange.proof,
            roles: exchange.roles,
            server,
            is_unsolicited: exchange
                .steps
                .first()
                .is_some_and(|step| step.turn == MessageTurn::Answer),
            forward: exchange.forward,
            from_other_port: exchange.from_other_port,
            cut: exchange.cut,
            crossed: exchange.crossed,
            parts_missing: exchange.parts_missing,
        };
        let ends = (exchange.transport, [exchange.requester, exchange.responder]);
        let times =
            (exchange.last, [exchange.first_reply, exchange.last_reply], exchange.observed_for);
        let has_no_more = record.times.after(exchange.first) == times
            && exchange.errors.is_empty()
            && exchange.return_errors.is_empty()
            && exchange.misdirected.is_none()
            && exchange.listing.is_some() == (record.listed != [0; 2]);
        if !(fits && is_end && has_no_more && record.ends(flows) == Some(ends)) {
            record.whole = Some(Box::new(Exchange {
                steps: Vec::new(),
                listing: exchange.listing.as_ref().map(|_| Box::new(record.list_contents())),
                errors: exchange.errors.clone(),
                return_errors: exchange.return_errors.clone(),
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
        let (last, [first_reply, last_reply], observed_for) = self.times.after(self.first);
        Some(Exchange {
            id: self.id.into(),
            kind: self.kind,
            state: self.state,
            verdict: Verdict { game: self.game, confidence: self.confidence },
            transport,
            begin: FrameRef { number: self.number.into(), flow: self.flow, input: self.input },
            flow: self.flow,
            forward: self.forward,
            requester,
            responder,
            roles: self.roles,
            server: self.server(flows),
            first: self.first,
            last,
            first_reply,
            last_reply,
            retries: self.retries.into(),
            messages: self.messages,
            steps,
            bytes: self.bytes.map(u64::from),
            proof: self.proof,
            errors: Vec::new(),
            return_errors: Vec::new(),
            misdirected: None,
            observed_for,
            from_other_port: self.from_other_port,
            cut: self.cut,
            crossed: self.crossed,
            listing: (self.listed != [0; 2]).then(|| Box::new(self.list_contents())),
            parts_missing: self.parts_missing,
        })
    }

    /// What is requested.
    pub fn kind(&self) -> ExchangeKind {
        self.kind
    }

    /// The outcome.
    pub fn state(&self) -> ExchangeState {
        self.state
    }

    /// Nanoseconds from its beginning to the first answer.
    pub fn latency(&self) -> Option<i64> {
        match &self.whole {
            Some(whole) => whole.latency(),
            None => Some(self.times.after(self.first).1[0]? - self.first),
        }
    }

    /// Number of retries.
    pub fn retries(&self) -> u16 {
        self.whole.as_ref().map_or(self.retries.into(), |whole| whole.retries)
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
        match self.server {
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
        match (&self.whole, self.roles) {
            (Some(whole), _) => whole.master(),
            (None, [_, Some(Role::Master)]) => Some(self.ends(flows)?.1[1]),
            (None, [Some(Role::Master), _]) => Some(self.ends(flows)?.1[0]),
            _ => None,
        }
    }

    /// What one of its messages does.
    pub(super) fn turn(&self, turn: MessageTurn) -> MessageTurn {
        if self.is_unsolicited { MessageTurn::Answer } else { turn }
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
        Some((transport, if self.forward { [a, b] } else { [b, a] }))
    }

    fn list_contents(&self) -> ListContents {
        let [count, packet_count] = self.listed;
        ListContents { count, packet_count, ..ListContents::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_small() {
        assert!(size_of::<ExchangeRecord>() <= 96);
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
