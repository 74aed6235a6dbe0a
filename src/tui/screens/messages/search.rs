//! Text search: while a text is typed, and from match to match.

use super::Messages;
use super::search_state::RunningSearch;
use crate::tui::action::{Effect, Step};
use crate::tui::screens::screen::ScreenContext;
use crate::tui::search::SearchQuery;
use crate::tui::view_state::Typing;

/// How many messages a search tests before the screen is drawn.
const BATCH: usize = 256;

impl Messages {
    pub(super) fn begin_search(&mut self, cx: &mut ScreenContext<'_>) {
        self.search.running = None;
        self.search.from = (self.scroll, self.follow);
        cx.view.typing = Some(Typing::search());
    }

    /// The text has changed: searches from where the search began.
    pub(super) fn search_typed(&mut self, text: &str, cx: &mut ScreenContext<'_>) {
        self.search.running = None;
        self.search.query = SearchQuery::new(text);
        let from = self.search.from.0.cursor;
        if text.is_empty() {
            self.select(from, cx);
        } else {
            self.run_search(from, from, Step::Forward, cx);
        }
    }

    pub(super) fn cancel_search(&mut self, cx: &mut ScreenContext<'_>) {
        self.search.running = None;
        (self.scroll, self.follow) = self.search.from;
        self.select(self.scroll.cursor, cx);
    }

    pub(super) fn search_again(&mut self, step: Step, cx: &mut ScreenContext<'_>) {
        if self.search.query.is_empty() {
            return cx.hint("/ begins a search");
        }
        let cursor = self.scroll.cursor;
        let next = step.around(cursor, self.begin(), self.len());
        self.run_search(cursor, next, step, cx);
    }

    /// Searches all rows, beginning at `next`.
    fn run_search(&mut self, from: usize, next: usize, step: Step, cx: &mut ScreenContext<'_>) {
        let left = self.len() - self.begin();
        self.continue_search(RunningSearch { next, left, batch: 0, step, from }, cx);
    }

    /// Requests the search of the next few rows.
    fn continue_search(&mut self, mut running: RunningSearch, cx: &mut ScreenContext<'_>) {
        running.batch = running.left.min(BATCH);
        let mut row = running.next;
        let mut messages = Vec::with_capacity(running.batch);
        for _ in 0..running.batch {
            messages.extend(self.message_at(row));
            row = running.step.around(row, self.begin(), self.len());
        }
        running.next = row;
        self.search.running = Some(running);
        cx.effects.push(Effect::Search(self.search.query.clone(), messages));
    }

    /// Takes the result of a few rows.
    pub(super) fn searched(&mut self, found: Option<usize>, cx: &mut ScreenContext<'_>) {
        let Some(mut running) = self.search.running.take() else {
            return;
        };
        if let Some(row) = found.and_then(|message| self.row_of(message)) {
            return self.found(row, &running, cx);
        }
        running.left -= running.batch;
        if running.left > 0 {
            return self.continue_search(running, cx);
        }
        cx.hint(format!("not found: {}", self.search.query.text()));
        // While typing, a match of a shorter text does not count.
        if cx.view.typing.is_some() {
            self.select(self.search.from.0.cursor, cx);
        }
    }

    fn found(&mut self, row: usize, running: &RunningSearch, cx: &mut ScreenContext<'_>) {
        let wrapped = match running.step {
            Step::Forward => (row < running.from).then_some("the search continued from the top"),
            Step::Back => (row > running.from).then_some("the search continued from the end"),
        };
        cx.view.hint = wrapped.map(str::to_owned);
        self.search.opens_match = true;
        self.release_anchor();
        let message = self.message_at(row);
        if let Some(open) = self.open.as_mut().filter(|open| Some(open.index) == message) {
            self.search.opens_match = false;
            open.go_to_match(&self.search.query);
        }
        self.select(row, cx);
        self.keep_cursors(cx.view.area());
    }
}
