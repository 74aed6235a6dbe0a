//! The games that speak the protocol, and what tells them apart.

use super::super::{Clue, Game, Party, Pattern, Port, Proof, Sure};
use Pattern::{Any, Is, Starts};
use Proof::{Field, In, Message};

const fn port(number: u16, party: Party) -> Port {
    Port { number, party }
}

const fn clue(proof: Proof, sure: Sure) -> Clue {
    Clue { proof, sure }
}

const MASTER: Port = port(27950, Party::Master);
const MOTD: Port = port(27951, Party::Master);
const AUTHORIZE: Port = port(27952, Party::Master);
const SERVERS: [Port; 4] = [
    port(27960, Party::Server),
    port(27961, Party::Server),
    port(27962, Party::Server),
    port(27963, Party::Server),
];

/// Ports that id's games share: document 001, sections 1, 8 and 11.
static ID_PORTS: [Port; 7] =
    [MASTER, MOTD, AUTHORIZE, SERVERS[0], SERVERS[1], SERVERS[2], SERVERS[3]];

/// Quake III stands first: it is the game where nothing tells.
pub(super) static GAMES: &[Game] = &[
    Game {
        id: "quake3",
        title: "Quake III Arena",
        ports: &ID_PORTS,
        clues: &[
            clue(Field("tag", Is(&["QuakeArena-1"])), Sure::Certain),
            clue(Field("gamename", Is(&["Quake3Arena"])), Sure::Certain),
            clue(
                Field(
                    "version",
                    Starts(&["Q3 ", "ioq3", "ioquake3", "OpenArena", "Quake3e", "CNQ3"]),
                ),
                Sure::Certain,
            ),
            clue(
                Field("gamename", Is(&["baseq3", "missionpack", "baseoa", "cpma", "osp", "arena"])),
                Sure::Likely,
            ),
            clue(Field("game", Is(&["baseq3", "missionpack"])), Sure::Likely),
            clue(Field("protocol", Is(&["43", "45", "48", "66", "67", "68", "71"])), Sure::Number),
        ],
    },
    Game {
        id: "rtcw",
        title: "Return to Castle Wolfenstein",
        ports: &ID_PORTS,
        clues: &[
            clue(Field("tag", Is(&["Wolfenstein-1", "WolfFlatline-1"])), Sure::Certain),
            clue(Field("gamename", Is(&["wolfmp"])), Sure::Certain),
            clue(Field("version", Starts(&["Wolf ", "iortcw", "RTCW"])), Sure::Certain),
            clue(Field("gameskill", Any), Sure::Form),
            clue(Field("protocol", Is(&["50", "57", "59", "60"])), Sure::Number),
        ],
    },
    Game {
        id: "enemy-territory",
        title: "Wolfenstein: Enemy Territory",
        ports: &ID_PORTS,
        clues: &[
            clue(Field("tag", Is(&["EnemyTerritory-1", "ETFlatline-1"])), Sure::Certain),
            clue(Field("gamename", Is(&["et"])), Sure::Certain),
            clue(Field("version", Starts(&["ET ", "etlegacy"])), Sure::Certain),
            clue(
                Field("gamename", Is(&["etmain", "etpro", "etpub", "jaymod", "silent", "legacy"])),
                Sure::Likely,
            ),
            clue(Message("get-update-info"), Sure::Likely),
            clue(Message("update-response"), Sure::Likely),
            clue(Field("serverload", Any), Sure::Form),
            clue(Field("protocol", Is(&["72", "80", "82", "83", "84"])), Sure::Number),
        ],
    },
    Game {
        id: "darkplaces",
        title: "DarkPlaces and its games",
        ports: &[MASTER, port(26000, Party::Server)],
        clues: &[
            clue(
                Field(
                    "gamename",
                    Starts(&[
                        "Nexuiz",
                        "Xonotic",
                        "Transfusion",
                        "DarkPlaces",
                        "qfusion",
                        "Warsow",
                    ]),
                ),
                Sure::Certain,
            ),
            clue(Field("version", Starts(&["DarkPlaces", "Nexuiz", "Xonotic"])), Sure::Certain),
            // ioquake3 sent this tag too, with a gamename that says otherwise.
            clue(Field("tag", Is(&["DarkPlaces"])), Sure::Likely),
            clue(In("getservers", "gamename", Any), Sure::Form),
            clue(In("getservers-ext", "gamename", Any), Sure::Form),
            clue(Field("protocol", Is(&["3"])), Sure::Number),
        ],
    },
    Game {
        id: "q3master",
        title: "Q3Master",
        ports: &[MASTER],
        clues: &[clue(Message("register"), Sure::Certain)],
    },
];
