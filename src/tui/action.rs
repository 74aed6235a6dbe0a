//! Events of the interface, and the effects that they request.

use std::ops::Range;

use tui_input::InputRequest;

use super::model::MessageRow;
use super::open::OpenMessage;
use super::saving::Spot;
use super::search::SearchQuery;
use super::sheet::Tab;
use super::sheet::ladder::HeldMessage;
use crate::export::ExportForm;

/// An event: user input, or the result of an effect.
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
    /// A key without a meaning here.
    Unknown,
    /// The session has grown, or is complete.
    Grown,
    /// The requested rows.
    Rows(Vec<MessageRow>),
    /// The requested message.
    Opened(Box<OpenMessage>),
    /// A payload that could not be read again, with the reason.
    Unreadable(String),
    /// The progress of a search.
    Searched(Searched),
    /// The progress of a filter.
    Sifted(Sifted),
    /// The requested messages of ladder arrows.
    Held(Vec<HeldMessage>),
    /// What exists under an export's name.
    Spotted(String, Spot),
    /// How many messages or rows an export has written.
    Saving(u64),
    /// An export has ended: what it wrote, or the error.
    Saved(Result<String, String>),
}

/// The command of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyCommand {
    Move(Motion),
    /// To the next pane, or the one before.
    Focus(Toggle),
    /// Opens, folds or follows the item under the cursor.
    Enter,
    /// Closes the overlay, or goes back to the list.
    Back,
    Zoom,
    Search,
    /// Opens the filter line.
    Filter,
    /// Opens the line for an export's file name.
    Save,
    /// To the next match, or the one before.
    Again(Toggle),
    /// To the request that this message answers.
    Request,
    /// To another tab.
    Show(Tab),
    /// The ladder of a message's exchange, or of a row.
    Ladder,
    /// To the next message of the same exchange or finding, or the previous one.
    Marked(Toggle),
    /// Stays at the last message while the session grows.
    Follow,
    Clock,
    Separators,
    /// Texts in their colours, or with colour codes.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toggle {
    Forward,
    Back,
}

/// The progress of a search.
#[derive(Debug, Clone, Copy)]
pub struct Searched {
    pub found: Option<usize>,
    /// Where to continue, and how many messages are left.
    pub next: usize,
    pub left: usize,
}

/// The progress of a filter.
#[derive(Debug, Clone)]
pub struct Sifted {
    /// The indices of further matching messages, in order.
    pub found: Vec<u32>,
    /// How many messages have been tested.
    pub looked_at: usize,
}

/// An effect outside of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Render these rows of the list.
    Look(Range<usize>),
    /// Decode a message with its fields.
    Open(usize),
    /// Continue a search.
    Find {
        query: SearchQuery,
        next: usize,
        left: usize,
        turn: Toggle,
    },
    /// Test the next messages, from this one on, against the filter.
    Sift(usize),
    /// Read the messages of ladder arrows again.
    Climb(Vec<usize>),
    /// Build the index of the messages so far.
    Keep,
    /// Check what exists under an export's name.
    Spot(String),
    /// Export the current view.
    Save {
        name: String,
        form: ExportForm,
    },
    /// Stop writing.
    StopSaving,
    /// Copy a text to the clipboard.
    Copy(String),
    /// Redraw everything.
    Redraw,
    Quit,
}
