//! What a client asks a server of Unreal's second engine (document 010).

use crate::families::{Question, ServerQuestions};
use crate::written;
use protocols::unreal2::{PROTOCOL, Query};

/// The version of clients' queries: that of UT2003, which all servers know.
const VERSION: u32 = 121;

/// The state, the settings and the players.
pub static SERVER_QUERY: ServerQuestions = ServerQuestions {
    // Servers with the usual settings answer at the port after that of the game.
    port_above: 1,
    ..ServerQuestions::new(
        &PROTOCOL,
        &[
            Question::state(|_| Some(query(0))),
            Question::rules(|_| Some(query(1))).open_ended(),
            Question::players(|_| Some(query(2))).open_ended(),
        ],
    )
};

fn query(kind: u8) -> Vec<u8> {
    written(Query { version: VERSION, kind, ..Query::default() })
}
