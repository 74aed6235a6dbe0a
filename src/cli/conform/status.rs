//! The exit status of a run.

use crate::cli::{DONE, NEGATIVE, PARTIAL};
use report::Summary;

/// What else than the verdicts counts in the status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RunDoubts {
    /// Cases of what a document demands that failed now and then.
    pub unstable: usize,
    /// Cases that could not be judged, and not because of a case that failed.
    pub unjudged: usize,
    /// The target stopped answering, or its list was full.
    pub cut_short: bool,
}

/// 1 if a case failed that was not expected to, or failed now and then; else 3 if a case could not
/// be judged, unless the case that decides it failed as expected; else 0.
pub(super) fn status(summary: &Summary, doubts: RunDoubts) -> u8 {
    if summary.fail > 0 || doubts.unstable > 0 {
        NEGATIVE
    } else if doubts.cut_short || doubts.unjudged > 0 {
        PARTIAL
    } else {
        DONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_count_first_and_then_what_could_not_be_judged() {
        let doubts = |unstable, unjudged, cut_short| RunDoubts { unstable, unjudged, cut_short };
        for (fail, doubts, expected) in [
            (0, doubts(0, 0, false), DONE),
            (1, doubts(0, 0, false), NEGATIVE),
            (1, doubts(0, 99, true), NEGATIVE),
            (0, doubts(1, 0, false), NEGATIVE),
            (0, doubts(1, 9, true), NEGATIVE),
            // One case of many is enough.
            (0, doubts(0, 1, false), PARTIAL),
            (0, doubts(0, 0, true), PARTIAL),
        ] {
            let summary = Summary { total: 100, pass: 99 - fail, fail, ..Summary::default() };
            assert_eq!(status(&summary, doubts), expected, "{fail} {doubts:?}");
        }
    }
}
