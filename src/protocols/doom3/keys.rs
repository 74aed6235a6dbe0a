//! The keys in the dictionaries of these games.
//!
//! Most keys are those of document 001, section 9.5, which explains none; their meanings, and the
//! keys that it does not show, come from the behaviour of the games' own programs.

use crate::codec::{Field, FieldRole, Keys, Kind};

type Values = &'static [(&'static str, &'static str)];

static NO_YES: Values = &[("0", "no"), ("1", "yes")];
static NO_LIMIT: Values = &[("0", "no limit")];
static DEDICATED: Values =
    &[("0", "on a player's machine"), ("1", "dedicated"), ("2", "dedicated, for the internet")];

/// The keys that the documents and the released programs use; Enemy Territory: Quake Wars has the
/// same.
pub static KEYS: Keys = Keys::new(LISTED, &[]);

static LISTED: &[Field] = &[
    Field::new("fs_game", Kind::Text, "the modification's folder, or nothing")
        .role(FieldRole::Game),
    Field::new("fs_game_base", Kind::Text, "the folder that the modification builds on")
        .role(FieldRole::Game),
    Field::new("gamename", Kind::Text, "which game").role(FieldRole::Game),
    Field::new("net_LANServer", Kind::Number, "whether the server is for its own network only")
        .values(NO_YES),
    Field::new("net_serverDedicated", Kind::Number, "whether nobody plays on the server itself")
        .values(DEDICATED),
    Field::new("net_serverPunkbusterEnabled", Kind::Number, "whether PunkBuster is demanded")
        .values(NO_YES),
    Field::new("si_campaign", Kind::Text, "the series of maps being played"),
    Field::new("si_captureLimit", Kind::Number, "flags that end a match").values(NO_LIMIT),
    Field::new("si_fragLimit", Kind::Number, "frags that end a match").values(NO_LIMIT),
    Field::new("si_gameType", Kind::Text, "the rules that are played"),
    Field::new("si_idleServer", Kind::Number, "whether the server waits with no map loaded")
        .values(NO_YES),
    Field::new("si_map", Kind::Text, "the map being played").role(FieldRole::Map),
    Field::new("si_maxPlayers", Kind::Number, "places on the server").role(FieldRole::Places),
    Field::new("si_minPlayers", Kind::Number, "players that a match waits for")
        .role(FieldRole::Count),
    Field::new("si_motd", Kind::Text, "the message of the day").role(FieldRole::Free),
    Field::new("si_name", Kind::Text, "the server's name, with colours").role(FieldRole::Host),
    Field::new("si_needPass", Kind::Number, "whether a password is needed to join").values(NO_YES),
    Field::new("si_pure", Kind::Number, "whether clients must play with the server's files")
        .values(NO_YES),
    Field::new("si_rules", Kind::Text, "the rules that are played"),
    Field::new("si_serverURL", Kind::Text, "where to read of the server").role(FieldRole::Free),
    Field::new("si_spectators", Kind::Number, "whether players may watch").values(NO_YES),
    Field::new("si_teamDamage", Kind::Number, "whether players can hurt their own team")
        .values(NO_YES),
    Field::new("si_timeLimit", Kind::Number, "minutes that end a match").values(NO_LIMIT),
    Field::new("si_usepass", Kind::Number, "whether a password is needed to join").values(NO_YES),
    Field::new("si_version", Kind::Text, "program, version, system and build date")
        .role(FieldRole::Version),
    Field::new("si_warmup", Kind::Number, "whether players may practise before a match")
        .values(NO_YES),
    Field::new("sv_punkbuster", Kind::Number, "whether PunkBuster is demanded").values(NO_YES),
];
