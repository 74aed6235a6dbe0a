//! The traits of masters of Quake 2 and Heretic 2.

use super::{OF_HERETIC2, OF_QUAKE2, lead_of_ack, whitespace};
use crate::conform::shared::no_challenge::{GameMessages, traits};
use crate::conform::{Failure, TestContext, Trait};

/// Names of the traits that other protocols do not have.
pub(super) const SPELLING: &str = "spelling of ack";
pub(super) const WHITESPACE: &str = "whitespace in a list";

/// Forms of clients' list requests.
const REQUESTS: &[(&str, &[u8])] = &[
    ("query LF NUL", b"query\n\0"),
    ("query", b"query"),
    ("QUERY", b"QUERY\n\0"),
    ("FF4 query", b"\xff\xff\xff\xffquery\n\0"),
    ("FF4 getservers", b"\xff\xff\xff\xffgetservers"),
];

/// The traits of a game's masters.
macro_rules! traits {
    ($of:ident) => {
        &[
            Trait { name: traits::PINGS, observe: |ctx| traits::reply_to_pings(ctx, &$of) },
            Trait { name: SPELLING, observe: |ctx| spelling(ctx, &$of) },
            Trait {
                name: traits::HEARTBEATS,
                observe: |ctx| traits::reply_to_heartbeats(ctx, &$of),
            },
            Trait { name: traits::PING_ALONE, observe: |ctx| traits::listed_by_ping(ctx, &$of) },
            Trait {
                name: traits::WITHOUT_PING,
                observe: |ctx| traits::listed_without_ping(ctx, &$of),
            },
            Trait { name: traits::SHUTDOWN, observe: |ctx| traits::reply_to_shutdown(ctx, &$of) },
            Trait {
                name: traits::AFTER_SHUTDOWN,
                observe: |ctx| traits::listed_after_shutdown(ctx, &$of),
            },
            Trait { name: traits::ORDER, observe: |ctx| traits::order(ctx, &$of) },
            Trait { name: WHITESPACE, observe: |ctx| whitespace(ctx, &$of).map(str::to_owned) },
            Trait {
                name: traits::REQUESTS,
                observe: |ctx| traits::answered_requests(ctx, &$of, REQUESTS),
            },
        ]
    };
}

pub(super) static QUAKE2: &[Trait] = traits!(OF_QUAKE2);
pub(super) static HERETIC2: &[Trait] = traits!(OF_HERETIC2);

fn spelling(ctx: &TestContext<'_>, messages: &GameMessages) -> Result<String, Failure> {
    let server = messages.restarted(ctx)?;
    let answers = server.request_all(&(messages.ping)())?;
    let lead = answers.iter().find_map(|datagram| lead_of_ack(&datagram.bytes));
    Ok(match lead {
        Some(0) => "ack",
        Some(_) => "pack",
        None => traits::SILENCE,
    }
    .to_owned())
}
