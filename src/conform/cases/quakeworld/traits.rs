//! What tells masters of QuakeWorld and HexenWorld apart.

use super::super::trusting;
use super::{OF_HEXENWORLD, OF_QUAKEWORLD, World};
use crate::conform::{Failure, Stand, Trait};
use crate::dump;

/// The traits of a game's masters.
macro_rules! traits {
    ($of:ident) => {
        &[
            Trait {
                name: "reply to a heartbeat",
                look: |stand| trusting::reply_to_heartbeat(stand, &$of.speech),
            },
            Trait { name: "order of servers", look: |stand| trusting::order(stand, &$of.speech) },
            Trait { name: "end of l", look: |stand| end(stand, &$of) },
        ]
    };
}

pub(super) static QUAKEWORLD: &[Trait] = traits!(OF_QUAKEWORLD);
pub(super) static HEXENWORLD: &[Trait] = traits!(OF_HEXENWORLD);

/// What stands behind the letter of an acknowledgement: the document has a line feed and NUL, the
/// released programs NUL alone.
fn end(stand: &Stand<'_>, world: &World) -> Result<String, Failure> {
    let speech = &world.speech;
    let heard = speech.acknowledged(&stand.server(speech.service)?)?;
    let end = heard.field("end").and_then(|at| heard.bytes.get(at)).unwrap_or_default();
    Ok(format!("\"{}\"", dump::shown(end)))
}
