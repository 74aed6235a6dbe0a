//! What a filter is put to: a message, and what others have found out about it.

use crate::analysis::{self, CapturedMessage, MessageHeader};

/// A message, and what is known beyond it.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    pub header: &'a MessageHeader,
    /// Empty where the filter does not ask for it (`Filter::needs_payload`).
    pub payload: &'a [u8],
    /// When the first message of the capture came, in nanoseconds since the Unix epoch.
    pub first: i64,
    /// The exchange that it belongs to.
    pub exchange: Option<ExchangeRef>,
    /// What was found about it.
    pub findings: &'a [FindingRef],
}

/// A request and what answered it, as far as filters ask.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExchangeRef {
    /// What is asked in it.
    pub kind: &'static str,
    /// How it ended.
    pub state: &'static str,
    /// Nanoseconds from the request to its answer; `None` where none came.
    pub latency: Option<i64>,
    /// How often it was asked again.
    pub retries: u32,
}

/// Something that was found, as far as filters ask.
#[derive(Debug, Clone, Copy)]
pub struct FindingRef {
    pub id: &'static str,
    pub severity: &'static str,
}

impl<'a> Subject<'a> {
    /// A message of which nothing more is known.
    pub fn new(message: &'a CapturedMessage<'a>, first: i64) -> Self {
        let CapturedMessage { header, payload } = message;
        Self { header, payload, first, exchange: None, findings: &[] }
    }
}

impl From<&analysis::Exchange> for ExchangeRef {
    fn from(exchange: &analysis::Exchange) -> Self {
        Self {
            kind: exchange.affair.name(),
            state: exchange.state.name(),
            latency: exchange.latency(),
            retries: exchange.retries.into(),
        }
    }
}

impl From<&analysis::Finding> for FindingRef {
    fn from(finding: &analysis::Finding) -> Self {
        Self { id: finding.rule.id, severity: finding.rule.severity.name() }
    }
}
