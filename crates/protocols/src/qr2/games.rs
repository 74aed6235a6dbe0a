//! The games that register so and have a port of their own for queries. On other ports the short
//! messages of this protocol would be looked for among those of the games.

use crate::gamespy3::{BATTLEFIELD_2, BATTLEFIELD_2142, UNREAL_TOURNAMENT_3};
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

/// Every game that reports a name and is not listed here; it is first, because it is the default
/// without evidence.
pub static QR2: Game = Game {
    id: "qr2",
    title: "Games with GameSpy's query and reporting 2",
    protocol: &super::PROTOCOL,
    ports: &[Port::new(27900, Role::Master)],
    signatures: &[Signature::new(
        SignatureSource::Field("gamename", Pattern::Any),
        Confidence::Likely,
    )],
    required_keys: &[],
};

pub(super) static GAMES: &[&Game] =
    &[&QR2, &BATTLEFIELD_2, &BATTLEFIELD_2142, &UNREAL_TOURNAMENT_3];
