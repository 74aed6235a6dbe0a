//! What tells masters of QuakeWorld and HexenWorld apart.

use super::super::no_challenge;
use super::{OF_HEXENWORLD, OF_QUAKEWORLD, World};
use crate::conform::{Failure, TestContext, Trait};
use crate::dump;

/// The traits of a game's masters.
macro_rules! traits {
    ($of:ident) => {
        &[
            Trait {
                name: "reply to a heartbeat",
                look: |ctx| no_challenge::reply_to_heartbeat(ctx, &$of.speech),
            },
            Trait { name: "order of servers", look: |ctx| no_challenge::order(ctx, &$of.speech) },
            Trait { name: "end of l", look: |ctx| end(ctx, &$of) },
        ]
    };
}

pub(super) static QUAKEWORLD: &[Trait] = traits!(OF_QUAKEWORLD);
pub(super) static HEXENWORLD: &[Trait] = traits!(OF_HEXENWORLD);

/// What stands behind the letter of an acknowledgement: the document has a line feed and NUL, the
/// released programs NUL alone.
fn end(ctx: &TestContext<'_>, world: &World) -> Result<String, Failure> {
    let speech = &world.speech;
    let heard = speech.acknowledged(&ctx.server(speech.service)?)?;
    let end = heard.field("end").and_then(|at| heard.bytes.get(at)).unwrap_or_default();
    Ok(format!("\"{}\"", dump::shown(end)))
}
