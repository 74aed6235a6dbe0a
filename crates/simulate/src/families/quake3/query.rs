//! What a client asks a server of the Quake III family (document 001 sections 1.2.1 and 1.2.3).

use crate::families::{Question, ServerQuestions};
use crate::written;
use protocols::quake3::{GetStatus, PROTOCOL};

/// The challenge of a client's question.
const CHALLENGE: &[u8] = b"fragshark";

/// The state with players and settings.
pub static SERVER_QUERY: ServerQuestions = ServerQuestions::new(
    &PROTOCOL,
    &[Question::state(|_| {
        Some(written(GetStatus { blank: 1, challenge: CHALLENGE, ..GetStatus::default() }))
    })],
);
