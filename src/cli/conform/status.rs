//! The exit status of a run.

use crate::cli::{DONE, NEGATIVE, PARTIAL};
use report::Summary;

/// 1 if a case failed that was not expected to; else 3 if more than half of the cases that were run
/// could not be judged, or the run was cut short: the target stopped answering, or its list was
/// full; else 0.
pub(super) fn status(summary: &Summary, cut_short: bool) -> u8 {
    if summary.fail > 0 {
        NEGATIVE
    } else if cut_short || summary.is_incomplete() {
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
        let of = |pass, fail, known, skipped, blocked, error| {
            let total = pass + fail + known + skipped + blocked + error;
            Summary { total, pass, fail, known, skipped, blocked, error, ..Summary::default() }
        };
        for (summary, expected) in [
            (of(0, 0, 0, 0, 0, 0), DONE),
            (of(9, 0, 0, 0, 0, 0), DONE),
            (of(9, 1, 0, 0, 0, 0), NEGATIVE),
            (of(0, 1, 0, 0, 99, 0), NEGATIVE),
            (of(1, 0, 1, 0, 0, 0), DONE),
            // Half of the cases is not more than half.
            (of(5, 0, 0, 0, 5, 0), DONE),
            (of(5, 0, 0, 0, 3, 2), DONE),
            (of(5, 0, 0, 0, 6, 0), PARTIAL),
            (of(5, 0, 0, 0, 3, 3), PARTIAL),
            (of(0, 0, 0, 0, 1, 0), PARTIAL),
            (of(0, 0, 0, 0, 0, 1), PARTIAL),
            // Skipped cases do not count.
            (of(1, 0, 0, 98, 2, 0), PARTIAL),
            (of(0, 0, 0, 9, 0, 0), DONE),
            (of(1, 0, 1, 0, 2, 0), DONE),
        ] {
            assert_eq!(status(&summary, false), expected, "{}", summary.line());
            let cut = if expected == NEGATIVE { NEGATIVE } else { PARTIAL };
            assert_eq!(status(&summary, true), cut, "{}", summary.line());
        }
    }
}
