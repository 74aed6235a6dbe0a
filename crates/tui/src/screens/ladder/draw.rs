//! How a ladder is drawn: its head, its title where the head is empty, the visible lines.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{LadderScreen, areas};
use crate::view_state::ViewState;
use crate::widgets::painter::Painter;
use crate::widgets::style;
use crate::widgets::table::Runs;
use text::{fit, width};

impl LadderScreen {
    /// Draws the head and the visible lines.
    pub(super) fn paint(&self, view: &ViewState, area: Rect, buffer: &mut Buffer) {
        let (head, area) = areas(area);
        if self.ladder.arrows == 0 {
            return Painter::at(buffer, head, 0).write(&view.no_message(), style::DIM);
        }
        for (y, line) in (0..head.height).zip(&self.head) {
            Painter::at(buffer, head, y).runs(line);
        }
        let cursor = self.line();
        for ((y, at), line) in (0..area.height).zip(self.top..).zip(&self.lines) {
            Painter::at(buffer, area, y).runs(line);
            if at == cursor {
                Painter::at(buffer, area, y).paint(style::CURSOR);
            }
        }
        // Its title is above the numbers and times, where the head is empty.
        let title = self.title(view);
        let space = blanks(self.head.first()).min(usize::from(head.width)).saturating_sub(1);
        Painter::at(buffer, head, 0).write(&fit(&title, space), style::DIM);
        Painter::at(buffer, head, 1).write(&fit(&self.hosts, space), style::DIM);
    }

    /// What it shows, or what it is sorted by.
    fn title(&self, view: &ViewState) -> String {
        match (self.ladder.of.as_str(), &view.filter, &self.sort) {
            (_, _, Some(sort)) if sort.is_descending => format!("by {} ▼", sort.column),
            (_, _, Some(sort)) => format!("by {} ▲", sort.column),
            ("", None, None) => "all messages".to_owned(),
            ("", Some(_), None) => "filtered messages".to_owned(),
            (of, ..) => of.to_owned(),
        }
    }
}

/// How many columns at the left of a line are blank.
fn blanks(line: Option<&Runs>) -> usize {
    let text: String = line.into_iter().flatten().map(|run| run.text.as_str()).collect();
    width(&text) - width(text.trim_start())
}
