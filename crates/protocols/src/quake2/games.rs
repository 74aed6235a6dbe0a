//! The games with this protocol, and their signatures.

use Pattern::{Any, Is, Starts};
use SignatureSource::{Field, Message};
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

/// Quake 2 is first: it is the default without evidence.
pub(super) static GAMES: &[&Game] = &[
    &QUAKE2,
    &HERETIC2,
    &KINGPIN,
    &SOLDIER_OF_FORTUNE,
    &SIN,
    &DAIKATANA,
    &ANACHRONOX,
    &PAINTBALL2,
    &ALIEN_ARENA,
    &QUETOO,
];

/// Quake 2.
pub static QUAKE2: Game = Game {
    id: "quake2",
    title: "Quake 2",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(27910, Role::Server), Port::new(27900, Role::Master)],
    signatures: &[
        Signature::new(Field("gamename", Is(&["baseq2"])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["R1Q2", "Q2PRO", "Yamagi"])), Confidence::Certain),
        // 3.00 to 3.24, and R1Q2's `r1.01`: no other game of this protocol has such versions.
        Signature::new(Field("version", Starts(&["3.", "r1."])), Confidence::Likely),
        Signature::new(Field("protocol", Is(&["34", "35", "36"])), Confidence::Number),
    ],
    required_keys: &[],
};

/// Its servers also send heartbeats to GameSpy's master, in GameSpy's protocol.
pub static HERETIC2: Game = Game {
    id: "heretic2",
    title: "Heretic 2",
    protocol: &super::PROTOCOL,
    ports: &[
        Port::new(28910, Role::Server),
        Port::new(28900, Role::Master),
        // GameSpy's: document 001, section 2.
        Port::new(27900, Role::Master),
    ],
    signatures: &[
        Signature::new(Field("gamename", Starts(&["Heretic2"])), Confidence::Certain),
        // What the released sources became.
        Signature::new(Field("version", Starts(&["Heretic II"])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["1.0"])), Confidence::Likely),
        Signature::new(Field("advancedstaff", Any), Confidence::Form),
        Signature::new(Field("protocol", Is(&["51"])), Confidence::Number),
    ],
    required_keys: &[],
};

/// Kingpin. Its servers register with masters that take Quake 2's messages; the dedicated server of
/// its players is kpded.
pub static KINGPIN: Game = Game {
    id: "kingpin",
    title: "Kingpin",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(31510, Role::Server), Port::new(27900, Role::Master)],
    signatures: &[
        Signature::new(Field("version", Starts(&["kpded"])), Confidence::Certain),
        Signature::new(Field("gamename", Is(&["kingpin"])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["1.21 x86", "1.20 x86"])), Confidence::Likely),
        Signature::new(Field("protocol", Is(&["32"])), Confidence::Number),
    ],
    required_keys: &[],
};

/// Soldier of Fortune. Its port is that of Heretic 2, and its master is GameSpy's.
pub static SOLDIER_OF_FORTUNE: Game = Game {
    id: "soldier-of-fortune",
    title: "Soldier of Fortune",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(28910, Role::Server)],
    signatures: &[Signature::new(
        Field("gamename", Is(&["sof", "sofretail"])),
        Confidence::Certain,
    )],
    required_keys: &[],
};

/// SiN.
pub static SIN: Game = Game {
    id: "sin",
    title: "SiN",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(22450, Role::Server)],
    signatures: &[Signature::new(Field("gamename", Is(&["sin"])), Confidence::Certain)],
    required_keys: &[],
};

/// Daikatana. Its servers answer queries ten ports above that of the game.
pub static DAIKATANA: Game = Game {
    id: "daikatana",
    title: "Daikatana",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(27982, Role::Server), Port::new(27992, Role::Server)],
    signatures: &[Signature::new(Field("gamename", Is(&["daikatana"])), Confidence::Certain)],
    required_keys: &[],
};

/// Anachronox.
pub static ANACHRONOX: Game = Game {
    id: "anachronox",
    title: "Anachronox",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(27910, Role::Server)],
    signatures: &[
        Signature::new(Field("gamename", Is(&["anachronox", "anox"])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["Anachronox"])), Confidence::Certain),
    ],
    required_keys: &[],
};

/// Digital Paint's Paintball 2. Its protocol is Quake 2's 34, which therefore indicates nothing.
pub static PAINTBALL2: Game = Game {
    id: "paintball2",
    title: "Paintball 2",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(27910, Role::Server), Port::new(27900, Role::Master)],
    signatures: &[
        Signature::new(
            Field("gamename", Starts(&["Digital Paint", "Paintball"])),
            Confidence::Certain,
        ),
        Signature::new(Field("version", Starts(&["Paintball"])), Confidence::Certain),
        Signature::new(Field("game", Is(&["pball"])), Confidence::Likely),
    ],
    required_keys: &[],
};

/// Alien Arena. Its protocol is Quake 2's 34, which therefore indicates nothing.
pub static ALIEN_ARENA: Game = Game {
    id: "alien-arena",
    title: "Alien Arena",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(27910, Role::Server), Port::new(27900, Role::Master)],
    signatures: &[
        Signature::new(Field("version", Starts(&["Alien Arena"])), Confidence::Certain),
        Signature::new(Field("gamename", Starts(&["Alien Arena"])), Confidence::Certain),
    ],
    required_keys: &[],
};

/// Quetoo, whose master asks servers for a challenge, as its source `sv_master.c` shows.
pub static QUETOO: Game = Game {
    id: "quetoo",
    title: "Quetoo",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(1998, Role::Server), Port::new(1996, Role::Master)],
    signatures: &[
        Signature::new(Field("version", Starts(&["Quetoo"])), Confidence::Certain),
        Signature::new(Message("challenged-heartbeat"), Confidence::Likely),
        Signature::new(Field("protocol", Is(&["2026"])), Confidence::Number),
    ],
    required_keys: &[],
};
