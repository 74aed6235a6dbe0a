//! The engine of protocols: how messages and games are declared, recognised, framed and read. The
//! protocols themselves are in `protocols`.
//!
//! Recognising a message and decoding it are two steps: its beginning determines the name, and no
//! fault after it changes that. The *game* is not decided here: a protocol only lists its games and
//! their signatures, and the flows weigh the evidence.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod direction;
mod documents;
pub mod entry;
mod exchange;
mod game;
mod game_set;
mod heartbeat;
mod identifier;
mod reading;
mod recognise;
mod registry;
mod secrets;
mod signatures;
mod spec;
mod split;
mod stream;

use codec::{Decoded, Pass, Scratch, Sink, Walk, Writer};

/// What a declaration by [`protocol!`] names.
pub use codec;

pub use direction::{Direction, Role};
pub use documents::DOCUMENTS;
pub use entry::{Colours, DecipherFn, EncipherFn, Entry, Protocol};
pub use exchange::{EntryCount, ExchangeKind, MessageOutcome, Part, Refusal, Validation};
pub use game::{Confidence, Game, Pattern, Port, Signature, SignatureSource};
pub use game_set::{GameSet, IndicatedGames};
pub use heartbeat::{HeartbeatInterval, TOLERANCE};
pub use identifier::{Identifier, IdentifierFn};
pub use reading::{Reading, Soundness};
pub use recognise::{CandidateIds, Candidates};
pub use registry::{MessageId, ProtocolSet, RegisteredMessage, Registry};
pub use secrets::{contains_secret, harmless, harmless_len, names_secret};
pub use spec::{Carrier, Directions, Magic, SecondByte, Spec};
pub use split::{Packing, SplitFn, SplitForms, SplitPart, SplitResult};
pub use stream::{FrameBoundary, FramedMessage, Framer, Side, StreamStart};

/// A message: its declaration, and the one function that walks its slots.
pub trait Message<'a>: Copy + Default + PartialEq + std::fmt::Debug {
    /// Its declaration beside the walk.
    const SPEC: Spec;
    /// Walks the slots in order of their bytes, for every pass.
    ///
    /// # Errors
    /// The fault at which a pass stops.
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk;
}

/// Reads one message from all of `bytes`, and reports to `sink`.
pub fn decode<'a, M: Message<'a>, S: Sink>(
    bytes: &'a [u8],
    scratch: &'a mut Scratch,
    sink: &mut S,
) -> Decoded<'a, M> {
    codec::decode_with(M::walk, bytes, scratch, sink)
}

/// Appends the binary form of a message to `out`.
///
/// # Errors
/// The fault of a value that would be read back differently.
pub fn encode<'a, M: Message<'a>>(mut message: M, out: &mut Vec<u8>) -> Walk {
    message.walk(&mut Writer::new(out))
}
