//! Rulings on differences between a recording and a run.

/// Whether a difference counts against the target.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ruling {
    /// It does.
    Unexpected,
    /// It may differ, for this reason.
    Allowed(String),
    /// Not comparable, for this reason: the recording is no reference there, or what would be
    /// compared did not happen.
    NotCompared(String),
}

/// A difference.
#[derive(Debug)]
pub(super) struct Difference {
    /// The name that `--ignore` takes.
    pub field: String,
    pub ruling: Ruling,
    pub text: String,
}

impl Ruling {
    pub fn is_unexpected(&self) -> bool {
        *self == Self::Unexpected
    }

    /// Allowed if there is a reason, else unexpected.
    pub(super) fn allowed(reason: Option<&str>) -> Self {
        reason.map_or(Self::Unexpected, |reason| Self::Allowed(reason.to_owned()))
    }

    /// Not compared if there is a reason, else unexpected.
    pub(super) fn not_compared(reason: Option<&str>) -> Self {
        reason.map_or(Self::Unexpected, |reason| Self::NotCompared(reason.to_owned()))
    }

    /// This one if it has a reason, else the other.
    #[must_use]
    pub(super) fn or(self, other: impl FnOnce() -> Self) -> Self {
        if self.is_unexpected() { other() } else { self }
    }
}

impl Difference {
    pub fn new(field: &str, ruling: Ruling, text: String) -> Self {
        Self { field: field.to_owned(), ruling, text }
    }
}
