//! What the page has no space for, in words.

use maud::{Markup, html};

use super::tables::ReportTable;
use text::grouped;

/// Lines on what was left out.
#[derive(Default)]
pub(super) struct LeftOut(Vec<String>);

impl LeftOut {
    pub fn add_line(&mut self, line: String) {
        self.0.push(line);
    }

    /// Adds how many there are on the page, if they are not all: `messages: 2 of 5, the first ones`.
    pub fn add_part(&mut self, what: &str, (shown, of): (u64, u64), which: &str) {
        if shown < of {
            self.add_line(format!(
                "{what}: {} of {} are shown, {which}",
                grouped(shown),
                grouped(of)
            ));
        }
    }

    /// Adds the rows of a table that are not on the page.
    pub fn add_table(&mut self, table: &ReportTable) {
        self.add_part(table.page.rows, (table.rows.len() as u64, table.count), table.page.kept);
    }

    /// The section of the page; nothing if nothing was left out.
    pub fn section(&self) -> Markup {
        if self.0.is_empty() {
            return html! {};
        }
        html! {
            section.omitted aria-labelledby="left-out" {
                h2 id="left-out" { "What this page lacks" }
                ul { @for line in &self.0 { li { (line) } } }
                p { code { "fragshark export" } " and " code { "fragshark decode" } " give everything." }
            }
        }
    }
}
