//! The keys in the pairs of these games.
//!
//! The reserved keys, players' and teams' keys and those passed on to the client: document 003.
//! Unreal's: document 001, section 5, which lists them without explanation; their meanings come
//! from the game's own scripts and are *observed*.

use super::super::{NO_LIMIT, Values};
use super::location::LOCATIONS;
use codec::{Field, FieldRole, Keys};

static TRUE_FALSE: Values = &[("true", "yes"), ("false", "no")];

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
    Field::text("admin", "who runs the server").role(FieldRole::Person),
    Field::text("AdminEMail", "how to reach who runs the server").role(FieldRole::Person),
    Field::text("AdminName", "who runs the server").role(FieldRole::Person),
    Field::number("averageFPS", "pictures a second on the server; Battlefield 1942's"),
    Field::text("balanceteams", "whether players are moved so that teams stay even")
        .values(TRUE_FALSE),
    Field::text("basic", "asks for name, version and place of the game"),
    Field::text("changelevels", "whether the map changes when a match ends").values(TRUE_FALSE),
    Field::text("connection", "the server's line").role(FieldRole::Free),
    Field::text("cpu", "the server's processor").role(FieldRole::Free),
    Field::number("dedicated", "what kind of server it is; Battlefield 1942's"),
    Field::text("echo", "a text to be sent back, or sent back").role(FieldRole::Free),
    Field::text("echo_reply", "a text that was to be sent back; Medal of Honor's")
        .role(FieldRole::Free),
    Field::number("enctype", "how the client wants its list coded (observed)").values(ENCTYPES),
    Field::text("final", "the last part of an answer, or the end of a message")
        .role(FieldRole::End),
    Field::number("fraglimit", "kills or points that end a match").values(NO_LIMIT),
    Field::text("friendlyfire", "how much players hurt their own team"),
    Field::text("gameId", "the modification; Battlefield 1942's").role(FieldRole::Game),
    Field::text("gamemode", "whether the game is on and may be joined").values(GAMEMODES),
    Field::text("gamename", "the game's own name in the network").role(FieldRole::Game),
    Field::text("gamestyle", "how fast and hard the game is played"),
    Field::text("gametype", "the rules or the modification that is played"),
    Field::text("gamever", "the program's version").role(FieldRole::Version),
    Field::number("goalteamscore", "the team's score that ends a match").values(NO_LIMIT),
    Field::number("groupid", "the group of servers that it belongs to (observed)"),
    Field::number("heartbeat", "the UDP port on which the server is asked").role(FieldRole::Port),
    Field::text("hostip", "where to play, if not where the message comes from")
        .role(FieldRole::Address),
    Field::text("hostname", "the server's name").role(FieldRole::Host),
    Field::number("hostport", "the port to play on").role(FieldRole::Port),
    Field::text("info", "asks for what a list of servers shows"),
    Field::text("ip", "a listed server, not written as ADDRESS:PORT").role(FieldRole::Address),
    Field::text("list", "asks the master for servers, in this form").values(LISTS),
    Field::text("listenserver", "whether somebody plays on the server's machine")
        .values(TRUE_FALSE),
    Field::text("location", "where the server stands").role(FieldRole::Location).values(LOCATIONS),
    Field::text("mapname", "the map being played").role(FieldRole::Map),
    Field::text("maptitle", "the map's title").role(FieldRole::Map),
    Field::number("maxplayers", "places in all").role(FieldRole::MaxPlayers),
    Field::number("maxteams", "teams in a match").role(FieldRole::Count),
    Field::number("minnetver", "the oldest version that may join"),
    Field::number("minplayers", "bots fill the game up to this many players")
        .role(FieldRole::Count),
    Field::text("mutators", "modifications of the rules that are active"),
    Field::number("numplayers", "players on the server now").role(FieldRole::Players),
    Field::number("numteams", "teams on the server now").role(FieldRole::Count),
    Field::text("packets", "asks how many packets the server has sent; Medal of Honor's"),
    Field::text("password", "whether a password is needed, or which (observed)")
        .role(FieldRole::Secret)
        .values(PASSWORD),
    Field::text("players", "asks for players and teams"),
    Field::text("playersbalanceteams", "whether teams must be even").values(TRUE_FALSE),
    Field::text("queryid", "the number of the answer and of this part, from 1"),
    Field::number("rankedserver", "1: matches count for a ranking (example of the document)"),
    Field::text("rules", "asks for the rules of the game"),
    Field::text("secure", "a challenge, to be answered by validate").role(FieldRole::Challenge),
    Field::text("statechanged", "the state of the game is another than before"),
    Field::text("status", "asks for everything"),
    Field::number("teamplay", "the form of team play").values(&[("0", "no teams")]),
    Field::number("tickets1", "how often team 1 may still come back; Battlefield 1942's"),
    Field::number("tickets2", "how often team 2 may still come back; Battlefield 1942's"),
    Field::number("timelimit", "the time after which the map changes").values(NO_LIMIT),
    Field::text("tournament", "whether a match waits until all players are ready")
        .values(TRUE_FALSE),
    Field::text("validate", "what a game's key makes of the challenge"),
    Field::text("version", "the program's version; Battlefield 1942's").role(FieldRole::Version),
    Field::text(
        "wantworldlog",
        "whether the operator wants matches to be recorded by ngWorldStats",
    )
    .values(TRUE_FALSE),
    Field::text("where", "which servers to list (observed)").role(FieldRole::Free),
    Field::text("worldlog", "whether matches are recorded by ngWorldStats").values(TRUE_FALSE),
];

static PATTERNS: &[Field] = &[
    Field::text("player_*", "a player's name").role(FieldRole::Person),
    Field::text("playername_*", "a player's name; Battlefield 1942's").role(FieldRole::Person),
    Field::text("teamname_*", "a team's name, from 0; Battlefield 1942's").role(FieldRole::Name),
    Field::number("kills_*", "enemies that a player killed (observed)"),
    Field::number("score_*", "a player's kills or points"),
    Field::number("frags_*", "a player's kills"),
    Field::number("deaths_*", "how often a player died"),
    Field::number("skill_*", "how good a player is"),
    Field::number("ping_*", "a player's round trip in milliseconds"),
    Field::text("team_*", "a player's team, by number or name")
        .role(FieldRole::Name)
        .values(&[("255", "in Unreal Tournament: no team")]),
    Field::text("mesh_*", "a player's figure"),
    Field::text("skin_*", "a player's clothes").role(FieldRole::Name),
    Field::text("face_*", "a player's face"),
    Field::text(
        "ngsecret_*",
        "whether a player has set the word that ngWorldStats knows players by; not the word itself",
    )
    .values(TRUE_FALSE),
    Field::text("team_t*", "a team's name").role(FieldRole::Name),
    Field::number("score_t*", "a team's points"),
    Field::text("cl_**", "handed on to the client's command line").role(FieldRole::Free),
    Field::text("*_t*", "something of a team, which the game defines").role(FieldRole::Name),
    Field::text("*_*", "something of a player, which the game defines").role(FieldRole::Name),
];
