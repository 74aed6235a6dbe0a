//! The list: one row per message.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Messages;
use super::open::Pane;
use super::panes::Panes;
use crate::codec::Kind;
use crate::render;
use crate::tui::action::MessageRow;
use crate::tui::format::{TextDisplay, TimeDisplay};
use crate::tui::screens::cell::{bad, cells as table_cells, dim, endpoint, plain, run};
use crate::tui::screens::screen::ScreenContext;
use crate::tui::text::counted;
use crate::tui::view_state::ViewState;
use crate::tui::widgets::painter::Painter;
use crate::tui::widgets::style;
use crate::tui::widgets::table::{self, Alignment, Runs, TableColumn, address, left, right};

impl Messages {
    /// Writes the cells of the rows that were read.
    pub(super) fn write_cells(&mut self, cx: &ScreenContext<'_>) {
        let rows = self.rows.iter().zip(self.requested.clone());
        self.cells = rows
            .map(|(row, at)| {
                let before = match cx.view.format.times {
                    TimeDisplay::Delta => self.time_before(at, cx.session),
                    TimeDisplay::Relative | TimeDisplay::Utc => cx.view.known.first,
                };
                cells(row, before, cx.view)
            })
            .collect();
        // As wide as the last number, so that following moves no column.
        let last = vec![vec![plain(format!("{:>2}", self.total))]];
        self.widths.widen(self.cells.iter().chain([&last]));
    }

    fn columns(&self, times: TimeDisplay) -> [TableColumn; 7] {
        let time = match times {
            TimeDisplay::Relative => "seconds",
            TimeDisplay::Utc => "UTC",
            TimeDisplay::Delta => "delta",
        };
        // A narrow column has fewer decimals.
        let least = self.widths.widest(1).saturating_sub(3).max(7);
        [
            right("#", usize::MAX),
            TableColumn { side: Alignment::Time, ..right(time, least) },
            TableColumn { least: 15, ..address("source") },
            TableColumn { least: 15, ..address("destination") },
            left("game", 6),
            left("message", 14),
            left("summary", 12).growing(25),
        ]
    }

    pub(super) fn draw_list(&self, view: &ViewState, panes: &Panes, buffer: &mut Buffer) {
        let columns = self.columns(view.format.times);
        let area = panes.body(Pane::List);
        let widths = self.widths.fitted(&columns, usize::from(area.width));
        let has_focus = self.focus == Pane::List;
        table::headings(&columns, &widths, has_focus, panes.get(Pane::List).rule, buffer);
        if self.len() == 0 {
            let text = match (view.known.is_done, view.known.packets) {
                _ if view.known.messages > 0 => "no message matches the filter".to_owned(),
                (false, _) => "no message yet".to_owned(),
                (true, n) => format!("no message of a known protocol in {}", counted(n, "packet")),
            };
            return Painter::at(buffer, area, 0).write(&text, style::DIM);
        }
        let position = (self.requested.start, self.scroll.cursor, has_focus);
        table::rows(self.cells.iter(), (&columns, &widths), position, area, buffer);
        for ((y, row), at) in (0..area.height).zip(&self.rows).zip(self.requested.clone()) {
            if self.related.has(row.header.number) {
                let x = area.x + widths.first().copied().unwrap_or(0) as u16;
                let mark = Rect { x, width: 1, ..area }.intersection(area);
                let over = table::row_style(at == self.scroll.cursor, has_focus);
                Painter::at(buffer, mark, y).write("•", style::KEY.patch(over));
            }
        }
    }
}

fn cells(row: &MessageRow, before: Option<i64>, view: &ViewState) -> Vec<Runs> {
    let header = &row.header;
    let time = view.format.times.text(header.time, before.unwrap_or(header.time), 6);
    let summary = match (row.is_faulty, view.format.texts) {
        (true, _) => vec![bad(&row.summary)],
        (false, TextDisplay::AsSent) => vec![plain(&row.summary)],
        (false, TextDisplay::Coloured) => row.runs.clone(),
    };
    let mut all = table_cells([
        dim(header.number.to_string()),
        dim(time),
        endpoint(header.direction.from, header.source.to_string()),
        endpoint(header.direction.to, header.destination.to_string()),
        plain(header.verdict.game.id),
        run(header.name, render::style(Kind::Command)),
    ]);
    all.push(summary);
    all
}
