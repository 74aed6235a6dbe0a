//! Text search: while a text is typed, and from match to match.

use tui_input::{Input, InputRequest};

use super::Update;
use crate::tui::action::{Effect, KeyCommand, Searched, Toggle};
use crate::tui::model::{Asks, MessageList, Typing};
use crate::tui::search::{RunningSearch, SearchQuery};

impl Update<'_> {
    pub(super) fn begin_typing(&mut self) {
        self.model.search.running = None;
        let from = self.model.list;
        let asks = Asks::Search;
        self.model.typing = Some(Typing { input: Input::default(), from, asks });
    }

    /// The text has changed: searches from where the search began.
    pub(super) fn typed(&mut self, request: InputRequest) {
        let Some(typing) = &mut self.model.typing else {
            return;
        };
        match typing.asks {
            Asks::Search => {}
            Asks::Filter(_) => return self.filter_typed(request),
            Asks::Save(_) => return self.save_typed(request),
        }
        let before = typing.input.value().to_owned();
        typing.input.handle(request);
        if typing.input.value() == before {
            return;
        }
        let (query, from) = (SearchQuery::new(typing.input.value()), typing.from.cursor);
        self.model.search.running = None;
        self.model.search.query = query.clone();
        self.model.hint = None;
        if query.is_empty() {
            self.select(from);
        } else {
            self.look_for(query, from, from, Toggle::Forward);
        }
    }

    pub(super) fn end_typing(&mut self, command: KeyCommand) {
        match self.model.typing.as_ref().map(|typing| &typing.asks) {
            Some(Asks::Filter(_)) => return self.end_filter(command),
            Some(Asks::Save(_)) => return self.end_save(command),
            Some(Asks::Search) | None => {}
        }
        match command {
            KeyCommand::Enter => self.model.typing = None,
            KeyCommand::Back => {
                if let Some(typing) = self.model.typing.take() {
                    self.model.search.running = None;
                    self.model.list =
                        MessageList { columns: self.model.list.columns, ..typing.from };
                    self.select(typing.from.cursor);
                }
            }
            _ => {}
        }
    }

    pub(super) fn search_again(&mut self, turn: Toggle) {
        let query = self.model.search.query.clone();
        if query.is_empty() {
            self.model.hint = Some("/ begins a search".to_owned());
            return;
        }
        let (cursor, len) = (self.model.list.cursor, self.model.len());
        let gone = self.model.begin();
        let next = match turn {
            Toggle::Forward if cursor + 1 < len => cursor + 1,
            Toggle::Forward => gone,
            Toggle::Back if cursor > gone => cursor - 1,
            Toggle::Back => len.saturating_sub(1),
        };
        self.look_for(query, cursor, next, turn);
    }

    /// Starts a search at `next`; matches on the other side of `from` count as wrapped around.
    fn look_for(&mut self, query: SearchQuery, from: usize, next: usize, turn: Toggle) {
        let left = self.model.len() - self.model.begin();
        self.model.search.running = Some(RunningSearch { left, turn, from });
        self.effects.push(Effect::Find { query, next, left, turn });
    }

    pub(super) fn searched(&mut self, searched: Searched) {
        let Some(running) = self.model.search.running.take() else {
            return;
        };
        let query = self.model.search.query.clone();
        let turn = running.turn;
        let Searched { found, next, left } = searched;
        match found {
            Some(index) => {
                let around = match turn {
                    Toggle::Forward => index < running.from,
                    Toggle::Back => index > running.from,
                };
                let of = if turn == Toggle::Forward { "top" } else { "end" };
                self.model.hint = around.then(|| format!("found on from the {of}"));
                self.model.search.is_arriving = true;
                self.let_go();
                let place = self.model.place(index);
                if self.model.open.as_ref().is_some_and(|open| Some(open.index) == place) {
                    self.model.search.is_arriving = false;
                    if let Some(open) = &mut self.model.open {
                        open.go_to_match(&query);
                    }
                }
                self.select(index);
                self.clamp_cursor();
            }
            None if left > 0 => {
                self.model.search.running = Some(RunningSearch { left, ..running });
                self.effects.push(Effect::Find { query, next, left, turn });
            }
            None => {
                self.model.hint = Some(format!("not found: {}", query.text()));
                // While typing, a match of a shorter text does not count.
                if let Some(from) = self.model.typing.as_ref().map(|typing| typing.from.cursor) {
                    self.select(from);
                }
            }
        }
    }
}
