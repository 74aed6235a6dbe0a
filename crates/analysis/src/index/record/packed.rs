//! An exchange in 39 bytes, without its messages.

use std::net::SocketAddr;

use super::list_of;
use super::traits::{ExchangeTraits, PackedTraits, ServerEnd};
use crate::exchange::{Exchange, ExchangeStep};
use crate::frame_ref::FrameRef;
use flow::{FlowId, Flows, Transport, Verdict};
use protocol::Game;
use protocols::registry;
use protocols::unknown::UNKNOWN;

/// An exchange without its messages whose ends and transport are those of its flow, and whose answer,
/// if it has one, is its last message. Its numbers are bytes, the lowest first, so that none of them
/// is aligned.
#[derive(Debug, Clone, Copy)]
pub(super) struct PackedExchange {
    first: [u8; 8],
    number: [u8; 4],
    id: ShortNumber,
    flow: ShortNumber,
    /// The position of its first step.
    steps: ShortNumber,
    traits: [u8; 4],
    game: PackedGame,
    input: u8,
    /// The time of its last message: nanoseconds after the first, up to 18 minutes.
    last: [u8; 5],
    /// Bytes of payload in requests, and in answers.
    bytes: [[u8; 2]; 2],
    messages: u8,
    /// The number of servers in its list of one packet.
    servers: u8,
}

/// The same with what does not fit there.
#[derive(Debug)]
pub(super) struct LongExchange {
    pub base: PackedExchange,
    pub rest: ExchangeRest,
}

/// What most exchanges have in few bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ExchangeRest {
    /// The time of its last message, and of the first and the last answer.
    last: i64,
    replies: [Option<i64>; 2],
    bytes: [u64; 2],
    messages: u32,
    /// Numbers of servers and packets, if it is a list.
    listed: Option<[u32; 2]>,
}

/// Stands for no list.
const NO_LIST: u8 = u8::MAX;

/// A number below 2²⁴.
#[derive(Debug, Clone, Copy, Default)]
struct ShortNumber([u8; 3]);

impl ShortNumber {
    /// The lower bits of a number.
    fn of(number: u32) -> Self {
        let [bytes @ .., _] = number.to_le_bytes();
        Self(bytes)
    }

    fn get(self) -> u32 {
        let [low, middle, high] = self.0;
        u32::from_le_bytes([low, middle, high, 0])
    }
}

/// A game: the place of its protocol among all, and its own there.
#[derive(Debug, Clone, Copy)]
struct PackedGame([u8; 2]);

impl PackedGame {
    /// Nothing if it has too many before it, or its protocol is in no registry.
    fn pack(game: &'static Game) -> Option<Self> {
        let mut protocols = registry().protocols().iter();
        let protocol = protocols.position(|protocol| *protocol == game.protocol)?;
        let at = game.protocol.games.iter().position(|known| std::ptr::eq(*known, game))?;
        Some(Self([protocol.try_into().ok()?, at.try_into().ok()?]))
    }

    fn unpack(self) -> Option<&'static Game> {
        let [protocol, at] = self.0.map(usize::from);
        registry().protocols().get(protocol)?.games.get(at).copied()
    }
}

impl ExchangeRest {
    pub fn of(exchange: &Exchange) -> Self {
        let listing = exchange.listing.as_ref();
        Self {
            last: exchange.last,
            replies: [exchange.first_reply, exchange.last_reply],
            bytes: exchange.bytes,
            messages: exchange.messages,
            listed: listing.map(|listing| [listing.count, listing.packet_count]),
        }
    }

    /// When the first answer came.
    pub fn first_reply(&self) -> Option<i64> {
        self.replies[0]
    }

    /// How many servers are in its list, if it is one.
    pub fn servers(&self) -> Option<u32> {
        self.listed.map(|[servers, _]| servers)
    }
}

impl LongExchange {
    /// Nothing if more than these values does not fit.
    pub fn pack(exchange: &Exchange) -> Option<Self> {
        Some(Self { base: PackedExchange::base(exchange)?, rest: ExchangeRest::of(exchange) })
    }
}

impl PackedExchange {
    /// Nothing if a part of it does not fit.
    pub fn pack(exchange: &Exchange) -> Option<Self> {
        Self::base(exchange).filter(|packed| packed.rest() == ExchangeRest::of(exchange))
    }

    /// The same; what does not fit of the rest is cut.
    fn base(exchange: &Exchange) -> Option<Self> {
        let (server, is_end) = match exchange.server {
            None => (ServerEnd::None, true),
            Some(server) if server == exchange.requester => (ServerEnd::Requester, true),
            Some(server) => (ServerEnd::Responder, server == exchange.responder),
        };
        let has_no_more = is_end
            && exchange.errors.is_empty()
            && exchange.return_errors.is_empty()
            && exchange.misdirected.is_none()
            && exchange.changed.is_none()
            && exchange.bound.is_none()
            && exchange.flow != FlowId(0);
        if !has_no_more {
            return None;
        }
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
        let [last @ .., _, _, _] = exchange.last.wrapping_sub(exchange.first).to_le_bytes();
        let listing = exchange.listing.as_ref().filter(|listing| listing.packet_count == 1);
        let packed = Self {
            first: exchange.first.to_le_bytes(),
            number: (exchange.number() as u32).to_le_bytes(),
            id: ShortNumber::of(exchange.id as u32),
            flow: ShortNumber::of(exchange.flow.0),
            steps: ShortNumber::default(),
            traits: PackedTraits::pack(&traits).to_bytes(),
            game: PackedGame::pack(exchange.verdict.game)?,
            input: exchange.input() as u8,
            last,
            bytes: exchange.bytes.map(|bytes| (bytes as u16).to_le_bytes()),
            messages: exchange.messages as u8,
            servers: listing.map_or(NO_LIST, |listing| listing.count as u8),
        };
        let fits = packed.id() == exchange.id
            && packed.number() == exchange.number()
            && packed.flow() == exchange.flow
            && u16::from(packed.input) == exchange.input()
            && packed.traits() == traits;
        fits.then_some(packed)
    }

    /// The exchange with the rest of it and these steps; nothing if it is of other flows.
    pub fn exchange(
        &self,
        rest: &ExchangeRest,
        flows: &Flows,
        steps: Vec<ExchangeStep>,
    ) -> Option<Exchange> {
        let (transport, [requester, responder]) = self.ends(flows)?;
        let ExchangeRest { last, replies: [first_reply, last_reply], .. } = *rest;
        let (traits, flow, first) = (self.traits(), self.flow(), self.first());
        let input = self.input.into();
        Some(Exchange {
            id: self.id(),
            kind: traits.kind,
            state: traits.state,
            verdict: Verdict { game: self.game(), confidence: traits.confidence },
            transport,
            bound: None,
            begin: FrameRef { number: self.number(), flow, input },
            flow,
            forward: traits.forward,
            requester,
            responder,
            roles: traits.roles,
            server: self.server(flows),
            first,
            last,
            first_reply,
            last_reply,
            retries: traits.retries,
            messages: rest.messages,
            steps,
            bytes: rest.bytes,
            proof: traits.proof,
            errors: Vec::new(),
            return_errors: Vec::new(),
            misdirected: None,
            changed: None,
            observed_for: 0,
            from_other_port: traits.from_other_port,
            cut: traits.cut,
            crossed: traits.crossed,
            listing: rest.listed.map(list_of).map(Box::new),
            parts_missing: traits.parts_missing,
            missing_parts: None,
        })
    }

    /// The rest of it, if its answer is its last message.
    pub fn rest(&self) -> ExchangeRest {
        let [a, b, c, d, e] = self.last;
        let last = self.first().wrapping_add(i64::from_le_bytes([a, b, c, d, e, 0, 0, 0]));
        ExchangeRest {
            last,
            replies: [self.traits().ends_with_answer.then_some(last); 2],
            bytes: self.bytes.map(|bytes| u16::from_le_bytes(bytes).into()),
            messages: self.messages.into(),
            listed: (self.servers != NO_LIST).then(|| [self.servers.into(), 1]),
        }
    }

    pub fn steps(&self) -> u32 {
        self.steps.get()
    }

    pub fn set_steps(&mut self, steps: u32) {
        self.steps = ShortNumber::of(steps);
    }

    pub fn traits(&self) -> ExchangeTraits {
        PackedTraits::from_bytes(self.traits).unpack()
    }

    /// When it began, in nanoseconds since the Unix epoch.
    pub fn first(&self) -> i64 {
        i64::from_le_bytes(self.first)
    }

    /// The frame that it began with.
    pub fn number(&self) -> u64 {
        u32::from_le_bytes(self.number).into()
    }

    pub fn id(&self) -> u64 {
        self.id.get().into()
    }

    fn flow(&self) -> FlowId {
        FlowId(self.flow.get())
    }

    pub fn game(&self) -> &'static Game {
        self.game.unpack().unwrap_or(&UNKNOWN)
    }

    /// The server that it is about, if known.
    pub fn server(&self, flows: &Flows) -> Option<SocketAddr> {
        match self.traits().server {
            ServerEnd::None => None,
            ServerEnd::Requester => Some(self.ends(flows)?.1[0]),
            ServerEnd::Responder => Some(self.ends(flows)?.1[1]),
        }
    }

    /// The transport, and the requester and the responder as its flow has them.
    pub fn ends(&self, flows: &Flows) -> Option<(Transport, [SocketAddr; 2])> {
        let (transport, [a, b]) = flows.ends(self.flow())?;
        Some((transport, if self.traits().forward { [a, b] } else { [b, a] }))
    }
}
