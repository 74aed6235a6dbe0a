//! Rows in columns, which keep their widths while the rows scroll.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::painter::Painter;
use super::style;
use crate::render::TextRun;
use crate::text::{fit_middle, width};

/// A cell of a row, or a line.
pub type Runs = Vec<TextRun>;

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub struct TableColumn {
    pub name: &'static str,
    pub side: Alignment,
    /// The minimum width if space is short.
    pub least: usize,
    /// It is left out in tables narrower than this.
    pub from: u16,
    /// The part of the table's width that it gets before others, in percent; it also takes what
    /// remains. `None` if it does not grow.
    pub grows: Option<u8>,
}

/// The alignment of a text in its column, and where it is truncated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alignment {
    Left,
    Right,
    /// Right-aligned, and truncated without a sign: a time with fewer decimals.
    Time,
    /// Left-aligned, and truncated in the middle: addresses keep their ports.
    Middle,
}

/// A left-aligned column.
pub const fn left(name: &'static str, least: usize) -> TableColumn {
    TableColumn { name, side: Alignment::Left, least, from: 0, grows: None }
}

/// A right-aligned column.
pub const fn right(name: &'static str, least: usize) -> TableColumn {
    TableColumn { side: Alignment::Right, ..left(name, least) }
}

/// A column of addresses.
pub const fn address(name: &'static str) -> TableColumn {
    TableColumn { side: Alignment::Middle, ..left(name, 12) }
}

impl TableColumn {
    pub const fn from(self, columns: u16) -> Self {
        Self { from: columns, ..self }
    }

    pub const fn growing(self, percent: u8) -> Self {
        Self { grows: Some(percent), ..self }
    }
}

/// The widest text so far in each column, so that scrolling moves no column.
#[derive(Debug, Clone, Default)]
pub struct ColumnWidths(Vec<usize>);

impl ColumnWidths {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Widens columns for these rows.
    pub fn widen<'a>(&mut self, rows: impl IntoIterator<Item = &'a Vec<Runs>>) {
        for row in rows {
            self.0.resize(self.0.len().max(row.len()), 0);
            for (widest, cell) in self.0.iter_mut().zip(row) {
                *widest = (*widest).max(cell.iter().map(|run| width(&run.text)).sum());
            }
        }
    }

    /// The widest text of a column.
    pub fn widest(&self, column: usize) -> usize {
        self.0.get(column).copied().unwrap_or(0)
    }

    /// The width of each column in this space; hidden ones have none.
    pub fn fitted(&self, columns: &[TableColumn], space: usize) -> Vec<usize> {
        let least = |column: &TableColumn| match column.grows {
            Some(percent) => column.least.max(space * usize::from(percent) / 100),
            None => column.least,
        };
        let natural = |(at, column): (usize, &TableColumn)| match column.grows {
            _ if usize::from(column.from) > space => 0,
            // A growing column requires only its minimum while others need space.
            Some(_) => least(column),
            None => self.widest(at).max(width(column.name)),
        };
        let mut widths: Vec<_> = columns.iter().enumerate().map(natural).collect();
        let shown = widths.iter().filter(|width| **width > 0).count();
        let space = space.saturating_sub(shown.saturating_sub(1));
        loop {
            let excess = widths.iter().sum::<usize>().saturating_sub(space);
            let wide = widths.iter_mut().zip(columns).filter(|(w, c)| **w > least(c));
            // Decimals of times are missed least.
            let widest =
                wide.max_by_key(|(w, column)| (column.side == Alignment::Time, **w - column.least));
            match widest {
                Some((width, _)) if excess > 0 => *width -= 1,
                _ => break,
            }
        }
        let spare = space.saturating_sub(widths.iter().sum());
        let mut growing = widths.iter_mut().zip(columns);
        if let Some((width, _)) = growing.find(|(w, c)| c.grows.is_some() && **w > 0) {
            *width += spare;
        }
        widths
    }
}

/// The line of column names.
pub fn headings(
    columns: &[TableColumn],
    widths: &[usize],
    is_focused: bool,
    area: Rect,
    buffer: &mut Buffer,
) {
    let head = if is_focused { style::HEADINGS } else { style::TITLE };
    Painter::at(buffer, area, 0).fill(" ", head);
    for ((area, column), width) in cells(widths, area).zip(columns).zip(widths) {
        let mut painter = Painter::at(buffer, area, 0);
        match column.side {
            Alignment::Right | Alignment::Time => painter.number(column.name, *width, head),
            Alignment::Left | Alignment::Middle => painter.cell(column.name, *width, head),
        }
    }
}

/// The visible rows, with their positions from `top`; that under the cursor is marked.
pub fn rows<'a>(
    rows: impl Iterator<Item = &'a Vec<Runs>>,
    layout: (&[TableColumn], &[usize]),
    (top, cursor, has_focus): (usize, usize, bool),
    area: Rect,
    buffer: &mut Buffer,
) {
    for ((y, at), cells) in (0..area.height).zip(top..).zip(rows) {
        row(cells, layout, row_style(at == cursor, has_focus), (area, y), buffer);
    }
}

/// The style of a row, or of the line under the cursor.
pub fn row_style(is_selected: bool, has_focus: bool) -> Style {
    match (is_selected, has_focus) {
        (true, true) => style::CURSOR,
        (true, false) => style::RESTING,
        (false, _) => style::PLAIN,
    }
}

/// One row, `y` lines below the beginning of the area; `over` is painted over all of it.
fn row(
    row: &[Runs],
    (columns, widths): (&[TableColumn], &[usize]),
    over: Style,
    (area, y): (Rect, u16),
    buffer: &mut Buffer,
) {
    for (((area, runs), column), width) in cells(widths, area).zip(row).zip(columns).zip(widths) {
        let mut painter = Painter::at(buffer, area, y);
        match (column.side, runs.as_slice()) {
            (Alignment::Middle, [run]) => {
                painter.write(&fit_middle(&run.text, *width), style::painted(run.style));
            }
            (Alignment::Right, [run]) => {
                painter.number(&run.text, *width, style::painted(run.style));
            }
            (Alignment::Time, [run]) => {
                let text = run.text.get(..*width).unwrap_or(&run.text);
                painter.number(text, *width, style::painted(run.style));
            }
            (_, runs) => painter.runs(runs),
        }
    }
    Painter::at(buffer, area, y).paint(over);
}

/// The areas of columns; hidden ones are empty.
fn cells(widths: &[usize], area: Rect) -> impl Iterator<Item = Rect> {
    widths.iter().scan(0_usize, move |at, width| {
        let x = (*at).min(usize::from(area.width)) as u16;
        *at += width + usize::from(*width > 0);
        let cell =
            Rect { x: area.x + x, width: (*width).min(usize::from(u16::MAX)) as u16, ..area };
        Some(cell.intersection(area))
    })
}
