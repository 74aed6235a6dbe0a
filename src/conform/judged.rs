//! What became of a case.

use std::time::Duration;

use super::case::{Case, Level};
use super::failure::{Done, Failure, Kind};
use super::log::Log;
use super::precondition::Cause;
use crate::report::Verdict;

/// A case that was tried, or was not.
#[derive(Debug, Clone)]
pub struct Judged {
    pub case: &'static Case,
    pub verdict: Verdict,
    /// What was learnt, or why it was not tried, or what failed; empty where all is said.
    pub text: String,
    pub failure: Option<Failure>,
    /// The precondition that does not hold, of a case that was blocked before it was tried.
    pub blocked_by: Option<&'static str>,
    /// Why it did not pass at first, where it was tried again.
    pub first_try: Option<String>,
    /// What was said and heard, the last time that it was tried.
    pub log: Log,
    pub took: Duration,
}

/// What a case's end means, at its level; where it is strict, what should be has to be.
pub fn verdict_of(level: Level, done: &Done, strict: bool) -> Verdict {
    match (done, level) {
        (Ok(()), Level::Info) => Verdict::Info,
        (Ok(()), _) => Verdict::Pass,
        (Err(failure), _) if failure.kind == Kind::Skipped => Verdict::Skipped,
        (Err(failure), _) if failure.kind == Kind::Blocked => Verdict::Blocked,
        (Err(failure), _) if failure.kind == Kind::Error => Verdict::Error,
        (Err(_), Level::Must) => Verdict::Fail,
        (Err(_), Level::Should) => {
            if strict {
                Verdict::Fail
            } else {
                Verdict::Warn
            }
        }
        (Err(_), Level::Info) => Verdict::Info,
    }
}

impl Judged {
    /// One that is not tried.
    pub fn skipped(case: &'static Case, why: String) -> Self {
        Self {
            case,
            verdict: Verdict::Skipped,
            text: why,
            failure: None,
            blocked_by: None,
            first_try: None,
            log: Log::default(),
            took: Duration::ZERO,
        }
    }

    /// One that is not tried, for what it needs is not there.
    pub fn blocked(case: &'static Case, cause: &Cause) -> Self {
        let verdict = Verdict::Blocked;
        Self { verdict, blocked_by: Some(cause.id), ..Self::skipped(case, cause.says.clone()) }
    }

    /// Whether it was tried, and did not come out as one would keep it.
    pub fn deserves_another_try(&self) -> bool {
        let is_bad = matches!(
            self.verdict,
            Verdict::Fail | Verdict::Warn | Verdict::Error | Verdict::Blocked
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
            (Must, &Ok(()), Verdict::Pass, Verdict::Pass),
            (Should, &Ok(()), Verdict::Pass, Verdict::Pass),
            (Info, &Ok(()), Verdict::Info, Verdict::Info),
            (Must, &failed, Verdict::Fail, Verdict::Fail),
            (Should, &failed, Verdict::Warn, Verdict::Fail),
            (Info, &failed, Verdict::Info, Verdict::Info),
            (Must, &skipped, Verdict::Skipped, Verdict::Skipped),
            (Info, &skipped, Verdict::Skipped, Verdict::Skipped),
            (Should, &wrong, Verdict::Error, Verdict::Error),
            (Must, &blocked, Verdict::Blocked, Verdict::Blocked),
            (Info, &blocked, Verdict::Blocked, Verdict::Blocked),
        ] {
            assert_eq!(verdict_of(level, done, false), lax, "{level:?} {done:?}");
            assert_eq!(verdict_of(level, done, true), strict, "{level:?} {done:?}");
        }
    }
}
