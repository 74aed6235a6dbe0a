//! A case of a conformance run with everything that reports show of it.

use serde::{Serialize, Serializer};

use crate::{CaseVerdict, ReportLine, ReportMark};
use text::counted;

/// A case that was run, or skipped, against one target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// Its name as a path: `quake3/getserversResponse/end-mark`.
    pub id: String,
    /// What is done, in one sentence.
    pub title: String,
    /// The sentence of the documents that it tests.
    pub requires: String,
    /// The source: `001 1.1.2, 000 getserversResponse`.
    pub citation: String,
    /// The specification's sections for the cited sources.
    pub sources: Vec<CitedSection>,
    /// MUST, SHOULD or INFO.
    pub level: &'static str,
    /// The verdict.
    pub verdict: CaseVerdict,
    /// Whether it was expected to fail.
    pub expected: bool,
    /// The id of the [`Cause`](super::Cause) that blocked it.
    pub blocked_by: Option<String>,
    /// What was expected and what came, or why it was not run; empty if there is nothing to add.
    pub text: String,
    /// The failure of the first attempt, if it was run again.
    pub first_try: Option<String>,
    /// Whether it failed now and then: neither always nor never.
    pub unstable: bool,
    /// The faulty datagram, annotated, in lines; empty if there is none.
    pub dump: String,
    /// How long it took.
    pub milliseconds: u64,
    /// The traffic, if the case did not go well; limited in size.
    pub exchange: Vec<CaseDatagram>,
    /// The number of further datagrams that are not shown.
    pub left_out: u64,
    /// Additional lines for text output, already escaped.
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
    /// Its message and length: `getinfo, 24 bytes`.
    pub what: String,
    /// Annotated, in lines.
    pub dump: String,
    /// Whether the case failed because of it.
    pub at_fault: bool,
}

/// The section of the specification that a case cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedSection {
    /// The part of the citation: `001 1.1.2`.
    pub cited: &'static str,
    /// The document's title; empty if unknown.
    pub document: &'static str,
    /// The page of the specification: `docs/protocols/quake3.md`.
    pub page: String,
    /// The section's anchor in it; empty for the page as a whole.
    pub anchor: &'static str,
    /// The section, in Markdown.
    pub text: &'static str,
}

impl Tried {
    /// The case as a line of text.
    pub(crate) fn line(&self) -> ReportLine<'_> {
        ReportLine {
            mark: self.mark(),
            id: &self.id,
            title: &self.title,
            citation: &self.citation,
            messages: &[],
            text: &self.text,
        }
    }

    /// What a text report counts it as.
    pub fn mark(&self) -> ReportMark {
        ReportMark::judged(self.verdict, self.expected)
    }

    /// Whether it was expected to fail, and passed.
    pub fn has_passed_unexpectedly(&self) -> bool {
        self.expected && self.verdict == CaseVerdict::Pass
    }

    /// Whether it did not go well, so that readers need its traffic.
    pub fn is_bad(&self) -> bool {
        use CaseVerdict::{Blocked, Error, Fail, Warn};
        matches!(self.verdict, Fail | Warn | Blocked | Error)
    }

    /// How many datagrams are shown, and how many are left out: `3 datagrams`.
    pub(super) fn datagram_count(&self) -> String {
        let shown = counted(self.exchange.len() as u64, "datagram");
        match self.left_out {
            0 => shown,
            more => format!("{shown}, and {more} more that are not shown"),
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
