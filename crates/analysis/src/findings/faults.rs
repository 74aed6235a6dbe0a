//! Messages that cannot be parsed to their end, and those that depart from the documents.

use super::Findings;
use super::key::{About, FindingKey};
use super::rules::{DEPARTS, FAULTY};
use crate::finding::BytePlace;
use crate::message::MessageHeader;
use crate::values::MessageValues;

impl Findings {
    /// Adds a finding for a message whose parsing stopped, or that a document spells otherwise. Bytes
    /// that the capture lacks, or that were lost on the way, are not the sender's fault.
    pub(super) fn check_fault(&mut self, header: &MessageHeader, values: &MessageValues<'_>) {
        let (entry, plain) = (header.entry, &values.plain);
        let (rule, kind, text, place): (_, _, &dyn std::fmt::Display, _) =
            match (&values.fault, &plain.anomaly) {
                _ if plain.cut => return,
                (Some(fault), _) => (&FAULTY, fault.want.kind(), fault, BytePlace::of_fault(fault)),
                (None, Some(notice)) if !entry.spec.undocumented => {
                    (&DEPARTS, notice.odd.name(), &notice.odd, BytePlace::of_notice(notice))
                }
                _ => return,
            };
        let key = FindingKey::new(rule, header.source)
            .about(About::Fault([entry.protocol.id, entry.spec.id], kind))
            .at(place)
            .in_section(entry.spec.sections.first().copied().unwrap_or_default());
        self.add_keyed(key, &[header.frame()], || format!("{}: {text}", header.name));
    }
}
