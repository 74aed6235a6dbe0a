//! The line for an export's name, and the running export.

use tui_input::Input;

use super::Update;
use crate::action::{Effect, KeyCommand, Step, TerminalCommand};
use crate::export::{NameDraft, RunningExport};
use crate::typing::{Purpose, Typing};
use export::ExportForm;

/// The ending of captures.
const PACKETS: &str = "pcapng";

impl Update<'_> {
    /// Opens the line, with a suggested name.
    pub(super) fn begin_export(&mut self) {
        if let Some(running) = &self.model.export {
            return self.refuse(format!("still {}", running.progress()));
        }
        let Some((info, screen)) = self.model.shown() else {
            return;
        };
        if let Some(why) = screen.exportable(&self.model.view).refusal {
            return self.hint(why);
        }
        let name = format!("{}-{}.csv", self.model.export_stem, info.name);
        self.model.view.typing = Some(Typing::export(name));
        self.name_changed();
    }

    pub(super) fn name_draft(&mut self) -> Option<&mut NameDraft> {
        match &mut self.model.view.typing.as_mut()?.purpose {
            Purpose::Export(draft) => Some(draft),
            Purpose::Search(_) | Purpose::Filter(_) | Purpose::Line(_) | Purpose::Refused(_) => {
                None
            }
        }
    }

    /// The name in the line has changed.
    pub(super) fn name_changed(&mut self) {
        let Some(name) = self.model.view.typing.as_ref().map(|typing| typing.input.value()) else {
            return;
        };
        let draft = NameDraft::new(name);
        let name = draft.name.clone();
        if let Some(now) = self.name_draft() {
            *now = draft;
        }
        self.effect(Effect::CheckName(name));
    }

    /// A command on the line.
    pub(super) fn end_export(&mut self, command: KeyCommand) {
        self.model.view.hint = None;
        match command {
            KeyCommand::Close => self.model.view.typing = None,
            KeyCommand::Enter => self.export(),
            KeyCommand::Focus(step) => self.next_format(step),
            _ => {}
        }
    }

    /// Gives the name the ending of the next format that this screen can be written in.
    fn next_format(&mut self, step: Step) {
        let Some((_, screen)) = self.model.shown() else {
            return;
        };
        let is_messages = screen.exportable(&self.model.view).is_messages;
        let endings = ExportForm::ALL.into_iter().filter_map(|(_, ending, form)| {
            let is_table = matches!(form, ExportForm::Table(_));
            let is_supported = match form {
                ExportForm::Table(format) => format.is_supported(),
                _ => true,
            };
            ((is_table || is_messages) && is_supported).then_some(ending)
        });
        // Packets follow tables: they are written as often.
        let mut endings: Vec<_> = endings.collect();
        if let Some(at) = endings.iter().position(|ending| *ending == PACKETS) {
            let packets = endings.remove(at);
            endings.insert(1.min(endings.len()), packets);
        }
        let Some(typing) = &mut self.model.view.typing else {
            return;
        };
        let name = typing.input.value();
        let (stem, now) = name.rsplit_once('.').unwrap_or((name, ""));
        let at = endings.iter().position(|ending| *ending == now);
        let next = at.map_or(0, |at| step.around(at, 0, endings.len()));
        if let Some(ending) = endings.get(next) {
            typing.input = Input::new(format!("{stem}.{ending}"));
            self.name_changed();
        }
    }

    fn export(&mut self) {
        let Some((_, screen)) = self.model.shown() else {
            return;
        };
        let exportable = screen.exportable(&self.model.view);
        let what = screen.export(self.session, &self.model.view);
        let known = self.model.view.known.clone();
        let Some(draft) = self.name_draft().filter(|d| d.error(&exportable, &known).is_none())
        else {
            return;
        };
        if draft.needs_confirmation() {
            draft.is_confirmed = true;
            return;
        }
        let (Some(form), Some(what)) = (draft.form, what) else {
            return;
        };
        let name = draft.name.clone();
        self.model.view.typing = None;
        let keeps_comments = form == ExportForm::Packets;
        let what = if keeps_comments {
            what.commented(self.model.view.notes.comments.clone())
        } else {
            what
        };
        let running = RunningExport::new(name.clone(), exportable.count as u64, keeps_comments);
        self.model.export = Some(running);
        self.effect(Effect::Export { name, form, what });
    }

    /// An export has ended: what it wrote, or the error.
    pub(super) fn exported(&mut self, result: Result<String, String>) {
        let running = self.model.export.take();
        if result.is_ok() && running.is_some_and(|running| running.keeps_comments) {
            self.model.view.notes.has_new_comments = false;
        }
        let (Ok(text) | Err(text)) = result;
        self.hint(text);
    }

    /// Quits; where something would be lost, only at the second request in a row.
    pub(super) fn quit(&mut self) {
        let (quit, export) = (self.key(KeyCommand::Quit), self.key(KeyCommand::Export));
        let view = &self.model.view;
        let loss = match &self.model.export {
            Some(running) => {
                Some(format!("still {}; {quit} again quits without it", running.progress()))
            }
            None if view.notes.has_new_comments => Some(format!(
                "the comments are not kept: {export} to a .pcapng writes them; {quit} again quits"
            )),
            None if self.model.is_unsaved && view.known.messages > 0 => Some(format!(
                "the captured packets are not kept: -w writes them; {quit} again quits"
            )),
            None => None,
        };
        if let Some(loss) = loss.filter(|_| !std::mem::replace(&mut self.model.is_quitting, true)) {
            return self.hint(loss);
        }
        self.remember_view();
        self.effect(Effect::Terminal(TerminalCommand::Quit));
    }
}
