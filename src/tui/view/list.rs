//! The messages, one row each; only visible rows are rendered.

use crate::text;
use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::pen::Painter;
use super::style;
use crate::tui::areas::Areas;
use crate::tui::model::{Columns, MessageRow, Model, Pane, TextDisplay, TimeDisplay};
use crate::tui::text::{counted, fit_middle, width};

/// The minimum widths of columns, before the summary shrinks further.
const LEAST: Columns =
    Columns { number: 2, time: 7, source: 15, destination: 15, game: 6, message: 14 };
/// Columns and the blanks between them.
const GAPS: usize = 6;

pub fn draw(model: &Model, areas: &Areas, buffer: &mut Buffer) {
    let columns = narrowed(model, usize::from(areas.list.width));
    let has_focus = model.focus == Pane::List;
    headings(model, areas, columns, buffer);
    if model.len() == 0 && !areas.list.is_empty() {
        let text = match (model.known.is_done, model.known.packets) {
            _ if model.known.messages > 0 => "no message that the filter means".to_owned(),
            (false, _) => "no message yet".to_owned(),
            (true, n) => format!("no message of a known protocol in {}", counted(n, "packet")),
        };
        Painter::at(buffer, areas.list, 0).write(&text, style::DIM);
    }
    for ((y, index), row) in (0..areas.list.height).zip(model.rows_from..).zip(&model.rows) {
        let is_current = index == model.list.cursor;
        let over = match (is_current, has_focus) {
            (false, _) => style::PLAIN,
            (true, true) => style::CURSOR,
            (true, false) => style::RESTING,
        };
        line(model, row, columns, &mut Painter::at(buffer, areas.list, y), over);
        if is_current {
            Painter::at(buffer, areas.list, y).paint(over);
        }
    }
}

fn headings(model: &Model, areas: &Areas, columns: Columns, buffer: &mut Buffer) {
    let head = if model.focus == Pane::List { style::HEADINGS } else { style::TITLE };
    let time = match model.clock {
        TimeDisplay::Relative => "seconds",
        TimeDisplay::Utc => "UTC",
        TimeDisplay::Delta => "delta",
    };
    let mut pen = Painter::at(buffer, areas.headings, 0);
    pen.fill(" ", head);
    pen.go(0);
    let gap = |pen: &mut Painter<'_>| pen.write(" ", head);
    pen.number("#", columns.number, head);
    gap(&mut pen);
    pen.number(time, columns.time, head);
    for (name, width) in [
        ("source", columns.source),
        ("destination", columns.destination),
        ("game", columns.game),
        ("message", columns.message),
    ] {
        gap(&mut pen);
        pen.cell(name, width, head);
    }
    gap(&mut pen);
    pen.write("summary", head);
}

fn line(model: &Model, row: &MessageRow, columns: Columns, pen: &mut Painter<'_>, over: Style) {
    let header = &row.header;
    let gap = |pen: &mut Painter<'_>| pen.write(" ", over);
    let address = |text: &str, width: usize| fit_middle(text, width);
    pen.number(&header.number.to_string(), columns.number, style::DIM);
    if model.sheets.marked.has(header.number) {
        pen.write("•", style::KEY.patch(over));
    } else {
        gap(pen);
    }
    let time = time(model, row);
    // A narrow column has fewer decimals.
    pen.number(time.get(..columns.time).unwrap_or(&time), columns.time, style::DIM);
    gap(pen);
    let source = address(&header.source.to_string(), columns.source);
    pen.cell(&source, columns.source, style::party(header.direction.from));
    gap(pen);
    let destination = address(&header.destination.to_string(), columns.destination);
    pen.cell(&destination, columns.destination, style::party(header.direction.to));
    gap(pen);
    pen.cell(header.verdict.game.id, columns.game, style::PLAIN);
    gap(pen);
    pen.cell(header.name, columns.message, style::kind(crate::codec::Kind::Command));
    gap(pen);
    match (row.is_faulty, model.texts) {
        (true, _) => pen.write(&row.summary, style::FAULT),
        (false, TextDisplay::AsSent) => pen.write(&row.summary, style::PLAIN),
        (false, TextDisplay::Coloured) => pen.runs(&row.runs),
    }
}

/// The time of a message in the selected format.
fn time(model: &Model, row: &MessageRow) -> String {
    let time = row.header.time;
    match model.clock {
        TimeDisplay::Relative => seconds(time.saturating_sub(model.known.first.unwrap_or(time))),
        TimeDisplay::Delta => seconds(time.saturating_sub(row.before.unwrap_or(time))),
        TimeDisplay::Utc => text::utc(time).get(11..26).unwrap_or("?").to_owned(),
    }
}

/// Nanoseconds as seconds with six decimals.
fn seconds(nanos: i64) -> String {
    let micros = nanos / 1000;
    let sign = if micros < 0 { "-" } else { "" };
    let micros = micros.unsigned_abs();
    format!("{sign}{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

/// Widens columns for the visible rows; no column shrinks by scrolling.
pub fn widen(model: &mut Model) {
    let mut columns = model.list.columns;
    let grow = |column: &mut usize, text: &str| *column = (*column).max(width(text));
    grow(&mut columns.number, &model.known.messages.to_string());
    for row in &model.rows {
        let header = &row.header;
        grow(&mut columns.number, &header.number.to_string());
        grow(&mut columns.time, &time(model, row));
        grow(&mut columns.source, &header.source.to_string());
        grow(&mut columns.destination, &header.destination.to_string());
        grow(&mut columns.game, header.verdict.game.id);
        grow(&mut columns.message, header.name);
    }
    model.list.columns = columns;
}

/// The columns, narrowed until the summary has a quarter of the row, or they have their minimum.
fn narrowed(model: &Model, room: usize) -> Columns {
    let mut c = model.list.columns;
    for (column, least) in [
        (&mut c.number, LEAST.number),
        (&mut c.time, LEAST.time),
        (&mut c.game, LEAST.game),
        (&mut c.message, "message".len()),
        (&mut c.source, "source".len()),
        (&mut c.destination, "destination".len()),
    ] {
        *column = (*column).max(least);
    }
    let spare = room.saturating_sub(GAPS + (room / 4).max(12));
    let sum = |c: &Columns| c.number + c.time + c.source + c.destination + c.game + c.message;
    let mut excess = sum(&c).saturating_sub(spare);
    // Microseconds go first, then the middle of addresses, then the ends of names.
    if excess > 0 {
        let cut = excess.min(3).min(c.time.saturating_sub("seconds".len()));
        c.time -= cut;
        excess -= cut;
    }
    while excess > 0 {
        let mut wide = [
            (&mut c.source, LEAST.source),
            (&mut c.destination, LEAST.destination),
            (&mut c.message, LEAST.message),
            (&mut c.game, LEAST.game),
        ];
        let Some((column, _)) = wide
            .iter_mut()
            .filter(|(column, least)| **column > *least)
            .max_by_key(|(column, least)| **column - *least)
        else {
            break;
        };
        **column -= 1;
        excess -= 1;
    }
    c
}
