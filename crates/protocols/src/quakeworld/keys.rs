//! The keys in the infostrings of these games.
//!
//! The keys are those of document 001, section 6.2; their meanings come from the released sources.
//! Keys that only the program may set begin with a star, those that one server invented are in
//! brackets.

use super::super::{NEEDPASS, NO_LIMIT, OFF_ON};
use codec::{Field, FieldRole, Keys};

/// The keys that the documents show and the released programs use.
pub static KEYS: Keys = Keys::new(LISTED, &[]);

static LISTED: &[Field] = &[
    Field::text("*admin", "who runs the server").role(FieldRole::Person),
    Field::text("*client", "the client's program and version").role(FieldRole::Version),
    Field::text("*gamedir", "the modification's folder; qw and hw are the games alone")
        .role(FieldRole::Game),
    Field::text("*ip", "the client's address, as the server noted it").role(FieldRole::Address),
    Field::text("*progs", "checksum of the game's rules, or their name"),
    Field::text("*qwe_version", "the version of the server program QWE"),
    Field::text("*qwfwd", "the proxy's version, if the client comes through one")
        .role(FieldRole::Version),
    Field::number("*spectator", "1: the player only watches").values(OFF_ON),
    Field::text("*ver", "the client's version").role(FieldRole::Version),
    Field::text("*version", "the server's version").role(FieldRole::Version),
    Field::number("*z_ext", "extensions that the program knows, one bit each"),
    Field::text("[maps]", "where to find maps, as the operator wrote it").role(FieldRole::Free),
    Field::text("[maxrate]", "bytes a second at most, as the operator wrote it")
        .role(FieldRole::Free),
    Field::text("[www]", "the server's site, as the operator wrote it").role(FieldRole::Free),
    Field::text("admin", "who runs the server, as the operator wrote it").role(FieldRole::Person),
    Field::number("bottomcolor", "colour of the player's trousers, 0 to 13"),
    Field::number("deathmatch", "the rules of weapons and ammunition, 1 to 5"),
    Field::text("epoch", "when the match began, in seconds since 1970"),
    Field::number("fpd", "what clients may not do, one bit each"),
    Field::number("fraglimit", "frags that end a match").values(NO_LIMIT),
    Field::text("hostname", "the server's name").role(FieldRole::Host),
    Field::text("hostport", "the server's address and port").role(FieldRole::Address),
    Field::text("ktxver", "the version of the modification KTX").role(FieldRole::Version),
    Field::text("map", "the map being played").role(FieldRole::Map),
    Field::text("matchtag", "the name of the match").role(FieldRole::Free),
    Field::number("maxclients", "places for players").role(FieldRole::MaxPlayers),
    Field::number("maxfps", "frames a second that a client may draw"),
    Field::number("maxplayers", "places for players").role(FieldRole::MaxPlayers),
    Field::number("maxspectators", "places for those who watch").role(FieldRole::Count),
    Field::number("maxvip_spectators", "places kept for known people who watch")
        .role(FieldRole::Count),
    Field::text("message", "what the player says to all servers").role(FieldRole::Free),
    Field::text("mode", "the kind of match: 1on1, 2on2, ffa and others"),
    Field::number("msg", "from which level on the player is shown messages"),
    Field::text("name", "the player's name, gold by the high bit").role(FieldRole::Person),
    Field::number("needpass", "whether a password is needed").values(NEEDPASS),
    Field::number("noaim", "1: the server does not help the player to aim"),
    Field::number("players", "players now").role(FieldRole::Players),
    Field::number("pm_ktjump", "1: jumps are as KTX has them").values(OFF_ON),
    Field::number("port", "the server's port").role(FieldRole::Port),
    Field::number("powerups", "whether special items lie in the map"),
    Field::text("prx", "the server behind the proxy, with its port, and further proxies before @")
        .role(FieldRole::Address),
    Field::number("rate", "bytes a second that the client takes"),
    Field::number("samelevel", "whether the map stays when a match ends"),
    Field::text("serverdemo", "the demo that is being recorded").role(FieldRole::Free),
    Field::text("skin", "the player's figure").role(FieldRole::Name),
    Field::number("spawn", "where players come into the map"),
    Field::text("spectator", "whether the player only watches: 0, 1, or the password for it")
        .role(FieldRole::Secret),
    Field::text("status", "what goes on: Standby, Countdown, minutes left"),
    Field::number("sv_antilag", "whether the server makes up for the delay of players"),
    Field::text("team", "the player's team").role(FieldRole::Name),
    Field::number("teamplay", "the rules of teams").values(&[("0", "no teams")]),
    Field::number("timelimit", "minutes that end a match").values(NO_LIMIT),
    Field::number("topcolor", "colour of the player's shirt, 0 to 13"),
    Field::number("watervis", "1: the map may be seen through water").values(OFF_ON),
];
