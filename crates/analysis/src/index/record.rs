//! What an index keeps of an exchange: what its messages and its flow do not tell.

mod packed;
mod traits;

use std::net::SocketAddr;

use packed::{ExchangeRest, LongExchange, PackedExchange};

use crate::exchange::{Exchange, ExchangeState, ExchangeStep, ListContents, MessageTurn};
use flow::{Flows, IcmpNotice};
use protocol::{ExchangeKind, Game, Role};
use text::since;

/// An exchange without its messages. There are millions of these.
#[derive(Debug)]
pub struct ExchangeRecord(ExchangeForm);

#[derive(Debug)]
enum ExchangeForm {
    Packed(PackedExchange),
    Long(Box<LongExchange>),
    Whole(Box<WholeExchange>),
}

use ExchangeForm::{Long, Packed, Whole};

/// An exchange without its steps, where it cannot be packed, and the position of its first step.
#[derive(Debug)]
struct WholeExchange {
    exchange: Exchange,
    steps: u32,
}

/// What a message does in its exchange, and a number: of a step that of its message from the
/// beginning of the index on, of a message that of its exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NumberedTurn(u32);

impl NumberedTurn {
    /// How many bits the turn takes.
    const TURN: u32 = 3;
    /// Stands for no number; no turn has these bits.
    pub const NONE: Self = Self(u32::MAX);

    /// Nothing if the number is too large.
    pub fn new(number: usize, turn: MessageTurn) -> Option<Self> {
        let number = u32::try_from(number).ok().filter(|n| n.leading_zeros() >= Self::TURN)?;
        Some(Self(number << Self::TURN | turn as u32))
    }

    pub fn number(self) -> Option<usize> {
        (self != Self::NONE).then_some((self.0 >> Self::TURN) as usize)
    }

    pub fn turn(self) -> MessageTurn {
        let at = (self.0 & ((1 << Self::TURN) - 1)) as usize;
        MessageTurn::ALL.get(at).copied().unwrap_or(MessageTurn::Request)
    }
}

impl ExchangeRecord {
    /// The record of an exchange. Of listed servers and packets it has only the numbers.
    pub fn from_exchange(exchange: &Exchange) -> Self {
        let packed = PackedExchange::pack(exchange).map(Packed);
        let long = || LongExchange::pack(exchange).map(|long| Long(Box::new(long)));
        Self(packed.or_else(long).unwrap_or_else(|| {
            let listing = exchange.listing.as_ref();
            let exchange = Exchange {
                steps: Vec::new(),
                listing: listing.map(|l| Box::new(list_of([l.count, l.packet_count]))),
                errors: exchange.errors.clone(),
                return_errors: exchange.return_errors.clone(),
                misdirected: exchange.misdirected.clone(),
                changed: exchange.changed.clone(),
                missing_parts: None,
                observed_for: 0,
                ..*exchange
            };
            Whole(Box::new(WholeExchange { exchange, steps: 0 }))
        }))
    }

    /// Its size in memory, in bytes.
    pub fn weigh(&self) -> usize {
        let more = match &self.0 {
            Packed(_) => 0,
            Long(_) => size_of::<LongExchange>(),
            Whole(whole) => whole.exchange.weigh(),
        };
        size_of::<Self>() + more
    }

    /// What is packed of it, or all of it.
    fn base(&self) -> Result<&PackedExchange, &Exchange> {
        match &self.0 {
            Packed(packed) => Ok(packed),
            Long(long) => Ok(&long.base),
            Whole(whole) => Err(&whole.exchange),
        }
    }

    fn rest(&self) -> ExchangeRest {
        match &self.0 {
            Packed(packed) => packed.rest(),
            Long(long) => long.rest,
            Whole(whole) => ExchangeRest::of(&whole.exchange),
        }
    }

    /// The position of its first step.
    pub(super) fn steps(&self) -> u32 {
        match &self.0 {
            Packed(packed) => packed.steps(),
            Long(long) => long.base.steps(),
            Whole(whole) => whole.steps,
        }
    }

    /// Sets the position of its first step.
    pub(super) fn set_steps(&mut self, position: u32) {
        match &mut self.0 {
            Packed(packed) => packed.set_steps(position),
            Long(long) => long.base.set_steps(position),
            Whole(whole) => whole.steps = position,
        }
    }

    /// The exchange with these steps; nothing if it is of other flows.
    pub fn exchange(&self, flows: &Flows, steps: Vec<ExchangeStep>) -> Option<Exchange> {
        match self.base() {
            Ok(packed) => packed.exchange(&self.rest(), flows, steps),
            Err(whole) => Some(Exchange { steps, ..whole.clone() }),
        }
    }

    /// What is requested.
    pub fn kind(&self) -> ExchangeKind {
        self.base().map_or_else(|whole| whole.kind, |packed| packed.traits().kind)
    }

    /// The outcome.
    pub fn state(&self) -> ExchangeState {
        self.base().map_or_else(|whole| whole.state, |packed| packed.traits().state)
    }

    /// The game.
    pub fn game(&self) -> &'static Game {
        self.base().map_or_else(|whole| whole.verdict.game, PackedExchange::game)
    }

    /// How many servers are in its list, if it is one.
    pub fn listed_servers(&self) -> Option<u32> {
        self.rest().servers()
    }

    /// Nanoseconds from its beginning to the first answer; `None` without a request or their times.
    pub fn latency(&self) -> Option<i64> {
        match self.base() {
            Ok(packed) if packed.traits().is_unsolicited => None,
            Ok(packed) => since(packed.first(), self.rest().first_reply()?),
            Err(whole) => whole.latency(),
        }
    }

    /// Number of retries.
    pub fn retries(&self) -> u16 {
        self.base().map_or_else(|whole| whole.retries, |packed| packed.traits().retries)
    }

    /// ICMP errors: the requester's messages did not arrive.
    pub fn errors(&self) -> &[IcmpNotice] {
        self.base().map_or_else(|whole| whole.errors.as_slice(), |_| &[])
    }

    /// The server that it is about, if known.
    pub fn server(&self, flows: &Flows) -> Option<SocketAddr> {
        self.base().map_or_else(|whole| whole.server, |packed| packed.server(flows))
    }

    /// The endpoint that should answer.
    pub fn responder(&self, flows: &Flows) -> Option<SocketAddr> {
        match self.base() {
            Ok(packed) => Some(packed.ends(flows)?.1[1]),
            Err(whole) => Some(whole.responder),
        }
    }

    /// Its master, if it has one.
    pub fn master(&self, flows: &Flows) -> Option<SocketAddr> {
        match self.base() {
            Ok(packed) => match packed.traits().roles {
                [_, Some(Role::Master)] => Some(packed.ends(flows)?.1[1]),
                [Some(Role::Master), _] => Some(packed.ends(flows)?.1[0]),
                _ => None,
            },
            Err(whole) => whole.master(),
        }
    }

    /// Where it comes in the order of all: by time, then by frame.
    pub(super) fn place(&self) -> (i64, u64, u64) {
        match self.base() {
            Ok(packed) => (packed.first(), packed.number(), packed.id()),
            Err(whole) => (whole.first, whole.number(), whole.id),
        }
    }

    /// Its number, from 1 in the order in which exchanges began.
    pub(super) fn id(&self) -> u64 {
        self.base().map_or_else(|whole| whole.id, PackedExchange::id)
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
        assert!(size_of::<Option<ExchangeRecord>>() <= 40);
    }

    #[test]
    fn a_number_keeps_its_turn() {
        for turn in MessageTurn::ALL {
            for number in [0, 1, 77, (1 << 29) - 1] {
                let numbered = NumberedTurn::new(number, turn).unwrap();
                assert_eq!((numbered.number(), numbered.turn()), (Some(number), turn));
            }
            assert_eq!(NumberedTurn::new(1 << 29, turn), None);
        }
        assert_eq!(NumberedTurn::NONE.number(), None);
    }
}
