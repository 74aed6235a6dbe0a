//! What a client asks a server of QuakeWorld or HexenWorld.

use crate::families::{Question, ServerQuestions};
use crate::written;
use protocols::quakeworld::{HEXENWORLD, PROTOCOL, QUAKEWORLD, Status};

/// The state with players and settings.
pub static SERVER_QUERY: ServerQuestions = ServerQuestions {
    games: &[&QUAKEWORLD],
    ..ServerQuestions::new(
        &PROTOCOL,
        &[Question::state(|_| Some(written(Status { end: 1, ..Status::default() })))],
    )
};

/// The same with the mark of HexenWorld's messages.
pub static HEXENWORLD_QUERY: ServerQuestions = ServerQuestions {
    games: &[&HEXENWORLD],
    ..ServerQuestions::new(
        &PROTOCOL,
        &[Question::state(|_| Some(written(Status { mark: 1, end: 1, ..Status::default() })))],
    )
};
