//! Writes along one row of a pane, never beyond its end.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::style;
use render::TextRun;
use text::{fit, width};

/// A position in a row, and the row's end.
pub struct Painter<'a> {
    buffer: &'a mut Buffer,
    row: Rect,
    /// Columns written so far, those that are scrolled away included.
    at: usize,
    /// How many columns are scrolled away at the left.
    scrolled: usize,
}

impl<'a> Painter<'a> {
    /// The beginning of row `row` of `area`; outside of the area nothing is written.
    pub fn at(buffer: &'a mut Buffer, area: Rect, row: u16) -> Self {
        let inside = row < area.height;
        let row = Rect {
            y: area.y.saturating_add(row),
            height: u16::from(inside),
            width: if inside { area.width } else { 0 },
            ..area
        };
        let row = row.intersection(buffer.area);
        Self { buffer, row, at: 0, scrolled: 0 }
    }

    /// The same with so many columns scrolled away at the left.
    pub fn scrolled(self, columns: usize) -> Self {
        Self { scrolled: columns, ..self }
    }

    /// How many columns are left.
    pub fn left(&self) -> usize {
        (usize::from(self.row.width) + self.scrolled).saturating_sub(self.at)
    }

    /// Text from here on, truncated with an ellipsis.
    pub fn write(&mut self, text: &str, style: Style) {
        let left = self.left();
        if left == 0 || text.is_empty() {
            return;
        }
        let text = fit(text, left);
        let (begin, end) = (self.at, self.at + width(&text));
        self.at = end;
        let (visible, column) = behind(&text, self.scrolled.saturating_sub(begin));
        let x = (begin + column).saturating_sub(self.scrolled) as u16;
        let left = usize::from(self.row.width.saturating_sub(x));
        self.buffer.set_stringn(self.row.x + x, self.row.y, visible, left, style);
    }

    /// Runs of text in their colours, truncated with an ellipsis.
    pub fn runs(&mut self, runs: &[TextRun]) {
        for (i, run) in runs.iter().enumerate() {
            let is_last = i + 1 == runs.len();
            let style = style::painted(run.style);
            if is_last || width(&run.text) < self.left() {
                self.write(&run.text, style);
            } else {
                // No space is left for the runs after it.
                self.write(&format!("{}…", run.text), style);
            }
        }
    }

    /// The same for pieces in styles of the terminal.
    pub fn pieces(&mut self, pieces: &[(String, Style)]) {
        for (text, style) in pieces {
            self.write(text, *style);
        }
    }

    /// Text in its own column, truncated or padded with blanks.
    pub fn cell(&mut self, text: &str, columns: usize, style: Style) {
        let begin = self.at;
        self.write(&fit(text, columns), style);
        self.go(begin + columns);
    }

    /// The same at the column's right end.
    pub fn number(&mut self, text: &str, columns: usize, style: Style) {
        let text = fit(text, columns);
        let begin = self.at;
        self.go(begin + columns.saturating_sub(width(&text)));
        self.write(&text, style);
        self.go(begin + columns);
    }

    /// Moves to a column, counted from the row's beginning.
    pub fn go(&mut self, column: usize) {
        self.at = column.min(usize::from(self.row.width) + self.scrolled);
    }

    /// Right-aligned text, `margin` columns before the end, if there is space.
    pub fn right(&mut self, text: &str, style: Style, margin: usize) {
        let columns = width(text);
        if columns + margin < self.left() {
            let end = usize::from(self.row.width) - margin;
            self.go(end - columns);
            self.write(text, style);
        }
    }

    /// Fills the rest of the row with one character.
    pub fn fill(&mut self, with: &str, style: Style) {
        let text = with.repeat(self.left());
        self.write(&text, style);
    }

    /// Applies a style to the whole row.
    pub fn paint(self, style: Style) {
        self.buffer.set_style(self.row, style);
    }
}

/// A text without its first columns, and how many columns that are.
fn behind(text: &str, columns: usize) -> (&str, usize) {
    let mut skipped = 0;
    for (at, c) in text.char_indices() {
        if skipped >= columns {
            return (text.get(at..).unwrap_or_default(), skipped);
        }
        skipped += width(c.encode_utf8(&mut [0; 4]));
    }
    if skipped >= columns && columns == 0 { (text, 0) } else { ("", skipped) }
}

/// The line above a pane: its name, and a note at the right.
pub fn rule(buffer: &mut Buffer, area: Rect, name: &str, note: &str, is_focused: bool) {
    let title = if is_focused { style::FOCUSED } else { style::TITLE };
    let mut painter = Painter::at(buffer, area, 0);
    painter.fill("─", style::DIM);
    painter.go(1);
    painter.write(&format!(" {name} "), title);
    if !note.is_empty() {
        painter.right(&format!(" {note} "), style::DIM, 1);
    }
}
