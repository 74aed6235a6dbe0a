//! The games with this protocol, and their signatures. Ports are those of queries, which often are not
//! those that clients play on.

use Pattern::{Is, Present};
use SignatureSource::Field;
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

/// Declares a game of this protocol with its query ports and its names in `gamename`.
macro_rules! games {
    ($($(#[$doc:meta])+ $name:ident = $id:literal, $title:literal, [$($port:literal),*],
        [$($gamename:literal),+] $(, $signature:expr)*;)+) => {$(
        $(#[$doc])+
        pub static $name: Game = Game {
            id: $id,
            title: $title,
            protocol: &super::PROTOCOL,
            ports: &[$(Port::new($port, Role::Server)),*],
            signatures: &[
                Signature::new(Field("gamename", Is(&[$($gamename),+])), Confidence::Certain),
                $($signature,)*
            ],
            required_keys: &[],
        };
    )+};
}

/// Every game that is not listed here; it is first, because it is the default without evidence.
pub static GAMESPY2: Game = Game {
    id: "gamespy2",
    title: "Games with GameSpy's second protocol",
    protocol: &super::PROTOCOL,
    ports: &[],
    signatures: &[Signature::new(Field("gamename", Pattern::Any), Confidence::Likely)],
    required_keys: &[],
};

games! {
    /// Halo. Its servers say whether only the maps of the first version are played.
    HALO = "halo", "Halo: Combat Evolved", [2302], ["halor", "halo", "halom"],
        Signature::new(Field("game_classic", Present), Confidence::Certain);
    /// Battlefield Vietnam.
    BATTLEFIELD_VIETNAM = "bfvietnam", "Battlefield Vietnam", [23000], ["bfvietnam"];
    /// SWAT 4, queried on one of the two ports behind the one to play on.
    SWAT_4 = "swat4", "SWAT 4", [10480, 10481, 10482], ["swat4", "swat4xp1"];
    /// Operation Flashpoint: Resistance.
    OPERATION_FLASHPOINT = "operation-flashpoint", "Operation Flashpoint: Resistance",
        [2302], ["opflashr"];
    /// ArmA: Armed Assault.
    ARMED_ASSAULT = "armed-assault", "ArmA: Armed Assault", [2302], ["armedass"];
    /// America's Army.
    AMERICAS_ARMY = "americas-army", "America's Army", [1717], ["armygame"];
    /// Neverwinter Nights.
    NEVERWINTER_NIGHTS = "neverwinter-nights", "Neverwinter Nights", [5121], ["nwn"];
    /// Star Wars: Battlefront.
    STAR_WARS_BATTLEFRONT = "star-wars-battlefront", "Star Wars: Battlefront",
        [3658], ["swbfrontpc"];
    /// F.E.A.R.
    FEAR = "fear", "F.E.A.R.", [27888], ["fear"];
    /// Painkiller.
    PAINKILLER = "painkiller", "Painkiller", [3578], ["painkiller"];
}

pub(super) static GAMES: &[&Game] = &[
    &GAMESPY2,
    &HALO,
    &BATTLEFIELD_VIETNAM,
    &SWAT_4,
    &OPERATION_FLASHPOINT,
    &ARMED_ASSAULT,
    &AMERICAS_ARMY,
    &NEVERWINTER_NIGHTS,
    &STAR_WARS_BATTLEFRONT,
    &FEAR,
    &PAINKILLER,
];
