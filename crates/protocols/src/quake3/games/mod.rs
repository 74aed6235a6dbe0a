//! The games with this protocol, and their signatures: those of the documents here, others by who
//! made them. What is in no document is known from the sources of the programs, and from the
//! configuration of quakestat.

mod activision;
mod community;
mod raven;

use Pattern::{Any, Bytes, Is, Starts};
use SignatureSource::{Field, In, Message};
use protocol::{Colours, Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

pub use activision::{
    CALL_OF_DUTY, CALL_OF_DUTY_2, CALL_OF_DUTY_4, IW4X, MEDAL_OF_HONOR, UNITED_OFFENSIVE,
};
pub use community::{
    FIVEM, OPENARENA, SMOKIN_GUNS, TREMULOUS, UNVANQUISHED, URBAN_TERROR, WARFORK, WARSOW,
    WORLD_OF_PADMAN,
};
/// Enemy Territory's programs and RTCW's take any sign for a colour, those made from ioquake3
/// letters; the others have digits.
pub(super) static COLOURS: &[(&str, Colours)] = &[
    ("enemy-territory", Colours::CaretSign),
    ("openarena", Colours::CaretLetter),
    ("quake3", Colours::CaretLetter),
    ("rtcw", Colours::CaretSign),
    ("smokin-guns", Colours::CaretLetter),
    ("tremulous", Colours::CaretLetter),
    ("unvanquished", Colours::CaretDaemon),
    ("urban-terror", Colours::CaretLetter),
    ("world-of-padman", Colours::CaretLetter),
];

pub use raven::{ELITE_FORCE_2, JEDI_ACADEMY, JEDI_OUTCAST, SOLDIER_OF_FORTUNE_2};

const MASTER: Port = Port::new(27950, Role::Master);
const MOTD: Port = Port::new(27951, Role::Master);
const AUTHORIZE: Port = Port::new(27952, Role::Master);
const SERVERS: [Port; 4] = [
    Port::new(27960, Role::Server),
    Port::new(27961, Role::Server),
    Port::new(27962, Role::Server),
    Port::new(27963, Role::Server),
];

/// Ports that id's games share: document 001, sections 1, 8 and 11.
static ID_PORTS: [Port; 7] =
    [MASTER, MOTD, AUTHORIZE, SERVERS[0], SERVERS[1], SERVERS[2], SERVERS[3]];

/// Elite Force's: document 001, section 4.
static ELITE_FORCE_PORTS: [Port; 7] = [
    Port::new(27953, Role::Master),
    MOTD,
    AUTHORIZE,
    SERVERS[0],
    SERVERS[1],
    SERVERS[2],
    SERVERS[3],
];

/// The games' protocol numbers; a request with only a number is for the number's game.
pub(super) const QUAKE3_NUMBERS: &[&str] = &["43", "45", "48", "66", "67", "68", "71"];
pub(super) const RTCW_NUMBERS: &[&str] = &["50", "57", "59", "60"];
pub(super) const ENEMY_TERRITORY_NUMBERS: &[&str] = &["72", "80", "82", "83", "84"];

/// The tags, names and numbers of Quake III that games made from it kept.
const QUAKE_TAG: Signature =
    Signature::new(Field("tag", Is(&["QuakeArena-1"])), Confidence::Certain);
/// The tag of games that name themselves in their answer: document 004.
const DARKPLACES_TAG: Signature =
    Signature::new(Field("tag", Is(&["DarkPlaces"])), Confidence::Likely);

/// How the masters of Raven and Activision begin a list.
const RAVENS_LIST: Signature =
    Signature::new(In("getservers-response", "head", Bytes(b"\n\0")), Confidence::Form);

/// Quake III is first: it is the default without evidence. Among games with equal evidence and
/// ports, the earlier one is taken.
pub(super) static GAMES: &[&Game] = &[
    &QUAKE3,
    &RTCW,
    &ENEMY_TERRITORY,
    &DARKPLACES,
    &Q3MASTER,
    &ELITE_FORCE,
    &UNVANQUISHED,
    &TREMULOUS,
    &OPENARENA,
    &URBAN_TERROR,
    &SMOKIN_GUNS,
    &WORLD_OF_PADMAN,
    &WARFORK,
    &WARSOW,
    &FIVEM,
    &CALL_OF_DUTY_4,
    &CALL_OF_DUTY_2,
    &UNITED_OFFENSIVE,
    &CALL_OF_DUTY,
    &IW4X,
    &MEDAL_OF_HONOR,
    &JEDI_OUTCAST,
    &JEDI_ACADEMY,
    &SOLDIER_OF_FORTUNE_2,
    &ELITE_FORCE_2,
];

/// Quake III Arena.
pub static QUAKE3: Game = Game {
    id: "quake3",
    title: "Quake III Arena",
    protocol: &super::PROTOCOL,
    ports: &ID_PORTS,
    signatures: &[
        QUAKE_TAG,
        // OpenArena's servers say so to masters, too.
        Signature::new(Field("gamename", Is(&["Quake3Arena"])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["Q3 ", "CNQ3"])), Confidence::Certain),
        // Engines that other games use too; OpenArena's of Debian is ioquake3.
        Signature::new(
            Field("version", Starts(&["ioq3 ", "ioquake3 ", "Quake3e"])),
            Confidence::Likely,
        ),
        Signature::new(
            Field("gamename", Is(&["baseq3", "missionpack", "cpma", "osp", "arena"])),
            Confidence::Likely,
        ),
        Signature::new(Field("game", Is(&["baseq3", "missionpack"])), Confidence::Likely),
        Signature::new(Field("protocol", Is(QUAKE3_NUMBERS)), Confidence::Number),
    ],
    required_keys: &[],
};

/// Return to Castle Wolfenstein.
pub static RTCW: Game = Game {
    id: "rtcw",
    title: "Return to Castle Wolfenstein",
    protocol: &super::PROTOCOL,
    ports: &ID_PORTS,
    signatures: &[
        Signature::new(Field("tag", Is(&["Wolfenstein-1", "WolfFlatline-1"])), Confidence::Certain),
        Signature::new(Field("gamename", Is(&["wolfmp"])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["Wolf ", "iortcw", "RTCW"])), Confidence::Certain),
        Signature::new(Field("gameskill", Any), Confidence::Form),
        Signature::new(Field("protocol", Is(RTCW_NUMBERS)), Confidence::Number),
    ],
    required_keys: &[],
};

/// Wolfenstein: Enemy Territory.
pub static ENEMY_TERRITORY: Game = Game {
    id: "enemy-territory",
    title: "Wolfenstein: Enemy Territory",
    protocol: &super::PROTOCOL,
    ports: &ID_PORTS,
    signatures: &[
        Signature::new(
            Field("tag", Is(&["EnemyTerritory-1", "ETFlatline-1"])),
            Confidence::Certain,
        ),
        Signature::new(Field("gamename", Is(&["et"])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["ET ", "etlegacy"])), Confidence::Certain),
        Signature::new(
            Field("gamename", Is(&["etmain", "etpro", "etpub", "jaymod", "silent", "legacy"])),
            Confidence::Likely,
        ),
        Signature::new(Message("get-update-info"), Confidence::Likely),
        Signature::new(Message("update-response"), Confidence::Likely),
        Signature::new(Field("serverload", Any), Confidence::Form),
        // It says whether the server sends only the clients that can be seen.
        Signature::new(
            In("challenge-response", "client_challenge", Is(&["0", "1"])),
            Confidence::Form,
        ),
        Signature::new(Field("protocol", Is(ENEMY_TERRITORY_NUMBERS)), Confidence::Number),
    ],
    required_keys: &[],
};

/// DarkPlaces and the games that are made with it.
pub static DARKPLACES: Game = Game {
    id: "darkplaces",
    title: "DarkPlaces and its games",
    protocol: &super::PROTOCOL,
    ports: &[MASTER, Port::new(26000, Role::Server)],
    signatures: &[
        Signature::new(
            Field(
                "gamename",
                Starts(&["Nexuiz", "Xonotic", "Transfusion", "DarkPlaces", "qfusion"]),
            ),
            Confidence::Certain,
        ),
        Signature::new(
            Field("version", Starts(&["DarkPlaces", "Nexuiz", "Xonotic"])),
            Confidence::Certain,
        ),
        DARKPLACES_TAG,
        Signature::new(Message("key-exchange"), Confidence::Certain),
        Signature::new(Message("connect-pairs"), Confidence::Certain),
        Signature::new(Message("ext-response"), Confidence::Certain),
        Signature::new(Field("method", Is(&["HMAC-MD4"])), Confidence::Certain),
        Signature::new(Message("ping-server"), Confidence::Form),
        Signature::new(Message("ack"), Confidence::Form),
        Signature::new(In("getservers", "gamename", Any), Confidence::Form),
        Signature::new(In("getservers-ext", "gamename", Any), Confidence::Form),
        Signature::new(Field("protocol", Is(&["3"])), Confidence::Number),
    ],
    required_keys: &["gamename"],
};

/// Q3Master, whose masters exchange servers.
pub static Q3MASTER: Game = Game {
    id: "q3master",
    title: "Q3Master",
    protocol: &super::PROTOCOL,
    ports: &[MASTER],
    signatures: &[Signature::new(Message("register"), Confidence::Certain)],
    required_keys: &[],
};

/// Star Trek: Voyager Elite Force.
pub static ELITE_FORCE: Game = Game {
    id: "elite-force",
    title: "Star Trek: Voyager Elite Force",
    protocol: &super::PROTOCOL,
    ports: &ELITE_FORCE_PORTS,
    signatures: &[
        Signature::new(Message("getservers-response-hex"), Confidence::Certain),
        Signature::new(Field("gamename", Is(&["STEF1", "baseEF"])), Confidence::Certain),
        Signature::new(
            Field("version", Starts(&["ST:V HM", "ioEF", "ioST:V HM"])),
            Confidence::Certain,
        ),
        Signature::new(Field("game", Is(&["BaseEF"])), Confidence::Likely),
        Signature::new(Message("heartbeat-pairs"), Confidence::Likely),
        Signature::new(Message("heartstop"), Confidence::Likely),
        Signature::new(Message("info-response-quoted"), Confidence::Form),
        Signature::new(In("get-key-authorize", "anonymous", Is(&["999"])), Confidence::Form),
        Signature::new(Field("protocol", Is(&["24"])), Confidence::Number),
    ],
    required_keys: &[],
};
