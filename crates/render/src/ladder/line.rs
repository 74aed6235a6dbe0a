//! A line of a ladder while it is built, and the texts of its arrow.

use anstyle::{AnsiColor, Style};

use super::arrow::Arrow;
use crate::{TextRun, role_style};
use protocol::{MessageOutcome, Role};
use text::{escaped, fit, width};

/// A line of a ladder: as many columns as the ladder has, or fewer.
pub type LadderLine = Vec<TextRun>;

pub(super) const DIM: Style = AnsiColor::BrightBlack.on_default();
const LOST: Style = AnsiColor::Red.on_default().bold();
const ODD: Style = AnsiColor::Yellow.on_default().bold();

/// How what a sender of this role sent is painted.
pub(super) fn sender_style(role: Option<Role>) -> Style {
    role.map_or(Style::new(), role_style)
}

/// The line being built.
#[derive(Default)]
pub(super) struct LineBuilder {
    pub runs: LadderLine,
    pub columns: usize,
}

impl LineBuilder {
    pub fn push(&mut self, text: &str, style: Style) {
        if text.is_empty() {
            return;
        }
        self.columns += width(text);
        match self.runs.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text),
            _ => self.runs.push(TextRun { text: text.to_owned(), style }),
        }
    }

    /// Appends runs of text as they are.
    pub fn append(&mut self, runs: &[TextRun]) {
        self.runs.extend_from_slice(runs);
        self.columns += columns(runs);
    }

    /// Blanks up to a column.
    pub fn fill(&mut self, column: usize) {
        let blanks = column.saturating_sub(self.columns);
        self.push(&" ".repeat(blanks), Style::new());
    }
}

/// The texts of an arrow, placed piece by piece as there is space.
pub(super) struct ArrowText {
    name: Option<TextRun>,
    /// Most important first.
    rest: Vec<TextRun>,
}

impl ArrowText {
    /// Those of an arrow that names `others` too.
    pub fn new(arrow: &Arrow<'_>, others: &[String], sender: Style) -> Self {
        let run = |text: &str, style| TextRun { text: escaped(text).into_owned(), style };
        let style = if arrow.is_lost() { LOST } else { ODD };
        let outcome = arrow.outcome.as_ref().map(MessageOutcome::words);
        let outcome = outcome.map(|words| run(words, style));
        let others = others.iter().map(|other| run(other, Style::new()));
        let rest = others.chain(outcome).chain([run(arrow.text, DIM)]);
        let rest = rest.filter(|run| !run.text.is_empty()).collect();
        Self { name: Some(run(arrow.name, sender.bold())), rest }
    }

    /// The texts that fit into `space` columns: first the name, if it is due, and after it those that
    /// fit whole. In a place without a name, and in the last place, the last text is cut.
    pub fn take_line(&mut self, space: usize, with_name: bool, is_last: bool) -> Vec<TextRun> {
        let mut taken = Vec::new();
        let mut left = space;
        let name = if with_name { self.name.take() } else { None };
        let has_name = name.is_some();
        if let Some(name) = name {
            let text = fit(&name.text, left);
            left -= width(&text);
            taken.push(TextRun { text, ..name });
        }
        while let Some(next) = self.rest.first() {
            let gap = if taken.is_empty() { 0 } else { 2 };
            let fits = width(&next.text) + gap <= left;
            // A few letters of a text are of no use.
            if !fits && (has_name && !is_last || left < gap + 4) {
                break;
            }
            let TextRun { text, style } = self.rest.remove(0);
            let text = fit(&text, left - gap);
            left -= gap + width(&text);
            taken.push(TextRun { text: format!("{:gap$}{text}", ""), style });
            if !fits {
                self.rest.clear();
            }
        }
        taken
    }
}

pub(super) fn columns(runs: &[TextRun]) -> usize {
    runs.iter().map(|run| width(&run.text)).sum()
}
