//! What a client asks a server of Tribes 2 (document 010): its name, and then its state.

use super::messages::with_message;
use crate::families::{FollowTurn, Question, ServerQuestions};
use crate::written;
use protocols::tribes2::{InfoRequest, PROTOCOL, Ping, Tribes2};

/// The key of a client's questions.
const KEY: u32 = 1;

/// The name, and after it the state with teams and players.
pub static SERVER_QUERY: ServerQuestions = ServerQuestions {
    follow: state_after_name,
    ..ServerQuestions::new(
        &PROTOCOL,
        &[Question::state(|_| Some(written(Ping { key: KEY, ..Ping::default() })))],
    )
};

fn state_after_name(turn: &FollowTurn<'_>) -> Option<Vec<u8>> {
    with_message(turn.answer, |message| match message {
        Tribes2::PingReply(_) => Some(written(InfoRequest { key: KEY, ..InfoRequest::default() })),
        _ => None,
    })
}
