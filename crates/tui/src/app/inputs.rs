//! What is read besides the session that is shown: its inputs again, another capture, and what was
//! said with a server or a master.

use std::sync::Arc;

use super::App;
use crate::action::Action;
use crate::loading::load;
use crate::overlay::columns;
use crate::questions::QuestionView;
use analysis::Session;
use flow::FlowId;
use protocol::Game;
use query::{QuestionRow, SessionQuestion};

impl App {
    /// Reads the input again in a thread of its own, with another game for a flow.
    pub(super) fn read_again(&mut self, flow: FlowId, game: Option<&'static Game>) {
        self.questions.begin_again();
        let again = self.session.lock().again(flow, game, self.workers.threads());
        let started = again.map_err(|error| error.to_string()).and_then(|(session, loader)| {
            *self.session.lock() = session;
            load(loader, &self.session).map_err(|error| error.to_string())
        });
        match started {
            Ok(_) => self.act(Action::ReadAgain),
            Err(error) => self.act(Action::Note(format!("cannot be read again: {error}"))),
        }
    }

    /// Reads another capture in place of this one.
    pub(super) fn open(&mut self, path: &str) {
        let opened = self.session.lock().other(path.into(), self.workers.threads());
        let started = opened.map_err(|error| error.to_string()).and_then(|(session, loader)| {
            *self.session.lock() = session;
            load(loader, &self.session).map_err(|error| error.to_string())
        });
        match started {
            Ok(_) => {
                self.questions.forget();
                self.saves.inputs.push(path.into());
                let full = std::path::absolute(path).unwrap_or_else(|_| path.into());
                self.act(Action::Opened(full.display().to_string()));
            }
            Err(error) => self.act(Action::Note(error)),
        }
    }

    /// Takes answers to questions, and adds what was said to the session.
    pub(super) fn watch_questions(&mut self) {
        if let Some(asked) = self.questions.poll() {
            let session = Arc::clone(&self.session);
            let columns = columns(self.model.view.size);
            let view = asked.map(|asked| self.reader.answer_view(&session.lock(), &asked, columns));
            self.act(Action::Asked(Box::new(view)));
        }
        let is_read = self.growing.is_none() && {
            let session = self.session.lock();
            session.is_index_final() || session.counters().is_some()
        };
        if is_read && let Some(added) = self.questions.extend(&self.session, self.workers.threads())
        {
            self.observe_session();
            self.act(Action::Extended(added));
        }
    }

    /// The question that a row leads to, as text.
    pub(super) fn prepare_question(&self, session: &Session, row: &QuestionRow) -> Action {
        let question = SessionQuestion::of(session, row).map_err(|why| why.to_string());
        let view = &self.model.view;
        let shown = |question| QuestionView::new(question, &view.keys, columns(view.size));
        Action::QuestionReady(Box::new(question.map(shown)))
    }

    /// Sends a question.
    pub(super) fn ask(&mut self, question: SessionQuestion) -> Action {
        let to = question.to();
        Action::Note(match self.questions.ask(question) {
            Ok(()) => format!("asking {to}"),
            Err(why) => why.to_owned(),
        })
    }
}
