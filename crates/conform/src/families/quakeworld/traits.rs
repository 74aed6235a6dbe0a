//! The traits of masters of QuakeWorld and HexenWorld.

use super::{OF_HEXENWORLD, OF_QUAKEWORLD, mark_of_ack};
use crate::shared::no_challenge::GameMessages;
use crate::shared::no_challenge::traits::{SILENCE, traits};
use crate::{Failure, TestContext, Trait};

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
macro_rules! of_game {
    ($of:ident, $requests:ident) => {
        traits!(
            $of.messages, $requests,
            first: [Trait { name: "end of l", observe: |ctx| end_of_ack(ctx, &$of.messages) }],
            after_pings: [],
            after_order: []
        )
    };
}

pub(super) static QUAKEWORLD: &[Trait] = of_game!(OF_QUAKEWORLD, REQUESTS);
pub(super) static HEXENWORLD: &[Trait] = of_game!(OF_HEXENWORLD, HEXENWORLD_REQUESTS);

/// The bytes after the letter of an acknowledgement: a line feed and NUL in the document, a NUL
/// from QuakeForge's master.
fn end_of_ack(ctx: &TestContext<'_>, messages: &GameMessages) -> Result<String, Failure> {
    let server = messages.restarted(ctx)?;
    let answers = server.request_all(&messages.ping())?;
    let ack = answers.iter().find(|datagram| mark_of_ack(&datagram.bytes).is_some());
    let Some(ack) = ack else { return Ok(SILENCE.to_owned()) };
    let end = ack.bytes.iter().position(|byte| *byte == b'l').map(|at| at + 1);
    let end = end.and_then(|at| ack.bytes.get(at..)).unwrap_or_default();
    Ok(format!("\"{}\"", render::quoted(end, usize::MAX)))
}
