//! The traits of masters of Quake 2 and Heretic 2.

use super::{OF_HERETIC2, OF_QUAKE2, lead_of_ack, whitespace};
use crate::shared::no_challenge::GameMessages;
use crate::shared::no_challenge::traits::{SILENCE, traits};
use crate::{Failure, TestContext, Trait};

/// Forms of clients' list requests.
const REQUESTS: &[(&str, &[u8])] = &[
    ("query LF NUL", b"query\n\0"),
    ("query", b"query"),
    ("QUERY", b"QUERY\n\0"),
    ("FF4 query", b"\xff\xff\xff\xffquery\n\0"),
    ("FF4 getservers", b"\xff\xff\xff\xffgetservers"),
];

/// The traits of a game's masters.
macro_rules! of_game {
    ($of:ident) => {
        traits!(
            $of, REQUESTS,
            first: [],
            after_pings: [Trait { name: "spelling of ack", observe: |ctx| spelling(ctx, &$of) }],
            after_order: [Trait {
                name: "whitespace in a list",
                observe: |ctx| whitespace(ctx, &$of).map(str::to_owned),
            }]
        )
    };
}

pub(super) static QUAKE2: &[Trait] = of_game!(OF_QUAKE2);
pub(super) static HERETIC2: &[Trait] = of_game!(OF_HERETIC2);

fn spelling(ctx: &TestContext<'_>, messages: &GameMessages) -> Result<String, Failure> {
    let server = messages.restarted(ctx)?;
    let answers = server.request_all(&messages.ping())?;
    let lead = answers.iter().find_map(|datagram| lead_of_ack(&datagram.bytes));
    Ok(match lead {
        Some(0) => "ack",
        Some(_) => "pack",
        None => SILENCE,
    }
    .to_owned())
}
