//! Requirements of the documents for masters: each stands once, and cases name it by its id.

/// The weight of a case's failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The documents require it.
    Must,
    /// They recommend it, or good masters do it: a failure is a warning.
    Should,
    /// Neither right nor wrong; it reports an observation.
    Info,
}

/// A requirement of the documents for a master, in our own words.
#[derive(Debug)]
pub struct Requirement {
    /// A path; a requirement that one case tests has the id of that case.
    pub id: &'static str,
    /// Its level, or why no case tests it.
    pub level: Result<Level, &'static str>,
    /// Document and section: `001 1.2.9, 000 heartbeat`.
    pub source: &'static str,
    /// What is required, without a final period.
    pub text: &'static str,
}

impl Level {
    /// The word of RFC 2119 for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Must => "MUST",
            Self::Should => "SHOULD",
            Self::Info => "INFO",
        }
    }
}

impl Requirement {
    /// The game of its id.
    pub fn game(&self) -> &'static str {
        self.id.split('/').next().unwrap_or_default()
    }
}

/// The documents require it.
pub const MUST: Result<Level, &str> = Ok(Level::Must);
/// They recommend it, or good masters do it.
pub const SHOULD: Result<Level, &str> = Ok(Level::Should);
/// A question that they leave open.
pub const INFO: Result<Level, &str> = Ok(Level::Info);

/// A table of requirements: `id, level, source => text;`, with the reason in `Err` as the level of
/// one that no case tests.
macro_rules! requirements {
    ($($id:expr, $level:expr, $source:expr => $text:expr;)*) => {
        &[$(Requirement { id: $id, level: $level, source: $source, text: $text }),*]
    };
}
pub(crate) use requirements;
