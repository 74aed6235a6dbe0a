//! Quake III and its descendants: Return to Castle Wolfenstein, Enemy Territory, Elite Force, the
//! DarkPlaces games and Q3Master. Specification: documents 000, 001 (sections 1, 4, 8, 11) and 004.
//!
//! Commands are compared without case, as the games do. Where the programs in the documents differ
//! in a newline, a blank or an end mark, every spelling is read and kept.

mod alterware;
mod answers;
mod authorize;
mod columns;
mod connect;
mod console;
mod elite_force;
mod games;
mod keys;
mod list;
mod medal_of_honor;
mod query;
mod register;
mod remote;
mod session_keys;
mod tags;
mod update;

use super::COMMAND;
use codec::{CommandWord, Field, FieldRole, InfoForm, Kind, Pass, Spelling, Walk};
use protocol::{Colours, protocol};

pub use alterware::{GetBots, GetBotsResponse};
pub use answers::{Accept, ClientConnect, ErrorText, Reject, StatResponse};
pub use authorize::{AuthClient, AuthServer, GetIpAuthorize, GetKeyAuthorize, IpAuthorize};
pub use columns::{ColumnsReply, ColumnsRequest};
pub use connect::{
    ChallengeResponse, Connect, ConnectForm, ConnectPairs, ConnectResponse, Disconnect,
    GetChallenge, Ping, Print, UserInfo,
};
pub use console::{Ack, Challenge, ExtResponse, PingServer, RconPrint};
pub use elite_force::{HeartbeatPairs, Heartstop, HexList, QuotedInfo};
pub use games::{
    CALL_OF_DUTY, CALL_OF_DUTY_2, CALL_OF_DUTY_4, DARKPLACES, ELITE_FORCE, ELITE_FORCE_2,
    ENEMY_TERRITORY, FIVEM, IW4X, JEDI_ACADEMY, JEDI_OUTCAST, MEDAL_OF_HONOR, OPENARENA, Q3MASTER,
    QUAKE3, RTCW, SMOKIN_GUNS, SOLDIER_OF_FORTUNE_2, TREMULOUS, UNITED_OFFENSIVE, UNVANQUISHED,
    URBAN_TERROR, WARFORK, WARSOW, WORLD_OF_PADMAN,
};
pub use keys::KEYS;
pub use list::{
    GameSelector, GetServers, GetServersExt, GetServersExtResponse, GetServersResponse, ServerLinks,
};
pub use medal_of_honor::{AuthorizeThis, DropError, GetKey, WrongVersion};
pub use query::{GetInfo, GetStatus, InfoResponse, PLAYERS, StatusResponse};
pub use register::{Heartbeat, Register, Spaced};
pub use remote::{Rcon, RconInfo, RconInfoResponse, RconRecovery, SecureRcon, SecureRconForm};
pub use session_keys::KeyExchange;
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
        PingServer, Ack, Challenge, Rcon, SecureRcon, RconPrint, RconInfo, RconInfoResponse,
        RconRecovery, ServerLinks, ConnectPairs, Accept, Reject, ErrorText, StatResponse, ClientConnect,
        ExtResponse, KeyExchange, ColumnsRequest, ColumnsReply, AuthServer, AuthClient, GetBots,
        GetBotsResponse, DropError, GetKey, AuthorizeThis, WrongVersion,
    ], colours: Colours::Caret, game_colours: games::COLOURS
}

const TO_LF: InfoForm = InfoForm { stop: b"\n", keys: &KEYS };
const TO_QUOTE: InfoForm = InfoForm { stop: b"\"", keys: &KEYS };

static PROTOCOL_NUMBER: Field = Field::number("protocol", "the number of the network protocol")
    .role(FieldRole::Protocol)
    .values(keys::PROTOCOLS);

static MARK: Field =
    Field::new("header", Kind::Mark, "four bytes FF: a message outside of any connection");
/// With a byte for the direction behind it, the second is sent by Medal of Honor's servers, the others
/// by its clients.
static MARKS: [Spelling; 4] = [
    Spelling::new(b"\xff\xff\xff\xff"),
    Spelling::new(b"\xff\xff\xff\xff\x01"),
    Spelling::new(b"\xff\xff\xff\xff\x02"),
    Spelling::new(b"\xff\xff\xff\xff\x02\x02"),
];

/// A mark, Medal of Honor's too, and a word in any case.
fn marked<'a, P: Pass<'a>>(
    p: &mut P,
    word: &'static [u8],
    mark: &mut u8,
    slot: &mut CommandWord<'a>,
) -> Walk {
    p.one_of(&MARK, &MARKS, mark)?;
    p.word(&COMMAND, word, slot)
}
