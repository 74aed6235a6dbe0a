//! Masters of QuakeWorld and HexenWorld (document 001, sections 6 and 7): messages of one letter; a
//! server sends a ping when it starts, then heartbeats, and is listed without a challenge.
//!
//! For HexenWorld the document has the ports alone. Its datagrams are compressed, or begin with one
//! FF if they are not; masters neither compress nor decompress, so messages from and to them are
//! QuakeWorld's after another FF (uHexen2's and QuakeForge's masters, quakestat).

mod own;
mod traits;

use crate::shared::no_challenge::GameMessages;
use crate::{CsvTable, Done, Failure, Implementation, ReceivedDatagram, Requirement, TestContext};
use protocols::quakeworld::{HEXENWORLD, QUAKEWORLD, QuakeWorld};
use simulate::families::quake2::messages as quake2;
use simulate::families::quake3::messages as quake3;
use simulate::families::quakeworld::master::{HEXENWORLD_LIST, QUAKEWORLD_LIST};
use simulate::families::quakeworld::messages::{self, FIVE_BYTES};

static REQUIREMENTS: CsvTable<Requirement> = CsvTable::new(include_str!("requirements.csv"));
static IMPLEMENTATIONS: CsvTable<Implementation> =
    CsvTable::new(include_str!("implementations.csv"));
static HEXENWORLD_IMPLEMENTATIONS: CsvTable<Implementation> =
    CsvTable::new(include_str!("hexenworld_implementations.csv"));

/// QuakeWorld.
pub(super) mod quakeworld_game {
    use super::{IMPLEMENTATIONS, OF_QUAKEWORLD, QUAKEWORLD, REQUIREMENTS, own, traits};

    crate::shared::no_challenge::game! {
        "quakeworld/", QUAKEWORLD.id, "a master of QuakeWorld, as id Software's was, and QuakeForge's is", OF_QUAKEWORLD.messages,
        own: own::QUAKEWORLD, requirements: &REQUIREMENTS,
        traits: traits::QUAKEWORLD, implementations: &IMPLEMENTATIONS,
        heartbeat: "a", start: "k and a heartbeat a", contents: "any-numbers",
        other: "numbers", again: "other numbers", ping: "k", query: "c", servers: "d",
        shutdown: "C", shutdown_text: "C and a line feed"
    }
}

/// HexenWorld.
pub(super) mod hexenworld_game {
    use super::{HEXENWORLD, HEXENWORLD_IMPLEMENTATIONS, OF_HEXENWORLD, REQUIREMENTS, own, traits};

    crate::shared::no_challenge::game! {
        "hexenworld/", HEXENWORLD.id, "a master of HexenWorld, as uHexen2's and QuakeForge's are", OF_HEXENWORLD.messages,
        own: own::HEXENWORLD, requirements: &REQUIREMENTS,
        traits: traits::HEXENWORLD, implementations: &HEXENWORLD_IMPLEMENTATIONS,
        heartbeat: "a", start: "k and a heartbeat a", contents: "any-numbers",
        other: "numbers", again: "other numbers", ping: "k", query: "c", servers: "d",
        shutdown: "C", shutdown_text: "C and a line feed"
    }
}

/// The spellings of the mark that replies begin with.
const FOUR: u8 = 0;

/// The messages of a game, and the mark of its master's replies.
pub(super) struct World {
    pub messages: GameMessages,
    mark: u8,
}

/// Heartbeats by their numbers: none, one, 32 players; the first, the last, a wrapped sequence.
const NUMBERS: [(i64, i64); 5] = [(2, 0), (3, 1), (0, 32), (2_147_483_647, 16), (-1, 0)];

pub(super) static OF_QUAKEWORLD: World = World {
    messages: GameMessages {
        service: QUAKEWORLD.id,
        master: &QUAKEWORLD_LIST,
        heartbeat: || messages::heartbeat(1, 0),
        heartbeats: || {
            NUMBERS.map(|(sequence, players)| messages::heartbeat(sequence, players)).to_vec()
        },
        answer: |request| messages::answer(&messages::server_info(), request),
        is_ack: |bytes| mark_of_ack(bytes).is_some(),
        beginnings: || OF_QUAKEWORLD.beginnings(),
    },
    mark: FOUR,
};
pub(super) static OF_HEXENWORLD: World = World {
    messages: GameMessages {
        service: HEXENWORLD.id,
        master: &HEXENWORLD_LIST,
        heartbeat: || messages::uncompressed(&messages::heartbeat(1, 0)),
        heartbeats: || {
            let heartbeats =
                NUMBERS.map(|(sequence, players)| messages::heartbeat(sequence, players));
            heartbeats.iter().map(|heartbeat| messages::uncompressed(heartbeat)).collect()
        },
        beginnings: || OF_HEXENWORLD.beginnings(),
        ..OF_QUAKEWORLD.messages
    },
    mark: FIVE_BYTES,
};

/// The spelling of the mark before an `l`, with a NUL, a line feed and NUL, or nothing after the
/// letter. `None` for another message.
fn mark_of_ack(bytes: &[u8]) -> Option<u8> {
    let letter = bytes.iter().position(|byte| *byte != 0xff)?;
    let mark = match letter {
        4 => FOUR,
        5 => FIVE_BYTES,
        _ => return None,
    };
    let end = bytes.get(letter..)?.strip_prefix(b"l")?;
    matches!(end, b"" | b"\0" | b"\n" | b"\n\0").then_some(mark)
}

/// The same for a `d`.
fn mark_of_list(bytes: &[u8]) -> Option<u8> {
    messages::with_message(bytes, |message| match message {
        QuakeWorld::Servers(list) => Some(list.mark),
        _ => None,
    })
}

impl World {
    /// The reply begins with the game's own mark.
    fn expect_mark(&self, datagram: &ReceivedDatagram, mark: Option<u8>) -> Done {
        if mark == Some(self.mark) {
            return Ok(());
        }
        let bytes = |mark| if mark == FIVE_BYTES { "five bytes FF" } else { "four bytes FF" };
        let came = mark.map_or("no mark", bytes);
        Err(Failure::new(bytes(self.mark), came).field(datagram, "header"))
    }

    fn marks_lists(&self, ctx: &TestContext<'_>) -> Done {
        let client = self.messages.client(ctx)?;
        let listed = ctx.setup(|| self.messages.ask(&client))?;
        let mut packets = listed.packets.iter();
        packets.try_for_each(|datagram| self.expect_mark(datagram, mark_of_list(&datagram.bytes)))
    }

    fn acknowledges(&self, ctx: &TestContext<'_>) -> Done {
        let ack = self.messages.acknowledged(&self.messages.restarted(ctx)?)?;
        self.expect_mark(&ack, mark_of_ack(&ack.bytes))
    }

    /// An acknowledgement gets no response.
    fn is_silent_to_ack(&self, ctx: &TestContext<'_>) -> Done {
        let server = self.messages.restarted(ctx)?;
        server.send_bytes(&messages::ack(self.mark))?;
        server.expect_none("no answer to an acknowledgement", |_| Some(()))
    }

    /// `C` is not `c`.
    fn is_case_sensitive(&self, ctx: &TestContext<'_>) -> Done {
        let client = self.messages.client(ctx)?;
        client.send_bytes(&self.messages.shutdown())?;
        client.expect_none("no list", |datagram| messages::list_records(&datagram.bytes))
    }

    /// Datagrams that begin as these messages do.
    fn beginnings(&self) -> Vec<Vec<u8>> {
        let marked = [messages::ack(self.mark), messages::masters_ping(self.mark)];
        let of = &self.messages;
        [&marked[..], &[(of.heartbeat)(), of.shutdown(), of.ping(), of.query()]].concat()
    }
}

/// Heartbeats of other games, and their names.
fn other_games() -> [(&'static str, Vec<u8>); 3] {
    [
        (quake3::QUAKE, quake3::heartbeat(quake3::QUAKE)),
        (quake3::DARKPLACES, quake3::heartbeat(quake3::DARKPLACES)),
        ("Quake 2", quake2::heartbeat(&quake2::server_info(), &[])),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acknowledgements_end_in_several_ways() {
        for (bytes, mark) in [
            (&b"\xff\xff\xff\xffl\0"[..], Some(FOUR)),
            (b"\xff\xff\xff\xffl\n\0", Some(FOUR)),
            (b"\xff\xff\xff\xffl", Some(FOUR)),
            (b"\xff\xff\xff\xff\xffl\0", Some(FIVE_BYTES)),
            (b"\xff\xff\xff\xfflater", None),
            (b"\xff\xff\xff\xffk\0", None),
            (b"l\0", None),
            (b"\xff\xff\xff\xff", None),
            (b"", None),
        ] {
            assert_eq!(mark_of_ack(bytes), mark, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn hexenworld_is_quakeworld_behind_another_ff() {
        let of = &OF_HEXENWORLD.messages;
        assert_eq!(of.ping(), b"\xffk\0");
        assert_eq!((of.heartbeat)(), b"\xffa\n1\n0\n");
        assert_eq!(of.shutdown(), b"\xffC\n");
        assert_eq!(of.query(), b"\xffc\0");
    }
}
