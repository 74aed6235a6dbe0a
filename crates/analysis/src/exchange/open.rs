//! An open exchange, and the parts of its answers.

use std::net::SocketAddr;

use smallvec::SmallVec;

use super::keys::{KeyHash, KeyTable};
use super::{
    AnalysisBound, ChallengeProof, Exchange, ExchangeState, ExchangeStep, MissingParts,
    PacketOfList,
};
use crate::message::CapturedMessage;
use crate::values::MessageValues;
use flow::{FlowId, IcmpNotice};
use protocol::{Entry, EntryCount, ExchangeKind, Identifier, Part, Role};

/// How many bytes of a list request are kept.
const REQUEST: usize = 256;

/// An exchange that has not ended.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, each asked for alone")]
pub(super) struct OpenExchange {
    pub exchange: Exchange,
    /// Its timeout, in nanoseconds since the Unix epoch.
    pub due: i64,
    /// Its size in bytes when it was last computed.
    pub weight: usize,
    /// Distinguishes uses of the same slot.
    pub generation: u64,
    /// Challenges that were sent and may be returned.
    pub challenges: SmallVec<[SentText; 1]>,
    /// Whether they are 32-bit numbers, which are returned in decimal.
    pub in_bits: bool,
    /// Others were sent that were not captured, or exceeded the limit: what is returned may be one
    /// of them.
    pub sent_others: bool,
    /// What answers to its last request bring back, if they bring anything back.
    pub identifier: Option<Identifier>,
    /// An earlier request had another identifier.
    pub identifiers_differ: bool,
    /// The last answer only begins the next step.
    pub continues: bool,
    /// The last request has an answer.
    pub is_answered: bool,
    pub refused: bool,
    /// Which parts of its answers have come.
    pub parts: AnswerParts,
    /// For protocols where two heartbeats in a row mean shutdown.
    pub pair: HeartbeatPair,
    /// When the last heartbeat of a registration came.
    pub last_heartbeat: Option<i64>,
    /// The request for a list, as far as it is kept.
    pub opening: Option<(&'static Entry, Box<[u8]>)>,
    pub keys: SmallVec<[SlotKey; 4]>,
}

/// A challenge, mostly a short one.
pub(super) type SentText = SmallVec<[u8; 16]>;

/// A key by which an exchange is found; removed together with it.
pub(super) enum SlotKey {
    Request(KeyHash),
    Connection(KeyHash),
    /// Any other.
    Other(KeyHash),
    /// The server and the master of the exchange.
    Registration,
}

/// Whether the last two heartbeats of a registration may mean that the server shuts down: the
/// second came at once after the first, and then the server was silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeartbeatPair {
    None,
    /// The second came at this time, in nanoseconds since the Unix epoch; the silence is not
    /// confirmed yet.
    Close(i64),
    /// Silence followed.
    Silent,
}

/// Which parts of each answer have come; an exchange with retries may get several answers.
#[derive(Debug, Default)]
pub struct AnswerParts {
    answers: Vec<AnswerState>,
    /// The index of one part was not captured.
    unclear: bool,
}

/// The parts of one answer.
#[derive(Debug)]
struct AnswerState {
    reply: u32,
    /// The indices that were seen, and the index of the last part.
    seen: Vec<u16>,
    last: Option<u16>,
    /// How many entries have come, and how many there are, for answers that count these.
    entries: u32,
    of: Option<u32>,
}

/// How many of the missing parts of an answer are told.
const MISSING: usize = 8;

/// How many answers of one exchange are distinguished, and how many parts of each.
const ANSWERS: usize = 16;
const PARTS: usize = 256;

impl OpenExchange {
    /// The exchange that a message opens; its steps are kept in an empty vector.
    pub fn new(
        message: &CapturedMessage<'_>,
        values: &MessageValues<'_>,
        generation: u64,
        steps: Vec<ExchangeStep>,
    ) -> Self {
        let header = &message.header;
        let spec = &header.entry.spec;
        let is_reply = !header.entry.spec.answers.is_empty() && !header.entry.is_request();
        let is_shutdown = spec.shutdown.is_some_and(|is_shutdown| is_shutdown(message.payload));
        let kind = if is_shutdown { ExchangeKind::Shutdown } else { header.exchange_kind() };
        let mut ends = [header.source, header.destination];
        let mut roles = [header.direction.from, header.direction.to];
        if is_reply {
            ends.reverse();
            roles.reverse();
        }
        let [requester, responder] = ends;
        let recognised = values.plain.port.filter(|_| spec.has_query_port);
        let server = match kind {
            ExchangeKind::Registration | ExchangeKind::Shutdown => {
                Some(recognised.map_or(requester, |port| SocketAddr::new(requester.ip(), port)))
            }
            _ => {
                let mut ends = roles.into_iter().zip(ends);
                ends.find(|(role, _)| *role == Some(Role::Server)).map(|(_, end)| end)
            }
        };
        let state = match (is_reply, spec.one_way || is_shutdown) {
            (true, _) => ExchangeState::Unsolicited,
            (_, true) => ExchangeState::OneWay,
            _ => ExchangeState::Unanswered,
        };
        let exchange = Exchange {
            id: generation,
            kind,
            state,
            verdict: header.verdict,
            transport: header.transport,
            bound: (header.flow == FlowId(0)).then_some(AnalysisBound::Flows),
            begin: header.frame(),
            flow: header.flow,
            forward: header.forward != is_reply,
            requester,
            responder,
            roles,
            server,
            first: header.time,
            last: header.time,
            first_reply: None,
            last_reply: None,
            retries: 0,
            messages: 0,
            steps,
            bytes: [0; 2],
            proof: ChallengeProof::NotSent,
            errors: Vec::new(),
            return_errors: Vec::new(),
            misdirected: None,
            changed: None,
            observed_for: 0,
            from_other_port: false,
            cut: false,
            crossed: false,
            listing: None,
            parts_missing: false,
            missing_parts: None,
        };
        Self {
            exchange,
            due: 0,
            weight: 0,
            generation,
            challenges: SmallVec::new(),
            in_bits: false,
            sent_others: false,
            identifier: None,
            identifiers_differ: false,
            continues: false,
            is_answered: false,
            refused: false,
            parts: AnswerParts::default(),
            pair: HeartbeatPair::None,
            last_heartbeat: None,
            opening: (kind == ExchangeKind::List && !is_reply)
                .then(|| (header.entry, cut(message.payload).into())),
            keys: SmallVec::new(),
        }
    }
}

impl OpenExchange {
    /// How many steps there is room for at first: most exchanges have no more.
    const STEPS: usize = 2;

    /// An empty vector for the steps of another exchange: that of an exchange that has ended, unless
    /// it has grown.
    pub fn spare_steps(ended: Option<&mut Self>) -> Vec<ExchangeStep> {
        let steps = ended.map(|open| std::mem::take(&mut open.exchange.steps));
        let mut steps = steps.filter(|steps| steps.capacity() == Self::STEPS).unwrap_or_default();
        steps.clear();
        steps.reserve_exact(Self::STEPS);
        steps
    }

    /// The server and the master of a registration.
    pub fn registration(&self) -> (SocketAddr, SocketAddr) {
        let Exchange { server, requester, responder, .. } = self.exchange;
        (server.unwrap_or(requester), responder)
    }
}

impl Exchange {
    /// Its size in memory, in bytes.
    pub(crate) fn weigh(&self) -> usize {
        let listing = self.listing.as_ref().map_or(0, |listing| {
            size_of_val(&**listing)
                + size_of::<PacketOfList>() * listing.packets.capacity()
                + size_of::<(SocketAddr, u16)>() * listing.servers.capacity()
        });
        let errors = self.errors.iter().chain(&self.return_errors);
        let errors: usize = errors.map(|error| size_of::<IcmpNotice>() + error.what.len()).sum();
        size_of::<Self>() + size_of::<ExchangeStep>() * self.steps.capacity() + errors + listing
    }
}

impl OpenExchange {
    /// The request for a list, as far as it is kept.
    pub fn request(&self) -> Option<&(&'static Entry, Box<[u8]>)> {
        self.opening.as_ref().or_else(|| self.exchange.listing()?.request.as_ref())
    }

    /// Its size in memory with its entries in the key tables, in bytes.
    pub fn weigh(&self) -> usize {
        let Self { exchange, keys, challenges, opening, parts, .. } = self;
        size_of::<Self>() - size_of::<Exchange>()
            + exchange.weigh()
            + if keys.spilled() { size_of::<SlotKey>() * keys.capacity() } else { 0 }
            + keys.iter().map(SlotKey::weigh).sum::<usize>()
            + challenges.iter().map(|text| size_of::<SentText>() + text.len()).sum::<usize>()
            + opening.as_ref().map_or(0, |(_, request)| request.len())
            + parts.weigh()
    }
}

impl SlotKey {
    /// Its heap size with its entry in a key table, in bytes.
    fn weigh(&self) -> usize {
        match self {
            Self::Request(_) | Self::Connection(_) | Self::Other(_) => KeyTable::ENTRY,
            // As a key of a table with the slot of the exchange.
            Self::Registration => 4 * size_of::<(SocketAddr, SocketAddr)>(),
        }
    }

    /// Removes the oldest request, else the oldest other key; the keys of the exchange's subject
    /// stay.
    pub fn remove_oldest(keys: &mut SmallVec<[Self; 4]>) -> Option<Self> {
        let is_request = |key: &Self| matches!(key, Self::Request(..));
        let is_subject = |key: &Self| matches!(key, Self::Registration | Self::Connection(..));
        let oldest = keys.iter().position(is_request);
        let oldest = oldest.or_else(|| keys.iter().position(|key| !is_subject(key)))?;
        Some(keys.remove(oldest))
    }
}

/// The part of a request that is kept.
pub(super) fn cut(payload: &[u8]) -> &[u8] {
    payload.get(..REQUEST).unwrap_or(payload)
}

/// What answers to a request bring back, if they bring anything back.
pub(super) fn identifier(message: &CapturedMessage<'_>) -> Option<Identifier> {
    let CapturedMessage { header, payload } = message;
    header.entry.spec.sends.filter(|_| header.missing == 0).and_then(|sends| sends(payload))
}

/// Which part of an answer a message is, if the datagram carries a part number.
pub(super) fn numbered_part(message: &CapturedMessage<'_>) -> Option<Part> {
    (message.header.entry.spec.part?)(message.payload).filter(|part| part.index > 0)
}

impl AnswerParts {
    /// Adds a part, and how many of the answer's entries it has, if it says so.
    pub fn add_part(&mut self, part: Part, entries: Option<EntryCount>) {
        let known = self.answers.iter().position(|answer| answer.reply == part.reply);
        if known.is_none() && self.answers.len() < ANSWERS {
            self.answers.push(AnswerState {
                reply: part.reply,
                seen: Vec::new(),
                last: None,
                entries: 0,
                of: None,
            });
        }
        let at = known.unwrap_or(self.answers.len() - 1);
        let Some(answer) = self.answers.get_mut(at).filter(|a| a.reply == part.reply) else {
            return;
        };
        if !answer.seen.contains(&part.index) && answer.seen.len() < PARTS {
            answer.seen.push(part.index);
            if let Some(EntryCount { here, of }) = entries {
                answer.entries = answer.entries.saturating_add(here);
                answer.of = of.or(answer.of);
            }
        }
        if part.last {
            answer.last = Some(part.index);
        }
    }

    /// Whether this part of an answer came before.
    pub fn has_part(&self, part: Part) -> bool {
        let of_reply = self.answers.iter().filter(|answer| answer.reply == part.reply);
        of_reply.into_iter().any(|answer| answer.seen.contains(&part.index))
    }

    fn weigh(&self) -> usize {
        let seen: usize = self.answers.iter().map(|answer| answer.seen.capacity()).sum();
        size_of::<AnswerState>() * self.answers.capacity() + size_of::<u16>() * seen
    }

    /// Adds a part that was cut: its index may be in the missing bytes.
    pub fn add_cut_part(&mut self) {
        self.unclear = true;
    }

    /// If there were answers and none of them is complete by its part numbers: what is missing of
    /// the one with the most parts.
    pub fn missing(&self) -> Option<MissingParts> {
        if self.unclear || self.answers.iter().any(AnswerState::is_whole) {
            return None;
        }
        let most = self.answers.iter().max_by_key(|answer| answer.seen.len())?;
        let last = most.last.or_else(|| most.seen.iter().max().copied())?;
        let missing = (1..=last).filter(|index| !most.seen.contains(index));
        let numbers = missing.take(MISSING).collect();
        Some(MissingParts { numbers, last_came: most.last.is_some() })
    }
}

impl AnswerState {
    fn is_whole(&self) -> bool {
        let has_all = self.of.is_some_and(|of| self.entries >= of);
        has_all || self.last.is_some_and(|last| (1..=last).all(|index| self.seen.contains(&index)))
    }
}
