//! The keys in the infostrings of these games.
//!
//! The keys are those of document 001, sections 2 and 3; it gives the meaning of few, the others
//! come from the released sources of Quake 2.

use crate::codec::{Field, FieldRole, Keys, Kind};

type Values = &'static [(&'static str, &'static str)];

/// Protocol numbers and their games; 35 and 36 are known from the programs that use them.
pub(super) static PROTOCOLS: Values =
    &[("34", "Quake 2 3.14 and later"), ("35", "R1Q2"), ("36", "Q2PRO"), ("51", "Heretic 2 1.06")];

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
    Field::new("advancedstaff", Kind::Number, "1: the staff has its further moves (Heretic 2)")
        .values(OFF_ON),
    Field::new("autoweapon", Kind::Number, "1: the player changes to better weapons by itself"),
    Field::new("cheats", Kind::Number, "1: cheats are allowed").values(OFF_ON),
    Field::new("coop", Kind::Number, "1: players play together").values(OFF_ON),
    Field::new("curplayers", Kind::Number, "players now (Gloom)").role(FieldRole::Count),
    Field::new("deathmatch", Kind::Number, "1: players play against each other").values(OFF_ON),
    Field::new("dmflags", Kind::Number, "rules of the game, one bit each"),
    Field::new("fov", Kind::Number, "how wide the player sees, in degrees"),
    Field::new("fraglimit", Kind::Number, "frags that end a match").values(NO_LIMIT),
    Field::new("game", Kind::Text, "the modification's folder").role(FieldRole::Game),
    Field::new("gamedate", Kind::Text, "when the game's module was built"),
    Field::new("gamedir", Kind::Text, "the modification's folder").role(FieldRole::Game),
    Field::new("gamename", Kind::Text, "which game or modification").role(FieldRole::Game),
    Field::new("gender", Kind::Text, "whether the figure is male, female or neither"),
    Field::new("gloomversion", Kind::Text, "the modification's version (Gloom)"),
    Field::new("hand", Kind::Number, "where the player holds the weapon").values(&[
        ("0", "right"),
        ("1", "left"),
        ("2", "centre, not seen"),
    ]),
    Field::new("hostname", Kind::Text, "the server's name").role(FieldRole::Host),
    Field::new("ip", Kind::Text, "the client's address, as the server noted it")
        .role(FieldRole::Address),
    Field::new("mapname", Kind::Text, "the map being played").role(FieldRole::Map),
    Field::new("max_cl_maxfps", Kind::Number, "frames a second that a client may draw (Gloom)"),
    Field::new("max_rate", Kind::Number, "bytes a second that a client gets at most (Gloom)"),
    Field::new("maxclients", Kind::Number, "places on the server").role(FieldRole::Places),
    Field::new("maxplayers", Kind::Number, "players who may take part (Gloom)")
        .role(FieldRole::Count),
    Field::new("maxspectators", Kind::Number, "clients who may watch").role(FieldRole::Count),
    Field::new("msg", Kind::Number, "from which level on the player is shown messages"),
    Field::new("name", Kind::Text, "the player's name").role(FieldRole::Person),
    Field::new("needpass", Kind::Number, "whether a password is needed").values(NEEDPASS),
    Field::new("nomonsters", Kind::Number, "1: no monsters in the map (Heretic 2)").values(OFF_ON),
    Field::new("protocol", Kind::Number, "the network protocol's number")
        .role(FieldRole::Protocol)
        .values(PROTOCOLS),
    Field::new("rate", Kind::Number, "bytes a second that the client takes"),
    Field::new("skin", Kind::Text, "the player's figure, as model/skin").role(FieldRole::Name),
    Field::new(
        "spectator",
        Kind::Text,
        "whether the player only watches: 0, 1, or the password for it",
    )
    .role(FieldRole::Secret),
    Field::new("timelimit", Kind::Number, "minutes that end a match").values(NO_LIMIT),
    Field::new("uptime", Kind::Text, "how long the server has been running"),
    Field::new("userdir", Kind::Text, "where the server keeps its files (Heretic 2)")
        .role(FieldRole::Free),
    Field::new("version", Kind::Text, "program, version, system and build date")
        .role(FieldRole::Version),
    Field::new("voting", Kind::Number, "what players may vote on, one bit each (Gloom)"),
    Field::new("xmins", Kind::Number, "minutes that a match goes on beyond its limit (Gloom)"),
];
