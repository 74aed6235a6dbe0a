//! What is wrong with a filter, and where.

use super::tree::Op;
use std::fmt;
use std::ops::Range;

use unicode_width::UnicodeWidthStr as _;
use winnow::error::ParserError;
use winnow::stream::Stream;

/// Why a text is not a valid filter: what is wrong, where, and a suggestion.
///
/// As text it is one line, `column 5: no name is gmae; did you mean game?`;
/// [`FilterError::marked`] gives the filter with carets under the place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct FilterError {
    filter: String,
    at: Range<usize>,
    what: String,
    suggestion: Option<String>,
}

/// The words that capture filters put before a value or before each other.
const BPF_WORDS: [&str; 8] = ["udp", "tcp", "host", "net", "port", "portrange", "src", "dst"];

/// The words between the parts of a display filter; comparisons are those of [`Op`].
const CONNECTIVES: [&str; 4] = ["and", "or", "not", "in"];

/// The same error before the filter's text is attached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    /// In bytes.
    pub at: Range<usize>,
    what: String,
    suggestion: Option<String>,
    /// Whether another alternative may still match at the same place.
    soft: bool,
}

impl FilterError {
    pub(super) fn new(filter: &str, wrong: Wrong) -> Self {
        let Wrong { at, what, suggestion, .. } = wrong;
        let end = at.end.min(filter.len());
        Self { filter: filter.to_owned(), at: at.start.min(end)..end, what, suggestion }
    }

    /// The first character that is wrong, from 1; one past the last where something is missing.
    pub fn column(&self) -> usize {
        self.before().chars().count() + 1
    }

    /// How many characters are wrong, at least one.
    pub fn length(&self) -> usize {
        self.part().chars().count().max(1)
    }

    /// What is wrong, with the suggestion; escaped.
    pub fn what(&self) -> String {
        let suggestion = self.suggestion.as_ref();
        let suggestion = suggestion.map(|suggestion| format!("; did you mean {suggestion}?"));
        let (suggestion, other) = (suggestion.unwrap_or_default(), self.other_language());
        text::escaped(&format!("{}{suggestion}{other}", self.what)).into_owned()
    }

    /// A note for a filter with words in pairs, such as `port 27960`, as those of tcpdump have.
    fn other_language(&self) -> &'static str {
        let words = self.filter.split_whitespace();
        let mut pairs = words.clone().zip(words.skip(1));
        let is_value = |word: &str| {
            word.starts_with(|first: char| first.is_ascii_alphanumeric() || first == ':')
                && !CONNECTIVES.contains(&word)
                && !Op::SPELLED.iter().any(|&(op, _)| op == word)
        };
        if pairs.any(|(word, next)| BPF_WORDS.contains(&word) && is_value(next)) {
            "; this is a display filter, tcpdump's are given to `capture -f` and `open -f`"
        } else {
            ""
        }
    }

    /// The suggested replacement for the wrong part.
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }

    /// The filter on one line, escaped, and carets under what is wrong on the next.
    pub fn marked(&self) -> [String; 2] {
        let [filter, before, part] = [self.filter.as_str(), self.before(), self.part()]
            .map(|text| text::escaped(text).into_owned());
        let carets = "^".repeat(part.width().max(1));
        [filter, format!("{}{carets}", " ".repeat(before.width()))]
    }

    fn before(&self) -> &str {
        self.filter.get(..self.at.start).unwrap_or_default()
    }

    fn part(&self) -> &str {
        self.filter.get(self.at.clone()).unwrap_or_default()
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column(), self.what())
    }
}

impl Wrong {
    /// A definite error.
    pub fn at(at: Range<usize>, what: impl Into<String>) -> Self {
        Self { at, what: what.into(), suggestion: None, soft: false }
    }

    /// The same error with a suggestion.
    pub fn suggesting(self, suggestion: Option<String>) -> Self {
        Self { suggestion, ..self }
    }
}

impl<I: Stream> ParserError<I> for Wrong {
    type Inner = Self;

    fn from_input(_: &I) -> Self {
        Self { at: 0..0, what: String::new(), suggestion: None, soft: true }
    }

    fn is_backtrack(&self) -> bool {
        self.soft
    }

    fn into_inner(self) -> Result<Self, Self> {
        Ok(self)
    }
}
