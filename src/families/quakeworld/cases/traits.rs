//! The traits of masters of QuakeWorld and HexenWorld.

use super::{OF_HEXENWORLD, OF_QUAKEWORLD, mark_of_ack};
use crate::conform::shared::no_challenge::{GameMessages, traits};
use crate::conform::{Failure, TestContext, Trait};
use crate::render;

/// The name of the trait that other protocols do not have.
pub(super) const END: &str = "end of l";

/// Forms of clients' list requests.
const REQUESTS: &[(&str, &[u8])] = &[
    ("c LF NUL", b"c\n\0"),
    ("c LF", b"c\n"),
    ("c", b"c"),
    ("FF c NUL", b"\xffc\0"),
    ("FF4 c LF", b"\xff\xff\xff\xffc\n"),
];
/// Those of HexenWorld. One letter alone is none: uHexen2's master reads the second byte even then,
/// which is left over from an earlier datagram.
const HEXENWORLD_REQUESTS: &[(&str, &[u8])] = &[
    ("FF c NUL", b"\xffc\0"),
    ("FF c LF NUL", b"\xffc\n\0"),
    ("FF c", b"\xffc"),
    ("c LF NUL", b"c\n\0"),
];

/// The traits of a game's masters.
macro_rules! traits {
    ($of:ident, $requests:ident) => {
        &[
            Trait { name: END, observe: |ctx| end_of_ack(ctx, &$of.messages) },
            Trait {
                name: traits::PINGS,
                observe: |ctx| traits::reply_to_pings(ctx, &$of.messages),
            },
            Trait {
                name: traits::HEARTBEATS,
                observe: |ctx| traits::reply_to_heartbeats(ctx, &$of.messages),
            },
            Trait {
                name: traits::PING_ALONE,
                observe: |ctx| traits::listed_by_ping(ctx, &$of.messages),
            },
            Trait {
                name: traits::WITHOUT_PING,
                observe: |ctx| traits::listed_without_ping(ctx, &$of.messages),
            },
            Trait {
                name: traits::SHUTDOWN,
                observe: |ctx| traits::reply_to_shutdown(ctx, &$of.messages),
            },
            Trait {
                name: traits::AFTER_SHUTDOWN,
                observe: |ctx| traits::listed_after_shutdown(ctx, &$of.messages),
            },
            Trait { name: traits::ORDER, observe: |ctx| traits::order(ctx, &$of.messages) },
            Trait {
                name: traits::REQUESTS,
                observe: |ctx| traits::answered_requests(ctx, &$of.messages, $requests),
            },
        ]
    };
}

pub(super) static QUAKEWORLD: &[Trait] = traits!(OF_QUAKEWORLD, REQUESTS);
pub(super) static HEXENWORLD: &[Trait] = traits!(OF_HEXENWORLD, HEXENWORLD_REQUESTS);

/// The bytes after the letter of an acknowledgement: a line feed and NUL in the document, a NUL
/// from QuakeForge's master.
fn end_of_ack(ctx: &TestContext<'_>, messages: &GameMessages) -> Result<String, Failure> {
    let server = messages.restarted(ctx)?;
    let answers = server.request_all(&(messages.ping)())?;
    let ack = answers.iter().find(|datagram| mark_of_ack(&datagram.bytes).is_some());
    let Some(ack) = ack else { return Ok(traits::SILENCE.to_owned()) };
    let end = ack.bytes.iter().position(|byte| *byte == b'l').map(|at| at + 1);
    let end = end.and_then(|at| ack.bytes.get(at..)).unwrap_or_default();
    Ok(format!("\"{}\"", render::quoted(end, usize::MAX)))
}
