//! A case of conformance with all that is known of it, as reports write it.

use serde::Serialize;

use super::{Entry, Line, Mark, Verdict};

/// A case that was tried, or was not, against one target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// Its name as a path: `quake3/getserversResponse/end-mark`.
    pub id: String,
    /// What is done, in one sentence.
    pub title: String,
    /// The documents' sentence that it tests.
    pub requires: String,
    /// Where it stands.
    pub citation: String,
    /// MUST, SHOULD or INFO.
    pub level: &'static str,
    pub verdict: Verdict,
    /// Whether that it fails was announced.
    pub expected: bool,
    /// What was expected and what came, or why it was not tried; empty where all is said.
    pub text: String,
    /// The datagram at fault, annotated, in lines; empty where there is none.
    pub dump: String,
    pub milliseconds: u64,
    /// What was said and heard, as far as it is shown; only pages have it.
    #[serde(skip)]
    pub wire: Vec<Wire>,
    /// How many datagrams more there were.
    #[serde(skip)]
    pub left_out: u64,
    /// What is shown beneath in a text.
    #[serde(skip)]
    pub detail: String,
}

/// One datagram of a case, to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wire {
    /// Since the case began: `+0.012 s`.
    pub time: String,
    /// `server 1 → master`.
    pub ends: String,
    /// What it is: `getinfo, 24 bytes`.
    pub what: String,
    /// Annotated, in lines.
    pub dump: String,
    /// Whether the case failed because of it.
    pub at_fault: bool,
}

impl Entry for Tried {
    fn line(&self) -> Line<'_> {
        Line {
            mark: Mark::Judged { verdict: self.verdict, expected: self.expected },
            id: &self.id,
            title: &self.title,
            citation: &self.citation,
            messages: &[],
            text: &self.text,
        }
    }

    fn detail(&self) -> Option<&str> {
        Some(&self.detail)
    }
}
