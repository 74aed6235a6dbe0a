//! Text search in messages.
//!
//! Only shown text is searched, so that no search reveals a masked secret.

use std::fmt::Write as _;

use crate::analysis::MessageHeader;
use crate::render::TreeLine;

/// A searched text: case-insensitive, unless it has a capital.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchQuery {
    text: String,
    has_capital: bool,
}

impl SearchQuery {
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

    /// Whether a text contains it.
    pub fn is_in(&self, text: &str) -> bool {
        let (text, wanted) = (text.as_bytes(), self.text.as_bytes());
        let Some((first, rest)) = wanted.split_first() else {
            return true;
        };
        if self.has_capital {
            return memchr::memmem::find(text, wanted).is_some();
        }
        // Non-ASCII letters are compared case-sensitively.
        memchr::memchr2_iter(*first, first.to_ascii_uppercase(), text).any(|at| {
            let behind = text.get(at + 1..at + wanted.len());
            behind.is_some_and(|behind| behind.eq_ignore_ascii_case(rest))
        })
    }

    /// Whether a line of the field tree contains it: `protocol: 68 (Quake III 1.32)`. `buffer` is a
    /// buffer for the text.
    pub fn is_in_line(&self, line: &TreeLine, buffer: &mut String) -> bool {
        buffer.clear();
        let meaning = line.meaning.as_deref().unwrap_or_default();
        _ = writeln!(buffer, "{}: {} ({meaning})", line.label, line.value);
        // Names also match without colour codes.
        buffer.extend(line.runs.iter().map(|run| run.text.as_str()));
        self.is_in(buffer)
    }

    /// Whether a row of the list contains it: `#12` matches a message by its number.
    pub fn is_in_row(&self, header: &MessageHeader, summary: &str, buffer: &mut String) -> bool {
        buffer.clear();
        let MessageHeader { number, source, destination, .. } = header;
        let (game, name) = (header.verdict.game.id, header.name);
        _ = write!(buffer, "#{number} {source} {destination} {game} {name} {summary}");
        self.is_in(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capital_makes_a_search_case_sensitive() {
        for (query, text, is_in) in [
            ("q3dm17", "map Q3DM17", true),
            ("Q3dm", "map q3dm17", false),
            ("Q3DM", "map Q3DM17", true),
            ("aab", "aaaAB", true),
            ("ende", "am Ende", true),
            ("endet", "am Ende", false),
            ("größe", "Größe", true),
            ("", "", true),
        ] {
            assert_eq!(SearchQuery::new(query).is_in(text), is_in, "{query} in {text}");
        }
    }
}
