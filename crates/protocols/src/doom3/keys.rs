//! The keys in the dictionaries of these games.
//!
//! Most keys are those of document 001, section 9.5, which explains none; their meanings, and the
//! keys that it does not show, come from the behaviour of the games' own programs.

use super::super::{NO_LIMIT, NO_YES, Values};
use codec::{Field, FieldRole, Keys};

static DEDICATED: Values =
    &[("0", "on a player's machine"), ("1", "dedicated"), ("2", "dedicated, for the internet")];

/// The keys that the documents and the released programs use; Enemy Territory: Quake Wars has the
/// same.
pub static KEYS: Keys = Keys::new(LISTED, &[]);

static LISTED: &[Field] = &[
    Field::text("fs_game", "the modification's folder, or nothing").role(FieldRole::Game),
    Field::text("fs_game_base", "the folder that the modification builds on").role(FieldRole::Game),
    Field::text("gamename", "which game").role(FieldRole::Game),
    Field::number("net_LANServer", "whether the server is for its own network only").values(NO_YES),
    Field::number("net_serverDedicated", "whether nobody plays on the server itself")
        .values(DEDICATED),
    Field::number("net_serverPunkbusterEnabled", "whether PunkBuster is required").values(NO_YES),
    Field::text("si_campaign", "the series of maps being played"),
    Field::number("si_captureLimit", "flags that end a match").values(NO_LIMIT),
    Field::number("si_fragLimit", "frags that end a match").values(NO_LIMIT),
    Field::text("si_gameType", "the rules that are played"),
    Field::number("si_idleServer", "whether the server waits with no map loaded").values(NO_YES),
    Field::text("si_map", "the map being played").role(FieldRole::Map),
    Field::number("si_maxPlayers", "places on the server").role(FieldRole::MaxPlayers),
    Field::number("si_minPlayers", "players that a match waits for").role(FieldRole::Count),
    Field::text("si_motd", "the message of the day").role(FieldRole::Free),
    Field::text("si_name", "the server's name, with colours").role(FieldRole::Host),
    Field::number("si_needPass", "whether a password is needed to join").values(NO_YES),
    Field::number("si_pure", "whether clients must play with the server's files").values(NO_YES),
    Field::text("si_rules", "the rules that are played"),
    Field::text("si_serverURL", "where to read of the server").role(FieldRole::Free),
    Field::number("si_spectators", "whether players may watch").values(NO_YES),
    Field::number("si_teamDamage", "whether players can hurt their own team").values(NO_YES),
    Field::number("si_timeLimit", "minutes that end a match").values(NO_LIMIT),
    Field::number("si_usepass", "whether a password is needed to join").values(NO_YES),
    Field::text("si_version", "program, version, system and build date").role(FieldRole::Version),
    Field::number("si_warmup", "whether players may practise before a match").values(NO_YES),
    Field::number("sv_punkbuster", "whether PunkBuster is required").values(NO_YES),
];
