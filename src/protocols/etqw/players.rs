//! The players of a description: their fields depend on the protocol.

use crate::codec::{Endian::Little, Field, FieldRole, RecordForm, RecordPart, Shape, bytes, text};
use crate::protocols::doom3::{DELAY, NAMED, TAKES, WHO};

static PLAYER: Field = Field::group("player", "one player");
static TAG_AT: Field = Field::number("clan tag position", "where the clan's tag stands")
    .values(&[("0", "in front of the name"), ("1", "behind the name")]);
static TAG: Field = Field::text("clan tag", "the tag of the player's clan").role(FieldRole::Name);
static BOT: Field = Field::number("bot", "whether the player is a program")
    .values(&[("0", "a person"), ("1", "a program")]);
static ONE: Field = Field::group("statistics", "what one player has done");
static EXPERIENCE: Field = Field::number("experience", "points in all; observed, in no document");
static TEAM: Field =
    Field::text("team", "the player's side; observed, in no document").role(FieldRole::Name);
static KILLS: Field = Field::number("kills", "enemies killed; observed, in no document");
static DEATHS: Field =
    Field::number("deaths", "how often the player died; observed, in no document");

const TAGGED: RecordPart = bytes(&TAG_AT, 1, Shape::Unsigned(Little));
const PROGRAM: RecordPart = bytes(&BOT, 1, Shape::Unsigned(Little));

/// Protocols before 10.17, of the game versions 1.0 and 1.1: no tag.
pub const PLAYERS_BEFORE_10_17: RecordForm =
    RecordForm { members: &[WHO, DELAY, TAKES, NAMED, PROGRAM], ..PLAYERS };
/// Protocols 10.17 and 10.18.
pub const PLAYERS_10_17: RecordForm =
    RecordForm { members: &[WHO, DELAY, TAKES, NAMED, TAGGED, text(&TAG), PROGRAM], ..PLAYERS };
/// Protocol 10.19 and later: no rate.
pub const PLAYERS: RecordForm = RecordForm {
    record: &PLAYER,
    members: &[WHO, DELAY, NAMED, TAGGED, text(&TAG), PROGRAM],
    last: 32,
};
/// The additional statistics in `infoExResponse`.
pub const STATISTICS: RecordForm = RecordForm {
    record: &ONE,
    members: &[
        WHO,
        bytes(&EXPERIENCE, 4, Shape::Float(Little)),
        text(&TEAM),
        bytes(&KILLS, 4, Shape::Signed(Little)),
        bytes(&DEATHS, 4, Shape::Signed(Little)),
    ],
    last: 32,
};
