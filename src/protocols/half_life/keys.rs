//! The keys in a server's infostring: document 001, section 10.3, which explains none of them. The
//! meanings come from the released sources.

use crate::codec::{Field, FieldRole, Keys, Kind};

type Values = &'static [(&'static str, &'static str)];

static NO_YES: Values = &[("0", "no"), ("1", "yes")];
static TYPE: Values =
    &[("d", "dedicated"), ("l", "on a player's machine"), ("p", "a relay (HLTV)")];
static SYSTEM: Values = &[("l", "Linux"), ("w", "Windows")];
static PROTOCOLS: Values = &[("46", "Half-Life 1.1.1.0"), ("47", "Half-Life with Steam")];
static PASSWORD: Values = &[("0", "open"), ("1", "a password is needed")];

/// The keys that the document and the released programs use.
pub static KEYS: Keys = Keys::new(LISTED, &[]);

static LISTED: &[Field] = &[
    Field::new("bots", Kind::Number, "players that are programs").role(FieldRole::Count),
    Field::new(
        "challenge",
        Kind::Number,
        "the master's challenge, in decimal, sent back to prove where the reply comes from",
    )
    .role(FieldRole::Challenge),
    Field::new("dedicated", Kind::Number, "whether nobody plays on the server itself")
        .values(NO_YES),
    Field::new("gamedir", Kind::Text, "the modification's folder; valve is the game alone")
        .role(FieldRole::Game),
    Field::new("lan", Kind::Number, "whether the server is for its own network only")
        .values(NO_YES),
    Field::new("map", Kind::Text, "the map being played").role(FieldRole::Map),
    Field::new("max", Kind::Number, "places on the server").role(FieldRole::Places),
    Field::new("os", Kind::Text, "the server's system").values(SYSTEM),
    Field::new("password", Kind::Number, "whether a password is needed to join")
        .role(FieldRole::Secret)
        .values(PASSWORD),
    Field::new("players", Kind::Number, "players on the server now").role(FieldRole::Players),
    Field::new("protocol", Kind::Number, "the network protocol's number")
        .role(FieldRole::Protocol)
        .values(PROTOCOLS),
    Field::new("proxy", Kind::Number, "whether this is a relay (HLTV)").values(NO_YES),
    Field::new("proxyaddress", Kind::Text, "the relay of this server").role(FieldRole::Address),
    Field::new("proxytarget", Kind::Number, "whether a relay shows this server").values(NO_YES),
    Field::new("secure", Kind::Number, "whether cheats are looked for").values(NO_YES),
    Field::new("type", Kind::Text, "what kind of server it is").values(TYPE),
    Field::new("version", Kind::Text, "the program's version").role(FieldRole::Version),
];
