//! One kind of game server, and how cases ask it.

use std::time::Duration;

use crate::{Failure, ReceivedDatagram, TestContext, TestEndpoint};
use codec::{FieldRole, Leaf, New, Value};
use protocol::{Carrier, Direction, Entry, Game, Reading, Role};
use query::{Conversation, ConversationStep, QuestionAnswer, QuestionLimits};
use render::{FieldValue, field_values};
use simulate::families::{FollowTurn, Question, QuestionSubject, ServerQuestions};
use simulate::{AnswerLimits, recognised, with_changes};

/// A client asks.
const OF_CLIENTS: Direction = Direction { from: Some(Role::Client), to: Some(Role::Server) };

/// A kind of game server.
pub struct ServerKind {
    /// The name of its port, and of its profile.
    pub(super) service: &'static str,
    /// The game whose documented port it has.
    pub game: &'static Game,
    /// What clients ask it.
    pub questions: &'static ServerQuestions,
    /// What every server says of itself in the answer for its state.
    pub(super) values: &'static [FieldRole],
    /// The id of what a master asks it, and what it has to answer to everybody.
    pub(super) of_masters: &'static str,
    /// The most bytes of a datagram of an answer.
    pub(super) longest: usize,
    /// How many answers the strictest released server of the kind gives.
    pub(super) limits: AnswerLimits,
    /// Requests that no document has.
    pub(super) unknown: &'static [&'static [u8]],
}

/// What came of a question.
pub(super) struct AnsweredQuestion {
    /// The answer, joined where it was split.
    pub answer: QuestionAnswer,
    /// Every datagram of it.
    pub datagrams: Vec<ReceivedDatagram>,
}

impl ServerKind {
    /// Its documented port for questions.
    pub fn port(&self) -> u16 {
        let mut ports = self.game.ports.iter();
        let own = ports.find(|port| port.role == Role::Server).map_or(0, |port| port.number);
        own + self.questions.port_above
    }

    /// What bytes are as a question of a client.
    pub(super) fn question(&self, bytes: &[u8]) -> Option<&'static Entry> {
        protocols::recognise(self.questions.protocol, Carrier::Datagram, bytes, OF_CLIENTS)
    }

    /// The name of a question: `getstatus`.
    pub(super) fn name(&self, bytes: &[u8]) -> &'static str {
        self.question(bytes).map_or("a question", |entry| entry.spec.name_of(bytes, None))
    }

    /// A client of it.
    pub(super) fn client<'s>(&self, ctx: &'s TestContext<'_>) -> Result<TestEndpoint<'s>, Failure> {
        ctx.client(self.service)
    }

    /// Its questions to a server with one player, as they are sent first.
    pub(super) fn first_questions(&self) -> impl Iterator<Item = Vec<u8>> {
        self.questions.questions.iter().filter_map(|question| (question.ask)(Some(1)))
    }

    /// Whether a datagram answers a question.
    pub(super) fn answers(&self, question: &[u8], datagram: &[u8]) -> Option<&'static Entry> {
        let asked = self.question(question)?;
        let entry = recognised(self.questions.protocol, datagram)?;
        entry.spec.answers.contains(&asked.spec.id).then_some(entry)
    }

    /// What a client sends after an answer: the question with the challenge that the server gave.
    pub(super) fn next(&self, asked: &[u8], answer: &[u8]) -> Option<Vec<u8>> {
        (self.questions.follow)(&FollowTurn { asked, answer, players: None })
    }

    /// The answer for the state, whole.
    pub(super) fn state(&self, end: &TestEndpoint<'_>) -> Result<AnsweredQuestion, Failure> {
        let question = self.questions.questions.first();
        let question = question.ok_or_else(|| Failure::error("clients have no question"))?;
        let asked = self.ask(end, question, None)?;
        asked.ok_or_else(|| Failure::error("clients do not ask for the state"))
    }

    /// The answer to a question, whole; `None` if a server with so many players has none.
    pub(super) fn ask(
        &self,
        end: &TestEndpoint<'_>,
        question: &Question,
        players: Option<i64>,
    ) -> Result<Option<AnsweredQuestion>, Failure> {
        let Some(bytes) = (question.ask)(players) else { return Ok(None) };
        let name = self.name(&bytes);
        let limits = QuestionLimits { timeout: end.ctx().timeout() / 2, repeats: 1 };
        let conversation =
            Conversation::new(self.question(&bytes), bytes, limits, self.questions.follow)
                .expecting(question.is_open_ended, players);
        let asked = lead(end, conversation)?;
        match asked.answer.end {
            Some(query::AnswerEnd::Whole) => Ok(Some(asked)),
            ended => {
                let came = ended.map_or("nothing", query::AnswerEnd::text);
                let failure = Failure::new(format!("a whole answer to {name}"), came);
                Err(asked
                    .datagrams
                    .last()
                    .map_or_else(|| failure.clone(), |last| failure.clone().at(last)))
            }
        }
    }

    /// The answers to all its questions, each with what it tells. What a server does not tell of its
    /// players and settings is missing.
    pub(super) fn ask_all(
        &self,
        end: &TestEndpoint<'_>,
    ) -> Result<Vec<(QuestionSubject, AnsweredQuestion)>, Failure> {
        let state = self.state(end)?;
        let players = number_with_role(&state.values(), FieldRole::Players);
        let mut all = vec![(QuestionSubject::State, state)];
        for question in self.questions.questions.iter().skip(1) {
            if let Ok(Some(asked)) = self.ask(end, question, players) {
                all.push((question.tells, asked));
            }
        }
        Ok(all)
    }

    /// A question with another challenge of the client's; `None` if it has none.
    pub(super) fn with_challenge(&self, question: &[u8], challenge: &New) -> Option<Vec<u8>> {
        let entry = self.question(question)?;
        let sends = entry.spec.sends?;
        let change = |leaf: &Leaf<'_>| {
            let is_number = matches!(leaf.value(), Value::Int(_));
            let fits = is_number == matches!(challenge, New::Int(_));
            let is_challenge = leaf.field.role == FieldRole::Challenge;
            (is_challenge && fits).then(|| challenge.clone())
        };
        with_changes(entry, question, change).filter(|other| sends(other).is_some())
    }
}

impl AnsweredQuestion {
    /// The values in all messages of the answer.
    pub fn values(&self) -> Vec<FieldValue> {
        let mut reading = Reading::default();
        let messages = self.answer.messages.iter();
        messages.flat_map(|one| field_values(&mut reading, one.entry, &one.bytes)).collect()
    }

    /// The datagram with a message of the answer, else the last.
    pub fn datagram(&self, message: &[u8]) -> Option<&ReceivedDatagram> {
        let of_message = self.datagrams.iter().find(|datagram| datagram.bytes == message);
        of_message.or(self.datagrams.last())
    }
}

/// The first number that has this role.
pub(super) fn number_with_role(values: &[FieldValue], role: FieldRole) -> Option<i64> {
    let text = render::value_with_role(values, role)?;
    std::str::from_utf8(text).ok()?.trim().parse().ok()
}

/// Leads a conversation to its end. The time that a datagram waits for its turn does not count.
fn lead(
    end: &TestEndpoint<'_>,
    mut conversation: Conversation,
) -> Result<AnsweredQuestion, Failure> {
    let (ctx, mut datagrams, mut waited) = (end.ctx(), Vec::new(), Duration::ZERO);
    let without = |waited| {
        let now = ctx.now();
        now.checked_sub(waited).unwrap_or(now)
    };
    end.drain()?;
    loop {
        let now = without(waited);
        match conversation.step(now) {
            ConversationStep::Done => break,
            ConversationStep::Send(bytes) => {
                end.send_bytes(&bytes)?;
                waited += without(waited).duration_since(now);
            }
            ConversationStep::Wait(until) => {
                let left = until.saturating_duration_since(now);
                let Some(datagram) = end.recv(left)? else { continue };
                if datagram.from == end.target() {
                    conversation.receive(&datagram.bytes, without(waited));
                    datagrams.push(datagram);
                }
            }
        }
    }
    let (answer, _) = conversation.into_answer();
    Ok(AnsweredQuestion { answer, datagrams })
}
