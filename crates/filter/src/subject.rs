//! The input of a filter: a message with its exchange and findings.

use analysis::{self, CapturedMessage, FrameIndex, InputSet, MessageHeader};

/// A message and what the analysis knows of it.
#[derive(Debug, Clone)]
pub struct Subject<'a> {
    /// What is known of the message beside its fields.
    pub header: &'a MessageHeader,
    /// Empty where the filter does not ask for it (`Filter::needs_payload`).
    pub payload: &'a [u8],
    /// The time of the capture's first message, in nanoseconds since the Unix epoch.
    pub first: i64,
    /// The exchange that it belongs to.
    pub exchange: Option<ExchangeRef>,
    /// Its findings.
    pub findings: Vec<FindingRef>,
    /// The names of the captures that messages are from.
    pub inputs: Option<&'a InputSet>,
}

/// The parts of an exchange that filters use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExchangeRef {
    /// The kind of exchange.
    pub kind: &'static str,
    /// How it ended.
    pub state: &'static str,
    /// Nanoseconds from the request to its answer; `None` where none came.
    pub latency: Option<i64>,
    /// How often the request was repeated.
    pub retries: u32,
}

/// The parts of a finding that filters use.
#[derive(Debug, Clone, Copy)]
pub struct FindingRef {
    /// The rule.
    pub id: &'static str,
    /// How bad it is.
    pub severity: &'static str,
}

impl<'a> Subject<'a> {
    /// A message without exchange and findings.
    pub fn new(message: &'a CapturedMessage<'a>, first: i64) -> Self {
        let CapturedMessage { header, payload } = message;
        Self { header, payload, first, exchange: None, findings: Vec::new(), inputs: None }
    }

    /// The same of one of these captures.
    #[must_use]
    pub fn with_inputs(self, inputs: &'a InputSet) -> Self {
        Self { inputs: Some(inputs), ..self }
    }

    /// The same with the exchange and the findings that an index has.
    #[must_use]
    pub fn with<E>(self, index: &FrameIndex<E>) -> Self
    where
        ExchangeRef: for<'e> From<&'e E>,
    {
        let number = self.header.number;
        let exchange = index.exchange_of(number).and_then(|at| index.exchanges().get(at));
        let findings = index.findings_of(number).filter_map(|at| index.findings().get(at));
        let findings = findings.map(FindingRef::from).collect();
        Self { exchange: exchange.map(ExchangeRef::from), findings, ..self }
    }
}

impl From<&ExchangeRef> for ExchangeRef {
    fn from(exchange: &Self) -> Self {
        *exchange
    }
}

impl From<&analysis::Exchange> for ExchangeRef {
    fn from(exchange: &analysis::Exchange) -> Self {
        Self {
            kind: exchange.kind.name(),
            state: exchange.state.name(),
            latency: exchange.latency(),
            retries: exchange.retries.into(),
        }
    }
}

impl From<&analysis::ExchangeRecord> for ExchangeRef {
    fn from(exchange: &analysis::ExchangeRecord) -> Self {
        Self {
            kind: exchange.kind().name(),
            state: exchange.state().name(),
            latency: exchange.latency(),
            retries: exchange.retries().into(),
        }
    }
}

impl From<&analysis::Finding> for FindingRef {
    fn from(finding: &analysis::Finding) -> Self {
        Self { id: finding.rule.id, severity: finding.rule.severity.name() }
    }
}
