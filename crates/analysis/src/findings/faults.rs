//! Messages that cannot be parsed to their end, and those that depart from the documents.

use super::Findings;
use super::key::{About, FindingKey};
use super::rules::{DEPARTS, FAULTY};
use crate::message::MessageHeader;
use crate::values::MessageValues;

impl Findings {
    /// Adds a finding for a message whose parsing stopped, or that a document spells otherwise. Bytes
    /// that the capture lacks, or that were lost on the way, are not the sender's fault.
    pub(super) fn check_fault(&mut self, header: &MessageHeader, values: &MessageValues<'_>) {
        let (entry, plain) = (header.entry, &values.plain);
        let (rule, kind, text): (_, _, &dyn std::fmt::Display) =
            match (&values.fault, &plain.anomaly) {
                _ if plain.cut => return,
                (Some(fault), _) => (&FAULTY, fault.want.kind(), fault),
                (None, Some(anomaly)) if !entry.spec.undocumented => {
                    (&DEPARTS, anomaly.name(), anomaly)
                }
                _ => return,
            };
        let key = FindingKey::new(rule, header.source)
            .about(About::Fault([entry.protocol.id, entry.spec.id], kind))
            .in_section(entry.spec.sections.first().copied().unwrap_or_default());
        self.add_keyed(key, &[header.frame()], || format!("{}: {text}", header.name));
    }
}
