//! What a client asks a server of Quake 2 or a relative.

use crate::families::{Question, ServerQuestions};
use crate::written;
use protocols::quake2::{PROTOCOL, Status};

/// The state with players and settings.
pub static SERVER_QUERY: ServerQuestions = ServerQuestions::new(
    &PROTOCOL,
    &[Question::state(|_| Some(written(Status { newline: 1, ..Status::default() })))],
);
