//! What changed between two runs.

mod read;
mod text;

use std::io::{self, Write};

use serde::Serialize;

use super::RunHead;
use crate::{CaseVerdict, ReportMark};
use render::Colour;

pub use read::Recorded;
use read::RecordedCase;

/// What changed from a first run to a second, by cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// The head of the earlier run.
    pub before: RunHead,
    /// The head of the later run.
    pub after: RunHead,
    /// The differences between the heads, without the start times.
    pub(crate) head: Vec<HeadDifference>,
    /// Cases that fail, and did not before.
    pub(crate) newly_failing: Vec<VerdictChange>,
    /// Cases that failed before, and pass.
    pub(crate) fixed: Vec<VerdictChange>,
    /// Cases that cannot be judged, and could before.
    pub(crate) newly_blocked: Vec<VerdictChange>,
    /// Every other change of a verdict.
    pub(crate) other: Vec<VerdictChange>,
    /// Cases that only the first run has.
    pub(crate) only_before: Vec<Lone>,
    /// Cases that only the second run has.
    pub(crate) only_after: Vec<Lone>,
    /// The number of cases with the same verdict in both.
    pub same: u64,
}

/// A difference between two heads; empty on the side that lacks the value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct HeadDifference {
    pub name: String,
    pub before: String,
    pub after: String,
}

/// A case whose verdict changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct VerdictChange {
    pub id: String,
    /// The verdicts' words; `known` where a failure was announced.
    pub before: &'static str,
    pub after: &'static str,
    /// The text of the second run, or of the first if the second has none.
    pub text: String,
}

/// A case that only one run has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Lone {
    pub id: String,
    pub verdict: &'static str,
}

impl Changes {
    /// What changed from `before` to `after`.
    pub fn between(before: &Recorded, after: &Recorded) -> Self {
        let mut changes = Self {
            before: before.head.clone(),
            after: after.head.clone(),
            head: heads(&before.head, &after.head),
            newly_failing: Vec::new(),
            fixed: Vec::new(),
            newly_blocked: Vec::new(),
            other: Vec::new(),
            only_before: only_in(before, after),
            only_after: only_in(after, before),
            same: 0,
        };
        for (id, was) in &before.cases {
            let Some(is) = after.cases.get(id) else { continue };
            if was.mark() == is.mark() {
                changes.same += 1;
                continue;
            }
            let text = if is.text.is_empty() { &was.text } else { &is.text };
            let (before, after) = (was.mark().word(), is.mark().word());
            let change = VerdictChange { id: id.clone(), before, after, text: text.clone() };
            changes.group(was, is).push(change);
        }
        changes
    }

    /// The group that a change belongs to.
    fn group(&mut self, was: &RecordedCase, is: &RecordedCase) -> &mut Vec<VerdictChange> {
        use CaseVerdict::{Blocked, Error, Fail, Info, Pass};
        let failing = ReportMark::judged(Fail, false);
        match is.verdict {
            _ if is.mark() == failing => &mut self.newly_failing,
            Pass | Info if was.verdict == Fail => &mut self.fixed,
            Blocked | Error if !matches!(was.verdict, Blocked | Error) => &mut self.newly_blocked,
            _ => &mut self.other,
        }
    }

    /// Whether a case fails that did not before.
    pub fn is_worse(&self) -> bool {
        !self.newly_failing.is_empty()
    }

    /// Writes the changes for people.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_text(&self, out: &mut impl Write, colour: Colour) -> io::Result<()> {
        out.write_all(text::text_of(self, colour).as_bytes())
    }
}

/// The differences between two heads, without the start times.
fn heads(before: &RunHead, after: &RunHead) -> Vec<HeadDifference> {
    let (before, after) = (before.rows(), after.rows());
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in before.iter().chain(&after) {
        if *name != "started" && !names.contains(name) {
            names.push(name);
        }
    }
    let value = |rows: &[(&str, &str)], name: &str| {
        let row = rows.iter().find(|(known, _)| *known == name);
        row.map(|(_, value)| (*value).to_owned()).unwrap_or_default()
    };
    let both = names.into_iter().map(|name| HeadDifference {
        name: name.to_owned(),
        before: value(&before, name),
        after: value(&after, name),
    });
    both.filter(|row| row.before != row.after).collect()
}

/// The cases of one run that the other does not have.
fn only_in(one: &Recorded, other: &Recorded) -> Vec<Lone> {
    let lone = one.cases.iter().filter(|(id, _)| !other.cases.contains_key(*id));
    lone.map(|(id, case)| Lone { id: id.clone(), verdict: case.mark().word() }).collect()
}
