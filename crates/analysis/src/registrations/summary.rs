//! What came of all registrations of one server.

use super::{FailureCause, Registration};

/// With how many masters a server registered, and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RegistrationSummary {
    /// The masters that got its heartbeats, or that list it.
    pub masters: usize,
    /// Those that list it.
    pub listed: usize,
    /// Those where a step failed.
    pub failed: usize,
    /// Why, in the order of the masters, each once.
    pub causes: Vec<FailureCause>,
}

impl RegistrationSummary {
    pub(super) fn from_registrations(all: impl Iterator<Item = Registration>) -> Self {
        let mut summary = Self::default();
        for registration in all {
            summary.masters += 1;
            summary.listed += usize::from(registration.is_listed());
            let Some(failed) = registration.failed() else { continue };
            summary.failed += 1;
            let is_new = |cause: &FailureCause| !summary.causes.contains(cause);
            let new = failed.cause.filter(is_new);
            summary.causes.extend(new);
        }
        summary
    }

    /// `yes`, `2 of 3` masters, `no` if a step failed, else `unseen`: no list shows it.
    pub fn listed_words(&self) -> String {
        match (self.listed, self.masters) {
            (0, _) if self.failed > 0 => "no".to_owned(),
            (0, _) => "unseen".to_owned(),
            (listed, masters) if listed == masters => "yes".to_owned(),
            (listed, masters) => format!("{listed} of {masters}"),
        }
    }
}
