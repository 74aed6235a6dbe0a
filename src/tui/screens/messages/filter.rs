//! The filtered list.

use super::Messages;
use crate::filter::Filter;
use crate::tui::action::Effect;
use crate::tui::filter::ActiveFilter;
use crate::tui::screens::screen::ScreenContext;

impl Messages {
    /// Applies a filter, or shows all messages without one; the cursor stays at its message, or at
    /// the last match before it.
    pub(super) fn show_only(&mut self, filter: Option<Filter>, cx: &mut ScreenContext<'_>) {
        let follow = self.follow;
        // A filter without matches has no message under the cursor.
        let waiting = self.active.as_ref().and_then(|active| active.anchor);
        let message = waiting.or_else(|| self.message_at(self.scroll.cursor));
        self.search.running = None;
        self.stale = true;
        self.active = filter.map(|filter| ActiveFilter::new(filter, message));
        if self.active.is_none() {
            self.select(message.unwrap_or(0), cx);
        }
        self.follow = follow;
        self.filter_more(cx);
    }

    /// Tests all messages again: their classification has changed.
    pub(super) fn filter_again(&mut self, cx: &mut ScreenContext<'_>) {
        if let Some(active) = &self.active {
            let filter = active.filter.clone();
            self.show_only(Some(filter), cx);
        }
    }

    /// Requests the test of messages that were not tested yet.
    pub(super) fn filter_more(&mut self, cx: &mut ScreenContext<'_>) {
        let Some(active) = &self.active else {
            return;
        };
        if active.tested < self.total {
            cx.effects.push(Effect::Filter(Box::new(active.filter.clone()), active.tested));
        } else if active.len() == 0 {
            self.select(0, cx);
        }
    }

    /// Takes the results of further messages.
    pub(super) fn filtered(&mut self, found: Vec<u32>, tested: usize, cx: &mut ScreenContext<'_>) {
        let Some(active) = &mut self.active else {
            return;
        };
        let is_new = !found.is_empty();
        active.take(found, tested);
        if let Some(anchor) = active.anchor {
            let row = active.row_at(anchor);
            // While nothing matches, there is still no message for the cursor.
            if tested > anchor && active.len() > 0 {
                active.anchor = None;
            }
            self.select(row, cx);
        } else if self.follow && is_new {
            self.select(usize::MAX, cx);
        } else if self.open.is_none() {
            self.select(0, cx);
        }
        self.stale |= is_new;
        self.filter_more(cx);
    }

    /// The user moved the cursor, so it no longer follows the anchor.
    pub(super) fn release_anchor(&mut self) {
        if let Some(active) = &mut self.active {
            active.anchor = None;
        }
    }
}
