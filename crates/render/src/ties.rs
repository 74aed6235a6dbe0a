//! How a message relates to others, in words.

use std::fmt;

use protocol::{Part, Validation};

/// The exchange that a message belongs to, as far as it is known.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ties {
    /// The number of the request that it answers.
    pub answers: Option<u64>,
    /// Which part of its response it is, if that takes several datagrams.
    pub part: Option<Part>,
    /// Whether its answer to a challenge is correct.
    pub validation: Option<Validation>,
}

impl fmt::Display for Ties {
    /// `answers #3, part 2 (last); validate: right for the key of ut`; nothing where nothing is
    /// known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        if let Some(request) = self.answers {
            write!(f, "answers #{request}")?;
            gap = ", ";
        }
        if let Some(part) = self.part {
            let last = if part.last { " (last)" } else { "" };
            write!(f, "{gap}part {}{last}", part.index)?;
            gap = "; ";
        }
        if let Some(validation) = self.validation {
            write!(f, "{gap}validate: {validation}")?;
        }
        Ok(())
    }
}
