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
    /// The byte that is there; `None` at the end.
    pub found: Option<u8>,
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
    /// An entry of a list, or its end.
    Entry {
        /// The bytes that begin an entry.
        leads: [Option<u8>; 2],
        /// Where entries can be read again up to the end of the list, from the fault's offset on;
        /// 0 if nowhere.
        resumes: i8,
    },
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
            Self::Entry { .. } => "entry",
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
            Want::End | Want::Entry { .. } => rest.len() < CUT_SPELLING,
            Want::Boundary | Want::Most(_) | Want::Faithful => false,
        }
    }
}

/// The maximum length of an end mark.
const CUT_SPELLING: usize = 8;

impl fmt::Display for Fault {
    /// `expected a number at offset 15 (0xf), found 61 "a"`; offsets in a coded layer say so.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, layer, want, found } = self;
        let inside = if *layer == 0 { "" } else { " of the decoded text" };
        write!(f, "expected {want} at offset {at} (0x{at:x}){inside}")?;
        match want {
            // Some bytes are there, and they are too few or too many.
            Want::Bytes(_) | Want::Stop(_) | Want::Most(_) | Want::Coded | Want::Faithful => Ok(()),
            _ => match found {
                Some(byte) => write!(f, ", found {}", ByteText(&[*byte])),
                None => f.write_str(", found the end"),
            },
        }?;
        match want {
            Want::Entry { resumes: steps, .. } if *steps != 0 => {
                let again = at.saturating_add_signed((*steps).into());
                write!(f, "; entries can be read again from offset {again} (0x{again:x})")
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Want {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(bytes) => ByteText(bytes).fmt(f),
            Self::OneOf(of) => of.iter().enumerate().try_for_each(|(n, spelling)| {
                let or = if n == 0 { "" } else { " or " };
                write!(f, "{or}{}", ByteText(spelling.bytes))
            }),
            Self::Boundary => f.write_str("the end of the word"),
            Self::Number => f.write_str("a number"),
            Self::Bytes(n) => f.write_str(&counted(*n as u64, "byte")),
            Self::Stop(b) => write!(f, "{} behind a text", ByteText(&[*b])),
            Self::End => f.write_str("the end"),
            Self::Entry { leads, .. } => {
                leads
                    .iter()
                    .flatten()
                    .try_for_each(|lead| write!(f, "{} or ", ByteText(&[*lead])))?;
                f.write_str("the end of the list")
            }
            Self::Most(limit) => write!(f, "{limit}"),
            Self::Coded => f.write_str("a coded text of its announced length"),
            Self::Faithful => f.write_str("a value that reads back as it was given"),
        }
    }
}

/// Bytes for people: `5c "\"`, `ff ff ff ff`, `"infoResponse"`.
struct ByteText<'a>(&'a [u8]);

impl fmt::Display for ByteText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(bytes) = self;
        let is_text = bytes.iter().all(|byte| matches!(byte, b' '..=b'~'));
        if !is_text || bytes.len() == 1 {
            for (n, byte) in bytes.iter().enumerate() {
                let gap = if n == 0 { "" } else { " " };
                write!(f, "{gap}{byte:02x}")?;
            }
        }
        if !is_text || bytes.is_empty() {
            return Ok(());
        }
        let gap = if bytes.len() == 1 { " " } else { "" };
        let text = String::from_utf8_lossy(bytes);
        write!(f, "{gap}\"{text}\"")
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
