//! The state of the interface: the screen is a function of it.

use tui_input::Input;

use super::open::OpenMessage;
use super::page::Page;
use super::saving::{self, RunningExport};
use super::search::Search;
use super::sheet::Sheets;
use super::sieve::{ActiveFilter, FilterDraft};
use crate::analysis::MessageHeader;
use crate::render::{Separators, TextRun};

/// The state of the interface.
pub struct Model {
    /// The name of the input.
    pub title: String,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    pub list: MessageList,
    /// The visible rows, from `list.top`.
    pub rows: Vec<MessageRow>,
    /// The first rendered row, and whether rows must be rendered again.
    pub rows_from: usize,
    pub stale: bool,
    /// The message under the cursor.
    pub open: Option<OpenMessage>,
    pub focus: Pane,
    /// Whether the focused pane fills the screen.
    pub zoom: bool,
    pub clock: TimeDisplay,
    pub separators: Separators,
    pub texts: TextDisplay,
    pub overlay: Option<Overlay>,
    /// The text being typed, if any.
    pub typing: Option<Typing>,
    /// The active filter of the list.
    pub sieve: Option<ActiveFilter>,
    pub search: Search,
    /// The tabs other than the messages.
    pub sheets: Sheets,
    /// The prefix of export names, and the running export.
    pub saves_as: String,
    pub saving: Option<RunningExport>,
    /// A message about the last command; cleared by the next key.
    pub hint: Option<String>,
    pub known: SessionSummary,
}

/// A pane with a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    List,
    Fields,
    Bytes,
    /// The decoded text of a coded range.
    Coded,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct MessageList {
    /// The selected row.
    pub cursor: usize,
    /// The first visible row.
    pub top: usize,
    /// Whether the cursor stays at the end while the session grows.
    pub follow: bool,
    pub columns: Columns,
}

/// The widest text so far in each column of the list, so that scrolling moves no column.
#[derive(Debug, Clone, Copy, Default)]
pub struct Columns {
    pub number: usize,
    pub time: usize,
    pub source: usize,
    pub destination: usize,
    pub game: usize,
    pub message: usize,
}

/// One message of the list.
#[derive(Debug, Clone)]
pub struct MessageRow {
    pub header: MessageHeader,
    /// The time of the previous message.
    pub before: Option<i64>,
    /// Escaped and masked.
    pub summary: String,
    /// The same as coloured text, without colour codes.
    pub runs: Vec<TextRun>,
    pub is_faulty: bool,
}

/// The format of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeDisplay {
    /// Seconds since the first message.
    Relative,
    /// The time of day in UTC.
    Utc,
    /// Seconds since the message before.
    Delta,
}

/// How texts with colour codes are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextDisplay {
    /// Without the codes, in their colours.
    Coloured,
    AsSent,
}

/// A text over the panes.
#[derive(Debug, Clone)]
pub struct Overlay {
    pub kind: OverlayKind,
    pub top: usize,
}

#[derive(Debug, Clone)]
pub enum OverlayKind {
    Help,
    /// Why a flow was classified as a game's: a heading, and lines.
    Why(String, Vec<String>),
    Warnings,
    /// The specification of a protocol.
    Specification(Page),
}

/// A search, a filter or a name being typed.
#[derive(Debug, Clone)]
pub struct Typing {
    pub input: Input,
    /// The list before typing began.
    pub from: MessageList,
    pub asks: Asks,
}

/// The purpose of a typed text.
#[derive(Debug, Clone)]
pub enum Asks {
    Search,
    Filter(Box<FilterDraft>),
    Save(Box<saving::NameDraft>),
}

/// Counters and progress of the session.
#[derive(Debug, Clone, Default)]
pub struct SessionSummary {
    pub messages: usize,
    /// How many of the oldest are dropped.
    pub gone: usize,
    /// Packets dropped by the kernel and by fragshark, in a live capture.
    pub dropped: Option<[u64; 2]>,
    pub packets: u64,
    pub flows: usize,
    /// The time of the first message.
    pub first: Option<i64>,
    /// Bytes read, and the total.
    pub read: u64,
    pub of: Option<u64>,
    pub is_done: bool,
    pub warnings: Vec<String>,
}

impl Model {
    /// An empty model, in a terminal of unknown size.
    pub fn new(title: String) -> Self {
        Self {
            title,
            size: (0, 0),
            list: MessageList::default(),
            rows: Vec::new(),
            rows_from: 0,
            stale: false,
            open: None,
            focus: Pane::List,
            zoom: false,
            clock: TimeDisplay::Relative,
            separators: Separators::Hidden,
            texts: TextDisplay::Coloured,
            overlay: None,
            typing: None,
            sieve: None,
            search: Search::default(),
            sheets: Sheets::default(),
            saves_as: String::new(),
            saving: None,
            hint: None,
            known: SessionSummary::default(),
        }
    }
}

impl Model {
    /// How many rows the list has.
    pub fn len(&self) -> usize {
        self.sieve.as_ref().map_or(self.known.messages, ActiveFilter::len)
    }

    /// The first row that still exists: a long live capture drops the oldest messages.
    pub fn begin(&self) -> usize {
        let gone = self.known.gone;
        self.sieve.as_ref().map_or(gone, |sieve| sieve.begin(gone))
    }

    /// The session index of the message in a row.
    pub fn place(&self, row: usize) -> Option<usize> {
        match &self.sieve {
            Some(sieve) => sieve.place(row),
            None => Some(row).filter(|row| *row < self.known.messages),
        }
    }

    /// The row of a message, unless the filter hides it.
    pub fn row_of(&self, place: usize) -> Option<usize> {
        self.sieve.as_ref().map_or(Some(place), |sieve| sieve.row_of(place))
    }
}

impl Pane {
    /// In the order of Tab.
    pub const ALL: [Self; 4] = [Self::List, Self::Fields, Self::Bytes, Self::Coded];

    /// The layer whose bytes it shows.
    pub fn layer(self) -> u8 {
        u8::from(self == Self::Coded)
    }
}

impl TextDisplay {
    pub fn next(self) -> Self {
        match self {
            Self::Coloured => Self::AsSent,
            Self::AsSent => Self::Coloured,
        }
    }
}

impl TimeDisplay {
    pub fn next(self) -> Self {
        match self {
            Self::Relative => Self::Utc,
            Self::Utc => Self::Delta,
            Self::Delta => Self::Relative,
        }
    }
}
