//! A line with the text being typed.

use std::ops::Range;

use ratatui::style::{Modifier, Style};
use tui_input::Input;

use super::painter::Painter;
use super::style;
use text::{escaped, width};

const WRONG: Style = style::FAULT.add_modifier(Modifier::UNDERLINED);

/// Draws the label and the visible part of the text, with the cursor; characters in `wrong` are
/// marked.
pub fn draw(
    label: &str,
    input: &Input,
    plain: Style,
    wrong: &Range<usize>,
    painter: &mut Painter<'_>,
) {
    painter.write(label, style::KEY);
    let scroll = input.visual_scroll(painter.left().saturating_sub(1));
    let mut column = 0;
    for (at, c) in input.value().chars().chain([' ']).enumerate() {
        let shown = escaped(c.encode_utf8(&mut [0; 4])).into_owned();
        let mut of = if wrong.contains(&at) { WRONG } else { plain };
        if at == input.cursor() {
            of = of.patch(style::CURSOR);
        }
        if column >= scroll {
            painter.write(&shown, of);
        }
        column += width(&shown);
    }
}
