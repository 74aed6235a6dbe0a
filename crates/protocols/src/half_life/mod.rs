//! Half-Life before Steam: a byte, a challenge, an infostring. Specification: document 001,
//! section 10.
//!
//! The document shows how a server registers. How it logs off, how clients get lists, query servers
//! and join them is known from other programs with this protocol, above all Xash3D. Steam's own
//! queries (the mark and a capital letter) are the protocol `source`; Half-Life's servers answered
//! older queries with some of its letters.

mod admin;
mod connect;
mod filter;
mod games;
mod keys;
mod list;
mod query;
mod register;
mod reply;

use super::NOTHING;
use codec::{Field, FieldRole, InfoForm, Spelling};
use protocol::protocol;

pub use admin::{Admin, AdminChallenge, AdminChallengeReply, Announce};
pub use connect::{
    Bandwidth, ClientConnect, Connect, ConnectChallenge, Disconnect, ErrorMessage, GetChallenge,
    Print, Rcon, RconChallenge, RconChallengeReply, RconForm, TestPacket,
};
pub use filter::{FILTER_KEYS, RegionFilter};
pub use games::{HALF_LIFE, XASH3D};
pub use keys::KEYS;
pub use list::{GetRegion, GetServers, ListFamily, ListHead, Servers};
pub use query::{
    Ack, Answered, Details, InfoReply, InfoRequest, InfoString, InfoStringResponse, NetInfo,
    NetInfoReply, Ping, Players, Rules,
};
pub use register::{Challenge, ChallengeReply, Heartbeat, LogOff, ServerChallenge};
pub use reply::{
    Described, DetailsReply, Modification, PingReply, PlayersReply, RulesReply, ShortReply,
};

protocol! {
    /// One message of Half-Life.
    HalfLife: "half-life", "Half-Life", games::GAMES,
    [
        Heartbeat, Challenge, ChallengeReply, LogOff, GetServers, GetRegion, Servers, Ping,
        PingReply, Ack, InfoRequest, ShortReply, InfoReply, Details, DetailsReply, Players,
        PlayersReply, Rules, RulesReply, InfoString, InfoStringResponse, NetInfo, NetInfoReply,
        GetChallenge, ConnectChallenge, Connect, ClientConnect, Bandwidth, TestPacket,
        ErrorMessage, Print, Disconnect, RconChallenge, RconChallengeReply, Rcon, Announce,
        AdminChallenge, AdminChallengeReply, Admin,
    ]
}

static PROTOCOL_NUMBER: Field = Field::number("protocol", "the network protocol's number")
    .role(FieldRole::Protocol)
    .values(keys::PROTOCOLS);
static CHALLENGE: Field =
    Field::number("challenge", "sent back, to show that the sender's address is not forged")
        .role(FieldRole::Challenge);
static END: Field = Field::separator("end", "ends a word or the message");

/// What follows a query of one word: a NUL, or nothing.
static ENDS: [Spelling; 2] = [Spelling::new(b"\0"), NOTHING];
static MAYBE_NUL: [Spelling; 2] = [NOTHING, Spelling::new(b"\0")];

const TO_LF: InfoForm = InfoForm { stop: b"\n", keys: &KEYS };

#[cfg(test)]
mod tests;
