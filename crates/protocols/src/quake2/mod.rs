//! Quake 2, Heretic 2 and the other games on Quake 2's engine: Quake III's ancestors, with columns
//! of text where it has infostrings. Specification: document 001, sections 2 and 3.
//!
//! A heartbeat has all data at once, and there is no challenge: a master trusts the sender's
//! address. Many commands are Quake III's too (`print`, `connect`, `heartbeat`); the content after
//! them differs.

mod connect;
pub(super) mod games;
mod keys;
mod list;
mod register;
mod settings;
mod status;

use super::NOTHING;
use codec::{Field, FieldRole, InfoForm, Spelling};
use protocol::protocol;

pub use connect::{Challenge, ClientConnect, Connect, GetChallenge, PassiveConnect, Rcon};
pub use games::{
    ALIEN_ARENA, ANACHRONOX, DAIKATANA, HERETIC2, KINGPIN, PAINTBALL2, QUAKE2, QUETOO, SIN,
    SOLDIER_OF_FORTUNE,
};
pub use keys::KEYS;
pub use list::{GetServers, MarkedQuery, Query, Servers};
pub use register::{Ack, ChallengedHeartbeat, Heartbeat, MasterChallenge, Ping, Shutdown};
pub use settings::SettingWords;
pub use status::{InfoReply, InfoRequest, Print, Printed, Status};

protocol! {
    /// One message of Quake 2.
    Quake2: "quake2", "Quake 2", games::GAMES,
    [
        Heartbeat, ChallengedHeartbeat, MasterChallenge, Shutdown, Ping, Ack, Query, MarkedQuery, GetServers, Servers, Status, Print,
        InfoRequest, InfoReply, GetChallenge, Challenge, Connect, ClientConnect, PassiveConnect,
        Rcon,
    ]
}

/// Warsow shares commands with Quake 2 too; its others are Quake III's.
const WARSOW: &[&str] = &["quake3"];

/// What programs send after a word: mostly nothing or a newline, some a NUL.
static WORD_ENDS: [Spelling; 3] = [NOTHING, Spelling::new(b"\n"), Spelling::new(b"\0")];
/// The same after a query that QuakeWorld's servers have too.
static ENDS: [Spelling; 4] =
    [NOTHING, Spelling::new(b"\n"), Spelling::new(b"\0"), Spelling::new(b"\n\0")];

const TO_LF: InfoForm = InfoForm { stop: b"\n", keys: &KEYS };
const TO_QUOTE: InfoForm = InfoForm { stop: b"\"", keys: &KEYS };

static PROTOCOL_NUMBER: Field = Field::number("protocol", "the number of the network protocol")
    .role(FieldRole::Protocol)
    .values(keys::PROTOCOLS);
