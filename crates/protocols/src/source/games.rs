//! The games with this protocol, by their application at Steam and by their folder.

use super::super::half_life::{HALF_LIFE, XASH3D};
use super::super::unreal2::KILLING_FLOOR;
use Confidence::{Certain, Likely, Number};
use Pattern::{Any, Is, Present};
use Role::{Master, Server};
use SignatureSource::{Field, In};
use protocol::{Confidence, Game, Pattern, Port, Role, Signature, SignatureSource};

/// Any game whose application and folder are not listed. Its servers report to Steam's masters in
/// Half-Life's protocol.
pub static SOURCE: Game = Game {
    id: "source",
    title: "Source, any game",
    protocol: &super::PROTOCOL,
    // Those of GoldSrc's games report to port 27010.
    ports: &[Port::new(27015, Server), Port::new(27011, Master), Port::new(27010, Master)],
    signatures: &[
        Signature::new(In("s2a-info", "protocol", Is(&["7", "17"])), Number),
        Signature::new(In("s2a-rules", "sv_tags", Present), Likely),
        Signature::new(In("s2a-rules", "sv_steamgroup", Present), Likely),
        Signature::new(In("s2a-rules", "sv_pure", Present), Likely),
        Signature::new(In("s2a-rules", "tv_enable", Present), Likely),
        Signature::new(In("s2a-rules", "sourcemod_version", Present), Likely),
        // What servers say to Steam's master, and clients ask it.
        Signature::new(In("reply", "gamedir", Is(FOLDERS)), Certain),
        Signature::new(In("reply", "protocol", Is(&["7", "17"])), Number),
        Signature::new(In("get-region", "gamedir", Is(FOLDERS)), Certain),
        Signature::new(In("get-region", "appid", Any), Likely),
        Signature::new(In("get-region", "napp", Any), Likely),
        Signature::new(In("get-region", "gametype", Any), Likely),
        Signature::new(In("get-region", "gamedata", Any), Likely),
        Signature::new(In("get-region", "gamedataor", Any), Likely),
        Signature::new(In("get-region", "collapse_addr_hash", Any), Likely),
        Signature::new(In("get-region", "white", Any), Likely),
    ],
    required_keys: &[],
};

/// Folders of games on Source, which no game on GoldSrc or Xash3D has.
const FOLDERS: &[&str] = &[
    "tf",
    "csgo",
    "hl2mp",
    "garrysmod",
    "left4dead",
    "left4dead2",
    "ship",
    "insurgency",
    "zps",
    "synergy",
    "nmrih",
    "doi",
    "alienswarm",
    "fof",
    "pvkii",
];

/// Declares games: the number of the application, and the folder with how sure it makes the game.
/// Where two games have a folder, it makes neither certain. `goldsrc` says that its folder stands in
/// the older reply too.
macro_rules! games {
    ($($name:ident = $id:literal, $title:literal, $app:literal
        $(, $folder:literal $sure:ident $($goldsrc:ident)?)?;)+) => {
        /// The game that may be any is first. Half-Life, Xash3D and Killing Floor have other protocols too.
        pub(super) static GAMES: &[&Game] = &[&SOURCE, &HALF_LIFE, &XASH3D, &KILLING_FLOOR, $(&$name),+];

        $(static $name: Game = Game {
            id: $id,
            title: $title,
            protocol: &super::PROTOCOL,
            ports: &[],
            signatures: &[
                Signature::new(Field("app id", Is(&[stringify!($app)])), Certain),
                Signature::new(Field("game id", Is(&[stringify!($app)])), Certain),
                // What servers call their game is mostly its title; it is theirs to set.
                Signature::new(In("s2a-info", "game", Is(&[$title])), Likely),
                Signature::new(In("s2a-info-detailed", "game", Is(&[$title])), Likely),
                $(
                    Signature::new(Field("folder", Is(&[$folder])), $sure),
                    $(games!(@$goldsrc $folder $sure),)?
                )?
            ],
            required_keys: &[],
        };)+
    };
    (@goldsrc $folder:literal $sure:ident) => {
        Signature::new(In("s2a-info-detailed", "gamedir", Is(&[$folder])), $sure)
    };
}

games! {
    COUNTER_STRIKE = "counter-strike", "Counter-Strike", 10, "cstrike" Likely goldsrc;
    TEAM_FORTRESS_CLASSIC = "team-fortress-classic", "Team Fortress Classic", 20,
        "tfc" Certain goldsrc;
    DAY_OF_DEFEAT = "day-of-defeat", "Day of Defeat", 30, "dod" Likely goldsrc;
    DEATHMATCH_CLASSIC = "deathmatch-classic", "Deathmatch Classic", 40, "dmc" Certain goldsrc;
    OPPOSING_FORCE = "opposing-force", "Half-Life: Opposing Force", 50, "gearbox" Certain goldsrc;
    RICOCHET = "ricochet", "Ricochet", 60, "ricochet" Certain goldsrc;
    CONDITION_ZERO = "condition-zero", "Counter-Strike: Condition Zero", 80, "czero" Certain goldsrc;
    COUNTER_STRIKE_SOURCE = "counter-strike-source", "Counter-Strike: Source", 240,
        "cstrike" Likely;
    DAY_OF_DEFEAT_SOURCE = "day-of-defeat-source", "Day of Defeat: Source", 300, "dod" Likely;
    HALF_LIFE_2_DEATHMATCH = "half-life-2-deathmatch", "Half-Life 2: Deathmatch", 320,
        "hl2mp" Certain;
    HALF_LIFE_SOURCE = "half-life-deathmatch-source", "Half-Life Deathmatch: Source", 360;
    TEAM_FORTRESS_2 = "team-fortress-2", "Team Fortress 2", 440, "tf" Certain;
    LEFT_4_DEAD = "left-4-dead", "Left 4 Dead", 500, "left4dead" Certain;
    LEFT_4_DEAD_2 = "left-4-dead-2", "Left 4 Dead 2", 550, "left4dead2" Certain;
    ALIEN_SWARM = "alien-swarm", "Alien Swarm", 630, "alienswarm" Certain;
    CSGO = "csgo", "Counter-Strike: Global Offensive, and Counter-Strike 2", 730, "csgo" Certain;
    THE_SHIP = "the-ship", "The Ship", 2400, "ship" Certain;
    GARRYS_MOD = "garrys-mod", "Garry's Mod", 4000, "garrysmod" Certain;
    NATURAL_SELECTION_2 = "natural-selection-2", "Natural Selection 2", 4920;
    ZOMBIE_PANIC = "zombie-panic", "Zombie Panic! Source", 17500, "zps" Certain;
    AGE_OF_CHIVALRY = "age-of-chivalry", "Age of Chivalry", 17510;
    SYNERGY = "synergy", "Synergy", 17520, "synergy" Certain;
    PIRATES = "pirates-vikings-knights-2", "Pirates, Vikings and Knights II", 17570, "pvkii" Certain;
    INSURGENCY_MOD = "insurgency-mod", "Insurgency: Modern Infantry Combat", 17700;
    ARMA_2_OA = "arma-2-operation-arrowhead", "Arma 2: Operation Arrowhead", 33930;
    ARMA_3 = "arma-3", "Arma 3", 107410, "Arma3" Certain;
    PROJECT_ZOMBOID = "project-zomboid", "Project Zomboid", 108600;
    STARBOUND = "starbound", "Starbound", 211820;
    CHIVALRY = "chivalry", "Chivalry: Medieval Warfare", 219640;
    DAYZ = "dayz", "DayZ", 221100, "dayz" Certain;
    INSURGENCY = "insurgency", "Insurgency", 222880, "insurgency" Likely;
    NO_MORE_ROOM_IN_HELL = "no-more-room-in-hell", "No More Room in Hell", 224260, "nmrih" Certain;
    SVEN_COOP = "sven-coop", "Sven Co-op", 225840, "svencoop" Certain goldsrc;
    THE_FOREST = "the-forest", "The Forest", 242760;
    SEVEN_DAYS_TO_DIE = "seven-days-to-die", "7 Days to Die", 251570, "7DTD" Certain;
    RUST = "rust", "Rust", 252490, "rust" Certain;
    FISTFUL_OF_FRAGS = "fistful-of-frags", "Fistful of Frags", 265630, "fof" Certain;
    QUAKE_LIVE = "quake-live", "Quake Live", 282440, "baseq3" Likely;
    UNTURNED = "unturned", "Unturned", 304930, "unturned" Certain;
    DONT_STARVE_TOGETHER = "dont-starve-together", "Don't Starve Together", 322320;
    ARK = "ark", "ARK: Survival Evolved", 346110, "ark_survival_evolved" Certain;
    BLACK_MESA = "black-mesa", "Black Mesa", 362890;
    SQUAD = "squad", "Squad", 393380, "squad" Certain;
    CONAN_EXILES = "conan-exiles", "Conan Exiles", 440900;
    DAY_OF_INFAMY = "day-of-infamy", "Day of Infamy", 447820, "doi" Certain;
    REACTIVE_DROP = "alien-swarm-reactive-drop", "Alien Swarm: Reactive Drop", 563560;
    SANDSTORM = "insurgency-sandstorm", "Insurgency: Sandstorm", 581320;
    BAROTRAUMA = "barotrauma", "Barotrauma", 602960;
    MORDHAU = "mordhau", "Mordhau", 629760;
    RISK_OF_RAIN_2 = "risk-of-rain-2", "Risk of Rain 2", 632360;
    HELL_LET_LOOSE = "hell-let-loose", "Hell Let Loose", 686810;
    POST_SCRIPTUM = "post-scriptum", "Post Scriptum", 736220;
    VALHEIM = "valheim", "Valheim", 892970, "valheim" Certain;
    ENSHROUDED = "enshrouded", "Enshrouded", 1203620;
    V_RISING = "v-rising", "V Rising", 1604030;
    ARMA_REFORGER = "arma-reforger", "Arma Reforger", 1874880;
}
