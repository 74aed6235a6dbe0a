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
    ports: &[Port::of(28960, Role::Server), Port::of(20510, Role::Master)],
    signatures: &[
        Signature::of(Field("gamename", Is(&["main"])), Confidence::Likely),
        Signature::of(Field("codextended", Any), Confidence::Form),
        // Requests may name any game with such a small number.
        Signature::of(
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
    ports: &[Port::of(28960, Role::Server), Port::of(20610, Role::Master)],
    signatures: &[
        Signature::of(Field("gamename", Is(&["CoD:United Offensive"])), Confidence::Certain),
        Signature::of(Field("protocol", Is(&["21", "22"])), Confidence::Number),
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
        Port::of(28960, Role::Server),
        Port::of(20710, Role::Master),
        Port::of(20700, Role::Master),
    ],
    signatures: &[
        Signature::of(Field("tag", Is(&["COD-2"])), Confidence::Certain),
        Signature::of(Field("gamename", Is(&["Call of Duty 2"])), Confidence::Certain),
        Signature::of(Field("protocol", Is(&["115", "117", "118"])), Confidence::Number),
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
        Port::of(28960, Role::Server),
        Port::of(20810, Role::Master),
        Port::of(20800, Role::Master),
    ],
    signatures: &[
        Signature::of(Field("tag", Is(&["COD-4", "flatline"])), Confidence::Certain),
        Signature::of(Field("gamename", Is(&["Call of Duty 4"])), Confidence::Certain),
        Signature::of(Field("version", Starts(&["CoD4 "])), Confidence::Certain),
        Signature::of(In("challenge-response", "xproto", Present), Confidence::Certain),
        Signature::of(Message("stat-response"), Confidence::Certain),
        Signature::of(In("status-response", "protocol", Is(&["6"])), Confidence::Number),
        RAVENS_LIST,
    ],
    required_keys: &[],
};

/// IW4x and other programs with AlterWare's master, for later games of the line.
pub static IW4X: Game = Game {
    id: "iw4x",
    title: "IW4x and other games of AlterWare's master",
    protocol: &PROTOCOL,
    ports: &[Port::of(28960, Role::Server), Port::of(20810, Role::Master)],
    signatures: &[
        Signature::of(
            Field("tag", Is(&["IW4", "IW5", "IW6", "IW7", "S1", "T7"])),
            Confidence::Certain,
        ),
        Signature::of(
            Field("gamename", Is(&["IW4", "IW5", "IW6", "IW7", "S1", "T7"])),
            Confidence::Certain,
        ),
        Signature::of(Message("get-bots"), Confidence::Certain),
        Signature::of(Message("get-bots-response"), Confidence::Certain),
        Signature::of(Field("xuid", Any), Confidence::Form),
        Signature::of(Field("protocol", Is(&["150"])), Confidence::Number),
        Signature::of(In("getservers-response", "head", Bytes(b" ")), Confidence::Form),
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
    ports: &[Port::of(12203, Role::Server), Port::of(12300, Role::Server)],
    signatures: &[
        Signature::of(Field("gamename", Is(&["mohaa", "mohaas", "mohaab"])), Confidence::Certain),
        Signature::of(Field("mark", Bytes(b"\xff\xff\xff\xff\x01")), Confidence::Certain),
        Signature::of(Field("mark", Bytes(b"\xff\xff\xff\xff\x02")), Confidence::Certain),
        Signature::of(Field("mark", Bytes(b"\xff\xff\xff\xff\x02\x02")), Confidence::Certain),
        Signature::of(Field("version", Starts(&["Medal of Honor"])), Confidence::Certain),
        Signature::of(Field("protocol", Is(&["8"])), Confidence::Number),
    ],
    required_keys: &[],
};
