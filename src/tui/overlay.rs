//! A text over the screen: help, reasons, warnings, a specification.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};

use super::action::{Motion, Step};
use super::page::{Page, PageStyle};
use super::widgets::painter::Painter;
use super::widgets::scroll::{moved, wheeled};
use super::widgets::style;
use crate::text::{escaped, width, wrapped};

/// A text over the screen.
pub struct Overlay {
    heading: String,
    source: Source,
    /// The lines for the terminal's size, and the first visible one.
    lines: Vec<StyledLine>,
    top: usize,
    /// Columns and rows of the terminal.
    size: (u16, u16),
}

/// What is laid out for the terminal's size.
enum Source {
    Lines(Vec<OverlayLine>),
    Specification(Page),
}

/// A line: a highlighted part, and the rest; continuation lines are indented to the rest.
pub type OverlayLine = (String, Style, String);

/// A line as styled pieces.
type StyledLine = Vec<(String, Style)>;

impl Overlay {
    pub fn new(heading: String, lines: Vec<OverlayLine>, size: (u16, u16)) -> Self {
        Self::of(heading, Source::Lines(lines), size)
    }

    /// The specification of a protocol, at the section of a message; `None` if it has no page.
    pub fn specification(protocol: &str, message: &str, size: (u16, u16)) -> Option<Self> {
        let page = Page::of(protocol, columns(size))?;
        let top = page.section(message).unwrap_or(0);
        let heading = format!("specification of {}", page.protocol);
        let mut overlay = Self::of(heading, Source::Specification(page), size);
        overlay.scroll_to(top);
        Some(overlay)
    }

    fn of(heading: String, source: Source, size: (u16, u16)) -> Self {
        let mut overlay = Self { heading, source, lines: Vec::new(), top: 0, size };
        overlay.fit(size);
        overlay
    }

    pub fn heading(&self) -> &str {
        &self.heading
    }

    /// Lays the text out for another size of the terminal; keeps the position.
    pub fn fit(&mut self, size: (u16, u16)) {
        self.size = size;
        let columns = columns(size);
        self.lines = match &mut self.source {
            Source::Lines(lines) => lines.iter().flat_map(|line| folded(line, columns)).collect(),
            Source::Specification(page) => {
                self.top = page.fit(columns, self.top);
                let piece = |(text, of): &(String, PageStyle)| (text.clone(), style::page(*of));
                page.lines.iter().map(|line| line.pieces.iter().map(piece).collect()).collect()
            }
        };
        self.scroll_to(self.top);
    }

    pub fn go(&mut self, motion: Motion) {
        let page = usize::from(self.size.1 / 2).max(1);
        let motion = match motion {
            Motion::HalfUp => Motion::PageUp,
            Motion::HalfDown => Motion::PageDown,
            motion => motion,
        };
        self.top = moved(self.top, self.last_top(), page, motion);
    }

    pub fn wheel(&mut self, step: Step) {
        self.top = wheeled(self.top, self.last_top(), step);
    }

    fn last_top(&self) -> usize {
        self.lines.len().saturating_sub(usize::from(self.size.1).saturating_sub(4))
    }

    fn scroll_to(&mut self, line: usize) {
        self.top = line.min(self.last_top());
    }

    pub fn draw(&self, buffer: &mut Buffer) {
        let Self { heading, lines, .. } = self;
        let all = buffer.area;
        let widest = lines
            .iter()
            .map(|line| line.iter().map(|(text, _)| width(text)).sum())
            .max()
            .unwrap_or(0);
        let columns = (widest.max(width(heading)) + 6).min(usize::from(all.width) - 2) as u16;
        let rows = (lines.len() + 2).min(usize::from(all.height) - 2) as u16;
        let area = Rect {
            x: (all.width - columns) / 2,
            y: (all.height - rows) / 2,
            width: columns,
            height: rows,
        };
        Clear.render(area, buffer);
        let inside = Rect { x: area.x + 3, y: area.y + 1, width: columns - 5, height: rows - 2 };
        frame(buffer, area, heading);
        let top = self.top.min(lines.len().saturating_sub(usize::from(inside.height)));
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
}

/// The maximum columns of the text.
fn columns((width, _): (u16, u16)) -> usize {
    usize::from(width).saturating_sub(8).max(1)
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

/// A line folded into as many as needed; continuation lines are indented to its second part.
fn folded((bold, of, rest): &OverlayLine, columns: usize) -> Vec<StyledLine> {
    let indent = width(bold) + width(rest) - width(rest.trim_start());
    let parts = wrapped(rest.trim_start(), columns.saturating_sub(indent));
    let blanks = rest.len() - rest.trim_start().len();
    let line = |(i, part): (usize, String)| match i {
        0 => vec![(bold.clone(), *of), (" ".repeat(blanks) + &part, style::PLAIN)],
        _ => vec![(" ".repeat(indent), *of), (part, style::PLAIN)],
    };
    parts.into_iter().enumerate().map(line).collect()
}

/// A line without a highlighted part, escaped.
pub fn plain(line: &str) -> OverlayLine {
    (String::new(), style::PLAIN, escaped(line).into_owned())
}
