//! Updates the model for an action, and returns effects. Nothing here does IO or reads a clock.

mod export;
mod files;
mod filtering;
mod menus;
mod messages;
mod mouse;
mod navigation;
mod overlays;
mod questions;
mod typing;

use super::action::{Action, Answer, Effect, KeyCommand, TerminalCommand};
use super::model::Model;
use super::screens::screen::{LADDER, MESSAGES, Screen, ScreenContext};
use super::session::SessionSummary;
use super::typing::EditForm;
use super::work::WorkKind;
use analysis::Session;
use text::TimeDisplay;

/// The hint until input that is read again has been read.
const READING_AGAIN: &str = "reading again";

/// Applies an action to the model; returns the effects to execute, in order, each with the screen
/// that requested it.
pub fn update(model: &mut Model, action: Action, session: &Session) -> Vec<(usize, Effect)> {
    let mut update = Update { model, session, effects: Vec::new() };
    update.apply(action);
    update.effects
}

struct Update<'a> {
    model: &'a mut Model,
    session: &'a Session,
    effects: Vec<(usize, Effect)>,
}

impl Update<'_> {
    fn apply(&mut self, action: Action) {
        match action {
            Action::Answer(screen, answer) => self.answered(screen, answer),
            Action::Ended(screen, kind) => self.ended(screen, kind),
            Action::NameChecked(name, state) => {
                if let Some(draft) = self.name_draft() {
                    draft.found(&name, state);
                }
            }
            Action::Exporting(done) => {
                if let Some(running) = &mut self.model.export {
                    running.done = done;
                }
            }
            Action::Exported(result) => self.exported(result),
            Action::Note(text) => self.hint(text),
            Action::QuestionReady(question) => self.show_question(*question),
            Action::Asked(answer) => self.show_answer(*answer),
            Action::Extended(frames) => self.extended(frames),
            Action::Notice(text) => {
                if !self.model.view.notices.contains(&text) {
                    self.model.view.notices.push(text);
                }
            }
            Action::Filter(filter) => self.set_filter(Some(*filter)),
            Action::Sort(sort) => self.set_sort(Some(*sort)),
            Action::ReadAgain => self.read_again(),
            Action::Restorable => self.hint_restore(),
            Action::Opened(path) => self.opened_file(&path),
            Action::Grown => self.grown(),
            Action::Resize { width, height } => {
                self.model.view.size = (width, height);
                if let Some(overlay) = &mut self.model.overlay {
                    overlay.fit((width, height));
                }
                self.on_all(|screen, cx| screen.reformat(cx));
            }
            Action::Wheel(at, motion) => self.wheel(at, motion),
            Action::Click(at) => self.click(at),
            Action::DoubleClick(at) => self.double_click(at),
            Action::RightClick(at) => self.right_click(at),
            Action::Drag(at) => self.drag(at),
            Action::Release => self.model.pressed = None,
            Action::Paste(text) => self.paste(&text),
            Action::Unknown(key) => self.unknown_key(&key),
            Action::Fill => {}
            Action::Type(request) if self.model.menu.is_some() => self.typed_in_menu(request),
            Action::Type(request) => self.typed(request),
            Action::Command(command) if self.model.menu.is_some() => self.in_menu(command),
            Action::Command(command) if self.model.view.typing.is_some() => {
                self.end_typing(command);
            }
            Action::Command(command) => {
                self.model.view.hint = None;
                self.model.is_quitting &= command == KeyCommand::Quit;
                if command.leaves_search() {
                    self.stop_search();
                }
                self.command(command);
            }
        }
        self.on_shown(|screen, cx| screen.fill(cx));
    }

    /// The input is read from its beginning: the screens come back to where they were when that is
    /// done.
    fn read_again(&mut self) {
        let view = &self.model.view;
        let places = self.model.screens.iter().map(|screen| screen.bookmark(view)).collect();
        self.model.resume = Some(places);
        self.model.view.known = SessionSummary::default();
        self.hint(READING_AGAIN);
    }

    fn grown(&mut self) {
        let growth = self.model.view.known.update(self.session);
        self.take_names();
        let dates = self.model.view.known.has_days(&self.model.view.zone);
        if std::mem::replace(&mut self.model.view.format.dates, dates) != dates {
            self.on_all(|screen, cx| screen.reformat(cx));
        }
        self.on_all(|screen, cx| screen.grown(growth, cx));
        self.filter_grown(growth);
        let is_ready = self.model.view.known.index.is_final;
        if let Some(places) = self.model.resume.take_if(|_| is_ready) {
            self.model.view.hint.take_if(|hint| hint == READING_AGAIN);
            for (index, place) in places.iter().enumerate() {
                self.on(index, |screen, cx| screen.restore(place, cx));
            }
        }
    }

    fn command(&mut self, command: KeyCommand) {
        if self.model.overlay.is_some() && self.in_overlay(command) {
            return;
        }
        match command {
            KeyCommand::Close => self.close(),
            KeyCommand::History(step) => self.travel(step),
            KeyCommand::Show(screen) => self.show(screen),
            KeyCommand::Ladder => self.show_ladder(),
            KeyCommand::Links => self.show_links(),
            KeyCommand::Request => self.go_to_request(),
            KeyCommand::WholeList => self.show_list(),
            KeyCommand::NextUnanswered => self.next_unanswered(),
            KeyCommand::Search => self.begin_search(),
            KeyCommand::SearchAgain(step) => self.search_again(step),
            KeyCommand::Position => self.begin_position(),
            KeyCommand::Filter => self.begin_filter(),
            KeyCommand::RemoveFilter => self.remove_filter(),
            KeyCommand::Unknown => self.toggle_unknown(),
            KeyCommand::Refine(refine) => self.refine(refine),
            KeyCommand::Sort => self.show_sort(),
            KeyCommand::Reverse => self.reverse(),
            KeyCommand::Columns => self.show_columns(),
            KeyCommand::CopyAs => self.show_copies(),
            KeyCommand::Open => self.begin_open(),
            KeyCommand::Restore => self.restore_view(),
            KeyCommand::Export => self.begin_export(),
            KeyCommand::Times => {
                self.model.view.format.times = self.model.view.format.times.next();
                self.on_all(|screen, cx| screen.reformat(cx));
                self.hint(self.times_label());
            }
            KeyCommand::Texts => {
                self.model.view.format.texts = self.model.view.format.texts.next();
                self.on_all(|screen, cx| screen.reformat(cx));
                self.hint(self.model.view.format.texts.name());
            }
            KeyCommand::Theme => {
                self.model.view.themes.next();
                self.hint(format!("theme: {}", self.model.view.themes.name()));
            }
            KeyCommand::Names => self.toggle_names(),
            KeyCommand::Secrets => self.toggle_secrets(),
            KeyCommand::Pause => self.pause(),
            KeyCommand::Mark => self.mark(),
            KeyCommand::MarkAgain(step) => self.go_to_mark(step),
            KeyCommand::Compare => self.compare(),
            KeyCommand::CompareBytes => self.begin_comparison(),
            KeyCommand::CompareReference => self.compare_reference(),
            KeyCommand::Question => self.begin_question(),
            KeyCommand::Edit => self.begin_edit(EditForm::Value),
            KeyCommand::Comment => self.begin_comment(),
            KeyCommand::TimeReference => self.set_time_reference(),
            KeyCommand::DecodeAs => self.show_games(),
            KeyCommand::Reasons => self.show_reasons(),
            KeyCommand::Specification => self.show_specification(),
            KeyCommand::Warnings => self.show_warnings(),
            KeyCommand::Help => self.show_help(),
            KeyCommand::Redraw => self.effect(Effect::Terminal(TerminalCommand::Redraw)),
            KeyCommand::Suspend => self.effect(Effect::Terminal(TerminalCommand::Suspend)),
            KeyCommand::Quit => self.quit(),
            _ => {
                if !self.on_shown(|screen, cx| screen.command(command, cx)) {
                    self.hint_no_use();
                }
            }
        }
    }

    /// What times are now, in words: tables have no message before.
    fn times_label(&self) -> &'static str {
        let times = self.model.view.format.times;
        let shown = self.model.shown().map_or("", |(info, _)| info.name);
        match times {
            TimeDisplay::Delta if ![MESSAGES, LADDER].contains(&shown) => {
                "times: since the message before; on this screen, since the first message"
            }
            _ => times.label(),
        }
    }

    /// Stops what runs, closes what is open, goes back or to the messages, or removes the filter:
    /// the first of these that is possible.
    fn close(&mut self) {
        if self.model.export.is_some() {
            return self.effect(Effect::StopExport);
        }
        if self.stop_search() {
            return self.hint("search stopped");
        }
        if self.stop_filter() || self.on_shown(|screen, cx| screen.command(KeyCommand::Close, cx)) {
            return;
        }
        if self.model.back.last().is_some_and(|place| place.is_visited) {
            self.travel(super::action::Step::Back);
        } else if self.model.view.shown != 0 {
            self.show(0);
        } else if self.model.view.filter.is_some() {
            self.remove_filter();
        } else {
            let quit = self.model.view.keys.name(KeyCommand::Quit).unwrap_or("q").to_owned();
            self.hint(format!("{quit} quits"));
        }
    }

    /// The result of an effect.
    fn answered(&mut self, screen: usize, answer: Answer) {
        match answer {
            Answer::Filtered(found, tested) => self.filtered(found, tested),
            Answer::Matching(rows) => self.matched(*rows),
            Answer::Searching(percent) => self.model.view.searching = Some(percent),
            Answer::OpenedMarked(at, open) => self.opened_marked(at, *open),
            Answer::Found(found) => self.found(screen, found),
            Answer::Reference(result) => self.show_reference(*result),
            answer => self.on(screen, |s, cx| s.answer(answer, cx)),
        }
    }

    fn ended(&mut self, _: usize, kind: WorkKind) {
        match kind {
            WorkKind::Search => self.model.view.searching = None,
            WorkKind::Index => {
                self.model.view.known.index.is_requested = false;
                if self.model.view.paused.is_some() {
                    // It was of the messages before the pause began, and not of the copy.
                    self.on_shown(|_, cx| cx.request_index());
                }
            }
            WorkKind::Filter => self.filter_ended(),
            WorkKind::Arrange | WorkKind::Statistics => {}
        }
    }

    fn pause(&mut self) {
        let view = &mut self.model.view;
        if view.paused.take().is_some() {
            self.effect(Effect::Pause(false));
            self.hint("new messages are shown again");
        } else if view.known.is_done {
            self.hint("everything has been read");
        } else {
            view.paused = Some(0);
            let pause = view.keys.name(KeyCommand::Pause).unwrap_or("p").to_owned();
            self.effect(Effect::Pause(true));
            self.hint(format!("paused: capturing goes on; {pause} resumes"));
        }
    }

    fn toggle_secrets(&mut self) {
        let shows = !self.model.view.shows_secrets;
        self.model.view.shows_secrets = shows;
        self.effect(Effect::ShowSecrets(shows));
        self.on_all(|screen, cx| screen.reformat(cx));
        self.hint(if shows { "secrets are shown" } else { "secrets are masked" });
    }

    /// Calls a screen, then goes where it requests.
    fn on<R: Default>(
        &mut self,
        index: usize,
        call: impl FnOnce(&mut dyn Screen, &mut ScreenContext<'_>) -> R,
    ) -> R {
        let Some(screen) = self.model.screens.get_mut(index) else {
            return R::default();
        };
        let mut cx = ScreenContext {
            session: self.session,
            is_shown: self.model.view.shown == index,
            view: &mut self.model.view,
            effects: Vec::new(),
            request: None,
        };
        let result = call(screen.as_mut(), &mut cx);
        let ScreenContext { effects, request, .. } = cx;
        self.effects.extend(effects.into_iter().map(|effect| (index, effect)));
        if let Some(target) = request {
            self.visit(target);
        }
        result
    }

    fn on_shown<R: Default>(
        &mut self,
        call: impl FnOnce(&mut dyn Screen, &mut ScreenContext<'_>) -> R,
    ) -> R {
        self.on(self.model.view.shown, call)
    }

    fn on_all(&mut self, call: impl Fn(&mut dyn Screen, &mut ScreenContext<'_>)) {
        for index in 0..self.model.screens.len() {
            self.on(index, &call);
        }
    }

    fn effect(&mut self, effect: Effect) {
        self.effects.push((self.model.view.shown, effect));
    }

    fn hint_no_use(&mut self) {
        self.hint("this key does nothing on this screen");
    }

    fn hint(&mut self, text: impl Into<String>) {
        self.model.view.hint = Some(text.into());
    }
}
