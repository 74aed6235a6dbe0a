//! Events of the interface, and the effects that they request.

use ratatui::layout::Position;
use ratatui::style::Color;
use tui_input::InputRequest;

use super::comparison::ComparedMessages;
use super::export::{NameState, SinglePacket};
use super::history::{HistoryKind, SavedView};
use super::questions::{AnswerView, QuestionView};
use super::screens::messages::open::OpenMessage;
use super::screens::screen::Sort;
use super::work::{Work, WorkKind};
use analysis::{MessageHeader, SessionStatistics};
use export::{ExportForm, SessionExport};
use filter::{Filter, MatchingRows, Projection};
use flow::FlowId;
use protocol::Game;
use query::{QuestionRow, SessionQuestion};
use render::{Separators, TextRun};

/// An event: user input, or the result of an effect.
pub enum Action {
    Command(KeyCommand),
    /// A change to the text that is being typed.
    Type(InputRequest),
    /// Text from the clipboard.
    Paste(String),
    Click(Position),
    DoubleClick(Position),
    RightClick(Position),
    /// The pointer was moved with its button pressed.
    Drag(Position),
    /// The button was released.
    Release,
    Wheel(Position, Motion),
    Resize {
        width: u16,
        height: u16,
    },
    /// A key without a meaning here, by its name.
    Unknown(String),
    /// The session has grown, or is complete.
    Grown,
    /// The shown screen has more to do than it does at once.
    Fill,
    /// The result of an effect, for the screen that requested it.
    Answer(usize, Answer),
    /// Work has ended, after all its answers.
    Ended(usize, WorkKind),
    /// What exists under an export's name.
    NameChecked(String, NameState),
    /// How many messages or rows an export has written.
    Exporting(u64),
    /// An export has ended: what it wrote, or the error.
    Exported(Result<String, String>),
    /// The input is read again from its beginning.
    ReadAgain,
    /// The capture may have been shown before.
    Restorable,
    /// Another capture is read, of this path.
    Opened(String),
    /// Shows only messages that match.
    Filter(Box<Filter>),
    /// Sorts the shown screen.
    Sort(Box<Sort>),
    /// Something went wrong that is no matter of the session.
    Notice(String),
    /// A note on an effect.
    Note(String),
    /// A question before it is sent, or why there is none.
    QuestionReady(Box<Result<QuestionView, String>>),
    /// What came of a question, or why it could not be sent.
    Asked(Box<Result<AnswerView, String>>),
    /// The frames of an exchange that was added to the session, or why it was not.
    Extended(Result<[u64; 2], String>),
}

/// The command of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyCommand {
    Move(Motion),
    /// To the next pane, or the previous one.
    Focus(Step),
    /// Opens, folds or follows the item under the cursor.
    Enter,
    /// Stops what runs, closes what is open, or goes back.
    Close,
    /// To the place before this one, or after it.
    History(Step),
    Zoom,
    /// Moves the line between two panes.
    Resize(Axis, Step),
    Search,
    /// To the next match, or the previous one.
    SearchAgain(Step),
    /// To the next request without an answer.
    NextUnanswered,
    /// Opens the line for a number or a time.
    Position,
    /// Opens the filter line.
    Filter,
    RemoveFilter,
    /// Shows or hides the messages that no protocol reads.
    Unknown,
    /// Makes the filter narrower.
    Refine(Refine),
    /// Opens the line for an export's file name.
    Export,
    /// Opens the line for the path of another capture.
    Open,
    /// Shows the capture as it was shown last time.
    Restore,
    /// To the request that this message answers.
    Request,
    /// The list of servers that this message belongs to, over all of its packets.
    WholeList,
    /// To another screen, by its index.
    Show(usize),
    /// Opens the menu of what this row leads to.
    Links,
    /// The ladder of a message's exchange, or of a row.
    Ladder,
    /// To the next message of the same exchange or finding, or the previous one.
    Related(Step),
    /// Opens the menu of columns to sort by.
    Sort,
    Reverse,
    /// Opens the menu of columns.
    Columns,
    /// Adds the field under the cursor as a column.
    AddColumn,
    /// Stays at the last message while the session grows.
    Follow,
    /// Shows no new messages, or shows them again.
    Pause,
    Times,
    /// The next view of the selected message.
    MessageView,
    Separators,
    /// Texts in their colours, or with colour codes.
    Texts,
    Theme,
    /// Shows names in place of addresses, or addresses again.
    Names,
    /// Shows secrets, or masks them.
    Secrets,
    Copy,
    /// Opens the menu of forms in which bytes are copied.
    CopyAs,
    Mark,
    /// To the next marked message, or the previous one.
    MarkAgain(Step),
    /// Compares the two messages that were marked last; an edited one with what was captured.
    Compare,
    /// Opens the line for bytes to compare the message with.
    CompareBytes,
    /// Compares the answer with that of the reference master.
    CompareReference,
    /// Shows the question that asks the server or the master of this row again.
    Question,
    /// Opens the line for another value of the field under the cursor, or other bytes.
    Edit,
    /// Takes the last change of an edited message back.
    Undo,
    /// Opens the line for a comment on the packet of this message.
    Comment,
    /// Counts times from this message, or again from the first one.
    TimeReference,
    Reasons,
    /// Opens the menu of games to decode the flow as.
    DecodeAs,
    /// The specification of this message.
    Specification,
    Warnings,
    Help,
    Redraw,
    Suspend,
    Quit,
}

impl KeyCommand {
    /// Whether it moves the cursor or shows another screen, so that a running search is of no use.
    pub fn leaves_search(self) -> bool {
        matches!(
            self,
            Self::Move(_)
                | Self::Enter
                | Self::History(_)
                | Self::Show(_)
                | Self::Ladder
                | Self::Request
                | Self::Related(_)
                | Self::Follow
                | Self::Specification
        )
    }
}

/// A cursor movement; each pane interprets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    /// The text moves, the cursor stays.
    ScrollLeft,
    ScrollRight,
}

/// A direction: to the next item, or to the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    Forward,
    Back,
}

/// Which panes change their size: the upper and lower ones, or the left and right ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    Rows,
    Columns,
}

/// How a filter is made narrower.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refine {
    /// Only messages with the value under the cursor.
    Only,
    Without,
    /// Only messages of this flow.
    Conversation,
}

/// An effect outside of the model.
pub enum Effect {
    /// Read and summarise these messages, with the values of these columns.
    Read(Vec<usize>, Vec<Projection>),
    /// Decode a message with its fields.
    Open(usize, Separators),
    /// Decode a message to compare it: the first, or the second.
    OpenMarked(usize, usize),
    /// Compare the answer to a message with that of the reference.
    CompareReference(usize),
    /// Prepare the question that a row leads to; nothing is sent.
    PrepareQuestion(Box<QuestionRow>),
    /// Send a question.
    Ask(Box<SessionQuestion>),
    /// Begin work in a thread of its own; earlier work of the same kind is stopped.
    Begin(Work),
    /// Stop work of this screen.
    Stop(WorkKind),
    /// Check what exists under an export's name.
    CheckName(String),
    Export {
        name: String,
        form: ExportForm,
        what: SessionExport,
    },
    /// Write one datagram to a capture of its own.
    SavePacket(Box<SinglePacket>),
    StopExport,
    /// Show secrets from now on, or mask them.
    ShowSecrets(bool),
    /// Read the input again, with this game for a flow; without one it is detected.
    DecodeAs(FlowId, Option<&'static Game>),
    /// Show a copy of what has been read so far, or again what is being read.
    Pause(bool),
    /// Keep how the capture is shown for later runs.
    RememberView(Box<SavedView>),
    /// Read another capture in place of this one.
    OpenFile(String),
    /// Keep a filter or a search for later runs.
    Remember(HistoryKind, String),
    Terminal(TerminalCommand),
}

/// An effect on the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TerminalCommand {
    /// Copy a text to the clipboard.
    Copy(String),
    /// Redraw everything.
    Redraw,
    /// Give the terminal back to the shell until the program is continued.
    Suspend,
    Quit,
}

/// The result of a screen's effect.
pub enum Answer {
    Rows(Vec<MessageRow>),
    Opened(Box<OpenMessage>),
    /// The first or the second of the messages to be compared.
    OpenedMarked(usize, Box<OpenMessage>),
    /// The answer beside that of the reference, or why there is none.
    Reference(Box<Result<ReferenceView, String>>),
    /// A payload that could not be read again, with the reason.
    Unreadable(String),
    /// The result of a search: the row or the message, if any.
    Found(Option<usize>),
    /// The progress of a search, in percent.
    Searching(usize),
    /// The progress of a filter: the indices of further matching messages, in order, and how many
    /// messages have been tested.
    Filtered(Vec<u32>, usize),
    /// The rows of tables with a matching message.
    Matching(Box<MatchingRows>),
    /// The rows of a table in the order in which they are shown.
    Arranged(Vec<u32>),
    /// Statistics of the messages.
    Counted(Box<SessionStatistics>),
}

/// What the reference answers.
pub enum ReferenceView {
    /// Beside the captured answer.
    Compared(Box<ComparedMessages>),
    /// A heading, and its datagrams as annotated text: no answer was captured.
    Alone(String, String),
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
    /// The values of further columns, escaped and masked.
    pub values: Vec<String>,
    /// The colour that the configuration gives it.
    pub colour: Option<Color>,
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
