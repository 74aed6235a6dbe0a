//! Events of the interface, and the effects that they request.

use ratatui::layout::Position;
use tui_input::InputRequest;

use super::export::NameState;
use super::screens::messages::open::OpenMessage;
use super::search::SearchQuery;
use crate::analysis::MessageHeader;
use crate::export::{ExportForm, SessionExport};
use crate::filter::Filter;
use crate::render::{Separators, TextRun};

/// An event: user input, or the result of an effect.
pub enum Action {
    Command(KeyCommand),
    /// A change to the text that is being typed.
    Type(InputRequest),
    Click(Position),
    Wheel(Position, Step),
    Resize {
        width: u16,
        height: u16,
    },
    /// A key without a meaning here.
    Unknown,
    /// The session has grown, or is complete.
    Grown,
    /// The result of an effect, for the screen that requested it.
    Answer(usize, Answer),
    /// What exists under an export's name.
    NameChecked(String, NameState),
    /// How many messages or rows an export has written.
    Exporting(u64),
    /// An export has ended: what it wrote, or the error.
    Exported(Result<String, String>),
}

/// The command of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyCommand {
    Move(Motion),
    /// To the next pane, or the previous one.
    Focus(Step),
    /// Opens, folds or follows the item under the cursor.
    Enter,
    /// Closes what is open, or goes back.
    Back,
    Zoom,
    Search,
    /// Opens the filter line.
    Filter,
    /// Opens the line for an export's file name.
    Export,
    /// To the next match, or the previous one.
    SearchAgain(Step),
    /// To the request that this message answers.
    Request,
    /// To another screen, by its index.
    Show(usize),
    /// The ladder of a message's exchange, or of a row.
    Ladder,
    /// To the next message of the same exchange or finding, or the previous one.
    Related(Step),
    /// Stays at the last message while the session grows.
    Follow,
    Times,
    Separators,
    /// Texts in their colours, or with colour codes.
    Texts,
    Copy,
    CopyHex,
    Reasons,
    /// The specification of this message.
    Specification,
    Warnings,
    Help,
    Redraw,
    Quit,
}

/// A cursor movement; each pane interprets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    HalfUp,
    HalfDown,
    First,
    Last,
}

/// A direction: to the next item, or to the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Forward,
    Back,
}

/// An effect outside of the model.
pub enum Effect {
    /// Read and summarise these messages.
    Read(Vec<usize>),
    /// Decode a message with its fields.
    Open(usize, Separators),
    /// Search these messages, in this order.
    Search(SearchQuery, Vec<usize>),
    /// Test the next messages, from this one on, against a filter.
    Filter(Box<Filter>, usize),
    /// Build the index of the messages so far.
    Index,
    /// Check what exists under an export's name.
    CheckName(String),
    Export {
        name: String,
        form: ExportForm,
        what: SessionExport,
    },
    StopExport,
    Terminal(TerminalCommand),
}

/// An effect on the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TerminalCommand {
    /// Copy a text to the clipboard.
    Copy(String),
    /// Redraw everything.
    Redraw,
    Quit,
}

/// The result of a screen's effect.
pub enum Answer {
    Rows(Vec<MessageRow>),
    Opened(Box<OpenMessage>),
    /// A payload that could not be read again, with the reason.
    Unreadable(String),
    /// The progress of a search: the match, or none among the messages of the effect.
    Searched(Option<usize>),
    /// The progress of a filter: the indices of further matching messages, in order, and how many
    /// messages have been tested.
    Filtered(Vec<u32>, usize),
}

/// A message that was read for a row.
#[derive(Debug, Clone)]
pub struct MessageRow {
    /// Its session index.
    pub index: usize,
    pub header: MessageHeader,
    /// Escaped and masked.
    pub summary: String,
    /// The same as coloured text, without colour codes.
    pub runs: Vec<TextRun>,
    /// Whether it has a fault, lacks bytes or cannot be read.
    pub is_faulty: bool,
}

impl Step {
    /// The position after `at`, or before it, among `first..len`; around the end.
    pub fn around(self, at: usize, first: usize, len: usize) -> usize {
        match self {
            Self::Forward if at + 1 < len => at + 1,
            Self::Forward => first,
            Self::Back if at > first => at - 1,
            Self::Back => len.saturating_sub(1),
        }
    }
}
