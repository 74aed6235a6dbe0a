//! GameSpy (version 1) and the Unreal games that speak it: text pairs in any order, over UDP and,
//! with the master, over TCP. Specification: documents 001 (section 5) and 003.
//!
//! These messages begin with no literal and have no command word: the pairs in them decide, so this
//! protocol recognises and names messages by content. Key names are compared exactly where they
//! decide what a message is (document 003, appendix D), without case where they only give the
//! meaning of a value. A value may have any byte but the backslash: names are Latin-1, with colours
//! after 0x1B.

mod cipher;
mod encrypted;
mod games;
mod keys;
mod location;
mod naming;
mod pairs;
mod secure;
mod server;
mod stream;

use codec::{Field, Info};
use protocol::{Colours, protocol};

pub use encrypted::{EncryptedList, EncryptedText, ListForm, UnreadList};
pub use games::{BATTLEFIELD_1942, GAMESPY, UNREAL_TOURNAMENT};
pub use keys::KEYS;
pub use pairs::PairList;
pub(super) use secure::validation;
pub use secure::{AnswerForm, KEY_OF, answer, answer_in, key_of, keys_giving};
pub use server::{Heartbeat, Query, Reply, ReportQuery, ReportReply};
pub use stream::{
    CompressedList, ErrorMessage, ListRequest, SecureChallenge, ServerList, Validate,
};

protocol! {
    /// One message of GameSpy's protocol.
    GameSpy: "gamespy", "GameSpy", games::GAMES,
    [
        Heartbeat, Query, Reply, ReportQuery, ReportReply,
        SecureChallenge, Validate, ListRequest, ServerList, CompressedList, EncryptedList,
        UnreadList, ErrorMessage,
    ], cut: stream::cut, colours: Colours::Escape
}

static PAIRS: Field = Field::group("pairs", "keys and values, in any order");

/// Messages that consist only of pairs.
macro_rules! pairs_message {
    ($($(#[$doc:meta])+ $name:ident = $spec:expr;)+) => {$(
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub struct $name<'a> {
            pub pairs: PairList<'a>,
            /// Whether an end mark without a value follows, and then more pairs: 1 if it does.
            pub bare_final: u8,
            pub behind: PairList<'a>,
            /// Whether a NUL ends it: 1 if it does.
            pub nul: u8,
        }

        impl<'a> $name<'a> {
            /// A message of these pairs.
            pub fn new(pairs: &'a [u8]) -> Self {
                Self { pairs: PairList::new(pairs), ..Self::default() }
            }
        }

        impl<'a> Message<'a> for $name<'a> {
            const SPEC: Spec = $spec;

            fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
                p.view(&PAIRS, (), &mut self.pairs)?;
                p.led(&BARE_FINAL, &BARE_FINALS, &mut self.bare_final, "of Descent 3", |p| {
                    p.view(&PAIRS, (), &mut self.behind)
                })?;
                p.one_of(&NUL, &NULS, &mut self.nul)
            }
        }
    )+};
}
use pairs_message;

/// The keys of a message that begins with a pair, in wire order.
fn keys(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let pairs = if bytes.starts_with(b"\\") { bytes } else { &[] };
    Info::new(pairs).pairs().map(|(key, _)| key)
}

fn begins(bytes: &[u8], key: &[u8]) -> bool {
    keys(bytes).next() == Some(key)
}

fn has(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.starts_with(b"\\") && Info::new(bytes).values_of(wanted).next().is_some()
}

/// The first value of a key that has one, without NULs at the end of the message.
fn value<'a>(bytes: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let nuls = bytes.iter().rev().take_while(|byte| **byte == 0).count();
    let bytes = bytes.get(..bytes.len() - nuls)?;
    Info::new(bytes).values_of(key).find(|value| !value.is_empty())
}
