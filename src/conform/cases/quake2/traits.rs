//! What tells masters of Quake 2 and Heretic 2 apart.

use super::super::trusting::{self, Speech};
use super::{OF_HERETIC2, OF_QUAKE2, lead_of_ack};
use crate::conform::{Failure, Stand, Trait};
use crate::dump;

/// The traits of a game's masters.
macro_rules! traits {
    ($of:ident) => {
        &[
            Trait {
                name: "reply to a heartbeat",
                look: |stand| trusting::reply_to_heartbeat(stand, &$of),
            },
            Trait { name: "order of servers", look: |stand| trusting::order(stand, &$of) },
            Trait { name: "whitespace in a list", look: |stand| whitespace(stand, &$of) },
            Trait { name: "spelling of ack", look: |stand| spelling(stand, &$of) },
        ]
    };
}

pub(super) static QUAKE2: &[Trait] = traits!(OF_QUAKE2);
pub(super) static HERETIC2: &[Trait] = traits!(OF_HERETIC2);

/// What parts the word from the servers.
fn whitespace(stand: &Stand<'_>, speech: &Speech) -> Result<String, Failure> {
    let listed = trusting::list(stand, speech)?;
    let packet = listed.packets.first();
    let blank = packet.and_then(|packet| packet.bytes.get(packet.field("blank")?));
    Ok(format!("\"{}\"", dump::shown(blank.unwrap_or_default())))
}

fn spelling(stand: &Stand<'_>, speech: &Speech) -> Result<String, Failure> {
    let heard = speech.acknowledged(&stand.server(speech.service)?)?;
    Ok(if lead_of_ack(&heard.bytes) == Some(0) { "ack" } else { "pack" }.to_owned())
}
