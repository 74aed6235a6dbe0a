//! The documents' requirements for the Quake III family, sentence by sentence, in our own words.

mod id;
mod others;

pub(super) use id::{ENEMY_TERRITORY_SAYS, QUAKE3_SAYS, RTCW_SAYS};
pub(super) use others::{DARKPLACES_SAYS, Q3MASTER_SAYS};

/// Why a case against a master cannot test requirements for servers.
const OF_SERVERS: &str = "a server owes it; `check` and `explain` look at captures of servers";
const OF_CLIENTS: &str = "a client owes it; `check` looks at captures of clients";
const BETWEEN: &str = "it is between server and client, and no master hears it";
const NAMES: &str = "it is about names and addresses on the net, and not about messages";
