//! Lists of verdicts as documents: what `check` found, what replay and conformance judged.
//!
//! An [`Entry`] is one verdict in its own vocabulary: a [`Finding`] has a severity, a [`Case`] has
//! a verdict. A [`Report`] takes entries of either kind, one after the other, and writes them as
//! text, as JSON or for a build server. All but JUnit are streamed; it counts at the top what stands
//! below, so its entries are gathered, bounded for each id.
//!
//! A [`Run`] of conformance is one document with a head: the target, the cases, why some could not
//! be judged, and the sum. It is written as text, JSON, NDJSON, TAP, JUnit's XML or a page of HTML;
//! what JSON and NDJSON hold is read again, and two runs are compared ([`Changes`]).
//!
//! The room knows no capture, no rule and no protocol. Of `dump` it takes what text on a terminal
//! needs: escapes, widths, colour.
//!
//! *Invariant:* no text breaks out of its line, its string or its element, whatever it holds.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod entry;
mod json;
mod junit;
mod run;
mod text;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::render::Colour;

pub use entry::{
    CaseEntry, CaseVerdict, FindingEntry, Outcome, ReportEntry, ReportLine, ReportMark,
    ReportSeverity,
};
pub use run::{
    CaseDatagram, Cause, Changes, CitedSection, NotARun, Note, Recorded, Run, RunForm, RunHead,
    Summary, Tried, page,
};

use json::JsonReport;
use junit::Junit;
use text::TextReport;

/// In which form a list is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportForm {
    /// For people: aligned lines and a count at the end. Where nothing is reported there is nothing
    /// at all, or a line that says what was looked at.
    Text {
        colour: Colour,
        /// How many columns there are; without a number every entry is one line.
        columns: Option<usize>,
    },
    /// A list of objects, one a line: `[]` where nothing is reported.
    Json,
    /// Objects, one a line, and nothing around them.
    Ndjson,
    /// The XML that build servers read: a test case for each id, in a suite of that name.
    Junit(&'static str),
}

/// A report that is being written. It is whole when [`finish`](Report::finish) was called.
pub struct Report<W> {
    out: W,
    writer: ReportWriter,
    counts: BTreeMap<ReportMark, u64>,
    scope: Option<Scope>,
}

/// What the last line of a text says beside its counts.
#[derive(Debug, Clone)]
pub struct Scope {
    /// What was looked at: `12 messages of 2 games, 40 packets`.
    pub of: String,
    /// Entries that are counted and not shown, and how to see them.
    pub hidden: BTreeMap<ReportMark, u64>,
    pub shown_by: &'static str,
}

enum ReportWriter {
    Text(TextReport),
    Json(JsonReport),
    Junit(Box<Junit>),
}

impl<W: Write> Report<W> {
    /// Begins a report.
    pub fn new(out: W, form: ReportForm) -> Self {
        let writer = match form {
            ReportForm::Text { colour, columns } => {
                ReportWriter::Text(TextReport::new(colour, columns))
            }
            ReportForm::Json => ReportWriter::Json(JsonReport::default()),
            ReportForm::Ndjson => ReportWriter::Json(JsonReport::lines()),
            ReportForm::Junit(name) => ReportWriter::Junit(Box::new(Junit::new(name))),
        };
        Self { out, writer, counts: BTreeMap::new(), scope: None }
    }

    /// Has a text end with a line on what was looked at, also where nothing is reported. The other
    /// forms tell only of entries.
    pub fn of(&mut self, scope: Scope) {
        self.scope = Some(scope);
    }

    /// Says that what `id` stands for was looked at, so that JUnit shows it as passed where no
    /// entry says otherwise. The other forms tell only of entries.
    pub fn looked_at(&mut self, id: &str, citation: &str) {
        if let ReportWriter::Junit(junit) = &mut self.writer {
            junit.looked_at(id, citation);
        }
    }

    /// Adds an entry.
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

    /// How many entries there were, by their marks.
    pub fn counts(&self) -> &BTreeMap<ReportMark, u64> {
        &self.counts
    }

    /// Writes what stands at the end, and gives back where it was written.
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
