//! The keys in a server's infostring: document 001, section 10.3, which explains none of them. The
//! meanings come from the released sources.

use super::super::{NO_YES, Values};
use crate::codec::{Field, FieldRole, Keys};

static TYPE: Values =
    &[("d", "dedicated"), ("l", "on a player's machine"), ("p", "a relay (HLTV)")];
static SYSTEM: Values = &[("l", "Linux"), ("w", "Windows")];
static PROTOCOLS: Values = &[("46", "Half-Life 1.1.1.0"), ("47", "Half-Life with Steam")];
static PASSWORD: Values = &[("0", "open"), ("1", "a password is needed")];

/// The keys that the document and the released programs use.
pub static KEYS: Keys = Keys::new(LISTED, &[]);

static LISTED: &[Field] = &[
    Field::number("bots", "players that are programs").role(FieldRole::Count),
    Field::number(
        "challenge",
        "the master's challenge, in decimal, sent back to prove where the reply comes from",
    )
    .role(FieldRole::Challenge),
    Field::number("dedicated", "whether nobody plays on the server itself").values(NO_YES),
    Field::text("gamedir", "the modification's folder; valve is the game alone")
        .role(FieldRole::Game),
    Field::number("lan", "whether the server is for its own network only").values(NO_YES),
    Field::text("map", "the map being played").role(FieldRole::Map),
    Field::number("max", "places on the server").role(FieldRole::MaxPlayers),
    Field::text("os", "the server's system").values(SYSTEM),
    Field::number("password", "whether a password is needed to join")
        .role(FieldRole::Secret)
        .values(PASSWORD),
    Field::number("players", "players on the server now").role(FieldRole::Players),
    Field::number("protocol", "the network protocol's number")
        .role(FieldRole::Protocol)
        .values(PROTOCOLS),
    Field::number("proxy", "whether this is a relay (HLTV)").values(NO_YES),
    Field::text("proxyaddress", "the relay of this server").role(FieldRole::Address),
    Field::number("proxytarget", "whether a relay shows this server").values(NO_YES),
    Field::number("secure", "whether cheats are looked for").values(NO_YES),
    Field::text("type", "what kind of server it is").values(TYPE),
    Field::text("version", "the program's version").role(FieldRole::Version),
];
