//! Games of Raven and Ritual, on Quake III's engine; Jedi Outcast, Jedi Academy and Soldier of
//! Fortune 2 have masters of their own.

use super::super::PROTOCOL;
use super::{QUAKE_TAG, RAVENS_LIST};
use Pattern::{Any, Is, Starts};
use SignatureSource::Field;
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

/// Star Wars Jedi Knight II: Jedi Outcast.
pub static JEDI_OUTCAST: Game = Game {
    id: "jedi-outcast",
    title: "Jedi Knight II: Jedi Outcast",
    protocol: &PROTOCOL,
    ports: &[
        Port::new(28070, Role::Server),
        Port::new(28060, Role::Master),
        Port::new(28061, Role::Master),
    ],
    signatures: &[
        QUAKE_TAG,
        RAVENS_LIST,
        Signature::new(Field("gamename", Is(&["basejk"])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["JK2MP"])), Confidence::Certain),
        Signature::new(Field("JK2MV", Any), Confidence::Certain),
        Signature::new(Field("protocol", Is(&["15", "16"])), Confidence::Number),
    ],
    required_keys: &[],
};

/// Star Wars Jedi Knight: Jedi Academy.
pub static JEDI_ACADEMY: Game = Game {
    id: "jedi-academy",
    title: "Jedi Knight: Jedi Academy",
    protocol: &PROTOCOL,
    ports: &[
        Port::new(29070, Role::Server),
        Port::new(29060, Role::Master),
        Port::new(29061, Role::Master),
    ],
    signatures: &[
        QUAKE_TAG,
        RAVENS_LIST,
        Signature::new(Field("gamename", Is(&["basejka"])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["JAmp"])), Confidence::Certain),
        Signature::new(Field("truejedi", Any), Confidence::Form),
        Signature::new(Field("protocol", Is(&["25", "26"])), Confidence::Number),
    ],
    required_keys: &[],
};

/// Soldier of Fortune II: Double Helix.
pub static SOLDIER_OF_FORTUNE_2: Game = Game {
    id: "soldier-of-fortune-2",
    title: "Soldier of Fortune II: Double Helix",
    protocol: &PROTOCOL,
    ports: &[Port::new(20100, Role::Server), Port::new(20110, Role::Master)],
    signatures: &[
        QUAKE_TAG,
        RAVENS_LIST,
        Signature::new(Field("gamename", Is(&["sof2mp"])), Confidence::Certain),
        Signature::new(Field("version", Starts(&["SOF2MP"])), Confidence::Certain),
        Signature::new(Field("keyword", Is(&["SOF2FULL"])), Confidence::Certain),
        Signature::new(Field("sv_keywords", Any), Confidence::Form),
        Signature::new(Field("protocol", Is(&["2002", "2004"])), Confidence::Number),
    ],
    required_keys: &[],
};

/// Star Trek: Elite Force II.
pub static ELITE_FORCE_2: Game = Game {
    id: "elite-force-2",
    title: "Star Trek: Elite Force II",
    protocol: &PROTOCOL,
    ports: &[Port::new(29253, Role::Server)],
    signatures: &[],
    required_keys: &[],
};
