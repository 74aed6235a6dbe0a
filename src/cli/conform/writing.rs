//! Reports of runs: the format, and the known failures.

use std::collections::BTreeSet;
use std::io::Write as _;

use clap::ValueEnum;

use crate::conform::{Judged, fits, shown};
use crate::export::Output;
use crate::render::Colour;
use crate::report::{Run, RunForm, Tried, page};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ConformFormat {
    Text,
    Json,
    Ndjson,
    Junit,
    Tap,
    Html,
}

/// Writes runs: several as one page.
pub(super) fn write(
    runs: &[Run],
    format: ConformFormat,
    mut out: Output,
    colour: Colour,
) -> anyhow::Result<()> {
    let form = match format {
        ConformFormat::Text => RunForm::Text { colour },
        ConformFormat::Json => RunForm::Json,
        ConformFormat::Ndjson => RunForm::Ndjson,
        ConformFormat::Junit => RunForm::Junit,
        ConformFormat::Tap => RunForm::Tap,
        ConformFormat::Html => {
            out.write_all(page(runs).as_bytes())?;
            return Ok(out.finish()?);
        }
    };
    for run in runs {
        run.write(&mut out, form)?;
    }
    Ok(out.finish()?)
}

/// Patterns of cases that are known to fail.
#[derive(Default)]
pub(super) struct KnownFailures(BTreeSet<String>);

impl KnownFailures {
    /// Parses ids and patterns, one per line; `#` begins a comment.
    pub fn read(text: &str) -> Self {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        Self(lines.filter(|line| !line.is_empty()).map(str::to_owned).collect())
    }

    /// A case for reports.
    pub fn shown(&self, judged: &Judged, colour: Colour) -> Tried {
        let is_known = self.0.iter().any(|pattern| fits(pattern, judged.case.id));
        shown(judged, is_known, colour)
    }
}
