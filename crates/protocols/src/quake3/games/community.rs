//! Games that are free or grew out of modifications; most use a master like dpmaster.

use super::super::PROTOCOL;
use super::{DARKPLACES_TAG, QUAKE_TAG};
use Pattern::{Any, Contains, Is, Present, Starts};
use SignatureSource::{Field, In, Message};
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

/// Only masters of these games number the packets of a list.
const NUMBERED_LIST: Signature =
    Signature::of(In("getservers-response", "index", Present), Confidence::Form);
const NUMBERED_LIST_EXT: Signature =
    Signature::of(In("getservers-ext-response", "index", Present), Confidence::Form);

/// Unvanquished, on the Daemon engine.
pub static UNVANQUISHED: Game = Game {
    id: "unvanquished",
    title: "Unvanquished",
    protocol: &PROTOCOL,
    ports: &[Port::of(27960, Role::Server), Port::of(27950, Role::Master)],
    signatures: &[
        Signature::of(
            Field("tag", Is(&["Unvanquished", "Unvanquished-dead"])),
            Confidence::Certain,
        ),
        Signature::of(Field("gamename", Is(&["unv", "UNVANQUISHED"])), Confidence::Certain),
        Signature::of(Field("version", Starts(&["Unvanquished"])), Confidence::Certain),
        Signature::of(Field("daemonver", Any), Confidence::Certain),
        Signature::of(Message("getservers-ext-response-links"), Confidence::Certain),
        Signature::of(Message("secure-rcon"), Confidence::Form),
        Signature::of(Message("rcon-info"), Confidence::Certain),
        Signature::of(Message("rcon-info-response"), Confidence::Certain),
        Signature::of(Field("protocol", Is(&["86"])), Confidence::Number),
        NUMBERED_LIST,
        NUMBERED_LIST_EXT,
        Signature::of(Message("ping-server"), Confidence::Form),
        Signature::of(Message("ack"), Confidence::Form),
        // Its challenges are hexadecimal.
        Signature::of(
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
        Port::of(30720, Role::Server),
        Port::of(30710, Role::Master),
        Port::of(30700, Role::Master),
    ],
    signatures: &[
        Signature::of(Field("gamename", Is(&["Tremulous"])), Confidence::Certain),
        Signature::of(Field("version", Starts(&["tremulous", "Tremulous"])), Confidence::Certain),
        Signature::of(Field("protocol", Is(&["69", "70"])), Confidence::Number),
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
    ports: &[Port::of(27960, Role::Server), Port::of(27950, Role::Master)],
    signatures: &[
        QUAKE_TAG,
        Signature::of(Field("version", Starts(&["ioq3+oa", "OpenArena"])), Confidence::Certain),
        Signature::of(Field("gamename", Is(&["baseoa", "oax", "openarena"])), Confidence::Certain),
        Signature::of(Field("gamename", Is(&["Quake3Arena"])), Confidence::Certain),
        // Its clients ask so; those of ioquake3 ask for an extended list.
        Signature::of(In("getservers", "protocol", Is(&["71"])), Confidence::Likely),
    ],
    required_keys: &[],
};

/// Urban Terror 4, with an authorization of its own.
pub static URBAN_TERROR: Game = Game {
    id: "urban-terror",
    title: "Urban Terror",
    protocol: &PROTOCOL,
    ports: &[
        Port::of(27960, Role::Server),
        Port::of(27900, Role::Master),
        Port::of(27952, Role::Master),
    ],
    signatures: &[
        QUAKE_TAG,
        Signature::of(Field("gamename", Starts(&["q3ut4", "q3urt4"])), Confidence::Certain),
        Signature::of(Field("game", Starts(&["q3ut4", "q3urt4"])), Confidence::Certain),
        Signature::of(
            Field("version", Starts(&["ioq3-1.35-urt", "ioq3 1.35urt", "ioUrbanTerror"])),
            Confidence::Certain,
        ),
        Signature::of(Message("auth-server"), Confidence::Certain),
        Signature::of(Message("auth-client"), Confidence::Certain),
        Signature::of(Message("rcon-recovery"), Confidence::Certain),
        Signature::of(Field("g_modversion", Any), Confidence::Form),
        Signature::of(Field("auth_enable", Any), Confidence::Form),
        Signature::of(Field("protocol", Is(&["68"])), Confidence::Number),
    ],
    required_keys: &[],
};

/// Smokin' Guns.
pub static SMOKIN_GUNS: Game = Game {
    id: "smokin-guns",
    title: "Smokin' Guns",
    protocol: &PROTOCOL,
    ports: &[Port::of(27960, Role::Server), Port::of(27950, Role::Master)],
    signatures: &[
        Signature::of(Field("gamename", Is(&["smokinguns"])), Confidence::Certain),
        Signature::of(Field("version", Starts(&["Smokin"])), Confidence::Certain),
    ],
    required_keys: &[],
};

/// World of Padman.
pub static WORLD_OF_PADMAN: Game = Game {
    id: "world-of-padman",
    title: "World of Padman",
    protocol: &PROTOCOL,
    ports: &[Port::of(27960, Role::Server), Port::of(27955, Role::Master)],
    signatures: &[
        DARKPLACES_TAG,
        Signature::of(Field("gamename", Is(&["WorldofPadman", "wop"])), Confidence::Certain),
        Signature::of(Field("version", Starts(&["WoP"])), Confidence::Certain),
        Signature::of(Field("protocol", Is(&["72"])), Confidence::Number),
    ],
    required_keys: &[],
};

/// Warfork, which grew out of Warsow.
pub static WARFORK: Game = Game {
    id: "warfork",
    title: "Warfork",
    protocol: &PROTOCOL,
    ports: &[
        Port::of(44400, Role::Server),
        Port::of(27950, Role::Master),
        Port::of(27011, Role::Master),
    ],
    signatures: &[
        DARKPLACES_TAG,
        Signature::of(Field("gamename", Is(&["Warfork"])), Confidence::Certain),
        Signature::of(Field("fs_game", Is(&["basewf"])), Confidence::Likely),
        Signature::of(Field("protocol", Is(&["23"])), Confidence::Number),
        Signature::of(Message("columns-request"), Confidence::Form),
        Signature::of(Message("columns-reply"), Confidence::Form),
        Signature::of(Message("ack"), Confidence::Form),
    ],
    required_keys: &[],
};

/// Warsow, on the engine qfusion, which grew out of Quake 2's.
pub static WARSOW: Game = Game {
    id: "warsow",
    title: "Warsow",
    protocol: &PROTOCOL,
    ports: &[Port::of(44400, Role::Server), Port::of(27950, Role::Master)],
    signatures: &[
        DARKPLACES_TAG,
        Signature::of(Field("gamename", Is(&["Warsow"])), Confidence::Certain),
        Signature::of(Field("fs_game", Is(&["basewsw"])), Confidence::Form),
        Signature::of(Field("protocol", Is(&["22"])), Confidence::Number),
        Signature::of(Message("columns-request"), Confidence::Form),
        Signature::of(Message("columns-reply"), Confidence::Form),
        Signature::of(Message("ack"), Confidence::Form),
    ],
    required_keys: &[],
};

/// FiveM and RedM; their list is not of this protocol today.
pub static FIVEM: Game = Game {
    id: "fivem",
    title: "FiveM and RedM",
    protocol: &PROTOCOL,
    ports: &[Port::of(30120, Role::Server), Port::of(30110, Role::Master)],
    signatures: &[
        DARKPLACES_TAG,
        Signature::of(Field("gamename", Is(&["CitizenFX"])), Confidence::Certain),
        Signature::of(Field("gamename", Is(&["gta5", "rdr3"])), Confidence::Likely),
        Signature::of(Field("iv", Any), Confidence::Form),
    ],
    required_keys: &[],
};
