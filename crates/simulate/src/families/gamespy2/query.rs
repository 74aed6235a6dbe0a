//! What a client asks a server with GameSpy's second query protocol (document 008).

use crate::families::{Question, ServerQuestions};
use crate::written;
use protocols::gamespy2::{PROTOCOL, Query, Selector};

/// The settings, the players and the teams.
pub static SERVER_QUERY: ServerQuestions = ServerQuestions::new(
    &PROTOCOL,
    &[Question::state(|_| {
        let all = Selector::new(b"\xff");
        Some(written(Query { key: 1, server: all, players: all, teams: all }))
    })],
);
