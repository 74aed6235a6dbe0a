//! The row of a finding.

use super::row::row;
use super::row_ids::RowIdTexts;
use analysis::Finding;

row! {
    /// A violation of a rule of the documents.
    FindingRow {
        file;
        id: Text in "", "the rule, as `docs/reference/findings.md` has it";
        severity: Word in "", "`note`, `warning` or `error`";
        reference: Text in "", "document and section of the rule";
        subject: Address in "", "the address of the endpoint at fault";
        subject_port: Port in "", "the port of that endpoint";
        about: Text in "", "what tells findings of one rule and subject apart: the other endpoint, or the message and what is wrong with it";
        community_id;
        occurrences: Number in "", "how often it was found";
        frames: Numbers in "", "the frames at fault, the first 16";
        byte_offset: Number or none in "bytes", "the bytes at fault of the first frame: the offset of the first in the payload, or in its decoded text";
        byte_length: Number or none in "bytes", "how many bytes these are; 0 where something is missing";
        text: Text in "", "what was found, in one line; of several occurrences, that with the earliest frame";
    }
}

impl<'a> FindingRow<'a> {
    /// The row of a finding, with the ids of its flow.
    pub(super) fn new(finding: &'a Finding, ids: RowIdTexts<'a>) -> Self {
        Self {
            file: ids.file.into(),
            id: finding.rule.id.into(),
            severity: finding.rule.severity.name(),
            reference: finding.citation().into(),
            subject: finding.subject.ip(),
            subject_port: finding.subject.port(),
            about: finding.about.as_str().into(),
            community_id: ids.community_id,
            occurrences: finding.occurrences,
            frames: finding.messages.iter().copied().collect(),
            byte_offset: finding.place.map(|place| place.offset.into()),
            byte_length: finding.place.map(|place| place.length.into()),
            text: finding.text.as_str().into(),
        }
    }
}
