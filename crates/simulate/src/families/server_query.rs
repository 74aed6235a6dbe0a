//! What a client asks a server, in each family, and how it goes on after an answer.

use protocol::{Game, Protocol};

/// The questions of clients to the servers of a family.
///
/// All are functions without state, so that one value serves any number of servers.
#[derive(Debug)]
pub struct ServerQuestions {
    /// The protocol of the questions.
    pub protocol: &'static Protocol,
    /// The games whose servers are asked so; empty: all games of the protocol.
    pub games: &'static [&'static Game],
    /// How far the port at which clients ask a server is above the port in lists.
    pub port_above: u16,
    /// The questions in order. The first one asks for the state, and every server answers it.
    pub questions: &'static [Question],
    /// What a client sends after an answer.
    pub follow: FollowFn,
    /// If servers want a challenge of their own back: where it stands.
    pub proof: Option<ProofFields>,
}

/// Where the challenge of a server stands, by the names of fields: a server that wants it back answers
/// no forged address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProofFields {
    /// In the answer by which the server gives it.
    pub given: &'static str,
    /// In the question by which the client returns it.
    pub returned: &'static str,
}

/// A question of a client.
#[derive(Debug)]
pub struct Question {
    /// What its answer tells.
    pub tells: QuestionSubject,
    /// Its bytes; `None` if a server with so many players, where that is known, has no answer.
    pub ask: fn(players: Option<i64>) -> Option<Vec<u8>>,
    /// Whether its answer may take several datagrams, of which none says that it is the last.
    pub is_open_ended: bool,
}

/// What the answer to a question tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuestionSubject {
    /// The server's state: its name, its map, how many players it has.
    State,
    /// Its players, where the state does not name them.
    Players,
    /// Its settings, where the state does not have them.
    Rules,
}

/// From the bytes of a question and of an answer to it to what a client sends next: the question
/// with the challenge that the server gave, or the one for the next part. `None` if the question is
/// answered.
pub type FollowFn = fn(&FollowTurn<'_>) -> Option<Vec<u8>>;

/// A question that was answered.
#[derive(Debug, Clone, Copy)]
pub struct FollowTurn<'a> {
    /// The question.
    pub asked: &'a [u8],
    /// A message of its answer.
    pub answer: &'a [u8],
    /// How many players the server has, where it has said so.
    pub players: Option<i64>,
}

impl ServerQuestions {
    /// The questions of a protocol for all of its games, at the port that lists have, of which each
    /// has one answer.
    pub(crate) const fn new(protocol: &'static Protocol, questions: &'static [Question]) -> Self {
        let (games, port_above, follow, proof) = (&[], 0, answered as _, None);
        Self { protocol, games, port_above, questions, follow, proof }
    }

    /// Whether the servers of a game are asked so.
    pub fn is_for(&self, game: &Game) -> bool {
        let games = if self.games.is_empty() { self.protocol.games } else { self.games };
        games.contains(&game)
    }

    /// The question for the state.
    pub fn state(&self) -> Vec<u8> {
        let first = self.questions.first();
        first.and_then(|question| (question.ask)(None)).unwrap_or_default()
    }
}

impl Question {
    /// A question for the state.
    pub(crate) const fn state(ask: fn(Option<i64>) -> Option<Vec<u8>>) -> Self {
        Self { tells: QuestionSubject::State, ask, is_open_ended: false }
    }

    /// A question for the players.
    pub(crate) const fn players(ask: fn(Option<i64>) -> Option<Vec<u8>>) -> Self {
        Self { tells: QuestionSubject::Players, ask, is_open_ended: false }
    }

    /// A question for the settings.
    pub(crate) const fn rules(ask: fn(Option<i64>) -> Option<Vec<u8>>) -> Self {
        Self { tells: QuestionSubject::Rules, ask, is_open_ended: false }
    }

    /// The same with an answer in any number of datagrams.
    pub(crate) const fn open_ended(self) -> Self {
        Self { is_open_ended: true, ..self }
    }
}

fn answered(_: &FollowTurn<'_>) -> Option<Vec<u8>> {
    None
}
