//! The games with this protocol, and their signatures. Ports are those of queries.

use Pattern::{Any, Is};
use Role::Server;
use SignatureSource::Field;
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

/// Every game that is not listed here; it is first, because it is the default without evidence.
pub static GAMESPY3: Game = Game {
    id: "gamespy3",
    title: "Games with GameSpy's third protocol",
    protocol: &super::PROTOCOL,
    ports: &[],
    signatures: &[Signature::new(Field("gamename", Any), Confidence::Likely)],
    required_keys: &[],
};

/// Battlefield 2. Its servers want no challenge.
pub static BATTLEFIELD_2: Game = Game {
    id: "battlefield2",
    title: "Battlefield 2",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(29900, Server), Port::new(27900, Role::Master)],
    signatures: &[
        Signature::new(Field("gamename", Is(&["battlefield2"])), Confidence::Certain),
        Signature::new(Field("bf2_dedicated", Any), Confidence::Form),
    ],
    required_keys: &[],
};

/// Battlefield 2142, whose name in the network is `stella`.
pub static BATTLEFIELD_2142: Game = Game {
    id: "battlefield2142",
    title: "Battlefield 2142",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(29900, Server)],
    signatures: &[Signature::new(Field("gamename", Is(&["stella"])), Confidence::Certain)],
    required_keys: &[],
};

/// Unreal Tournament 3. Most of its keys are numbers.
pub static UNREAL_TOURNAMENT_3: Game = Game {
    id: "ut3",
    title: "Unreal Tournament 3",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(6500, Server)],
    signatures: &[
        Signature::new(Field("gamename", Is(&["ut3pc"])), Confidence::Certain),
        Signature::new(
            Field("mapname", Pattern::Starts(&["OwningPlayerId="])),
            Confidence::Certain,
        ),
    ],
    required_keys: &[],
};

/// Crysis.
pub static CRYSIS: Game = Game {
    id: "crysis",
    title: "Crysis",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(64087, Server)],
    signatures: &[Signature::new(Field("gamename", Is(&["crysis"])), Confidence::Certain)],
    required_keys: &[],
};

/// S.T.A.L.K.E.R.: Shadow of Chernobyl.
pub static STALKER: Game = Game {
    id: "stalker",
    title: "S.T.A.L.K.E.R.: Shadow of Chernobyl",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(5447, Server)],
    signatures: &[Signature::new(Field("gamename", Is(&["stalkersc"])), Confidence::Certain)],
    required_keys: &[],
};

/// Minecraft's Java edition, where the operator has switched queries on.
pub static MINECRAFT: Game = Game {
    id: "minecraft",
    title: "Minecraft",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(25565, Server)],
    signatures: &[
        Signature::new(Field("game_id", Is(&["MINECRAFT"])), Confidence::Certain),
        Signature::new(SignatureSource::Message("basic-reply"), Confidence::Certain),
    ],
    required_keys: &[],
};

pub(super) static GAMES: &[&Game] = &[
    &GAMESPY3,
    &BATTLEFIELD_2,
    &BATTLEFIELD_2142,
    &UNREAL_TOURNAMENT_3,
    &CRYSIS,
    &STALKER,
    &MINECRAFT,
];
