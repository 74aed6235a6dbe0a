//! Searches in messages and rows: text, regular expressions, bytes, display filters.
//!
//! Only what is shown is searched, so that no search reveals a masked secret.

use std::fmt::Write as _;
use std::net::Ipv4Addr;
use std::ops::Range;

use memchr::memmem::Finder;
use regex::{Regex, RegexBuilder};

use analysis::MessageHeader;
use filter::{Filter, FilterError};
use render::{HexCell, TreeLine};
use text::named;

/// How big a compiled regular expression may be, in bytes.
const REGEX: usize = 1 << 20;

named! {
    /// What a searched text is.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum SearchMode {
        /// Case-insensitive, unless it has a capital.
        #[default]
        Text = "text",
        /// A regular expression, ignoring case.
        Regex = "regex",
        /// Hex digits, in pairs.
        Hex = "hex",
        /// A number or an IPv4 address as two or four bytes, in both orders.
        Number = "number",
        /// A display filter.
        Filter = "filter",
    }
}

impl SearchMode {
    pub fn next(self) -> Self {
        match self {
            Self::Text => Self::Regex,
            Self::Regex => Self::Hex,
            Self::Hex => Self::Number,
            Self::Number => Self::Filter,
            Self::Filter => Self::Text,
        }
    }
}

/// What is searched for.
#[derive(Debug, Clone, Default)]
pub struct SearchQuery {
    text: String,
    mode: SearchMode,
    matcher: Matcher,
}

#[derive(Debug, Clone, Default)]
enum Matcher {
    /// Nothing was typed yet.
    #[default]
    Nothing,
    Text {
        has_capital: bool,
    },
    Regex(Regex),
    /// Any of them.
    Bytes(Vec<Finder<'static>>),
    Filter(Box<Filter>),
}

impl SearchQuery {
    /// # Errors
    ///
    /// What is wrong with the text, in words.
    pub fn new(text: &str, mode: SearchMode) -> Result<Self, String> {
        let matcher = match mode {
            _ if text.is_empty() => Matcher::Nothing,
            SearchMode::Text => Matcher::Text { has_capital: text.chars().any(char::is_uppercase) },
            SearchMode::Regex => {
                let mut builder = RegexBuilder::new(text);
                let built = builder
                    .case_insensitive(true)
                    .multi_line(true)
                    .size_limit(REGEX)
                    .nest_limit(64)
                    .build();
                Matcher::Regex(built.map_err(|error| regex_error(&error))?)
            }
            SearchMode::Hex => Matcher::Bytes(vec![Finder::new(&bytes(text)?).into_owned()]),
            SearchMode::Number => {
                let spellings = number_bytes(text)?;
                Matcher::Bytes(spellings.iter().map(|of| Finder::new(of).into_owned()).collect())
            }
            SearchMode::Filter => {
                let filter = Filter::parse(text).map_err(|error: FilterError| error.what())?;
                Matcher::Filter(Box::new(filter))
            }
        };
        Ok(Self { text: text.to_owned(), mode, matcher })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The display filter, if it is one.
    pub fn filter(&self) -> Option<&Filter> {
        match &self.matcher {
            Matcher::Filter(filter) => Some(filter),
            _ => None,
        }
    }

    /// Whether it is searched in shown text, and so in rows of any kind.
    pub fn is_for_text(&self) -> bool {
        matches!(self.mode, SearchMode::Text | SearchMode::Regex)
    }

    /// Whether a text contains it; bytes and filters are in no text.
    pub fn is_in(&self, text: &str) -> bool {
        match &self.matcher {
            Matcher::Nothing => true,
            Matcher::Text { has_capital: true } => {
                memchr::memmem::find(text.as_bytes(), self.text.as_bytes()).is_some()
            }
            Matcher::Text { has_capital: false } => self.is_in_any_case(text.as_bytes()),
            Matcher::Regex(regex) => regex.is_match(text),
            Matcher::Bytes(_) | Matcher::Filter(_) => false,
        }
    }

    fn is_in_any_case(&self, text: &[u8]) -> bool {
        let Some((first, rest)) = self.text.as_bytes().split_first() else {
            return true;
        };
        // Non-ASCII letters are compared case-sensitively.
        memchr::memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), text).any(
            |at| {
                let behind = text.get(at + 1..at + 1 + rest.len());
                behind.is_some_and(|behind| behind.eq_ignore_ascii_case(rest))
            },
        )
    }

    /// Where bytes contain it, if it is bytes.
    pub fn find_bytes(&self, bytes: &[u8]) -> Option<Range<usize>> {
        let Matcher::Bytes(finders) = &self.matcher else {
            return None;
        };
        let found = finders.iter().filter_map(|finder| {
            let at = finder.find(bytes)?;
            Some(at..at + finder.needle().len())
        });
        found.min_by_key(|found| found.start)
    }

    /// The same among shown bytes: hidden ones match nothing.
    pub fn find_cells(&self, cells: &[HexCell]) -> Option<Range<usize>> {
        let Matcher::Bytes(finders) = &self.matcher else {
            return None;
        };
        let found = finders.iter().filter_map(|finder| {
            let needle = finder.needle();
            let is_it = |window: &[HexCell]| {
                window.iter().zip(needle).all(|(cell, byte)| cell.byte() == Some(*byte))
            };
            let at = cells.windows(needle.len().max(1)).position(is_it)?;
            Some(at..at + needle.len())
        });
        found.min_by_key(|found| found.start)
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

    /// Whether a message with this time and summary contains it: `#12` matches its number. `buffer`
    /// is a buffer for the text.
    pub fn is_in_message(
        &self,
        header: &MessageHeader,
        (time, summary): (&str, &str),
        buffer: &mut String,
    ) -> bool {
        buffer.clear();
        let MessageHeader { number, source, destination, .. } = header;
        let (game, name) = (header.verdict.game.id, header.name);
        let all = format_args!(
            "#{number}\n{number}\n{time}\n{source}\n{destination}\n{game}\n{name}\n{summary}"
        );
        _ = buffer.write_fmt(all);
        self.is_in_row(buffer)
    }

    /// Whether a row contains it, whose cells are in lines: in a cell, so that `^` and `$` are its
    /// ends, or in several, with blanks between them.
    pub fn is_in_row(&self, cells: &str) -> bool {
        // A text without a blank is in one cell.
        let is_wide = self.mode == SearchMode::Regex || self.text.contains(' ');
        self.is_in(cells) || is_wide && self.is_in(&cells.replace('\n', " "))
    }
}

/// The last of several lines says what is wrong.
fn regex_error(error: &regex::Error) -> String {
    let message = error.to_string();
    let last = message.lines().last().unwrap_or_default();
    format!("invalid regular expression: {}", last.strip_prefix("error: ").unwrap_or(last))
}

/// The bytes of `4b 66`, `4b66` or `0x4b66`.
fn bytes(text: &str) -> Result<Vec<u8>, String> {
    let digits: String = text.trim_start_matches("0x").split([' ', ':']).collect();
    hex::decode(&digits).map_err(|error| match error {
        hex::FromHexError::OddLength => "hex digits come in pairs, as 4b 66 or 4b66".to_owned(),
        _ => "only hex digits are searched as bytes, as 4b 66 or 4b66".to_owned(),
    })
}

/// The bytes of a number, in two bytes if it fits, else in four, or of an address; in both orders.
fn number_bytes(text: &str) -> Result<Vec<Vec<u8>>, String> {
    let text = text.trim();
    let number = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok().or_else(|| text.parse::<Ipv4Addr>().ok().map(u32::from)),
    };
    let number = number.ok_or("a number up to 4294967295, 0x6d38 or an IPv4 address")?;
    Ok(match u16::try_from(number) {
        Ok(number) => vec![number.to_be_bytes().to_vec(), number.to_le_bytes().to_vec()],
        Err(_) => vec![number.to_be_bytes().to_vec(), number.to_le_bytes().to_vec()],
    })
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
            assert_eq!(
                SearchQuery::new(query, SearchMode::Text).unwrap().is_in(text),
                is_in,
                "{query} in {text}"
            );
        }
    }

    #[test]
    fn texts_of_each_mode_are_checked() {
        for (mode, text, expected) in [
            (SearchMode::Regex, "q3dm[0-9]+", Ok(())),
            (SearchMode::Regex, "(", Err("invalid regular expression: unclosed group")),
            (SearchMode::Hex, "4b 66", Ok(())),
            (SearchMode::Hex, "0x4B:66", Ok(())),
            (SearchMode::Hex, "4b6", Err("hex digits come in pairs, as 4b 66 or 4b66")),
            (SearchMode::Hex, "kf", Err("only hex digits are searched as bytes, as 4b 66 or 4b66")),
            (SearchMode::Number, "27960", Ok(())),
            (SearchMode::Number, "192.0.2.1", Ok(())),
            (SearchMode::Number, "-1", Err("a number up to 4294967295, 0x6d38 or an IPv4 address")),
            (SearchMode::Filter, "field.protocol == 68", Ok(())),
            (SearchMode::Filter, "gmae", Err("no name is gmae; did you mean game?")),
        ] {
            let made = SearchQuery::new(text, mode).map(|_| ());
            assert_eq!(
                made.as_ref().map_err(String::as_str),
                expected.as_ref().map_err(|e| *e),
                "{text}"
            );
        }
        let number = SearchQuery::new("27960", SearchMode::Number).unwrap();
        assert_eq!(number.find_bytes(b"\x01\x6d\x38"), Some(1..3));
        assert_eq!(number.find_bytes(b"\x38\x6d"), Some(0..2));
        let found = SearchQuery::new("4b66", SearchMode::Hex).unwrap().find_bytes(b"\0Kf9");
        assert_eq!(found, Some(1..3));
    }
}
