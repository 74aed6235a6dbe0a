//! Every supported protocol, one folder each, declared with the types of `protocol` and `codec`;
//! `PROTOCOLS` is the list.
//!
//! It knows no packet and no flow: what was sent before, and which game it is, is decided in `flow`.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(missing_docs, reason = "the slots of a message are described by the fields of its walk")]

use std::sync::LazyLock;

mod declare;
pub mod descent3;
pub mod doom3;
pub mod etqw;
pub mod eye;
pub mod gamespy;
pub mod gamespy2;
pub mod gamespy3;
pub mod gamespy_list;
pub mod half_life;
pub mod http;
mod identifiers;
pub mod netquake;
pub mod qr2;
pub mod quake2;
pub mod quake3;
pub mod quakeworld;
mod rcon;
pub mod source;
pub mod teeworlds;
#[cfg(test)]
mod tests;
pub mod tribes;
pub mod tribes2;
pub mod unknown;
pub mod unreal2;

use codec::{CommandWord, Field, FieldRole, Info, InfoForm, Kind, Pass, Spelling, Walk};
use protocol::{Carrier, Direction, Entry, Protocol, Registry, Role};

pub use rcon::{Quoting, RemoteCommand};

/// All protocols; for ambiguous messages, the earlier one has priority.
static PROTOCOLS: &[&Protocol] = &[
    &quake3::PROTOCOL,
    &quake2::PROTOCOL,
    &quakeworld::PROTOCOL,
    &half_life::PROTOCOL,
    &source::PROTOCOL,
    &doom3::PROTOCOL,
    &etqw::PROTOCOL,
    &gamespy::PROTOCOL,
    &gamespy2::PROTOCOL,
    &gamespy3::PROTOCOL,
    &qr2::PROTOCOL,
    &gamespy_list::PROTOCOL,
    &http::PROTOCOL,
    &descent3::PROTOCOL,
    &eye::PROTOCOL,
    &netquake::PROTOCOL,
    &teeworlds::PROTOCOL,
    &tribes::PROTOCOL,
    &tribes2::PROTOCOL,
    &unreal2::PROTOCOL,
];

/// The registry of all protocols.
#[inline]
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::new(PROTOCOLS));
    &REGISTRY
}

/// The message of a protocol with the beginning of `bytes`; later faults do not matter. `None` if
/// the bytes fit only messages of other protocols.
pub fn recognise(
    protocol: &Protocol,
    carrier: Carrier,
    bytes: &[u8],
    direction: Direction,
) -> Option<&'static Entry> {
    let mut candidates = registry().recognise_all(carrier, bytes, direction);
    candidates.find(|entry| entry.protocol == protocol)
}

const C2M: &[(Role, Role)] = &[(Role::Client, Role::Master)];
const M2C: &[(Role, Role)] = &[(Role::Master, Role::Client)];
const C2S: &[(Role, Role)] = &[(Role::Client, Role::Server)];
const S2C: &[(Role, Role)] = &[(Role::Server, Role::Client)];
const S2M: &[(Role, Role)] = &[(Role::Server, Role::Master)];
const M2S: &[(Role, Role)] = &[(Role::Master, Role::Server)];
const M2M: &[(Role, Role)] = &[(Role::Master, Role::Master)];
/// Both clients and masters query servers.
const ASK: &[(Role, Role)] = &[(Role::Client, Role::Server), (Role::Master, Role::Server)];
const ANSWER: &[(Role, Role)] = &[(Role::Server, Role::Client), (Role::Server, Role::Master)];

static MARK: Field =
    Field::new("header", Kind::Mark, "four bytes FF: a message outside of any connection");
static COMMAND: Field = Field::new("command", Kind::Command, "what is asked or answered");
static BLANK: Field = Field::separator("blank", "separates words");
static NEWLINE: Field = Field::separator("newline", "ends a line");
static QUOTE: Field = Field::separator("quote", "encloses a text");
static CHALLENGE: Field =
    Field::text("challenge", "sent back, to show that the sender's address is not forged")
        .role(FieldRole::Challenge);
static TEXT: Field = Field::text("text", "shown to the player").role(FieldRole::Free);
static INFO: Field = Field::group("info", "settings, as an infostring");
static USERINFO: Field = Field::group("userinfo", "the player's settings, as an infostring");
static LINES: Field = Field::group("players", "one line a player");
static SERVERS: Field = Field::group("servers", "the servers listed");

/// Values of a field, and what each means.
type Values = &'static [(&'static str, &'static str)];

static NO_LIMIT: Values = &[("0", "no limit")];
static OFF_ON: Values = &[("0", "off"), ("1", "on")];
static NO_YES: Values = &[("0", "no"), ("1", "yes")];
static NEEDPASS: Values = &[
    ("0", "open"),
    ("1", "a password to play"),
    ("2", "a password to watch"),
    ("3", "a password to play and one to watch"),
];

/// Half-Life is derived from QuakeWorld and shares commands with all games of Quake's engines.
const HALF_LIFE: &[&str] = &["half-life"];

const NOTHING: Spelling = Spelling::new(b"");
static MAYBE_BLANK: [Spelling; 2] = [NOTHING, Spelling::new(b" ")];
static MAYBE_LF: [Spelling; 2] = [NOTHING, Spelling::new(b"\n")];

/// `FF FF FF FF` and a word in any case: the Quake games' connectionless messages.
fn oob<'a, P: Pass<'a>>(p: &mut P, word: &'static [u8], slot: &mut CommandWord<'a>) -> Walk {
    p.lit(&MARK, b"\xff\xff\xff\xff")?;
    p.word(&COMMAND, word, slot)
}

/// An optional newline: some programs send it.
fn newline<'a, P: Pass<'a>>(p: &mut P, slot: &mut u8) -> Walk {
    p.one_of(&NEWLINE, &MAYBE_LF, slot)
}

/// An infostring in quotes.
fn quoted<'a, P: Pass<'a>>(
    p: &mut P,
    field: &'static Field,
    form: InfoForm,
    slot: &mut Info<'a>,
) -> Walk {
    p.lit(&QUOTE, b"\"")?;
    p.view(field, form, slot)?;
    p.lit(&QUOTE, b"\"")
}
