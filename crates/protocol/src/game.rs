//! The games of a protocol, and the signatures by which they are recognised.
//!
//! A signature is declared with its game: a field and a value. Nothing above this module knows any
//! particular game.

use super::{Colours, Entry, Protocol, Role};
use codec::swar::is_like;
use text::named;

/// One of the games with a protocol.
#[derive(Debug)]
pub struct Game {
    /// The documents' name: `enemy-territory`.
    pub id: &'static str,
    /// Its name for users.
    pub title: &'static str,
    /// Its own protocol; others may list it too.
    pub protocol: &'static Protocol,
    /// The documented ports of its servers and masters.
    pub ports: &'static [Port],
    /// The values that identify it.
    pub signatures: &'static [Signature],
    /// Required keys of its servers' answers to a master, beside those of the message.
    pub required_keys: &'static [&'static str],
}

impl Game {
    /// How its texts encode colours.
    pub fn colours(&self) -> Colours {
        let own = self.protocol.game_colours.iter().find(|(id, _)| *id == self.id);
        own.map_or(self.protocol.colours, |(_, colours)| *colours)
    }
}

/// A documented port and the role that uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Port {
    /// The port.
    pub number: u16,
    /// The role of the endpoint with this port.
    pub role: Role,
}

/// A value that is evidence for a game.
#[derive(Debug)]
pub struct Signature {
    /// Where the value is.
    pub source: SignatureSource,
    /// How strong the evidence is.
    pub confidence: Confidence,
}

/// The source of a signature.
#[derive(Debug)]
pub enum SignatureSource {
    /// The message type itself, by its id: no other game has it.
    Message(&'static str),
    /// A field's value, in any message.
    Field(&'static str, Pattern),
    /// A field's value in one message, by its id.
    In(&'static str, &'static str, Pattern),
}

/// Matches values, as [`Shape::text`](codec::Shape::text) returns them; compared without
/// case.
#[derive(Debug)]
pub enum Pattern {
    /// Any value that is not empty.
    Any,
    /// Any value: the message has the field.
    Present,
    /// One of these.
    Is(&'static [&'static str]),
    /// A value that begins with one of these.
    Starts(&'static [&'static str]),
    /// A value that has one of these in it.
    Contains(&'static [&'static str]),
    /// These bytes, which are not text.
    Bytes(&'static [u8]),
    /// A version number of id Tech 4 with this major version, with any bit 31.
    Major(u32),
}

named! {
    /// The strength of evidence, the weakest first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Confidence {
        /// No evidence: the first game of the protocol.
        Guess = "guess",
        /// A documented port, which several games may share.
        Port = "by port",
        /// The form of a request or list.
        Form = "by form",
        /// A protocol number.
        Number = "by protocol number",
        /// A name that other games use too, or that users may set.
        Likely = "likely",
        /// A heartbeat's tag, a registered name, a version: the game identifies itself.
        Certain = "certain",
        /// The user's choice.
        Set = "set",
    }
}

/// How many bytes of a game's name distinguish it from the names of others.
const DISTINCT_LENGTH: usize = 4;

/// Games are `static`s: equal addresses mean equal games.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Game {
    /// The strongest signature for this game in a field of `entry`.
    #[inline]
    pub fn evidence(&self, entry: &Entry, field: &str, value: &[u8]) -> Option<Confidence> {
        let is_in = |signature: &&Signature| match signature.source {
            SignatureSource::Message(_) => false,
            SignatureSource::Field(name, _) => name == field,
            SignatureSource::In(id, name, _) => id == entry.spec.id && name == field,
        };
        let fitting = self.signatures.iter().filter(is_in).filter(|s| s.fits(value, false));
        fitting.map(|signature| signature.confidence).max()
    }

    /// The role on a documented port of this game.
    #[inline]
    pub fn listens(&self, port: u16) -> Option<Role> {
        self.ports.iter().find(|p| p.number == port).map(|p| p.role)
    }
}

impl Port {
    /// A port and its role, for tables.
    pub const fn new(number: u16, role: Role) -> Self {
        Self { number, role }
    }
}

impl Signature {
    /// A signature for tables.
    pub const fn new(source: SignatureSource, confidence: Confidence) -> Self {
        Self { source, confidence }
    }
}

/// One of 64 bits, by the length and the last letter of a name or a value, whatever its case.
#[inline]
pub(super) fn text_bit(text: &[u8]) -> u64 {
    let last = text.last().copied().unwrap_or_default();
    1 << ((5 * text.len() + usize::from(last & 0x1f)) % 64)
}

impl Signature {
    /// The bits ([`text_bit`]) of the values of its field that may have it: most others have none
    /// of these bits.
    pub(super) fn values(&self) -> u64 {
        match &self.source {
            SignatureSource::Message(_) => 0,
            SignatureSource::In(_, _, pattern) | SignatureSource::Field(_, pattern) => {
                pattern.values()
            }
        }
    }

    /// Whether a value of its field has it. If the capture has only a part of the value, a name with
    /// this beginning counts too, if it is long enough to distinguish it from others.
    pub fn fits(&self, value: &[u8], is_part: bool) -> bool {
        match &self.source {
            SignatureSource::Message(_) => false,
            SignatureSource::In(_, _, pattern) => pattern.fits(value),
            SignatureSource::Field(_, pattern) => {
                pattern.fits(value) || is_part && pattern.begins_with(value)
            }
        }
    }
}

impl Pattern {
    /// The bits ([`text_bit`]) of the values that may fit.
    fn values(&self) -> u64 {
        match self {
            Self::Is(words) => words.iter().fold(0, |all, word| all | text_bit(word.as_bytes())),
            Self::Bytes(bytes) => text_bit(bytes),
            Self::Any | Self::Present | Self::Starts(_) | Self::Contains(_) | Self::Major(_) => {
                u64::MAX
            }
        }
    }

    fn begins_with(&self, part: &[u8]) -> bool {
        let (Self::Is(words) | Self::Starts(words)) = self else {
            return false;
        };
        let mut begins = words.iter().filter_map(|word| word.as_bytes().get(..part.len()));
        part.len() >= DISTINCT_LENGTH && begins.any(|begins| is_like(begins, part))
    }

    fn fits(&self, value: &[u8]) -> bool {
        match self {
            Self::Any => !value.is_empty(),
            Self::Present => true,
            Self::Bytes(bytes) => *bytes == value,
            Self::Major(major) => {
                let number = str::from_utf8(value).ok().and_then(|text| text.parse::<u32>().ok());
                number.is_some_and(|number| number >> 16 & 0x7fff == *major)
            }
            Self::Is(words) => words.iter().any(|w| is_like(w.as_bytes(), value)),
            Self::Contains(parts) => {
                parts.iter().any(|part| memchr::memmem::find(value, part.as_bytes()).is_some())
            }
            Self::Starts(words) => words
                .iter()
                .any(|w| value.get(..w.len()).is_some_and(|head| is_like(head, w.as_bytes()))),
        }
    }
}
