//! GameSpy's second query protocol: binary requests with a key that comes back, settings as pairs of
//! texts, and tables of players and teams. One datagram is the whole answer. Sources: document 008
//! (qr2.c), and document 010 for what clients send.
//!
//! The form of a reply depends on what its query selects. A reply with names is recognised by them;
//! one without names only as the answer to a query.

mod games;
mod keys;
mod query;
mod reply;
mod settings;
mod tables;

use super::NOTHING;
use codec::{Field, FieldRole, Kind, Spelling};
use protocol::protocol;

pub use games::{
    AMERICAS_ARMY, ARMED_ASSAULT, BATTLEFIELD_VIETNAM, FEAR, GAMESPY2, HALO, NEVERWINTER_NIGHTS,
    OPERATION_FLASHPOINT, PAINKILLER, STAR_WARS_BATTLEFRONT, SWAT_4,
};
pub use keys::KEYS;
pub use query::{Query, Selector};
pub use reply::{QueryReply, ReplyForm, TableKind, ValueList, ValuesReply};
pub use settings::Settings;
pub use tables::{FieldNames, FieldRows, FieldTable, RowForm, TableOf};

pub(super) use keys::is_common;
pub(super) use query::{PLAYER_KEYS, SELECTOR, SERVER_KEYS, TEAM_KEYS, selectors};
pub use reply::ReplyBody;
pub(super) use reply::{END, PAIRS, is_reply};
pub(super) use settings::{piece, report};
pub(super) use tables::{FIELD_NAME, NUL, PLAYERS, TEAMS, text};

protocol! {
    /// One message of GameSpy's second query protocol.
    GameSpy2: "gamespy2", "GameSpy 2", games::GAMES,
    [Query, QueryReply, ValuesReply]
}

pub(super) static MARK: Field =
    Field::new("header", Kind::Mark, "two bytes FE FD: from a client or a master");
pub(super) static TYPE: Field = Field::new("type", Kind::Command, "what is asked or answered");
pub(super) static REQUEST_KEY: Field =
    Field::number("key", "the asker's own number, sent back").role(FieldRole::Challenge);
/// A NUL, which may be missing where a datagram ends.
pub(super) static MAYBE_NUL: [Spelling; 2] = [Spelling::new(b"\0"), NOTHING.last()];
