//! The list: one row per message.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Messages;
use super::columns::MessageColumn;
use super::open::Pane;
use super::panes::Panes;
use crate::action::Step;
use crate::screens::cell::plain;
use crate::screens::screen::ScreenContext;
use crate::view_state::ViewState;
use crate::widgets::painter::Painter;
use crate::widgets::style;
use crate::widgets::table::{self, TableColumn, TableLayout, stops};
use text::TimeDisplay;

impl Messages {
    /// Writes the cells of the rows that were read.
    pub(super) fn write_cells(&mut self, cx: &ScreenContext<'_>) {
        let rows = self.rows.iter().zip(self.requested.clone());
        self.cells = rows
            .map(|(row, at)| {
                let before = match cx.view.format.times {
                    TimeDisplay::Delta => self.time_before(at, cx.view, cx.session),
                    _ => Some(cx.view.begin()),
                };
                let mut values = row.values.iter();
                let cell = |column: &MessageColumn| {
                    let is_value = matches!(column, MessageColumn::Value(_));
                    let value = if is_value { values.next() } else { None };
                    column.cell(row, before, value, cx.view)
                };
                self.columns.iter().map(cell).collect()
            })
            .collect();
        // As wide as the last number, so that following moves no column.
        let last = |column: &MessageColumn| match column {
            MessageColumn::Number => vec![plain(format!("{:>2}", self.total))],
            _ => Vec::new(),
        };
        let last = self.columns.iter().map(last).collect();
        let layouts = self.layouts(cx.view.format.times);
        self.widths.widen(&layouts, self.cells.iter().chain([&last]));
    }

    fn layouts(&self, times: TimeDisplay) -> Vec<TableColumn> {
        let sort = self.arrangement.sort();
        let layout = |(at, column): (usize, &MessageColumn)| {
            let layout = column.layout(times, self.widths.widest(at));
            match sort.filter(|sort| sort.column == column.name()) {
                Some(sort) => layout.sorted(sort.arrow()),
                None => layout,
            }
        };
        self.columns.iter().enumerate().map(layout).collect()
    }

    fn column_widths(&self, columns: &[TableColumn], space: usize) -> Vec<usize> {
        match self.scrolled {
            0 => self.widths.fitted(columns, space),
            _ => self.widths.natural(columns, space),
        }
    }

    fn layout<'a>(&'a self, columns: &'a [TableColumn], widths: &'a [usize]) -> TableLayout<'a> {
        TableLayout { columns, widths, measured: &self.widths, scrolled: self.scrolled }
    }

    /// Scrolls the list sideways by a column, as far as there is more.
    pub(super) fn scroll_list(&mut self, step: Step, view: &ViewState) {
        let space = usize::from(self.panes(view.area(), view).body(Pane::List).width);
        let widths = self.widths.natural(&self.layouts(view.format.times), space);
        let stops = stops(&widths);
        let total = widths.iter().sum::<usize>() + stops.len().saturating_sub(1);
        self.scrolled = match step {
            Step::Forward => {
                let next = stops.iter().find(|stop| **stop > self.scrolled);
                let has_more = total > self.scrolled + space;
                next.copied().filter(|_| has_more).unwrap_or(self.scrolled)
            }
            Step::Back => {
                stops.iter().rev().find(|stop| **stop < self.scrolled).copied().unwrap_or(0)
            }
        };
    }

    /// The name of the column at a position in the line of names.
    pub(super) fn column_at(&self, headings: Rect, x: u16, view: &ViewState) -> Option<String> {
        let columns = self.layouts(view.format.times);
        let widths = self.column_widths(&columns, usize::from(headings.width));
        let at = self.layout(&columns, &widths).column_at(headings, x)?;
        self.columns.get(at).map(MessageColumn::name)
    }

    pub(super) fn draw_list(&self, view: &ViewState, panes: &Panes, buffer: &mut Buffer) {
        let columns = self.layouts(view.format.times);
        let area = panes.body(Pane::List);
        let widths = self.column_widths(&columns, usize::from(area.width));
        let layout = self.layout(&columns, &widths);
        let has_focus = self.focus == Pane::List;
        layout.headings(has_focus, panes.get(Pane::List).rule, buffer);
        if self.list(view).len() == 0 {
            return Painter::at(buffer, area, 0).write(&view.no_message(), style::DIM);
        }
        let position = (self.requested.start, self.scroll.cursor, has_focus);
        layout.rows(self.cells.iter(), position, area, buffer);
        for ((y, row), at) in (0..area.height).zip(&self.rows).zip(self.requested.clone()) {
            // The row under the cursor has its own colours.
            if let (Some(colour), true) = (row.colour, at != self.scroll.cursor) {
                Painter::at(buffer, area, y).paint(style::PLAIN.fg(colour));
            }
        }
        let number = self.columns.iter().position(|column| *column == MessageColumn::Number);
        let Some(end) = number
            .filter(|_| self.scrolled == 0)
            .map(|at| widths.iter().take(at + 1).map(|width| width + 1).sum::<usize>() - 1)
        else {
            return;
        };
        for ((y, row), at) in (0..area.height).zip(&self.rows).zip(self.requested.clone()) {
            let sign = match () {
                () if self.edits.contains_key(&row.index) => "±",
                () if view.notes.marks.has(row.index) => "◆",
                () if view.notes.is_reference(row.header.number) => "T",
                () if view.notes.has_comment(row.header.number) => "\"",
                () if self.related.has(row.header.number) => "•",
                () if row.is_faulty => "!",
                () => continue,
            };
            let mark = Rect { x: area.x + end as u16, width: 1, ..area }.intersection(area);
            let over = table::row_style(at == self.scroll.cursor, has_focus);
            let of = if sign == "!" { style::FAULT } else { style::KEY };
            Painter::at(buffer, mark, y).write(sign, of.patch(over));
        }
    }
}
