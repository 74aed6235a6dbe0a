//! The games with this protocol, and their signatures.
//!
//! Heretic 2 uses its heartbeat too, with the beacon `\heartbeat\28911\gamename\heretic2` of
//! document 001, section 2.1.2, and Medal of Honor answers queries in it; each is a game of the
//! protocol of its other messages.

use super::super::descent3::DESCENT3;
use super::super::quake2::HERETIC2;
use super::super::quake3::MEDAL_OF_HONOR;
use Pattern::{Any, Is};
use Role::{Master, Server};
use SignatureSource::{Field, Message};
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

/// Every game that reports a name and is not listed here; it is first, because it is the default
/// without evidence.
pub static GAMESPY: Game = Game {
    id: "gamespy",
    title: "Games with GameSpy's protocol",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(8777, Server), Port::new(27900, Master)],
    signatures: &[Signature::new(Field("gamename", Any), Confidence::Likely)],
    required_keys: &[],
};

/// Unreal Tournament: document 001, section 5. Unreal and other games on its engine share most of
/// its keys.
pub static UNREAL_TOURNAMENT: Game = Game {
    id: "unreal-tournament",
    title: "Unreal Tournament",
    protocol: &super::PROTOCOL,
    ports: &[
        Port::new(7777, Server),
        Port::new(7778, Server),
        Port::new(7779, Server),
        Port::new(7780, Server),
        Port::new(8777, Server),
        Port::new(8778, Server),
        Port::new(8779, Server),
        Port::new(8780, Server),
        Port::new(8781, Server),
        Port::new(8782, Server),
        Port::new(8783, Server),
        Port::new(8784, Server),
        Port::new(8785, Server),
        Port::new(8786, Server),
        Port::new(80, Master),
        Port::new(27900, Master),
        Port::new(28900, Master),
    ],
    signatures: &[
        Signature::new(Field("gamename", Is(&["ut"])), Confidence::Certain),
        Signature::new(Field("product", Is(&["ut"])), Confidence::Certain),
        Signature::new(
            Field("Host", Is(&["unreal.epicgames.com", "unreal.epicgames.com:80"])),
            Confidence::Certain,
        ),
        Signature::new(Field("User-Agent", Is(&["Unreal"])), Confidence::Likely),
        Signature::new(Message("report-query"), Confidence::Likely),
        Signature::new(Field("minnetver", Any), Confidence::Form),
        Signature::new(Field("worldlog", Any), Confidence::Form),
        Signature::new(Field("ngsecret_*", Any), Confidence::Form),
        Signature::new(Field("mesh_*", Any), Confidence::Form),
    ],
    required_keys: &[],
};

/// Battlefield 1942. Its servers are asked on another port than they are played on.
pub static BATTLEFIELD_1942: Game = Game {
    id: "bf1942",
    title: "Battlefield 1942",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(23000, Server), Port::new(14567, Server)],
    signatures: &[
        Signature::new(Field("gamename", Is(&["bfield1942", "bfield1942d"])), Confidence::Certain),
        Signature::new(Field("gameId", Any), Confidence::Form),
        Signature::new(Field("playername_*", Any), Confidence::Form),
    ],
    required_keys: &[],
};

pub(super) static GAMES: &[&Game] =
    &[&GAMESPY, &UNREAL_TOURNAMENT, &HERETIC2, &BATTLEFIELD_1942, &MEDAL_OF_HONOR, &DESCENT3];
