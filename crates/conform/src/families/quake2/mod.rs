//! Masters of Quake 2 and Heretic 2 (document 001, sections 2 and 3): a server sends a ping when it
//! starts, then heartbeats, and is listed without a challenge.
//!
//! The document describes what servers of Heretic 2 send, and has its master's messages in the
//! contents only; it describes them for Quake 2.

mod own;
mod traits;

use crate::shared::no_challenge::GameMessages;
use crate::{CsvTable, Done, Failure, Implementation, Requirement, TestContext};
use protocols::quake2::{HERETIC2, QUAKE2, Quake2};
use simulate::families::quake2::master::{HERETIC2_LIST, QUAKE2_LIST};
use simulate::families::quake2::messages::{self, BEFORE_RECORDS};
use simulate::families::quake3::messages as quake3;
use simulate::families::quakeworld::messages as quakeworld;

static REQUIREMENTS: CsvTable<Requirement> = CsvTable::new(include_str!("requirements.csv"));
static IMPLEMENTATIONS: CsvTable<Implementation> =
    CsvTable::new(include_str!("implementations.csv"));
static HERETIC2_IMPLEMENTATIONS: CsvTable<Implementation> =
    CsvTable::new(include_str!("heretic2_implementations.csv"));

/// Quake 2.
pub(super) mod quake2_game {
    use super::{IMPLEMENTATIONS, OF_QUAKE2, QUAKE2, REQUIREMENTS, own, traits};

    crate::shared::no_challenge::game! {
        "quake2/", QUAKE2.id, "a master of Quake 2, as id Software's and Gloom's were, and q2master is", OF_QUAKE2,
        own: own::QUAKE2, requirements: &REQUIREMENTS,
        traits: traits::QUAKE2, implementations: &IMPLEMENTATIONS,
        heartbeat: "heartbeat", start: "a ping and a heartbeat", contents: "settings-and-players",
        other: "settings, a player, no free place",
        again: "another map, with a player, with another game", ping: "ping", query: "query",
        servers: "servers", shutdown: "shutdown", shutdown_text: "shutdown"
    }
}

/// Heretic 2.
pub(super) mod heretic2_game {
    use super::{HERETIC2, HERETIC2_IMPLEMENTATIONS, OF_HERETIC2, REQUIREMENTS, own, traits};

    crate::shared::no_challenge::game! {
        "heretic2/", HERETIC2.id, "a master of Heretic 2, as Raven Software's was", OF_HERETIC2,
        own: own::HERETIC2, requirements: &REQUIREMENTS,
        traits: traits::HERETIC2, implementations: &HERETIC2_IMPLEMENTATIONS,
        heartbeat: "heartbeat", start: "a ping and a heartbeat", contents: "settings-and-players",
        other: "settings, a player, no free place",
        again: "another map, with a player, with another game", ping: "ping", query: "query",
        servers: "servers", shutdown: "shutdown", shutdown_text: "shutdown"
    }
}

/// What both games have in common.
const MESSAGES: GameMessages = GameMessages {
    service: "",
    master: &QUAKE2_LIST,
    heartbeat: Vec::new,
    heartbeats: Vec::new,
    answer: |request| messages::answer(&messages::server_info(), request),
    is_ack: |bytes| lead_of_ack(bytes).is_some(),
    beginnings: Vec::new,
};
pub(super) static OF_QUAKE2: GameMessages = GameMessages {
    service: QUAKE2.id,
    heartbeat: || messages::heartbeat(&messages::server_info(), &[]),
    heartbeats: || {
        let server_info = messages::server_info();
        vec![
            messages::heartbeat(
                &server_info.clone().with("mapname", "base1").with("needpass", "1"),
                &[],
            ),
            messages::heartbeat(
                &server_info.clone().with("maxclients", "1"),
                &["0 6 \"ChickenMan\""],
            ),
            messages::heartbeat(&server_info.without("protocol").with("gloomversion", "1.x"), &[]),
        ]
    },
    beginnings: || beginnings(&OF_QUAKE2),
    ..MESSAGES
};
pub(super) static OF_HERETIC2: GameMessages = GameMessages {
    service: HERETIC2.id,
    master: &HERETIC2_LIST,
    heartbeat: || messages::heartbeat(&messages::heretic2_server_info(), &[]),
    heartbeats: || {
        let server_info = messages::heretic2_server_info();
        vec![
            messages::heartbeat(&server_info.clone().with("mapname", "dmtower"), &[]),
            messages::heartbeat(
                &server_info.clone().with("maxclients", "1"),
                &["-2 17 \"ChickenMan\""],
            ),
            messages::heartbeat(&server_info.without("protocol").with("game", "tmod"), &[]),
        ]
    },
    beginnings: || beginnings(&OF_HERETIC2),
    ..MESSAGES
};

/// The spelling before an `ack`, 0 for none; `None` for another message.
fn lead_of_ack(bytes: &[u8]) -> Option<u8> {
    messages::with_message(bytes, |message| match message {
        Quake2::Ack(ack) => Some(ack.lead),
        _ => None,
    })
}

/// Heartbeats of other games, and their names.
fn other_games() -> [(&'static str, Vec<u8>); 4] {
    [
        (quake3::QUAKE, quake3::heartbeat(quake3::QUAKE)),
        (quake3::WOLF, quake3::heartbeat(quake3::WOLF)),
        (quake3::DARKPLACES, quake3::heartbeat(quake3::DARKPLACES)),
        ("QuakeWorld", quakeworld::heartbeat(1, 0)),
    ]
}

fn expect_ack_spelling(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
    let server = messages.restarted(ctx)?;
    let ack = ctx.setup(|| messages.acknowledged(&server))?;
    match lead_of_ack(&ack.bytes) {
        Some(0) => Ok(()),
        _ => Err(Failure::new("ack", "pack, as in the document's hexdump").field(&ack, "lead")),
    }
}

/// The name of the whitespace before the records, for reports.
fn whitespace(ctx: &TestContext<'_>, messages: &GameMessages) -> Result<&'static str, Failure> {
    let listed = ctx.setup(|| messages.ask(&messages.client(ctx)?))?;
    let datagram = listed.packets.first();
    let byte = datagram.and_then(|datagram| datagram.bytes.get(BEFORE_RECORDS - 1));
    Ok(match byte {
        Some(b' ') => "a blank",
        Some(b'\n') => "a line feed",
        _ => "another byte",
    })
}

/// Datagrams that begin as these messages do.
fn beginnings(of: &GameMessages) -> Vec<Vec<u8>> {
    vec![(of.heartbeat)(), of.shutdown(), of.ping(), of.query()]
}
