//! The keys in the infostrings of these games.
//!
//! Keys and their use: document 001 (sections 1, 4, 8, 11), document 004; those of later programs
//! are observed. Values are explained if a document or a released source does so.

use crate::codec::{Field, FieldRole, Keys, Kind};

type Values = &'static [(&'static str, &'static str)];

/// Protocol numbers and the game versions that use them.
pub(super) static PROTOCOLS: Values = &[
    ("3", "DarkPlaces games"),
    ("24", "Elite Force 1.20"),
    ("43", "Quake III 1.11 to 1.16"),
    ("45", "Quake III 1.17"),
    ("48", "Quake III 1.27"),
    ("50", "Return to Castle Wolfenstein multiplayer demo"),
    ("57", "Return to Castle Wolfenstein 1.0, 1.1"),
    ("59", "Return to Castle Wolfenstein 1.33"),
    ("60", "Return to Castle Wolfenstein 1.4"),
    ("66", "Quake III 1.30"),
    ("67", "Quake III 1.31"),
    ("68", "Quake III 1.32"),
    ("71", "OpenArena, ioquake3"),
    ("72", "Enemy Territory test"),
    ("80", "Enemy Territory 2.4"),
    ("82", "Enemy Territory 2.55"),
    ("83", "Enemy Territory 2.56"),
    ("84", "Enemy Territory 2.60"),
];

/// Each game has its own numbers; these are Quake III's.
static GAMETYPES: Values = &[
    ("0", "in Quake III: free for all"),
    ("1", "in Quake III: tournament"),
    ("3", "in Quake III: team deathmatch"),
    ("4", "in Quake III: capture the flag"),
];

static OFF_ON: Values = &[("0", "off"), ("1", "on")];
static PURE: Values =
    &[("0", "clients may use files of their own"), ("1", "only the server's files")];
static NEEDPASS: Values = &[("0", "open"), ("1", "a password is needed")];
static ANONYMOUS: Values = &[("0", "key needed"), ("1", "key not needed")];
static NO_LIMIT: Values = &[("0", "no limit")];

/// The keys that the documents and the released programs use.
pub static KEYS: Keys = Keys::new(LISTED, &[]);

static LISTED: &[Field] = &[
    Field::new("Admin", Kind::Text, "who runs the server, as the operator wrote it")
        .role(FieldRole::Person),
    Field::new("Administrator", Kind::Text, "who runs the server, as the operator wrote it")
        .role(FieldRole::Person),
    Field::new("auth", Kind::Text, "which authorization the server wants of its players")
        .role(FieldRole::Secret),
    Field::new("balancedteams", Kind::Number, "1: players are moved so that teams stay even"),
    Field::new("bot_minplayers", Kind::Number, "bots fill the game up to this many players")
        .role(FieldRole::Count),
    Field::new("bots", Kind::Number, "players that are programs").role(FieldRole::Count),
    Field::new("capturelimit", Kind::Number, "flags that end a match").values(NO_LIMIT),
    Field::new(
        "cg_predictItems",
        Kind::Number,
        "1: the client shows an item as taken before the server says so",
    ),
    Field::new(
        "challenge",
        Kind::Text,
        "the random text of the request, sent back to prove where a reply comes from",
    )
    .role(FieldRole::Challenge),
    Field::new("cl_anonymous", Kind::Number, "1: the player asks not to be identified"),
    Field::new(
        "cl_guid",
        Kind::Text,
        "a lasting identifier of the player, derived from the CD key",
    )
    .role(FieldRole::Secret),
    Field::new("cl_punkbuster", Kind::Number, "1: the client runs PunkBuster").values(OFF_ON),
    Field::new("Clan", Kind::Text, "the clan that the server belongs to, as the operator wrote it")
        .role(FieldRole::Name),
    Field::new("clients", Kind::Number, "players on the server now").role(FieldRole::Players),
    Field::new("color1", Kind::Text, "the player's first colour, a digit of the palette"),
    Field::new("color2", Kind::Text, "the player's second colour, a digit of the palette"),
    Field::new("colorbits", Kind::Number, "depth of the client's screen in bits"),
    Field::new("cputype", Kind::Text, "the client's processor"),
    Field::new("d0_blind_id", Kind::Text, "fingerprint of the server's public key (DarkPlaces)")
        .role(FieldRole::Free),
    Field::new("dmflags", Kind::Number, "rules of the game, one bit each"),
    Field::new("fraglimit", Kind::Number, "frags that end a match").values(NO_LIMIT),
    Field::new("friendlyFire", Kind::Number, "1: players can hurt their own team"),
    Field::new("fs_game", Kind::Text, "the modification's folder").role(FieldRole::Game),
    Field::new("g_allowvote", Kind::Number, "1: players may call votes"),
    Field::new(
        "g_antilag",
        Kind::Number,
        "1: the server makes up for the delay of the shooter's line",
    ),
    Field::new("g_balancedteams", Kind::Number, "1: players are moved so that teams stay even"),
    Field::new("g_friendlyfire", Kind::Number, "1: players can hurt their own team"),
    Field::new("g_gametype", Kind::Number, "the rules that are played, as a number")
        .values(GAMETYPES),
    Field::new("g_gravity", Kind::Number, "how fast players fall; 800 is normal"),
    Field::new(
        "g_heavyWeaponRestriction",
        Kind::Number,
        "percentage of a team that may carry heavy weapons",
    ),
    Field::new("g_humanplayers", Kind::Number, "players that are people").role(FieldRole::Count),
    Field::new("g_maxGameClients", Kind::Number, "players that may take part, the others watch")
        .role(FieldRole::Count)
        .values(NO_LIMIT),
    Field::new("g_maxlives", Kind::Number, "lives of each player in a round").values(NO_LIMIT),
    Field::new("g_needpass", Kind::Number, "1: a password is needed to join").values(NEEDPASS),
    Field::new("g_pModActionHero", Kind::Number, "1: Action Hero rules (Elite Force)"),
    Field::new("g_pModAssimilation", Kind::Number, "1: Assimilation rules (Elite Force)"),
    Field::new("g_pModDisintegration", Kind::Number, "1: Disintegration rules (Elite Force)"),
    Field::new("g_pModElimination", Kind::Number, "1: Elimination rules (Elite Force)"),
    Field::new("g_pModSpecialties", Kind::Number, "1: Specialties rules (Elite Force)"),
    Field::new("g_speed", Kind::Number, "how fast players run, in units a second"),
    Field::new("g_tourney", Kind::Number, "1: tournament rules"),
    Field::new("game", Kind::Text, "the modification's folder").role(FieldRole::Game),
    Field::new("gamedate", Kind::Text, "when the game's module was built"),
    Field::new("gamedir", Kind::Text, "the modification's folder").role(FieldRole::Game),
    Field::new("gamename", Kind::Text, "which game or modification").role(FieldRole::Game),
    Field::new("gameskill", Kind::Number, "how strong the bots are, from 1"),
    Field::new("gamestartup", Kind::Text, "when the server was started"),
    Field::new("gametype", Kind::Text, "the rules that are played, mostly a number")
        .values(GAMETYPES),
    Field::new("handicap", Kind::Number, "the player's starting health and damage, in percent"),
    Field::new("headmodel", Kind::Text, "the player's head, as model/skin"),
    Field::new("hostname", Kind::Text, "the server's name, with colours").role(FieldRole::Host),
    Field::new("ip", Kind::Text, "the client's address, as the server noted it")
        .role(FieldRole::Address),
    Field::new("joystick", Kind::Number, "1: the client uses a joystick"),
    Field::new("mapname", Kind::Text, "the map being played").role(FieldRole::Map),
    Field::new("maxlives", Kind::Number, "lives of each player in a round").values(NO_LIMIT),
    Field::new("maxPing", Kind::Number, "clients with a longer ping are refused, in milliseconds")
        .values(NO_LIMIT),
    Field::new("memory", Kind::Number, "the client's memory in megabytes"),
    Field::new("mhz", Kind::Number, "the client's clock rate in megahertz"),
    Field::new("minPing", Kind::Number, "clients with a shorter ping are refused, in milliseconds")
        .values(NO_LIMIT),
    Field::new("model", Kind::Text, "the player's figure, as model/skin"),
    Field::new("modname", Kind::Text, "the modification's name").role(FieldRole::Game),
    Field::new("motd", Kind::Text, "the message of the day").role(FieldRole::Free),
    Field::new("name", Kind::Text, "the player's name, with colours").role(FieldRole::Person),
    Field::new("needpass", Kind::Number, "1: a password is needed to join").values(NEEDPASS),
    Field::new("protocol", Kind::Number, "the network protocol's number")
        .role(FieldRole::Protocol)
        .values(PROTOCOLS),
    Field::new("punkbuster", Kind::Number, "1: the server demands PunkBuster").values(OFF_ON),
    Field::new("pure", Kind::Number, "1: clients must play with the server's files").values(PURE),
    Field::new(
        "qcstatus",
        Kind::Text,
        "state of the running game, written by the game's module (DarkPlaces)",
    )
    .role(FieldRole::Free),
    Field::new(
        "qport",
        Kind::Number,
        "a random number that tells clients behind one address apart",
    ),
    Field::new("rate", Kind::Number, "bytes a second that the client takes"),
    Field::new("renderer", Kind::Text, "the client's graphics system"),
    Field::new("serverload", Kind::Number, "how busy the server's processor is, in percent"),
    Field::new("sex", Kind::Text, "whether the figure is male, female or neuter"),
    Field::new("snaps", Kind::Number, "snapshots a second that the client asks for"),
    Field::new("sv_allowAnonymous", Kind::Number, "1: players without a verified CD key may join")
        .values(ANONYMOUS),
    Field::new(
        "sv_allowDownload",
        Kind::Number,
        "1: clients may load missing files from the server",
    ),
    Field::new("sv_dlURL", Kind::Text, "where clients find missing files").role(FieldRole::Free),
    Field::new("sv_floodProtect", Kind::Number, "1: commands that come too fast are dropped"),
    Field::new("sv_fps", Kind::Number, "frames a second that the server computes"),
    Field::new("sv_hostname", Kind::Text, "the server's name, with colours").role(FieldRole::Host),
    Field::new("sv_maxclients", Kind::Number, "places on the server").role(FieldRole::Places),
    Field::new(
        "sv_maxPing",
        Kind::Number,
        "clients with a longer ping are refused, in milliseconds",
    )
    .values(NO_LIMIT),
    Field::new("sv_maxRate", Kind::Number, "bytes a second that a client gets at most")
        .values(NO_LIMIT),
    Field::new(
        "sv_minPing",
        Kind::Number,
        "clients with a shorter ping are refused, in milliseconds",
    )
    .values(NO_LIMIT),
    Field::new("sv_minRate", Kind::Number, "bytes a second that a client gets at least")
        .values(NO_LIMIT),
    Field::new(
        "sv_privateClients",
        Kind::Number,
        "places kept for players with the private password",
    )
    .role(FieldRole::Count),
    Field::new("sv_punkbuster", Kind::Number, "1: the server demands PunkBuster").values(OFF_ON),
    Field::new("sv_pure", Kind::Number, "1: clients must play with the server's files")
        .values(PURE),
    Field::new("sv_referencedPakNames", Kind::Text, "names of the files in use"),
    Field::new("sv_referencedPaks", Kind::Text, "checksums of the files in use"),
    Field::new("sv_uptime", Kind::Text, "how long the server has been running"),
    Field::new("team_headmodel", Kind::Text, "the player's head in team games, as model/skin"),
    Field::new("team_model", Kind::Text, "the player's figure in team games, as model/skin"),
    Field::new("teamtask", Kind::Number, "what the player does for the team"),
    Field::new("timelimit", Kind::Number, "minutes that end a match").values(NO_LIMIT),
    Field::new("tourney", Kind::Number, "1: tournament rules"),
    Field::new("URL", Kind::Text, "the operator's site").role(FieldRole::Free),
    Field::new("version", Kind::Text, "program, version, system and build date")
        .role(FieldRole::Version),
    Field::new("voip", Kind::Text, "the voice codec that the server passes on"),
    Field::new("weaprestrict", Kind::Number, "percentage of a team that may carry heavy weapons"),
];
