//! What is wrong with a filter, and where.

use crate::text;
use std::fmt;
use std::ops::Range;

use unicode_width::UnicodeWidthStr as _;
use winnow::error::ParserError;
use winnow::stream::Stream;

/// Why a text is no filter: what is wrong, where, and what was perhaps meant.
///
/// As text it is one line, `column 5: no name is gmae; did you mean game?`; [`Error::marked`] gives
/// the filter with carets under the place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct FilterError {
    filter: String,
    at: Range<usize>,
    what: String,
    meant: Option<String>,
}

/// The same while it travels: the filter's text is not yet with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    /// In bytes.
    pub at: Range<usize>,
    what: String,
    meant: Option<String>,
    /// Something else may still be found at the same place.
    soft: bool,
}

impl FilterError {
    pub(super) fn new(filter: &str, wrong: Wrong) -> Self {
        let Wrong { at, what, meant, .. } = wrong;
        let end = at.end.min(filter.len());
        Self { filter: filter.to_owned(), at: at.start.min(end)..end, what, meant }
    }

    /// The first character that is wrong, from 1; one past the last where something is missing.
    pub fn column(&self) -> usize {
        self.before().chars().count() + 1
    }

    /// How many characters are wrong, one at least.
    pub fn length(&self) -> usize {
        self.part().chars().count().max(1)
    }

    /// What is wrong, and what was perhaps meant; escaped.
    pub fn what(&self) -> String {
        let meant = self.meant.as_ref().map(|meant| format!("; did you mean {meant}?"));
        text::escaped(&format!("{}{}", self.what, meant.unwrap_or_default())).into_owned()
    }

    /// What was perhaps meant, to stand where the wrong part stands.
    pub fn suggestion(&self) -> Option<&str> {
        self.meant.as_deref()
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
    /// Something is wrong for sure.
    pub fn at(at: Range<usize>, what: impl Into<String>) -> Self {
        Self { at, what: what.into(), meant: None, soft: false }
    }

    /// The same, and what was perhaps meant.
    pub fn meaning(self, meant: Option<String>) -> Self {
        Self { meant, ..self }
    }
}

impl<I: Stream> ParserError<I> for Wrong {
    type Inner = Self;

    fn from_input(_: &I) -> Self {
        Self { at: 0..0, what: String::new(), meant: None, soft: true }
    }

    fn is_backtrack(&self) -> bool {
        self.soft
    }

    fn into_inner(self) -> Result<Self, Self> {
        Ok(self)
    }
}
