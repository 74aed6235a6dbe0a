//! The display filter: a small language, in Wireshark's manner, that says which messages are meant.
//!
//! A text is read into a tree, the tree is checked against the one table of names and becomes a
//! rule, and the rule is put to messages. Names come from the declarations below (protocols, games,
//! messages, fields), so no message has to be listed here. `docs/filters.md` is made from the same
//! table.
//!
//! A message's fields are read only when a term asks for them, once for all terms. What a name's
//! values are is a list: a comparison holds where any of them is so, and `!=` where none is and
//! there is one.
//!
//! *Invariant:* a secret that is masked is there, and no comparison tells what it is. *Invariant:*
//! no filter panics, and what one costs is bounded: its length, its depth, its expressions.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod check;
mod complete;
mod datum;
mod error;
mod fields;
mod marked;
mod meant;
mod names;
mod number;
mod outlook;
mod page;
mod parse;
mod quote;
mod room;
mod rule;
mod source;
mod subject;
mod tree;

#[cfg(test)]
mod tests;

use std::fmt;

use rule::Predicate;
use tree::{Expr, Term};

pub use complete::{Completion, Completions, complete};
pub use error::FilterError;
pub use marked::FrameSet;
pub use names::{Name, ValueType, names};
pub use outlook::FrameAnnotations;
pub use page::page;
pub use room::EvalScratch;
pub use subject::{ExchangeRef, FindingRef, Subject};

/// What stands before the name of a field.
const FIELD: &str = "field.";

/// Which messages are meant.
#[derive(Debug, Clone)]
pub struct Filter {
    text: String,
    tree: Expr,
    rule: Predicate,
}

impl Filter {
    /// Reads a filter. The error says what is wrong, in which column, and what was perhaps meant.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let read = parse::parse(text).and_then(|tree| Ok((check::check(&tree)?, tree)));
        let (rule, tree) = read.map_err(|wrong| FilterError::new(text, wrong))?;
        Ok(Self { text: text.to_owned(), tree, rule })
    }

    /// Whether a message is meant.
    pub fn matches(&self, subject: &Subject<'_>, room: &mut EvalScratch) -> bool {
        room.begin();
        self.rule.matches(subject, room)
    }

    /// The filter as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it asks for something that is known only when more of the capture has been read:
    /// exchanges and findings.
    pub fn needs_future(&self) -> bool {
        self.rule.needs_future()
    }

    /// Whether it may have to look into payloads.
    pub fn needs_payload(&self) -> bool {
        self.rule.needs_payload()
    }

    /// Refuses a filter that asks for what is known only later, for input that is read once.
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

/// The first term that asks for what is known only later.
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
    /// In the words and signs of the documents; read again, it is the same filter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.tree)
    }
}
