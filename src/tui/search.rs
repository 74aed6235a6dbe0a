//! What is looked for, and whether a message has it.
//!
//! Only what is shown is searched: nobody finds out a masked secret by asking for it.

use super::action::Turn;
use crate::dump::{self, Line};
use crate::session::Header;

/// A text that is looked for: without case, unless it holds a capital.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    text: String,
    has_capital: bool,
}

/// The search that `n` repeats.
#[derive(Debug, Clone, Default)]
pub struct Search {
    pub query: Query,
    /// How it stands; none when it is over.
    pub running: Option<Running>,
    /// Whether the message being opened was found, so that its field should be shown.
    pub is_arriving: bool,
}

#[derive(Debug, Clone, Copy)]
pub struct Running {
    /// How many messages are left to look at.
    pub left: usize,
    pub turn: Turn,
    /// Where it began: matches on the other side of it were found around the end.
    pub from: usize,
}

impl Query {
    pub fn new(text: &str) -> Self {
        let has_capital = text.chars().any(char::is_uppercase);
        Self { text: text.to_owned(), has_capital }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether a text holds it.
    pub fn is_in(&self, text: &str) -> bool {
        if self.has_capital {
            return text.contains(&self.text);
        }
        text.to_lowercase().contains(&self.text)
    }

    /// Whether a line of the field tree holds it.
    pub fn is_in_line(&self, line: &Line) -> bool {
        let meaning = line.meaning.unwrap_or_default();
        self.is_in(&format!("{}: {} ({meaning})", line.label, line.value))
    }

    /// Whether a row of the list holds it: `#12` finds a message by its number.
    pub fn is_in_row(&self, header: &Header, summary: &str) -> bool {
        let Header { number, time, source, destination, .. } = header;
        let (game, name) = (header.verdict.game.id, header.entry.spec.name);
        let time = dump::utc(*time);
        self.is_in(&format!("#{number} {time} {source} {destination} {game} {name} {summary}"))
    }
}
