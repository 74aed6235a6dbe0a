//! A case of conformance with all that is known of it, as reports write it.

use serde::{Serialize, Serializer};

use crate::report::{CaseVerdict, ReportLine, ReportMark};

/// A case that was tried, or was not, against one target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// Its name as a path: `quake3/getserversResponse/end-mark`.
    pub id: String,
    /// What is done, in one sentence.
    pub title: String,
    /// The documents' sentence that it tests.
    pub requires: String,
    /// Where it stands: `001 1.1.2, 000 getserversResponse`.
    pub citation: String,
    /// The specification's sections for what is cited.
    pub sources: Vec<CitedSection>,
    /// MUST, SHOULD or INFO.
    pub level: &'static str,
    pub verdict: CaseVerdict,
    /// Whether that it fails was announced.
    pub expected: bool,
    /// The id of the [`Cause`](super::Cause) for which it could not be judged.
    pub blocked_by: Option<String>,
    /// What was expected and what came, or why it was not tried; empty where all is said.
    pub text: String,
    /// What failed at first, where it was tried again.
    pub first_try: Option<String>,
    /// The datagram at fault, annotated, in lines; empty where there is none.
    pub dump: String,
    pub milliseconds: u64,
    /// What was sent and received, where it did not go well; bounded.
    pub exchange: Vec<CaseDatagram>,
    /// How many datagrams more there were.
    pub left_out: u64,
    /// What is shown beneath in a text, in lines that are escaped already.
    #[serde(skip)]
    pub detail: String,
}

/// One datagram of a case, or some bytes of a stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseDatagram {
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

/// Where the specification describes what a case cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedSection {
    /// What is cited, a part of the citation: `001 1.1.2`.
    pub cited: &'static str,
    /// The document's title; empty where it is not known.
    pub document: &'static str,
    /// The page of the specification: `docs/protocols/quake3.md`.
    pub page: String,
    /// The section's anchor in it; empty for the page as a whole.
    pub anchor: &'static str,
    /// The section, in Markdown.
    pub text: &'static str,
}

impl Tried {
    /// It as people read it.
    pub fn line(&self) -> ReportLine<'_> {
        ReportLine {
            mark: self.mark(),
            id: &self.id,
            title: &self.title,
            citation: &self.citation,
            messages: &[],
            text: &self.text,
        }
    }

    pub fn mark(&self) -> ReportMark {
        ReportMark::judged(self.verdict, self.expected)
    }

    /// Whether it was announced to fail, and passed.
    pub fn has_passed_unexpectedly(&self) -> bool {
        self.expected && self.verdict == CaseVerdict::Pass
    }

    /// Whether it did not go well, so that readers want to see what was sent and received.
    pub fn is_bad(&self) -> bool {
        use CaseVerdict::{Blocked, Error, Fail, Warn};
        matches!(self.verdict, Fail | Warn | Blocked | Error)
    }

    /// How many datagrams are shown, and how many are not: `3 datagrams`.
    pub(super) fn exchanged(&self) -> String {
        let shown = self.exchange.len();
        let s = if shown == 1 { "" } else { "s" };
        match self.left_out {
            0 => format!("{shown} datagram{s}"),
            more => format!("{shown} datagram{s}, and {more} more that are not shown"),
        }
    }
}

impl CaseDatagram {
    /// `+0.012 s  server 1 → master  getinfo, 24 bytes`.
    pub(super) fn head(&self) -> String {
        format!("{}  {}  {}", self.time, self.ends, self.what)
    }
}

impl CitedSection {
    /// `docs/protocols/quake3.md#getservers`.
    pub fn place(&self) -> String {
        let mark = if self.anchor.is_empty() { "" } else { "#" };
        format!("{}{mark}{}", self.page, self.anchor)
    }
}

impl Serialize for CitedSection {
    /// Without the section's text: `{"cited":"001 1.1.2","at":"docs/protocols/quake3.md#ping"}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut source = serializer.serialize_struct("Source", 2)?;
        source.serialize_field("cited", self.cited)?;
        source.serialize_field("at", &self.place())?;
        source.end()
    }
}
