//! What a screen is, and what it works with.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::related::RelatedMessages;
use crate::analysis::{AnalysisIndex, Session};
use crate::export::SessionExport;
use crate::filter::Filter;
use crate::tui::action::{Answer, Effect, KeyCommand, Step, TerminalCommand};
use crate::tui::export::Exportable;
use crate::tui::session::Growth;
use crate::tui::text::{counted, grouped};
use crate::tui::view_state::ViewState;

/// The names of the screens that others lead to.
pub const MESSAGES: &str = "messages";
pub const LADDER: &str = "ladder";

/// A screen by its name.
pub struct ScreenInfo {
    pub name: &'static str,
    /// What the help says of it.
    pub help: &'static str,
    pub new: fn() -> Box<dyn Screen>,
}

/// Commands and their words in the footer; if space is short, those at the end stay.
pub type FooterKeys = &'static [(KeyCommand, &'static str)];

/// A screen: its own state, what keys and the mouse do to it, and how it is drawn.
pub trait Screen {
    /// What the footer shows.
    fn keys(&self) -> FooterKeys;

    /// The position of the cursor: `3 of 27 messages`; empty if there is nothing.
    fn position(&self) -> String;

    /// The number of rows beside its name, and how it is painted; none if it is not known.
    fn count(&self) -> Option<(usize, Style)> {
        None
    }

    /// The state of a running search, and the active filter with how many rows match.
    fn search_state(&self) -> Option<String> {
        None
    }
    fn filter_state(&self, _: &ViewState) -> Option<(String, String)> {
        None
    }

    /// The session index of the message under the cursor.
    fn message(&self) -> Option<usize> {
        None
    }

    /// The messages of the row under the cursor; if there are none, a hint says why.
    fn related(&mut self, _: &mut ScreenContext<'_>) -> Option<RelatedMessages> {
        None
    }

    /// It will be shown.
    fn enter(&mut self, arrival: Arrival, cx: &mut ScreenContext<'_>);

    /// The session has grown; all screens are told.
    fn grown(&mut self, growth: Growth, cx: &mut ScreenContext<'_>);

    /// The terminal's size or a format has changed.
    fn reformat(&mut self, _: &mut ScreenContext<'_>) {}

    /// Executes a command; false if it has no meaning here.
    fn command(&mut self, command: KeyCommand, cx: &mut ScreenContext<'_>) -> bool;

    fn click(&mut self, at: Position, cx: &mut ScreenContext<'_>);

    /// A step of the wheel.
    fn wheel(&mut self, at: Position, step: Step, cx: &mut ScreenContext<'_>);

    /// Takes the result of an effect.
    fn answer(&mut self, _: Answer, _: &mut ScreenContext<'_>) {}

    /// A search text was typed; with `None`, typing was cancelled.
    fn search(&mut self, _: Option<&str>, _: &mut ScreenContext<'_>) {}

    /// Applies a filter; without one, shows all rows.
    fn filter(&mut self, _: Option<Filter>, _: &mut ScreenContext<'_>) {}

    /// What an export would write, in words.
    fn exportable(&self, view: &ViewState) -> Exportable;

    /// What an export writes; `None` until it is known.
    fn export(&self, session: &Session) -> Option<SessionExport>;

    /// Renders the visible rows; called after every event, if the screen is shown.
    fn fill(&mut self, cx: &mut ScreenContext<'_>);

    fn draw(&self, view: &ViewState, area: Rect, buffer: &mut Buffer);
}

/// How a screen comes to be shown.
pub enum Arrival {
    /// By its key; with the message that was selected, and whether it is shown already.
    Key {
        message: Option<usize>,
        is_shown: bool,
    },
    /// For these messages.
    Visit(RelatedMessages),
    Back,
}

/// What a screen works with.
pub struct ScreenContext<'a> {
    pub session: &'a Session,
    pub view: &'a mut ViewState,
    /// Whether this screen is shown, and whether Esc leads to another one.
    pub is_shown: bool,
    pub can_go_back: bool,
    pub effects: Vec<Effect>,
    /// Where to go after the event.
    pub request: Option<Request>,
}

/// Another screen to be shown.
pub enum Request {
    /// To the previous screen, or to the messages.
    Back,
    Visit(&'static str, RelatedMessages),
}

impl ScreenContext<'_> {
    pub fn hint(&mut self, text: impl Into<String>) {
        self.view.hint = Some(text.into());
    }

    pub fn copy(&mut self, text: String) {
        self.effects.push(Effect::Terminal(TerminalCommand::Copy(text)));
    }

    /// Requests the index of the messages so far, for a live capture or a pipe that has not ended.
    /// Their classification may still change.
    pub fn request_index(&mut self) {
        let session = self.session;
        let goes_on = !session.is_done() && session.progress().of.is_none();
        let reach = session.index().map_or(0, AnalysisIndex::reach);
        let index = &mut self.view.known.index;
        if goes_on && reach < session.len() && !index.is_requested {
            index.is_requested = true;
            self.effects.push(Effect::Index);
        }
    }

    /// The index does not have what was asked for yet.
    pub fn hint_no_index(&mut self) {
        self.request_index();
        self.hint(if self.view.known.index.is_requested {
            "the messages so far are being analysed; try again in a moment"
        } else {
            "exchanges are known when everything has been read"
        });
    }
}

/// `3 of 27 messages`.
pub fn position(at: usize, len: usize, noun: &str) -> String {
    let all = counted(len as u64, noun);
    if len == 0 { all } else { format!("{} of {all}", grouped(at as u64 + 1)) }
}
