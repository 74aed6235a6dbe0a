//! Messages that cannot be read to their end.

use super::Findings;
use super::about::{About, FindingKey};
use super::rules::FAULTY;
use crate::analysis::facts::MessageValues;
use crate::analysis::message::MessageHeader;

impl Findings {
    /// A message whose reading stopped. What the capture has only a part of is not its sender's
    /// fault, and neither is what was lost on the way.
    pub(super) fn fault(&mut self, header: &MessageHeader, facts: &MessageValues) {
        let Some(fault) = facts.reading().fault().filter(|_| !facts.cut) else {
            return;
        };
        let entry = header.entry;
        let kind = std::mem::discriminant(&fault.want);
        let case = FindingKey::of(&FAULTY, header.source)
            .about(About::Fault([entry.protocol, entry.spec.id], kind))
            .in_section(entry.spec.sections.first().copied().unwrap_or_default());
        self.found_case(case, &[header.number], || format!("{}: {fault}", header.name));
    }
}
