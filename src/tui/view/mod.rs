//! One file per pane; each is a function of the model.

mod bytes;
mod detail;
mod fields;
mod filter;
mod footer;
mod header;
mod list;
mod overlay;
mod pen;
mod saving;
mod sheet;
mod style;
mod tabs;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

use super::areas::{Areas, LEAST};
use super::model::{Asks, Model, Pane, Typing};
use crate::render::Colour;
use pen::Painter;

pub use list::widen;
pub use tabs::at as tab_at;

pub use overlay::{columns as overlay_columns, last_top};

/// Draws everything.
pub fn draw(model: &Model, colour: Colour, buffer: &mut Buffer) {
    match Areas::of(model) {
        None => too_small(model, buffer),
        Some(areas) => {
            header::draw(model, areas.header, buffer);
            tabs::draw(model, areas.tabs, buffer);
            sheet::draw(model, buffer);
            list::draw(model, &areas, buffer);
            fields::draw(model, &areas, buffer);
            bytes::draw(model, Pane::Bytes, areas.bytes, buffer);
            bytes::draw(model, Pane::Coded, areas.coded, buffer);
            match &model.typing {
                Some(typing @ Typing { asks: Asks::Filter(draft), .. }) => {
                    filter::advice(typing, draft, areas.detail, buffer);
                }
                _ => detail::draw(model, areas.detail, buffer),
            }
            footer::draw(model, areas.footer, buffer);
            if let Some(Typing { asks: Asks::Save(draft), .. }) = &model.typing {
                saving::advice(model, draft, areas.footer, buffer);
            }
            overlay::draw(model, buffer);
        }
    }
    if colour == Colour::Plain {
        without_colour(buffer);
    }
}

fn too_small(model: &Model, buffer: &mut Buffer) {
    let (width, height) = model.size;
    let (least_width, least_height) = LEAST;
    let lines = [
        "the terminal is too small".to_owned(),
        format!("{width}x{height}; {least_width}x{least_height} will do"),
    ];
    for (row, line) in (0..).zip(&lines) {
        Painter::at(buffer, Rect::new(0, 0, width, height), row).write(line, style::PLAIN);
    }
}

/// Removes colours; text that was marked by a background is underlined.
fn without_colour(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if cell.bg != Color::Reset {
            cell.modifier |= Modifier::UNDERLINED;
        }
        (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
    }
}

/// The line above a pane: its name, and a note at the right.
fn rule(buffer: &mut Buffer, area: Rect, name: &str, note: &str, is_focused: bool) {
    let title = if is_focused { style::FOCUSED } else { style::TITLE };
    let mut pen = Painter::at(buffer, area, 0);
    pen.fill("─", style::DIM);
    pen.go(1);
    pen.write(&format!(" {name} "), title);
    if !note.is_empty() {
        pen.right(&format!(" {note} "), style::DIM, 1);
    }
}
