//! The games that speak the protocol, and what tells them apart.

use super::super::{Clue, Game, Party, Pattern, Port, Proof, Sure};
use Pattern::{Any, Is, Starts};
use Proof::{Field, In, Message};

const MASTER: Port = Port::of(27950, Party::Master);
const MOTD: Port = Port::of(27951, Party::Master);
const AUTHORIZE: Port = Port::of(27952, Party::Master);
const SERVERS: [Port; 4] = [
    Port::of(27960, Party::Server),
    Port::of(27961, Party::Server),
    Port::of(27962, Party::Server),
    Port::of(27963, Party::Server),
];

/// Ports that id's games share: document 001, sections 1, 8 and 11.
static ID_PORTS: [Port; 7] =
    [MASTER, MOTD, AUTHORIZE, SERVERS[0], SERVERS[1], SERVERS[2], SERVERS[3]];

/// Elite Force's: document 001, section 4.
static ELITE_FORCE_PORTS: [Port; 7] = [
    Port::of(27953, Party::Master),
    MOTD,
    AUTHORIZE,
    SERVERS[0],
    SERVERS[1],
    SERVERS[2],
    SERVERS[3],
];

/// Numbers of the games' protocols; where clients ask for one alone, they mean its game.
pub(super) const QUAKE3_NUMBERS: &[&str] = &["43", "45", "48", "66", "67", "68", "71"];
pub(super) const RTCW_NUMBERS: &[&str] = &["50", "57", "59", "60"];
pub(super) const ENEMY_TERRITORY_NUMBERS: &[&str] = &["72", "80", "82", "83", "84"];

/// Quake III stands first: it is the game where nothing tells.
pub(super) static GAMES: &[&Game] =
    &[&QUAKE3, &RTCW, &ENEMY_TERRITORY, &DARKPLACES, &Q3MASTER, &ELITE_FORCE];

/// Quake III Arena.
pub static QUAKE3: Game = Game {
    id: "quake3",
    title: "Quake III Arena",
    ports: &ID_PORTS,
    clues: &[
        Clue::of(Field("tag", Is(&["QuakeArena-1"])), Sure::Certain),
        Clue::of(Field("gamename", Is(&["Quake3Arena"])), Sure::Certain),
        Clue::of(
            Field("version", Starts(&["Q3 ", "ioq3", "ioquake3", "OpenArena", "Quake3e", "CNQ3"])),
            Sure::Certain,
        ),
        Clue::of(
            Field("gamename", Is(&["baseq3", "missionpack", "baseoa", "cpma", "osp", "arena"])),
            Sure::Likely,
        ),
        Clue::of(Field("game", Is(&["baseq3", "missionpack"])), Sure::Likely),
        Clue::of(Field("protocol", Is(QUAKE3_NUMBERS)), Sure::Number),
    ],
    owes: &[],
};

/// Return to Castle Wolfenstein.
pub static RTCW: Game = Game {
    id: "rtcw",
    title: "Return to Castle Wolfenstein",
    ports: &ID_PORTS,
    clues: &[
        Clue::of(Field("tag", Is(&["Wolfenstein-1", "WolfFlatline-1"])), Sure::Certain),
        Clue::of(Field("gamename", Is(&["wolfmp"])), Sure::Certain),
        Clue::of(Field("version", Starts(&["Wolf ", "iortcw", "RTCW"])), Sure::Certain),
        Clue::of(Field("gameskill", Any), Sure::Form),
        Clue::of(Field("protocol", Is(RTCW_NUMBERS)), Sure::Number),
    ],
    owes: &[],
};

/// Wolfenstein: Enemy Territory.
pub static ENEMY_TERRITORY: Game = Game {
    id: "enemy-territory",
    title: "Wolfenstein: Enemy Territory",
    ports: &ID_PORTS,
    clues: &[
        Clue::of(Field("tag", Is(&["EnemyTerritory-1", "ETFlatline-1"])), Sure::Certain),
        Clue::of(Field("gamename", Is(&["et"])), Sure::Certain),
        Clue::of(Field("version", Starts(&["ET ", "etlegacy"])), Sure::Certain),
        Clue::of(
            Field("gamename", Is(&["etmain", "etpro", "etpub", "jaymod", "silent", "legacy"])),
            Sure::Likely,
        ),
        Clue::of(Message("get-update-info"), Sure::Likely),
        Clue::of(Message("update-response"), Sure::Likely),
        Clue::of(Field("serverload", Any), Sure::Form),
        Clue::of(Field("protocol", Is(ENEMY_TERRITORY_NUMBERS)), Sure::Number),
    ],
    owes: &[],
};

/// DarkPlaces and the games that are made with it.
pub static DARKPLACES: Game = Game {
    id: "darkplaces",
    title: "DarkPlaces and its games",
    ports: &[MASTER, Port::of(26000, Party::Server)],
    clues: &[
        Clue::of(
            Field(
                "gamename",
                Starts(&["Nexuiz", "Xonotic", "Transfusion", "DarkPlaces", "qfusion", "Warsow"]),
            ),
            Sure::Certain,
        ),
        Clue::of(Field("version", Starts(&["DarkPlaces", "Nexuiz", "Xonotic"])), Sure::Certain),
        // ioquake3 sent this tag too, with a gamename that says otherwise.
        Clue::of(Field("tag", Is(&["DarkPlaces"])), Sure::Likely),
        Clue::of(In("getservers", "gamename", Any), Sure::Form),
        Clue::of(In("getservers-ext", "gamename", Any), Sure::Form),
        Clue::of(Field("protocol", Is(&["3"])), Sure::Number),
    ],
    owes: &["gamename"],
};

/// Q3Master, whose masters tell each other of servers.
pub static Q3MASTER: Game = Game {
    id: "q3master",
    title: "Q3Master",
    ports: &[MASTER],
    clues: &[Clue::of(Message("register"), Sure::Certain)],
    owes: &[],
};

/// Star Trek: Voyager Elite Force.
pub static ELITE_FORCE: Game = Game {
    id: "elite-force",
    title: "Star Trek: Voyager Elite Force",
    ports: &ELITE_FORCE_PORTS,
    clues: &[
        Clue::of(Message("getservers-response-hex"), Sure::Certain),
        Clue::of(Field("gamename", Is(&["STEF1", "baseEF"])), Sure::Certain),
        Clue::of(Field("version", Starts(&["ST:V HM", "ioEF", "ioST:V HM"])), Sure::Certain),
        Clue::of(Field("game", Is(&["BaseEF"])), Sure::Likely),
        Clue::of(Message("heartbeat-pairs"), Sure::Likely),
        Clue::of(Message("heartstop"), Sure::Likely),
        Clue::of(Message("info-response-quoted"), Sure::Form),
        Clue::of(In("get-key-authorize", "anonymous", Is(&["999"])), Sure::Form),
        Clue::of(Field("protocol", Is(&["24"])), Sure::Number),
    ],
    owes: &[],
};
