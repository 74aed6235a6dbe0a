//! Entries of reports: findings and cases, and the line of text made of both.

use anstyle::{AnsiColor, Style};
use serde::{Deserialize, Serialize};

/// How bad a finding is, the mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ReportSeverity {
    /// Unusual, but widely done and harmless.
    Note,
    /// Violates the documents, and may cause problems.
    Warning,
    /// Violates the documents, and something does not work.
    Error,
}

/// The verdict on a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseVerdict {
    /// The target met the requirement.
    Pass,
    /// The target did not meet the requirement.
    Fail,
    /// The target did not meet the recommendation.
    Warn,
    /// An observation that is neither right nor wrong.
    Info,
    /// It was not tried; the text says why.
    Skipped,
    /// It could not be judged, because a precondition does not hold.
    Blocked,
    /// It could not be judged, because fragshark itself failed.
    Error,
}

/// A protocol violation in captured traffic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FindingEntry<'a> {
    /// The rule's name: a group, a dot, a slug, as in `list.end-missing`.
    pub id: &'a str,
    /// How bad it is.
    pub severity: ReportSeverity,
    /// Where the rule stands: `document 001, section 1.1.2`.
    pub citation: &'a str,
    /// The numbers of the frames at fault, in order.
    pub messages: &'a [u64],
    /// What is wrong, in one sentence without a final period.
    pub text: &'a str,
}

/// One case that was run, and its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CaseEntry<'a> {
    /// Its name as a path: `quake3/getserversResponse/end-mark`.
    pub id: &'a str,
    /// What is done, in one sentence.
    pub title: &'a str,
    /// The source of the requirement.
    pub citation: &'a str,
    /// The verdict on the case.
    pub verdict: CaseVerdict,
    /// Whether it was expected to fail; it is shown, and does not count as a failure.
    pub expected: bool,
    /// What was expected and what came, or why it was not run; empty if there is nothing to add.
    pub text: &'a str,
    /// The numbers of the frames that it sent and received, in order.
    pub messages: &'a [u64],
}

/// Something that a [`Report`](super::Report) can write; as JSON it is an object.
pub trait ReportEntry: Serialize {
    /// The entry as a line of text.
    fn line(&self) -> ReportLine<'_>;
}

/// An entry of either kind as a line of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportLine<'a> {
    /// What a text report counts it as.
    pub mark: ReportMark,
    /// The id of the rule or the case.
    pub id: &'a str,
    /// The entry's subject; empty if the text names it.
    pub title: &'a str,
    /// Document and section.
    pub citation: &'a str,
    /// The numbers of the frames.
    pub messages: &'a [u64],
    /// What was found.
    pub text: &'a str,
}

/// The severity or verdict at the head of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReportMark {
    /// A finding of this severity.
    Found(ReportSeverity),
    /// A case with a verdict.
    Judged {
        /// The verdict.
        verdict: CaseVerdict,
        /// Whether a failure was expected.
        expected: bool,
    },
}

/// The result that a build server gets for a mark, the mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Nothing is wrong.
    Passed,
    /// It was not tested.
    Skipped,
    /// Something is wrong.
    Failed,
    /// The test itself could not run.
    Broken,
}

impl ReportEntry for FindingEntry<'_> {
    fn line(&self) -> ReportLine<'_> {
        let Self { id, severity, citation, messages, text } = *self;
        ReportLine { mark: ReportMark::Found(severity), id, title: "", citation, messages, text }
    }
}

impl<'a> CaseEntry<'a> {
    /// A case with its verdict and text, and nothing else.
    pub fn new(id: &'a str, verdict: CaseVerdict, text: &'a str) -> Self {
        Self { id, title: "", citation: "", verdict, expected: false, text, messages: &[] }
    }
}

impl ReportEntry for CaseEntry<'_> {
    fn line(&self) -> ReportLine<'_> {
        let Self { id, title, citation, verdict, expected, text, messages } = *self;
        ReportLine {
            mark: ReportMark::judged(verdict, expected),
            id,
            title,
            citation,
            messages,
            text,
        }
    }
}

impl ReportMark {
    /// The mark of a verdict. Only failures can be expected: a pass is a pass, expected or not.
    pub fn judged(verdict: CaseVerdict, expected: bool) -> Self {
        Self::Judged { verdict, expected: expected && verdict == CaseVerdict::Fail }
    }

    /// The word of the mark, at most [`Self::COLUMNS`] long.
    pub fn word(self) -> &'static str {
        match self {
            Self::Found(ReportSeverity::Note) => "note",
            Self::Found(ReportSeverity::Warning) => "warning",
            Self::Found(ReportSeverity::Error)
            | Self::Judged { verdict: CaseVerdict::Error, .. } => "error",
            Self::Judged { verdict: CaseVerdict::Pass, .. } => "pass",
            Self::Judged { verdict: CaseVerdict::Fail, expected: true } => "known",
            Self::Judged { verdict: CaseVerdict::Fail, .. } => "fail",
            Self::Judged { verdict: CaseVerdict::Warn, .. } => "warn",
            Self::Judged { verdict: CaseVerdict::Info, .. } => "info",
            Self::Judged { verdict: CaseVerdict::Skipped, .. } => "skipped",
            Self::Judged { verdict: CaseVerdict::Blocked, .. } => "blocked",
        }
    }

    /// How long the longest word is.
    pub const COLUMNS: usize = "warning".len();

    /// The count in words: `1 error`, `2 warnings`, `3 passed`.
    pub fn counted(self, n: u64) -> String {
        match (self, self.word()) {
            (Self::Found(_), word) if n != 1 => format!("{n} {word}s"),
            (Self::Judged { .. }, "pass") => format!("{n} passed"),
            (Self::Judged { .. }, "fail") => format!("{n} failed"),
            (Self::Judged { .. }, "known") => format!("{n} failed as expected"),
            (Self::Judged { .. }, "warn") => format!("{n} with a warning"),
            (Self::Judged { .. }, "error") => format!("{n} not judged"),
            (_, word) => format!("{n} {word}"),
        }
    }

    pub(super) fn style(self) -> Style {
        match self.word() {
            "error" | "fail" => AnsiColor::Red.on_default().bold(),
            "warning" | "warn" => AnsiColor::Yellow.on_default().bold(),
            "pass" => AnsiColor::Green.on_default(),
            _ => AnsiColor::Cyan.on_default(),
        }
    }

    /// The result for a build server: a note is no failure, and neither is an expected one.
    pub(crate) fn outcome(self) -> Outcome {
        match self {
            Self::Found(ReportSeverity::Note) => Outcome::Passed,
            Self::Found(_) => Outcome::Failed,
            Self::Judged { verdict, expected } => match verdict {
                CaseVerdict::Pass | CaseVerdict::Warn | CaseVerdict::Info => Outcome::Passed,
                CaseVerdict::Fail if !expected => Outcome::Failed,
                CaseVerdict::Fail | CaseVerdict::Skipped | CaseVerdict::Blocked => Outcome::Skipped,
                CaseVerdict::Error => Outcome::Broken,
            },
        }
    }
}
