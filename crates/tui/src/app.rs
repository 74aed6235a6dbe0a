//! Executes effects and returns their results: the interface without its terminal.

mod inputs;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use crossterm::event::{Event, KeyEventKind};
use parking_lot::Mutex;
use ratatui::Frame;

use super::action::{Action, Answer, Effect, KeyCommand, ReferenceView, TerminalCommand};
use super::clicks::Clicks;
use super::configure::configure;
use super::export::Saves;
use super::export_thread::ExportThread;
use super::format::TextDisplay;
use super::history::HistoryFile;
use super::keys;
use super::model::Model;
use super::options::{Options, ReferenceFn};
use super::questions::Questions;
use super::reader::MessageReader;
use super::session::SessionSummary;
use super::typing::Typing;
use super::update::update;
use super::view;
use super::work::{WorkKind, Workers};
use analysis::Session;
use export::{ExportForm, SessionExport};
use flow::FlowId;
use protocol::Game;
use render::Colour;
use text::Secrets;

/// From how many percent of the index on it is nearly complete.
const NEARLY: usize = 90;

/// The interface: a model, a session, and pending work.
pub struct App {
    model: Model,
    session: Arc<Mutex<Session>>,
    /// The session that grows, while the display is paused and a copy of it is shown.
    growing: Option<Arc<Mutex<Session>>>,
    secrets: Secrets,
    reader: MessageReader,
    workers: Workers,
    saves: Saves,
    reference: Option<Box<ReferenceFn>>,
    export: Option<ExportThread>,
    commands: Vec<TerminalCommand>,
    /// The flow and its game, if one was chosen, with which the input is to be read again.
    decode_as: Option<(FlowId, Option<&'static Game>)>,
    /// The path of another capture that is to be read.
    open_file: Option<String>,
    questions: Questions,
    clicks: Clicks,
    history: HistoryFile,
    /// What was typed after a search was entered: commands if it finds something, else text.
    held: Vec<Event>,
}

impl App {
    /// An interface on a session that may still grow.
    pub fn new(session: Arc<Mutex<Session>>, options: Options) -> Self {
        let texts = match options.colour {
            Colour::Plain => TextDisplay::AsSent,
            Colour::Ansi => TextDisplay::Coloured,
        };
        let mut app = Self {
            model: Model::new(options.title, options.saves.stem.clone(), texts),
            workers: Workers::new(Arc::clone(&session), options.secrets),
            session,
            growing: None,
            secrets: options.secrets,
            reader: MessageReader::new(options.secrets),
            saves: options.saves,
            reference: options.reference,
            export: None,
            commands: Vec::new(),
            decode_as: None,
            open_file: None,
            questions: Questions::new(options.questions),
            clicks: Clicks::default(),
            history: options.history,
            held: Vec::new(),
        };
        app.model.file = options.file.unwrap_or_default();
        app.model.is_unsaved = options.is_unsaved;
        let view = &mut app.model.view;
        view.themes = options.themes;
        view.names.hosts = options.hosts;
        view.zone = options.zone;
        view.history = app.history.begin().clone();
        view.shows_secrets = options.secrets == Secrets::Shown;
        view.hides_unknown = !app.session.lock().flows().shows_unknown();
        let mut config = options.config;
        configure(&mut app.model, &mut config);
        app.reader = MessageReader::new(options.secrets).coloured(&app.model.view.colours);
        app.model.view.notices.extend(app.history.warning().map(str::to_owned));
        if let Some(filter) = options.filter {
            app.act(Action::Filter(Box::new(filter)));
        }
        let screen = options.screen.unwrap_or(config.screen);
        if screen != app.model.view.shown {
            app.act(Action::Command(KeyCommand::Show(screen)));
        }
        app.act(Action::Restorable);
        if let Some(error) = config.errors().first() {
            app.model.view.hint = Some(error.hint());
        }
        if let Some(sort) = options.sort {
            app.act(Action::Sort(Box::new(sort)));
        }
        app
    }

    /// Draws everything, for the size that the frame has.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        if self.model.view.size != (area.width, area.height) {
            self.act(Action::Resize { width: area.width, height: area.height });
        }
        view::draw(&self.model, frame.buffer_mut());
    }

    /// Handles a terminal event.
    pub fn event(&mut self, event: &Event) {
        let action = match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                if self.model.view.typing.is_some() || self.model.menu.is_some() {
                    keys::typed(*key)
                } else {
                    self.model.view.keys.dispatch(*key)
                }
            }
            Event::Resize(width, height) => Action::Resize { width: *width, height: *height },
            Event::Paste(text) => Action::Paste(text.clone()),
            Event::Mouse(mouse) => match self.clicks.action(*mouse) {
                Some(action) => action,
                None => return,
            },
            _ => return,
        };
        let is_typed = matches!(event, Event::Key(_) | Event::Paste(_));
        match action {
            Action::Command(KeyCommand::Close) => self.held.clear(),
            Action::Command(KeyCommand::Redraw | KeyCommand::Suspend) => {}
            _ if is_typed && self.is_search_entered() => return self.held.push(event.clone()),
            _ => {}
        }
        self.act(action);
    }

    /// Whether a search was entered whose result is not known yet.
    fn is_search_entered(&self) -> bool {
        let view = &self.model.view;
        view.searching.is_some() && view.typing.as_ref().is_some_and(Typing::is_entered_search)
    }

    /// Takes new messages of the session and the results of work; returns whether work is running.
    pub fn tick(&mut self) -> bool {
        self.observe_session();
        if let Some((flow, game)) = self.decode_as.take() {
            self.read_again(flow, game);
        }
        if let Some(path) = self.open_file.take() {
            self.open(&path);
        }
        for action in self.workers.poll(Instant::now()) {
            self.act(action);
        }
        if !self.is_search_entered() {
            for event in std::mem::take(&mut self.held) {
                self.event(&event);
            }
        }
        self.watch_export();
        self.watch_questions();
        let view = &mut self.model.view;
        view.is_arranging = self.workers.is_long(view.shown, WorkKind::Arrange, Instant::now());
        if self.is_filling() {
            self.act(Action::Fill);
        }
        self.is_filling() || self.workers.are_busy() || self.questions.is_busy()
    }

    /// When waiting work begins.
    pub fn next_work(&self) -> Option<Instant> {
        self.workers.next_begin()
    }

    fn observe_session(&mut self) {
        if let Some(growing) = &self.growing {
            let (messages, is_done) = {
                let growing = growing.lock();
                (growing.len(), growing.is_done())
            };
            let new = messages.saturating_sub(self.model.view.known.messages);
            self.model.view.paused = Some(new).filter(|_| !is_done);
            if is_done {
                let copy = Arc::clone(&self.session);
                self.resume(&copy.lock());
            }
        }
        let known = &self.model.view.known;
        let now = SessionSummary::new(&self.session.lock(), known);
        if now != *known {
            self.act(Action::Grown);
        }
    }

    /// Shows a copy of the session, so that nothing on any screen changes.
    fn pause(&mut self, session: &Session) {
        let copy = Arc::new(Mutex::new(session.snapshot()));
        self.workers.set_session(Arc::clone(&copy));
        self.growing = Some(std::mem::replace(&mut self.session, copy));
    }

    /// Shows the session again that grows.
    fn resume(&mut self, copy: &Session) {
        let Some(growing) = self.growing.take() else {
            return;
        };
        growing.lock().take_index_of(copy);
        self.workers.set_session(Arc::clone(&growing));
        self.session = growing;
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

    /// Whether the index is about to be complete: its screens are shown as soon as it is.
    pub fn is_nearly_done(&self) -> bool {
        let known = &self.model.view.known;
        known.is_done && known.index.percent >= NEARLY
    }

    /// Whether the shown screen has more to do.
    fn is_filling(&self) -> bool {
        self.model.shown().is_some_and(|(_, screen)| screen.is_filling())
    }

    /// Whether an export is running.
    pub fn is_saving(&self) -> bool {
        self.export.is_some()
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
        let mut actions = VecDeque::from([action]);
        while let Some(action) = actions.pop_front() {
            let session = session.lock();
            let effects = update(&mut self.model, action, &session);
            for (screen, effect) in effects {
                actions.extend(self.execute(screen, effect, &session));
            }
        }
    }

    /// The answer to a message, or the message that is one, beside that of the reference.
    fn compare_reference(&self, session: &Session, index: usize) -> Result<ReferenceView, String> {
        let reference = self.reference.as_ref().ok_or("there is no reference here")?;
        let separators = self.model.view.format.separators;
        self.reader.beside(session, index, &reference(session, index)?, separators)
    }

    fn execute(&mut self, screen: usize, effect: Effect, session: &Session) -> Option<Action> {
        let answer = |answer: Answer| Action::Answer(screen, answer);
        match effect {
            Effect::Read(messages, columns) => {
                return Some(answer(self.reader.rows(session, &messages, &columns)));
            }
            Effect::Open(index, separators) => {
                return self.reader.open(session, index, separators).map(answer);
            }
            Effect::OpenMarked(at, index) => {
                let opened = self.reader.open(session, index, self.model.view.format.separators);
                return opened.map(|opened| match opened {
                    Answer::Opened(open) => answer(Answer::OpenedMarked(at, open)),
                    Answer::Unreadable(why) => Action::Note(why),
                    other => answer(other),
                });
            }
            Effect::CompareReference(index) => {
                let compared = self.compare_reference(session, index);
                return Some(answer(Answer::Reference(Box::new(compared))));
            }
            Effect::PrepareQuestion(row) => return Some(self.prepare_question(session, &row)),
            Effect::Ask(question) => return Some(self.ask(*question)),
            Effect::Begin(work) => self.workers.begin(screen, work, Instant::now()),
            Effect::Stop(kind) => self.workers.stop(screen, kind),
            Effect::CheckName(name) => {
                let state = self.saves.check(&name);
                return Some(Action::NameChecked(name, state));
            }
            Effect::Export { name, form, what } => return self.start_export(&name, what, form),
            Effect::RememberView(view) => {
                if let Err(error) = self.history.add_view(&view) {
                    let notice = format!("the history is not kept: {}", error.kind());
                    return Some(Action::Notice(notice));
                }
            }
            Effect::OpenFile(path) => self.open_file = Some(path),
            Effect::SavePacket(packet) => {
                let saved = self.saves.save_packet(&packet);
                let text = match saved {
                    Ok(name) => format!("1 packet written to {name}"),
                    Err(error) => format!("the packet was not written: {error}"),
                };
                return Some(Action::Note(text));
            }
            Effect::StopExport => {
                if let Some(export) = &self.export {
                    export.stop();
                }
            }
            Effect::ShowSecrets(shows) => {
                self.secrets = if shows { Secrets::Shown } else { Secrets::Masked };
                let colours = &self.model.view.colours;
                self.reader = MessageReader::new(self.secrets).coloured(colours);
                self.workers.set_secrets(self.secrets);
            }
            Effect::Pause(true) => self.pause(session),
            Effect::Pause(false) => self.resume(session),
            Effect::DecodeAs(flow, game) => self.decode_as = Some((flow, game)),
            Effect::Remember(kind, text) => {
                if let Err(error) = self.history.add_text(kind, &text) {
                    // Without the name of the temporary file, which differs each time.
                    let notice = format!("the history is not kept: {}", error.kind());
                    return Some(Action::Notice(notice));
                }
            }
            Effect::Terminal(command) => self.commands.push(command),
        }
        None
    }
}
