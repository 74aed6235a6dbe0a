//! What may happen, and what is to be done about it.

use std::ops::Range;

use tui_input::InputRequest;

use super::model::MessageRow;
use super::open::OpenMessage;
use super::saving::Spot;
use super::search::SearchQuery;
use super::sheet::Tab;
use super::sheet::ladder::HeldMessage;
use crate::export::ExportForm;

/// Something that happened: a person did it, or an effect came back.
pub enum Action {
    Command(KeyCommand),
    /// A change to the text that is being typed.
    Type(InputRequest),
    Click {
        column: u16,
        row: u16,
    },
    Wheel {
        column: u16,
        row: u16,
        turn: Toggle,
    },
    Resize {
        width: u16,
        height: u16,
    },
    /// A key that means nothing here.
    Unknown,
    /// The session has grown, or is done.
    Grown,
    /// The rows that were asked for.
    Rows(Vec<MessageRow>),
    /// The message that was asked for.
    Opened(Box<OpenMessage>),
    /// A payload that could not be read again, and why.
    Unreadable(String),
    /// How far a search has come.
    Searched(Searched),
    /// How far a filter has come.
    Sifted(Sifted),
    /// The messages of the rungs that were asked for.
    Held(Vec<HeldMessage>),
    /// What the name of an export stands for.
    Spotted(String, Spot),
    /// How many messages or rows of an export have been written.
    Saving(u64),
    /// An export has ended: what it wrote, or why it did not.
    Saved(Result<String, String>),
}

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyCommand {
    Move(Motion),
    /// To the next pane, or the one before.
    Focus(Toggle),
    /// Opens, folds or follows what is under the cursor.
    Enter,
    /// Closes what lies on top, or goes back to the list.
    Back,
    Zoom,
    Search,
    /// Asks for a filter.
    Filter,
    /// Asks for a file to write what is shown to.
    Save,
    /// To the next match, or the one before.
    Again(Toggle),
    /// To the request that this message answers.
    Request,
    /// To another screen.
    Show(Tab),
    /// The ladder of what a message or row belongs to.
    Ladder,
    /// To the next message of the same exchange or finding, or the one before.
    Marked(Toggle),
    /// Stays at the last message while more come.
    Follow,
    Clock,
    Separators,
    /// Texts in their colours, or as they were sent.
    Texts,
    Copy,
    CopyHex,
    Why,
    /// The specification of this message.
    Specification,
    Warnings,
    Help,
    Redraw,
    Quit,
}

/// Where a cursor goes; each pane knows what that means to it.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toggle {
    Forward,
    Back,
}

/// How far a search has come.
#[derive(Debug, Clone, Copy)]
pub struct Searched {
    pub found: Option<usize>,
    /// Where to look next, and how many messages are left.
    pub next: usize,
    pub left: usize,
}

/// How far a filter has come.
#[derive(Debug, Clone)]
pub struct Sifted {
    /// The places of further messages that it means, in order.
    pub found: Vec<u32>,
    /// How many messages have been looked at.
    pub looked_at: usize,
}

/// What is to be done outside of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Make these rows of the list.
    Look(Range<usize>),
    /// Read a message again, with its fields.
    Open(usize),
    /// Look a little further for a match.
    Find {
        query: SearchQuery,
        next: usize,
        left: usize,
        turn: Toggle,
    },
    /// Put the next messages, from this one on, to the filter.
    Sift(usize),
    /// Read the messages of rungs again.
    Climb(Vec<usize>),
    /// Put the messages so far together.
    Keep,
    /// See what the name of an export stands for.
    Spot(String),
    /// Write what is shown.
    Save {
        name: String,
        form: ExportForm,
    },
    /// Stop writing.
    StopSaving,
    /// Put a text on the clipboard.
    Copy(String),
    /// Draw everything anew.
    Redraw,
    Quit,
}
