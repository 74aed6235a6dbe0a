//! A frame over the screen, for menus and texts.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Clear, Widget as _};

use super::painter::Painter;
use super::style;

/// Draws an empty frame with a heading in the middle of the screen, for so many columns and rows of
/// text, and returns the area for the text.
pub fn frame(heading: &str, size: (usize, usize), margin: u16, buffer: &mut Buffer) -> Rect {
    let all = buffer.area;
    let inside = inside(size, margin, (all.width, all.height));
    let area = Rect {
        x: inside.x.saturating_sub(3),
        y: inside.y.saturating_sub(1),
        width: inside.width + 5,
        height: inside.height + 2,
    }
    .intersection(all);
    Clear.render(area, buffer);
    Block::bordered().border_style(style::DIM).render(area, buffer);
    let title_area = Rect { width: area.width.saturating_sub(1), ..area };
    let mut title = Painter::at(buffer, title_area, 0);
    title.go(2);
    title.write(&format!(" {heading} "), style::FOCUSED);
    inside
}

/// The area for the text of such a frame.
pub fn inside((columns, rows): (usize, usize), margin: u16, (width, height): (u16, u16)) -> Rect {
    let columns = (columns + 6).min(usize::from(width).saturating_sub(2)) as u16;
    let rows = (rows + 2).min(usize::from(height.saturating_sub(margin))) as u16;
    let (x, y) = (width.saturating_sub(columns) / 2, height.saturating_sub(rows) / 2);
    Rect { x: x + 3, y: y + 1, width: columns.saturating_sub(5), height: rows.saturating_sub(2) }
}
