//! The players of a description: their fields depend on the protocol.

use crate::codec::{
    Endian::Little, Field, FieldRole, Kind, RecordForm, RecordPart, Shape, bytes, text,
};
use crate::protocols::doom3::{DELAY, NAMED, TAKES, WHO};

static PLAYER: Field = Field::new("player", Kind::Group, "one player");
static TAG_AT: Field = Field::new("clan tag position", Kind::Number, "where the clan's tag stands")
    .values(&[("0", "in front of the name"), ("1", "behind the name")]);
static TAG: Field =
    Field::new("clan tag", Kind::Text, "the tag of the player's clan").role(FieldRole::Name);
static BOT: Field = Field::new("bot", Kind::Number, "whether the player is a program")
    .values(&[("0", "a person"), ("1", "a program")]);
static ONE: Field = Field::new("statistics", Kind::Group, "what one player has done");
static EXPERIENCE: Field =
    Field::new("experience", Kind::Number, "points in all; observed, in no document");
static TEAM: Field = Field::new("team", Kind::Text, "the player's side; observed, in no document")
    .role(FieldRole::Name);
static KILLS: Field = Field::new("kills", Kind::Number, "enemies killed; observed, in no document");
static DEATHS: Field =
    Field::new("deaths", Kind::Number, "how often the player died; observed, in no document");

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
