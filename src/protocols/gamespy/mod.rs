//! GameSpy (version 1) and the Unreal games that speak it: text pairs in any order, over UDP and,
//! with the master, over TCP. Specification: documents 001 (section 5) and 003.
//!
//! These messages begin with no literal and have no command word: the pairs in them decide, so this
//! protocol recognises and names messages by content. Key names are compared exactly where they
//! decide what a message is (document 003, appendix D), without case where they only give the
//! meaning of a value. A value may have any byte but the backslash: names are Latin-1, with colours
//! after 0x1B.

mod games;
mod keys;
mod location;
mod naming;
mod secure;
mod server;
mod stream;

use crate::codec::{Field, Info, InfoForm, Kind};
use crate::protocol::protocol;

pub use games::{GAMESPY, UNREAL_TOURNAMENT};
pub use keys::KEYS;
pub use secure::{KEY_OF, answer, key_of, keys_giving};
pub use server::{Heartbeat, Query, Reply, ReportQuery, ReportReply};
pub use stream::{CompressedList, ListRequest, SecureChallenge, ServerList, Validate};

protocol! {
    /// One message of GameSpy's protocol.
    GameSpy: "gamespy", "GameSpy", games::GAMES,
    cut stream::cut,
    colours Escape,
    [
        Heartbeat, Query, Reply, ReportQuery, ReportReply,
        SecureChallenge, Validate, ListRequest, ServerList, CompressedList,
    ]
}

/// Pairs up to the end of the message.
const ALL: InfoForm = InfoForm { stop: b"", keys: &KEYS };

static PAIRS: Field = Field::new("pairs", Kind::Group, "keys and values, in any order");

/// Messages that consist only of pairs.
macro_rules! pairs {
    ($($(#[$doc:meta])+ $name:ident = $spec:expr;)+) => {$(
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub struct $name<'a> {
            pub pairs: Info<'a>,
        }

        impl<'a> Message<'a> for $name<'a> {
            const SPEC: Spec = $spec;

            fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk {
                p.view(&PAIRS, ALL, &mut self.pairs)
            }
        }
    )+};
}
use pairs;

/// The keys of a message that begins with a pair, in wire order.
fn keys(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let pairs = if bytes.starts_with(b"\\") { bytes } else { &[] };
    Info::new(pairs).pairs().map(|(key, _)| key)
}

fn begins(bytes: &[u8], key: &[u8]) -> bool {
    keys(bytes).next() == Some(key)
}

fn has(bytes: &[u8], wanted: &[u8]) -> bool {
    keys(bytes).any(|key| key == wanted)
}

/// The first value of a key that has one.
fn value<'a>(bytes: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let mut pairs = Info::new(bytes).pairs();
    pairs.find(|(k, value)| *k == key && !value.is_empty()).map(|(_, value)| value)
}
