//! The state of a search.

use crate::tui::action::Step;
use crate::tui::search::SearchQuery;
use crate::tui::widgets::scroll::Scroll;

/// The search that `n` repeats.
#[derive(Default)]
pub struct Search {
    pub query: SearchQuery,
    /// The running search, if any.
    pub running: Option<RunningSearch>,
    /// Whether the message being opened is a match, so that its field is selected.
    pub opens_match: bool,
    /// The list before typing began.
    pub from: (Scroll, bool),
}

pub struct RunningSearch {
    /// The next row to search, and how many rows are left.
    pub next: usize,
    pub left: usize,
    /// How many rows are being searched.
    pub batch: usize,
    pub step: Step,
    /// Where it began: matches on its other side were found after wrapping around.
    pub from: usize,
}
