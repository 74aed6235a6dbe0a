//! The line for an export's name: the name in the footer, and above it what will be written, or why
//! it cannot be.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::pen::Painter;
use super::style;
use crate::text::escaped;
use crate::tui::model::{Model, Typing};
use crate::tui::saving::{NameDraft, called, notice};
use crate::tui::text::{fit, width};

/// The prompt of the line.
const PROMPT: &str = "export to: ";

/// The name, in the footer.
pub fn line(model: &Model, typing: &Typing, draft: &NameDraft, area: Rect, buffer: &mut Buffer) {
    let mut pen = Painter::at(buffer, area, 0);
    pen.write(PROMPT, style::KEY);
    let input = &typing.input;
    let scroll = input.visual_scroll(pen.left().saturating_sub(1));
    let of = if draft.wrong(model).is_none() { style::VALID } else { style::PLAIN };
    let mut column = 0;
    for (at, c) in input.value().chars().chain(std::iter::once(' ')).enumerate() {
        let shown = escaped(c.encode_utf8(&mut [0; 4])).into_owned();
        let style = if at == input.cursor() { of.patch(style::CURSOR) } else { of };
        if column >= scroll {
            pen.write(&shown, style);
        }
        column += width(&shown);
    }
}

/// What will be written, over the last line above the footer.
pub fn advice(model: &Model, draft: &NameDraft, footer: Rect, buffer: &mut Buffer) {
    let area = Rect { y: footer.y.saturating_sub(1), ..footer };
    Painter::at(buffer, area, 0).fill(" ", style::PLAIN);
    let mut pen = Painter::at(buffer, area, 0);
    if let Some(wrong) = draft.wrong(model) {
        pen.write(&fit(&escaped(&wrong), pen.left()), style::FAULT);
        return;
    }
    let asks = if draft.asks() {
        "; it is there: Enter, and Enter again, overwrites it"
    } else if draft.is_sure() {
        "; Enter overwrites what is there"
    } else {
        "; Enter writes, Esc leaves"
    };
    let form = draft.form().map_or(String::new(), |form| format!(" as {}", called(form)));
    let behind = format!("{form}{asks}");
    let room = pen.left().saturating_sub(width(&behind));
    pen.write(&fit(&notice(model), room.max(12)), style::BOLD);
    pen.write(&behind, if draft.is_sure() { style::WARNING } else { style::DIM });
}
