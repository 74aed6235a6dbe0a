//! The values of messages that the analysis compares: read once, by field role.
//!
//! A [`ValueReader`] reads them, on any thread, into a [`ValueBatch`]; what they mean may depend on
//! the messages before, so it is for the analysis to say.

mod batch;
mod reader;
mod texts;

use std::borrow::Cow;
use std::net::SocketAddr;

use super::list_packet::ListPacket;
use super::message::MessageHeader;
use codec::{Fault, Notice};
use protocol::{Entry, harmless_len};
use text::{MASK, Secrets};
use texts::TextRanges;

pub use batch::ValueBatch;
pub use reader::ValueReader;
pub use texts::{TextOf, TextValue};

/// The values of one message.
#[derive(Clone, Copy)]
pub struct MessageValues<'a> {
    /// All values but texts and servers.
    pub plain: PlainValues,
    /// The servers of a list, in order.
    pub servers: &'a [SocketAddr],
    /// Whether the last of them is the last record of the list.
    ends_with_server: bool,
    /// Why reading stopped, if it did.
    pub fault: Option<Fault>,
    texts: TextRanges,
    bytes: &'a [u8],
    /// Whether values may show secrets.
    secrets: Secrets,
    /// Of [`required_keys`], those that are missing, a bit for each.
    missing: u32,
}

/// The values of one message that are neither texts nor servers.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlainValues {
    /// Whether the challenge is a four-byte binary number.
    pub challenge_in_bits: bool,
    /// Number of players, as the server reports it.
    pub players: Option<i64>,
    /// Maximum number of players.
    pub max_players: Option<i64>,
    /// Number of players with a name.
    pub named_players: u32,
    /// The first port outside of a list.
    pub port: Option<u16>,
    /// Number of list records that are cut short.
    pub short: u32,
    /// Number of all-zero records before the last one: they are neither servers nor an end mark.
    pub zeros: u32,
    /// How the list marks its end, if nothing follows the mark.
    pub end: Option<ListEnd>,
    /// How it departs from the documents, the first time it does; lists have rules of their own.
    pub anomaly: Option<Notice>,
    /// Whether reading stopped before the end.
    pub faulty: bool,
    /// The capture has only its beginning.
    pub cut: bool,
}

/// How a list ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListEnd {
    /// It has the end mark.
    Marked,
    /// It has a part of an end mark, which is ambiguous.
    Bare,
    /// It has no end mark.
    Open,
}

impl<'a> MessageValues<'a> {
    /// The same for a message that answers `request`, if that was captured: the request determines
    /// what the last record of a list in pieces means.
    #[must_use]
    pub(super) fn answering(mut self, entry: &Entry, request: Option<&Entry>) -> Self {
        let packet = ListPacket::new(entry, request, self.plain.cut);
        if self.ends_with_server
            && let Some((last, before)) = self.servers.split_last()
            && packet.is_cursor(*last)
        {
            self.servers = before;
        }
        self
    }

    /// A text, if the message has it.
    pub fn text(&self, of: TextOf) -> Option<&'a [u8]> {
        self.texts.get(of, self.bytes)
    }

    /// Whether the message has a text.
    pub fn has(&self, of: TextOf) -> bool {
        self.texts.has(of)
    }

    /// A text for display: masked from where a secret may begin, unless secrets are shown.
    pub fn harmless(&self, of: TextOf) -> Option<Cow<'a, [u8]>> {
        let value = self.text(of)?;
        if self.secrets != Secrets::Masked {
            return Some(value.into());
        }
        let len = harmless_len(value);
        match value.get(..len) {
            Some(shown) if len < value.len() => Some([shown, MASK.as_bytes()].concat().into()),
            _ => Some(value.into()),
        }
    }

    /// The keys that a server must send to its master and that are missing in the message, by name.
    pub fn missing(&self, header: &MessageHeader) -> impl Iterator<Item = &'static str> {
        let missing = self.missing;
        let keys = (0..u32::BITS).zip(required_keys(header));
        keys.filter(move |(bit, _)| missing >> bit & 1 > 0).map(|(_, key)| key)
    }
}

/// The keys that a server must send to its master in a message, by name; 32 at most.
fn required_keys(header: &MessageHeader) -> impl Iterator<Item = &'static str> {
    let of_message = header.entry.spec.required_keys;
    let of_game = if of_message.is_empty() { &[][..] } else { header.verdict.game.required_keys };
    of_message.iter().chain(of_game).copied()
}
