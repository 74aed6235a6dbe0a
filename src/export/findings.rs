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
        subject_port: Port in "", "the port of that endpoint";
        occurrences: Number in "", "how often it was found";
        frames: Numbers in "", "the frames at fault, the first 16";
        text: Text in "", "what was found, in one line";
    }
}

impl<'a> From<&'a Finding> for FindingRow<'a> {
    fn from(finding: &'a Finding) -> Self {
        Self {
            id: finding.rule.id.into(),
            severity: finding.rule.severity.name(),
            reference: finding.citation().into(),
            subject: finding.subject.ip(),
            subject_port: finding.subject.port(),
            occurrences: finding.occurrences,
            frames: finding.messages.iter().copied().collect(),
            text: finding.text.as_str().into(),
        }
    }
}
