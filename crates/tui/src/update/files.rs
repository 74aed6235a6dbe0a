//! Another capture in place of this one, and how a capture was shown last time.

use super::Update;
use crate::action::{Effect, KeyCommand};
use crate::history::SavedView;
use crate::marks::Marks;
use crate::screens::SCREENS;
use crate::screens::screen::TypedPosition;
use crate::session::SessionSummary;
use crate::typing::{LinePurpose, Typing};
use filter::Filter;

impl Update<'_> {
    /// Opens the line for a path.
    pub(super) fn begin_open(&mut self) {
        let view = &self.model.view;
        let why = match () {
            () if view.notes.has_new_comments => {
                "the comments are not kept yet: export as .pcapng first"
            }
            () if self.model.export.is_some() => "an export is still running",
            () if !view.known.is_done => "wait until everything has been read",
            () => {
                let folder = std::path::Path::new(&self.model.file).parent();
                let folder = folder.map(|folder| folder.join("").display().to_string());
                let text = folder.unwrap_or_default();
                self.model.view.typing = Some(Typing::line(LinePurpose::Open, text));
                return;
            }
        };
        self.refuse(why);
    }

    /// Reads another capture.
    pub(super) fn open_file(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() {
            return Err("expected the path of a capture".to_owned());
        }
        self.remember_view();
        self.effect(Effect::OpenFile(path.to_owned()));
        Ok(())
    }

    /// Another capture is read: nothing of the one before is left but the filter.
    pub(super) fn opened_file(&mut self, path: &str) {
        let model = &mut *self.model;
        (model.back, model.forward, model.resume) = (Vec::new(), Vec::new(), None);
        (model.overlay, model.menu, model.asked) = (None, None, None);
        path.clone_into(&mut model.title);
        path.clone_into(&mut model.file);
        let view = &mut model.view;
        view.notes.marks = Marks::default();
        view.notes.comments.clear();
        view.notes.reference = None;
        view.known = SessionSummary::default();
        self.on_all(|screen, cx| screen.forget(cx));
        if self.model.view.shown != 0 {
            self.show(0);
        }
        self.hint_restore();
    }

    /// Says that the capture can be shown as last time.
    pub(super) fn hint_restore(&mut self) {
        if self.model.view.history.view_of(&self.model.file).is_some() {
            let restore = self.key(KeyCommand::Restore);
            self.hint(format!("{restore} restores filter, columns and cursor of the last time"));
        }
    }

    /// Keeps how the capture is shown.
    pub(super) fn remember_view(&mut self) {
        let message = self.on_shown(|screen, cx| screen.origin(cx)).and_then(|s| s.message);
        self.model.view.hint = None;
        let number = message.and_then(|at| self.session.header(at)).map_or(0, |h| h.number);
        let filter = self.model.view.filter.as_ref();
        let columns = self.model.screens.first().and_then(|screen| screen.columns());
        let view = SavedView {
            file: self.model.file.clone(),
            filter: filter.map_or_else(String::new, |active| active.filter.text().to_owned()),
            columns: columns.map(|columns| columns.shown).unwrap_or_default(),
            screen: SCREENS.get(self.model.view.shown).map_or("", |info| info.name).to_owned(),
            message: number,
        };
        if !view.file.is_empty() {
            self.model.view.history.add_view(&view);
            self.effect(Effect::RememberView(Box::new(view)));
        }
    }

    /// Shows the capture as it was shown last time.
    pub(super) fn restore_view(&mut self) {
        let Some(saved) = self.model.view.history.view_of(&self.model.file).cloned() else {
            return self.hint("nothing is kept of this capture");
        };
        if let Some(messages) = self.model.screens.first_mut() {
            // Columns that there are no more stay away.
            _ = messages.choose_columns(&saved.columns);
        }
        let filter = Filter::parse(&saved.filter).ok().filter(|_| !saved.filter.is_empty());
        self.set_filter(filter);
        let number = TypedPosition::Number(saved.message);
        self.on(0, |screen, cx| _ = screen.go_to(number, cx));
        if let Ok(screen) = crate::screens::named(&saved.screen)
            && screen != self.model.view.shown
        {
            self.show(screen);
        }
        self.hint("as it was shown last time");
    }
}
