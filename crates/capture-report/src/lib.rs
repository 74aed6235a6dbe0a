//! The report of a capture: one page of HTML with what there is to know of it, for an issue tracker
//! or an e-mail.
//!
//! The page is made of what `export` writes: its tables are rows of [`TABLES`](export::TABLES)
//! in NDJSON, its messages those of the table `messages`, so every number on it is one that `export`
//! gives. Rows for which it has no space are not made. Two passes over the captures: the first for
//! tables and statistics, which also say what is most useful (`choice`), the second for the messages
//! alone, as far as the last of them. What the page has no space for is counted and named on it
//! (`left_out`). This module knows no protocol and no game.
//!
//! *Invariant:* the same captures and options give the same bytes; no clock is asked.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cells;
mod charts;
mod choice;
mod counts;
mod diagrams;
mod kept_rows;
mod left_out;
mod messages;
mod outcomes;
mod page;
mod survey;
mod tables;
mod time_span;

use analysis::{CapturedMessage, Pipeline};
use export::{ExportError, Redactor};
use text::Secrets;

use counts::PageCounts;
use page::ReportPage;
use survey::Survey;
use tables::ReportTables;

/// How many messages a page has, unless the user wants fewer or more.
pub const MESSAGES: usize = 5_000;

/// What a report shows, and how.
pub struct ReportOptions<'a> {
    /// The title; without one, it is made of the names of the captures.
    pub title: Option<&'a str>,
    /// The display filter, as the user gave it.
    pub filter: Option<&'a str>,
    /// How many messages the page has at most.
    pub messages: usize,
    /// Replaces names, addresses and secrets by pseudonyms.
    pub redactor: Option<Redactor>,
    /// Whether secrets are shown.
    pub secrets: Secrets,
}

/// The page of the captures of a pipeline, which can be read again; `selects` says which messages
/// are selected and is called for all messages in their order, several times.
///
/// # Errors
///
/// If a capture cannot be read again.
pub fn capture_report(
    pipeline: &mut Pipeline,
    mut options: ReportOptions<'_>,
    selects: &mut (dyn FnMut(&CapturedMessage<'_>) -> bool + Send),
) -> Result<String, ExportError> {
    let mut counts = PageCounts::new(options.filter.is_some());
    let tables = ReportTables::read_captures(pipeline, &mut options, &mut counts, selects)?;
    let survey = Survey::read_captures(pipeline, &mut options, (&tables, counts), selects)?;
    Ok(ReportPage::new(pipeline, &options, &tables, &survey).into_string())
}
