//! The details of the selected row: lines that are scrolled and searched.

use ratatui::buffer::Buffer;

use crate::action::{Motion, Step};
use crate::layout::TitledPane;
use crate::screens::arrangement::search_order;
use crate::screens::screen::SearchFrom;
use crate::search::SearchQuery;
use crate::widgets::letters::{Pieces, hanging, letters, pieces, width};
use crate::widgets::painter::{Painter, rule};
use crate::widgets::scroll::moved;
use crate::widgets::style;
use crate::widgets::table::{Runs, row_style};

/// The lines, and where they are scrolled to.
#[derive(Default)]
pub struct RowDetails {
    lines: Vec<Pieces>,
    /// The first visible line.
    top: usize,
    /// The line that a search has found.
    found: Option<usize>,
}

impl RowDetails {
    /// Goes back to the beginning: another row is selected.
    pub fn reset(&mut self) {
        (self.top, self.found) = (0, None);
    }

    /// Takes the lines of a row, which are wrapped in a pane of so many columns and rows.
    pub fn set(&mut self, lines: &[Runs], columns: usize, rows: usize) {
        self.lines = lines.iter().flat_map(|line| wrapped(line, columns)).collect();
        self.top = self.top.min(self.last_top(rows));
        self.found = self.found.filter(|found| *found < self.lines.len());
    }

    fn last_top(&self, rows: usize) -> usize {
        self.lines.len().saturating_sub(rows)
    }

    pub fn go(&mut self, motion: Motion, rows: usize) {
        self.found = None;
        self.top = moved(self.top, self.last_top(rows), rows, motion);
    }

    /// Goes to the next line that contains the text; returns whether it is behind the end, or
    /// nothing if there is none.
    pub fn search(&mut self, query: &SearchQuery, from: SearchFrom, rows: usize) -> Option<bool> {
        let begin = self.found.unwrap_or(self.top);
        let text = |line: &Pieces| line.iter().map(|(text, _)| text.as_str()).collect::<String>();
        let is_match = |at: &usize| self.lines.get(*at).is_some_and(|l| query.is_in(&text(l)));
        let found = search_order(begin, from, 0..self.lines.len()).find(is_match)?;
        self.found = Some(found);
        self.top = found.saturating_sub(rows / 2).min(self.last_top(rows));
        Some(match from {
            SearchFrom::Here => false,
            SearchFrom::After(Step::Forward) => found <= begin,
            SearchFrom::After(Step::Back) => found >= begin,
        })
    }

    /// `note` stands in the line above them.
    pub fn draw(
        &self,
        note: Option<String>,
        has_focus: bool,
        area: TitledPane,
        buffer: &mut Buffer,
    ) {
        let TitledPane { rule: title, body } = area;
        let lines = self.lines.iter().enumerate().skip(self.top);
        let below = lines.len().saturating_sub(usize::from(body.height));
        let below = (below > 0).then(|| format!("{below} more, ↓"));
        let note = [note, below].into_iter().flatten().collect::<Vec<_>>().join("; ");
        rule(buffer, title, "details", &note, has_focus);
        for (y, (at, line)) in (0..body.height).zip(lines) {
            Painter::at(buffer, body, y).pieces(line);
            if self.found == Some(at) {
                Painter::at(buffer, body, y).paint(row_style(true, has_focus));
            }
        }
    }
}

/// A line in as many as needed: its last text continues below its beginning.
fn wrapped(line: &Runs, columns: usize) -> Vec<Pieces> {
    let mut parts: Vec<_> =
        line.iter().map(|run| letters(&run.text, style::painted(run.style))).collect();
    let last = parts.pop().unwrap_or_default();
    let mark = parts.concat();
    let lines = if width(&mark) > columns / 2 && width(&mark) + width(&last) > columns {
        let indented = hanging(&letters("  ", style::PLAIN), &last, columns);
        [vec![mark], indented].concat()
    } else {
        hanging(&mark, &last, columns)
    };
    lines.iter().map(|line| pieces(line)).collect()
}
