//! The keys in a server's infostring: document 001, section 10.3, which explains none of them. The
//! meanings come from the released sources.

use super::super::{NO_LIMIT, NO_YES, Values};
use codec::{Field, FieldRole, InfoForm, Keys};

pub(super) static TYPE: Values =
    &[("d", "dedicated"), ("l", "on a player's machine"), ("p", "a relay (HLTV)")];
pub(super) static SYSTEM: Values = &[("l", "Linux"), ("w", "Windows")];
pub(super) static PROTOCOLS: Values = &[
    ("7", "Source, old"),
    ("17", "Source"),
    ("46", "Half-Life 1.1.1.0"),
    ("47", "Half-Life with Steam"),
    ("48", "Half-Life with Steam, or old versions of Xash3D"),
    ("49", "Xash3D"),
];
pub(super) static PASSWORD: Values = &[("0", "open"), ("1", "a password is needed")];

/// The keys that the document and the released programs use.
pub static KEYS: Keys = Keys::new(LISTED, &[]);

/// An infostring to the end, or to a NUL.
pub(super) const INFOSTRING: InfoForm = InfoForm { stop: b"\0", keys: &KEYS };

static LISTED: &[Field] = &[
    Field::text("address", "the server's own, address:port").role(FieldRole::Address),
    Field::number("bots", "players that are programs").role(FieldRole::Count),
    Field::number(
        "challenge",
        "the master's challenge, in decimal, sent back to prove where the reply comes from",
    )
    .role(FieldRole::Challenge),
    Field::number("coop", "whether players are on one side; Xash3D's").values(NO_YES),
    Field::number("dedicated", "whether nobody plays on the server itself").values(NO_YES),
    Field::text("description", "the modification's name").role(FieldRole::Free),
    Field::number("dm", "whether everybody plays alone; Xash3D's").values(NO_YES),
    Field::text("gamedir", "the modification's folder; valve is the game alone")
        .role(FieldRole::Game),
    Field::text("gametype", "tags of the server, with commas between; Steam's")
        .role(FieldRole::Free),
    Field::text("host", "the server's name; Xash3D's").role(FieldRole::Host),
    Field::text("hostname", "the server's name").role(FieldRole::Host),
    Field::number("lan", "whether the server is for its own network only").values(NO_YES),
    Field::text("map", "the map being played").role(FieldRole::Map),
    Field::number("max", "places on the server").role(FieldRole::MaxPlayers),
    Field::number("maxcl", "places on the server; Xash3D's").role(FieldRole::MaxPlayers),
    Field::number("nat", "whether the server is behind NAT; Xash3D's").values(NO_YES),
    Field::number("numcl", "players on the server now; Xash3D's").role(FieldRole::Players),
    Field::text("os", "the server's system").values(SYSTEM),
    Field::number("password", "whether a password is needed to join")
        .role(FieldRole::Secret)
        .values(PASSWORD),
    Field::number("players", "players on the server now").role(FieldRole::Players),
    Field::text("product", "the game that the modification belongs to; Xash3D's")
        .role(FieldRole::Game),
    Field::number("protocol", "the network protocol's number")
        .role(FieldRole::Protocol)
        .values(PROTOCOLS),
    Field::number("proxy", "whether this is a relay (HLTV)").values(NO_YES),
    Field::text("proxyaddress", "the relay of this server").role(FieldRole::Address),
    Field::number("proxytarget", "whether a relay shows this server").values(NO_YES),
    Field::number("region", "where the server stands, as in list requests; Xash3D's"),
    Field::number("secure", "whether cheats are looked for").values(NO_YES),
    Field::number("team", "whether teams play; Xash3D's").values(NO_YES),
    Field::text("type", "what kind of server it is").values(TYPE),
    Field::text("version", "the program's version").role(FieldRole::Version),
];

/// Settings in the answer to `rules`; a modification may have any.
pub(super) static RULES: Keys = Keys::new(
    &[
        Field::number("mp_footsteps", "whether steps are heard").values(NO_YES),
        Field::number("mp_fraglimit", "kills that end a match").values(NO_LIMIT),
        Field::number("mp_friendlyfire", "whether players hurt their own team").values(NO_YES),
        Field::number("mp_teamplay", "the form of team play"),
        Field::number("mp_timelimit", "minutes that end a match").values(NO_LIMIT),
        Field::number("sv_gravity", "how strongly things fall"),
    ],
    &[],
);

/// The keys in `netinfo`.
pub(super) static NETINFO: Keys = Keys::new(
    &[
        Field::number("current", "players on the server now").role(FieldRole::Players),
        Field::text("gamedir", "the modification's folder").role(FieldRole::Game),
        Field::text("hostname", "the server's name").role(FieldRole::Host),
        Field::text("map", "the map being played").role(FieldRole::Map),
        Field::number("max", "places on the server").role(FieldRole::MaxPlayers),
        Field::text("neterror", "why there is no answer").values(&[
            ("protocol", "the server's protocol has another number"),
            ("undefined", "the server does not know this type"),
        ]),
    ],
    &[],
);

/// The keys of the first infostring of `connect`: the client's program.
pub(super) static PROTINFO: Keys = Keys::new(
    &[
        Field::number("ext", "extensions of the protocol, as bits"),
        Field::number("qport", "a random number that tells clients behind one address apart"),
        Field::text("uuid", "a lasting identifier of the player").role(FieldRole::Secret),
    ],
    &[],
);

/// The keys of its second infostring: the player's settings.
pub(super) static USER: Keys = Keys::new(
    &[
        Field::number("bottomcolor", "the colour of the player's trousers"),
        Field::text("model", "the player's figure").role(FieldRole::Name),
        Field::text("name", "the player's name").role(FieldRole::Person),
        Field::number("rate", "bytes a second that the client takes"),
        Field::number("topcolor", "the colour of the player's shirt"),
    ],
    &[],
);

/// The keys of `client_connect`.
pub(super) static CLIENT: Keys = Keys::new(
    &[
        Field::number("cheats", "whether commands that help the player are allowed").values(NO_YES),
        Field::number("ext", "extensions of the protocol that both have, as bits"),
    ],
    &[],
);
