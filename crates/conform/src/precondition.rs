//! Preconditions of cases: that the target answers, that it lists a server.
//!
//! A precondition is checked once, alone, before the cases. If it does not hold, the cases that
//! depend on it are blocked, and a report shows the cause once.

use super::context::TestContext;
use super::failure::{Done, Failure};
use super::log::TrafficLog;

/// A precondition of cases.
pub struct Precondition {
    /// A path: `quake3/listed`.
    pub id: &'static str,
    /// What a report says if it does not hold, without a final period: `no server is listed`.
    pub otherwise: &'static str,
    /// The preconditions that it depends on itself.
    pub needs: &'static [&'static Precondition],
    /// Checks it.
    pub check: fn(&TestContext) -> Done,
}

/// An unmet precondition, with the evidence.
#[derive(Debug, Clone)]
pub struct UnmetPrecondition {
    /// The id of the precondition.
    pub id: &'static str,
    /// The text of the report: `no server is listed`.
    pub says: String,
    /// What was expected and what came.
    pub failure: Failure,
    /// The datagrams of the last attempt.
    pub log: TrafficLog,
    /// The id of the case that judges the same and failed: what it blocks is a consequence.
    pub failed: Option<&'static str>,
}

impl Precondition {
    /// These and all their dependencies, each after those that it depends on itself.
    pub fn all_of(needs: &[&'static Self]) -> Vec<&'static Self> {
        let mut all = Vec::new();
        for one in needs {
            one.collect(&mut all);
        }
        all
    }

    fn collect(&'static self, into: &mut Vec<&'static Self>) {
        for one in self.needs {
            one.collect(into);
        }
        if !into.iter().any(|known| known.id == self.id) {
            into.push(self);
        }
    }

    /// The first of its dependencies, or it itself, that does not hold by these causes.
    pub fn cause<'c>(&self, causes: &'c [UnmetPrecondition]) -> Option<&'c UnmetPrecondition> {
        let deeper = self.needs.iter().find_map(|one| one.cause(causes));
        deeper.or_else(|| causes.iter().find(|cause| cause.id == self.id))
    }
}

impl std::fmt::Debug for Precondition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}
