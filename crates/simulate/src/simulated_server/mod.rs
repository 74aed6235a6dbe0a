//! A simulated game server on a network in memory: it answers what clients and masters ask, as the
//! servers of its family do, within limits, and with faults if wanted.

mod defect;
mod proof;
mod splits;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use super::answer_limits::{AnswerCounter, AnswerLimits};
use super::families::{ProofFields, ServerQuestions, answers};
use super::memory::{MemoryStream, MemoryTarget};
use super::message_edit::{number_in, recognised, with_changes};
use crate::KnownValue;
use codec::{FieldRole, Leaf, New, Value};
use protocol::{Direction, Entry, Game, Reading, Role};
use protocols::source;

pub use defect::{SERVER_DEFECTS, ServerDefect, ServerDefects};
use proof::ProofStep;

/// Where simulated servers listen.
const ADDRESSES: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
/// The port from which a defect answers.
const OTHER_PORT: u16 = 40_000;
/// What every server says of itself.
const KNOWN: [(FieldRole, &str); 2] =
    [(FieldRole::Host, "a simulated server"), (FieldRole::Map, "simulated")];
/// A datagram that a defect finds too long.
const LONG: usize = 1400;
/// The bytes of a name that is too long for a datagram.
const LONG_NAME: usize = 20_000;
/// How long a defect keeps silent.
const SILENCE: Duration = Duration::from_secs(30);
/// How many answers an address gets from a defect.
const FEW: u32 = 3;
/// What only masters ask is a request that may have this direction.
const OF_MASTERS: Direction = Direction { from: Some(Role::Master), to: Some(Role::Server) };

/// A server of a game, without socket and clock.
pub struct SimulatedServer {
    questions: &'static ServerQuestions,
    game: &'static Game,
    port: u16,
    defects: ServerDefects,
    counter: AnswerCounter,
    /// Until when nobody, or an address, is answered.
    silent_until: Duration,
    banned_until: BTreeMap<IpAddr, Duration>,
    answered: BTreeMap<IpAddr, u32>,
    first_challenge: Option<New>,
    /// How many answers were sent.
    sent: u32,
    has_ended: bool,
}

impl SimulatedServer {
    /// A server of this game, asked by these questions, at a port of the loopback addresses,
    /// within these limits.
    pub fn new(
        questions: &'static ServerQuestions,
        game: &'static Game,
        port: u16,
        limits: AnswerLimits,
        defects: ServerDefects,
    ) -> Self {
        Self {
            questions,
            game,
            port,
            defects,
            counter: AnswerCounter::new(limits),
            silent_until: Duration::ZERO,
            banned_until: BTreeMap::new(),
            answered: BTreeMap::new(),
            first_challenge: None,
            sent: 0,
            has_ended: false,
        }
    }

    /// Its answers to a datagram.
    fn handle(&mut self, now: Duration, from: IpAddr, request: &[u8]) -> Vec<Vec<u8>> {
        if self.ends_on(request) {
            self.has_ended = true;
            return Vec::new();
        }
        let mut sent = self.answers(from, request);
        if sent.is_empty() && self.answers_nonsense(request) {
            sent = self.plain_answers(&self.questions.state());
        }
        if sent.is_empty() || !self.may_answer(now, from) {
            return Vec::new();
        }
        let mut sent: Vec<_> = sent.into_iter().map(|one| self.changed(request, one)).collect();
        let is_split = self.questions.protocol == &source::PROTOCOL;
        if is_split && !self.defects.has(ServerDefect::LongName) {
            sent = sent.into_iter().flat_map(|one| self.in_parts(one)).collect();
        }
        if self.defects.has(ServerDefect::AnswersTwice) {
            sent.extend_from_within(..);
        }
        sent
    }

    /// The answers of its family.
    fn plain_answers(&self, request: &[u8]) -> Vec<Vec<u8>> {
        let value = |(role, text): (FieldRole, &str)| KnownValue {
            role,
            key: Vec::new(),
            text: text.as_bytes().to_vec(),
        };
        answers(self.questions.protocol, Some(self.game), &KNOWN.map(value), request)
    }

    /// The same to who has returned the server's challenge, where it wants that back.
    fn answers(&self, from: IpAddr, request: &[u8]) -> Vec<Vec<u8>> {
        let Self { questions, defects, .. } = *self;
        if self.is_ignored(request) {
            return Vec::new();
        }
        let Some(fields) = questions.proof else { return self.plain_answers(request) };
        let plain = |request: &[u8]| self.plain_answers(request);
        let step = proof::checked(questions, fields, from, request, defects, plain);
        let (request, is_refused) = match step {
            ProofStep::Answered(request) => (request, false),
            ProofStep::Refused(request) => (request, true),
        };
        let all = self.plain_answers(&request).into_iter();
        let own = |answer: Vec<u8>| {
            if !proof::gives(questions, fields, &answer) {
                return (!is_refused).then_some(answer);
            }
            let mut answer = proof::given(questions, fields, from, &answer, defects)?;
            if defects.has(ServerDefect::LongProof) {
                answer.resize(request.len() + 1, 0);
            }
            Some(answer)
        };
        all.filter_map(own).collect()
    }

    /// Whether a defect keeps it from answering.
    fn is_ignored(&self, request: &[u8]) -> bool {
        let state = self.questions.state();
        let Some(entry) = recognised(self.questions.protocol, request) else { return false };
        let is_state = recognised(self.questions.protocol, &state) == Some(entry);
        let is_of_question =
            |asked: Vec<u8>| recognised(self.questions.protocol, &asked) == Some(entry);
        let others = self.questions.questions.iter().skip(1);
        let mut others = others.filter_map(|question| (question.ask)(Some(1)));
        self.defects.has(ServerDefect::SilentToMasters)
            && !is_state
            && entry.spec.allows(OF_MASTERS)
            || self.defects.has(ServerDefect::NoSettings)
                && request != state
                && others.any(is_of_question)
    }

    /// Whether a defect ends it at this datagram.
    fn ends_on(&self, request: &[u8]) -> bool {
        let is_negative = || {
            let entry = recognised(self.questions.protocol, request)?;
            number_in(entry, request, "token").map(i64::is_negative)
        };
        let state = self.questions.state();
        let is_longer = request.len() > state.len() && request.starts_with(&state);
        let is_trailed = is_longer && request.len() <= LONG && !self.is_message(request);
        self.defects.has(ServerDefect::EndsOnMalformed) && self.is_cut_short(request)
            || self.defects.has(ServerDefect::EndsOnTrailing) && is_trailed
            || self.defects.has(ServerDefect::EndsOnLong) && request.len() > LONG
            || self.defects.has(ServerDefect::EndsOnNegative) && is_negative() == Some(true)
    }

    /// Whether these bytes are the beginning of the question for the state, and no question.
    fn is_cut_short(&self, request: &[u8]) -> bool {
        let state = self.questions.state();
        !request.is_empty()
            && request.len() < state.len()
            && state.starts_with(request)
            && !self.is_message(request)
    }

    /// Whether these bytes are a message of its protocol, to the last one.
    fn is_message(&self, bytes: &[u8]) -> bool {
        let entry = recognised(self.questions.protocol, bytes);
        entry.is_some_and(|entry| Reading::default().takes_all(entry, bytes))
    }

    /// Whether a defect answers what is no request.
    fn answers_nonsense(&self, request: &[u8]) -> bool {
        let state = self.questions.state();
        let is_answer = || {
            let entry = recognised(self.questions.protocol, request);
            entry.is_some_and(|entry| !entry.spec.answers.is_empty())
        };
        let is_unpadded = || {
            let rest = state.strip_prefix(request);
            rest.is_some_and(|rest| !rest.is_empty() && rest.iter().all(|byte| *byte == 0))
        };
        self.defects.has(ServerDefect::ShortRequests) && is_unpadded()
            || self.defects.has(ServerDefect::AnswersMalformed) && self.is_cut_short(request)
            || self.defects.has(ServerDefect::AnswersAnswers) && is_answer()
            || self.defects.has(ServerDefect::AnswersUnknown)
                && !request.is_empty()
                && !state.starts_with(request)
                && !self.is_message(request)
    }

    /// Counts an answer to an address; whether it may be given.
    fn may_answer(&mut self, now: Duration, from: IpAddr) -> bool {
        let answered = self.answered.entry(from).or_default();
        *answered += 1;
        if self.defects.has(ServerDefect::AnswersOnce) && *answered > FEW {
            return false;
        }
        let banned_until = self.banned_until.get(&from).copied().unwrap_or_default();
        if now < self.silent_until.max(banned_until) {
            return false;
        }
        if self.defects.has(ServerDefect::NoRateLimit) {
            return true;
        }
        let is_permitted = self.counter.take(now, from).is_ok();
        if !is_permitted && self.defects.has(ServerDefect::FloodSilencesAll) {
            self.silent_until = now + SILENCE;
        }
        if !is_permitted && self.defects.has(ServerDefect::NeverForgives) {
            self.banned_until.insert(from, now + SILENCE);
        }
        is_permitted
    }

    /// An answer with what defects change in it.
    fn changed(&mut self, request: &[u8], answer: Vec<u8>) -> Vec<u8> {
        self.sent += 1;
        let Some(entry) = recognised(self.questions.protocol, &answer) else { return answer };
        let gives_proof = |fields: &ProofFields| proof::gives(self.questions, *fields, &answer);
        let proof = self.questions.proof.filter(gives_proof);
        let answer = self.with_other_challenge(entry, answer, proof);
        if proof.is_some() {
            return answer;
        }
        let mut answer = self.with_other_values(entry, answer);
        if self.defects.has(ServerDefect::MadeUpChallenge) && asks_without_challenge(request) {
            let line = answer.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            answer.splice(line..line, *b"\\challenge\\0");
        }
        if self.defects.has(ServerDefect::Damaged) {
            answer.truncate(answer.len() / 2);
        }
        answer
    }

    /// With another challenge of the client's; that of the server stays.
    fn with_other_challenge(
        &mut self,
        entry: &Entry,
        answer: Vec<u8>,
        proof: Option<ProofFields>,
    ) -> Vec<u8> {
        let (defects, first) = (self.defects, &mut self.first_challenge);
        let change = |leaf: &Leaf<'_>| {
            let is_own = proof.is_some_and(|fields| fields.given == leaf.field.name);
            if leaf.field.role != FieldRole::Challenge || is_own {
                return None;
            }
            let own = match leaf.value() {
                Value::Int(number) => New::Int(number),
                _ => New::Bytes(leaf.bytes.to_vec()),
            };
            if defects.has(ServerDefect::FirstChallenge) {
                return Some(first.get_or_insert(own).clone());
            }
            match own {
                New::Int(number) if defects.has(ServerDefect::WrongChallenge) => {
                    Some(New::Int(number ^ 1))
                }
                New::Bytes(text) if defects.has(ServerDefect::WrongChallenge) => {
                    Some(New::Bytes([b"1", text.as_slice()].concat()))
                }
                New::Bytes(mut text) if defects.has(ServerDefect::LettersAlone) => {
                    text.retain(u8::is_ascii_alphanumeric);
                    Some(New::Bytes(text))
                }
                _ => None,
            }
        };
        with_changes(entry, &answer, change).unwrap_or(answer)
    }

    fn with_other_values(&self, entry: &Entry, answer: Vec<u8>) -> Vec<u8> {
        let has = |defect| self.defects.has(defect);
        let change = |leaf: &Leaf<'_>| match leaf.field.role {
            FieldRole::Host | FieldRole::Map if has(ServerDefect::NoNames) => {
                Some(New::Bytes(Vec::new()))
            }
            FieldRole::Host if has(ServerDefect::LongName) => {
                Some(New::Bytes(vec![b'x'; LONG_NAME]))
            }
            FieldRole::Host if has(ServerDefect::NameVaries) => {
                Some(New::Bytes(format!("server {}", self.sent).into_bytes()))
            }
            FieldRole::MaxPlayers if has(ServerDefect::NoPlaces) => Some(New::Int(0)),
            FieldRole::MaxPlayers if has(ServerDefect::TooManyPlayers) => Some(New::Int(4)),
            FieldRole::Players if has(ServerDefect::TooManyPlayers) => Some(New::Int(5)),
            _ => None,
        };
        with_changes(entry, &answer, change).unwrap_or(answer)
    }

    /// An answer with the settings of a server of today, in parts.
    fn in_parts(&self, answer: Vec<u8>) -> Vec<Vec<u8>> {
        let answer = splits::with_settings(&answer).unwrap_or(answer);
        let mut parts = splits::parts(answer);
        if parts.len() > 1 && self.defects.has(ServerDefect::LostPart) {
            parts.remove(1);
        }
        if parts.len() > 1 && self.defects.has(ServerDefect::DoubledPart) {
            parts.extend_from_within(..1);
        }
        parts
    }
}

/// Whether a question of Quake III's games has no challenge.
fn asks_without_challenge(request: &[u8]) -> bool {
    recognised(&protocols::quake3::PROTOCOL, request)
        .is_some_and(|entry| entry.spec.sends.is_some_and(|sends| sends(request).is_none()))
}

/// Several of them, each at its own port: the target of cases.
pub struct SimulatedServers(pub Vec<SimulatedServer>);

impl SimulatedServers {
    /// Their addresses, of both families.
    pub fn addresses(&self) -> impl Iterator<Item = SocketAddr> + '_ {
        let at = |server: &SimulatedServer| ADDRESSES.map(|ip| SocketAddr::new(ip, server.port));
        self.0.iter().flat_map(at)
    }
}

impl MemoryTarget for SimulatedServers {
    fn handle_datagram(
        &mut self,
        now: Duration,
        from: SocketAddr,
        to: SocketAddr,
        bytes: &[u8],
        reply: &mut dyn FnMut(SocketAddr, SocketAddr, &[u8]),
    ) -> bool {
        let is_at = |server: &&mut SimulatedServer| server.port == to.port() && !server.has_ended;
        let is_here = ADDRESSES.contains(&to.ip());
        let Some(server) = self.0.iter_mut().find(is_at).filter(|_| is_here) else { return false };
        let sent = server.handle(now, from.ip(), bytes);
        let elsewhere = server.defects.has(ServerDefect::OtherPort);
        let source = if elsewhere { SocketAddr::new(to.ip(), OTHER_PORT) } else { to };
        for answer in &sent {
            reply(source, from, answer);
        }
        true
    }

    fn accept(&mut self, _: Duration, _: SocketAddr, _: SocketAddr, _: MemoryStream) -> bool {
        false
    }

    fn serve(&mut self, _: Duration) {}

    fn next_due(&self) -> Option<Duration> {
        None
    }
}
