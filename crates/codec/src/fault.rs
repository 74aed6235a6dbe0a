//! Why a walk stopped ([`Fault`]), and anomalies that do not stop it ([`Anomaly`]).

use std::fmt;

use super::pass::Spelling;
use text::{counted, named};

/// Why a walk could not go on, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// Offset in the payload, or in the plain text of the coded layer.
    pub at: usize,
    /// 0: the payload; 1: the inside of a coded range.
    pub layer: u8,
    /// What was expected there.
    pub want: Want,
}

/// What the walk expected where it stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// These bytes.
    Literal(&'static [u8]),
    /// One of these spellings.
    OneOf(&'static [Spelling]),
    /// The end of a word: `infoResponse` is not `info`.
    Boundary,
    /// Decimal digits of a number.
    Number,
    /// This many bytes more.
    Bytes(usize),
    /// A byte that ends a string.
    Stop(u8),
    /// The end of the payload or of a sized part.
    End,
    /// A value within the limits of the games' own programs.
    Most(Limit),
    /// A coded range that declares more than it can hold.
    Coded,
    /// Writing only: the value would be read back differently.
    Faithful,
}

/// The maximum value, or number of bytes, of a field in the games' own programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// The field's name.
    pub field: &'static str,
    /// The maximum.
    pub most: u32,
    /// Whether it is a number of bytes of text.
    pub bytes: bool,
}

named! {
    /// Unusual, but legal or common; never stops a walk.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Anomaly {
        DuplicateKey = "the key stands here a second time",
        OddPair = "a key without a value",
        NoLeadingBackslash = "the infostring begins without a backslash",
        ShortRecord = "the record is cut short",
        ShortLine = "the line lacks columns, has more than it should, or is cut",
        EndMark = "the end mark is missing, or not the one that id's master sends",
        Spelling = "spelled as a document has it and programs seldom do",
        Missing = "the value that belongs here is not there",
        Size = "the size in front is not that of what follows",
        /// The coder would have written other bits, or the bits ended early:
        NotCanonical = "coded otherwise than the game's own coder would",
    }
}

impl Want {
    /// What kind of thing it is, without its values.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Literal(_) => "literal",
            Self::OneOf(_) => "spelling",
            Self::Boundary => "boundary",
            Self::Number => "number",
            Self::Bytes(_) => "bytes",
            Self::Stop(_) => "stop",
            Self::End => "end",
            Self::Most(_) => "limit",
            Self::Coded => "coded",
            Self::Faithful => "faithful",
        }
    }
}

impl Fault {
    /// Whether reading might have continued if more bytes had followed `rest`, the bytes from its
    /// offset on.
    pub fn may_lack(self, rest: &[u8]) -> bool {
        let begins = |literal: &[u8]| literal.len() > rest.len() && literal.starts_with(rest);
        match self.want {
            Want::Literal(literal) => begins(literal),
            Want::OneOf(of) => of.iter().any(|spelling| begins(spelling.bytes)),
            Want::Number => matches!(rest, [] | [b'-']),
            Want::Bytes(_) | Want::Stop(_) | Want::Coded => true,
            // A longer spelling was not recognised.
            Want::End => rest.len() < CUT_SPELLING,
            Want::Boundary | Want::Most(_) | Want::Faithful => false,
        }
    }
}

/// The maximum length of an end mark.
const CUT_SPELLING: usize = 8;

impl fmt::Display for Fault {
    /// `wanted a number at offset 15`; offsets in a coded layer say so.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inside = if self.layer == 0 { "" } else { " of the decoded text" };
        write!(f, "wanted {} at offset {}{inside}", self.want, self.at)
    }
}

impl fmt::Display for Want {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(bytes) => write!(f, "\"{}\"", bytes.escape_ascii()),
            Self::OneOf(of) => {
                f.write_str("one of")?;
                of.iter().try_for_each(|s| write!(f, " \"{}\"", s.bytes.escape_ascii()))
            }
            Self::Boundary => f.write_str("the end of the word"),
            Self::Number => f.write_str("a number"),
            Self::Bytes(n) => f.write_str(&counted(*n as u64, "byte")),
            Self::Stop(b) => write!(f, "\"{}\" behind a text", b.escape_ascii()),
            Self::End => f.write_str("the end"),
            Self::Most(limit) => write!(f, "{limit}"),
            Self::Coded => f.write_str("a coded text of its announced length"),
            Self::Faithful => f.write_str("a value that reads back as it was given"),
        }
    }
}

impl fmt::Display for Limit {
    /// `a ping of at most 32767`, `a name of at most 1023 bytes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, most, bytes } = self;
        let article = if field.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let unit = if *bytes { " bytes" } else { "" };
        write!(f, "{article} {field} of at most {most}{unit}")
    }
}
