//! Masters of Quake 2 and Heretic 2 (document 001, sections 2 and 3): who beats is believed.
//!
//! The document describes of Heretic 2 what its servers say, and names in its contents what a master
//! says, which is Quake 2's.

mod cases;
mod sentences;
mod traits;

use super::listed::Records;
use super::no_challenge::{self, Speech};
use crate::conform::{
    Done, Failure, Family, Goodbye, Precondition, Profile, Sentinel, TestContext,
};
use crate::peer::voice::{quake2 as voice, quake3, quakeworld};
use crate::proto::quake2::{HERETIC2, QUAKE2, Quake2, Servers};
use crate::wire::{Scratch, View as _};

/// What a master of Quake 2 owes.
pub(super) static QUAKE2_FAMILY: Family = Family {
    cases: &[cases::QUAKE2],
    profiles: &[Profile {
        name: QUAKE2.id,
        title: "a master of Quake 2, as id Software's and Gloom's were",
        assumes: "",
        owes: &["quake2/*"],
        but: &[],
    }],
    sentences: &[sentences::QUAKE2_SAYS],
    answers: &QUAKE2_ANSWERS,
    sentinels: &[Sentinel { service: QUAKE2.id, request: |_| voice::query(), from_server: false }],
    goodbyes: &[Goodbye { service: QUAKE2.id, message: |_| voice::shutdown() }],
    control: None,
    traits: traits::QUAKE2,
    implementations: &[],
};

/// What one of Heretic 2 owes.
pub(super) static HERETIC2_FAMILY: Family = Family {
    cases: &[cases::HERETIC2],
    profiles: &[Profile {
        name: HERETIC2.id,
        title: "Raven Software's master of Heretic 2",
        assumes: "",
        owes: &["heretic2/*"],
        but: &[],
    }],
    sentences: &[sentences::HERETIC2_SAYS],
    answers: &HERETIC2_ANSWERS,
    sentinels: &[Sentinel {
        service: HERETIC2.id,
        request: |_| voice::query(),
        from_server: false,
    }],
    goodbyes: &[Goodbye { service: HERETIC2.id, message: |_| voice::shutdown() }],
    control: None,
    traits: traits::HERETIC2,
    implementations: &[],
};

/// What both games say alike.
const SPEECH: Speech = Speech {
    service: "",
    beat: Vec::new,
    beats: Vec::new,
    goes: voice::shutdown,
    answer: |asked| voice::answer(&voice::persona(), asked),
    ping: voice::ping,
    acknowledges: |bytes| lead_of_ack(bytes).is_some(),
    query: voice::query,
    read,
};
static OF_QUAKE2: Speech = Speech {
    service: QUAKE2.id,
    beat: || voice::heartbeat(&voice::persona(), &[]),
    beats: || {
        let persona = voice::persona();
        vec![
            voice::heartbeat(&persona.clone().with("mapname", "base1").with("needpass", "1"), &[]),
            voice::heartbeat(&persona.clone().with("maxclients", "1"), &["0 6 \"ChickenMan\""]),
            voice::heartbeat(&persona.without("protocol").with("gloomversion", "1.x"), &[]),
        ]
    },
    ..SPEECH
};
static OF_HERETIC2: Speech = Speech {
    service: HERETIC2.id,
    beat: || voice::heartbeat(&voice::heretic(), &[]),
    beats: || {
        let persona = voice::heretic();
        vec![
            voice::heartbeat(&persona.clone().with("mapname", "dmtower"), &[]),
            voice::heartbeat(&persona.clone().with("maxclients", "1"), &["-2 17 \"ChickenMan\""]),
            voice::heartbeat(&persona.without("protocol").with("game", "tmod"), &[]),
        ]
    },
    ..SPEECH
};

/// The spelling in front of an `ack`, 0 for none; nothing of another message.
fn lead_of_ack(bytes: &[u8]) -> Option<u8> {
    let lead = voice::read(bytes, &mut Scratch::default(), |message| match message {
        Quake2::Ack(ack) => Some(ack.lead),
        _ => None,
    });
    lead.flatten()
}

fn read(bytes: &[u8]) -> Option<Records> {
    let records = voice::read(bytes, &mut Scratch::default(), |message| match message {
        Quake2::Servers(list) => Some(Records {
            at: bytes.len() - list.servers.raw().len(),
            step: 6,
            servers: list.servers.iter(Servers::FORM).collect(),
        }),
        _ => None,
    });
    records.flatten()
}

/// A server of ours in words of other games.
fn others_beat(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let tags = [quake3::QUAKE, quake3::WOLF, quake3::DARKPLACES].map(quake3::heartbeat);
    let beats = [&tags[..], &[quakeworld::heartbeat(1, 0)]].concat();
    no_challenge::others_beat(ctx, speech, &beats)
}

fn spells_ack(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let heard = speech.acknowledged(&ctx.server(speech.service)?)?;
    match lead_of_ack(&heard.bytes) {
        Some(0) => Ok(()),
        _ => Err(Failure::new("ack", "pack, as in the document's hexdump").field(&heard, "lead")),
    }
}

/// Which whitespace stands in front of the list.
fn blank(ctx: &TestContext<'_>, speech: &Speech) -> Done {
    let listed = no_challenge::list(ctx, speech)?;
    let Some(packet) = listed.packets.first() else {
        return Ok(());
    };
    let is_blank = packet.field("blank").and_then(|at| packet.bytes.get(at)) == Some(b" ");
    if is_blank {
        return Ok(());
    }
    Err(Failure::new("a blank in front of the servers", "a line feed").field(packet, "blank"))
}

/// Datagrams that begin as these messages do.
fn beginnings(speech: &Speech) -> Vec<Vec<u8>> {
    vec![(speech.beat)(), (speech.goes)(), (speech.ping)(), (speech.query)()]
}

/// The target answers something.
static QUAKE2_ANSWERS: Precondition = Precondition {
    id: "quake2/answers",
    otherwise: "the target answers nothing",
    needs: &[],
    check: |ctx| ctx.expect_any_answer(QUAKE2.id, &[voice::query(), voice::ping()]),
};

/// The target answers something.
static HERETIC2_ANSWERS: Precondition = Precondition {
    id: "heretic2/answers",
    otherwise: "the target answers nothing",
    needs: &[],
    check: |ctx| ctx.expect_any_answer(HERETIC2.id, &[voice::query(), voice::ping()]),
};
