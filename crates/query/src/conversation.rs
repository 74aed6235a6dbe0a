//! One question and its answer so far, without socket and clock.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::answer::{AnswerEnd, AnswerMessage, QuestionAnswer};
use analysis::{AnswerParts, Splits};
use codec::FieldRole;
use protocol::{Carrier, Direction, Entry, Part, Reading};
use protocols::registry;
use render::{field_values, value_with_role};
use simulate::families::{FollowFn, FollowTurn, ListProgress, ListReadFn, master_kinds};

/// How long the next datagram of an answer may take, if none says that it is the last.
const QUIET: Duration = Duration::from_millis(200);
/// How many timeouts an answer may take from its first datagram on: a target that sends without end
/// is not listened to for ever.
const LONGEST: u32 = 4;
/// The maximum datagrams of one answer.
const DATAGRAMS: u32 = 4096;
/// The maximum bytes of one answer.
const BYTES: usize = 4 << 20;
/// How often a question goes on after an answer: one question for each rule, for example.
const FOLLOWS: u32 = 256;
/// How many challenges in a row are answered.
const CHALLENGES: u32 = 2;
/// Sender and receiver of all parts: a conversation has one.
const ENDS: (SocketAddr, SocketAddr) = {
    let none = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED), 0);
    (none, none)
};

/// How long and how often a question is asked.
#[derive(Debug, Clone, Copy)]
pub struct QuestionLimits {
    /// How long the first datagram of an answer may take.
    pub timeout: Duration,
    /// How often a question without an answer is sent again.
    pub repeats: u8,
}

impl QuestionLimits {
    /// The most often that a question is sent again: docs/query.md, What is sent.
    pub const MOST_REPEATS: u8 = 2;
    /// Those of a question for which nothing else was chosen.
    pub const USUAL: Self = Self { timeout: Duration::from_secs(1), repeats: Self::MOST_REPEATS };
}

/// What is to be done in a conversation.
#[derive(Debug, PartialEq, Eq)]
pub enum ConversationStep {
    /// These bytes are sent now.
    Send(Vec<u8>),
    /// Nothing before this time, unless something comes.
    Wait(Instant),
    /// It has ended.
    Done,
}

/// One question, and its answer so far.
pub struct Conversation {
    /// What the question is; `None` for bytes that are no message.
    entry: Option<&'static Entry>,
    asked: Vec<u8>,
    follow: FollowFn,
    /// Reads the datagrams of a list, if one is asked for.
    list: Option<ListReadFn>,
    is_open_ended: bool,
    limits: QuestionLimits,
    progress: Progress,
    /// How often the current question was sent again.
    repeats: u8,
    follows: u32,
    challenges: u32,
    bytes: usize,
    asked_at: Option<Instant>,
    splits: Splits,
    parts: AnswerParts,
    /// How many players the target has, where it has said so.
    players: Option<i64>,
    answer: QuestionAnswer,
    reading: Reading,
}

/// How far it is; the time is when something has to be done.
#[derive(Debug, Clone, Copy)]
enum Progress {
    Unsent,
    /// Nothing has come.
    Awaited(Instant),
    /// The answer has begun; if nothing more comes, it is whole or not.
    Begun(Instant),
    Ended,
}

impl Conversation {
    /// A question in these bytes, which are this message, and what follows after an answer.
    pub fn new(
        entry: Option<&'static Entry>,
        asked: Vec<u8>,
        limits: QuestionLimits,
        follow: FollowFn,
    ) -> Self {
        Self {
            entry,
            list: entry.and_then(list_reader),
            asked,
            follow,
            is_open_ended: entry.is_none(),
            limits,
            progress: Progress::Unsent,
            repeats: 0,
            follows: 0,
            challenges: 0,
            bytes: 0,
            asked_at: None,
            splits: Splits::default(),
            parts: AnswerParts::default(),
            players: None,
            answer: QuestionAnswer::default(),
            reading: Reading::default(),
        }
    }

    /// The same with an answer that may take any number of datagrams, if `is_open_ended`, of a server
    /// that has said how many players it has.
    #[must_use]
    pub fn expecting(mut self, is_open_ended: bool, players: Option<i64>) -> Self {
        self.is_open_ended |= is_open_ended;
        self.players = players;
        self
    }

    /// When something has to be done next; `None` if it has ended.
    pub fn due(&self, now: Instant) -> Option<Instant> {
        match self.progress {
            Progress::Unsent => Some(now),
            Progress::Awaited(due) | Progress::Begun(due) => Some(due),
            Progress::Ended => None,
        }
    }

    /// Whether nothing is to be done before the question is sent again.
    pub fn awaits_repeat(&self) -> bool {
        let is_awaited = matches!(self.progress, Progress::Awaited(_));
        let may_repeat = self.repeats < self.limits.repeats;
        is_awaited && may_repeat && (self.has_answer() || self.asks())
    }

    /// What is to be done now. Bytes to be sent count as sent.
    pub fn step(&mut self, now: Instant) -> ConversationStep {
        match self.progress {
            Progress::Unsent => self.send(now),
            Progress::Awaited(due) | Progress::Begun(due) if now < due => {
                ConversationStep::Wait(due)
            }
            Progress::Awaited(_) => {
                let is_answered = self.has_answer();
                if self.awaits_repeat() {
                    self.repeats += 1;
                    self.answer.repeated += 1;
                    return self.send(now);
                }
                self.end(match (is_answered, self.asks()) {
                    (true, _) => AnswerEnd::Incomplete,
                    (false, _) if self.answer.unrelated > 0 => AnswerEnd::Unrelated,
                    (false, true) => AnswerEnd::Missing,
                    (false, false) => AnswerEnd::OneWay,
                });
                ConversationStep::Done
            }
            Progress::Begun(_) => {
                let is_whole = self.has_answer() && self.parts.missing().is_none();
                let is_whole = is_whole && self.splits.incomplete() == 0;
                self.end(if is_whole { AnswerEnd::Whole } else { AnswerEnd::Incomplete });
                ConversationStep::Done
            }
            Progress::Ended => ConversationStep::Done,
        }
    }

    /// Takes a datagram of the target that has come at this time.
    pub fn receive(&mut self, bytes: &[u8], now: Instant) {
        if matches!(self.progress, Progress::Ended | Progress::Unsent) {
            self.answer.unrelated += 1;
            return;
        }
        self.answer.received += 1;
        self.bytes += bytes.len();
        if self.answer.received > DATAGRAMS || self.bytes > BYTES {
            let is_answered = self.has_answer();
            return self.end(if is_answered { AnswerEnd::TooLong } else { AnswerEnd::Unrelated });
        }
        let has_splits = self.entry.is_none_or(|entry| entry.protocol.splits.is_some());
        let Some(forms) = registry().splits(bytes).filter(|_| has_splits) else {
            return self.take(bytes, now);
        };
        match self.splits.add_part(0, ENDS, bytes, forms) {
            None => self.await_more(now, self.limits.timeout),
            Some(Ok(joined)) => self.take(&joined.bytes, now),
            Some(Err(_)) => self.end(AnswerEnd::Damaged),
        }
    }

    /// Takes an ICMP error: a question did not arrive.
    pub fn refuse(&mut self) {
        if !matches!(self.progress, Progress::Ended | Progress::Unsent) {
            let is_answered = self.has_answer();
            self.end(if is_answered { AnswerEnd::Incomplete } else { AnswerEnd::Unreachable });
        }
    }

    /// The answer so far.
    pub fn answer(&self) -> &QuestionAnswer {
        &self.answer
    }

    /// The answer, and how many players the target has, where it has said so.
    pub fn into_answer(self) -> (QuestionAnswer, Option<i64>) {
        (self.answer, self.players)
    }

    /// Whether the question has an answer by its declaration; bytes that are no message may have one.
    fn asks(&self) -> bool {
        self.entry.is_none_or(|entry| entry.is_request() && !entry.spec.one_way)
    }

    fn has_answer(&self) -> bool {
        !self.answer.messages.is_empty()
    }

    fn send(&mut self, now: Instant) -> ConversationStep {
        self.asked_at = Some(now);
        self.answer.sent += 1;
        self.progress = Progress::Awaited(now + self.limits.timeout);
        ConversationStep::Send(self.asked.clone())
    }

    fn end(&mut self, how: AnswerEnd) {
        self.progress = Progress::Ended;
        self.answer.end = Some(how);
    }

    /// Waits for more of an answer, for so long, and not for ever.
    fn await_more(&mut self, now: Instant, patience: Duration) {
        let last = self.asked_at.unwrap_or(now) + self.limits.timeout * LONGEST;
        self.note_latency(now);
        self.progress = Progress::Begun((now + patience).min(last));
    }

    fn note_latency(&mut self, now: Instant) {
        let asked = self.asked_at.unwrap_or(now);
        self.answer.latency.get_or_insert_with(|| now.saturating_duration_since(asked));
    }

    /// Takes a whole message.
    fn take(&mut self, bytes: &[u8], now: Instant) {
        let Some(entry) = self.answering(bytes) else {
            self.answer.unrelated += 1;
            return;
        };
        self.note_latency(now);
        let is_sound = self.reading.takes_all(entry, bytes);
        let values = field_values(&mut self.reading, entry, bytes);
        let players = value_with_role(&values, FieldRole::Players);
        let players = players.and_then(|text| std::str::from_utf8(text).ok()?.parse().ok());
        self.players = players.or(self.players);
        self.answer.messages.push(AnswerMessage { entry, bytes: bytes.to_vec(), is_sound });
        let turn = FollowTurn { asked: &self.asked, answer: bytes, players: self.players };
        if let Some(next) = (self.follow)(&turn) {
            return self.go_on(entry, next);
        }
        self.judge(entry, bytes, now);
    }

    /// Asks on after a message of the answer.
    fn go_on(&mut self, answered: &Entry, next: Vec<u8>) {
        self.follows += 1;
        self.challenges = if answered.spec.continues { self.challenges + 1 } else { 0 };
        if self.challenges > CHALLENGES {
            return self.end(AnswerEnd::Challenged);
        }
        if self.follows > FOLLOWS {
            return self.end(AnswerEnd::TooLong);
        }
        let recognised = self.entry.and_then(|entry| {
            protocols::recognise(entry.protocol, Carrier::Datagram, &next, Direction::default())
        });
        self.entry = recognised.or(self.entry);
        self.asked = next;
        self.repeats = 0;
        self.progress = Progress::Unsent;
    }

    /// Whether the answer is whole with this message.
    fn judge(&mut self, entry: &Entry, bytes: &[u8], now: Instant) {
        let timeout = self.limits.timeout;
        let part = match self.list.and_then(|read| read(bytes)).map(|part| part.end) {
            Some(ListProgress::Whole | ListProgress::Behind(_)) => {
                return self.end(AnswerEnd::Whole);
            }
            Some(ListProgress::Unknown) => return self.await_more(now, QUIET),
            Some(ListProgress::Numbered { number, count }) => {
                Some(Part { reply: 0, index: number, last: number == count })
            }
            None => entry.spec.part.and_then(|part| part(bytes)),
        };
        match part {
            Some(part) if part.index > 0 => {
                self.parts.add_part(part, entry.spec.entries.and_then(|count| count(bytes)));
                if self.parts.missing().is_none() {
                    self.end(AnswerEnd::Whole);
                } else {
                    self.await_more(now, timeout);
                }
            }
            Some(part) if !part.last => self.await_more(now, QUIET),
            _ if self.is_open_ended => self.await_more(now, QUIET),
            _ => self.end(AnswerEnd::Whole),
        }
    }

    /// The message that bytes are, if it answers the question: by its declaration, and by what it
    /// brings back of the question.
    fn answering(&self, bytes: &[u8]) -> Option<&'static Entry> {
        let Some(question) = self.entry else {
            return registry().recognise(bytes);
        };
        let own = |entry: &&'static Entry| entry.protocol == question.protocol;
        let is_answer = |entry: &&'static Entry| entry.spec.answers.contains(&question.spec.id);
        let all = registry().candidates(Carrier::Datagram, bytes).map(|known| known.entry);
        let all: Vec<_> = all.filter(own).collect();
        let entry = all.iter().copied().find(is_answer).or_else(|| {
            // An empty list may have the bytes of a question.
            let mut answers = registry().entries().iter().copied().filter(own).filter(is_answer);
            let takes_all = |entry: &&'static Entry| Reading::default().takes_all(entry, bytes);
            answers.find(takes_all).filter(|_| all.contains(&question))
        })?;
        let sent = question.spec.sends.and_then(|sends| sends(&self.asked));
        let returned = entry.spec.returns.and_then(|returns| returns(bytes));
        let is_other = sent.is_some() && returned.is_some() && sent != returned;
        (!is_other).then_some(entry)
    }
}

/// What reads the datagrams of the list that a message asks for.
fn list_reader(request: &'static Entry) -> Option<ListReadFn> {
    use protocol::ExchangeKind;
    use simulate::families::{ListMessages, ListSelection};

    if request.exchange() != ExchangeKind::List {
        return None;
    }
    let selection = ListSelection::default();
    master_kinds().find_map(|kind| {
        let ListMessages::Datagrams { request: ask, read } = kind.list else { return None };
        let asked = ask(&selection, None);
        let direction = Direction::default();
        let entry = protocols::recognise(request.protocol, Carrier::Datagram, &asked, direction)?;
        (entry.exchange() == ExchangeKind::List).then_some(read)
    })
}

#[cfg(test)]
mod tests;
