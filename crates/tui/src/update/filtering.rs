//! The display filter: in force on all screens.

use std::sync::Arc;

use super::Update;
use crate::action::{Effect, KeyCommand, Refine};
use crate::filter::ActiveFilter;
use crate::filter_work;
use crate::history::HistoryKind;
use crate::screens::screen::FilterChange;
use crate::session::Growth;
use crate::text::counted;
use crate::typing::Typing;
use crate::work::{Work, WorkKind};
use filter::{Filter, MatchingRows};

/// The display filter that hides datagrams that no protocol reads.
const HIDES_UNKNOWN: &str = "message != \"unknown\"";

/// The owner of the filter's work: it belongs to no screen.
const OWNER: usize = usize::MAX;

impl Update<'_> {
    pub(super) fn begin_filter(&mut self) {
        let now = self.model.view.filter.as_ref().map_or("", |active| active.filter.text());
        self.model.view.typing = Some(Typing::filter(now));
    }

    /// Applies a filter; without one, shows everything.
    pub(super) fn set_filter(&mut self, filter: Option<Filter>) {
        if let Some(filter) = &filter {
            self.remember(HistoryKind::Filter, filter.text());
            if filter.needs_analysis() {
                self.on_shown(|_, cx| cx.request_index());
            }
        }
        self.apply_filter(filter);
    }

    fn apply_filter(&mut self, filter: Option<Filter>) {
        self.effects.push((OWNER, Effect::Stop(WorkKind::Filter)));
        self.model.view.filter = filter.map(ActiveFilter::new);
        self.on_all(|screen, cx| screen.refilter(FilterChange::Other, cx));
        self.test_more();
    }

    pub(super) fn remove_filter(&mut self) {
        if self.model.view.filter.is_none() {
            return self.hint("no display filter is in force");
        }
        self.set_filter(None);
        self.hint("all messages");
    }

    /// Shows the datagrams that no protocol reads, or hides them.
    pub(super) fn toggle_unknown(&mut self) {
        self.model.view.hides_unknown = false;
        match &self.model.view.filter {
            Some(active) if active.filter.text() == HIDES_UNKNOWN => {
                self.set_filter(None);
                let unknown = self.model.view.known.unknown;
                self.hint(format!("all messages, {} too", counted(unknown as u64, "unknown one")));
            }
            Some(_) => self.hint("another display filter is in force"),
            None if self.model.view.known.unknown == 0 => {
                self.hint("every datagram of a known game is read");
            }
            None => self.hide_unknown(),
        }
    }

    fn hide_unknown(&mut self) {
        if let Ok(filter) = Filter::parse(HIDES_UNKNOWN) {
            self.apply_filter(Some(filter));
            let key = self.model.view.keys.name(KeyCommand::Unknown).unwrap_or_default();
            let unknown = counted(self.model.view.known.unknown as u64, "unknown datagram");
            self.hint(format!("hidden: {unknown}; {key} shows them"));
        }
    }

    /// Stops a filter that is being tested, and removes it; false if none is.
    pub(super) fn stop_filter(&mut self) -> bool {
        let known = &self.model.view.known;
        let active = self.model.view.filter.as_ref();
        let is_running = active.is_some_and(|active| active.tested < known.messages);
        let stops = is_running && known.is_done;
        if stops {
            self.set_filter(None);
            self.hint("the filter was stopped and removed");
        }
        stops
    }

    /// Makes the filter narrower by the value under the cursor.
    pub(super) fn refine(&mut self, refine: Refine) {
        let Some(origin) = self.on_shown(|screen, cx| screen.origin(cx)) else {
            if self.model.view.hint.is_none() {
                self.hint("nothing is selected");
            }
            return;
        };
        let term = match refine {
            Refine::Conversation => origin.flow_term(),
            Refine::Only | Refine::Without => origin.term,
        };
        let Some(term) = term else {
            return self.hint(match refine {
                Refine::Conversation => "this belongs to no flow",
                Refine::Only | Refine::Without => {
                    "no filter selects this: it is a separator, or bytes without a name"
                }
            });
        };
        let term = if refine == Refine::Without { format!("not {term}") } else { term };
        let text = match &self.model.view.filter {
            // A conversation replaces the filter, so that all of it is seen.
            Some(active) if refine != Refine::Conversation => {
                format!("({}) and {term}", active.filter.text())
            }
            _ => term,
        };
        match Filter::parse(&text) {
            Ok(filter) => {
                self.set_filter(Some(filter));
                self.hint(format!("filter: {text}"));
            }
            Err(error) => self.hint(error.to_string()),
        }
    }

    /// More messages, or a better classification of earlier ones.
    pub(super) fn filter_grown(&mut self, growth: Growth) {
        let view = &mut self.model.view;
        if view.hides_unknown && view.known.unknown > 0 {
            view.hides_unknown = false;
            if view.filter.is_none() {
                return self.hide_unknown();
            }
        }
        let Some(active) = &self.model.view.filter else {
            return;
        };
        if growth.is_end || growth.is_indexed && active.filter.needs_analysis() {
            let filter = active.filter.clone();
            self.effects.push((OWNER, Effect::Stop(WorkKind::Filter)));
            self.model.view.filter = Some(ActiveFilter::new(filter));
            self.on_all(|screen, cx| screen.refilter(FilterChange::Other, cx));
        } else if growth.is_indexed {
            // The rows of tables are others.
            self.match_rows();
        }
        self.test_more();
    }

    /// Begins to test the messages that were not tested yet, unless that is being done.
    fn test_more(&mut self) {
        let total = self.model.view.known.messages;
        let Some(active) = self.model.view.filter.as_mut() else {
            return;
        };
        if active.is_testing || active.tested >= total {
            return;
        }
        active.is_testing = true;
        let (filter, range) = (active.filter.clone(), active.tested..total);
        let work = Work::new(WorkKind::Filter, move |cx| filter_work::test(cx, &filter, range));
        self.effects.push((OWNER, Effect::Begin(work)));
    }

    /// Takes the results of further messages.
    pub(super) fn filtered(&mut self, found: Vec<u32>, tested: usize) {
        let Some(active) = &mut self.model.view.filter else {
            return;
        };
        active.add_found(found, tested);
        self.on_all(|screen, cx| screen.refilter(FilterChange::More, cx));
    }

    /// The work of the filter has ended: all messages that there were are tested.
    pub(super) fn filter_ended(&mut self) {
        if let Some(active) = &mut self.model.view.filter {
            active.is_testing = false;
        }
        self.match_rows();
        self.test_more();
    }

    /// Begins to find the rows of tables with a matching message.
    fn match_rows(&mut self) {
        let Some(active) = &self.model.view.filter else {
            return;
        };
        if active.is_testing {
            return;
        }
        let found = active.shared_messages();
        let goes_on = !self.model.view.known.is_done;
        let work = Work::new(WorkKind::Arrange, move |cx| filter_work::match_rows(cx, &found));
        self.effects.push((OWNER, Effect::Begin(work.paced(goes_on))));
    }

    pub(super) fn matched(&mut self, rows: MatchingRows) {
        let Some(active) = &mut self.model.view.filter else {
            return;
        };
        active.rows = Some(Arc::new(rows));
        self.on_all(|screen, cx| screen.refilter(FilterChange::Complete, cx));
    }

    /// Adds a filter or a search to the history.
    pub(super) fn remember(&mut self, kind: HistoryKind, text: &str) {
        if self.model.view.history.add_text(kind, text) {
            self.effect(Effect::Remember(kind, text.to_owned()));
        }
    }
}
