//! What tells masters of Quake 2 and Heretic 2 apart.

use super::super::no_challenge::{self, Speech};
use super::{OF_HERETIC2, OF_QUAKE2, lead_of_ack};
use crate::conform::{Failure, TestContext, Trait};
use crate::dump;

/// The traits of a game's masters.
macro_rules! traits {
    ($of:ident) => {
        &[
            Trait {
                name: "reply to a heartbeat",
                look: |ctx| no_challenge::reply_to_heartbeat(ctx, &$of),
            },
            Trait { name: "order of servers", look: |ctx| no_challenge::order(ctx, &$of) },
            Trait { name: "whitespace in a list", look: |ctx| whitespace(ctx, &$of) },
            Trait { name: "spelling of ack", look: |ctx| spelling(ctx, &$of) },
        ]
    };
}

pub(super) static QUAKE2: &[Trait] = traits!(OF_QUAKE2);
pub(super) static HERETIC2: &[Trait] = traits!(OF_HERETIC2);

/// What parts the word from the servers.
fn whitespace(ctx: &TestContext<'_>, speech: &Speech) -> Result<String, Failure> {
    let listed = no_challenge::list(ctx, speech)?;
    let packet = listed.packets.first();
    let blank = packet.and_then(|packet| packet.bytes.get(packet.field("blank")?));
    Ok(format!("\"{}\"", dump::shown(blank.unwrap_or_default())))
}

fn spelling(ctx: &TestContext<'_>, speech: &Speech) -> Result<String, Failure> {
    let heard = speech.acknowledged(&ctx.server(speech.service)?)?;
    Ok(if lead_of_ack(&heard.bytes) == Some(0) { "ack" } else { "pack" }.to_owned())
}
