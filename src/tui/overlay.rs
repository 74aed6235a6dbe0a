//! A text over the screen: help, reasons, warnings, a specification.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Block, Clear, Widget as _};

use super::action::{Motion, Step};
use super::page::Page;
use super::widgets::letters::{Pieces, hanging, letters, pieces};
use super::widgets::painter::Painter;
use super::widgets::scroll::{moved, wheeled};
use super::widgets::style;
use crate::text::{escaped, width};

/// A text over the screen.
pub struct Overlay {
    heading: String,
    source: OverlayContent,
    /// The lines for the terminal's size, and the first visible one.
    lines: Vec<Pieces>,
    top: usize,
    /// Columns and rows of the terminal.
    size: (u16, u16),
}

/// What is laid out for the terminal's size.
enum OverlayContent {
    Lines(Vec<OverlayLine>),
    Specification(Page),
}

/// A line: a highlighted part, and the rest; continuation lines are indented to the rest.
pub type OverlayLine = (String, Style, String);

impl Overlay {
    pub fn new(heading: String, lines: Vec<OverlayLine>, size: (u16, u16)) -> Self {
        Self::of(heading, OverlayContent::Lines(lines), size)
    }

    /// The specification of a protocol, at the section of a message; `None` if it has no page.
    pub fn specification(protocol: &str, message: &str, size: (u16, u16)) -> Option<Self> {
        let page = Page::of(protocol, columns(size))?;
        let top = page.section(message).unwrap_or(0);
        let heading = format!("specification of {}", page.protocol);
        let mut overlay = Self::of(heading, OverlayContent::Specification(page), size);
        overlay.scroll_to(top);
        Some(overlay)
    }

    fn of(heading: String, source: OverlayContent, size: (u16, u16)) -> Self {
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
            OverlayContent::Lines(lines) => {
                let wrap = |(mark, of, rest): &OverlayLine| {
                    let text = rest.trim_start();
                    let mark = format!("{mark}{}", " ".repeat(rest.len() - text.len()));
                    hanging(&letters(&mark, *of), &letters(text, style::PLAIN), columns)
                };
                lines.iter().flat_map(wrap).map(|line| pieces(&line)).collect()
            }
            OverlayContent::Specification(page) => {
                self.top = page.fit(columns, self.top);
                page.lines.iter().map(|line| line.pieces.clone()).collect()
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
        Block::bordered().border_style(style::DIM).render(area, buffer);
        let mut title = Painter::at(buffer, Rect { width: area.width - 1, ..area }, 0);
        title.go(2);
        title.write(&format!(" {heading} "), style::FOCUSED);
        let top = self.top.min(lines.len().saturating_sub(usize::from(inside.height)));
        for (y, line) in (0..inside.height).zip(lines.iter().skip(top)) {
            Painter::at(buffer, inside, y).pieces(line);
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

/// A line without a highlighted part, escaped.
pub fn plain(line: &str) -> OverlayLine {
    (String::new(), style::PLAIN, escaped(line).into_owned())
}
