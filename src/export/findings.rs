//! The row of a finding.

use super::row::row;
use crate::analysis::Finding;

row! {
    /// A violation of a rule of the documents.
    FindingRow {
        id: Text in "", "the rule, as `docs/findings.md` has it";
        severity: Word in "", "`note`, `warning` or `error`";
        reference: Text in "", "document and section of the rule";
        subject: Address in "", "the address of the endpoint at fault";
        subject_port: Number in "", "the port of that endpoint";
        occurrences: Number in "", "how often it was found";
        frames: Json in "", "the frames at fault, an array of numbers; the first 16";
        text: Text in "", "what was found, in one line";
    }
}

/// Builds the rows of findings.
#[derive(Default)]
pub(super) struct FindingRows {
    citation: String,
    frames: String,
    text: String,
}

impl FindingRows {
    pub fn row(&mut self, finding: &Finding) -> FindingRow<'_> {
        self.citation = finding.citation();
        let numbers: Vec<_> = finding.messages.iter().map(ToString::to_string).collect();
        self.frames = format!("[{}]", numbers.join(","));
        self.text.clone_from(&finding.text);
        FindingRow {
            id: finding.rule.id,
            severity: finding.rule.severity.name(),
            reference: &self.citation,
            subject: finding.subject.ip(),
            subject_port: finding.subject.port().into(),
            occurrences: finding.occurrences,
            frames: self.frames.as_str().into(),
            text: &self.text,
        }
    }
}
