//! Rows in columns, which keep their widths while the rows scroll.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::address::{AddressForm, AddressWidth, SharedAddress};
use super::painter::Painter;
use super::same_texts::SameTexts;
use super::style;
use render::TextRun;
use text::width;

/// A cell of a row, or a line.
pub type Runs = Vec<TextRun>;

/// A column of a table.
#[derive(Debug, Clone)]
pub struct TableColumn {
    pub name: Cow<'static, str>,
    pub side: Alignment,
    /// The minimum width if space is short.
    pub least: usize,
    /// It is left out in tables narrower than this, and before addresses are shortened: the column
    /// with the highest number first. 0: never.
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
    /// Right-aligned, and truncated without a sign: a time with fewer decimals, but no less.
    Time,
    /// An address and a port: shortened so that it differs from others of the column.
    Address,
}

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
pub const fn time_column(name: &'static str, least: usize) -> TableColumn {
    let name = Cow::Borrowed(name);
    TableColumn { name, side: Alignment::Time, least, from: 0, grows: None }
}

impl TableColumn {
    pub const fn from(mut self, columns: u16) -> Self {
        self.from = columns;
        self
    }

    /// The same with an arrow before its name: rows are sorted by it. It is not left out.
    pub fn sorted(mut self, arrow: &str) -> Self {
        self.from = 0;
        self.name = Cow::Owned(format!("{arrow}{}", self.name));
        self
    }

    /// Whether it has counts, of which the largest is looked for: numbers that are no identifiers.
    pub fn is_count(&self) -> bool {
        self.side == Alignment::Right && !["#", "flow", "protocol", "packet"].contains(&&*self.name)
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
    /// The widest part before the decimals.
    whole: Vec<usize>,
    /// The addresses of a column.
    shared: Vec<SharedAddress>,
    same: SameTexts,
}

impl ColumnWidths {
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Widens columns for these rows.
    pub fn widen<'a>(
        &mut self,
        columns: &[TableColumn],
        rows: impl IntoIterator<Item = &'a Vec<Runs>>,
    ) {
        self.widest.resize(columns.len(), 0);
        self.whole.resize(columns.len(), 0);
        self.shared.resize(columns.len(), SharedAddress::default());
        let mut has_more = vec![false; columns.len()];
        for row in rows {
            self.same.add_row(row);
            let widths = self.widest.iter_mut().zip(&mut self.whole).zip(&mut self.shared);
            let cells = columns.iter().zip(row).zip(widths).zip(&mut has_more);
            for (((column, cell), ((widest, whole), shared)), has_more) in cells {
                *widest = (*widest).max(cell.iter().map(|run| width(&run.text)).sum());
                match (column.side, cell.as_slice()) {
                    (Alignment::Address, [run]) => *has_more |= shared.add_text(&run.text),
                    (Alignment::Time, [run]) => {
                        let part = run.text.split('.').next().unwrap_or_default();
                        *whole = (*whole).max(width(part));
                    }
                    _ => {}
                }
            }
        }
        let changed = self.shared.iter_mut().zip(has_more).filter(|(_, has_more)| *has_more);
        changed.for_each(|(shared, _)| shared.measure());
    }

    /// The width of a column's addresses.
    fn address(&self, column: usize, width: AddressWidth) -> usize {
        self.shared.get(column).map_or(0, |shared| shared.width(width))
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

    /// The width of each column in this space; hidden ones have none. Columns that are left out in
    /// narrow tables make space for whole addresses.
    pub fn fitted(&self, columns: &[TableColumn], space: usize) -> Vec<usize> {
        let mut limit = space;
        // A column that says the same in all rows gives its place first.
        let mut drops_same = false;
        loop {
            let gives = |(at, column): (usize, &TableColumn)| {
                let is_sorted = column.name.starts_with(['▲', '▼']);
                drops_same && column.side == Alignment::Left && !is_sorted && self.same.has_one(at)
            };
            let shown = columns.iter().enumerate();
            let shown =
                shown.map(|it| usize::from(it.1.from) <= limit && !gives(it)).collect::<Vec<_>>();
            let least = |of| self.least(columns, &shown, of);
            let fits = |least: &Vec<usize>| Self::sum(least) <= space;
            let whole = Some(least(AddressWidth::Whole)).filter(fits);
            let secondary = columns.iter().map(|column| usize::from(column.from));
            if let Some(whole) = whole {
                return self.fitted_to(columns, space, &whole, AddressWidth::Whole);
            }
            if !drops_same {
                drops_same = true;
                continue;
            }
            if let Some(from) = secondary.filter(|from| (1..=limit).contains(from)).max() {
                limit = from - 1;
                continue;
            }
            let usual = Some(least(AddressWidth::Usual)).filter(fits);
            let least = usual.unwrap_or_else(|| least(AddressWidth::Apart));
            return self.fitted_to(columns, space, &least, AddressWidth::Usual);
        }
    }

    /// The columns of these widths with the gaps between them.
    fn sum(widths: &[usize]) -> usize {
        let shown = widths.iter().filter(|width| **width > 0).count();
        widths.iter().sum::<usize>() + shown.saturating_sub(1)
    }

    /// The minimum width of each column that is shown.
    fn least(&self, columns: &[TableColumn], shown: &[bool], of: AddressWidth) -> Vec<usize> {
        let least = |(at, (column, is_shown)): (usize, (&TableColumn, &bool))| {
            let widest = self.widest(at).max(width(&column.name));
            match (column.grows, column.side) {
                _ if !is_shown => 0,
                (Some(_), _) => column.least,
                (None, Alignment::Address) => column.least.max(self.address(at, of)).min(widest),
                (None, Alignment::Time) => {
                    let whole = self.whole.get(at).copied().unwrap_or(0);
                    column.least.max(whole).min(widest)
                }
                (None, _) => column.least.min(widest),
            }
        };
        columns.iter().zip(shown).enumerate().map(least).collect()
    }

    /// The widths of columns in this space; none is narrower than its minimum, and addresses are
    /// `most` wide if space is short.
    fn fitted_to(
        &self,
        columns: &[TableColumn],
        space: usize,
        least: &[usize],
        most: AddressWidth,
    ) -> Vec<usize> {
        let natural = |(at, (column, least)): (usize, (&TableColumn, &usize))| match column.grows {
            _ if *least == 0 => 0,
            // A growing column requires only its part while others need space.
            Some(percent) => (*least).max(space * usize::from(percent) / 100),
            None => self.widest(at).max(width(&column.name)),
        };
        let mut widths: Vec<_> = columns.iter().zip(least).enumerate().map(natural).collect();
        let shown = widths.iter().filter(|width| **width > 0).count();
        let space = space.saturating_sub(shown.saturating_sub(1));
        // First long addresses are shortened.
        for (at, column) in columns.iter().enumerate().rev() {
            let is_excess = widths.iter().sum::<usize>() > space;
            if let (true, Alignment::Address, Some(width)) =
                (is_excess, column.side, widths.get_mut(at))
            {
                *width = self.address(at, most).min(*width);
            }
        }
        loop {
            let excess = widths.iter().sum::<usize>().saturating_sub(space);
            let wide = widths.iter_mut().zip(columns).zip(least);
            let wide = wide.filter(|((width, _), least)| **width > **least);
            // Decimals of times are missed least.
            let widest = wide.max_by_key(|((width, column), least)| {
                (column.side == Alignment::Time, width.saturating_sub(**least))
            });
            match widest {
                Some(((width, _), _)) if excess > 0 => *width -= 1,
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
        let forms = self.measured.shared.iter().zip(self.widths);
        let forms: Vec<_> = forms.map(|(shared, width)| shared.form(*width)).collect();
        for ((y, at), cells) in (0..area.height).zip(top..).zip(rows) {
            self.row(cells, &forms, row_style(at == cursor, has_focus), (area, y), buffer);
        }
    }

    /// One row, `y` lines below the beginning of the area; `over` is painted over all of it.
    fn row(
        &self,
        row: &[Runs],
        forms: &[AddressForm],
        over: Style,
        (area, y): (Rect, u16),
        buffer: &mut Buffer,
    ) {
        let columns = self.columns.iter().enumerate().zip(self.widths);
        for ((area, runs), ((at, column), width)) in self.cells(area).zip(row).zip(columns) {
            let mut painter = Painter::at(buffer, area, y);
            match (column.side, runs.as_slice(), self.measured.shared.get(at).zip(forms.get(at))) {
                (Alignment::Address, [run], Some((shared, form))) => {
                    let text = shared.fitted(&run.text, *form, *width);
                    painter.write(&text, style::painted(run.style));
                }
                (Alignment::Right, [run], _) => {
                    painter.number(&run.text, *width, style::painted(run.style));
                }
                (Alignment::Time, [run], _) => {
                    let text = self.time(at, &run.text, *width);
                    painter.number(text, *width, style::painted(run.style));
                }
                (_, runs, _) => painter.runs(runs),
            }
        }
        Painter::at(buffer, area, y).paint(over);
    }

    /// A time with as many decimals as the longest of its column has space for, so that the points are
    /// one below the other.
    fn time<'t>(&self, column: usize, text: &'t str, width: usize) -> &'t str {
        let whole = self.measured.whole.get(column).copied().unwrap_or(0);
        let decimals = width.saturating_sub(whole + 1);
        let Some(point) = text.find('.') else { return text };
        let end = if decimals == 0 { point } else { point + 1 + decimals };
        text.get(..end).unwrap_or(text)
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
