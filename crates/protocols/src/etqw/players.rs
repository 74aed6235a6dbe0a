//! The players of a description: their fields depend on the protocol.

use crate::doom3::{PLAYER_ID, PLAYER_NAME, PLAYER_PING, PLAYER_RATE};
use codec::{
    Endian::Little, Field, FieldRole, RecordForm, RecordPart, RecordsEnd, Shape, bytes, text,
};

static PLAYER: Field = Field::group("player", "one player");
static POSITION: Field = Field::number("clan tag position", "where the clan's tag stands")
    .values(&[("0", "in front of the name"), ("1", "behind the name")]);
static TAG: Field = Field::text("clan tag", "the tag of the player's clan").role(FieldRole::Name);
static BOT: Field = Field::number("bot", "whether the player is a program")
    .values(&[("0", "a person"), ("1", "a program")]);
static PLAYER_STATISTICS: Field = Field::group("statistics", "what one player has done");
static EXPERIENCE: Field = Field::number("experience", "points in all; observed, in no document");
static TEAM: Field =
    Field::text("team", "the player's side; observed, in no document").role(FieldRole::Name);
static KILLS: Field = Field::number("kills", "enemies killed; observed, in no document");
static DEATHS: Field =
    Field::number("deaths", "how often the player died; observed, in no document");

const TAG_POSITION: RecordPart = bytes(&POSITION, 1, Shape::Unsigned(Little));
const IS_BOT: RecordPart = bytes(&BOT, 1, Shape::Unsigned(Little));

/// Protocols before 10.17, of the game versions 1.0 and 1.1: no tag.
pub const PLAYERS_BEFORE_10_17: RecordForm =
    RecordForm { members: &[PLAYER_ID, PLAYER_PING, PLAYER_RATE, PLAYER_NAME, IS_BOT], ..PLAYERS };
/// Protocols 10.17 and 10.18.
pub const PLAYERS_10_17: RecordForm = RecordForm {
    members: &[PLAYER_ID, PLAYER_PING, PLAYER_RATE, PLAYER_NAME, TAG_POSITION, text(&TAG), IS_BOT],
    ..PLAYERS
};
/// Protocol 10.19 and later: no rate.
pub const PLAYERS: RecordForm = RecordForm {
    record: &PLAYER,
    members: &[PLAYER_ID, PLAYER_PING, PLAYER_NAME, TAG_POSITION, text(&TAG), IS_BOT],
    end: RecordsEnd::Byte(32),
};
/// The additional statistics in `infoExResponse`.
pub const STATISTICS: RecordForm = RecordForm {
    record: &PLAYER_STATISTICS,
    members: &[
        PLAYER_ID,
        bytes(&EXPERIENCE, 4, Shape::Float(Little)),
        text(&TEAM),
        bytes(&KILLS, 4, Shape::Signed(Little)),
        bytes(&DEATHS, 4, Shape::Signed(Little)),
    ],
    end: RecordsEnd::Byte(32),
};
