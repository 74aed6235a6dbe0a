//! The line with the text being typed: a search, a filter, a position, a file name. A line or a
//! menu that cannot be opened is a line too, so that what is typed for it is not taken for commands.

use tui_input::Input;

use super::action::Step;
use super::export::NameDraft;
use super::filter::FilterDraft;
use super::history::History;
use super::screens::screen::Bookmark;
use super::search::SearchMode;

/// A text being typed.
#[derive(Debug, Clone)]
pub struct Typing {
    pub input: Input,
    pub purpose: Purpose,
    /// The entry of the history that is shown, counted from the newest, and the text before it.
    shown: Option<(usize, String)>,
}

/// The purpose of a typed text.
#[derive(Debug, Clone)]
pub enum Purpose {
    Search(SearchDraft),
    Filter(Box<FilterDraft>),
    Export(Box<NameDraft>),
    /// A text that Enter hands to the shown screen.
    Line(LineDraft),
    /// A text that nothing takes: why the line or the menu that it is for cannot be opened.
    Refused(String),
}

/// A line for the shown screen.
#[derive(Debug, Clone)]
pub struct LineDraft {
    pub kind: LinePurpose,
    /// Why the text cannot be taken, after an attempt.
    pub wrong: Option<String>,
}

/// What a line is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinePurpose {
    /// A number or a time to go to.
    Position,
    /// Another value or other bytes for what is selected, which has this name.
    Edit(EditForm, String),
    /// Bytes to compare the selected message with.
    Bytes,
    /// A comment on a packet.
    Comment(u64),
    /// The path of another capture.
    Open,
}

/// What is typed for an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditForm {
    /// The value of a field; bytes where none is selected.
    Value,
    /// Bytes in hex.
    Bytes,
}

impl EditForm {
    pub fn other(self) -> Self {
        match self {
            Self::Value => Self::Bytes,
            Self::Bytes => Self::Value,
        }
    }
}

impl LinePurpose {
    /// What stands before the text.
    pub fn label(&self) -> String {
        match self {
            Self::Position => "go to: ".to_owned(),
            Self::Edit(_, what) => format!("{what} = "),
            Self::Bytes => "compare with: ".to_owned(),
            Self::Comment(number) => format!("comment on #{number}: "),
            Self::Open => "open: ".to_owned(),
        }
    }

    /// What can be typed.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Position => {
                "a number, a time such as 12.5s or 2m30s, or 20:00:05; Enter goes there"
            }
            Self::Edit(EditForm::Value, _) => {
                "the new value, with \\n or \\xff; Enter decodes it again, Tab: its bytes"
            }
            Self::Edit(EditForm::Bytes, _) => {
                "hex digits; none removes the bytes; Enter decodes it again, Tab: the value"
            }
            Self::Bytes => {
                "hex, a C array, Python bytes, base64, or a pasted hexdump; Enter compares"
            }
            Self::Open => "the path of a capture; Enter reads it in place of this one",
            Self::Comment(_) => {
                "Enter keeps it, without text removes it; an export as pcapng has it"
            }
        }
    }
}

/// A search being typed.
#[derive(Debug, Clone)]
pub struct SearchDraft {
    pub mode: SearchMode,
    /// What is wrong with the text, or that it was not found.
    pub wrong: Option<String>,
    /// Whether Enter was pressed while the search was still running.
    pub is_entered: bool,
    /// Whether messages are searched, which have numbers.
    pub of_messages: bool,
    /// Where the search began.
    pub origin: Bookmark,
}

impl Typing {
    fn new(text: String, purpose: Purpose) -> Self {
        Self { input: Input::new(text), purpose, shown: None }
    }

    /// A search from a place.
    pub fn search(origin: Bookmark, of_messages: bool) -> Self {
        let mode = SearchMode::default();
        let draft = SearchDraft { mode, wrong: None, is_entered: false, of_messages, origin };
        Self::new(String::new(), Purpose::Search(draft))
    }

    /// A filter line that begins with the active filter.
    pub fn filter(text: &str) -> Self {
        let typing = Self::new(text.to_owned(), Purpose::Filter(Box::default()));
        let draft = FilterDraft::new(&typing.input);
        Self { purpose: Purpose::Filter(Box::new(draft)), ..typing }
    }

    /// A line for a file name, with a suggestion.
    pub fn export(name: String) -> Self {
        let purpose = Purpose::Export(Box::new(NameDraft::new(&name)));
        Self::new(name, purpose)
    }

    /// A line for the shown screen, with a text to begin with.
    pub fn line(kind: LinePurpose, text: String) -> Self {
        Self::new(text, Purpose::Line(LineDraft { kind, wrong: None }))
    }

    /// A line that only says why a command is refused, until a key ends it.
    pub fn refused(why: String) -> Self {
        Self::new(String::new(), Purpose::Refused(why))
    }

    pub fn is_export(&self) -> bool {
        matches!(self.purpose, Purpose::Export(_))
    }

    /// Whether it only says why a command is refused.
    pub fn is_refusal(&self) -> bool {
        matches!(self.purpose, Purpose::Refused(_))
    }

    /// Whether it is a search that was entered before its result is known.
    pub fn is_entered_search(&self) -> bool {
        matches!(&self.purpose, Purpose::Search(draft) if draft.is_entered)
    }

    /// Shows the entry of the history before the shown one, or after it; false if there is none.
    pub fn show_entry(&mut self, step: Step, history: &History) -> bool {
        let entries = match self.purpose {
            Purpose::Search(_) => &history.searches,
            Purpose::Filter(_) => &history.filters,
            Purpose::Export(_) | Purpose::Line(_) | Purpose::Refused(_) => return false,
        };
        let at = self.shown.as_ref().map(|(at, _)| *at);
        let next = match step {
            Step::Back => Some(at.map_or(0, |at| at + 1)),
            Step::Forward => at.and_then(|at| at.checked_sub(1)),
        };
        let draft = match self.shown.take() {
            Some((_, draft)) => draft,
            None => self.input.value().to_owned(),
        };
        let entry = |at: usize| entries.get(entries.len().checked_sub(at + 1)?).cloned();
        let (text, shown) = match (next.map(|at| (at, entry(at))), at) {
            (Some((at, Some(text))), _) => (text, Some((at, draft))),
            // There is none before the oldest.
            (Some((_, None)), Some(at)) => {
                self.shown = Some((at, draft));
                return false;
            }
            (Some((_, None)) | None, None) => return false,
            (None, Some(_)) => (draft, None),
        };
        self.input = Input::new(text);
        self.shown = shown;
        true
    }

    /// Inserts pasted text: one line, without control characters.
    pub fn paste(&mut self, text: &str) {
        let pasted: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let pasted = pasted.trim();
        let value = self.input.value();
        let at = value.char_indices().nth(self.input.cursor()).map_or(value.len(), |(at, _)| at);
        let (front, behind) = value.split_at_checked(at).unwrap_or((value, ""));
        let cursor = self.input.cursor() + pasted.chars().count();
        self.input = Input::new(format!("{front}{pasted}{behind}")).with_cursor(cursor);
    }
}
