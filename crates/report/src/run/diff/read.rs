//! Reads a written run again, as far as runs are compared.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::RunHead;
use crate::{CaseVerdict, ReportMark};

/// A run that was written as JSON or NDJSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// What was tested, and when.
    pub head: RunHead,
    /// By their ids.
    pub(super) cases: BTreeMap<String, RecordedCase>,
}

/// The parts of a case that are compared.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct RecordedCase {
    id: String,
    pub verdict: CaseVerdict,
    expected: bool,
    pub text: String,
}

/// Why a text is not a run.
#[derive(Debug, thiserror::Error)]
pub enum NotARun {
    #[error(
        "not a report of `fragshark conform`; one is written by --format json or --format ndjson"
    )]
    Other,
    #[error("not a whole report of `fragshark conform`: {0}")]
    Damaged(#[from] serde_json::Error),
    #[error("the report ends before its summary")]
    EndsEarly,
    #[error("the report has the case {0} twice")]
    Twice(String),
}

/// The members of a document that are read.
#[derive(Deserialize)]
struct Document {
    run: RunHead,
    cases: Vec<RecordedCase>,
}

impl Recorded {
    /// Reads a report in either form.
    ///
    /// # Errors
    /// If the text is no such report.
    pub fn parse(text: &str) -> Result<Self, NotARun> {
        let first = text.trim_start().lines().next().unwrap_or_default();
        if kind(first).as_deref() == Some("run") {
            return Self::read_lines(text);
        }
        if !first.starts_with('{') {
            return Err(NotARun::Other);
        }
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) if text.contains("\"run\"") => return Err(error.into()),
            Err(_) => return Err(NotARun::Other),
        };
        if value.get("run").is_none() || value.get("cases").is_none() {
            return Err(NotARun::Other);
        }
        let Document { run, cases } = serde_json::from_value(value)?;
        Self::new(run, cases)
    }

    fn read_lines(text: &str) -> Result<Self, NotARun> {
        let (mut head, mut cases, mut is_whole) = (None, Vec::new(), false);
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let value: Value = serde_json::from_str(line)?;
            match value.get("type").and_then(Value::as_str) {
                Some("run") => head = Some(serde_json::from_value(value)?),
                Some("case") => cases.push(serde_json::from_value(value)?),
                Some("summary") => is_whole = true,
                _ => {}
            }
        }
        if !is_whole {
            return Err(NotARun::EndsEarly);
        }
        Self::new(head.ok_or(NotARun::Other)?, cases)
    }

    fn new(head: RunHead, all: Vec<RecordedCase>) -> Result<Self, NotARun> {
        let mut cases = BTreeMap::new();
        for case in all {
            if let Some(twice) = cases.insert(case.id.clone(), case) {
                return Err(NotARun::Twice(twice.id));
            }
        }
        Ok(Self { head, cases })
    }
}

impl RecordedCase {
    pub fn mark(&self) -> ReportMark {
        ReportMark::judged(self.verdict, self.expected)
    }
}

/// The type of an object that is a line of NDJSON.
fn kind(line: &str) -> Option<String> {
    let value: Value = serde_json::from_str(line).ok()?;
    value.get("type")?.as_str().map(str::to_owned)
}
