//! The games with this protocol, and their signatures.

use super::QUAKE4_MAJOR;
use Pattern::{Major, Present, Starts};
use SignatureSource::{Field, In};
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

/// Doom 3 is first: it is the default without evidence.
pub(super) static GAMES: &[&Game] = &[&DOOM3, &QUAKE4];

/// Doom 3.
pub static DOOM3: Game = Game {
    id: "doom3",
    title: "Doom 3",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(27666, Role::Server), Port::new(27650, Role::Master)],
    signatures: &[
        Signature::new(Field("gamename", Starts(&["baseDOOM"])), Confidence::Certain),
        Signature::new(Field("si_version", Starts(&["DOOM "])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["DOOM "])), Confidence::Certain),
        Signature::new(Field("protocol", Major(1)), Confidence::Number),
    ],
    required_keys: &[],
};

// In no document; its ports are the defaults of its own programs.
static QUAKE4: Game = Game {
    id: "quake4",
    title: "Quake 4",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(28004, Role::Server), Port::new(27650, Role::Master)],
    signatures: &[
        Signature::new(Field("gamename", Starts(&["baseQUAKE4"])), Confidence::Certain),
        Signature::new(Field("si_version", Starts(&["Quake4 "])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["Quake4 "])), Confidence::Certain),
        Signature::new(Field("protocol", Major(QUAKE4_MAJOR)), Confidence::Number),
        Signature::new(In("info-response", "trailer", Present), Confidence::Form),
        Signature::new(In("get-servers", "player", Present), Confidence::Form),
    ],
    required_keys: &[],
};
