//! What a client asks a server of Starsiege: Tribes (document 010).

use crate::families::{Question, ServerQuestions};
use crate::written;
use protocols::tribes::{PROTOCOL, StatusRequest};

/// The key of a client's question.
const KEY: [u8; 2] = *b"**";

/// The state with teams and players.
pub static SERVER_QUERY: ServerQuestions = ServerQuestions::new(
    &PROTOCOL,
    &[Question::state(|_| Some(written(StatusRequest { key: KEY, ..StatusRequest::default() })))],
);
