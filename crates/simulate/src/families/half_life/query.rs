//! What a client asked a server of Half-Life before Steam (document 001 section 10).

use crate::families::{Question, ServerQuestions};
use crate::written;
use protocols::half_life::{InfoString, PROTOCOL, Players, Rules};

/// The state, the players and the settings.
pub static SERVER_QUERY: ServerQuestions = ServerQuestions::new(
    &PROTOCOL,
    &[
        Question::state(|_| Some(written(InfoString::default()))),
        Question::players(|_| Some(written(Players::default()))),
        Question::rules(|_| Some(written(Rules::default()))),
    ],
);
