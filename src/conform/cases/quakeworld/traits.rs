//! What tells masters of QuakeWorld and HexenWorld apart.

use super::super::no_challenge::{Messages, traits};
use super::{OF_HEXENWORLD, OF_QUAKEWORLD, mark_of_ack};
use crate::conform::{Failure, TestContext, Trait};
use crate::dump;

/// Forms in which clients ask for a list.
const REQUESTS: &[(&str, &[u8])] = &[
    ("c LF NUL", b"c\n\0"),
    ("c LF", b"c\n"),
    ("c", b"c"),
    ("FF c NUL", b"\xffc\0"),
    ("FF4 c LF", b"\xff\xff\xff\xffc\n"),
];

/// The traits of a game's masters.
macro_rules! traits {
    ($of:ident) => {
        &[
            Trait { name: "end of l", look: |ctx| end_of_ack(ctx, &$of.messages) },
            Trait {
                name: "reply to pings",
                look: |ctx| traits::reply_to_pings(ctx, &$of.messages),
            },
            Trait {
                name: "reply to heartbeats without a ping",
                look: |ctx| traits::reply_to_heartbeats(ctx, &$of.messages),
            },
            Trait { name: "a ping alone", look: |ctx| traits::listed_by_ping(ctx, &$of.messages) },
            Trait {
                name: "heartbeats without a ping",
                look: |ctx| traits::listed_without_ping(ctx, &$of.messages),
            },
            Trait {
                name: "reply to a shutdown",
                look: |ctx| traits::reply_to_shutdown(ctx, &$of.messages),
            },
            Trait {
                name: "heartbeats after a shutdown",
                look: |ctx| traits::listed_after_shutdown(ctx, &$of.messages),
            },
            Trait { name: "order of servers", look: |ctx| traits::order(ctx, &$of.messages) },
            Trait {
                name: "requests for a list that are answered",
                look: |ctx| traits::answered_requests(ctx, &$of.messages, REQUESTS),
            },
        ]
    };
}

pub(super) static QUAKEWORLD: &[Trait] = traits!(OF_QUAKEWORLD);
pub(super) static HEXENWORLD: &[Trait] = traits!(OF_HEXENWORLD);

/// The bytes behind the letter of an acknowledgement: a line feed and NUL in the document, a NUL
/// from QuakeForge's master.
fn end_of_ack(ctx: &TestContext<'_>, messages: &Messages) -> Result<String, Failure> {
    let server = messages.new_server(ctx)?;
    let answers = server.request_all(&(messages.ping)())?;
    let ack = answers.iter().find(|datagram| mark_of_ack(&datagram.bytes).is_some());
    let Some(ack) = ack else { return Ok("silence".to_owned()) };
    let end = ack.bytes.iter().position(|byte| *byte == b'l').map(|at| at + 1);
    let end = end.and_then(|at| ack.bytes.get(at..)).unwrap_or_default();
    Ok(format!("\"{}\"", dump::shown(end)))
}
