//! The keys in the infostrings of these games.
//!
//! Keys and their use: document 001 (sections 1, 4, 8, 11), document 004; those of later programs
//! are observed. Values are explained if a document or a released source does so.

use super::super::{NO_LIMIT, OFF_ON, Values};
use codec::{Field, FieldRole, Keys};

/// Protocol numbers and the game versions that use them.
pub(super) static PROTOCOLS: Values = &[
    ("1", "Call of Duty 1.1"),
    ("3", "DarkPlaces games"),
    ("6", "Call of Duty 1.5, Call of Duty 4"),
    ("8", "Medal of Honor: Allied Assault"),
    ("15", "Jedi Outcast 1.02"),
    ("16", "Jedi Outcast 1.04"),
    ("21", "United Offensive 1.41"),
    ("22", "United Offensive 1.51, Warsow 2"),
    ("23", "Warfork"),
    ("24", "Elite Force 1.20"),
    ("25", "Jedi Academy 1.00"),
    ("26", "Jedi Academy 1.01"),
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
    ("69", "Tremulous 1.1"),
    ("70", "Tremulous GPP"),
    ("71", "OpenArena, ioquake3"),
    ("72", "Enemy Territory test, World of Padman"),
    ("80", "Enemy Territory 2.4"),
    ("82", "Enemy Territory 2.55"),
    ("83", "Enemy Territory 2.56"),
    ("84", "Enemy Territory 2.60, ET: Legacy"),
    ("86", "Unvanquished"),
    ("115", "Call of Duty 2 1.0"),
    ("117", "Call of Duty 2 1.2"),
    ("118", "Call of Duty 2 1.3"),
    ("150", "IW4x"),
    ("2002", "Soldier of Fortune 2 1.00"),
    ("2004", "Soldier of Fortune 2 1.02, 1.03"),
];

/// Each game has its own numbers; these are Quake III's.
static GAMETYPES: Values = &[
    ("0", "in Quake III: free for all"),
    ("1", "in Quake III: tournament"),
    ("3", "in Quake III: team deathmatch"),
    ("4", "in Quake III: capture the flag"),
];

static PURE: Values =
    &[("0", "clients may use files of their own"), ("1", "only the server's files")];
static NEEDPASS: Values = &[("0", "open"), ("1", "a password is needed")];
static ANONYMOUS: Values = &[("0", "key needed"), ("1", "key not needed")];

/// The keys that the documents and the released programs use.
pub static KEYS: Keys = Keys::new(LISTED, &[]);

static LISTED: &[Field] = &[
    Field::number("abi", "the number of the interface to the game's code (Daemon)"),
    Field::text("Admin", "who runs the server, as the operator wrote it").role(FieldRole::Person),
    Field::text("Administrator", "who runs the server, as the operator wrote it")
        .role(FieldRole::Person),
    Field::text("auth", "which authorization the server wants of its players")
        .role(FieldRole::Secret),
    Field::number("auth_enable", "1: players must be known to the authorization (Urban Terror)")
        .role(FieldRole::Secret)
        .values(OFF_ON),
    Field::number("balancedteams", "1: players are moved so that teams stay even"),
    Field::number("bot_minplayers", "bots fill the game up to this many players")
        .role(FieldRole::Count),
    Field::number("bots", "players that are programs").role(FieldRole::Count),
    Field::number("capturelimit", "flags that end a match").values(NO_LIMIT),
    Field::number(
        "cg_predictItems",
        "1: the client shows an item as taken before the server says so",
    ),
    Field::text(
        "challenge",
        "the random text of the request, sent back to prove where a reply comes from",
    )
    .role(FieldRole::Challenge),
    Field::text(
        "challenge2",
        "the challenge that the same master sent to the server's other address (Daemon)",
    )
    .role(FieldRole::Challenge),
    Field::number("cl_anonymous", "1: the player asks not to be identified"),
    Field::text("cl_guid", "a lasting identifier of the player, derived from the CD key")
        .role(FieldRole::Secret),
    Field::number("cl_punkbuster", "1: the client runs PunkBuster").values(OFF_ON),
    Field::text("Clan", "the clan that the server belongs to, as the operator wrote it")
        .role(FieldRole::Name),
    Field::number("clients", "players on the server now").role(FieldRole::Players),
    Field::text("codextended", "the version of the server program CoDExtended")
        .role(FieldRole::Version),
    Field::text("color1", "the player's first colour, a digit of the palette"),
    Field::text("color2", "the player's second colour, a digit of the palette"),
    Field::number("colorbits", "depth of the client's screen in bits"),
    Field::text("cputype", "the client's processor"),
    Field::text("d0_blind_id", "fingerprint of the server's public key (DarkPlaces)")
        .role(FieldRole::Free),
    Field::text("daemonver", "the version of the Daemon engine").role(FieldRole::Version),
    Field::number("dmflags", "rules of the game, one bit each"),
    Field::number("fraglimit", "frags that end a match").values(NO_LIMIT),
    Field::number("friendlyFire", "1: players can hurt their own team"),
    Field::text("fs_game", "the modification's folder").role(FieldRole::Game),
    Field::number("g_allowvote", "1: players may call votes"),
    Field::number("g_antilag", "1: the server makes up for the delay of the shooter's line"),
    Field::number("g_balancedteams", "1: players are moved so that teams stay even"),
    Field::number("g_friendlyfire", "1: players can hurt their own team"),
    Field::number("g_gametype", "the rules that are played, as a number").values(GAMETYPES),
    Field::number("g_gravity", "how fast players fall; 800 is normal"),
    Field::number("g_heavyWeaponRestriction", "percentage of a team that may carry heavy weapons"),
    Field::number("g_humanplayers", "players that are people").role(FieldRole::Count),
    Field::number("g_maxGameClients", "players that may take part, the others watch")
        .role(FieldRole::Count)
        .values(NO_LIMIT),
    Field::number("g_maxlives", "lives of each player in a round").values(NO_LIMIT),
    Field::text("g_modversion", "the modification's version").role(FieldRole::Version),
    Field::number("g_needpass", "1: a password is needed to join").values(NEEDPASS),
    Field::number("g_pModActionHero", "1: Action Hero rules (Elite Force)"),
    Field::number("g_pModAssimilation", "1: Assimilation rules (Elite Force)"),
    Field::number("g_pModDisintegration", "1: Disintegration rules (Elite Force)"),
    Field::number("g_pModElimination", "1: Elimination rules (Elite Force)"),
    Field::number("g_pModSpecialties", "1: Specialties rules (Elite Force)"),
    Field::number("g_speed", "how fast players run, in units a second"),
    Field::number("g_tourney", "1: tournament rules"),
    Field::text("game", "the modification's folder").role(FieldRole::Game),
    Field::text("gamedate", "when the game's module was built"),
    Field::text("gamedir", "the modification's folder").role(FieldRole::Game),
    Field::text("gamename", "which game or modification").role(FieldRole::Game),
    Field::number("gameskill", "how strong the bots are, from 1"),
    Field::text("gamestartup", "when the server was started"),
    Field::text("gametype", "the rules that are played, mostly a number").values(GAMETYPES),
    Field::number("gameversion", "the version of the game's code (DarkPlaces)"),
    Field::number("handicap", "the player's starting health and damage, in percent"),
    Field::text("headmodel", "the player's head, as model/skin"),
    Field::text("hostname", "the server's name, with colours").role(FieldRole::Host),
    Field::text("ip", "the client's address, as the server noted it").role(FieldRole::Address),
    Field::number("iv", "changes with the server's settings (FiveM)"),
    Field::text("JK2MV", "the version of the server program JK2MV").role(FieldRole::Version),
    Field::number("joystick", "1: the client uses a joystick"),
    Field::text("mapname", "the map being played").role(FieldRole::Map),
    Field::number("maxlives", "lives of each player in a round").values(NO_LIMIT),
    Field::number("maxPing", "clients with a longer ping are refused, in milliseconds")
        .values(NO_LIMIT),
    Field::number("memory", "the client's memory in megabytes"),
    Field::number("mhz", "the client's clock rate in megahertz"),
    Field::number("minPing", "clients with a shorter ping are refused, in milliseconds")
        .values(NO_LIMIT),
    Field::text("model", "the player's figure, as model/skin"),
    Field::text("modname", "the modification's name").role(FieldRole::Game),
    Field::text("motd", "the message of the day").role(FieldRole::Free),
    Field::text("name", "the player's name, with colours").role(FieldRole::Person),
    Field::number("needpass", "1: a password is needed to join").values(NEEDPASS),
    Field::number("protocol", "the network protocol's number")
        .role(FieldRole::Protocol)
        .values(PROTOCOLS),
    Field::number("pswrd", "1: a password is needed to join")
        .role(FieldRole::Secret)
        .values(NEEDPASS),
    Field::number("punkbuster", "1: the server requires PunkBuster").values(OFF_ON),
    Field::number("pure", "1: clients must play with the server's files").values(PURE),
    Field::text("qcstatus", "state of the running game, written by the game's module (DarkPlaces)")
        .role(FieldRole::Free),
    Field::number("qport", "a random number that tells clients behind one address apart"),
    Field::number("rate", "bytes a second that the client takes"),
    Field::text("renderer", "the client's graphics system"),
    Field::number("serverload", "how busy the server's processor is, in percent"),
    Field::text("sex", "whether the figure is male, female or neuter"),
    Field::text("shortversion", "the game's version (Call of Duty)").role(FieldRole::Version),
    Field::number("snaps", "snapshots a second that the client asks for"),
    Field::number("sv_allowAnonymous", "1: players without a verified CD key may join")
        .values(ANONYMOUS),
    Field::number("sv_allowDownload", "1: clients may load missing files from the server"),
    Field::text("sv_dlURL", "where clients find missing files").role(FieldRole::Free),
    Field::number("sv_floodProtect", "1: commands that come too fast are dropped"),
    Field::number("sv_fps", "frames a second that the server computes"),
    Field::text("sv_hostname", "the server's name, with colours").role(FieldRole::Host),
    Field::text("sv_keywords", "words by which clients find the server").role(FieldRole::Free),
    Field::number("sv_maxclients", "places on the server").role(FieldRole::MaxPlayers),
    Field::number("sv_maxPing", "clients with a longer ping are refused, in milliseconds")
        .values(NO_LIMIT),
    Field::number("sv_maxRate", "bytes a second that a client gets at most").values(NO_LIMIT),
    Field::number("sv_minPing", "clients with a shorter ping are refused, in milliseconds")
        .values(NO_LIMIT),
    Field::number("sv_minRate", "bytes a second that a client gets at least").values(NO_LIMIT),
    Field::number("sv_privateClients", "places kept for players with the private password")
        .role(FieldRole::Count),
    Field::number("sv_punkbuster", "1: the server requires PunkBuster").values(OFF_ON),
    Field::number("sv_pure", "1: clients must play with the server's files").values(PURE),
    Field::text("sv_referencedPakNames", "names of the files in use"),
    Field::text("sv_referencedPaks", "checksums of the files in use"),
    Field::text("sv_uptime", "how long the server has been running"),
    Field::text("team_headmodel", "the player's head in team games, as model/skin"),
    Field::text("team_model", "the player's figure in team games, as model/skin"),
    Field::number("teamtask", "what the player does for the team"),
    Field::number("timelimit", "minutes that end a match").values(NO_LIMIT),
    Field::number("tourney", "1: tournament rules"),
    Field::number("truejedi", "1: the rules for true Jedi (Jedi Academy)").values(OFF_ON),
    Field::text("URL", "the operator's site").role(FieldRole::Free),
    Field::text("version", "program, version, system and build date").role(FieldRole::Version),
    Field::text("voip", "the audio codec of VoIP that the server passes on"),
    Field::number("weaprestrict", "percentage of a team that may carry heavy weapons"),
    Field::text("xuid", "the identifier of the server's account (IW4x)"),
];
