//! All that the interface knows: what is drawn is a function of this.

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
    /// What is open, in words.
    pub title: String,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    pub list: MessageList,
    /// The rows on screen, from `list.top`.
    pub rows: Vec<MessageRow>,
    /// Which row of the list they begin with, and whether they are to be made anew.
    pub rows_from: usize,
    pub stale: bool,
    /// The message under the cursor.
    pub open: Option<OpenMessage>,
    pub focus: Pane,
    /// Whether the focused pane has the screen for itself.
    pub zoom: bool,
    pub clock: TimeDisplay,
    pub separators: Separators,
    pub texts: TextDisplay,
    pub overlay: Option<Overlay>,
    /// What is being typed, while it is.
    pub typing: Option<Typing>,
    /// The filter that the list is shown through.
    pub sieve: Option<ActiveFilter>,
    pub search: Search,
    /// The screens beside the messages.
    pub sheets: Sheets,
    /// What the names of exports begin with, and the one that is being written.
    pub saves_as: String,
    pub saving: Option<RunningExport>,
    /// A word on what was just done; gone with the next key.
    pub hint: Option<String>,
    pub known: SessionSummary,
}

/// A part of the screen that has a cursor.
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
    /// The row under the cursor.
    pub cursor: usize,
    /// The first row on screen.
    pub top: usize,
    /// Whether the cursor stays at the end while messages come.
    pub follow: bool,
    pub columns: Columns,
}

/// The widest text that each column of the list has shown, so that scrolling moves no column.
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
    /// When the message before it came.
    pub before: Option<i64>,
    /// Escaped and masked.
    pub summary: String,
    /// The same in colours, without their codes.
    pub runs: Vec<TextRun>,
    pub is_faulty: bool,
}

/// How times are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeDisplay {
    /// Seconds since the first message.
    Relative,
    /// The time of day in UTC.
    Utc,
    /// Seconds since the message before.
    Delta,
}

/// How texts are shown that carry the codes of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextDisplay {
    /// The codes are hidden, and do what they say.
    Coloured,
    AsSent,
}

/// A text that lies over the panes.
#[derive(Debug, Clone)]
pub struct Overlay {
    pub kind: OverlayKind,
    pub top: usize,
}

#[derive(Debug, Clone)]
pub enum OverlayKind {
    Help,
    /// Why a flow is held to be of a game: a heading, and lines.
    Why(String, Vec<String>),
    Warnings,
    /// The specification of a protocol.
    Specification(Page),
}

/// A search, a filter or a name that is being typed.
#[derive(Debug, Clone)]
pub struct Typing {
    pub input: Input,
    /// Where the list stood before.
    pub from: MessageList,
    pub asks: Asks,
}

/// What a typed text asks for.
#[derive(Debug, Clone)]
pub enum Asks {
    Search,
    Filter(Box<FilterDraft>),
    Save(Box<saving::NameDraft>),
}

/// What is known of the session as a whole.
#[derive(Debug, Clone, Default)]
pub struct SessionSummary {
    pub messages: usize,
    /// How many of the first of them are forgotten.
    pub gone: usize,
    /// Packets dropped by the kernel and by us, in a live capture.
    pub dropped: Option<[u64; 2]>,
    pub packets: u64,
    pub flows: usize,
    /// When the first message came.
    pub first: Option<i64>,
    /// Bytes read, and bytes that there are.
    pub read: u64,
    pub of: Option<u64>,
    pub is_done: bool,
    pub warnings: Vec<String>,
}

impl Model {
    /// A model of nothing yet, in a terminal of no size yet.
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

    /// The first row that is still there: of a long live capture the oldest messages are forgotten.
    pub fn begin(&self) -> usize {
        let gone = self.known.gone;
        self.sieve.as_ref().map_or(gone, |sieve| sieve.begin(gone))
    }

    /// The place in the session of the message in a row.
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
    /// In the order that Tab goes through.
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
