//! What was seen of one registration.

use std::net::SocketAddr;

use crate::proto::Affair;
use crate::session::exchange::{self, Exchange, Misdirected, Proof, State, Trouble, Turn};

/// How many frames are named of each kind of message.
const NAMED: usize = 8;
/// For how long a capture has to go on before it tells that no answer came, in nanoseconds. Masters
/// ask back, and servers answer, at once.
pub(super) const PATIENCE: i64 = 5_000_000_000;

/// Everything that was seen of a server's registrations with one master.
#[derive(Debug)]
pub(super) struct Record {
    pub server: SocketAddr,
    pub master: SocketAddr,
    pub heartbeats: Messages,
    /// Heartbeats, or exchanges of several, to which nothing came back though the capture went on.
    pub unanswered: u64,
    /// By which it said that it shuts down.
    pub shutdowns: Messages,
    /// Nothing has to come back to its heartbeats.
    pub one_way: bool,
    pub questions: Messages,
    /// Where the first question went.
    pub asked_at: Option<SocketAddr>,
    /// Questions that were not answered though the capture went on.
    pub ignored: u64,
    pub refusals: Messages,
    pub answers: Messages,
    /// Nanoseconds from the first question that was answered to its answer.
    pub delay: Option<i64>,
    /// The capture has only a part of some messages.
    pub cut: bool,
    /// Answers to questions that were not captured.
    pub unasked: Messages,
    /// The best that came of any challenge.
    pub proof: Proof,
    /// Word from the network that heartbeats, or questions, did not arrive.
    pub errors: Messages,
    pub error: Option<String>,
    pub return_errors: Messages,
    pub return_error: Option<String>,
    pub misdirected: Option<Misdirected>,
}

/// Messages of one kind: how many, the first frames, and when.
#[derive(Debug, Default)]
pub(super) struct Messages {
    pub count: u64,
    /// What the documents call the first of them.
    pub name: &'static str,
    pub frames: Vec<u64>,
    /// Nanoseconds since the Unix epoch.
    pub first: Option<i64>,
    pub last: Option<i64>,
}

impl Record {
    pub fn new(server: SocketAddr, master: SocketAddr) -> Self {
        Self {
            server,
            master,
            heartbeats: Messages::default(),
            unanswered: 0,
            shutdowns: Messages::default(),
            one_way: false,
            questions: Messages::default(),
            asked_at: None,
            ignored: 0,
            refusals: Messages::default(),
            answers: Messages::default(),
            delay: None,
            cut: false,
            unasked: Messages::default(),
            proof: Proof::Unasked,
            errors: Messages::default(),
            error: None,
            return_errors: Messages::default(),
            return_error: None,
            misdirected: None,
        }
    }

    /// A registration or shutdown is over.
    pub fn observe(&mut self, exchange: &Exchange) {
        let is_shutdown = exchange.affair == Affair::Shutdown;
        let begins = |step: &&exchange::Step| matches!(step.turn, Turn::Ask | Turn::Again);
        let beats = if is_shutdown { &mut self.shutdowns } else { &mut self.heartbeats };
        exchange.steps.iter().filter(begins).for_each(|step| beats.add(step));
        // Of a long exchange only the first messages are kept.
        beats.count += u64::from(exchange.messages).saturating_sub(exchange.steps.len() as u64);
        self.trouble(exchange);
        if is_shutdown {
            return;
        }
        self.one_way |= exchange.state == State::Told;
        for step in &exchange.steps {
            match step.turn {
                Turn::Query => self.questions.add(step),
                Turn::Answer => self.answers.add(step),
                Turn::Refuse => self.refusals.add(step),
                Turn::Ask | Turn::Again => {}
            }
        }
        self.time(exchange);
        if rank(exchange.proof) > rank(self.proof) {
            self.proof = exchange.proof;
        }
        self.misdirected = self.misdirected.or(exchange.misdirected);
        self.cut |= exchange.cut;
        // What was cut may have said that the server goes, or have been an answer.
        if exchange.observed_for >= PATIENCE && !exchange.cut {
            self.unanswered += u64::from(exchange.state == State::Unanswered)
                * exchange.steps.iter().filter(begins).count() as u64;
            let is_ignored = exchange.state == State::Half && exchange.first_reply.is_none();
            self.ignored += u64::from(is_ignored);
        }
    }

    /// An answer to this master is over whose question was not captured.
    pub fn observe_unasked(&mut self, exchange: &Exchange) {
        exchange.steps.iter().for_each(|step| self.unasked.add(step));
    }

    /// The frame with which it began.
    pub fn number(&self) -> Option<u64> {
        let [beat, shutdown] = [&self.heartbeats, &self.shutdowns].map(|m| m.frames.first());
        beat.into_iter().chain(shutdown).min().copied()
    }

    fn trouble(&mut self, exchange: &Exchange) {
        for (errors, messages, what) in [
            (&exchange.errors, &mut self.errors, &mut self.error),
            (&exchange.return_errors, &mut self.return_errors, &mut self.return_error),
        ] {
            for Trouble { number, time, what: said } in errors {
                messages.count(*number, *time);
                what.get_or_insert_with(|| said.clone());
            }
        }
    }

    /// Where the first question went, and how long its answer took.
    fn time(&mut self, exchange: &Exchange) {
        let first = |turn| exchange.steps.iter().find(|step| step.turn == turn);
        let Some(question) = first(Turn::Query) else {
            return;
        };
        self.asked_at.get_or_insert(question.destination);
        if let Some(answer) = first(Turn::Answer) {
            self.delay.get_or_insert(answer.time - question.time);
        }
    }
}

impl Messages {
    fn add(&mut self, step: &exchange::Step) {
        if self.name.is_empty() {
            self.name = step.name;
        }
        self.count(step.number, step.time);
    }

    fn count(&mut self, number: u64, time: i64) {
        self.count += 1;
        if self.frames.len() < NAMED {
            self.frames.push(number);
        }
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.last = Some(self.last.map_or(time, |last| last.max(time)));
    }
}

/// Of several registrations the best counts.
fn rank(proof: Proof) -> u8 {
    match proof {
        Proof::Unasked => 0,
        Proof::Awaited => 1,
        Proof::Missing => 2,
        Proof::Wrong => 3,
        Proof::Unknown => 4,
        Proof::Right => 5,
    }
}
