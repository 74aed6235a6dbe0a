//! The one table of keys: for dispatch, the footer, the help, the documents and the configuration.

mod habits;
mod map;
mod names;
mod page;

pub use habits::habit;
pub use map::{KeyMap, typed};
pub use names::{is_key, name_of};
pub use page::{key_page, mouse_page};

use super::action::{Axis, KeyCommand as Do, Motion as To, Refine, Step};
use text::named;

/// A command with its keys.
#[derive(Debug, Clone, Copy)]
pub struct KeyBinding {
    pub group: KeyGroup,
    /// The name of the command in the configuration.
    pub id: &'static str,
    /// The names of its keys, with blanks between them; the footer shows the first.
    pub keys: &'static str,
    pub command: Do,
    /// What the help says of it.
    pub help: &'static str,
}

named! {
    /// A section of the help.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum KeyGroup {
        Screens = "screens",
        Movement = "movement",
        Navigation = "go to",
        Search = "search and filter",
        Table = "rows and columns",
        Display = "display",
        Message = "the selected message",
        Program = "program",
    }
}

const fn key(
    group: KeyGroup,
    id: &'static str,
    keys: &'static str,
    command: Do,
    help: &'static str,
) -> KeyBinding {
    KeyBinding { group, id, keys, command, help }
}

use KeyGroup::{Display, Message, Movement, Navigation, Program, Screens, Search, Table};

/// All commands, in the order of the help.
pub static KEYS: &[KeyBinding] = &[
    key(Screens, "messages", "1", Do::Show(0), "messages"),
    key(Screens, "exchanges", "2", Do::Show(1), "exchanges: requests and their answers"),
    key(Screens, "servers", "3", Do::Show(2), "servers: their values and registrations"),
    key(Screens, "masters", "4", Do::Show(3), "masters, and the sizes of their lists"),
    key(Screens, "findings", "5", Do::Show(4), "findings: protocol violations"),
    key(Screens, "sequence-diagram", "6", Do::Show(5), "the sequence diagram of all messages"),
    key(Screens, "flows", "7", Do::Show(6), "flows: two endpoints, and the game that they speak"),
    key(Screens, "statistics", "8", Do::Show(7), "statistics: messages over time, latencies"),
    key(Screens, "catalogue", "9", Do::Show(8), "catalogue: the specification of each protocol"),
    key(Movement, "up", "↑ k", Do::Move(To::Up), "up"),
    key(Movement, "down", "↓ j", Do::Move(To::Down), "down"),
    key(Movement, "left", "← h", Do::Move(To::Left), "fold, previous byte, or scroll left"),
    key(Movement, "right", "→ l", Do::Move(To::Right), "unfold, next byte, or scroll right"),
    key(Movement, "page-up", "PgUp Ctrl-b", Do::Move(To::PageUp), "a page up"),
    key(Movement, "page-down", "PgDn Ctrl-f Space", Do::Move(To::PageDown), "a page down"),
    key(Movement, "half-page-up", "Ctrl-u", Do::Move(To::HalfUp), "half a page up"),
    key(Movement, "half-page-down", "Ctrl-d", Do::Move(To::HalfDown), "half a page down"),
    key(Movement, "first", "g Home", Do::Move(To::First), "the first row"),
    key(
        Movement,
        "last",
        "G End",
        Do::Move(To::Last),
        "the last row; stays there while more messages arrive",
    ),
    key(Movement, "next-pane", "Tab", Do::Focus(Step::Forward), "the next pane"),
    key(Movement, "previous-pane", "Shift-Tab", Do::Focus(Step::Back), "the previous pane"),
    key(
        Navigation,
        "open",
        "Enter",
        Do::Enter,
        "open the message, fold a group, show the messages of a row",
    ),
    key(Navigation, "close", "Esc", Do::Close, "stop, close what is open, or go back"),
    key(Navigation, "back", "Backspace Alt-←", Do::History(Step::Back), "back, as in a browser"),
    key(Navigation, "forward", "Alt-→", Do::History(Step::Forward), "forward again"),
    key(
        Navigation,
        "go-to",
        "o",
        Do::Links,
        "a menu: the flow, exchange, server, master and findings of this row",
    ),
    key(
        Navigation,
        "sequence",
        "L",
        Do::Ladder,
        "the sequence diagram of this exchange, or of the row's messages",
    ),
    key(
        Navigation,
        "next-related",
        "]",
        Do::Related(Step::Forward),
        "next message of this exchange",
    ),
    key(Navigation, "previous-related", "[", Do::Related(Step::Back), "previous message of it"),
    key(Navigation, "request", "a", Do::Request, "the request that this message answers"),
    key(
        Navigation,
        "whole-list",
        "A",
        Do::WholeList,
        "the whole list of servers, over all its packets: of this message, or the next one",
    ),
    key(
        Navigation,
        "number-or-time",
        ":",
        Do::Position,
        "go to a number, a time, or an offset (0x2b or @43)",
    ),
    key(
        Search,
        "search",
        "/",
        Do::Search,
        "search while you type; Tab: text, regular expression, hex bytes, number, display filter",
    ),
    key(Search, "next-match", "n", Do::SearchAgain(Step::Forward), "next match"),
    key(Search, "previous-match", "N", Do::SearchAgain(Step::Back), "previous match"),
    key(
        Search,
        "filter",
        "f",
        Do::Filter,
        "display filter for all screens; Tab completes, ↑ shows earlier ones",
    ),
    key(
        Search,
        "filter-field",
        "=",
        Do::Refine(Refine::Only),
        "show only messages with this value",
    ),
    key(
        Search,
        "exclude-field",
        "-",
        Do::Refine(Refine::Without),
        "exclude messages with this value",
    ),
    key(
        Search,
        "conversation",
        "O",
        Do::Refine(Refine::Conversation),
        "show only the messages of this flow",
    ),
    key(Search, "remove-filter", "x", Do::RemoveFilter, "remove the display filter"),
    key(Search, "next-unanswered", "!", Do::NextUnanswered, "the next request without an answer"),
    key(Search, "unknown", "u", Do::Unknown, "show or hide datagrams that no protocol reads"),
    key(Table, "sort", "s", Do::Sort, "a menu: sort by a column"),
    key(Table, "reverse", "S", Do::Reverse, "reverse the order"),
    key(Table, "columns", "C", Do::Columns, "a menu: which columns are shown, in which order"),
    key(Table, "add-column", "|", Do::AddColumn, "add the selected field as a column"),
    key(Table, "follow", "F", Do::Follow, "stay at the last row while more arrive"),
    key(Table, "pause", "p", Do::Pause, "stop and resume the display of new messages"),
    key(Display, "times", "t", Do::Times, "times: since the first message, UTC, local, delta"),
    key(
        Display,
        "message-view",
        "v",
        Do::MessageView,
        "the selected message: annotated bytes, a tree beside bytes, bytes alone",
    ),
    key(Display, "zoom", "z +", Do::Zoom, "maximise this pane"),
    key(Display, "shorter", "{", Do::Resize(Axis::Rows, Step::Back), "make the upper pane smaller"),
    key(
        Display,
        "taller",
        "}",
        Do::Resize(Axis::Rows, Step::Forward),
        "make the upper pane larger",
    ),
    key(
        Display,
        "narrower",
        "(",
        Do::Resize(Axis::Columns, Step::Back),
        "make the left pane smaller",
    ),
    key(
        Display,
        "wider",
        ")",
        Do::Resize(Axis::Columns, Step::Forward),
        "make the left pane larger",
    ),
    key(Display, "scroll-left", "Shift-← <", Do::Move(To::ScrollLeft), "scroll to the left"),
    key(Display, "scroll-right", "Shift-→ >", Do::Move(To::ScrollRight), "scroll to the right"),
    key(Display, "separators", ".", Do::Separators, "show or hide separators among the fields"),
    key(Display, "texts", "c", Do::Texts, "names in their colours, or with their colour codes"),
    key(Display, "names", "H", Do::Names, "names of hosts files and DNS answers, or addresses"),
    key(Display, "theme", "T", Do::Theme, "the next theme"),
    key(Display, "secrets", "U", Do::Secrets, "show or mask keys and passwords"),
    key(Message, "copy", "y", Do::Copy, "copy the value, the marked bytes, or the row"),
    key(
        Message,
        "copy-as",
        "Y",
        Do::CopyAs,
        "a menu: copy the field, the bytes or the message as hex, C, Rust, Python, a command, a filter",
    ),
    key(Message, "mark", "m", Do::Mark, "mark this message, to come back or to compare it"),
    key(Message, "next-mark", "'", Do::MarkAgain(Step::Forward), "the next marked message"),
    key(Message, "previous-mark", "\"", Do::MarkAgain(Step::Back), "the previous marked message"),
    key(
        Message,
        "compare",
        "d",
        Do::Compare,
        "compare the last two marked messages, or an edited one with what was captured",
    ),
    key(
        Message,
        "compare-bytes",
        "P",
        Do::CompareBytes,
        "compare this message with pasted bytes or a hexdump",
    ),
    key(
        Message,
        "compare-reference",
        "M",
        Do::CompareReference,
        "compare the answer with what the reference master would have sent",
    ),
    key(
        Message,
        "ask-again",
        "Q",
        Do::Question,
        "ask this server or master again: shows the question, Enter sends it",
    ),
    key(Message, "edit", "E", Do::Edit, "edit a copy: another value, or other bytes"),
    key(Message, "undo", "R", Do::Undo, "undo the last change of an edited message"),
    key(Message, "comment", ";", Do::Comment, "a comment on its packet, for exports as pcapng"),
    key(
        Message,
        "time-reference",
        "% Ctrl-t",
        Do::TimeReference,
        "count times from this message, or again from the first one",
    ),
    key(Message, "reasons", "r", Do::Reasons, "why this flow was assigned to its game"),
    key(Message, "decode-as", "D", Do::DecodeAs, "a menu: decode this flow as another game"),
    key(Message, "specification", "i", Do::Specification, "the specification of this message"),
    key(Program, "open-file", "Ctrl-o", Do::Open, "open another capture"),
    key(
        Program,
        "restore",
        "Ctrl-r",
        Do::Restore,
        "the filter, columns and cursor that this capture had last time",
    ),
    key(Program, "export", "e", Do::Export, "export what is shown: tables, packets, diagrams"),
    key(Program, "warnings", "w", Do::Warnings, "warnings"),
    key(Program, "redraw", "Ctrl-l", Do::Redraw, "redraw the screen"),
    key(Program, "suspend", "Ctrl-z", Do::Suspend, "suspend the program"),
    key(Program, "help", "? F1", Do::Help, "this help"),
    key(Program, "quit", "q Ctrl-c", Do::Quit, "quit"),
];

/// What the mouse does.
pub const MOUSE: &[(&str, &str)] = &[
    (
        "click",
        "select a screen, a row, a field or a byte; on a column: sort by it; on a key at the bottom: press it",
    ),
    ("right button", "the menu of what the row leads to"),
    ("double click", "as Enter"),
    ("wheel", "scroll the pane under the pointer; with Shift sideways"),
    ("drag", "move the line between two panes"),
];
