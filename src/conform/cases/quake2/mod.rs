//! Masters of Quake 2 and Heretic 2 (document 001, sections 2 and 3): a server sends a ping when it
//! starts, then heartbeats, and is listed without a challenge.
//!
//! The document describes what servers of Heretic 2 send, and has its master's messages in the
//! contents only; it describes them for Quake 2.

mod cases;
mod implementations;
mod needs;
mod sentences;
mod traits;

use super::listed::PacketRecords;
use super::no_challenge::GameMessages;
use crate::codec::Scratch;
use crate::conform::{Done, Failure, Family, Goodbye, Profile, Sentinel, TestContext};
use crate::families::quake2::messages as voice;
use crate::families::{quake3, quakeworld};
use crate::protocols::quake2::{HERETIC2, QUAKE2, Quake2, Servers};

/// The Quake 2 family.
pub(super) static QUAKE2_FAMILY: Family = Family {
    cases: &[cases::QUAKE2],
    profiles: &[Profile {
        name: QUAKE2.id,
        title: "a master of Quake 2, as id Software's and Gloom's were, and q2master is",
        assumes: "",
        owes: &["quake2/*"],
        but: &[],
    }],
    sentences: &[sentences::QUAKE2_SAYS],
    answers: &needs::quake2::ANSWERS,
    sentinels: &[Sentinel { service: QUAKE2.id, request: |_| voice::query(), from_server: false }],
    listed_for: "server-timeout",
    goodbyes: &[Goodbye { service: QUAKE2.id, message: |_| voice::shutdown() }],
    control: Some(&needs::quake2::LISTED),
    traits: traits::QUAKE2,
    implementations: implementations::QUAKE2,
};

/// The Heretic 2 family.
pub(super) static HERETIC2_FAMILY: Family = Family {
    cases: &[cases::HERETIC2],
    profiles: &[Profile {
        name: HERETIC2.id,
        title: "a master of Heretic 2, as Raven Software's was",
        assumes: "",
        owes: &["heretic2/*"],
        but: &[],
    }],
    sentences: &[sentences::HERETIC2_SAYS],
    answers: &needs::heretic2::ANSWERS,
    sentinels: &[Sentinel {
        service: HERETIC2.id,
        request: |_| voice::query(),
        from_server: false,
    }],
    listed_for: "server-timeout",
    goodbyes: &[Goodbye { service: HERETIC2.id, message: |_| voice::shutdown() }],
    control: Some(&needs::heretic2::LISTED),
    traits: traits::HERETIC2,
    implementations: implementations::HERETIC2,
};

/// Bytes before the first record: the mark, the word, a whitespace.
const BEFORE_RECORDS: usize = 4 + 7 + 1;

/// What both games have in common.
const MESSAGES: GameMessages = GameMessages {
    service: "",
    ping: voice::ping,
    heartbeat: Vec::new,
    heartbeats: Vec::new,
    shutdown: voice::shutdown,
    answer: |asked| voice::answer(&voice::persona(), asked),
    is_ack: |bytes| lead_of_ack(bytes).is_some(),
    query: voice::query,
    read,
};
static OF_QUAKE2: GameMessages = GameMessages {
    service: QUAKE2.id,
    heartbeat: || voice::heartbeat(&voice::persona(), &[]),
    heartbeats: || {
        let persona = voice::persona();
        vec![
            voice::heartbeat(&persona.clone().with("mapname", "base1").with("needpass", "1"), &[]),
            voice::heartbeat(&persona.clone().with("maxclients", "1"), &["0 6 \"ChickenMan\""]),
            voice::heartbeat(&persona.without("protocol").with("gloomversion", "1.x"), &[]),
        ]
    },
    ..MESSAGES
};
static OF_HERETIC2: GameMessages = GameMessages {
    service: HERETIC2.id,
    heartbeat: || voice::heartbeat(&voice::heretic(), &[]),
    heartbeats: || {
        let persona = voice::heretic();
        vec![
            voice::heartbeat(&persona.clone().with("mapname", "dmtower"), &[]),
            voice::heartbeat(&persona.clone().with("maxclients", "1"), &["-2 17 \"ChickenMan\""]),
            voice::heartbeat(&persona.without("protocol").with("game", "tmod"), &[]),
        ]
    },
    ..MESSAGES
};

/// The spelling before an `ack`, 0 for none; `None` for another message.
fn lead_of_ack(bytes: &[u8]) -> Option<u8> {
    let lead = voice::read(bytes, &mut Scratch::default(), |message| match message {
        Quake2::Ack(ack) => Some(ack.lead),
        _ => None,
    });
    lead.flatten()
}

fn read(bytes: &[u8]) -> Option<PacketRecords> {
    let records = voice::read(bytes, &mut Scratch::default(), |message| match message {
        Quake2::Servers(list) => Some(PacketRecords {
            at: BEFORE_RECORDS,
            step: 6,
            servers: list.servers.iter(Servers::FORM).collect(),
        }),
        _ => None,
    });
    records.flatten()
}

/// Heartbeats of other games, and their names.
fn other_games() -> [(&'static str, Vec<u8>); 4] {
    [
        (quake3::messages::QUAKE, quake3::messages::heartbeat(quake3::messages::QUAKE)),
        (quake3::messages::WOLF, quake3::messages::heartbeat(quake3::messages::WOLF)),
        (quake3::messages::DARKPLACES, quake3::messages::heartbeat(quake3::messages::DARKPLACES)),
        ("QuakeWorld", quakeworld::messages::heartbeat(1, 0)),
    ]
}

fn spells_ack(ctx: &TestContext<'_>, messages: &GameMessages) -> Done {
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
fn beginnings(messages: &GameMessages) -> Vec<Vec<u8>> {
    let GameMessages { heartbeat, shutdown, ping, query, .. } = messages;
    vec![heartbeat(), shutdown(), ping(), query()]
}
