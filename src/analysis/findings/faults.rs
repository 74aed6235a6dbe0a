//! Messages that cannot be parsed to their end.

use super::Findings;
use super::key::{About, FindingKey};
use super::rules::FAULTY;
use crate::analysis::message::MessageHeader;
use crate::analysis::values::MessageValues;

impl Findings {
    /// Adds a finding for a message whose parsing stopped. Bytes that the capture lacks, or that
    /// were lost on the way, are not the sender's fault.
    pub(super) fn check_fault(&mut self, header: &MessageHeader, values: &MessageValues<'_>) {
        let Some(fault) = values.fault.filter(|_| !values.plain.cut) else {
            return;
        };
        let entry = header.entry;
        let kind = fault.want.kind();
        let key = FindingKey::of(&FAULTY, header.source)
            .about(About::Fault([entry.protocol.id, entry.spec.id], kind))
            .in_section(entry.spec.sections.first().copied().unwrap_or_default());
        self.add_keyed(key, &[header.frame()], || format!("{}: {fault}", header.name));
    }
}
