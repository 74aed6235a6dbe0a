//! QuakeWorld and HexenWorld: messages of one letter, whose meaning depends on the sender.
//! Specification: document 001, sections 6 and 7.
//!
//! Messages between client and server have the mark; those of a client or server to a master do
//! not. HexenWorld's mark has a fifth FF. The letters that no document shows (`c` from a server,
//! `j`, `m`, `B`) and `getchallenge`, `connect` and `rcon` are known from the released sources. What
//! MVDSV and qwfwd added (demos, scores, QTV, the log, proxies) is in no document; each such message
//! names its program.

mod connect;
mod games;
mod keys;
mod letters;
mod lines;
mod list;
mod logs;
mod matches;
mod proxy;
mod status;

use super::{COMMAND, NOTHING};
use codec::{CommandWord, Field, InfoForm, Kind, Pass, Spelling, Walk};
use protocol::{Colours, protocol};

pub use connect::{Challenge, Connect, HashedRcon, Rcon, Tail};
pub use games::{HEXENWORLD, QUAKEWORLD};
pub use keys::KEYS;
pub use letters::{
    Ack, ClientCommand, Connected, GetChallenge, Heartbeat, Nack, Ping, PingLetter, Print, RawAck,
    RawNack, ServerPing, Shutdown,
};
pub use lines::{LineKind, LineKinds, TextLines};
pub use list::{GetServers, Servers};
pub use logs::{Broadcast, Log, LogReply, RealAddress};
pub use matches::{
    DemoList, DemoListRegex, DemoListReply, DemoListShort, Dlist, DlistRegex, DlistShort,
    LastScores, LastScoresReply, LastStats, LastStatsReply,
};
pub use proxy::{PingStatus, PingStatusReply, QtvUsers, QtvUsersReply};
pub use status::{PLAYERS, Status, StatusForm, StatusReply};

protocol! {
    /// One message of QuakeWorld.
    QuakeWorld: "quakeworld", "QuakeWorld", games::GAMES,
    [
        Heartbeat, Shutdown, ServerPing, Ping, PingLetter, Ack, RawAck, Nack, GetServers, Servers,
        Status, StatusReply, QtvUsers, QtvUsersReply, PingStatus, PingStatusReply,
        LastScores, LastScoresReply, LastStats, LastStatsReply,
        Dlist, DlistShort, DlistRegex, DemoList, DemoListShort, DemoListRegex, DemoListReply,
        GetChallenge, Challenge, Connect, Connected, Print, ClientCommand, Rcon, HashedRcon,
        Log, LogReply, RawNack, RealAddress, Broadcast,
    ], colours: Colours::HighBit
}

const TO_LF: InfoForm = InfoForm { stop: b"\n", keys: &KEYS };
const TO_QUOTE: InfoForm = InfoForm { stop: b"\"", keys: &KEYS };

/// What HexenWorld's programs put before messages that they do not compress.
const ONE: &[u8] = b"\xff";
/// HexenWorld's mark.
const FIVE: &[u8] = b"\xff\xff\xff\xff\xff";
static MARK: Field = Field::new(
    "header",
    Kind::Mark,
    "four bytes FF, or HexenWorld's five: a message outside of any connection",
);
static MARKS: [Spelling; 2] = [Spelling::new(b"\xff\xff\xff\xff"), Spelling::new(FIVE)];

static END: Field = Field::separator("end", "ends the message");

const LF: Spelling = Spelling::new(b"\n");
const NUL: Spelling = Spelling::new(b"\0");
const LF_NUL: Spelling = Spelling::new(b"\n\0");
/// The line ends of various programs; the first is that of the games.
static LINE_ENDS: [Spelling; 4] = [LF, LF_NUL, NUL, NOTHING];
static MAYBE_NUL: [Spelling; 2] = [NUL, NOTHING];

/// Either game's mark.
fn mark<'a, P: Pass<'a>>(p: &mut P, slot: &mut u8) -> Walk {
    p.one_of(&MARK, &MARKS, slot)
}

/// Either game's mark and a word in any case.
fn letter_message<'a, P: Pass<'a>>(
    p: &mut P,
    slot: &mut u8,
    word: &'static [u8],
    command: &mut CommandWord<'a>,
) -> Walk {
    mark(p, slot)?;
    p.word(&COMMAND, word, command)
}

/// The bytes after either game's mark.
fn after_mark(bytes: &[u8]) -> Option<&[u8]> {
    bytes.strip_prefix(FIVE).or_else(|| bytes.strip_prefix(b"\xff\xff\xff\xff"))
}

#[cfg(test)]
mod tests;
