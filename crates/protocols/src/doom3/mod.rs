//! Doom 3 and Quake 4, the games of id Tech 4: two bytes FF, a command with a NUL at its end,
//! fields in little-endian order. Specification: documents 001 (section 9) and 002.
//!
//! The documents show bytes and ask what they mean; the answers come from the released sources and
//! are marked so in the fields. Where the two documents disagree, the field says so.

mod auth;
mod games;
mod info;
mod keys;
mod list;
mod register;

use super::COMMAND;
use codec::{BitMeanings, CommandWord, Field, FieldRole, Kind, Pass, Walk};
use protocol::{Colours, protocol};

pub use auth::{Auth, Challenge, ChallengeResponse, SrvAuth};
pub use games::DOOM3;
pub use info::{ChallengeText, GetInfo, InfoResponse, PLAYERS, PLAYERS_WITH_CLANS};
pub(super) use info::{PLAYER_ID, PLAYER_NAME, PLAYER_PING, PLAYER_RATE};
pub use keys::KEYS;
pub use list::{GetServers, GetServersForm, Servers};
pub use register::{Heartbeat, NewVersion, VersionCheck};

protocol! {
    /// One message of Doom 3.
    Doom3: "doom3", "Doom 3", games::GAMES,
    [
        Heartbeat, VersionCheck, NewVersion, GetServers, Servers, GetInfo, InfoResponse, Challenge,
        ChallengeResponse, SrvAuth, Auth,
    ], colours: Colours::Caret
}

/// Quake 4's major version. Its clients set bit 31 too, which marks the games of other studios; its
/// servers do not (1.4.2).
const QUAKE4_MAJOR: u32 = 2;

/// Whether a protocol number is one of Quake 4's, with bit 31 or without.
pub fn is_quake4(protocol: u32) -> bool {
    protocol >> 16 & 0x7fff == QUAKE4_MAJOR
}
/// Protocol 1.37: it added the expansion, and a byte for it.
const SINCE_1_37: u32 = (1 << 16) + 37;

pub(super) static MARK: Field =
    Field::new("header", Kind::Mark, "two bytes FF: a message outside of any connection");
static NUL: Field = Field::terminator("NUL", "ends the command");
pub(super) static LAST: Field = Field::separator("end", "ends a list");
static PROTOCOL_NUMBER: Field = Field::number(
    "protocol",
    "the network protocol's version, major << 16 | minor; bit 31 marks another studio's game \
     (observed), major version 2 is Quake 4's",
)
.role(FieldRole::Protocol)
.version()
.values(VERSIONS);
pub(super) static CHALLENGE: Field =
    Field::number("challenge", "sent back, to show that the sender's address is not forged")
        .role(FieldRole::Challenge);
pub(super) static SYSTEMS: Field = Field::number(
    "system mask",
    "the systems that the server has files of the modification for; the document does not know \
     it, the released sources do",
)
.bits(&[
    BitMeanings::set(1, "Windows"),
    BitMeanings::set(2, "Mac OS X"),
    BitMeanings::set(4, "Linux"),
])
.values(&[("0", "none")]);

/// Which versions of the games speak which protocol: document 002 for 1.33, 1.35, 1.39 and 1.40,
/// the others of Doom 3 from the released sources, Quake 4's from replies of live servers.
static VERSIONS: &[(&str, &str)] = &[
    ("1.33", "Doom 3 1.0"),
    ("1.34", "Doom 3 1.1"),
    ("1.35", "Doom 3 1.1"),
    ("1.36", "Doom 3 1.2"),
    ("1.37", "Doom 3 1.2 and its expansion"),
    ("1.38", "Doom 3 1.2 and its expansion"),
    ("1.39", "Doom 3 1.2 and its expansion"),
    ("1.40", "Doom 3 1.3"),
    ("1.41", "Doom 3 1.3.1"),
    ("2.85", "Quake 4 1.4.2"),
];

/// The mark and a command in any case, with a NUL at its end.
pub(super) fn command<'a, P: Pass<'a>>(
    p: &mut P,
    word: &'static [u8],
    slot: &mut CommandWord<'a>,
) -> Walk {
    p.lit(&MARK, b"\xff\xff")?;
    p.word(&COMMAND, word, slot)?;
    p.lit(&NUL, b"\0")
}

#[cfg(test)]
mod tests;
