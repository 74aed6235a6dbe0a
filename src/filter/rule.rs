//! A filter as it is put to messages: what costs least is asked first.

use super::datum::{Datum, ValueTest};
use super::room::EvalScratch;
use super::source::Source;
use super::subject::Subject;

/// What a message must be.
#[derive(Debug, Clone)]
pub(super) enum Predicate {
    All(Vec<Predicate>),
    Any(Vec<Predicate>),
    Not(Box<Predicate>),
    /// The name is there.
    Has(Source),
    /// One of its values is so.
    Is(Source, ValueTest),
    /// It is there, and none of its values is so, or hidden.
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

    /// Whether the message's payload may have to be read for it.
    pub fn needs_payload(&self) -> bool {
        self.is_any(&Source::needs_payload)
    }

    /// Whether it asks for something that is known only later.
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

    /// Whether a message is so.
    pub fn matches(&self, subject: &Subject<'_>, room: &mut EvalScratch) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.matches(subject, room)),
            Self::Any(parts) => parts.iter().any(|part| part.matches(subject, room)),
            Self::Not(part) => !part.matches(subject, room),
            Self::Has(source) => source.values(subject, room, &mut |_| true),
            Self::Is(source, test) => {
                source.values(subject, room, &mut |datum| test.matches(datum))
            }
            Self::IsNot(source, test) => {
                let mut is_there = false;
                let found = source.values(subject, room, &mut |datum| {
                    is_there = true;
                    matches!(datum, Datum::Hidden) || test.matches(datum)
                });
                is_there && !found
            }
        }
    }
}
