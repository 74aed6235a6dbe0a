//! The captured messages of one registration.

use std::net::SocketAddr;
use std::ops::{Deref, DerefMut};

use crate::exchange::{
    ANSWER_TIME, AnalysisBound, ChallengeProof, Exchange, ExchangeState, ExchangeStep, MessageTurn,
    Misdirected,
};
use crate::frame_ref::FrameRef;
use flow::IcmpNotice;
use protocol::ExchangeKind;
use text::since;

/// How many frames of each kind of message are named.
const NAMED: usize = 8;

/// The captured messages of a server's registrations with one master.
#[derive(Debug, Default)]
pub(super) struct RegistrationRecord {
    pub heartbeats: MessageTally,
    /// Heartbeats, or exchanges of several, without an answer although the capture went on.
    pub unanswered: u64,
    /// Its shutdown messages.
    pub shutdowns: RareMessages,
    /// The protocol has no answer to its heartbeats.
    pub one_way: bool,
    pub challenges: RareMessages,
    /// Where the first challenge went.
    pub challenged_at: Option<SocketAddr>,
    /// Challenges without an answer although the capture went on.
    pub ignored: u64,
    pub refusals: RareMessages,
    pub answers: RareMessages,
    /// What the master answers: it accepts the server.
    pub accepted: RareMessages,
    /// Challenges that bring back another value than the heartbeat had, and both values.
    pub changed: RareMessages,
    pub changed_values: Option<[u32; 2]>,
    /// Nanoseconds from the first answered challenge to its answer.
    pub delay: Option<i64>,
    /// The capture has only a part of some messages.
    pub cut: bool,
    /// A limit of the analysis was reached.
    pub bound: Option<AnalysisBound>,
    /// Answers to challenges that were not captured.
    pub unrequested: RareMessages,
    /// The best result of any challenge.
    pub proof: ChallengeProof,
    /// ICMP errors about heartbeats, or challenges.
    pub errors: RareMessages,
    pub error: Option<String>,
    pub return_errors: RareMessages,
    pub return_error: Option<String>,
    pub misdirected: Option<Misdirected>,
}

/// Messages of a kind that many registrations have none of, and then take no memory for.
#[derive(Debug, Default)]
pub(super) struct RareMessages(Option<Box<MessageTally>>);

/// Messages of one kind: how many, the first frames, and when.
#[derive(Debug, Default)]
pub(super) struct MessageTally {
    pub count: u64,
    /// The documents' name for the first of them.
    pub name: &'static str,
    pub frames: Vec<FrameRef>,
    /// Nanoseconds since the Unix epoch.
    pub first: Option<i64>,
    pub last: Option<i64>,
}

impl RegistrationRecord {
    /// Processes a registration or shutdown that has ended.
    pub fn observe(&mut self, exchange: &Exchange) {
        let is_shutdown = exchange.kind == ExchangeKind::Shutdown;
        let begins =
            |step: &&ExchangeStep| matches!(step.turn, MessageTurn::Request | MessageTurn::Retry);
        let heartbeats = if is_shutdown { &mut *self.shutdowns } else { &mut self.heartbeats };
        exchange.steps.iter().filter(begins).for_each(|step| heartbeats.count_step(step));
        // Of a long exchange only the first messages are kept.
        heartbeats.count +=
            u64::from(exchange.messages).saturating_sub(exchange.steps.len() as u64);
        self.add_errors(exchange);
        if is_shutdown {
            return;
        }
        self.one_way |= exchange.state == ExchangeState::OneWay;
        for step in &exchange.steps {
            match step.turn {
                MessageTurn::Query => self.challenges.count_step(step),
                MessageTurn::Answer if is_of_server(exchange, step) => {
                    self.answers.count_step(step);
                }
                MessageTurn::Answer => self.accepted.count_step(step),
                MessageTurn::Refusal => self.refusals.count_step(step),
                MessageTurn::Request | MessageTurn::Retry => {}
            }
        }
        self.time(exchange);
        if rank(exchange.proof) > rank(self.proof) {
            self.proof = exchange.proof;
        }
        self.misdirected = self.misdirected.or(exchange.misdirected.as_deref().copied());
        self.cut |= exchange.cut;
        self.bound = self.bound.or(exchange.bound);
        // The missing bytes may be a shutdown message or an answer.
        if exchange.proves_silence() {
            self.unanswered += u64::from(exchange.state == ExchangeState::Unanswered)
                * exchange.steps.iter().filter(begins).count() as u64;
        }
        self.ignored += u64::from(exchange.is_known() && is_ignored(exchange));
        if let Some(changed) = exchange.changed.as_deref() {
            self.changed.count(changed.frame, exchange.first);
            self.changed_values.get_or_insert(changed.values);
        }
    }

    /// Processes an answer to this master whose challenge was not captured.
    pub fn observe_unrequested(&mut self, exchange: &Exchange) {
        exchange.steps.iter().for_each(|step| self.unrequested.count_step(step));
    }

    /// The frame with which it began.
    pub fn number(&self) -> Option<u64> {
        let tallies: [&MessageTally; 2] = [&self.heartbeats, &self.shutdowns];
        let [heartbeat, shutdown] = tallies.map(|of| of.frames.first());
        heartbeat.into_iter().chain(shutdown).map(|frame| frame.number).min()
    }

    fn add_errors(&mut self, exchange: &Exchange) {
        for (errors, messages, what) in [
            (&exchange.errors, &mut self.errors, &mut self.error),
            (&exchange.return_errors, &mut self.return_errors, &mut self.return_error),
        ] {
            for IcmpNotice { number, time, what: text, input, .. } in errors {
                let (number, flow, input) = (*number, exchange.flow, *input);
                messages.count(FrameRef { number, flow, input }, *time);
                what.get_or_insert_with(|| text.clone());
            }
        }
    }

    /// The receiver of the first challenge, and how long its answer took.
    fn time(&mut self, exchange: &Exchange) {
        let first = |turn| exchange.steps.iter().find(|step| step.turn == turn);
        let Some(question) = first(MessageTurn::Query) else {
            return;
        };
        self.challenged_at.get_or_insert(question.destination);
        if let Some(answer) = first(MessageTurn::Answer) {
            self.delay = self.delay.or_else(|| since(question.time, answer.time));
        }
    }
}

/// Whether the server sent a message of its registration.
fn is_of_server(exchange: &Exchange, step: &ExchangeStep) -> bool {
    step.source == exchange.requester || Some(step.source) == exchange.server
}

/// Whether the server did not answer its master, although there was time to.
fn is_ignored(exchange: &Exchange) -> bool {
    let of_turn = |turn| exchange.steps.iter().filter(move |step| step.turn == turn);
    let is_answered = of_turn(MessageTurn::Answer).any(|step| is_of_server(exchange, step));
    let end = exchange.last.saturating_add(exchange.observed_for);
    let last = of_turn(MessageTurn::Query).next_back();
    !is_answered
        && last.and_then(|asked| since(asked.time, end)).is_some_and(|time| time >= ANSWER_TIME)
}

impl RareMessages {
    /// What there is of a kind without messages.
    const NONE: &MessageTally =
        &MessageTally { count: 0, name: "", frames: Vec::new(), first: None, last: None };
}

impl Deref for RareMessages {
    type Target = MessageTally;

    fn deref(&self) -> &MessageTally {
        self.0.as_deref().unwrap_or(Self::NONE)
    }
}

impl DerefMut for RareMessages {
    fn deref_mut(&mut self) -> &mut MessageTally {
        self.0.get_or_insert_default()
    }
}

impl MessageTally {
    fn count_step(&mut self, step: &ExchangeStep) {
        if self.name.is_empty() {
            self.name = step.name;
        }
        self.count(step.frame(), step.time);
    }

    fn count(&mut self, frame: FrameRef, time: i64) {
        self.count += 1;
        if self.frames.len() < NAMED {
            // Most have one or two.
            if self.frames.len() == self.frames.capacity() {
                self.frames.reserve_exact(self.frames.len().max(1));
            }
            self.frames.push(frame);
        }
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.last = Some(self.last.map_or(time, |last| last.max(time)));
    }
}

/// Rank of a result: of several registrations the best counts.
fn rank(proof: ChallengeProof) -> u8 {
    match proof {
        ChallengeProof::NotSent => 0,
        ChallengeProof::Awaited => 1,
        ChallengeProof::Missing => 2,
        ChallengeProof::Wrong => 3,
        ChallengeProof::Unknown => 4,
        ChallengeProof::Right => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flow::FlowId;

    #[test]
    fn kinds_without_messages_take_no_memory() {
        let mut record = RegistrationRecord::default();
        assert_eq!((record.refusals.count, record.number()), (0, None));
        assert!(record.refusals.0.is_none() && record.shutdowns.0.is_none());
        for number in 1..=9 {
            record.refusals.count(FrameRef { number, flow: FlowId(1), input: 0 }, 7);
        }
        assert_eq!((record.refusals.count, record.refusals.frames.len()), (9, NAMED));
        assert_eq!(record.refusals.frames.capacity(), NAMED);
        assert!(size_of_val(&record) < 512, "{}", size_of_val(&record));
    }
}
