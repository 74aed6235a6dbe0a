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
