//! The filter line, and the filtered list.

use tui_input::{Input, InputRequest};

use super::Update;
use crate::filter::Filter;
use crate::tui::action::{Effect, KeyCommand, Sifted};
use crate::tui::model::{Asks, Typing};
use crate::tui::sieve::{ActiveFilter, FilterDraft};

impl Update<'_> {
    /// Opens the filter line, with the active filter.
    pub(super) fn begin_filter(&mut self) {
        self.model.search.running = None;
        let now = self.model.sieve.as_ref().map(|sieve| sieve.filter.text());
        let input = Input::new(now.unwrap_or_default().to_owned());
        let asks = Asks::Filter(Box::new(FilterDraft::of(&input)));
        self.model.typing = Some(Typing { input, from: self.model.list, asks });
    }

    pub(super) fn filter_typed(&mut self, request: InputRequest) {
        if let Some(Typing { input, asks: Asks::Filter(draft), .. }) = &mut self.model.typing {
            input.handle(request);
            **draft = FilterDraft::of(input);
        }
    }

    /// A command on the filter line.
    pub(super) fn end_filter(&mut self, command: KeyCommand) {
        let Some(Typing { input, asks: Asks::Filter(draft), .. }) = &mut self.model.typing else {
            return;
        };
        self.model.hint = None;
        match command {
            KeyCommand::Focus(turn) => draft.complete(input, turn),
            KeyCommand::Back => self.model.typing = None,
            KeyCommand::Enter if draft.wrong.is_none() => {
                let filter = Filter::parse(input.value()).ok();
                self.model.typing = None;
                if filter.as_ref().is_some_and(Filter::needs_analysis) {
                    self.put_together();
                }
                self.show_only(filter);
            }
            _ => {}
        }
    }

    /// Applies a filter, or shows all messages without one; the cursor stays at its message, or at
    /// the last match before it.
    pub(super) fn show_only(&mut self, filter: Option<Filter>) {
        let (row, follow) = (self.model.list.cursor, self.model.list.follow);
        // A filter without matches has no message under the cursor.
        let waiting = self.model.sieve.as_ref().and_then(|sieve| sieve.anchor);
        let place = waiting.or_else(|| self.model.place(row));
        self.model.search.running = None;
        self.model.stale = true;
        self.model.sieve = filter.map(|filter| ActiveFilter::new(filter, place));
        if self.model.sieve.is_none() {
            self.select(place.unwrap_or(0));
        }
        self.model.list.follow = follow;
        self.sift();
    }

    /// Tests all messages again: their classification has changed.
    pub(super) fn sift_again(&mut self) {
        if let Some(sieve) = &self.model.sieve {
            let filter = sieve.filter.clone();
            self.show_only(Some(filter));
        }
    }

    /// Requests the test of messages that were not tested yet.
    pub(super) fn sift(&mut self) {
        let Some(sieve) = &self.model.sieve else {
            return;
        };
        if sieve.looked_at < self.model.known.messages {
            self.effects.push(Effect::Sift(sieve.looked_at));
        } else if sieve.len() == 0 {
            self.select(0);
        }
    }

    /// Takes the results of further messages.
    pub(super) fn sifted(&mut self, sifted: Sifted) {
        let Some(sieve) = &mut self.model.sieve else {
            return;
        };
        let Sifted { found, looked_at } = sifted;
        let is_new = !found.is_empty();
        sieve.take(found, looked_at);
        if let Some(anchor) = sieve.anchor {
            let row = sieve.row_at(anchor);
            // While nothing matches, there is still no message for the cursor.
            if looked_at > anchor && sieve.len() > 0 {
                sieve.anchor = None;
            }
            self.select(row);
        } else if self.model.list.follow && is_new {
            self.select(usize::MAX);
        } else if self.model.open.is_none() {
            self.select(0);
        }
        self.model.stale |= is_new;
        self.sift();
    }

    /// The user moved the cursor, so it no longer follows the anchor.
    pub(super) fn let_go(&mut self) {
        if let Some(sieve) = &mut self.model.sieve {
            sieve.anchor = None;
        }
    }
}
