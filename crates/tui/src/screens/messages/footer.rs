//! What the footer shows.

use crate::action::{KeyCommand, Refine, Step};
use crate::screens::screen::FooterKeys;

/// While the list is focused.
pub const LIST_KEYS: FooterKeys = &[
    (KeyCommand::Focus(Step::Forward), "pane"),
    (KeyCommand::Enter, "open"),
    (KeyCommand::Links, "go to"),
    (KeyCommand::Ladder, "sequence"),
    (KeyCommand::Search, "search"),
    (KeyCommand::Filter, "filter"),
    (KeyCommand::Sort, "sort"),
    (KeyCommand::Columns, "columns"),
    (KeyCommand::Export, "export"),
    (KeyCommand::Mark, "mark"),
    (KeyCommand::Times, "times"),
    (KeyCommand::Help, "help"),
    (KeyCommand::Quit, "quit"),
];

/// While the selected message is.
pub const DETAIL_KEYS: FooterKeys = &[
    (KeyCommand::Focus(Step::Forward), "pane"),
    (KeyCommand::Close, "list"),
    (KeyCommand::Search, "search"),
    (KeyCommand::Refine(Refine::Only), "filter by it"),
    (KeyCommand::AddColumn, "column"),
    (KeyCommand::Copy, "copy"),
    (KeyCommand::Zoom, "zoom"),
    (KeyCommand::Help, "help"),
    (KeyCommand::Quit, "quit"),
];
