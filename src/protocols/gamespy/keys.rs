//! The keys in the pairs of these games.
//!
//! The reserved keys, players' and teams' keys and those passed on to the client: document 003.
//! Unreal's: document 001, section 5, which lists them without explanation; their meanings come
//! from the game's own scripts and are *observed*.

use super::location::LOCATIONS;
use crate::codec::{Field, FieldRole, Keys, Kind};

type Values = &'static [(&'static str, &'static str)];

static TRUE_FALSE: Values = &[("true", "yes"), ("false", "no")];
static NO_LIMIT: Values = &[("0", "no limit")];

static GAMEMODES: Values = &[
    ("wait", "waiting for players to join"),
    ("settings", "players choose the settings, nobody may join"),
    ("openplaying", "the game is on, players may join"),
    ("closedplaying", "the game is on, nobody may join"),
    ("debriefing", "the game is over and its result is shown, nobody may join"),
    ("exiting", "the server shuts down"),
];

static PASSWORD: Values = &[
    ("0", "open"),
    ("1", "a password is needed"),
    ("false", "open"),
    ("true", "a password is needed"),
];

static ENCTYPES: Values = &[
    ("0", "the answer to the challenge alone"),
    ("1", "the list is coded too"),
    ("2", "the list is coded too, in another way"),
];

static LISTS: Values = &[
    ("", "servers as text"),
    ("cmp", "servers in six bytes each"),
    ("info2", "servers with some of their settings (observed)"),
    ("groups", "rooms instead of servers (observed)"),
];

/// The keys in the documents, and patterns for those that games may define.
pub static KEYS: Keys = Keys::new(LISTED, PATTERNS);

static LISTED: &[Field] = &[
    Field::new("admin", Kind::Text, "who runs the server").role(FieldRole::Person),
    Field::new("AdminEMail", Kind::Text, "how to reach who runs the server")
        .role(FieldRole::Person),
    Field::new("AdminName", Kind::Text, "who runs the server").role(FieldRole::Person),
    Field::new("balanceteams", Kind::Text, "whether players are moved so that teams stay even")
        .values(TRUE_FALSE),
    Field::new("basic", Kind::Text, "asks for name, version and place of the game"),
    Field::new("changelevels", Kind::Text, "whether the map changes when a match ends")
        .values(TRUE_FALSE),
    Field::new("connection", Kind::Text, "the server's line").role(FieldRole::Free),
    Field::new("cpu", Kind::Text, "the server's processor").role(FieldRole::Free),
    Field::new("echo", Kind::Text, "a text to be sent back, or sent back").role(FieldRole::Free),
    Field::new("enctype", Kind::Number, "how the client wants its list coded (observed)")
        .values(ENCTYPES),
    Field::new("final", Kind::Text, "the last part of an answer, or the end of a message")
        .role(FieldRole::End),
    Field::new("fraglimit", Kind::Number, "kills or points that end a match").values(NO_LIMIT),
    Field::new("friendlyfire", Kind::Text, "how much players hurt their own team"),
    Field::new("gamemode", Kind::Text, "whether the game is on and may be joined")
        .values(GAMEMODES),
    Field::new("gamename", Kind::Text, "the game's own name in the network").role(FieldRole::Game),
    Field::new("gamestyle", Kind::Text, "how fast and hard the game is played"),
    Field::new("gametype", Kind::Text, "the rules or the modification that is played"),
    Field::new("gamever", Kind::Text, "the program's version").role(FieldRole::Version),
    Field::new("goalteamscore", Kind::Number, "the team's score that ends a match")
        .values(NO_LIMIT),
    Field::new("groupid", Kind::Number, "the room that the server belongs to (observed)"),
    Field::new("heartbeat", Kind::Number, "the UDP port on which the server is asked")
        .role(FieldRole::Port),
    Field::new("hostip", Kind::Text, "where to play, if not where the message comes from")
        .role(FieldRole::Address),
    Field::new("hostname", Kind::Text, "the server's name").role(FieldRole::Host),
    Field::new("hostport", Kind::Number, "the port to play on").role(FieldRole::Port),
    Field::new("info", Kind::Text, "asks for what a list of servers shows"),
    Field::new("ip", Kind::Text, "a listed server, not written as ADDRESS:PORT")
        .role(FieldRole::Address),
    Field::new("list", Kind::Text, "asks the master for servers, in this form").values(LISTS),
    Field::new("listenserver", Kind::Text, "whether somebody plays on the server's machine")
        .values(TRUE_FALSE),
    Field::new("location", Kind::Text, "where the server stands")
        .role(FieldRole::Place)
        .values(LOCATIONS),
    Field::new("mapname", Kind::Text, "the map being played").role(FieldRole::Map),
    Field::new("maptitle", Kind::Text, "the map's title").role(FieldRole::Map),
    Field::new("maxplayers", Kind::Number, "places in all").role(FieldRole::Places),
    Field::new("maxteams", Kind::Number, "teams in a match").role(FieldRole::Count),
    Field::new("minnetver", Kind::Number, "the oldest version that may join"),
    Field::new("minplayers", Kind::Number, "bots fill the game up to this many players")
        .role(FieldRole::Count),
    Field::new("mutators", Kind::Text, "modifications of the rules that are active"),
    Field::new("numplayers", Kind::Number, "players on the server now").role(FieldRole::Players),
    Field::new("numteams", Kind::Number, "teams on the server now").role(FieldRole::Count),
    Field::new("password", Kind::Text, "whether a password is needed, or which (observed)")
        .role(FieldRole::Secret)
        .values(PASSWORD),
    Field::new("players", Kind::Text, "asks for players and teams"),
    Field::new("playersbalanceteams", Kind::Text, "whether teams must be even").values(TRUE_FALSE),
    Field::new("queryid", Kind::Text, "the number of the answer and of this part, from 1"),
    Field::new(
        "rankedserver",
        Kind::Number,
        "1: matches count for a ranking (example of the document)",
    ),
    Field::new("rules", Kind::Text, "asks for the rules of the game"),
    Field::new("secure", Kind::Text, "a challenge, to be answered by validate")
        .role(FieldRole::Challenge),
    Field::new("statechanged", Kind::Text, "the state of the game is another than before"),
    Field::new("status", Kind::Text, "asks for everything"),
    Field::new("teamplay", Kind::Number, "the form of team play").values(&[("0", "no teams")]),
    Field::new("timelimit", Kind::Number, "the time after which the map changes").values(NO_LIMIT),
    Field::new("tournament", Kind::Text, "whether a match waits until all players are ready")
        .values(TRUE_FALSE),
    Field::new("validate", Kind::Text, "what a game's key makes of the challenge"),
    Field::new(
        "wantworldlog",
        Kind::Text,
        "whether the operator wants matches to be recorded by ngWorldStats",
    )
    .values(TRUE_FALSE),
    Field::new("where", Kind::Text, "which servers to list (observed)").role(FieldRole::Free),
    Field::new("worldlog", Kind::Text, "whether matches are recorded by ngWorldStats")
        .values(TRUE_FALSE),
];

static PATTERNS: &[Field] = &[
    Field::new("player_*", Kind::Text, "a player's name").role(FieldRole::Person),
    Field::new("playername_*", Kind::Text, "a player's name, in Battlefield 1942 (observed)")
        .role(FieldRole::Person),
    Field::new("teamname_*", Kind::Text, "a team's name, in Battlefield 1942 (observed)")
        .role(FieldRole::Name),
    Field::new("kills_*", Kind::Number, "enemies that a player killed (observed)"),
    Field::new("score_*", Kind::Number, "a player's kills or points"),
    Field::new("frags_*", Kind::Number, "a player's kills"),
    Field::new("deaths_*", Kind::Number, "how often a player died"),
    Field::new("skill_*", Kind::Number, "how good a player is"),
    Field::new("ping_*", Kind::Number, "a player's round trip in milliseconds"),
    Field::new("team_*", Kind::Text, "a player's team, by number or name")
        .role(FieldRole::Name)
        .values(&[("255", "in Unreal Tournament: no team")]),
    Field::new("mesh_*", Kind::Text, "a player's figure"),
    Field::new("skin_*", Kind::Text, "a player's clothes").role(FieldRole::Name),
    Field::new("face_*", Kind::Text, "a player's face"),
    Field::new(
        "ngsecret_*",
        Kind::Text,
        "whether a player has set the word that ngWorldStats knows players by; not the word itself",
    )
    .values(TRUE_FALSE),
    Field::new("team_t*", Kind::Text, "a team's name").role(FieldRole::Name),
    Field::new("score_t*", Kind::Number, "a team's points"),
    Field::new("cl_**", Kind::Text, "handed on to the client's command line").role(FieldRole::Free),
    Field::new("*_t*", Kind::Text, "something of a team, which the game defines")
        .role(FieldRole::Name),
    Field::new("*_*", Kind::Text, "something of a player, which the game defines")
        .role(FieldRole::Name),
];
