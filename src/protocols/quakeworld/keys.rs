//! The keys in the infostrings of these games.
//!
//! The keys are those of document 001, section 6.2; their meanings come from the released sources.
//! Keys that only the program may set begin with a star, those that one server invented are in
//! brackets.

use crate::codec::{Field, FieldRole, Keys, Kind};

type Values = &'static [(&'static str, &'static str)];

static NO_LIMIT: Values = &[("0", "no limit")];
static OFF_ON: Values = &[("0", "off"), ("1", "on")];
static NEEDPASS: Values = &[
    ("0", "open"),
    ("1", "a password to play"),
    ("2", "a password to watch"),
    ("3", "a password to play and one to watch"),
];

/// The keys that the documents show and the released programs use.
pub static KEYS: Keys = Keys::new(LISTED, &[]);

static LISTED: &[Field] = &[
    Field::new("*gamedir", Kind::Text, "the modification's folder; qw and hw are the games alone")
        .role(FieldRole::Game),
    Field::new("*ip", Kind::Text, "the client's address, as the server noted it")
        .role(FieldRole::Address),
    Field::new("*progs", Kind::Text, "checksum of the game's rules, or their name"),
    Field::new("*qwe_version", Kind::Text, "the version of the server program QWE"),
    Field::new("*spectator", Kind::Number, "1: the player only watches").values(OFF_ON),
    Field::new("*ver", Kind::Text, "the client's version").role(FieldRole::Version),
    Field::new("*version", Kind::Text, "the server's version").role(FieldRole::Version),
    Field::new("*z_ext", Kind::Number, "extensions that the program knows, one bit each"),
    Field::new("[maps]", Kind::Text, "where to find maps, as the operator wrote it")
        .role(FieldRole::Free),
    Field::new("[maxrate]", Kind::Text, "bytes a second at most, as the operator wrote it")
        .role(FieldRole::Free),
    Field::new("[www]", Kind::Text, "the server's site, as the operator wrote it")
        .role(FieldRole::Free),
    Field::new("admin", Kind::Text, "who runs the server, as the operator wrote it")
        .role(FieldRole::Person),
    Field::new("bottomcolor", Kind::Number, "colour of the player's trousers, 0 to 13"),
    Field::new("deathmatch", Kind::Number, "the rules of weapons and ammunition, 1 to 5"),
    Field::new("fraglimit", Kind::Number, "frags that end a match").values(NO_LIMIT),
    Field::new("hostname", Kind::Text, "the server's name").role(FieldRole::Host),
    Field::new("map", Kind::Text, "the map being played").role(FieldRole::Map),
    Field::new("maxclients", Kind::Number, "places for players").role(FieldRole::Places),
    Field::new("maxfps", Kind::Number, "frames a second that a client may draw"),
    Field::new("maxspectators", Kind::Number, "places for those who watch").role(FieldRole::Count),
    Field::new("maxvip_spectators", Kind::Number, "places kept for known people who watch")
        .role(FieldRole::Count),
    Field::new("msg", Kind::Number, "from which level on the player is shown messages"),
    Field::new("name", Kind::Text, "the player's name, gold by the high bit")
        .role(FieldRole::Person),
    Field::new("needpass", Kind::Number, "whether a password is needed").values(NEEDPASS),
    Field::new("noaim", Kind::Number, "1: the server does not help the player to aim"),
    Field::new("powerups", Kind::Number, "whether special items lie in the map"),
    Field::new("rate", Kind::Number, "bytes a second that the client takes"),
    Field::new("samelevel", Kind::Number, "whether the map stays when a match ends"),
    Field::new("skin", Kind::Text, "the player's figure").role(FieldRole::Name),
    Field::new("spawn", Kind::Number, "where players come into the map"),
    Field::new(
        "spectator",
        Kind::Text,
        "whether the player only watches: 0, 1, or the password for it",
    )
    .role(FieldRole::Secret),
    Field::new("team", Kind::Text, "the player's team").role(FieldRole::Name),
    Field::new("teamplay", Kind::Number, "the rules of teams").values(&[("0", "no teams")]),
    Field::new("timelimit", Kind::Number, "minutes that end a match").values(NO_LIMIT),
    Field::new("topcolor", Kind::Number, "colour of the player's shirt, 0 to 13"),
    Field::new("watervis", Kind::Number, "1: the map may be seen through water").values(OFF_ON),
];
