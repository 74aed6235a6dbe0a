//! From screen to screen, and back as a browser goes back.

use super::Update;
use crate::action::{KeyCommand, Step};
use crate::menu::Menu;
use crate::model::{MenuKind, Place};
use crate::screens::SCREENS;
use crate::screens::links::LinkTarget;
use crate::screens::screen::{Arrival, Bookmark, CATALOGUE, LADDER, MESSAGES};
use crate::typing::{LinePurpose, Typing};

/// How many places are kept in either direction.
const KEPT: usize = 64;

impl Update<'_> {
    /// Shows a screen by its key.
    pub(super) fn show(&mut self, screen: usize) {
        if screen >= SCREENS.len() {
            return self.hint("there is no such screen");
        }
        let message = self.on_shown(|screen, cx| screen.origin(cx)).and_then(|s| s.message);
        self.model.view.hint = None;
        let is_shown = self.model.view.shown == screen;
        if !is_shown {
            self.leave(false);
        }
        self.model.view.shown = screen;
        self.on_shown(|screen, cx| screen.enter(Arrival::Key { message, is_shown }, cx));
    }

    /// Shows what a row leads to.
    pub(super) fn visit(&mut self, target: LinkTarget) {
        self.leave(true);
        self.model.view.shown = match &target {
            LinkTarget::Row(screen, _) => index_of(screen),
            LinkTarget::Messages(_) => index_of(MESSAGES),
            LinkTarget::Ladder(_) => index_of(LADDER),
            LinkTarget::Page(..) => index_of(CATALOGUE),
        };
        self.on_shown(|screen, cx| screen.enter(Arrival::Visit(target), cx));
    }

    /// Keeps the place that is left.
    fn leave(&mut self, is_visited: bool) {
        let place = self.place(is_visited);
        self.come_from(place);
    }

    /// Keeps a place to come back to.
    pub(super) fn come_from(&mut self, place: Place) {
        self.model.forward.clear();
        keep(&mut self.model.back, place);
    }

    /// Goes to the request of the message under the cursor, or to its answer.
    pub(super) fn go_to_request(&mut self) {
        let place = self.place(false);
        let before = self.on_shown(|screen, cx| screen.origin(cx)?.message);
        if !self.on_shown(|screen, cx| screen.command(KeyCommand::Request, cx)) {
            return self.hint_no_use();
        }
        if self.on_shown(|screen, cx| screen.origin(cx)?.message) != before {
            self.come_from(place);
        }
    }

    pub(super) fn place(&self, is_visited: bool) -> Place {
        let bookmark = self.model.shown().map(|(_, screen)| screen.bookmark(&self.model.view));
        let bookmark = bookmark.unwrap_or(Bookmark::Nowhere);
        Place { screen: self.model.view.shown, bookmark, is_visited }
    }

    /// Goes to the place before this one, or after it.
    pub(super) fn travel(&mut self, step: Step) {
        let from = match step {
            Step::Back => self.model.back.pop(),
            Step::Forward => self.model.forward.pop(),
        };
        let Some(to) = from else {
            return self.hint(match step {
                Step::Back => "there is nothing to go back to",
                Step::Forward => "there is nothing to go forward to",
            });
        };
        let here = self.place(to.is_visited);
        match step {
            Step::Back => keep(&mut self.model.forward, here),
            Step::Forward => keep(&mut self.model.back, here),
        }
        self.model.view.shown = to.screen;
        self.on_shown(|screen, cx| screen.restore(&to.bookmark, cx));
    }

    pub(super) fn show_ladder(&mut self) {
        if let Some(related) = self.on_shown(|screen, cx| screen.related(cx)) {
            self.visit(LinkTarget::Ladder(related));
        }
    }

    /// Opens the menu of what the row leads to.
    pub(super) fn show_links(&mut self) {
        let Some(origin) = self.on_shown(|screen, cx| screen.origin(cx)) else {
            let why = self.model.view.hint.take();
            return self.refuse(why.unwrap_or_else(|| "nothing is selected".to_owned()));
        };
        let related = self.on_shown(|screen, cx| screen.related(cx));
        // That there are none is no error here.
        self.model.view.hint = None;
        let own = self.model.shown().map_or("", |(info, _)| info.name);
        let links = origin.links(own, related.as_ref(), self.session);
        if links.is_empty() {
            return self.refuse("this row leads nowhere yet");
        }
        self.model.menu = Some((MenuKind::Links, Menu::of_links(&origin.title, links)));
    }

    /// Goes to the number or the time that was typed.
    pub(super) fn begin_position(&mut self) {
        self.model.view.typing = Some(Typing::line(LinePurpose::Position, String::new()));
    }

    /// The name of a key in a hint.
    pub(super) fn key(&self, command: KeyCommand) -> String {
        self.model.view.keys.name(command).unwrap_or("(no key)").to_owned()
    }
}

fn keep(places: &mut Vec<Place>, place: Place) {
    if places.len() >= KEPT {
        places.remove(0);
    }
    places.push(place);
}

/// The index of a screen by its name.
fn index_of(name: &str) -> usize {
    SCREENS.iter().position(|screen| screen.name == name).unwrap_or(0)
}
