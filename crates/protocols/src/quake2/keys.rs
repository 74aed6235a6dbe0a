//! The keys in the infostrings of these games.
//!
//! The keys are those of document 001, sections 2 and 3; it gives the meaning of few, the others
//! come from the released sources of Quake 2.

use super::super::{NEEDPASS, NO_LIMIT, OFF_ON, Values};
use codec::{Field, FieldRole, Keys};

/// Protocol numbers and their games; 32, 35 and 36 are known from the programs that use them.
pub(super) static PROTOCOLS: Values = &[
    ("32", "Kingpin"),
    ("34", "Quake 2 3.14 and later"),
    ("35", "R1Q2"),
    ("36", "Q2PRO"),
    ("51", "Heretic 2 1.06"),
    ("2026", "Quetoo"),
];

/// The keys that the documents show and the released programs use.
pub static KEYS: Keys = Keys::new(LISTED, &[]);

static LISTED: &[Field] = &[
    Field::number("advancedstaff", "1: the staff has its further moves (Heretic 2)").values(OFF_ON),
    Field::number("autoweapon", "1: the player changes to better weapons by itself"),
    Field::number("cheats", "1: cheats are allowed").values(OFF_ON),
    Field::number("coop", "1: players play together").values(OFF_ON),
    Field::number("curplayers", "players now (Gloom)").role(FieldRole::Count),
    Field::number("deathmatch", "1: players play against each other").values(OFF_ON),
    Field::number("dmflags", "rules of the game, one bit each"),
    Field::number("fov", "how wide the player sees, in degrees"),
    Field::number("fraglimit", "frags that end a match").values(NO_LIMIT),
    Field::text("game", "the modification's folder").role(FieldRole::Game),
    Field::text("gamedate", "when the game's module was built"),
    Field::text("gamedir", "the modification's folder").role(FieldRole::Game),
    Field::text("gamename", "which game or modification").role(FieldRole::Game),
    Field::text("gender", "whether the figure is male, female or neither"),
    Field::text("gloomversion", "the modification's version (Gloom)"),
    Field::number("hand", "where the player holds the weapon").values(&[
        ("0", "right"),
        ("1", "left"),
        ("2", "centre, not seen"),
    ]),
    Field::text("hostname", "the server's name").role(FieldRole::Host),
    Field::text("ip", "the client's address, as the server noted it").role(FieldRole::Address),
    Field::text("mapname", "the map being played").role(FieldRole::Map),
    Field::number("max_cl_maxfps", "frames a second that a client may draw (Gloom)"),
    Field::number("max_rate", "bytes a second that a client gets at most (Gloom)"),
    Field::number("maxclients", "places on the server").role(FieldRole::MaxPlayers),
    Field::number("maxplayers", "players who may take part (Gloom)").role(FieldRole::Count),
    Field::number("maxspectators", "clients who may watch").role(FieldRole::Count),
    Field::number("msg", "from which level on the player is shown messages"),
    Field::text("name", "the player's name").role(FieldRole::Person),
    Field::number("needpass", "whether a password is needed").values(NEEDPASS),
    Field::number("nomonsters", "1: no monsters in the map (Heretic 2)").values(OFF_ON),
    Field::number("port", "the server's port (Q2PRO)").role(FieldRole::Port),
    Field::number("protocol", "the network protocol's number")
        .role(FieldRole::Protocol)
        .values(PROTOCOLS),
    Field::number("rate", "bytes a second that the client takes"),
    Field::text("skin", "the player's figure, as model/skin").role(FieldRole::Name),
    Field::text("spectator", "whether the player only watches: 0, 1, or the password for it")
        .role(FieldRole::Secret),
    Field::text("sv_hostname", "the server's name (Quetoo)").role(FieldRole::Host),
    Field::number("sv_max_clients", "places on the server (Quetoo)").role(FieldRole::MaxPlayers),
    Field::number("timelimit", "minutes that end a match").values(NO_LIMIT),
    Field::text("uptime", "how long the server has been running"),
    Field::text("userdir", "where the server keeps its files (Heretic 2)").role(FieldRole::Free),
    Field::text("version", "program, version, system and build date").role(FieldRole::Version),
    Field::number("voting", "what players may vote on, one bit each (Gloom)"),
    Field::number("xmins", "minutes that a match goes on beyond its limit (Gloom)"),
];
