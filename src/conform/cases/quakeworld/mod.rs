//! Masters of QuakeWorld and HexenWorld (document 001, sections 6 and 7): messages of one letter,
//! and who beats is believed.
//!
//! Of HexenWorld the document has the ports alone; that it speaks as QuakeWorld does, but behind a
//! mark of five FF, is known from the released sources.

mod cases;
mod sentences;
mod traits;

use super::listed::Records;
use super::no_challenge::{self, Speech};
use crate::conform::{
    Datagram, Done, Failure, Family, Goodbye, Precondition, Profile, Sentinel, TestContext,
};
use crate::peer::voice::{quake2, quake3, quakeworld as voice};
use crate::proto::quakeworld::{HEXENWORLD, QUAKEWORLD, QuakeWorld, Servers};
use crate::wire::{Scratch, View as _};

/// What a master of QuakeWorld owes.
pub(super) static QUAKEWORLD_FAMILY: Family = Family {
    cases: &[cases::QUAKEWORLD],
    profiles: &[Profile {
        name: QUAKEWORLD.id,
        title: "a master of QuakeWorld",
        assumes: "",
        owes: &["quakeworld/*"],
        but: &[],
    }],
    sentences: &[sentences::QUAKEWORLD_SAYS],
    answers: &QUAKEWORLD_ANSWERS,
    sentinels: &[Sentinel {
        service: QUAKEWORLD.id,
        request: |_| voice::get_servers(),
        from_server: false,
    }],
    goodbyes: &[Goodbye { service: QUAKEWORLD.id, message: |_| voice::shutdown() }],
    control: None,
    traits: traits::QUAKEWORLD,
    implementations: &[],
};

/// What one of HexenWorld owes.
pub(super) static HEXENWORLD_FAMILY: Family = Family {
    cases: &[cases::HEXENWORLD],
    profiles: &[Profile {
        name: HEXENWORLD.id,
        title: "a master of HexenWorld",
        assumes: "",
        owes: &["hexenworld/*"],
        but: &[],
    }],
    sentences: &[sentences::HEXENWORLD_SAYS],
    answers: &HEXENWORLD_ANSWERS,
    sentinels: &[Sentinel {
        service: HEXENWORLD.id,
        request: |_| voice::get_servers(),
        from_server: false,
    }],
    goodbyes: &[Goodbye { service: HEXENWORLD.id, message: |_| voice::shutdown() }],
    control: None,
    traits: traits::HEXENWORLD,
    implementations: &[],
};

/// The spellings of the mark that replies begin with.
const FOUR: u8 = 0;
const FIVE: u8 = 1;

/// A game's words, and the mark of its replies.
struct World {
    speech: Speech,
    mark: u8,
}

static OF_QUAKEWORLD: World = World { speech: speech(QUAKEWORLD.id), mark: FOUR };
static OF_HEXENWORLD: World = World { speech: speech(HEXENWORLD.id), mark: FIVE };

const fn speech(service: &'static str) -> Speech {
    Speech {
        service,
        beat: || voice::heartbeat(1, 0),
        beats: || {
            // Nobody, somebody, more than there are places for; from the first time to a wrap.
            let told = [(2, 0), (3, 1), (0, 32), (2_147_483_647, 16), (-1, 0)];
            told.map(|(sequence, players)| voice::heartbeat(sequence, players)).to_vec()
        },
        goes: voice::shutdown,
        answer: |asked| voice::answer(&voice::persona(), asked),
        ping: voice::ping,
        acknowledges: |bytes| mark_of_ack(bytes).is_some(),
        query: voice::get_servers,
        read,
    }
}

/// The spelling of the mark in front of an `l`; nothing of another message.
fn mark_of_ack(bytes: &[u8]) -> Option<u8> {
    let mark = voice::read(bytes, &mut Scratch::default(), |message| match message {
        QuakeWorld::Ack(ack) => Some(ack.mark),
        _ => None,
    });
    mark.flatten()
}

/// The same of a `d`.
fn mark_of_list(bytes: &[u8]) -> Option<u8> {
    let mark = voice::read(bytes, &mut Scratch::default(), |message| match message {
        QuakeWorld::Servers(list) => Some(list.mark),
        _ => None,
    });
    mark.flatten()
}

fn read(bytes: &[u8]) -> Option<Records> {
    let records = voice::read(bytes, &mut Scratch::default(), |message| match message {
        QuakeWorld::Servers(list) => Some(Records {
            at: bytes.len() - list.servers.raw().len(),
            step: 6,
            servers: list.servers.iter(Servers::FORM).collect(),
        }),
        _ => None,
    });
    records.flatten()
}

impl World {
    /// The reply begins with the game's own mark.
    fn marks(&self, heard: &Datagram, mark: Option<u8>) -> Done {
        if mark == Some(self.mark) {
            return Ok(());
        }
        let bytes = |mark| if mark == FIVE { "five bytes FF" } else { "four bytes FF" };
        let came = mark.map_or("no mark", bytes);
        Err(Failure::new(bytes(self.mark), came).field(heard, "mark"))
    }

    fn marks_lists(&self, ctx: &TestContext<'_>) -> Done {
        let listed = no_challenge::list(ctx, &self.speech)?;
        listed.packets.iter().try_for_each(|heard| self.marks(heard, mark_of_list(&heard.bytes)))
    }

    fn acknowledges(&self, ctx: &TestContext<'_>) -> Done {
        let heard = self.speech.acknowledged(&ctx.server(self.speech.service)?)?;
        self.marks(&heard, mark_of_ack(&heard.bytes))
    }

    /// A master's own word is answered too, when somebody sends it to a master.
    fn acknowledges_ping(&self, ctx: &TestContext<'_>) -> Done {
        let server = ctx.server(self.speech.service)?;
        server.send_bytes(&voice::masters_ping(self.mark))?;
        let heard = server.expect("an acknowledgement", |heard| {
            mark_of_ack(&heard.bytes).map(|_| heard.clone())
        })?;
        self.marks(&heard, mark_of_ack(&heard.bytes))
    }

    /// An acknowledgement is no question.
    fn is_silent_to_ack(&self, ctx: &TestContext<'_>) -> Done {
        let server = ctx.server(self.speech.service)?;
        server.send_bytes(&voice::ack(self.mark))?;
        server.expect_none("no answer to an acknowledgement", |_| Some(()))
    }

    /// `C` is not `c`.
    fn tells_case(&self, ctx: &TestContext<'_>) -> Done {
        let client = ctx.client(self.speech.service)?;
        client.send_bytes(&voice::shutdown())?;
        client.expect_none("no list", |heard| read(&heard.bytes))
    }

    /// A server that asks for the list does not go.
    fn lists_to_servers(&self, ctx: &TestContext<'_>) -> Done {
        no_challenge::asked_by_a_server(ctx, &self.speech)
    }

    fn others_beat(&self, ctx: &TestContext<'_>) -> Done {
        let tags = [quake3::QUAKE, quake3::DARKPLACES].map(quake3::heartbeat);
        let other = quake2::heartbeat(&quake2::persona(), &[]);
        no_challenge::others_beat(ctx, &self.speech, &[&tags[..], &[other]].concat())
    }

    /// Datagrams that begin as these messages do.
    fn beginnings(&self) -> Vec<Vec<u8>> {
        let marks = [voice::ack(self.mark), voice::masters_ping(self.mark)];
        let Speech { beat, goes, ping, query, .. } = self.speech;
        [&marks[..], &[beat(), goes(), ping(), query()]].concat()
    }
}

/// The target answers something.
static QUAKEWORLD_ANSWERS: Precondition = Precondition {
    id: "quakeworld/answers",
    otherwise: "the target answers nothing",
    needs: &[],
    check: |ctx| ctx.expect_any_answer(QUAKEWORLD.id, &[voice::get_servers(), voice::ping()]),
};

/// The target answers something.
static HEXENWORLD_ANSWERS: Precondition = Precondition {
    id: "hexenworld/answers",
    otherwise: "the target answers nothing",
    needs: &[],
    check: |ctx| ctx.expect_any_answer(HEXENWORLD.id, &[voice::get_servers(), voice::ping()]),
};
