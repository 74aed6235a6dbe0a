//! The row of a finding.

use super::row::row;
use crate::analysis::Finding;

row! {
    /// A violation of a rule of the documents.
    FindingRow {
        id: Text in "", "the rule, as `docs/findings.md` has it";
        severity: Word in "", "`note`, `warning` or `error`";
        citation: Text in "", "where the rule stands";
        subject: Address in "", "the address of who is at fault";
        subject_port: Number in "", "the port of that end";
        count: Number in "", "how often it was found";
        messages: Json in "", "the frames at fault, an array of numbers; the first 16";
        text: Text in "", "what was found, in one line";
    }
}

/// Builds the rows of findings.
#[derive(Default)]
pub(super) struct FindingRows {
    citation: String,
    messages: String,
    text: String,
}

impl FindingRows {
    pub fn row(&mut self, finding: &Finding) -> FindingRow<'_> {
        self.citation = finding.citation();
        let numbers: Vec<_> = finding.messages.iter().map(ToString::to_string).collect();
        self.messages = format!("[{}]", numbers.join(","));
        self.text.clone_from(&finding.text);
        FindingRow {
            id: finding.rule.id,
            severity: finding.rule.severity.name(),
            citation: &self.citation,
            subject: finding.subject.ip(),
            subject_port: finding.subject.port().into(),
            count: finding.count,
            messages: self.messages.as_str().into(),
            text: &self.text,
        }
    }
}
