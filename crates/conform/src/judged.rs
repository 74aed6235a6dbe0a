//! The verdict on a case.

use std::time::Duration;

use super::failure::{Done, Failure, FailureKind};
use super::log::TrafficLog;
use super::precondition::UnmetPrecondition;
use super::requirement::Level;
use super::suite::SuiteCase;
use report::CaseVerdict;

/// A case that was run, or was not.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The case.
    pub case: SuiteCase,
    /// The verdict.
    pub verdict: CaseVerdict,
    /// Observations, or why it was skipped, or what failed; empty if there is nothing to add.
    pub text: String,
    /// Why it did not pass.
    pub failure: Option<Failure>,
    /// The unmet precondition, for a case that was blocked before it ran.
    pub blocked_by: Option<&'static str>,
    /// Why it did not pass at first, if it was run again.
    pub first_try: Option<String>,
    /// Whether it failed now and then: neither always nor never.
    pub unstable: bool,
    /// The traffic of the last attempt.
    pub log: TrafficLog,
    /// How long it took.
    pub took: Duration,
}

/// The verdict on a case's result at its level; if strict, SHOULD counts as MUST.
pub fn verdict_of(level: Level, done: &Done, strict: bool) -> CaseVerdict {
    match (done, level) {
        (Ok(()), Level::Info) => CaseVerdict::Info,
        (Ok(()), _) => CaseVerdict::Pass,
        (Err(failure), _) if failure.kind == FailureKind::Skipped => CaseVerdict::Skipped,
        (Err(failure), _) if failure.kind == FailureKind::Blocked => CaseVerdict::Blocked,
        (Err(failure), _) if failure.kind == FailureKind::Error => CaseVerdict::Error,
        (Err(_), Level::Must) => CaseVerdict::Fail,
        (Err(_), Level::Should) => {
            if strict {
                CaseVerdict::Fail
            } else {
                CaseVerdict::Warn
            }
        }
        (Err(_), Level::Info) => CaseVerdict::Info,
    }
}

impl Judged {
    /// A skipped case.
    pub fn skipped(case: SuiteCase, why: String) -> Self {
        Self {
            case,
            verdict: CaseVerdict::Skipped,
            text: why,
            failure: None,
            blocked_by: None,
            first_try: None,
            unstable: false,
            log: TrafficLog::default(),
            took: Duration::ZERO,
        }
    }

    /// A blocked case.
    pub fn blocked(case: SuiteCase, cause: &UnmetPrecondition) -> Self {
        let verdict = CaseVerdict::Blocked;
        Self { verdict, blocked_by: Some(cause.id), ..Self::skipped(case, cause.says.clone()) }
    }

    /// Whether it was run and should be repeated because of its result.
    pub fn deserves_another_try(&self) -> bool {
        let is_bad = matches!(
            self.verdict,
            CaseVerdict::Fail | CaseVerdict::Warn | CaseVerdict::Error | CaseVerdict::Blocked
        );
        is_bad && self.blocked_by.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_weigh_failures() {
        use Level::{Info, Must, Should};
        let failed: Done = Err(Failure::new("this", "that"));
        let skipped: Done = Err(Failure::skipped("why"));
        let blocked: Done = Err(Failure::new("this", "that").in_setup());
        let wrong: Done = Err(Failure::error("why"));
        for (level, done, lax, strict) in [
            (Must, &Ok(()), CaseVerdict::Pass, CaseVerdict::Pass),
            (Should, &Ok(()), CaseVerdict::Pass, CaseVerdict::Pass),
            (Info, &Ok(()), CaseVerdict::Info, CaseVerdict::Info),
            (Must, &failed, CaseVerdict::Fail, CaseVerdict::Fail),
            (Should, &failed, CaseVerdict::Warn, CaseVerdict::Fail),
            (Info, &failed, CaseVerdict::Info, CaseVerdict::Info),
            (Must, &skipped, CaseVerdict::Skipped, CaseVerdict::Skipped),
            (Info, &skipped, CaseVerdict::Skipped, CaseVerdict::Skipped),
            (Should, &wrong, CaseVerdict::Error, CaseVerdict::Error),
            (Must, &blocked, CaseVerdict::Blocked, CaseVerdict::Blocked),
            (Info, &blocked, CaseVerdict::Blocked, CaseVerdict::Blocked),
        ] {
            assert_eq!(verdict_of(level, done, false), lax, "{level:?} {done:?}");
            assert_eq!(verdict_of(level, done, true), strict, "{level:?} {done:?}");
        }
    }
}
