//! Updates the model for an action, and returns effects. Nothing here does IO or reads a clock.

mod export;
mod overlays;

use tui_input::InputRequest;

use super::action::{Action, Effect, KeyCommand, TerminalCommand};
use super::filter::FilterDraft;
use super::layout::ScreenAreas;
use super::model::Model;
use super::screens::SCREENS;
use super::screens::screen::{Arrival, LADDER, MESSAGES, Request, Screen, ScreenContext};
use super::view_state::{Purpose, Typing};
use crate::analysis::Session;
use crate::filter::Filter;

/// How many steps back are stored.
const BACK: usize = 16;

/// Applies an action to the model; returns the effects to execute, in order, each with the screen
/// that requested it.
pub fn update(model: &mut Model, action: Action, session: &Session) -> Vec<(usize, Effect)> {
    let mut update = Update { model, session, effects: Vec::new() };
    update.take(action);
    update.effects
}

struct Update<'a> {
    model: &'a mut Model,
    session: &'a Session,
    effects: Vec<(usize, Effect)>,
}

impl Update<'_> {
    fn take(&mut self, action: Action) {
        match action {
            Action::Answer(screen, answer) => self.on(screen, |s, cx| s.answer(answer, cx)),
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
            Action::Exported(Ok(text) | Err(text)) => {
                self.model.export = None;
                self.hint(text);
            }
            Action::Grown => {
                let growth = self.model.view.known.update(self.session);
                self.on_all(|screen, cx| screen.grown(growth, cx));
            }
            Action::Resize { width, height } => {
                self.model.view.size = (width, height);
                if let Some(overlay) = &mut self.model.overlay {
                    overlay.fit((width, height));
                }
                self.on_all(|screen, cx| screen.reformat(cx));
            }
            Action::Wheel(at, step) => match &mut self.model.overlay {
                Some(overlay) => overlay.wheel(step),
                None => self.on_shown(|screen, cx| screen.wheel(at, step, cx)),
            },
            Action::Click(at) => {
                self.model.view.hint = None;
                let is_tab =
                    ScreenAreas::of(self.model.view.size).is_some_and(|f| f.tabs.contains(at));
                if self.model.overlay.take().is_some() {
                    // A click beside it closes it.
                } else if !is_tab {
                    self.on_shown(|screen, cx| screen.click(at, cx));
                } else if let Some(screen) = self.model.tab_at(at.x) {
                    self.show(screen);
                }
            }
            Action::Unknown => self.hint("? shows the keys"),
            Action::Type(request) => self.typed(request),
            Action::Command(command) if self.model.view.typing.is_some() => {
                self.end_typing(command);
            }
            Action::Command(command) => {
                self.model.view.hint = None;
                self.command(command);
            }
        }
        self.on_shown(|screen, cx| screen.fill(cx));
    }

    fn command(&mut self, command: KeyCommand) {
        if self.model.overlay.is_some() && self.in_overlay(command) {
            return;
        }
        match command {
            KeyCommand::Back if self.model.export.is_some() => self.effect(Effect::StopExport),
            KeyCommand::Show(screen) => self.show(screen),
            KeyCommand::Ladder => self.show_ladder(),
            KeyCommand::Export => self.begin_export(),
            KeyCommand::Times => {
                self.model.view.format.times = self.model.view.format.times.next();
                self.on_all(|screen, cx| screen.reformat(cx));
            }
            KeyCommand::Texts => {
                self.model.view.format.texts = self.model.view.format.texts.next();
                self.on_all(|screen, cx| screen.reformat(cx));
                self.hint(self.model.view.format.texts.name());
            }
            KeyCommand::Warnings => self.show_warnings(),
            KeyCommand::Help => self.show_help(),
            KeyCommand::Redraw => self.effect(Effect::Terminal(TerminalCommand::Redraw)),
            KeyCommand::Quit => self.quit(),
            _ => {
                let is_known = self.on_shown(|screen, cx| screen.command(command, cx));
                let message = self.model.shown().and_then(|(_, screen)| screen.message());
                match (is_known, command, message) {
                    (true, ..) => {}
                    (false, KeyCommand::Reasons, Some(message)) => self.show_reasons(message),
                    (false, KeyCommand::Specification, Some(message)) => {
                        self.show_specification(message);
                    }
                    _ => self.hint("this key works on messages; press 1 to show them"),
                }
            }
        }
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
            can_go_back: !self.model.back.is_empty(),
            effects: Vec::new(),
            request: None,
        };
        let result = call(screen.as_mut(), &mut cx);
        let ScreenContext { effects, request, .. } = cx;
        self.effects.extend(effects.into_iter().map(|effect| (index, effect)));
        match request {
            Some(Request::Back) => self.go_back(),
            Some(Request::Visit(name, related)) => self.visit(name, Arrival::Visit(related)),
            None => {}
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

    fn hint(&mut self, text: impl Into<String>) {
        self.model.view.hint = Some(text.into());
    }

    /// Shows a screen by its key; that clears the steps back.
    fn show(&mut self, screen: usize) {
        self.model.back.clear();
        let messages = self.model.screens.get(index_of(MESSAGES));
        let message = messages.and_then(|messages| messages.message());
        let is_shown = self.model.view.shown == screen;
        self.model.view.shown = screen;
        self.model.view.typing = None;
        self.on_shown(|screen, cx| screen.enter(Arrival::Key { message, is_shown }, cx));
    }

    /// Shows a screen that another one leads to.
    fn visit(&mut self, name: &str, arrival: Arrival) {
        if self.model.back.len() >= BACK {
            self.model.back.remove(0);
        }
        self.model.back.push(self.model.view.shown);
        self.model.view.shown = index_of(name);
        self.on_shown(|screen, cx| screen.enter(arrival, cx));
    }

    /// Shows the previous screen, or else the messages.
    fn go_back(&mut self) {
        match self.model.back.pop() {
            Some(screen) => {
                self.model.view.shown = screen;
                self.on_shown(|screen, cx| screen.enter(Arrival::Back, cx));
            }
            None => self.show(index_of(MESSAGES)),
        }
    }

    fn show_ladder(&mut self) {
        if let Some(related) = self.on_shown(|screen, cx| screen.related(cx)) {
            self.visit(LADDER, Arrival::Visit(related));
        }
    }

    /// The typed text has changed.
    fn typed(&mut self, request: InputRequest) {
        let Some(Typing { input, purpose }) = &mut self.model.view.typing else {
            return;
        };
        let before = input.value().to_owned();
        input.handle(request);
        let text = input.value().to_owned();
        match purpose {
            Purpose::Filter(draft) => **draft = FilterDraft::of(input),
            _ if text == before => {}
            Purpose::Search => {
                self.model.view.hint = None;
                self.on_shown(|screen, cx| screen.search(Some(&text), cx));
            }
            Purpose::Export(_) => self.name_changed(),
        }
    }

    /// A command while a text is typed.
    fn end_typing(&mut self, command: KeyCommand) {
        let Some(Typing { input, purpose }) = &mut self.model.view.typing else {
            return;
        };
        match (purpose, command) {
            (Purpose::Export(_), _) => self.end_export(command),
            (Purpose::Filter(draft), KeyCommand::Focus(step)) => draft.complete(input, step),
            (Purpose::Filter(draft), KeyCommand::Enter) if draft.wrong.is_none() => {
                let filter = Filter::parse(input.value()).ok();
                self.model.view.typing = None;
                self.on_shown(|screen, cx| screen.filter(filter, cx));
            }
            (Purpose::Search, KeyCommand::Enter) | (Purpose::Filter(_), KeyCommand::Back) => {
                self.model.view.typing = None;
            }
            (Purpose::Search, KeyCommand::Back) => {
                self.model.view.typing = None;
                self.on_shown(|screen, cx| screen.search(None, cx));
            }
            _ => {}
        }
    }
}

/// The index of a screen by its name.
fn index_of(name: &str) -> usize {
    SCREENS.iter().position(|screen| screen.name == name).unwrap_or(0)
}
