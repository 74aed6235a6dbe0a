//! A finding, and the rule that it violates.

use std::net::SocketAddr;

use super::frame_ref::FrameOrigin;
use text::named;

/// A requirement of a document.
#[derive(Debug)]
pub struct Rule {
    /// Its identifier: `list.end-missing`.
    pub id: &'static str,
    /// How bad a violation is.
    pub severity: Severity,
    /// The requirement, in one sentence.
    pub requirement: &'static str,
    /// The impact of a violation.
    pub impact: &'static str,
    /// Document and section: `001 1.1.2`. Nothing for a rule on messages of any kind: the
    /// requirement is in the section that describes each message.
    pub section: &'static str,
}

named! {
    /// How bad it is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Severity {
        /// Unusual, or against a document, but widely done without harm.
        Note = "note",
        /// Some programs will not work with it.
        Warning = "warning",
        /// No program can use it.
        Error = "error",
    }
}

/// A violation of a rule by one endpoint.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The rule that is violated.
    pub rule: &'static Rule,
    /// The endpoint at fault.
    pub subject: SocketAddr,
    /// The frames at fault, the first 16.
    pub messages: Vec<u64>,
    /// Where the frames at fault come from.
    pub origin: FrameOrigin,
    /// Number of occurrences.
    pub occurrences: u64,
    /// What distinguishes findings of one rule and one endpoint: the other endpoint, or the message
    /// and what is wrong with it; empty if there is only one.
    pub about: String,
    /// The occurrence whose first frame is the earliest, in words; bytes from the network are escaped.
    pub text: String,
    /// Document and section: the rule's, or that of the message that violates it. `the released
    /// sources` where no document states it.
    pub section: &'static str,
    /// The server whose registration it is about: `fragshark explain` shows it step by step.
    pub explains: Option<SocketAddr>,
    /// Its number in the order of creation.
    pub(super) serial: u32,
}
