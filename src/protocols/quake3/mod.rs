//! Quake III and its descendants: Return to Castle Wolfenstein, Enemy Territory, Elite Force, the
//! DarkPlaces games and Q3Master. Specification: documents 000, 001 (sections 1, 4, 8, 11) and 004.
//!
//! Commands are compared without case, as the games do. Where the programs in the documents differ
//! in a newline, a blank or an end mark, every spelling is read and kept.

mod authorize;
mod connect;
mod console;
mod elite_force;
mod games;
mod keys;
mod list;
mod query;
mod register;
mod tags;
mod update;

use crate::codec::{Field, FieldRole, InfoForm};
use crate::protocol::{Colours, protocol};

pub use authorize::{GetIpAuthorize, GetKeyAuthorize, IpAuthorize};
pub use connect::{
    ChallengeResponse, Clear, Connect, ConnectResponse, Disconnect, GetChallenge, Ping, Print,
    UserInfo,
};
pub use console::{Ack, Challenge, PingServer, Rcon};
pub use elite_force::{HeartbeatPairs, Heartstop, HexList, QuotedInfo};
pub use games::{DARKPLACES, ELITE_FORCE, ENEMY_TERRITORY, Q3MASTER, QUAKE3, RTCW};
pub use keys::KEYS;
pub use list::{
    GameSelector, GetServers, GetServersExt, GetServersExtResponse, GetServersResponse,
};
pub use query::{GetInfo, GetStatus, InfoResponse, PLAYERS, StatusResponse};
pub use register::{Heartbeat, Register, Spaced};
pub use tags::{TAGS, Tag, TagMeaning, game_of};
pub use update::{GetMotd, GetUpdateInfo, Motd, UpdateResponse};

protocol! {
    /// One message of the Quake III family.
    Quake3: "quake3", "Quake III Arena", games::GAMES,
    [
        Heartbeat, Register, GetServers, GetServersResponse, GetServersExt, GetServersExtResponse,
        GetInfo, InfoResponse, GetStatus, StatusResponse, GetChallenge, ChallengeResponse, Connect,
        ConnectResponse, Disconnect, Print, Ping, GetKeyAuthorize, GetIpAuthorize, IpAuthorize,
        GetMotd, Motd, GetUpdateInfo, UpdateResponse, HexList, QuotedInfo, HeartbeatPairs, Heartstop,
        PingServer, Ack, Challenge, Rcon,
    ], colours: Colours::Caret
}

const TO_LF: InfoForm = InfoForm { stop: b"\n", keys: &KEYS };
const TO_QUOTE: InfoForm = InfoForm { stop: b"\"", keys: &KEYS };

static PROTOCOL_NUMBER: Field = Field::number("protocol", "the number of the network protocol")
    .role(FieldRole::Protocol)
    .values(keys::PROTOCOLS);
