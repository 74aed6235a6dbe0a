//! The result of a run, in numbers that add up.

use serde::{Deserialize, Serialize};

use super::tried::Tried;
use crate::{CaseVerdict, ReportMark};
use text::counted;

/// The number of cases per verdict: every case counts once, and the counts add up to the total.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// All cases.
    pub total: u64,
    /// Cases that passed.
    pub pass: u64,
    /// Cases that failed.
    pub fail: u64,
    /// Failed, as expected.
    pub known: u64,
    /// Cases with a warning.
    pub warn: u64,
    /// Cases that only report.
    pub info: u64,
    /// Cases that were skipped.
    pub skipped: u64,
    /// Cases that another failure blocked.
    pub blocked: u64,
    /// Cases that could not be run.
    pub error: u64,
    /// The ids of those that were expected to fail, and passed; they are counted as passed.
    pub expected_but_passed: Vec<String>,
}

impl Summary {
    /// The summary of some cases.
    pub fn from_cases<'a>(cases: impl IntoIterator<Item = &'a Tried>) -> Self {
        let mut summary = Self::default();
        for tried in cases {
            summary.total += 1;
            let count = match tried.verdict {
                CaseVerdict::Pass => &mut summary.pass,
                CaseVerdict::Fail if tried.expected => &mut summary.known,
                CaseVerdict::Fail => &mut summary.fail,
                CaseVerdict::Warn => &mut summary.warn,
                CaseVerdict::Info => &mut summary.info,
                CaseVerdict::Skipped => &mut summary.skipped,
                CaseVerdict::Blocked => &mut summary.blocked,
                CaseVerdict::Error => &mut summary.error,
            };
            *count += 1;
            if tried.has_passed_unexpectedly() {
                summary.expected_but_passed.push(tried.id.clone());
            }
        }
        summary
    }

    /// The counts that are not zero, with their marks, in the order of text reports.
    pub fn counts(&self) -> impl Iterator<Item = (ReportMark, u64)> {
        let of = |verdict| ReportMark::judged(verdict, false);
        let all = [
            (of(CaseVerdict::Pass), self.pass),
            (of(CaseVerdict::Fail), self.fail),
            (ReportMark::judged(CaseVerdict::Fail, true), self.known),
            (of(CaseVerdict::Warn), self.warn),
            (of(CaseVerdict::Info), self.info),
            (of(CaseVerdict::Skipped), self.skipped),
            (of(CaseVerdict::Blocked), self.blocked),
            (of(CaseVerdict::Error), self.error),
        ];
        all.into_iter().filter(|(_, count)| *count > 0)
    }

    /// `7 cases: 5 passed, 1 failed, 1 blocked`.
    pub fn line(&self) -> String {
        let parts: Vec<_> = self.counts().map(|(mark, count)| mark.counted(count)).collect();
        let gap = if parts.is_empty() { "" } else { ": " };
        format!("{}{gap}{}", counted(self.total, "case"), parts.join(", "))
    }
}
