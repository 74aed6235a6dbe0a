//! The keys of settings and the fields of players and teams, in all of GameSpy's later protocols.
//!
//! The reserved ones are those of GameSpy's first protocol (document 003); the others are known from
//! GameSpy's query and reporting and from replies of live servers.

use super::super::{NO_YES, Values};
use codec::{Field, FieldRole, Keys};

static GAMEMODES: Values = &[
    ("openplaying", "the game is on, players may join"),
    ("openwaiting", "waiting for players to join"),
    ("openstaging", "players choose the settings and may join"),
    ("closedplaying", "the game is on, nobody may join"),
    ("closedwaiting", "waiting, nobody may join"),
    ("closedstaging", "players choose the settings, nobody may join"),
    ("exiting", "the server shuts down"),
];

static PASSWORD: Values = &[
    ("0", "open"),
    ("1", "a password is needed"),
    ("false", "open"),
    ("true", "a password is needed"),
];

static STATES: Values = &[
    ("0", "nothing has changed"),
    ("1", "the state has changed"),
    ("2", "the server leaves"),
    ("3", "the server begins, and expects a challenge"),
];

/// The keys that are known, and patterns for those that games may define.
pub static KEYS: Keys = Keys::new(LISTED, PATTERNS);

static LISTED: &[Field] = &[
    Field::number("AIBot_", "whether the player is a program").values(NO_YES),
    Field::number("bf2_dedicated", "whether nobody plays on the server's machine").values(NO_YES),
    Field::text("bf2_sponsorlogo_url", "a picture to show").role(FieldRole::Free),
    Field::text("bf2_sponsortext", "who pays for the server").role(FieldRole::Free),
    Field::text("country", "where the server stands").role(FieldRole::Location),
    Field::number("deaths_", "how often the player died"),
    Field::number("fraglimit", "kills that end a match").values(super::super::NO_LIMIT),
    Field::number("game_classic", "whether only maps of the first version are played; Halo's")
        .values(NO_YES),
    Field::text("game_id", "the game; Minecraft's").role(FieldRole::Game),
    Field::text("gamemode", "whether the game is on and may be joined").values(GAMEMODES),
    Field::text("gamename", "the game's own name in the network").role(FieldRole::Game),
    Field::text("gametype", "the rules that are played"),
    Field::text("gamevariant", "the modification"),
    Field::text("gamever", "the program's version").role(FieldRole::Version),
    Field::number("groupid", "the group of servers that it belongs to"),
    Field::text("hostip", "where to play").role(FieldRole::Address),
    Field::text("hostname", "the server's name").role(FieldRole::Host),
    Field::number("hostport", "the port to play on").role(FieldRole::Port),
    Field::number("kills_", "enemies that the player killed"),
    Field::number("localport", "the port on which the server is asked").role(FieldRole::Port),
    Field::text("map", "the map being played; Minecraft's").role(FieldRole::Map),
    Field::text("mapname", "the map being played").role(FieldRole::Map),
    Field::number("maxplayers", "places in all").role(FieldRole::MaxPlayers),
    Field::number("natneg", "whether clients reach it by NAT negotiation").values(NO_YES),
    Field::number("numplayers", "players on the server now").role(FieldRole::Players),
    Field::number("numteams", "teams on the server now").role(FieldRole::Count),
    Field::text("password", "whether a password is needed, or which")
        .role(FieldRole::Secret)
        .values(PASSWORD),
    Field::number("pid_", "the number of the player's account").role(FieldRole::Name),
    Field::number("ping_", "the player's round trip in milliseconds"),
    Field::text("player_", "the player's name").role(FieldRole::Person),
    Field::text("plugins", "what extends the server; Minecraft's").role(FieldRole::Free),
    Field::text("publicip", "its address as the master has told it, as a number; 0: not yet")
        .role(FieldRole::Address),
    Field::number("publicport", "its port as the master has told it").role(FieldRole::Port),
    Field::number("roundtime", "minutes of a round").values(super::super::NO_LIMIT),
    Field::number("score_", "the player's points"),
    Field::number("score_t", "the team's points"),
    Field::number("skill_", "how many enemies the player killed, or how good the player is"),
    Field::number("statechanged", "why this heartbeat is sent").values(STATES),
    Field::text("team_", "the player's team, by number or name").role(FieldRole::Name),
    Field::text("team_t", "the team's name").role(FieldRole::Name),
    Field::number("teamplay", "the form of team play").values(&[("0", "no teams")]),
    Field::number("timelimit", "minutes of a match").values(super::super::NO_LIMIT),
    Field::text("version", "the program's version").role(FieldRole::Version),
];

static PATTERNS: &[Field] = &[
    Field::text("localip*", "an address of the server's machine").role(FieldRole::Address),
    Field::text("*_t", "something of a team, which the game defines").role(FieldRole::Name),
    Field::text("*_", "something of a player, which the game defines").role(FieldRole::Name),
];

/// Whether a key has a meaning in every game, so that it tells a reply from other bytes.
pub(crate) fn is_common(key: &[u8]) -> bool {
    const COMMON: [&[u8]; 8] = [
        b"gamemode",
        b"gamename",
        b"gametype",
        b"gamever",
        b"hostname",
        b"hostport",
        b"mapname",
        b"numplayers",
    ];
    COMMON.contains(&key)
}
