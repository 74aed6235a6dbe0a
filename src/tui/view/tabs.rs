//! The line of tabs: their keys, names, and numbers of rows.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::pen::Painter;
use super::style;
use crate::analysis::Severity;
use crate::tui::model::Model;
use crate::tui::sheet::Tab;
use crate::tui::text::{grouped, width};

/// Columns between two names.
const GAP: usize = 2;

pub fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let mut pen = Painter::at(buffer, area, 0);
    for (key, sheet) in (1..).zip(Tab::ALL) {
        let name = if sheet == model.sheets.shown { style::FOCUSED } else { style::PLAIN };
        let of = match (sheet, model.sheets.worst) {
            (Tab::Findings, Some(Severity::Error)) => style::FAULT,
            (Tab::Findings, Some(Severity::Warning)) => style::WARNING,
            _ => style::DIM,
        };
        pen.write(&format!(" {key}"), style::KEY);
        pen.write(" ", style::PLAIN);
        pen.write(sheet.name(), name);
        pen.write(&count(model, sheet), of);
        pen.write(&" ".repeat(GAP - 1), style::PLAIN);
    }
}

/// The tab whose name is at a column.
pub fn at(model: &Model, column: usize) -> Option<Tab> {
    let mut end = 0;
    Tab::ALL.into_iter().find(|sheet| {
        end += width(sheet.name()) + width(&count(model, *sheet)) + 2 + GAP;
        column < end
    })
}

/// ` 12`, if the number is known.
fn count(model: &Model, sheet: Tab) -> String {
    let lengths = model.sheets.lengths.unwrap_or_default();
    let count = sheet.table().and_then(|at| lengths.get(at)).filter(|n| **n > 0);
    count.map_or(String::new(), |n| format!(" {}", grouped(*n as u64)))
}
