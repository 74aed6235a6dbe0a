//! What all screens share: sizes, formats, the progress of the session, the text being typed.

use ratatui::layout::Rect;
use tui_input::Input;

use super::export::NameDraft;
use super::filter::FilterDraft;
use super::format::{Format, TextDisplay, TimeDisplay};
use super::layout::ScreenAreas;
use super::session::SessionSummary;
use crate::render::Separators;

/// What all screens share.
pub struct ViewState {
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// The index of the screen that is shown.
    pub shown: usize,
    pub format: Format,
    /// The text being typed, if any.
    pub typing: Option<Typing>,
    /// A message about the last command; cleared by the next key.
    pub hint: Option<String>,
    pub known: SessionSummary,
}

/// A search, a filter or a name being typed.
#[derive(Debug, Clone)]
pub struct Typing {
    pub input: Input,
    pub purpose: Purpose,
}

/// The purpose of a typed text.
#[derive(Debug, Clone)]
pub enum Purpose {
    Search,
    Filter(Box<FilterDraft>),
    Export(Box<NameDraft>),
}

impl Typing {
    pub fn search() -> Self {
        Self { input: Input::default(), purpose: Purpose::Search }
    }

    /// A filter line that begins with the active filter.
    pub fn filter(text: &str) -> Self {
        let input = Input::new(text.to_owned());
        let purpose = Purpose::Filter(Box::new(FilterDraft::of(&input)));
        Self { input, purpose }
    }

    /// A line for a file name, with a suggestion.
    pub fn export(name: String) -> Self {
        let purpose = Purpose::Export(Box::new(NameDraft::of(&name)));
        Self { input: Input::new(name), purpose }
    }
}

impl ViewState {
    pub fn new(texts: TextDisplay) -> Self {
        let format = Format { times: TimeDisplay::Relative, texts, separators: Separators::Hidden };
        Self {
            size: (0, 0),
            shown: 0,
            format,
            typing: None,
            hint: None,
            known: SessionSummary::default(),
        }
    }

    /// The area of the screen, between the bars; empty in a terminal that is too small.
    pub fn area(&self) -> Rect {
        ScreenAreas::of(self.size).map_or(Rect::ZERO, |frame| frame.screen)
    }

    /// The time of the first message, in nanoseconds.
    pub fn begin(&self) -> i64 {
        self.known.first.unwrap_or(0)
    }

    /// A time with milliseconds, for tables: seconds since the first message, or UTC.
    pub fn time(&self, time: i64) -> String {
        self.format.times.text(time, self.begin(), 3)
    }
}
