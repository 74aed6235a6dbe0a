//! The keys of rules, and of what XMP tells of a player.

use super::super::NO_LIMIT;
use codec::{Field, FieldRole, Keys};

static FALSE_TRUE: &[(&str, &str)] = &[("False", "no"), ("True", "yes")];

/// The rules that the engine and its game types have; modifications add others.
pub(super) static RULES: Keys = Keys::new(
    &[
        Field::text("AdminEMail", "how to reach its operator").role(FieldRole::Person),
        Field::text("AdminName", "who operates the server").role(FieldRole::Person),
        Field::text("ElapsedTime", "seconds since the match began"),
        Field::text("FriendlyFireScale", "how much players hurt their own team"),
        Field::text("GamePassword", "whether a password is needed to play")
            .role(FieldRole::Secret)
            .values(FALSE_TRUE),
        Field::text("GameStats", "whether results are kept").values(FALSE_TRUE),
        Field::text("GoalScore", "points that end a match").values(NO_LIMIT),
        Field::text("MaxSpectators", "how many may watch").role(FieldRole::Count),
        Field::text("MinPlayers", "programs fill up to so many players").role(FieldRole::Count),
        Field::text("Mutator", "a class that changes the rules"),
        Field::text("password", "whether a password is needed to play")
            .role(FieldRole::Secret)
            .values(FALSE_TRUE),
        Field::text("ServerMode", "dedicated, or on a player's machine"),
        Field::text("ServerVersion", "the server's version").role(FieldRole::Version),
        Field::text("TimeLimit", "minutes that end a match").values(NO_LIMIT),
        Field::text("Translocator", "whether players have it").values(FALSE_TRUE),
        Field::text("WeaponStay", "whether weapons stay when taken").values(FALSE_TRUE),
    ],
    &[],
);

/// What XMP tells of a player.
pub(super) static PROPERTIES: Keys = Keys::new(
    &[
        Field::text("class", "how the player plays"),
        Field::text("team", "the player's side").role(FieldRole::Name),
    ],
    &[],
);
