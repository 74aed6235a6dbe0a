//! A finding, and the rule that it violates.

use std::net::SocketAddr;

use super::frame_ref::FrameOrigin;
use codec::{Fault, Notice};
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

/// Bytes of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BytePlace {
    /// 0: the payload; 1: the decoded text of a coded range.
    pub layer: u8,
    /// The offset of the first byte in that layer.
    pub offset: u32,
    /// How many bytes; 0 where something is missing.
    pub length: u32,
}

impl BytePlace {
    /// The byte at which reading stopped.
    pub fn of_fault(fault: &Fault) -> Self {
        let length = u32::from(fault.found.is_some());
        Self { layer: fault.layer, offset: fault.at as u32, length }
    }

    /// The bytes of an anomaly.
    pub fn of_notice(notice: &Notice) -> Self {
        let length = notice.end.saturating_sub(notice.start);
        Self { layer: notice.layer, offset: notice.start, length }
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
    /// The bytes at fault of that occurrence's first message, where it is bytes that are.
    pub place: Option<BytePlace>,
    /// Document and section: the rule's, or that of the message that violates it. `the released
    /// sources` where no document states it.
    pub section: &'static str,
    /// The server whose registration it is about: `fragshark explain` shows it step by step.
    pub explains: Option<SocketAddr>,
    /// Its number in the order of creation.
    pub(super) serial: u32,
}
