//! What became of a case.

use std::time::Duration;

use super::case::{Case, Level};
use super::failure::{Done, Failure, Kind};
use super::log::Log;
use crate::report::Verdict;

/// A case that was tried, or was not.
#[derive(Debug, Clone)]
pub struct Judged {
    pub case: &'static Case,
    pub verdict: Verdict,
    /// What was learnt, or why it was not tried, or what failed; empty where all is said.
    pub text: String,
    pub failure: Option<Failure>,
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
            log: Log::default(),
            took: Duration::ZERO,
        }
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
        ] {
            assert_eq!(verdict_of(level, done, false), lax, "{level:?} {done:?}");
            assert_eq!(verdict_of(level, done, true), strict, "{level:?} {done:?}");
        }
    }
}
