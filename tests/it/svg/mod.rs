//! A screen as a picture: a rectangle for each background, a text for each run of one style.

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

/// The size of a cell and of the margin, in pixels.
const CELL: (f32, f32) = (8.4, 18.0);
const MARGIN: f32 = 14.0;
const TEXT: &str = "#d0d7de";
const GROUND: &str = "#0d1117";

/// The look of a cell.
#[derive(Clone, Copy, PartialEq)]
struct Look {
    text: &'static str,
    ground: &'static str,
    is_bold: bool,
    is_underlined: bool,
}

impl Look {
    fn of(cell: &Cell) -> Self {
        let mut text = colour(cell.fg).unwrap_or(TEXT);
        let mut ground = colour(cell.bg).unwrap_or(GROUND);
        if cell.modifier.contains(Modifier::REVERSED) {
            (text, ground) = (ground, text);
        }
        let is_bold = cell.modifier.contains(Modifier::BOLD);
        let is_underlined = cell.modifier.contains(Modifier::UNDERLINED);
        Self { text, ground, is_bold, is_underlined }
    }
}

/// The screen as an SVG document.
pub fn draw(buffer: &Buffer) -> String {
    let area = buffer.area;
    let (width, height) = (f32::from(area.width) * CELL.0, f32::from(area.height) * CELL.1);
    let (all_width, all_height) = (width + 2.0 * MARGIN, height + 2.0 * MARGIN);
    let mut out = String::new();
    let fonts = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {all_width:.0} {all_height:.0}\" \
         font-family=\"{fonts}\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{GROUND}\"/>"
    )
    .unwrap();
    for y in 0..area.height {
        for (x, columns, ground, _) in runs(buffer, y, |look| look.ground) {
            if ground != GROUND {
                rect(&mut out, (x, y), 0.0, (f32::from(columns) * CELL.0, CELL.1), ground);
            }
        }
        for (x, columns, look, text) in runs(buffer, y, |look| look) {
            if look.is_underlined {
                let width = f32::from(columns) * CELL.0;
                rect(&mut out, (x, y), CELL.1 - 1.5, (width, 1.0), look.text);
            }
            if text == "│" {
                // Drawn as a rectangle, so that it has no gaps between the rows.
                rect(&mut out, (x, y), 0.0, (1.0, CELL.1), look.text);
            } else {
                write(&mut out, look, (x, y), &text);
            }
        }
    }
    out.push_str("</svg>\n");
    out
}

/// The runs of a row with the same value of `of`: start, length, value, text.
fn runs<T: PartialEq>(
    buffer: &Buffer,
    y: u16,
    of: impl Fn(Look) -> T,
) -> Vec<(u16, u16, T, String)> {
    let mut runs: Vec<(u16, u16, T, String)> = Vec::new();
    let mut x = 0;
    while x < buffer.area.width {
        let cell = &buffer[(x, y)];
        let columns = (cell.symbol().width() as u16).max(1);
        let what = of(Look::of(cell));
        let bar = cell.symbol() == "│";
        match runs.last_mut() {
            Some(last) if last.2 == what && !bar && last.3 != "│" => {
                last.1 += columns;
                last.3.push_str(cell.symbol());
            }
            _ => runs.push((x, columns, what, cell.symbol().to_owned())),
        }
        x += columns;
    }
    runs
}

fn rect(out: &mut String, (x, y): (u16, u16), below: f32, (width, height): (f32, f32), fill: &str) {
    let left = MARGIN + f32::from(x) * CELL.0;
    let top = MARGIN + f32::from(y) * CELL.1 + below;
    writeln!(
        out,
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
         fill=\"{fill}\"/>"
    )
    .unwrap();
}

fn write(out: &mut String, look: Look, (x, y): (u16, u16), text: &str) {
    // Leading and trailing blanks are space, not text.
    let blanks = text.len() - text.trim_start().len();
    let text = text.trim();
    if text.is_empty() {
        return;
    }
    let left = MARGIN + f32::from(x) * CELL.0;
    let top = MARGIN + f32::from(y) * CELL.1;
    let left = left + columns(blanks) * CELL.0;
    let length = columns(text.width()) * CELL.0;
    let weight = if look.is_bold { " font-weight=\"bold\"" } else { "" };
    writeln!(
        out,
        "<text x=\"{left:.1}\" y=\"{:.1}\" textLength=\"{length:.1}\" fill=\"{}\"{weight} \
         xml:space=\"preserve\">{}</text>",
        top + 13.5,
        look.text,
        escaped(text)
    )
    .unwrap();
}

/// A row has few columns.
fn columns(n: usize) -> f32 {
    f32::from(n as u16)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The sixteen colours as this picture has them; `None` for the terminal's own.
fn colour(colour: Color) -> Option<&'static str> {
    Some(match colour {
        Color::Black => "#0d1117",
        Color::Red => "#ff7b72",
        Color::Green => "#7ee787",
        Color::Yellow => "#e3b341",
        Color::Blue => "#79c0ff",
        Color::Magenta => "#d2a8ff",
        Color::Cyan => "#76e3ea",
        Color::Gray => "#b1bac4",
        Color::DarkGray => "#6e7681",
        Color::LightRed => "#ffa198",
        Color::LightGreen => "#aff5b4",
        Color::LightYellow => "#f2cc60",
        Color::LightBlue => "#a5d6ff",
        Color::LightMagenta => "#e2c5ff",
        Color::LightCyan => "#b3f0ff",
        Color::White => "#f0f6fc",
        _ => return None,
    })
}
