//! Lists of verdicts as documents: the findings of `check`, the verdicts of replay and conformance.
//!
//! A `ReportEntry` is one verdict: a `FindingEntry` has a severity, a `CaseEntry` has
//! a verdict. A `Report` takes entries of either kind, one after the other, and writes them as
//! text, as JSON or for a build server. All formats are streamed but JUnit, which has counts at the
//! top: its entries are collected, with a limit for each id.
//!
//! A [`Run`] of conformance is one document with a head: the target, the cases, why some could not
//! be judged, and the summary. It is written as text, JSON, NDJSON, TAP, JUnit XML or a page of
//! HTML; JSON and NDJSON can be read again, and two runs are compared (`Changes`).
//!
//! This module knows no capture, no rule and no protocol. From `text` and `render` it takes what
//! text on a terminal needs: escapes, widths, colour.
//!
//! *Invariant:* no text breaks out of its line, its string or its element, whatever it holds.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod entry;
pub mod html;
mod json;
mod junit;
mod run;
mod text;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::{self, Write};

use render::Colour;

pub use entry::{CaseEntry, FindingEntry, Outcome, ReportEntry, ReportLine};
pub use entry::{CaseVerdict, ReportMark, ReportSeverity};
pub use run::{CaseDatagram, Cause, CitedSection, Run, RunHead, Summary, Tried, page};
pub use run::{Changes, Recorded, RunForm};

use json::JsonReport;
use junit::Junit;
use text::TextReport;

/// The format of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ReportForm {
    /// For people: aligned lines and a count at the end. Without entries the output is empty, or
    /// one line that says what was checked.
    Text,
    /// A list of objects, one per line: `[]` if there are no entries.
    Json,
    /// Objects, one per line, without a list around them.
    Ndjson,
    /// JUnit XML for build servers: a test case for each id, in a suite.
    Junit,
}

/// A report being written. It is complete once [`finish`](Report::finish) was called.
pub struct Report<W> {
    out: W,
    writer: ReportWriter,
    counts: BTreeMap<ReportMark, u64>,
    scope: Option<Scope>,
}

/// What the last line of a text report says in addition to its counts.
#[derive(Debug, Clone)]
pub struct Scope {
    /// What was checked: `12 messages of 2 games, 40 packets`.
    pub of: String,
    /// Entries that are counted and not shown, and how to see them.
    pub hidden: BTreeMap<ReportMark, u64>,
    /// How to see the entries that are not shown.
    pub hint: &'static str,
}

enum ReportWriter {
    Text(TextReport),
    Json(JsonReport),
    Junit(Box<Junit>),
}

impl<W: Write> Report<W> {
    /// Begins a report. The name is that of the JUnit suite. Colour and the width in columns are
    /// for text; without a width, every entry is one line.
    pub fn new(
        out: W,
        form: ReportForm,
        name: &'static str,
        (colour, columns): (Colour, Option<usize>),
    ) -> Self {
        let writer = match form {
            ReportForm::Text => ReportWriter::Text(TextReport::new(colour, columns)),
            ReportForm::Json => ReportWriter::Json(JsonReport::default()),
            ReportForm::Ndjson => ReportWriter::Json(JsonReport::lines()),
            ReportForm::Junit => ReportWriter::Junit(Box::new(Junit::new(name))),
        };
        Self { out, writer, counts: BTreeMap::new(), scope: None }
    }

    /// Ends a text report with a line on what was checked, even without entries. The other formats
    /// write entries only.
    pub fn set_scope(&mut self, scope: Scope) {
        self.scope = Some(scope);
    }

    /// Records that the rule `id` was checked, so that JUnit shows it as passed unless an entry
    /// says otherwise. The other formats write entries only.
    pub fn checked(&mut self, id: &str, citation: &str) {
        if let ReportWriter::Junit(junit) = &mut self.writer {
            junit.checked(id, citation);
        }
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&mut self, entry: &impl ReportEntry) -> io::Result<()> {
        let line = entry.line();
        *self.counts.entry(line.mark).or_insert(0) += 1;
        match &mut self.writer {
            ReportWriter::Text(text) => text.write(&mut self.out, &line),
            ReportWriter::Json(json) => json.write(&mut self.out, entry),
            ReportWriter::Junit(junit) => {
                junit.write(&line);
                Ok(())
            }
        }
    }

    /// Writes the end of the report, and returns the writer.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        match self.writer {
            ReportWriter::Text(text) => {
                text.finish(&mut self.out, &self.counts, self.scope.as_ref())?;
            }
            ReportWriter::Json(json) => json.finish(&mut self.out)?,
            ReportWriter::Junit(junit) => junit.finish(&mut self.out)?,
        }
        Ok(self.out)
    }
}
