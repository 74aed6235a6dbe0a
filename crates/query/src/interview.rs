//! A server is asked one question after the other, without socket and clock.

use std::time::Instant;

use super::answer::{AnswerEnd, QuestionAnswer};
use super::conversation::{Conversation, ConversationStep, QuestionLimits};
use protocol::{Carrier, Direction, Role};
use simulate::families::{Question, QuestionSubject, ServerQuestions};

/// The questions of a family, asked of one server.
pub struct ServerInterview {
    query: &'static ServerQuestions,
    /// What is asked for in addition to the state.
    wanted: Vec<QuestionSubject>,
    limits: QuestionLimits,
    /// The index of the question after the current one.
    next: usize,
    current: Option<Conversation>,
    players: Option<i64>,
    outcome: InterviewOutcome,
}

/// What came of the questions.
#[derive(Debug, Default)]
pub struct InterviewOutcome {
    /// What each question asked for, and its answer. Without an answer to the first one, the others
    /// are not asked.
    pub answers: Vec<(QuestionSubject, QuestionAnswer)>,
}

impl ServerInterview {
    /// The question for the state, and after its answer those for what else is wanted.
    pub fn new(
        query: &'static ServerQuestions,
        wanted: &[QuestionSubject],
        limits: QuestionLimits,
    ) -> Self {
        let mut interview = Self {
            query,
            wanted: wanted.to_vec(),
            limits,
            next: 0,
            current: None,
            players: None,
            outcome: InterviewOutcome::default(),
        };
        interview.begin_next();
        interview
    }

    /// When something has to be done next; `None` if it has ended.
    pub fn due(&self, now: Instant) -> Option<Instant> {
        // After an answer, the next question is due.
        self.current.as_ref().map(|current| current.due(now).unwrap_or(now))
    }

    /// Whether nothing is to be done before a question is sent again.
    pub fn awaits_repeat(&self) -> bool {
        self.current.as_ref().is_some_and(Conversation::awaits_repeat)
    }

    /// What is to be done now. Bytes to be sent count as sent.
    pub fn step(&mut self, now: Instant) -> ConversationStep {
        while let Some(current) = &mut self.current {
            match current.step(now) {
                ConversationStep::Done => self.end_current(),
                step => return step,
            }
        }
        ConversationStep::Done
    }

    /// Takes a datagram of the server.
    pub fn receive(&mut self, bytes: &[u8], now: Instant) {
        if let Some(current) = &mut self.current {
            current.receive(bytes, now);
        }
    }

    /// Takes an ICMP error.
    pub fn refuse(&mut self) {
        if let Some(current) = &mut self.current {
            current.refuse();
        }
    }

    /// What came of it.
    pub fn into_outcome(self) -> InterviewOutcome {
        self.outcome
    }

    /// Keeps the answer to the current question, and asks the next one, if that has an answer.
    fn end_current(&mut self) {
        let Some(current) = self.current.take() else { return };
        let (answer, players) = current.into_answer();
        self.players = players;
        let goes_on = answer.end.is_some_and(AnswerEnd::is_answer);
        let asked = self.next.checked_sub(1).and_then(|n| self.query.questions.get(n));
        self.outcome.answers.extend(asked.map(|question| (question.tells, answer)));
        if goes_on {
            self.begin_next();
        }
    }

    fn begin_next(&mut self) {
        while let Some(question) = self.query.questions.get(self.next) {
            self.next += 1;
            let tells = question.tells;
            let is_wanted = tells == QuestionSubject::State || self.wanted.contains(&tells);
            if let Some(bytes) = (question.ask)(self.players).filter(|_| is_wanted) {
                self.current = Some(self.conversation(question, bytes));
                return;
            }
        }
    }

    fn conversation(&self, question: &Question, bytes: Vec<u8>) -> Conversation {
        let direction = Direction { from: Some(Role::Client), to: Some(Role::Server) };
        let protocol = self.query.protocol;
        let entry = protocols::recognise(protocol, Carrier::Datagram, &bytes, direction);
        Conversation::new(entry, bytes, self.limits, self.query.follow)
            .expecting(question.is_open_ended, self.players)
    }
}

impl InterviewOutcome {
    /// The answer for the state.
    pub fn state(&self) -> Option<&QuestionAnswer> {
        self.answers.first().map(|(_, answer)| answer)
    }
}
