//! The games with this protocol, and their signatures.

use crate::protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};
use Pattern::{Any, Is, Starts};
use SignatureSource::{Field, In, Message};

const MASTER: Port = Port::of(27950, Role::Master);
const MOTD: Port = Port::of(27951, Role::Master);
const AUTHORIZE: Port = Port::of(27952, Role::Master);
const SERVERS: [Port; 4] = [
    Port::of(27960, Role::Server),
    Port::of(27961, Role::Server),
    Port::of(27962, Role::Server),
    Port::of(27963, Role::Server),
];

/// Ports that id's games share: document 001, sections 1, 8 and 11.
static ID_PORTS: [Port; 7] =
    [MASTER, MOTD, AUTHORIZE, SERVERS[0], SERVERS[1], SERVERS[2], SERVERS[3]];

/// Elite Force's: document 001, section 4.
static ELITE_FORCE_PORTS: [Port; 7] = [
    Port::of(27953, Role::Master),
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

/// Quake III is first: it is the default without evidence.
pub(super) static GAMES: &[&Game] =
    &[&QUAKE3, &RTCW, &ENEMY_TERRITORY, &DARKPLACES, &Q3MASTER, &ELITE_FORCE];

/// Quake III Arena.
pub static QUAKE3: Game = Game {
    id: "quake3",
    title: "Quake III Arena",
    ports: &ID_PORTS,
    clues: &[
        Signature::of(Field("tag", Is(&["QuakeArena-1"])), Confidence::Certain),
        Signature::of(Field("gamename", Is(&["Quake3Arena"])), Confidence::Certain),
        Signature::of(
            Field("version", Starts(&["Q3 ", "ioq3", "ioquake3", "OpenArena", "Quake3e", "CNQ3"])),
            Confidence::Certain,
        ),
        Signature::of(
            Field("gamename", Is(&["baseq3", "missionpack", "baseoa", "cpma", "osp", "arena"])),
            Confidence::Likely,
        ),
        Signature::of(Field("game", Is(&["baseq3", "missionpack"])), Confidence::Likely),
        Signature::of(Field("protocol", Is(QUAKE3_NUMBERS)), Confidence::Number),
    ],
    owes: &[],
};

/// Return to Castle Wolfenstein.
pub static RTCW: Game = Game {
    id: "rtcw",
    title: "Return to Castle Wolfenstein",
    ports: &ID_PORTS,
    clues: &[
        Signature::of(Field("tag", Is(&["Wolfenstein-1", "WolfFlatline-1"])), Confidence::Certain),
        Signature::of(Field("gamename", Is(&["wolfmp"])), Confidence::Certain),
        Signature::of(Field("version", Starts(&["Wolf ", "iortcw", "RTCW"])), Confidence::Certain),
        Signature::of(Field("gameskill", Any), Confidence::Form),
        Signature::of(Field("protocol", Is(RTCW_NUMBERS)), Confidence::Number),
    ],
    owes: &[],
};

/// Wolfenstein: Enemy Territory.
pub static ENEMY_TERRITORY: Game = Game {
    id: "enemy-territory",
    title: "Wolfenstein: Enemy Territory",
    ports: &ID_PORTS,
    clues: &[
        Signature::of(Field("tag", Is(&["EnemyTerritory-1", "ETFlatline-1"])), Confidence::Certain),
        Signature::of(Field("gamename", Is(&["et"])), Confidence::Certain),
        Signature::of(Field("version", Starts(&["ET ", "etlegacy"])), Confidence::Certain),
        Signature::of(
            Field("gamename", Is(&["etmain", "etpro", "etpub", "jaymod", "silent", "legacy"])),
            Confidence::Likely,
        ),
        Signature::of(Message("get-update-info"), Confidence::Likely),
        Signature::of(Message("update-response"), Confidence::Likely),
        Signature::of(Field("serverload", Any), Confidence::Form),
        Signature::of(Field("protocol", Is(ENEMY_TERRITORY_NUMBERS)), Confidence::Number),
    ],
    owes: &[],
};

/// DarkPlaces and the games that are made with it.
pub static DARKPLACES: Game = Game {
    id: "darkplaces",
    title: "DarkPlaces and its games",
    ports: &[MASTER, Port::of(26000, Role::Server)],
    clues: &[
        Signature::of(
            Field(
                "gamename",
                Starts(&["Nexuiz", "Xonotic", "Transfusion", "DarkPlaces", "qfusion", "Warsow"]),
            ),
            Confidence::Certain,
        ),
        Signature::of(
            Field("version", Starts(&["DarkPlaces", "Nexuiz", "Xonotic"])),
            Confidence::Certain,
        ),
        // ioquake3 sent this tag too, with a different gamename.
        Signature::of(Field("tag", Is(&["DarkPlaces"])), Confidence::Likely),
        Signature::of(In("getservers", "gamename", Any), Confidence::Form),
        Signature::of(In("getservers-ext", "gamename", Any), Confidence::Form),
        Signature::of(Field("protocol", Is(&["3"])), Confidence::Number),
    ],
    owes: &["gamename"],
};

/// Q3Master, whose masters exchange servers.
pub static Q3MASTER: Game = Game {
    id: "q3master",
    title: "Q3Master",
    ports: &[MASTER],
    clues: &[Signature::of(Message("register"), Confidence::Certain)],
    owes: &[],
};

/// Star Trek: Voyager Elite Force.
pub static ELITE_FORCE: Game = Game {
    id: "elite-force",
    title: "Star Trek: Voyager Elite Force",
    ports: &ELITE_FORCE_PORTS,
    clues: &[
        Signature::of(Message("getservers-response-hex"), Confidence::Certain),
        Signature::of(Field("gamename", Is(&["STEF1", "baseEF"])), Confidence::Certain),
        Signature::of(
            Field("version", Starts(&["ST:V HM", "ioEF", "ioST:V HM"])),
            Confidence::Certain,
        ),
        Signature::of(Field("game", Is(&["BaseEF"])), Confidence::Likely),
        Signature::of(Message("heartbeat-pairs"), Confidence::Likely),
        Signature::of(Message("heartstop"), Confidence::Likely),
        Signature::of(Message("info-response-quoted"), Confidence::Form),
        Signature::of(In("get-key-authorize", "anonymous", Is(&["999"])), Confidence::Form),
        Signature::of(Field("protocol", Is(&["24"])), Confidence::Number),
    ],
    owes: &[],
};
