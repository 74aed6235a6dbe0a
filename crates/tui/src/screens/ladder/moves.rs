//! Movements of the cursor among the arrows, and the row under it as text.

use ratatui::layout::Rect;

use super::{LadderScreen, areas};
use crate::action::Motion;
use crate::screens::screen::ScreenContext;
use crate::widgets::scroll::moved;

impl LadderScreen {
    /// Moves the cursor, or scrolls sideways.
    pub(super) fn go(&mut self, motion: Motion, area: Rect) {
        self.is_fixed = matches!(
            motion,
            Motion::Left | Motion::Right | Motion::ScrollLeft | Motion::ScrollRight
        );
        match motion {
            Motion::Left | Motion::ScrollLeft => self.first = self.first.saturating_sub(1),
            Motion::Right | Motion::ScrollRight => self.first += 1,
            _ => self.go_to_line(motion, area),
        }
    }

    fn go_to_line(&mut self, motion: Motion, area: Rect) {
        let (_, lines) = areas(area);
        let last = self.ladder.rows.count().saturating_sub(1);
        let now = self.line();
        let to = moved(now, last, usize::from(lines.height).max(1), motion);
        if let Some(arrow) = self.ladder.arrow_at(to) {
            // A pause belongs to the message after it; moving up skips it.
            let stays = arrow == self.cursor && to < now;
            self.cursor = if stays { arrow.saturating_sub(1) } else { arrow };
        }
    }

    /// Copies the line under the cursor.
    pub(super) fn copy(&self, cx: &mut ScreenContext<'_>) {
        let line = self.line().checked_sub(self.top).and_then(|at| self.lines.get(at));
        let text: String = line.into_iter().flatten().map(|run| run.text.as_str()).collect();
        match text.trim() {
            "" => cx.hint("nothing to copy"),
            text => {
                cx.hint("copied the row");
                cx.copy(text.to_owned());
            }
        }
    }
}
