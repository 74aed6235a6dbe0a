//! The file of `--expect-failures`.

use std::collections::BTreeSet;

use conform::{Judged, fits, shown};
use render::Colour;
use report::Tried;

/// Patterns of cases that are known to fail.
#[derive(Default)]
pub(super) struct KnownFailures(BTreeSet<String>);

impl KnownFailures {
    /// Parses ids and patterns, one per line; `#` begins a comment.
    pub fn parse(text: &str) -> Self {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        Self(lines.filter(|line| !line.is_empty()).map(str::to_owned).collect())
    }

    /// A case for reports.
    pub fn shown(&self, judged: &Judged, colour: Colour) -> Tried {
        let is_known = self.0.iter().any(|pattern| fits(pattern, judged.case.id));
        shown(judged, is_known, colour)
    }
}
