//! Findings as they are made, for those who wait for one: each occurrence of the watched rules.

use std::net::SocketAddr;

use super::KEPT;
use super::key::{About, FindingKey};
use crate::finding::Rule;
use crate::frame_ref::FrameRef;

/// One occurrence of a finding.
#[derive(Debug, Clone)]
pub struct FindingOccurrence {
    /// The rule that is violated.
    pub rule: &'static Rule,
    /// The endpoint at fault.
    pub subject: SocketAddr,
    /// The numbers of the frames at fault; empty if none is known.
    pub frames: Vec<u64>,
    /// In words; bytes from the network are escaped.
    pub text: String,
    /// What distinguishes findings of one rule and one endpoint.
    about: About,
}

/// What tells findings apart, of all rules and endpoints.
pub(crate) type OccurrenceKey = (&'static str, SocketAddr, About);

/// The occurrences of watched rules since they were last taken.
#[derive(Debug, Clone, Default)]
pub(super) struct FindingWatch {
    rules: Vec<&'static Rule>,
    occurrences: Vec<FindingOccurrence>,
}

impl FindingOccurrence {
    /// What tells its finding apart from others.
    pub(crate) fn key(&self) -> OccurrenceKey {
        (self.rule.id, self.subject, self.about)
    }
}

impl FindingWatch {
    /// A watch on these rules.
    pub fn new(rules: Vec<&'static Rule>) -> Self {
        Self { rules, occurrences: Vec::new() }
    }

    /// The same rules, without the occurrences.
    pub fn afresh(&self) -> Self {
        Self::new(self.rules.clone())
    }

    /// Whether an occurrence of a rule is kept.
    pub fn wants(&self, rule: &Rule) -> bool {
        self.occurrences.len() < KEPT && self.rules.iter().any(|watched| watched.id == rule.id)
    }

    /// Keeps an occurrence.
    pub fn add_occurrence(&mut self, key: &FindingKey, frames: &[FrameRef], text: String) {
        let FindingKey { rule, subject, about, .. } = *key;
        let frames = frames.iter().map(|frame| frame.number).collect();
        self.occurrences.push(FindingOccurrence { rule, subject, frames, text, about });
    }

    /// The occurrences since the last call, in their order.
    pub fn take_occurrences(&mut self) -> Vec<FindingOccurrence> {
        std::mem::take(&mut self.occurrences)
    }
}
