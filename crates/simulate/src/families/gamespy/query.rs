//! What a client asks a server of GameSpy's games (document 003).

use super::messages;
use crate::families::{Question, ServerQuestions};
use protocols::gamespy::PROTOCOL;

/// Everything that a server tells.
pub static SERVER_QUERY: ServerQuestions =
    ServerQuestions::new(&PROTOCOL, &[Question::state(|_| Some(messages::query("status")))]);
