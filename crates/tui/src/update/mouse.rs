//! What the mouse does.

use ratatui::layout::Position;

use super::Update;
use crate::action::{Action, KeyCommand, Motion, Step};
use crate::layout::ScreenAreas;

impl Update<'_> {
    pub(super) fn click(&mut self, at: Position) {
        let pressed = self.model.footer_at(at.x);
        self.model.view.hint = None;
        self.model.view.typing.take_if(|typing| typing.is_refusal());
        self.model.pressed = Some(at);
        let size = self.model.view.size;
        if let Some((_, menu)) = &self.model.menu {
            let choice = menu.item_at(size, at.y).map(|item| item.choice.clone());
            match choice {
                Some(choice) => self.choose(Some(choice)),
                // A click beside it closes it.
                None => self.model.menu = None,
            }
            return;
        }
        let Some(areas) = ScreenAreas::of_terminal(size) else {
            return;
        };
        if let Some(overlay) = self.model.overlay.take() {
            // A click beside its keys closes it.
            if let Some(command) = pressed.filter(|_| areas.footer.contains(at))
                && overlay.keys().is_some()
            {
                self.model.overlay = Some(overlay);
                self.apply(Action::Command(command));
            }
            return;
        }
        if areas.tabs.contains(at) {
            if let Some(screen) = self.model.tab_at(at.x) {
                self.model.view.typing = None;
                self.show(screen);
            }
        } else if areas.screen.contains(at) {
            self.on_shown(|screen, cx| screen.click(at, cx));
        } else if areas.footer.contains(at)
            && let Some(command) = pressed
        {
            self.apply(Action::Command(command));
        }
    }

    pub(super) fn double_click(&mut self, at: Position) {
        let is_in_screen = ScreenAreas::of_terminal(self.model.view.size)
            .is_some_and(|areas| areas.screen.contains(at));
        let is_covered = self.model.menu.is_some() || self.model.overlay.is_some();
        let is_typing = self.model.view.typing.is_some();
        self.click(at);
        if is_in_screen && !is_covered && !is_typing {
            self.on_shown(|screen, cx| {
                // Two clicks on a heading are two clicks.
                screen.is_in_rows(at, cx.view) && screen.command(KeyCommand::Enter, cx)
            });
        }
    }

    /// The right button: selects what is there, and opens the menu of what it leads to.
    pub(super) fn right_click(&mut self, at: Position) {
        let is_in_screen = ScreenAreas::of_terminal(self.model.view.size)
            .is_some_and(|areas| areas.screen.contains(at));
        let is_covered = self.model.menu.is_some() || self.model.overlay.is_some();
        self.click(at);
        self.model.pressed = None;
        let is_row = self.on_shown(|screen, cx| screen.is_in_rows(at, cx.view));
        if is_in_screen && !is_covered && is_row && self.model.view.typing.is_none() {
            self.show_links();
        }
    }

    pub(super) fn drag(&mut self, at: Position) {
        let is_covered = self.model.menu.is_some() || self.model.overlay.is_some();
        if let Some(from) = self.model.pressed.filter(|_| !is_covered) {
            self.on_shown(|screen, cx| screen.drag(from, at, cx));
            self.model.pressed = Some(at);
        }
    }

    pub(super) fn wheel(&mut self, at: Position, motion: Motion) {
        let step = if motion == Motion::Up { Step::Back } else { Step::Forward };
        let size = self.model.view.size;
        match (&mut self.model.menu, &mut self.model.overlay) {
            (Some((_, menu)), _) => menu.wheel(step, size),
            (None, Some(overlay)) => overlay.wheel(step),
            (None, None) => self.on_shown(|screen, cx| screen.wheel(at, motion, cx)),
        }
    }
}
