//! Executes effects and returns their results: the interface without its terminal.

use std::sync::Arc;

use crossterm::event::{Event, KeyEventKind, MouseButton, MouseEventKind};
use parking_lot::Mutex;
use ratatui::Frame;
use ratatui::layout::Position;

use super::action::{Action, Answer, Effect, Step, TerminalCommand};
use super::export::Saves;
use super::export_thread::ExportThread;
use super::format::TextDisplay;
use super::keys;
use super::model::Model;
use super::reader::MessageReader;
use super::search::SearchQuery;
use super::session::SessionSummary;
use super::update::update;
use super::view;
use crate::analysis::{IndexBuilder, Session};
use crate::export::{ExportForm, SessionExport};
use crate::filter::Filter;
use crate::render::Colour;
use crate::text::Secrets;

/// The interface: a model, a session, and pending work.
pub struct App {
    model: Model,
    session: Arc<Mutex<Session>>,
    colour: Colour,
    secrets: Secrets,
    reader: MessageReader,
    /// What is left to do: a search and a filter, each with the screen that requested it.
    searching: Option<(usize, SearchQuery, Vec<usize>)>,
    filtering: Option<(usize, Box<Filter>, usize)>,
    /// Builds the index of the messages so far, while requested.
    indexing: Option<IndexBuilder>,
    saves: Saves,
    export: Option<ExportThread>,
    commands: Vec<TerminalCommand>,
}

/// How many messages are indexed before the screen is drawn.
const INDEXED: usize = 2048;

impl App {
    /// An interface on a session that may still grow. `title` names the input, `saves` the
    /// directory of exports. Without colour, texts are shown with their colour codes.
    pub fn new(
        session: Arc<Mutex<Session>>,
        title: String,
        secrets: Secrets,
        colour: Colour,
        saves: Saves,
    ) -> Self {
        let texts = match colour {
            Colour::Plain => TextDisplay::AsSent,
            Colour::Ansi => TextDisplay::Coloured,
        };
        Self {
            model: Model::new(title, saves.stem.clone(), texts),
            session,
            colour,
            secrets,
            reader: MessageReader::new(secrets),
            searching: None,
            filtering: None,
            indexing: None,
            saves,
            export: None,
            commands: Vec::new(),
        }
    }

    /// Draws everything, for the size that the frame has.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        if self.model.view.size != (area.width, area.height) {
            self.act(Action::Resize { width: area.width, height: area.height });
        }
        view::draw(&self.model, self.colour, frame.buffer_mut());
    }

    /// Handles a terminal event.
    pub fn event(&mut self, event: &Event) {
        let action = match *event {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                keys::dispatch(key, self.model.view.typing.is_some())
            }
            Event::Resize(width, height) => Action::Resize { width, height },
            Event::Mouse(mouse) => {
                let at = Position::new(mouse.column, mouse.row);
                match mouse.kind {
                    MouseEventKind::Down(MouseButton::Left) => Action::Click(at),
                    MouseEventKind::ScrollDown => Action::Wheel(at, Step::Forward),
                    MouseEventKind::ScrollUp => Action::Wheel(at, Step::Back),
                    _ => return,
                }
            }
            _ => return,
        };
        self.act(action);
    }

    /// Takes new messages of the session, and continues a search and a filter; returns whether work
    /// is left to do at once.
    pub fn tick(&mut self) -> bool {
        let known = &self.model.view.known;
        if SessionSummary::of(&self.session.lock(), known) != *known {
            self.act(Action::Grown);
        }
        let session = Arc::clone(&self.session);
        if let Some((screen, query, messages)) = self.searching.take() {
            let answer = self.reader.search(&session.lock(), &query, &messages);
            self.act(Action::Answer(screen, answer));
        }
        if let Some((screen, filter, from)) = self.filtering.take() {
            let answer = self.reader.filter(&session.lock(), &filter, from);
            self.act(Action::Answer(screen, answer));
        }
        self.index();
        self.watch_export();
        self.searching.is_some() || self.filtering.is_some() || self.indexing.is_some()
    }

    /// The effects for the terminal.
    pub fn take_commands(&mut self) -> Vec<TerminalCommand> {
        std::mem::take(&mut self.commands)
    }

    /// Whether everything has been read and indexed.
    pub fn is_done(&self) -> bool {
        let known = &self.model.view.known;
        known.is_done && known.index.is_final && self.export.is_none()
    }

    /// Whether an export is running.
    pub fn is_saving(&self) -> bool {
        self.export.is_some()
    }

    /// Indexes some more of the messages.
    fn index(&mut self) {
        let Some(builder) = &mut self.indexing else {
            return;
        };
        let mut session = self.session.lock();
        if !builder.advance(&session, INDEXED)
            && let Some(builder) = self.indexing.take()
        {
            session.set_index(builder);
        }
    }

    /// Checks the progress of an export.
    fn watch_export(&mut self) {
        let Some(export) = &mut self.export else {
            return;
        };
        let (done, ended) = (export.done(), export.ended());
        if let Some(result) = ended {
            self.export = None;
            self.act(Action::Exported(result));
        } else if self.model.export.as_ref().is_some_and(|running| running.done != done) {
            self.act(Action::Exporting(done));
        }
    }

    /// Starts an export.
    fn start_export(
        &mut self,
        name: &str,
        what: SessionExport,
        form: ExportForm,
    ) -> Option<Action> {
        let session = Arc::clone(&self.session);
        match ExportThread::start(&self.saves, name, (what, form), session, self.secrets) {
            Ok(export) => self.export = Some(export),
            Err(error) => return Some(Action::Exported(Err(error))),
        }
        None
    }

    fn act(&mut self, action: Action) {
        let session = Arc::clone(&self.session);
        let mut actions = vec![action];
        while let Some(action) = actions.pop() {
            let session = session.lock();
            for (screen, effect) in update(&mut self.model, action, &session) {
                let answer = |answer: Answer| Action::Answer(screen, answer);
                match effect {
                    Effect::Read(messages) => {
                        actions.push(answer(self.reader.rows(&session, &messages)));
                    }
                    Effect::Open(index, separators) => {
                        let opened = self.reader.open(&session, index, separators);
                        actions.extend(opened.map(answer));
                    }
                    Effect::Search(query, messages) => {
                        self.searching = Some((screen, query, messages));
                    }
                    Effect::Filter(filter, from) => self.filtering = Some((screen, filter, from)),
                    Effect::Index => self.indexing = Some(session.index_builder()),
                    Effect::CheckName(name) => {
                        let state = self.saves.check(&name);
                        actions.push(Action::NameChecked(name, state));
                    }
                    Effect::Export { name, form, what } => {
                        actions.extend(self.start_export(&name, what, form));
                    }
                    Effect::StopExport => {
                        if let Some(export) = &self.export {
                            export.stop();
                        }
                    }
                    Effect::Terminal(command) => self.commands.push(command),
                }
            }
        }
    }
}
