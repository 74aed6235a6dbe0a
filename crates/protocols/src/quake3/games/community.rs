//! Games that are free or grew out of modifications; most use a master like dpmaster.

use super::super::PROTOCOL;
use super::{DARKPLACES_TAG, QUAKE_TAG};
use Pattern::{Any, Contains, Is, Present, Starts};
use SignatureSource::{Field, In, Message};
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

/// Only masters of these games number the packets of a list.
const NUMBERED_LIST: Signature =
    Signature::new(In("getservers-response", "index", Present), Confidence::Form);
const NUMBERED_LIST_EXT: Signature =
    Signature::new(In("getservers-ext-response", "index", Present), Confidence::Form);

/// Unvanquished, on the Daemon engine.
pub static UNVANQUISHED: Game = Game {
    id: "unvanquished",
    title: "Unvanquished",
    protocol: &PROTOCOL,
    ports: &[Port::new(27960, Role::Server), Port::new(27950, Role::Master)],
    signatures: &[
        Signature::new(
            Field("tag", Is(&["Unvanquished", "Unvanquished-dead"])),
            Confidence::Certain,
        ),
        Signature::new(Field("gamename", Is(&["unv", "UNVANQUISHED"])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["Unvanquished"])), Confidence::Certain),
        Signature::new(Field("daemonver", Any), Confidence::Certain),
        Signature::new(Message("getservers-ext-response-links"), Confidence::Certain),
        Signature::new(Message("secure-rcon"), Confidence::Form),
        Signature::new(Message("rcon-info"), Confidence::Certain),
        Signature::new(Message("rcon-info-response"), Confidence::Certain),
        Signature::new(Field("protocol", Is(&["86"])), Confidence::Number),
        NUMBERED_LIST,
        NUMBERED_LIST_EXT,
        Signature::new(Message("ping-server"), Confidence::Form),
        Signature::new(Message("ack"), Confidence::Form),
        // Its challenges are hexadecimal.
        Signature::new(
            In("challenge-response", "challenge", Contains(&["a", "b", "c", "d", "e", "f"])),
            Confidence::Form,
        ),
    ],
    required_keys: &[],
};

/// Tremulous, from which Unvanquished grew.
pub static TREMULOUS: Game = Game {
    id: "tremulous",
    title: "Tremulous",
    protocol: &PROTOCOL,
    ports: &[
        Port::new(30720, Role::Server),
        Port::new(30710, Role::Master),
        Port::new(30700, Role::Master),
    ],
    signatures: &[
        Signature::new(Field("gamename", Is(&["Tremulous"])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["tremulous", "Tremulous"])), Confidence::Certain),
        Signature::new(Field("protocol", Is(&["69", "70"])), Confidence::Number),
        NUMBERED_LIST,
        NUMBERED_LIST_EXT,
    ],
    required_keys: &[],
};

/// OpenArena.
pub static OPENARENA: Game = Game {
    id: "openarena",
    title: "OpenArena",
    protocol: &PROTOCOL,
    ports: &[Port::new(27960, Role::Server), Port::new(27950, Role::Master)],
    signatures: &[
        QUAKE_TAG,
        Signature::new(Field("version", Starts(&["ioq3+oa", "OpenArena"])), Confidence::Certain),
        Signature::new(Field("gamename", Is(&["baseoa", "oax", "openarena"])), Confidence::Certain),
        Signature::new(Field("gamename", Is(&["Quake3Arena"])), Confidence::Certain),
        // Its clients ask so; those of ioquake3 ask for an extended list.
        Signature::new(In("getservers", "protocol", Is(&["71"])), Confidence::Likely),
    ],
    required_keys: &[],
};

/// Urban Terror 4, with an authorization of its own.
pub static URBAN_TERROR: Game = Game {
    id: "urban-terror",
    title: "Urban Terror",
    protocol: &PROTOCOL,
    ports: &[
        Port::new(27960, Role::Server),
        Port::new(27900, Role::Master),
        Port::new(27952, Role::Master),
    ],
    signatures: &[
        QUAKE_TAG,
        Signature::new(Field("gamename", Starts(&["q3ut4", "q3urt4"])), Confidence::Certain),
        Signature::new(Field("game", Starts(&["q3ut4", "q3urt4"])), Confidence::Certain),
        Signature::new(
            Field("version", Starts(&["ioq3-1.35-urt", "ioq3 1.35urt", "ioUrbanTerror"])),
            Confidence::Certain,
        ),
        Signature::new(Message("auth-server"), Confidence::Certain),
        Signature::new(Message("auth-client"), Confidence::Certain),
        Signature::new(Message("rcon-recovery"), Confidence::Certain),
        Signature::new(Field("g_modversion", Any), Confidence::Form),
        Signature::new(Field("auth_enable", Any), Confidence::Form),
        Signature::new(Field("protocol", Is(&["68"])), Confidence::Number),
    ],
    required_keys: &[],
};

/// Smokin' Guns.
pub static SMOKIN_GUNS: Game = Game {
    id: "smokin-guns",
    title: "Smokin' Guns",
    protocol: &PROTOCOL,
    ports: &[Port::new(27960, Role::Server), Port::new(27950, Role::Master)],
    signatures: &[
        Signature::new(Field("gamename", Is(&["smokinguns"])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["Smokin"])), Confidence::Certain),
    ],
    required_keys: &[],
};

/// World of Padman.
pub static WORLD_OF_PADMAN: Game = Game {
    id: "world-of-padman",
    title: "World of Padman",
    protocol: &PROTOCOL,
    ports: &[Port::new(27960, Role::Server), Port::new(27955, Role::Master)],
    signatures: &[
        DARKPLACES_TAG,
        Signature::new(Field("gamename", Is(&["WorldofPadman", "wop"])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["WoP"])), Confidence::Certain),
        Signature::new(Field("protocol", Is(&["72"])), Confidence::Number),
    ],
    required_keys: &[],
};

/// Warfork, which grew out of Warsow.
pub static WARFORK: Game = Game {
    id: "warfork",
    title: "Warfork",
    protocol: &PROTOCOL,
    ports: &[
        Port::new(44400, Role::Server),
        Port::new(27950, Role::Master),
        Port::new(27011, Role::Master),
    ],
    signatures: &[
        DARKPLACES_TAG,
        Signature::new(Field("gamename", Is(&["Warfork"])), Confidence::Certain),
        Signature::new(Field("fs_game", Is(&["basewf"])), Confidence::Likely),
        Signature::new(Field("protocol", Is(&["23"])), Confidence::Number),
        Signature::new(Message("columns-request"), Confidence::Form),
        Signature::new(Message("columns-reply"), Confidence::Form),
        Signature::new(Message("ack"), Confidence::Form),
    ],
    required_keys: &[],
};

/// Warsow, on the engine qfusion, which grew out of Quake 2's.
pub static WARSOW: Game = Game {
    id: "warsow",
    title: "Warsow",
    protocol: &PROTOCOL,
    ports: &[Port::new(44400, Role::Server), Port::new(27950, Role::Master)],
    signatures: &[
        DARKPLACES_TAG,
        Signature::new(Field("gamename", Is(&["Warsow"])), Confidence::Certain),
        Signature::new(Field("fs_game", Is(&["basewsw"])), Confidence::Form),
        Signature::new(Field("protocol", Is(&["22"])), Confidence::Number),
        Signature::new(Message("columns-request"), Confidence::Form),
        Signature::new(Message("columns-reply"), Confidence::Form),
        Signature::new(Message("ack"), Confidence::Form),
    ],
    required_keys: &[],
};

/// FiveM and RedM; their list is not of this protocol today.
pub static FIVEM: Game = Game {
    id: "fivem",
    title: "FiveM and RedM",
    protocol: &PROTOCOL,
    ports: &[Port::new(30120, Role::Server), Port::new(30110, Role::Master)],
    signatures: &[
        DARKPLACES_TAG,
        Signature::new(Field("gamename", Is(&["CitizenFX"])), Confidence::Certain),
        Signature::new(Field("gamename", Is(&["gta5", "rdr3"])), Confidence::Likely),
        Signature::new(Field("iv", Any), Confidence::Form),
    ],
    required_keys: &[],
};
