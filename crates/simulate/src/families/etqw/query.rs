//! What a client asks a server of Enemy Territory: Quake Wars (document 002).

use crate::families::{Question, ServerQuestions};
use crate::written;
use protocols::etqw::{GetInfoEx, PROTOCOL};

/// The state with players, their statistics and settings.
pub static SERVER_QUERY: ServerQuestions = ServerQuestions::new(
    &PROTOCOL,
    &[Question::state(|_| Some(written(GetInfoEx { challenge: 1, ..GetInfoEx::default() })))],
);
