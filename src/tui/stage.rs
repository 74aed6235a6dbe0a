//! Executes effects and returns their results: the interface without its terminal.

use std::ops::Range;
use std::sync::Arc;

use crossterm::event::{Event, KeyEventKind, MouseButton, MouseEventKind};
use parking_lot::Mutex;
use ratatui::Frame;

use super::action::{Action, Effect, Searched, Toggle};
use super::keys;
use super::model::{MessageRow, Model, TextDisplay};
use super::open::OpenMessage;
use super::saving::Saves;
use super::search::SearchQuery;
use super::sheet::Tab;
use super::sheet::ladder::HeldMessage;
use super::sifter::FilterJob;
use super::update::update;
use super::view;
use super::writer::ExportThread;
use crate::analysis::{AnalysisIndex, CapturedMessage, IndexBuilder, MessageHeader, Session};
use crate::export::{ExportForm, Selection, SessionExport};
use crate::protocol::Reading;
use crate::render::{self, Colour, Mask, Separators};
use crate::text::Secrets;

/// How many messages a search tests before the screen is drawn.
const LOOK_AT: usize = 256;

/// The interface: a model, a session, and pending work.
pub struct App {
    model: Model,
    session: Arc<Mutex<Session>>,
    colour: Colour,
    reader: RowReader,
    sifter: FilterJob,
    find: Option<Effect>,
    /// Where filtering continues.
    sift: Option<usize>,
    /// Builds the index of the messages so far, while requested.
    keeper: Option<IndexBuilder>,
    saves: Saves,
    writer: Option<ExportThread>,
    outward: Vec<Effect>,
    seen: (usize, u64, u64, bool, usize, u64),
    /// How many messages the index has, how many it will have, and whether that number is final.
    booked: (usize, Option<usize>, bool),
}

/// How many messages are indexed before the screen is drawn.
const KEEP: usize = 2048;

/// Buffers for rendering rows, reused.
#[derive(Default)]
struct RowReader {
    payload: Vec<u8>,
    reading: Reading,
    text: String,
    secrets: Secrets,
}

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
        let reader = RowReader { secrets, ..RowReader::default() };
        let sifter = FilterJob::new(secrets);
        let mut model = Model::new(title);
        model.saves_as.clone_from(&saves.stem);
        if colour == Colour::Plain {
            model.texts = TextDisplay::AsSent;
        }
        let seen = (usize::MAX, 0, 0, false, 0, 0);
        Self {
            model,
            session,
            colour,
            reader,
            sifter,
            find: None,
            sift: None,
            keeper: None,
            saves,
            writer: None,
            outward: Vec::new(),
            seen,
            booked: (0, None, false),
        }
    }

    /// Draws everything, for the size that the frame has.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        if self.model.size != (area.width, area.height) {
            self.act(Action::Resize { width: area.width, height: area.height });
        }
        view::draw(&self.model, self.colour, frame.buffer_mut());
    }

    /// Handles a terminal event.
    pub fn event(&mut self, event: &Event) {
        let action = match *event {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                keys::dispatch(key, self.model.typing.is_some())
            }
            Event::Resize(width, height) => Action::Resize { width, height },
            Event::Mouse(mouse) => {
                let (column, row) = (mouse.column, mouse.row);
                match mouse.kind {
                    MouseEventKind::Down(MouseButton::Left) => Action::Click { column, row },
                    MouseEventKind::ScrollDown => {
                        Action::Wheel { column, row, turn: Toggle::Forward }
                    }
                    MouseEventKind::ScrollUp => Action::Wheel { column, row, turn: Toggle::Back },
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
        let (seen, booked) = {
            let session = self.session.lock();
            let reach = session.index().map(AnalysisIndex::reach);
            let booked = (session.indexed(), reach, session.is_index_final());
            let warnings = session.warnings().len();
            let (packets, read) = (session.packets(), session.progress().read);
            let dropped = session.counters().map_or(0, |c| c.dropped_by_kernel + c.dropped_by_us);
            ((session.len(), packets, read, session.is_done(), warnings, dropped), booked)
        };
        if seen != self.seen || booked != self.booked {
            (self.seen, self.booked) = (seen, booked);
            self.act(Action::Grown);
        }
        if let Some(Effect::Find { query, next, left, turn }) = self.find.take()
            && self.model.search.running.is_some()
        {
            let session = Arc::clone(&self.session);
            let searched = self.reader.find(&session.lock(), &self.model, &query, next, left, turn);
            self.act(Action::Searched(searched));
        }
        if let (Some(from), Some(sieve)) = (self.sift.take(), &self.model.sieve) {
            let sifted = self.sifter.sift(&self.session.lock(), &sieve.filter, from);
            self.act(Action::Sifted(sifted));
        }
        self.keep();
        self.look_on();
        self.find.is_some() || self.sift.is_some() || self.keeper.is_some()
    }

    /// The effects for the terminal: copy, redraw, quit.
    pub fn take(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.outward)
    }

    /// Whether everything has been read and indexed.
    pub fn is_done(&self) -> bool {
        self.model.known.is_done && self.booked.2 && self.writer.is_none()
    }

    /// Whether an export is running.
    pub fn is_saving(&self) -> bool {
        self.writer.is_some()
    }

    /// Indexes some more of the messages.
    fn keep(&mut self) {
        let Some(keeper) = &mut self.keeper else {
            return;
        };
        let mut session = self.session.lock();
        if !keeper.advance(&session, KEEP)
            && let Some(keeper) = self.keeper.take()
        {
            session.set_index(keeper);
        }
    }

    /// Checks the progress of an export.
    fn look_on(&mut self) {
        let Some(writer) = &self.writer else {
            return;
        };
        let (done, ended) = (writer.done(), writer.ended());
        if let Some(said) = ended {
            self.writer = None;
            self.act(Action::Saved(said));
        } else if self.model.saving.as_ref().is_some_and(|running| running.done != done) {
            self.act(Action::Saving(done));
        }
    }

    /// Starts an export of the current view.
    fn save(&mut self, session: &Session, name: &str, form: ExportForm) -> Option<Action> {
        let books = session.shared_index();
        let of_messages = |selection| SessionExport::of_messages("messages", selection);
        let of_index = |name| SessionExport::of_index(name, books?);
        let export = match self.model.sheets.shown {
            Tab::Messages => of_messages(match &self.model.sieve {
                Some(sieve) => {
                    let kept = sieve.places().get(self.model.begin()..).unwrap_or_default();
                    Selection::Some(kept.to_vec())
                }
                None => Selection::All(self.model.begin()..self.model.len()),
            }),
            Tab::Ladder => of_messages(match self.model.sheets.ladder.places() {
                Some(places) => Selection::Some(places.iter().map(|place| *place as u32).collect()),
                None => Selection::All(session.gone()..session.len()),
            }),
            Tab::Exchanges => of_index("exchanges"),
            Tab::Servers => of_index("servers"),
            Tab::Masters => of_index("masters"),
            Tab::Findings => of_index("findings"),
        };
        let Some(export) = export else {
            return Some(Action::Saved(Err("nothing is put together yet".to_owned())));
        };
        let (shared, secrets) = (Arc::clone(&self.session), self.reader.secrets);
        match ExportThread::start(&self.saves, name, (export, form), shared, secrets) {
            Ok(writer) => self.writer = Some(writer),
            Err(said) => return Some(Action::Saved(Err(said))),
        }
        None
    }

    fn act(&mut self, action: Action) {
        let mut actions = vec![action];
        while let Some(action) = actions.pop() {
            let session = Arc::clone(&self.session);
            let session = session.lock();
            for effect in update(&mut self.model, action, &session) {
                match effect {
                    Effect::Look(range) => {
                        actions.push(self.reader.rows(&session, &self.model, range));
                    }
                    Effect::Sift(from) => self.sift = Some(from),
                    Effect::Keep => self.keeper = Some(session.index_builder()),
                    Effect::Spot(name) => {
                        let spot = self.saves.look(&name);
                        actions.push(Action::Spotted(name, spot));
                    }
                    Effect::Save { name, form } => actions.extend(self.save(&session, &name, form)),
                    Effect::StopSaving => {
                        if let Some(writer) = &self.writer {
                            writer.stop();
                        }
                    }
                    Effect::Open(index) => {
                        let separators = self.model.separators;
                        actions.extend(self.reader.open(&session, index, separators));
                    }
                    Effect::Climb(messages) => {
                        actions.push(self.reader.rungs(&session, &messages));
                    }
                    Effect::Find { .. } => self.find = Some(effect),
                    Effect::Copy(_) | Effect::Redraw | Effect::Quit => self.outward.push(effect),
                }
            }
        }
    }
}

impl RowReader {
    fn rows(&mut self, session: &Session, model: &Model, range: Range<usize>) -> Action {
        let rows = range.filter_map(|row| {
            let index = model.place(row)?;
            let header = session.header(index)?;
            let before = row.checked_sub(1).and_then(|row| model.place(row));
            let before = before.and_then(|before| session.header(before)).map(|h| h.time);
            let (summary, is_faulty) = self.summary(session, index);
            let (reading, payload) = (&self.reading, &self.payload);
            let mask = Mask::of(reading, self.secrets);
            let runs =
                render::summary_in_colour(header.entry, reading, payload, header.missing, mask);
            Some(MessageRow { header, before, summary, runs, is_faulty })
        });
        Action::Rows(rows.collect())
    }

    /// Messages for the arrows of a ladder; one that cannot be read again says so.
    fn rungs(&mut self, session: &Session, messages: &[usize]) -> Action {
        let held = messages.iter().filter_map(|index| {
            let header = session.header(*index)?;
            let (summary, _) = self.summary(session, *index);
            Some(HeldMessage { index: *index, header, summary })
        });
        Action::Held(held.collect())
    }

    /// A message's summary, and whether it has a fault, lacks bytes or cannot be read.
    fn summary(&mut self, session: &Session, index: usize) -> (String, bool) {
        let mut summary = String::new();
        match session.message(index, &mut self.payload) {
            Ok(Some(message)) => {
                let CapturedMessage { header: MessageHeader { entry, missing, .. }, payload } =
                    message;
                self.reading.read_part(entry, payload, missing);
                let mask = Mask::of(&self.reading, self.secrets);
                render::summary(&mut summary, entry, &self.reading, payload, missing, mask);
                (summary, missing > 0 || self.reading.fault().is_some())
            }
            Ok(None) => (summary, false),
            Err(error) => (format!("cannot be read again: {error}"), true),
        }
    }

    fn open(&mut self, session: &Session, index: usize, separators: Separators) -> Option<Action> {
        let mut payload = Vec::new();
        let header = match session.message(index, &mut payload) {
            Ok(message) => message?.header,
            Err(error) => {
                return Some(Action::Unreadable(format!("cannot be read again: {error}")));
            }
        };
        let mut open = OpenMessage::new(index, header, payload, self.secrets, separators);
        open.comment = session.comment(header.number).map(str::to_owned);
        Some(Action::Opened(Box::new(open)))
    }

    /// Tests the next few rows of a search.
    fn find(
        &mut self,
        session: &Session,
        model: &Model,
        query: &SearchQuery,
        mut next: usize,
        mut left: usize,
        turn: Toggle,
    ) -> Searched {
        let (len, gone) = (model.len(), model.begin());
        for _ in 0..LOOK_AT.min(left) {
            let here = next;
            left -= 1;
            next = match turn {
                Toggle::Forward if here + 1 < len => here + 1,
                Toggle::Forward => gone,
                Toggle::Back if here > gone => here - 1,
                Toggle::Back => len.saturating_sub(1),
            };
            let place = model.place(here);
            let Some((place, header)) = place.and_then(|p| Some((p, session.header(p)?))) else {
                continue;
            };
            if self.has(session, query, place, &header) {
                return Searched { found: Some(here), next, left };
            }
        }
        Searched { found: None, next, left }
    }

    /// Whether a message's row or fields contain the searched text.
    fn has(
        &mut self,
        session: &Session,
        query: &SearchQuery,
        index: usize,
        header: &MessageHeader,
    ) -> bool {
        let (summary, _) = self.summary(session, index);
        if query.is_in_row(header, &summary, &mut self.text) {
            return true;
        }
        let mask = Mask::of(&self.reading, self.secrets);
        self.text.clear();
        let colours = header.entry.colours();
        render::prose(&mut self.text, &self.reading, &self.payload, mask, colours);
        query.is_in(&self.text)
    }
}
