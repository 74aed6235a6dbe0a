//! Texts that lie over the panes: help, reasons, warnings.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};

use super::pen::Pen;
use super::style;
use crate::dump::escaped;
use crate::tui::keys::KEYS;
use crate::tui::model::{Model, OverlayKind};
use crate::tui::text::width;

/// A line: a part that stands out, and the rest.
type Line = (String, Style, String);

/// How many lines the overlay has.
pub fn lines(model: &Model) -> usize {
    text(model).map_or(0, |(_, lines)| lines.len())
}

pub fn draw(model: &Model, buffer: &mut Buffer) {
    let (Some((heading, lines)), Some(overlay)) = (text(model), &model.overlay) else {
        return;
    };
    let all = buffer.area;
    let widest = lines.iter().map(|(a, _, b)| width(a) + width(b)).max().unwrap_or(0);
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
    for (y, (bold, of, rest)) in (0..inside.height).zip(lines.iter().skip(top)) {
        let mut pen = Pen::at(buffer, inside, y);
        pen.write(bold, *of);
        pen.write(rest, style::PLAIN);
    }
    let below = lines.len().saturating_sub(top + usize::from(inside.height));
    if below > 0 {
        let last = Rect { y: area.bottom() - 1, height: 1, ..area };
        Pen::at(buffer, last, 0).right(&format!(" {below} more, ↓ "), style::DIM, 2);
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
        Pen::at(buffer, area, y).write(&format!("{left}{}{right}", fill.repeat(inner)), style::DIM);
    }
    let mut pen = Pen::at(buffer, Rect { width: area.width - 1, ..area }, 0);
    pen.go(2);
    pen.write(&format!(" {heading} "), style::FOCUSED);
}

/// The heading and the lines of the overlay.
fn text(model: &Model) -> Option<(String, Vec<Line>)> {
    Some(match &model.overlay.as_ref()?.kind {
        OverlayKind::Help => ("keys".to_owned(), help()),
        OverlayKind::Why(heading, lines) => {
            let line = |line: &String| {
                let of = if line.starts_with(' ') { style::PLAIN } else { style::BOLD };
                (line.clone(), of, String::new())
            };
            (heading.clone(), lines.iter().map(line).collect())
        }
        OverlayKind::Warnings => {
            let warnings = &model.known.warnings;
            let line = |line: &String| (String::new(), style::PLAIN, escaped(line).into_owned());
            let none = || (String::new(), style::DIM, "none".to_owned());
            let mut lines: Vec<_> = warnings.iter().map(line).collect();
            if lines.is_empty() {
                lines.push(none());
            }
            ("warnings".to_owned(), lines)
        }
    })
}

fn help() -> Vec<Line> {
    let names = |keys: &[crate::tui::keys::Key]| {
        keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    let widest = KEYS.iter().map(|b| width(&names(b.keys))).max().unwrap_or(0);
    let line = |binding: &crate::tui::keys::Binding| {
        let names = names(binding.keys);
        let blanks = " ".repeat(widest - width(&names) + 2);
        (names, style::KEY, blanks + binding.does)
    };
    let mouse = [
        ("click", "select a message, a field or a byte"),
        ("wheel", "scroll the pane under the pointer"),
    ];
    let mouse = mouse.into_iter().map(|(what, does)| {
        let blanks = " ".repeat(widest.saturating_sub(width(what)) + 2);
        (what.to_owned(), style::KEY, blanks + does)
    });
    KEYS.iter().map(line).chain(mouse).collect()
}
