//! A screen as a picture: a rectangle for each background, a text for each run of one style. The
//! colours of the terminal are those of a palette.

pub mod moving;
pub mod palette;

use std::fmt::Write as _;

use palette::{Palette, Rgb};
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

/// The size of a cell and of the margin, in pixels.
const CELL: (f32, f32) = (8.4, 18.0);
const MARGIN: f32 = 14.0;

/// The look of a cell.
#[derive(Clone, Copy, PartialEq)]
pub struct Look {
    pub text: Rgb,
    pub ground: Rgb,
    is_bold: bool,
    is_underlined: bool,
}

impl Look {
    pub fn of(cell: &Cell, palette: &Palette) -> Self {
        let mut text = palette.colour(cell.fg).unwrap_or(palette.text);
        let mut ground = palette.colour(cell.bg).unwrap_or(palette.ground);
        if cell.modifier.contains(Modifier::REVERSED) {
            (text, ground) = (ground, text);
        }
        let is_bold = cell.modifier.contains(Modifier::BOLD);
        let is_underlined = cell.modifier.contains(Modifier::UNDERLINED);
        Self { text, ground, is_bold, is_underlined }
    }
}

/// The parts of a picture.
struct Picture<'a> {
    buffer: &'a Buffer,
    palette: &'a Palette,
    out: String,
}

/// The screen as an SVG document.
pub fn draw(buffer: &Buffer, palette: &Palette) -> String {
    let area = buffer.area;
    let out = begin((area.width, area.height), 0.0, palette);
    let mut picture = Picture { buffer, palette, out };
    (0..area.height).for_each(|y| picture.row(y));
    picture.out.push_str("</svg>\n");
    picture.out
}

/// The beginning of a document for a screen of this size, and so many pixels below it.
fn begin((columns, rows): (u16, u16), below: f32, palette: &Palette) -> String {
    let width = f32::from(columns) * CELL.0 + 2.0 * MARGIN;
    let height = f32::from(rows) * CELL.1 + 2.0 * MARGIN + below;
    let ground = palette.ground;
    let fonts = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"{fonts}\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{ground}\"/>\n"
    )
}

impl Picture<'_> {
    fn row(&mut self, y: u16) {
        for (x, columns, ground, _) in self.runs(y, |look| look.ground) {
            if ground != self.palette.ground {
                self.rect((x, y), 0.0, (f32::from(columns) * CELL.0, CELL.1), ground);
            }
        }
        for (x, columns, look, text) in self.runs(y, |look| look) {
            if look.is_underlined {
                let width = f32::from(columns) * CELL.0;
                self.rect((x, y), CELL.1 - 1.5, (width, 1.0), look.text);
            }
            if text == "│" {
                // Drawn as a rectangle, so that it has no gaps between the rows.
                self.rect((x, y), 0.0, (1.0, CELL.1), look.text);
            } else {
                self.write(look, (x, y), &text);
            }
        }
    }

    /// The runs of a row with the same value of `of`: start, length, value, text.
    fn runs<T: PartialEq>(&self, y: u16, of: impl Fn(Look) -> T) -> Vec<(u16, u16, T, String)> {
        let mut runs: Vec<(u16, u16, T, String)> = Vec::new();
        let mut x = 0;
        while x < self.buffer.area.width {
            let cell = &self.buffer[(x, y)];
            let columns = (cell.symbol().width() as u16).max(1);
            let what = of(Look::of(cell, self.palette));
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

    fn rect(&mut self, (x, y): (u16, u16), below: f32, (width, height): (f32, f32), fill: Rgb) {
        let left = MARGIN + f32::from(x) * CELL.0;
        let top = MARGIN + f32::from(y) * CELL.1 + below;
        writeln!(
            self.out,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             fill=\"{fill}\"/>"
        )
        .unwrap();
    }

    fn write(&mut self, look: Look, (x, y): (u16, u16), text: &str) {
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
            self.out,
            "<text x=\"{left:.1}\" y=\"{:.1}\" textLength=\"{length:.1}\" fill=\"{}\"{weight} \
             xml:space=\"preserve\">{}</text>",
            top + 13.5,
            look.text,
            escaped(text)
        )
        .unwrap();
    }
}

/// A row has few columns.
fn columns(n: usize) -> f32 {
    f32::from(n as u16)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
