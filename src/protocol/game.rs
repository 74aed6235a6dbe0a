//! The games of a protocol, and the clues that tell them apart.
//!
//! A clue is declared beside its game and names a field and a value; nothing above this room
//! knows what a Nexuiz is.

use super::{Colours, Entry, PROTOCOLS, Role};
use crate::codec::swar::is_like;

/// One of the games that speak a protocol.
#[derive(Debug)]
pub struct Game {
    /// The documents' name: `enemy-territory`.
    pub id: &'static str,
    pub title: &'static str,
    /// Where its servers and masters listen, as documented.
    pub ports: &'static [Port],
    pub clues: &'static [Signature],
    /// Keys that its servers owe to a master beside those of their message.
    pub owes: &'static [&'static str],
}

/// A documented port and who listens there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Port {
    pub number: u16,
    pub party: Role,
}

/// A value that speaks for a game.
#[derive(Debug)]
pub struct Signature {
    pub proof: SignatureSource,
    pub sure: Confidence,
}

/// Where a clue is found.
#[derive(Debug)]
pub enum SignatureSource {
    /// The message itself, by its id: no other game has it.
    Message(&'static str),
    /// A field's value, in whatever message it stands.
    Field(&'static str, Pattern),
    /// A field's value in one message, by its id.
    In(&'static str, &'static str, Pattern),
}

/// Which values are meant, of those that [`Shape::text`](crate::codec::Shape::text) gives; compared
/// without case.
#[derive(Debug)]
pub enum Pattern {
    /// Anything but nothing.
    Any,
    /// Anything: the message has the field.
    Present,
    Is(&'static [&'static str]),
    Starts(&'static [&'static str]),
    /// These bytes, which are no text.
    Bytes(&'static [u8]),
    /// A number of id Tech 4 whose major version this is, whatever its bit 31.
    Major(u32),
}

/// How much a clue weighs, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Nothing but that the protocol has this game first.
    Guess,
    /// A documented port, which several games may share.
    Port,
    /// The form of a request or list.
    Form,
    /// A protocol number.
    Number,
    /// A word that others use too, or that anybody may set.
    Likely,
    /// A heartbeat's tag, a registered name, a version: the game says who it is.
    Certain,
    /// The user said so.
    Told,
}

/// How many bytes of a word for a game tell it from the words for others.
const TELLING_PART: usize = 4;

/// Games are `static`s: the same place is the same game.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Game {
    /// How the texts of the protocol that it speaks carry colours.
    pub fn colours(&self) -> Colours {
        let home = PROTOCOLS.iter().find(|p| p.games.contains(&self));
        home.map_or(Colours::None, |p| p.colours)
    }

    /// The strongest clue for this game that a field of `entry` gives.
    pub fn clue(&self, entry: &Entry, field: &str, value: &[u8]) -> Option<Confidence> {
        let fits = |clue: &&Signature| match &clue.proof {
            SignatureSource::Message(_) => false,
            SignatureSource::Field(name, pattern) => *name == field && pattern.fits(value),
            SignatureSource::In(id, name, pattern) => {
                *id == entry.spec.id && *name == field && pattern.fits(value)
            }
        };
        self.clues.iter().filter(fits).map(|c| c.sure).max()
    }

    /// The same of a value of which the capture has only the beginning: a word for the game that begins
    /// so, where enough of it is there to tell it from others.
    pub fn clue_of_part(&self, entry: &Entry, field: &str, part: &[u8]) -> Option<Confidence> {
        let fits = |clue: &&Signature| match &clue.proof {
            SignatureSource::Field(name, Pattern::Is(words) | Pattern::Starts(words))
                if *name == field =>
            {
                part.len() >= TELLING_PART
                    && words
                        .iter()
                        .filter_map(|word| word.as_bytes().get(..part.len()))
                        .any(|begins| is_like(begins, part))
            }
            _ => false,
        };
        let whole = self.clue(entry, field, part);
        whole.into_iter().chain(self.clues.iter().filter(fits).map(|c| c.sure)).max()
    }

    /// Whether `entry` is a message that only this game has.
    pub fn owns(&self, entry: &Entry) -> Option<Confidence> {
        let mut clues = self.clues.iter();
        clues.find_map(|c| {
            matches!(c.proof, SignatureSource::Message(id) if id == entry.spec.id).then_some(c.sure)
        })
    }

    /// Who listens on a documented port of this game.
    pub fn listens(&self, port: u16) -> Option<Role> {
        self.ports.iter().find(|p| p.number == port).map(|p| p.party)
    }
}

/// Every game of every protocol, in the order of [`PROTOCOLS`], each once.
pub fn games() -> impl Iterator<Item = &'static Game> {
    let all = || PROTOCOLS.iter().flat_map(|p| p.games.iter().copied());
    let first = move |(at, game): (usize, &'static Game)| {
        let mut before = all().take(at);
        before.all(|g| g != game).then_some(game)
    };
    all().enumerate().filter_map(first)
}

impl Port {
    /// A port and who listens there, for tables.
    pub(super) const fn of(number: u16, party: Role) -> Self {
        Self { number, party }
    }
}

impl Signature {
    /// A clue for tables.
    pub(super) const fn of(proof: SignatureSource, sure: Confidence) -> Self {
        Self { proof, sure }
    }
}

impl Pattern {
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
            Self::Starts(words) => words
                .iter()
                .any(|w| value.get(..w.len()).is_some_and(|head| is_like(head, w.as_bytes()))),
        }
    }
}

impl std::fmt::Display for Confidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Guess => "guess",
            Self::Port => "by port",
            Self::Form => "by form",
            Self::Number => "by protocol number",
            Self::Likely => "likely",
            Self::Certain => "certain",
            Self::Told => "told",
        })
    }
}
