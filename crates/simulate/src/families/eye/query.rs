//! What a client asks a server of All-Seeing Eye (document 012).

use crate::families::{Question, ServerQuestions};
use crate::written;
use protocols::eye::{PROTOCOL, StatusRequest};

/// How far the port for questions is above that of the game: document 012, mtasa.js.
const ABOVE: u16 = 123;

/// The state with players and settings.
pub static SERVER_QUERY: ServerQuestions = ServerQuestions {
    port_above: ABOVE,
    ..ServerQuestions::new(
        &PROTOCOL,
        &[Question::state(|_| Some(written(StatusRequest::default())))],
    )
};
