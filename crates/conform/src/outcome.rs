//! The result of a run, and what of it counts in the exit status beside failures.

use super::judged::Judged;
use super::precondition::UnmetPrecondition;
use super::requirement::Level;
use report::CaseVerdict;

/// The result of a run.
#[derive(Debug, Default)]
pub struct RunOutcome {
    /// Every case, in the order of the plan.
    pub judged: Vec<Judged>,
    /// The unmet preconditions.
    pub causes: Vec<UnmetPrecondition>,
    /// Whether the target stopped answering, or accepted no more servers, during the run.
    pub cut_short: bool,
    /// Notes for the target's operator: how many servers it may still hold.
    pub notes: Vec<String>,
}

impl RunOutcome {
    /// How many cases of what a document demands failed now and then.
    pub fn unstable(&self) -> usize {
        let counts = |judged: &&Judged| judged.unstable && judged.case.level == Level::Must;
        self.judged.iter().filter(counts).count()
    }

    /// How many cases could not be judged, without those that a failed case blocks.
    pub fn unjudged(&self) -> usize {
        let has_failed =
            |id: &str| self.causes.iter().any(|cause| cause.id == id && cause.failed.is_some());
        let is_unjudged = |judged: &&Judged| {
            matches!(judged.verdict, CaseVerdict::Blocked | CaseVerdict::Error)
                && !judged.blocked_by.is_some_and(has_failed)
        };
        self.judged.iter().filter(is_unjudged).count()
    }
}
