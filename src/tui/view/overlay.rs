//! Texts over the panes: help, reasons, warnings, specifications.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};

use super::pen::Painter;
use super::style;
use crate::text::escaped;
use crate::tui::keys::{KEYS, KeyPress};
use crate::tui::model::{Model, OverlayKind};
use crate::tui::page::Ink;
use crate::tui::text::{width, wrapped};

/// A line as styled pieces.
type StyledLine = Vec<(String, Style)>;
/// A line before folding: a highlighted part, and the rest.
type Unfolded = (String, Style, String);

/// The maximum columns of an overlay's text.
pub fn columns(model: &Model) -> usize {
    usize::from(model.size.0).saturating_sub(8).max(1)
}

/// How far the overlay can be scrolled.
pub fn last_top(model: &Model) -> usize {
    let rows = usize::from(model.size.1).saturating_sub(4);
    text(model).map_or(0, |(_, lines)| lines.len().saturating_sub(rows))
}

pub fn draw(model: &Model, buffer: &mut Buffer) {
    let (Some((heading, lines)), Some(overlay)) = (text(model), &model.overlay) else {
        return;
    };
    let all = buffer.area;
    let widest =
        lines.iter().map(|line| line.iter().map(|(text, _)| width(text)).sum()).max().unwrap_or(0);
    let columns = (widest.max(width(&heading)) + 6).min(usize::from(all.width) - 2) as u16;
    let rows = (lines.len() + 2).min(usize::from(all.height) - 2) as u16;
    let area = Rect {
        x: (all.width - columns) / 2,
        y: (all.height - rows) / 2,
        width: columns,
        height: rows,
    };
    Clear.render(area, buffer);
    let inside = Rect { x: area.x + 3, y: area.y + 1, width: columns - 5, height: rows - 2 };
    frame(buffer, area, &heading);
    let top = overlay.top.min(lines.len().saturating_sub(usize::from(inside.height)));
    for (y, line) in (0..inside.height).zip(lines.iter().skip(top)) {
        let mut pen = Painter::at(buffer, inside, y);
        for (text, style) in line {
            pen.write(text, *style);
        }
    }
    let below = lines.len().saturating_sub(top + usize::from(inside.height));
    if below > 0 {
        let last = Rect { y: area.bottom() - 1, height: 1, ..area };
        Painter::at(buffer, last, 0).right(&format!(" {below} more, ↓ "), style::DIM, 2);
    }
}

fn frame(buffer: &mut Buffer, area: Rect, heading: &str) {
    let inner = usize::from(area.width) - 2;
    for y in 0..area.height {
        let (left, fill, right) = match y {
            0 => ("┌", "─", "┐"),
            _ if y + 1 == area.height => ("└", "─", "┘"),
            _ => ("│", " ", "│"),
        };
        Painter::at(buffer, area, y)
            .write(&format!("{left}{}{right}", fill.repeat(inner)), style::DIM);
    }
    let mut pen = Painter::at(buffer, Rect { width: area.width - 1, ..area }, 0);
    pen.go(2);
    pen.write(&format!(" {heading} "), style::FOCUSED);
}

/// The heading and the lines of the overlay, none wider than its maximum.
fn text(model: &Model) -> Option<(String, Vec<StyledLine>)> {
    let columns = columns(model);
    let plain = |line: &String| (String::new(), style::PLAIN, escaped(line).into_owned());
    let (heading, lines) = match &model.overlay.as_ref()?.kind {
        OverlayKind::Help => ("keys".to_owned(), help()),
        OverlayKind::Why(heading, lines) => {
            let line = |line: &String| match line.strip_prefix("  ") {
                Some(inner) => ("  ".to_owned(), style::PLAIN, inner.to_owned()),
                None => (line.clone(), style::BOLD, String::new()),
            };
            (heading.clone(), lines.iter().map(line).collect())
        }
        OverlayKind::Warnings => {
            let mut lines: Vec<_> = model.known.warnings.iter().map(plain).collect();
            if lines.is_empty() {
                lines.push((String::new(), style::DIM, "none".to_owned()));
            }
            ("warnings".to_owned(), lines)
        }
        OverlayKind::Specification(page) => {
            let piece = |(text, ink): &(String, Ink)| (text.clone(), style::ink(*ink));
            let lines = page.lines.iter().map(|line| line.pieces.iter().map(piece).collect());
            return Some((format!("specification of {}", page.protocol), lines.collect()));
        }
    };
    let folded = lines.into_iter().flat_map(|line| folded(line, columns));
    Some((heading, folded.collect()))
}

/// A line folded into as many as needed; continuation lines are indented to its second part.
fn folded((bold, of, rest): Unfolded, columns: usize) -> Vec<StyledLine> {
    let indent = width(&bold) + width(&rest) - width(rest.trim_start());
    let parts = wrapped(rest.trim_start(), columns.saturating_sub(indent));
    let blanks = rest.len() - rest.trim_start().len();
    let line = |(i, part): (usize, String)| match i {
        0 => vec![(bold.clone(), of), (" ".repeat(blanks) + &part, style::PLAIN)],
        _ => vec![(" ".repeat(indent), of), (part, style::PLAIN)],
    };
    parts.into_iter().enumerate().map(line).collect()
}

fn help() -> Vec<Unfolded> {
    let names =
        |keys: &[KeyPress]| keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let keys = KEYS.iter().map(|binding| (names(binding.keys), binding.does));
    let mouse = [
        ("click", "select a message, a field or a byte"),
        ("wheel", "scroll the pane under the pointer"),
    ];
    let mouse = mouse.into_iter().map(|(what, does)| (what.to_owned(), does));
    let all: Vec<_> = keys.chain(mouse).collect();
    let widest = all.iter().map(|(keys, _)| width(keys)).max().unwrap_or(0);
    let line = |(keys, does): (String, &str)| {
        let blanks = " ".repeat(widest - width(&keys) + 2);
        (keys, style::KEY, blanks + does)
    };
    all.into_iter().map(line).collect()
}
