//! A compiled filter: the cheapest terms are evaluated first.

use super::datum::{Datum, ValueTest};
use super::scratch::EvalScratch;
use super::source::Source;
use super::subject::Subject;

/// What a message is tested for.
#[derive(Debug, Clone)]
pub(super) enum Predicate {
    All(Vec<Predicate>),
    Any(Vec<Predicate>),
    Not(Box<Predicate>),
    /// The name has a value.
    Has(Source),
    /// One of its values passes the test.
    Is(Source, ValueTest),
    /// It has values, and none passes the test or is hidden.
    IsNot(Source, ValueTest),
}

impl Predicate {
    pub fn all(mut parts: Vec<Self>) -> Self {
        parts.sort_by_key(Self::needs_payload);
        Self::All(parts)
    }

    pub fn any(mut parts: Vec<Self>) -> Self {
        parts.sort_by_key(Self::needs_payload);
        Self::Any(parts)
    }

    /// Whether it may have to decode the message's payload.
    pub fn needs_payload(&self) -> bool {
        self.is_any(&Source::needs_payload)
    }

    /// Whether it needs data of later packets.
    pub fn needs_future(&self) -> bool {
        self.is_any(&Source::needs_future)
    }

    fn is_any(&self, of: &dyn Fn(&Source) -> bool) -> bool {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().any(|part| part.is_any(of)),
            Self::Not(part) => part.is_any(of),
            Self::Has(source) | Self::Is(source, _) | Self::IsNot(source, _) => of(source),
        }
    }

    /// Whether a message matches.
    pub fn matches(&self, subject: &Subject<'_>, scratch: &mut EvalScratch) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.matches(subject, scratch)),
            Self::Any(parts) => parts.iter().any(|part| part.matches(subject, scratch)),
            Self::Not(part) => !part.matches(subject, scratch),
            Self::Has(source) => source.values(subject, scratch, &mut |_| true),
            Self::Is(source, test) => {
                source.values(subject, scratch, &mut |datum| test.matches(datum))
            }
            Self::IsNot(source, test) => {
                let mut is_there = false;
                let found = source.values(subject, scratch, &mut |datum| {
                    is_there = true;
                    matches!(datum, Datum::Hidden) || test.matches(datum)
                });
                is_there && !found
            }
        }
    }
}
