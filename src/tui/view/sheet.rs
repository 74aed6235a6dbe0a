//! A table with the details of its row, or a ladder.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::pen::Painter;
use super::{rule, style};
use crate::render::TextRun;
use crate::tui::model::Model;
use crate::tui::sheet::{Alignment, Runs, Tab, TabLayout, TableColumn, TableView};
use crate::tui::text::{counted, fit, fit_middle, grouped, width};

pub fn draw(model: &Model, buffer: &mut Buffer) {
    let Some(parts) = TabLayout::of(model) else {
        return;
    };
    match model.sheets.table() {
        Some(table) => self::table(model, table, parts, buffer),
        None if model.sheets.shown == Tab::Ladder => ladder(model, parts, buffer),
        None => {}
    }
}

/// The position in the tab, for the bar at the top.
pub fn status_text(model: &Model) -> Option<String> {
    let sheets = &model.sheets;
    let (at, len, what) = match (sheets.shown, sheets.table()) {
        (Tab::Messages, _) => return None,
        (_, Some(table)) => (table.cursor, sheets.len(), sheets.shown.name().trim_end_matches('s')),
        (_, None) => (sheets.ladder.cursor, sheets.ladder.len(), "message"),
    };
    let of = counted(len as u64, what);
    Some(if len == 0 { of } else { format!("{} of {of}", grouped(at as u64 + 1)) })
}

fn table(model: &Model, table: &TableView, parts: TabLayout, buffer: &mut Buffer) {
    let columns = model.sheets.shown.columns();
    let widths = table.fitted(columns, usize::from(parts.table.width));
    headings(table, columns, &widths, parts.headings, buffer);
    if model.sheets.lengths.is_none() {
        let percent = model.sheets.percent;
        let text = if model.sheets.is_keeping {
            "putting the messages so far together".to_owned()
        } else if model.known.is_done {
            format!("putting messages together, {percent}%")
        } else if model.known.of.is_none() {
            "no message yet".to_owned()
        } else {
            "known when everything has been read".to_owned()
        };
        Painter::at(buffer, parts.table, 0).write(&text, style::DIM);
        return;
    }
    if model.sheets.len() == 0 {
        let so_far = so_far(model).map_or(String::new(), |so_far| format!(" {so_far}"));
        let text = format!("no {} here{so_far}", model.sheets.shown.name());
        Painter::at(buffer, parts.table, 0).write(&text, style::DIM);
        return;
    }
    for ((y, at), row) in (0..parts.table.height).zip(table.top..).zip(&table.rows) {
        for ((x, cell), (column, width)) in
            places(&widths).zip(row).zip(columns.iter().zip(&widths))
        {
            let area = Rect { x: parts.table.x + x, width: *width as u16, ..parts.table };
            self::cell(
                cell,
                *column,
                *width,
                Painter::at(buffer, area.intersection(parts.table), y),
            );
        }
        if at == table.cursor {
            let over = if table.in_details { style::RESTING } else { style::CURSOR };
            Painter::at(buffer, parts.table, y).paint(over);
        }
    }
    let above = table.details_top;
    let below = table.details.len().saturating_sub(above + usize::from(parts.details.body.height));
    let below = (below > 0).then(|| format!("{below} more, ↓"));
    let note = [so_far(model), below].into_iter().flatten().collect::<Vec<_>>().join("; ");
    rule(buffer, parts.details.rule, "details", &note, table.in_details);
    for (y, line) in (0..parts.details.body.height).zip(table.details.iter().skip(above)) {
        Painter::at(buffer, parts.details.body, y).runs(line);
    }
}

/// How many messages the index has, if more may come, and the key that builds it again.
fn so_far(model: &Model) -> Option<String> {
    let sheets = &model.sheets;
    let reach = sheets.reach.filter(|_| !sheets.is_settled && !model.known.is_done)?;
    let messages = counted(reach as u64, "message");
    Some(format!("as of {messages}, {} looks again", sheets.shown.key()))
}

fn headings(
    table: &TableView,
    columns: &[TableColumn],
    widths: &[usize],
    area: Rect,
    buffer: &mut Buffer,
) {
    let head = if table.in_details { style::TITLE } else { style::HEADINGS };
    Painter::at(buffer, area, 0).fill(" ", head);
    for ((x, column), width) in places(widths).zip(columns).zip(widths) {
        let area = Rect { x: area.x + x, width: *width as u16, ..area }.intersection(area);
        let mut pen = Painter::at(buffer, area, 0);
        match column.side {
            Alignment::Right => pen.number(column.name, *width, head),
            Alignment::Left | Alignment::Ends => pen.cell(column.name, *width, head),
        }
    }
}

fn cell(runs: &[TextRun], column: TableColumn, room: usize, mut pen: Painter<'_>) {
    match (column.side, runs) {
        (Alignment::Ends, [run]) => {
            pen.write(&fit_middle(&run.text, room), style::painted(run.style));
        }
        (Alignment::Right, [run]) => {
            pen.number(&fit(&run.text, room), room, style::painted(run.style));
        }
        _ => pen.runs(runs),
    }
}

/// Where columns begin; those without space are hidden.
fn places(widths: &[usize]) -> impl Iterator<Item = u16> {
    widths.iter().scan(0_usize, |at, width| {
        let begin = *at;
        *at += width + usize::from(*width > 0);
        Some(begin.min(usize::from(u16::MAX)) as u16)
    })
}

fn ladder(model: &Model, parts: TabLayout, buffer: &mut Buffer) {
    let climb = &model.sheets.ladder;
    if climb.len() == 0 {
        Painter::at(buffer, parts.headings, 0).write("no message yet", style::DIM);
        return;
    }
    for (y, line) in (0..parts.headings.height).zip(&climb.head) {
        Painter::at(buffer, parts.headings, y).runs(line);
    }
    let cursor = climb.line();
    for ((y, at), line) in (0..parts.table.height).zip(climb.top..).zip(&climb.lines) {
        Painter::at(buffer, parts.table, y).runs(line);
        if at == cursor {
            Painter::at(buffer, parts.table, y).paint(style::CURSOR);
        }
    }
    let area = parts.headings;
    // Its title is above the numbers and times, where the head is empty.
    let named = if climb.of.is_empty() { "all messages" } else { &climb.of };
    let free = free(climb.head.first()).min(usize::from(area.width)).saturating_sub(1);
    let area = Rect { width: free as u16, height: area.height.min(1), ..area };
    Painter::at(buffer, area, 0).write(&fit(named, free), Style::new().patch(style::DIM));
}

/// How many columns at the left of a line are blank.
fn free(line: Option<&Runs>) -> usize {
    let text: String = line.into_iter().flatten().map(|run| run.text.as_str()).collect();
    width(&text) - width(text.trim_start())
}

impl TableView {
    /// Widens columns for the visible rows; no column shrinks by scrolling.
    pub fn widen(&mut self, columns: &[TableColumn]) {
        self.widths.resize(columns.len(), 0);
        for (at, (widest, column)) in self.widths.iter_mut().zip(columns).enumerate() {
            let cells = self.rows.iter().filter_map(|row| row.get(at));
            let texts = cells.map(|runs| runs.iter().map(|run| width(&run.text)).sum());
            let most = texts.max().unwrap_or(0).max(width(column.name));
            *widest = (*widest).max(most);
        }
    }

    /// The width of each column in this space; hidden ones have none.
    fn fitted(&self, columns: &[TableColumn], room: usize) -> Vec<usize> {
        let widest = self.widths.iter().copied().chain(std::iter::repeat(0));
        let mut widths: Vec<_> = columns
            .iter()
            .zip(widest)
            .map(|(column, widest)| match usize::from(column.from) <= room {
                // A growing column requires only its minimum while others need space.
                true if column.grows => column.least,
                true => widest.max(width(column.name)),
                false => 0,
            })
            .collect();
        let shown = widths.iter().filter(|width| **width > 0).count();
        let room = room.saturating_sub(shown.saturating_sub(1));
        loop {
            let excess = widths.iter().sum::<usize>().saturating_sub(room);
            let wide = widths.iter_mut().zip(columns).filter(|(w, c)| **w > c.least);
            let widest = wide.max_by_key(|(width, column)| **width - column.least);
            match widest {
                Some((width, _)) if excess > 0 => *width -= 1,
                _ => break,
            }
        }
        let spare = room.saturating_sub(widths.iter().sum());
        let growing = widths.iter_mut().zip(columns).find(|(w, c)| c.grows && **w > 0);
        if let Some((width, _)) = growing {
            *width += spare;
        }
        widths
    }
}
