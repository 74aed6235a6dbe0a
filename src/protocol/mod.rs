//! Every supported protocol, declared with the types of `codec`; [`PROTOCOLS`] is the list.
//!
//! Recognising a message and decoding it are two steps: its beginning determines the name, and no
//! fault after it changes that. The *game* is not decided here: a protocol only lists its games and
//! their signatures, and the flows weigh the evidence.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod doom3;
pub mod etqw;
pub mod gamespy;
pub mod half_life;
pub mod http;
pub mod quake2;
pub mod quake3;
pub mod quakeworld;

mod affair;
mod documents;
mod entry;
mod exchange;
mod game;
mod rcon;
mod reading;
mod recognise;
mod secrets;
mod spec;
mod stream;
#[cfg(test)]
mod told;
mod way;

use crate::codec::{Body, CommandWord, Field, FieldRole, Kind, Pass, Spelling, Walk};

pub use affair::{Dealing, ExchangeKind, Refusal};
pub use documents::DOCUMENTS;
pub use entry::{Colours, Entry, Protocol};
pub use exchange::{Part, Validation};
pub use game::{Confidence, Game, Pattern, Port, Signature, SignatureSource, games};
pub use rcon::Order;
pub use reading::{Reading, Soundness};
pub use recognise::{
    Candidate, candidates, candidates_at, candidates_over, entries, is_same, place_of,
};
pub use secrets::{harmless, harmless_len, names_secret, tells_secret};
pub use spec::{Carrier, Magic, Spec};
pub use stream::{FrameBoundary, FramedMessage, Framer, Side};
pub use way::{Direction, Role};

/// All protocols; for ambiguous messages, the earlier one has priority.
pub static PROTOCOLS: &[&Protocol] = &[
    &quake3::PROTOCOL,
    &quake2::PROTOCOL,
    &quakeworld::PROTOCOL,
    &half_life::PROTOCOL,
    &doom3::PROTOCOL,
    &etqw::PROTOCOL,
    &gamespy::PROTOCOL,
    &http::PROTOCOL,
];

/// A message: its declaration, and the one function that walks its slots.
pub trait Message<'a>: Copy + Default + PartialEq + std::fmt::Debug {
    /// Its declaration beside the walk.
    const SPEC: Spec;
    /// Walks the slots in order of their bytes, for every pass.
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk;
}

impl<'a, M: Message<'a>> Body<'a> for M {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
        Message::walk(self, p)
    }
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
    Field::new("mark", Kind::Mark, "four bytes FF: a message outside of any connection");
static COMMAND: Field = Field::new("command", Kind::Command, "what is asked or answered");
static BLANK: Field = Field::new("blank", Kind::Separator, "parts words");
static NEWLINE: Field = Field::new("newline", Kind::Separator, "ends a line");
static QUOTE: Field = Field::new("quote", Kind::Separator, "encloses a text");
static CHALLENGE: Field =
    Field::new("challenge", Kind::Text, "sent back, to show that the sender is no forgery")
        .role(FieldRole::Challenge);

const NOTHING: Spelling = Spelling::of(b"");
static MAYBE_BLANK: [Spelling; 2] = [NOTHING, Spelling::of(b" ")];
static MAYBE_LF: [Spelling; 2] = [NOTHING, Spelling::of(b"\n")];

/// `FF FF FF FF` and a word in any case: the Quake games' connectionless messages.
fn oob<'a, P: Pass<'a>>(p: &mut P, word: &'static [u8], slot: &mut CommandWord<'a>) -> Walk {
    p.lit(&MARK, b"\xff\xff\xff\xff")?;
    p.word(&COMMAND, word, slot)
}

/// An optional newline: some programs send it.
fn newline<'a, P: Pass<'a>>(p: &mut P, slot: &mut u8) -> Walk {
    p.one_of(&NEWLINE, &MAYBE_LF, slot)
}
