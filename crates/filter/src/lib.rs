//! The display filter: a small language, like Wireshark's, that selects messages.
//!
//! A text is parsed into a tree, the tree is checked against the one table of names and becomes a
//! predicate, and the predicate is evaluated for each message. Names come from the declarations of
//! protocols, games, messages and fields, so no message has to be listed here. `docs/reference/filter-names.md` is
//! generated from the same table.
//!
//! A message's fields are decoded only when a term needs them, once for all terms. A name has a
//! list of values: a comparison holds if it holds for any of them; `!=` holds if there is a value
//! and none is equal.
//!
//! *Invariant:* a masked secret counts as present, and no comparison reveals its value.
//! *Invariant:* no filter panics, and its cost is limited: by length, by depth, by number of
//! expressions.
//!
//! It knows no view: the command line, exports and the interface use the same predicate.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod bytes;
mod check;
mod complete;
mod datum;
mod error;
mod fields;
mod frame_set;
mod known;
mod look_up;
mod matching;
mod matching_rows;
mod names;
mod number;
mod page;
mod parse;
mod predicate;
mod projection;
mod quote;
mod scratch;
mod sort;
mod source;
mod subject;
mod suggest;
mod term;
mod tree;
mod wireshark;

#[cfg(test)]
mod tests;

use std::fmt;

use predicate::Predicate;
use tree::{Expr, Term};

pub use complete::{Completion, Completions, complete};
pub use error::FilterError;
pub use frame_set::FrameSet;
pub use matching_rows::MatchingRows;
pub use names::{column_names, spellings};
pub use page::page;
pub use projection::Projection;
pub use scratch::EvalScratch;
pub use sort::{RowSorter, SortKey};
pub use subject::{ExchangeRef, FindingRef, Subject};
pub use term::FieldRef;

/// The prefix of field names.
const FIELD: &str = "field.";

/// A compiled display filter.
#[derive(Debug, Clone)]
pub struct Filter {
    text: String,
    tree: Expr,
    rule: Predicate,
}

impl Filter {
    /// Parses a filter.
    ///
    /// # Errors
    ///
    /// What is wrong, in which column, with a suggestion.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let read = parse::parse(text).and_then(|tree| Ok((check::check(&tree)?, tree)));
        let (rule, tree) = read.map_err(|wrong| FilterError::new(text, wrong))?;
        Ok(Self { text: text.to_owned(), tree, rule })
    }

    /// Whether a message matches.
    pub fn matches(&self, subject: &Subject<'_>, scratch: &mut EvalScratch) -> bool {
        scratch.begin();
        self.rule.matches(subject, scratch)
    }

    /// The filter as the user wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it needs data that later packets provide: exchanges and findings.
    pub fn needs_analysis(&self) -> bool {
        self.rule.needs_future()
    }

    /// Whether it may need payloads.
    pub fn needs_payload(&self) -> bool {
        self.rule.needs_payload()
    }

    /// Rejects a filter that needs data of later packets, for input that is read once.
    ///
    /// # Errors
    /// Which name needs later packets.
    pub fn for_one_pass(&self) -> Result<(), FilterError> {
        let Some(term) = future(&self.tree) else {
            return Ok(());
        };
        let name = &term.name;
        let what = format!(
            "{} needs what comes later, and this input is read only once; a file is read twice",
            name.text
        );
        Err(FilterError::new(&self.text, error::Wrong::at(name.at.0.clone(), what)))
    }
}

/// The first term that needs data of later packets.
fn future(expr: &Expr) -> Option<&Term> {
    match expr {
        Expr::Or(parts) | Expr::And(parts) => parts.iter().find_map(future),
        Expr::Not(part) => future(part),
        Expr::Term(term) => {
            let name = names::find(&term.name.text)?;
            name.source.needs_future().then_some(term)
        }
    }
}

impl fmt::Display for Filter {
    /// In the documented spelling; parsed again, it is the same filter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.tree)
    }
}
