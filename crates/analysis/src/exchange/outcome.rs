//! What a message changes in its exchange, and the outcome when the exchange ends.

use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;

use super::keys::{challenge_bits, without_blanks};
use super::open::{HeartbeatPair, OpenExchange, identifier};
use super::silence::PAIR_INTERVAL;
use super::{
    AnalysisBound, ChallengeProof, ChangedValue, Exchange, ExchangeState, ExchangeStep,
    ListContents, MessageTurn, PacketOfList,
};
use crate::message::CapturedMessage;
use crate::values::{ListEnd, MessageValues, TextOf};
use flow::{Flows, IcmpNotice};
use protocol::{ExchangeKind, Part, Role, Validation};
use text::since;

/// How many messages of one exchange are kept; the rest are only counted.
pub const STEPS: usize = 64;
/// How many challenges are remembered until they are returned.
const CHALLENGES: usize = 8;
/// How many packets of one list are kept, and how many servers.
const PACKETS: usize = 512;
const SERVERS: usize = 16_384;
/// The hash that identifies list packets that were received twice.
const CONTENT: FixedState = FixedState::with_seed(0);

impl OpenExchange {
    /// Adds a message, which may be a numbered part of an answer.
    pub fn join(
        &mut self,
        turn: MessageTurn,
        message: &CapturedMessage<'_>,
        part: Option<Part>,
        values: &MessageValues<'_>,
    ) {
        let header = &message.header;
        let spec = &header.entry.spec;
        let follows = self.follows_closely(header.time);
        let exchange = &mut self.exchange;
        exchange.messages = exchange.messages.saturating_add(1);
        exchange.last = header.time;
        exchange.cut |= values.plain.cut;
        // Of each kind at least the first is kept.
        let step_turn = exchange.step_of(turn);
        let is_new = || exchange.steps.iter().all(|step| step.turn != step_turn);
        if exchange.steps.len() < STEPS || is_new() {
            exchange.steps.push(ExchangeStep::from_header(header, step_turn));
        }
        let from_requester = header.source == exchange.requester;
        if let Some(bytes) = exchange.bytes.get_mut(usize::from(!from_requester)) {
            *bytes += message.payload.len() as u64;
        }
        match turn {
            MessageTurn::Request | MessageTurn::Retry => {
                exchange.retries =
                    exchange.retries.saturating_add(u16::from(turn == MessageTurn::Retry));
                (self.is_answered, self.continues) = (false, false);
                let before = std::mem::replace(&mut self.identifier, identifier(message));
                self.identifiers_differ |= before.is_some() && before != self.identifier;
                if exchange.kind == ExchangeKind::Registration {
                    let is_pair =
                        turn == MessageTurn::Retry && spec.shutdown_if_repeated && follows;
                    self.pair = if is_pair {
                        HeartbeatPair::Close(header.time)
                    } else {
                        HeartbeatPair::None
                    };
                    self.last_heartbeat = Some(header.time);
                }
                let goes_on = self.returns_challenge() && !self.challenges.is_empty();
                if goes_on {
                    self.verify(message, values);
                } else {
                    self.send_challenge(message, values);
                }
            }
            MessageTurn::Query => {
                self.compare_returned(message);
                self.send_challenge(message, values);
            }
            MessageTurn::Answer | MessageTurn::Refusal => self.answer(turn, message, part, values),
        }
        if turn == MessageTurn::Request && self.exchange.state == ExchangeState::Unsolicited {
            self.list(message, values);
        }
    }

    /// Compares what a master's message brings back with what the last heartbeat had.
    fn compare_returned(&mut self, message: &CapturedMessage<'_>) {
        let CapturedMessage { header, payload } = message;
        let returns = header.entry.spec.returns.filter(|_| header.missing == 0);
        let returned = returns.and_then(|returns| returns(payload));
        // Of several heartbeats, another one may have had it.
        if let (Some(sent), Some(returned)) = (self.identifier, returned)
            && sent != returned
            && !self.identifiers_differ
            && let (Some(sent), Some(returned)) = (sent.number(), returned.number())
        {
            let values = [sent, returned];
            let frame = header.frame();
            self.exchange.changed.get_or_insert_with(|| Box::new(ChangedValue { frame, values }));
        }
    }

    /// Whether the requester returns a challenge that an answer has brought.
    fn returns_challenge(&self) -> bool {
        let exchange = &self.exchange;
        let is_continued = || exchange.steps.first().is_some_and(|step| step.entry.is_continued());
        match exchange.kind {
            ExchangeKind::Connection => true,
            ExchangeKind::Query => is_continued(),
            _ => false,
        }
    }

    /// Whether a heartbeat at this time comes at once after the one before it.
    pub fn follows_closely(&self, time: i64) -> bool {
        let interval = self.last_heartbeat.and_then(|before| since(before, time));
        interval.is_some_and(|interval| (0..=PAIR_INTERVAL).contains(&interval))
    }

    /// Whether the master has sent a challenge.
    pub fn is_challenged(&self) -> bool {
        self.exchange.steps.iter().any(|step| step.turn == MessageTurn::Query)
    }

    /// Adds a message with a challenge that the answer must return.
    fn send_challenge(&mut self, message: &CapturedMessage<'_>, values: &MessageValues<'_>) {
        if message.header.entry.is_request() && !self.returns_challenge() {
            self.add_challenge(values);
        }
        if message.header.entry.spec.challenge.is_some_and(|c| c(message.payload).is_some()) {
            self.exchange.proof = ChallengeProof::Awaited;
        }
    }

    fn add_challenge(&mut self, values: &MessageValues<'_>) {
        let Some(text) = values.text(TextOf::Challenge) else {
            self.sent_others |= values.plain.cut;
            return;
        };
        self.in_bits |= values.plain.challenge_in_bits;
        if self.exchange.proof == ChallengeProof::NotSent {
            self.exchange.proof = ChallengeProof::Awaited;
        }
        match self.challenges.len() < CHALLENGES {
            _ if self.challenges.iter().any(|sent| **sent == *text) => {}
            true => self.challenges.push(text.into()),
            false => self.sent_others = true,
        }
    }

    fn answer(
        &mut self,
        turn: MessageTurn,
        message: &CapturedMessage<'_>,
        part: Option<Part>,
        values: &MessageValues<'_>,
    ) {
        let header = &message.header;
        let exchange = &mut self.exchange;
        exchange.first_reply.get_or_insert(header.time);
        exchange.last_reply = Some(header.time);
        self.is_answered = true;
        self.continues = header.entry.spec.continues;
        self.refused |= turn == MessageTurn::Refusal;
        let expected = if exchange.kind == ExchangeKind::Registration {
            exchange.server.unwrap_or(exchange.requester)
        } else {
            exchange.responder
        };
        // An answer of another server on the same host, whose request was not captured, is
        // discarded when the expected answer comes.
        exchange.from_other_port = header.source != expected && header.answers.is_none();
        // If a datagram carries no part number, missing parts cannot be detected.
        if values.plain.cut && header.entry.spec.part.is_some() {
            self.parts.add_cut_part();
        }
        if let Some(part) = part {
            let entries = header.entry.spec.entries.and_then(|entries| entries(message.payload));
            self.parts.add_part(part, entries);
        }
        if header.entry.spec.exchange == ExchangeKind::List {
            exchange.kind = ExchangeKind::List;
        }
        match (self.returns_challenge(), self.continues) {
            (true, true) => self.add_challenge(values),
            (true, false) => {}
            _ => self.verify(message, values),
        }
        self.list(message, values);
    }

    /// Compares the returned challenge with those that were sent.
    fn verify(&mut self, message: &CapturedMessage<'_>, values: &MessageValues<'_>) {
        let proof = match message.header.validation {
            Some(Validation::Right(_) | Validation::KeyOf(_)) => ChallengeProof::Right,
            Some(Validation::NotOf(_)) if self.proves_earlier(message) => ChallengeProof::Right,
            Some(Validation::NotOf(_)) if values.plain.cut || self.sent_others => {
                ChallengeProof::Unknown
            }
            Some(Validation::NotOf(_)) => ChallengeProof::Wrong,
            Some(Validation::NoKnownKey) => ChallengeProof::Unknown,
            // A master challenges; what it says behind the proof is none.
            None if self.challenges.is_empty() || self.is_masters(message) => return,
            None => match values.text(TextOf::Challenge) {
                None if values.plain.cut || values.plain.faulty => ChallengeProof::Unknown,
                None => ChallengeProof::Missing,
                Some(back) if self.sent(back) => ChallengeProof::Right,
                Some(_) if self.sent_others => ChallengeProof::Unknown,
                Some(_) => ChallengeProof::Wrong,
            },
        };
        // A correct answer stays correct; a wrong one stays wrong until a correct one comes.
        if self.exchange.proof != ChallengeProof::Right {
            self.exchange.proof = proof;
        }
    }

    /// Whether the master of a registration sent a message.
    fn is_masters(&self, message: &CapturedMessage<'_>) -> bool {
        let is_registration = self.exchange.kind == ExchangeKind::Registration;
        is_registration && message.header.direction.from == Some(Role::Master)
    }

    /// Whether a challenge was sent, by whichever request: answers may arrive out of order.
    pub fn sent(&self, back: &[u8]) -> bool {
        let are_numbers = self.in_bits || self.exchange.kind == ExchangeKind::Connection;
        let (back, bits) = (without_blanks(back), challenge_bits(back).filter(|_| are_numbers));
        let is = |sent: &[u8]| {
            without_blanks(sent) == back || bits.is_some() && challenge_bits(sent) == bits
        };
        self.challenges.iter().any(|sent| is(sent))
    }

    /// Whether a proof that is wrong for the last challenge is right for an earlier one.
    fn proves_earlier(&self, message: &CapturedMessage<'_>) -> bool {
        let Some(validates) = message.header.entry.spec.validation else {
            return false;
        };
        let right =
            |validation| matches!(validation, Some(Validation::Right(_) | Validation::KeyOf(_)));
        self.challenges.iter().any(|c| right(validates(message.payload, c)))
    }

    fn list(&mut self, message: &CapturedMessage<'_>, values: &MessageValues<'_>) {
        let spec = &message.header.entry.spec;
        let is_list =
            self.exchange.kind == ExchangeKind::List && !message.header.entry.is_request();
        if !is_list && !spec.has_end_mark {
            return;
        }
        let listing = self.exchange.listing.get_or_insert_default();
        listing.request = self.opening.take().or(listing.request.take());
        let (length, hash) = (message.payload.len() as u32, CONTENT.hash_one(message.payload));
        // A packet that was received twice counts once.
        let is_same = |packet: &PacketOfList| packet.length == length && packet.hash == hash;
        if listing.packets.iter().any(is_same) {
            return;
        }
        let at = listing.packets.len() as u16;
        listing.count += values.servers.len() as u32;
        listing.packet_count += 1;
        listing.is_marked |= values.plain.end == Some(ListEnd::Marked);
        if listing.packets.len() >= PACKETS {
            return;
        }
        listing.packets.push(PacketOfList {
            number: message.header.number,
            flow: message.header.flow,
            input: message.header.input,
            length,
            hash,
            end: values.plain.end,
            cut: values.plain.cut,
        });
        let free = SERVERS.saturating_sub(listing.servers.len());
        listing.servers.extend(values.servers.iter().take(free).map(|server| (*server, at)));
    }
}

/// Ends an exchange and computes its outcome.
pub(super) fn finish(open: &mut OpenExchange, now: i64, flows: &Flows) {
    let exchange = &mut open.exchange;
    exchange.observed_for = since(exchange.last, now).unwrap_or(0).max(0);
    if exchange.bound.is_none() && flows.forgot_requests(exchange.flow) {
        exchange.bound = Some(AnalysisBound::PendingRequests);
    }
    // If the request came before the capture began, parts of the answer may have done so too.
    let is_solicited = exchange.state != ExchangeState::Unsolicited;
    exchange.missing_parts = open.parts.missing().filter(|_| is_solicited).map(Box::new);
    exchange.parts_missing = exchange.missing_parts.is_some();
    exchange.errors = delivery_errors(exchange, exchange.forward, flows);
    exchange.return_errors = delivery_errors(exchange, !exchange.forward, flows);
    if open.pair == HeartbeatPair::Silent && exchange.errors.is_empty() {
        exchange.retries = 0;
        (exchange.kind, exchange.state) = (ExchangeKind::Shutdown, ExchangeState::OneWay);
    }
    if matches!(exchange.state, ExchangeState::Unsolicited | ExchangeState::OneWay) {
        if open.refused {
            exchange.state = ExchangeState::Refused;
        }
        return;
    }
    let challenged = exchange.steps.iter().any(|step| step.turn == MessageTurn::Query);
    let binds = matches!(
        exchange.kind,
        ExchangeKind::Registration
            | ExchangeKind::Authorization
            | ExchangeKind::Validation
            | ExchangeKind::Connection
    );
    let failed = binds && matches!(exchange.proof, ChallengeProof::Wrong | ChallengeProof::Missing);
    exchange.state = match (open.is_answered, open.refused) {
        (_, true) => ExchangeState::Refused,
        (false, _) if challenged || open.continues || exchange.first_reply.is_some() => {
            ExchangeState::Incomplete
        }
        (false, _) => ExchangeState::Unanswered,
        (true, _) if open.continues || failed || exchange.parts_missing => {
            ExchangeState::Incomplete
        }
        (true, _) => ExchangeState::Answered,
    };
}

/// ICMP errors about messages in one direction of its flow, during the exchange.
fn delivery_errors(exchange: &Exchange, forward: bool, flows: &Flows) -> Vec<IcmpNotice> {
    let flow = flows.have_errors().then(|| flows.flow(exchange.flow)).flatten();
    let Some(flow) = flow.filter(|flow| !flow.errors().is_empty()) else {
        return Vec::new();
    };
    let until = exchange.last.saturating_add(LATE);
    let about = flow.errors().iter().filter(|e| e.forward == forward);
    let during = about.filter(|e| (exchange.first..=until).contains(&e.time));
    during.cloned().collect()
}

/// How long after the last message an ICMP error may arrive, in nanoseconds.
const LATE: i64 = 3_000_000_000;

impl Exchange {
    /// Number of answers; of long exchanges as many as are kept.
    pub fn replies(&self) -> usize {
        let answers =
            |step: &&ExchangeStep| matches!(step.turn, MessageTurn::Answer | MessageTurn::Refusal);
        self.steps.iter().filter(answers).count()
    }

    /// The list in the answer, if there is one.
    pub fn listing(&self) -> Option<&ListContents> {
        self.listing.as_deref()
    }
}
