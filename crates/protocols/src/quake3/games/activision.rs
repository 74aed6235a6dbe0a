//! Games that Activision and Electronic Arts published, and what grew from them: Call of Duty with
//! masters of its own, and Medal of Honor with GameSpy's.

use super::super::PROTOCOL;
use super::RAVENS_LIST;
use Pattern::{Any, Bytes, Is, Present, Starts};
use SignatureSource::{Field, In, Message};
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

/// Call of Duty; its servers run mods, whose folder is their game.
pub static CALL_OF_DUTY: Game = Game {
    id: "call-of-duty",
    title: "Call of Duty",
    protocol: &PROTOCOL,
    ports: &[Port::new(28960, Role::Server), Port::new(20510, Role::Master)],
    signatures: &[
        Signature::new(Field("gamename", Is(&["main"])), Confidence::Likely),
        Signature::new(Field("codextended", Any), Confidence::Form),
        // Requests may name any game with such a small number.
        Signature::new(
            In("status-response", "protocol", Is(&["1", "2", "4", "5", "6"])),
            Confidence::Number,
        ),
        RAVENS_LIST,
    ],
    required_keys: &[],
};

/// Call of Duty: United Offensive.
pub static UNITED_OFFENSIVE: Game = Game {
    id: "call-of-duty-uo",
    title: "Call of Duty: United Offensive",
    protocol: &PROTOCOL,
    ports: &[Port::new(28960, Role::Server), Port::new(20610, Role::Master)],
    signatures: &[
        Signature::new(Field("gamename", Is(&["CoD:United Offensive"])), Confidence::Certain),
        Signature::new(Field("protocol", Is(&["21", "22"])), Confidence::Number),
        RAVENS_LIST,
    ],
    required_keys: &[],
};

/// Call of Duty 2.
pub static CALL_OF_DUTY_2: Game = Game {
    id: "call-of-duty-2",
    title: "Call of Duty 2",
    protocol: &PROTOCOL,
    ports: &[
        Port::new(28960, Role::Server),
        Port::new(20710, Role::Master),
        Port::new(20700, Role::Master),
    ],
    signatures: &[
        Signature::new(Field("tag", Is(&["COD-2"])), Confidence::Certain),
        Signature::new(Field("gamename", Is(&["Call of Duty 2"])), Confidence::Certain),
        Signature::new(Field("protocol", Is(&["115", "117", "118"])), Confidence::Number),
        RAVENS_LIST,
    ],
    required_keys: &[],
};

/// Call of Duty 4, also with the server program CoD4x.
pub static CALL_OF_DUTY_4: Game = Game {
    id: "call-of-duty-4",
    title: "Call of Duty 4",
    protocol: &PROTOCOL,
    ports: &[
        Port::new(28960, Role::Server),
        Port::new(20810, Role::Master),
        Port::new(20800, Role::Master),
    ],
    signatures: &[
        Signature::new(Field("tag", Is(&["COD-4", "flatline"])), Confidence::Certain),
        Signature::new(Field("gamename", Is(&["Call of Duty 4"])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["CoD4 "])), Confidence::Certain),
        Signature::new(In("challenge-response", "xproto", Present), Confidence::Certain),
        Signature::new(Message("stat-response"), Confidence::Certain),
        Signature::new(In("status-response", "protocol", Is(&["6"])), Confidence::Number),
        RAVENS_LIST,
    ],
    required_keys: &[],
};

/// IW4x and other programs with AlterWare's master, for later games of the line.
pub static IW4X: Game = Game {
    id: "iw4x",
    title: "IW4x and other games of AlterWare's master",
    protocol: &PROTOCOL,
    ports: &[Port::new(28960, Role::Server), Port::new(20810, Role::Master)],
    signatures: &[
        Signature::new(
            Field("tag", Is(&["IW4", "IW5", "IW6", "IW7", "S1", "T7"])),
            Confidence::Certain,
        ),
        Signature::new(
            Field("gamename", Is(&["IW4", "IW5", "IW6", "IW7", "S1", "T7"])),
            Confidence::Certain,
        ),
        Signature::new(Message("get-bots"), Confidence::Certain),
        Signature::new(Message("get-bots-response"), Confidence::Certain),
        Signature::new(Field("xuid", Any), Confidence::Form),
        Signature::new(Field("protocol", Is(&["150"])), Confidence::Number),
        Signature::new(In("getservers-response", "head", Bytes(b" ")), Confidence::Form),
    ],
    required_keys: &[],
};

/// Medal of Honor: Allied Assault and its two extensions. Behind the mark it has a byte for the
/// direction; its masters are GameSpy's, and on a port of its own it answers queries in their
/// protocol.
pub static MEDAL_OF_HONOR: Game = Game {
    id: "mohaa",
    title: "Medal of Honor: Allied Assault",
    protocol: &PROTOCOL,
    ports: &[Port::new(12203, Role::Server), Port::new(12300, Role::Server)],
    signatures: &[
        Signature::new(Field("gamename", Is(&["mohaa", "mohaas", "mohaab"])), Confidence::Certain),
        Signature::new(Field("header", Bytes(b"\xff\xff\xff\xff\x01")), Confidence::Certain),
        Signature::new(Field("header", Bytes(b"\xff\xff\xff\xff\x02")), Confidence::Certain),
        Signature::new(Field("header", Bytes(b"\xff\xff\xff\xff\x02\x02")), Confidence::Certain),
        Signature::new(Field("version", Starts(&["Medal of Honor"])), Confidence::Certain),
        Signature::new(Field("protocol", Is(&["8"])), Confidence::Number),
    ],
    required_keys: &[],
};
