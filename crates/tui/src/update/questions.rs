//! Asking again: what the row leads to is shown first, and sent by a key of its own.

use super::Update;
use crate::action::Effect;
use crate::overlay::Overlay;
use crate::questions::{AnswerView, QuestionView};
use crate::screens::links::{LinkTarget, RowOrigin};
use crate::screens::related::RelatedMessages;
use protocol::Role;
use query::QuestionRow;

impl Update<'_> {
    /// Prepares the question that the row leads to.
    pub(super) fn begin_question(&mut self) {
        let Some(origin) = self.on_shown(|screen, cx| screen.origin(cx)) else {
            return self.hint("select a message, a server or a master to ask");
        };
        let RowOrigin { message, edited, servers, masters, host, .. } = origin;
        let (server, master) = (servers.first().copied(), masters.first().copied());
        let row = match host {
            Some((Role::Master, end)) => {
                QuestionRow { master: Some(end), ..QuestionRow::default() }
            }
            Some((_, end)) => QuestionRow { server: Some(end), ..QuestionRow::default() },
            None => QuestionRow { message, edited, server, master },
        };
        self.effect(Effect::PrepareQuestion(Box::new(row)));
    }

    /// Shows a question: it is sent by the key that the text names.
    pub(super) fn show_question(&mut self, question: Result<QuestionView, String>) {
        match question {
            Ok(view) => {
                self.model.overlay = Some(Overlay::question(view, self.model.view.size));
            }
            Err(why) => self.hint(why),
        }
    }

    /// Shows an answer, unless something else is open by now.
    pub(super) fn show_answer(&mut self, answer: Result<AnswerView, String>) {
        let is_free = self.model.overlay.is_none()
            && self.model.menu.is_none()
            && self.model.view.typing.is_none();
        match answer {
            Ok(view) if is_free => {
                self.model.view.hint = None;
                self.model.overlay = Some(Overlay::answer(view, self.model.view.size));
            }
            Ok(AnswerView { heading, .. }) => self.hint(heading),
            Err(why) => self.hint(why),
        }
    }

    /// The exchange is in the session now, in these frames.
    pub(super) fn extended(&mut self, frames: Result<[u64; 2], String>) {
        match frames {
            Ok([first, last]) => {
                self.model.asked = Some([first, last]);
                self.hint(format!("the exchange is #{first} to #{last}"));
            }
            Err(why) => self.hint(format!("the exchange is not added: {why}")),
        }
    }

    /// Goes to the exchange that was added last.
    pub(super) fn show_exchange(&mut self) {
        if let Some([first, last]) = self.model.asked {
            let messages = (first..=last).filter(|number| self.session.find(*number).is_some());
            let related = RelatedMessages::new("the question".to_owned(), messages.collect());
            self.visit(LinkTarget::Messages(related));
        }
    }
}
