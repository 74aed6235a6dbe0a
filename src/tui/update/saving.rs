//! The line for an export's name, and the running export.

use tui_input::{Input, InputRequest};

use super::Update;
use crate::tui::action::{Effect, KeyCommand};
use crate::tui::model::{Asks, Typing};
use crate::tui::saving::{NameDraft, RunningExport, Spot, suggested};
use crate::tui::sheet::Tab;

impl Update<'_> {
    /// Opens the line, with a suggested name.
    pub(super) fn begin_save(&mut self) {
        if let Some(running) = &self.model.saving {
            self.model.hint = Some(format!("still {}; Esc stops it", running.prompt_note()));
            return;
        }
        self.model.search.running = None;
        let input = Input::new(suggested(&self.model.saves_as, self.model.sheets.shown));
        let asks = Asks::Save(Box::default());
        self.model.typing = Some(Typing { input, from: self.model.list, asks });
        self.redraft();
    }

    pub(super) fn save_typed(&mut self, request: InputRequest) {
        let Some(Typing { input, .. }) = &mut self.model.typing else {
            return;
        };
        let before = input.value().to_owned();
        input.handle(request);
        if input.value() != before {
            self.redraft();
        }
    }

    /// The name in the line has changed.
    fn redraft(&mut self) {
        if let Some(Typing { input, asks: Asks::Save(draft), .. }) = &mut self.model.typing {
            **draft = NameDraft::of(input.value());
            self.effects.push(Effect::Spot(draft.name().to_owned()));
        }
    }

    /// Takes the check of a name.
    pub(super) fn spotted(&mut self, name: &str, spot: Spot) {
        if let Some(Typing { asks: Asks::Save(draft), .. }) = &mut self.model.typing {
            draft.found(name, spot);
        }
    }

    /// A command on the line.
    pub(super) fn end_save(&mut self, command: KeyCommand) {
        let Some(Typing { asks: Asks::Save(draft), .. }) = &self.model.typing else {
            return;
        };
        self.model.hint = None;
        match (command, draft.form()) {
            (KeyCommand::Back, _) => self.model.typing = None,
            (KeyCommand::Enter, Some(form)) if draft.wrong(self.model).is_none() => {
                let (name, asks) = (draft.name().to_owned(), draft.asks());
                if asks {
                    if let Some(Typing { asks: Asks::Save(draft), .. }) = &mut self.model.typing {
                        draft.agree();
                    }
                    return;
                }
                self.model.typing = None;
                let of = self.kept() as u64;
                self.model.saving =
                    Some(RunningExport { name: name.clone(), done: 0, of, is_left: false });
                self.effects.push(Effect::Save { name, form });
            }
            _ => {}
        }
    }

    /// How many messages or rows would be written.
    fn kept(&self) -> usize {
        match self.model.sheets.shown {
            Tab::Messages => self.model.len() - self.model.begin(),
            Tab::Ladder => self.model.sheets.ladder.len(),
            _ => self.model.sheets.len(),
        }
    }

    /// Takes the progress of an export.
    pub(super) fn saving(&mut self, done: u64) {
        if let Some(running) = &mut self.model.saving {
            running.done = done;
        }
    }

    /// Takes the result of an export.
    pub(super) fn saved(&mut self, said: Result<String, String>) {
        self.model.saving = None;
        self.model.hint = Some(match said {
            Ok(said) | Err(said) => said,
        });
    }

    /// Quits, but during an export only at the second request.
    pub(super) fn quit(&mut self) {
        match &mut self.model.saving {
            Some(running) if !running.is_left => {
                running.is_left = true;
                let text = format!("still {}; q again leaves without it", running.prompt_note());
                self.model.hint = Some(text);
            }
            _ => self.effects.push(Effect::Quit),
        }
    }
}
