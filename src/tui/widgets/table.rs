//! Rows in columns, which keep their widths while the rows scroll.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::address::{AddressText, SharedAddress};
use super::painter::Painter;
use super::style;
use crate::render::TextRun;
use crate::text::width;

/// A cell of a row, or a line.
pub type Runs = Vec<TextRun>;

/// A column of a table.
#[derive(Debug, Clone)]
pub struct TableColumn {
    pub name: Cow<'static, str>,
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
    /// An address and a port: what all of the column share is shortened, then the port.
    Address,
}

/// The width of an IPv4 address: a column of addresses is not narrower if it needs that.
const HOST: usize = 15;

/// A left-aligned column.
pub const fn left(name: &'static str, least: usize) -> TableColumn {
    let name = Cow::Borrowed(name);
    TableColumn { name, side: Alignment::Left, least, from: 0, grows: None }
}

/// A right-aligned column.
pub const fn right(name: &'static str, least: usize) -> TableColumn {
    let name = Cow::Borrowed(name);
    TableColumn { name, side: Alignment::Right, least, from: 0, grows: None }
}

/// A column of addresses.
pub const fn address(name: &'static str) -> TableColumn {
    let name = Cow::Borrowed(name);
    TableColumn { name, side: Alignment::Address, least: 10, from: 0, grows: None }
}

/// A column of times.
pub const fn time_column(least: usize) -> TableColumn {
    TableColumn { side: Alignment::Time, least, from: 0, grows: None, name: Cow::Borrowed("time") }
}

impl TableColumn {
    pub const fn from(mut self, columns: u16) -> Self {
        self.from = columns;
        self
    }

    /// The same with an arrow in its name: rows are sorted by it. It is not left out.
    pub fn sorted(mut self, is_descending: bool) -> Self {
        let arrow = if is_descending { "▼" } else { "▲" };
        self.from = 0;
        self.name = Cow::Owned(format!("{arrow}{}", self.name));
        self
    }

    pub const fn growing(mut self, percent: u8) -> Self {
        self.grows = Some(percent);
        self
    }
}

/// The widest text so far in each column, so that scrolling moves no column.
#[derive(Debug, Clone, Default)]
pub struct ColumnWidths {
    widest: Vec<usize>,
    /// The part that all addresses of a column have.
    shared: Vec<SharedAddress>,
}

impl ColumnWidths {
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Widens columns for these rows.
    pub fn widen<'a>(&mut self, rows: impl IntoIterator<Item = &'a Vec<Runs>>) {
        for row in rows {
            let len = self.widest.len().max(row.len());
            self.widest.resize(len, 0);
            self.shared.resize(len, SharedAddress::default());
            let columns = self.widest.iter_mut().zip(&mut self.shared);
            for ((widest, shared), cell) in columns.zip(row) {
                *widest = (*widest).max(cell.iter().map(|run| width(&run.text)).sum());
                if let [run] = cell.as_slice() {
                    shared.add(&run.text);
                }
            }
        }
    }

    /// The width in which all addresses of a column can be told apart.
    fn shared_width(&self, column: usize) -> usize {
        self.shared.get(column).map_or(0, SharedAddress::comfortable)
    }

    /// The widest text of a column.
    pub fn widest(&self, column: usize) -> usize {
        self.widest.get(column).copied().unwrap_or(0)
    }

    /// The width of each column in full, but at most that of the table.
    pub fn natural(&self, columns: &[TableColumn], space: usize) -> Vec<usize> {
        let natural = |(at, column): (usize, &TableColumn)| {
            self.widest(at).max(width(&column.name)).min(space)
        };
        columns.iter().enumerate().map(natural).collect()
    }

    /// The width of each column in this space; hidden ones have none.
    pub fn fitted(&self, columns: &[TableColumn], space: usize) -> Vec<usize> {
        let least = |at: usize, column: &TableColumn| match (column.grows, column.side) {
            (Some(percent), _) => column.least.max(space * usize::from(percent) / 100),
            (None, Alignment::Address) => column.least.max(self.shared_width(at).min(HOST)),
            (None, _) => column.least,
        };
        let natural = |(at, column): (usize, &TableColumn)| match column.grows {
            _ if usize::from(column.from) > space => 0,
            // A growing column requires only its minimum while others need space.
            Some(_) => least(at, column),
            None => self.widest(at).max(width(&column.name)),
        };
        let mut widths: Vec<_> = columns.iter().enumerate().map(natural).collect();
        let shown = widths.iter().filter(|width| **width > 0).count();
        let space = space.saturating_sub(shown.saturating_sub(1));
        // First addresses are shortened so far that they can still be told apart.
        for (at, column) in columns.iter().enumerate().rev() {
            let is_excess = widths.iter().sum::<usize>() > space;
            if let (true, Alignment::Address, Some(width)) =
                (is_excess, column.side, widths.get_mut(at))
            {
                *width = self.shared_width(at).min(*width);
            }
        }
        loop {
            let excess = widths.iter().sum::<usize>().saturating_sub(space);
            let wide = widths.iter_mut().zip(columns).enumerate();
            let wide = wide.filter(|(at, (width, column))| **width > least(*at, column));
            // Decimals of times are missed least.
            let widest = wide.max_by_key(|(_, (width, column))| {
                (column.side == Alignment::Time, width.saturating_sub(column.least))
            });
            match widest {
                Some((_, (width, _))) if excess > 0 => *width -= 1,
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

/// How the columns of a table are laid out.
pub struct TableLayout<'a> {
    pub columns: &'a [TableColumn],
    pub widths: &'a [usize],
    pub measured: &'a ColumnWidths,
    /// How many columns of text are scrolled out of sight at the left.
    pub scrolled: usize,
}

impl TableLayout<'_> {
    /// The line of column names.
    pub fn headings(&self, is_focused: bool, area: Rect, buffer: &mut Buffer) {
        let head = if is_focused { style::HEADINGS } else { style::TITLE };
        Painter::at(buffer, area, 0).fill(" ", head);
        let columns = self.columns.iter().zip(self.widths);
        for (area, (column, width)) in self.cells(area).zip(columns) {
            let mut painter = Painter::at(buffer, area, 0);
            match column.side {
                Alignment::Right | Alignment::Time => {
                    painter.number(&column.name, *width, head);
                }
                Alignment::Left | Alignment::Address => {
                    painter.cell(&column.name, *width, head);
                }
            }
        }
    }

    /// The visible rows, with their positions from `top`; that under the cursor is marked.
    pub fn rows<'r>(
        &self,
        rows: impl Iterator<Item = &'r Vec<Runs>>,
        (top, cursor, has_focus): (usize, usize, bool),
        area: Rect,
        buffer: &mut Buffer,
    ) {
        for ((y, at), cells) in (0..area.height).zip(top..).zip(rows) {
            self.row(cells, row_style(at == cursor, has_focus), (area, y), buffer);
        }
    }

    /// One row, `y` lines below the beginning of the area; `over` is painted over all of it.
    fn row(&self, row: &[Runs], over: Style, (area, y): (Rect, u16), buffer: &mut Buffer) {
        let columns = self.columns.iter().enumerate().zip(self.widths);
        for ((area, runs), ((at, column), width)) in self.cells(area).zip(row).zip(columns) {
            let mut painter = Painter::at(buffer, area, y);
            match (column.side, runs.as_slice()) {
                (Alignment::Address, [run]) => {
                    let shared = self.measured.shared.get(at).cloned().unwrap_or_default();
                    let text = AddressText::of(&run.text).fitted(*width, &shared);
                    painter.write(&text, style::painted(run.style));
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

    /// The column at a position in the line of names.
    pub fn column_at(&self, area: Rect, x: u16) -> Option<usize> {
        self.cells(area).position(|cell| (cell.left()..cell.right()).contains(&x))
    }

    /// The areas of columns; hidden ones are empty, and so are those that are scrolled away. If the
    /// table is scrolled, the growing columns begin further left.
    fn cells(&self, area: Rect) -> impl Iterator<Item = Rect> {
        let scrolled = self.scrolled;
        self.widths.iter().scan(0_usize, move |at, width| {
            let (begin, end) = (*at, *at + width);
            *at = end + usize::from(*width > 0);
            if begin < scrolled || *width == 0 {
                return Some(Rect { width: 0, ..area });
            }
            let x = (begin - scrolled).min(usize::from(area.width)) as u16;
            let cell =
                Rect { x: area.x + x, width: (*width).min(usize::from(u16::MAX)) as u16, ..area };
            Some(cell.intersection(area))
        })
    }
}

/// How far a table can be scrolled sideways, one column after the other: the beginnings of its
/// columns.
pub fn stops(widths: &[usize]) -> Vec<usize> {
    let mut at = 0;
    let begins = widths.iter().filter(|width| **width > 0).map(|width| {
        let begin = at;
        at += width + 1;
        begin
    });
    begins.collect()
}

/// The style of a row, or of the line under the cursor.
pub fn row_style(is_selected: bool, has_focus: bool) -> Style {
    match (is_selected, has_focus) {
        (true, true) => style::CURSOR,
        (true, false) => style::RESTING,
        (false, _) => style::PLAIN,
    }
}
