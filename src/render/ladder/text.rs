//! A ladder as lines of styled text; each line depends on its arrow alone.

use anstyle::{AnsiColor, Style};

use super::arrow::{Arrow, TIME, index_of, time_since};
use super::lifelines::Lifelines;
use crate::protocol::Role;
use crate::render::{TextRun, role_style};
use crate::text::{duration, escaped, fit, fit_middle, width};

/// A line of a ladder: as many columns as the ladder has, or fewer.
pub type LadderLine = Vec<TextRun>;

/// Columns of a frame's number, its time, and the space after them.
const NUMBER: usize = 5;
const LEFT: usize = NUMBER + 1 + TIME + 2;
/// The minimum number of columns beside a lifeline, however narrow the ladder.
const NARROWEST: usize = 12;

const DIM: Style = AnsiColor::BrightBlack.on_default();
const LOST: Style = AnsiColor::Red.on_default().bold();
const ODD: Style = AnsiColor::Yellow.on_default().bold();

/// What all lines of a ladder share.
#[derive(Debug, Clone, Copy)]
pub struct Ladder {
    lifelines: Lifelines,
    /// The start time that others are counted from.
    begin: i64,
    /// The columns of the three lifelines.
    columns: [usize; 3],
}

impl Ladder {
    /// A ladder of `columns` columns, in which times count from `begin`, in nanoseconds.
    pub fn new(lifelines: Lifelines, begin: i64, columns: usize) -> Self {
        let half = (columns.saturating_sub(LEFT + 1) / 2).max(NARROWEST);
        Self { lifelines, begin, columns: [LEFT, LEFT + half, LEFT + 2 * half] }
    }

    /// The two lines at the top: the role of each lifeline, and the endpoint that arrows mean if
    /// they name none.
    pub fn head(&self) -> [LadderLine; 2] {
        let [_, middle, right] = self.columns;
        let space = middle - LEFT - 2;
        let mut names = LineBuilder::default();
        let mut addresses = LineBuilder::default();
        for (role, head) in self.lifelines.lifelines() {
            let address = head.map(|end| end.to_string()).unwrap_or_default();
            for (row, text, style) in [
                (&mut names, role.to_string(), role_style(role).bold()),
                (&mut addresses, fit_middle(&address, space), Style::new()),
            ] {
                let columns = width(&text);
                row.fill(match role {
                    Role::Server => LEFT,
                    Role::Master => middle.saturating_sub(columns / 2),
                    Role::Client => (right + 1).saturating_sub(columns),
                });
                row.push(&text, style);
            }
        }
        [names.runs, addresses.runs]
    }

    /// A pause of so many nanoseconds.
    pub fn pause(&self, nanos: i64) -> LadderLine {
        let mut row = LineBuilder::default();
        let text = format!("· {} ·", duration(nanos));
        row.fill((LEFT - 2).saturating_sub(width(&text)));
        row.push(&text, DIM);
        for column in self.columns {
            row.fill(column);
            row.push("┊", DIM);
        }
        row.runs
    }

    /// The line of a message. Its name stands on the arrow, at the left; other texts stand right of
    /// the middle if the arrow spans the whole width, else beside the arrow.
    pub fn arrow(&self, arrow: &Arrow<'_>) -> LadderLine {
        let mut row = LineBuilder::default();
        let time = time_since(arrow.time.saturating_sub(self.begin));
        row.push(&format!("{:>NUMBER$} ", arrow.number), DIM);
        row.push(&format!("{time:>TIME$}"), Style::new());
        let (from, to) = arrow.lifelines();
        let (first, last) = (index_of(from).min(index_of(to)), index_of(from).max(index_of(to)));
        let shape = ArrowSpan::of(arrow, from, to);
        let mut texts_left = ArrowText::of(arrow, &self.lifelines, from);
        let [left, middle, right] = self.columns;
        let spaces = [middle - left - 1, right - middle - 1];
        // The name comes first in every layout.
        let named = first.min(1);
        let mut texts = [Vec::new(), Vec::new()];
        for half in [named, 1 - named] {
            let is_arrow = first <= half && half < last;
            let blanks = if is_arrow { 6 } else { 3 };
            if let (Some(texts), Some(space)) = (texts.get_mut(half), spaces.get(half)) {
                *texts = texts_left.take(space.saturating_sub(blanks), half == named);
            }
        }
        for (at, column) in self.columns.into_iter().enumerate() {
            row.fill(column);
            let crosses = first < at && at < last;
            row.push(if crosses { "┼" } else { "│" }, if crosses { shape.style } else { DIM });
            let (Some(space), Some(texts)) = (spaces.get(at), texts.get(at)) else {
                break;
            };
            if first <= at && at < last {
                shape.draw(&mut row, texts, *space, (at == first, at + 1 == last));
            } else if first == last && at == named {
                row.push("↺ ", shape.style);
                row.runs.extend_from_slice(texts);
                row.columns += columns(texts);
            } else {
                // Close to the lifeline in the middle, where the arrow begins or ends.
                let blanks = if at == 0 { space.saturating_sub(columns(texts) + 1) } else { 1 };
                row.fill(row.columns + blanks);
                row.runs.extend_from_slice(texts);
                row.columns += columns(texts);
            }
        }
        row.runs
    }
}

/// The shape of an arrow.
struct ArrowSpan {
    goes_right: bool,
    is_lost: bool,
    style: Style,
}

impl ArrowSpan {
    fn of(arrow: &Arrow<'_>, from: Role, to: Role) -> Self {
        let is_lost = arrow.outcome.is_some_and(|outcome| outcome.is_lost());
        Self { goes_right: index_of(from) < index_of(to), is_lost, style: role_style(from) }
    }

    /// The part of the arrow between two neighbouring lifelines; `ends` says whether it begins
    /// and ends here, from left to right.
    fn draw(&self, row: &mut LineBuilder, texts: &[TextRun], space: usize, ends: (bool, bool)) {
        let line = if self.is_lost { "╌" } else { "─" };
        let end = if self.is_lost {
            "×"
        } else if self.goes_right {
            "▶"
        } else {
            "◀"
        };
        let begin = row.columns;
        row.push(if ends.0 && !self.goes_right { end } else { line }, self.style);
        row.push(line, self.style);
        if !texts.is_empty() {
            row.push(" ", self.style);
            for run in texts {
                row.push(&run.text, run.style);
            }
            row.push(" ", self.style);
        }
        let rest = space.saturating_sub(row.columns - begin + 1);
        row.push(&line.repeat(rest), self.style);
        row.push(if ends.1 && self.goes_right { end } else { line }, self.style);
    }
}

/// The texts of an arrow, placed piece by piece as there is space.
struct ArrowText {
    name: Option<TextRun>,
    /// Most important first.
    rest: Vec<TextRun>,
}

impl ArrowText {
    fn of(arrow: &Arrow<'_>, lifelines: &Lifelines, from: Role) -> Self {
        let run = |text: &str, style| TextRun { text: escaped(text).into_owned(), style };
        let mark =
            arrow.outcome.map(|mark| run(mark.words(), if mark.is_lost() { LOST } else { ODD }));
        let others = run(&lifelines.others(arrow), Style::new());
        let rest = [Some(others), mark, Some(run(arrow.text, DIM))];
        let rest = rest.into_iter().flatten().filter(|run| !run.text.is_empty()).collect();
        Self { name: Some(run(arrow.name, role_style(from).bold())), rest }
    }

    /// The texts that fit into `space` columns: first the name, if allowed, and after it those that
    /// fit whole; else all others, cut at the last column.
    fn take(&mut self, space: usize, with_name: bool) -> Vec<TextRun> {
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
            if !fits && (has_name || left < gap + 4) {
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

fn columns(runs: &[TextRun]) -> usize {
    runs.iter().map(|run| width(&run.text)).sum()
}

/// The line being built.
#[derive(Default)]
struct LineBuilder {
    runs: LadderLine,
    columns: usize,
}

impl LineBuilder {
    fn push(&mut self, text: &str, style: Style) {
        if text.is_empty() {
            return;
        }
        self.columns += width(text);
        match self.runs.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text),
            _ => self.runs.push(TextRun { text: text.to_owned(), style }),
        }
    }

    /// Blanks up to a column.
    fn fill(&mut self, column: usize) {
        let blanks = column.saturating_sub(self.columns);
        self.push(&" ".repeat(blanks), Style::new());
    }
}
