//! What a client asks a server of Doom 3 or a successor (document 001 section 9.4).

use crate::families::{Question, ServerQuestions};
use crate::written;
use protocols::doom3::{GetInfo, PROTOCOL};

/// The state with players and settings.
pub static SERVER_QUERY: ServerQuestions = ServerQuestions::new(
    &PROTOCOL,
    &[Question::state(|_| Some(written(GetInfo { challenge: 1, ..GetInfo::default() })))],
);
