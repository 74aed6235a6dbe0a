//! Streaming analysis: exchanges, hosts and findings, updated by each message in order.
//!
//! It needs the final names and roles: those that later messages change would put earlier messages
//! into other exchanges. It keeps no payload.

use super::conclusions::Conclusions;
use super::exchange::{Exchange, Exchanges, MessageTurn};
use super::finding::{Finding, Rule};
use super::findings::{FindingOccurrence, Findings};
use super::focus::Focus;
use super::hosts::Hosts;
use super::message::CapturedMessage;
use super::placed::PlacedMessage;
use super::registrations::{RegistrationView, Registrations};
use super::values::{MessageValues, ValueBatch, ValueReader};
use flow::Flows;
use text::{Secrets, numbered_lines};

/// What is concluded from the messages. Each level needs those before it; what nobody asks for is
/// not computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnalysisNeeds {
    /// The exchanges.
    Exchanges,
    /// Servers and masters too.
    Hosts,
    /// Findings and registrations too.
    Findings,
}

/// The streaming analysis of all messages.
pub struct Analyzer {
    reader: ValueReader,
    /// The values of the last message.
    values: ValueBatch,
    exchanges: Exchanges,
    conclusions: Conclusions,
}

impl Analyzer {
    /// An empty analyzer.
    pub fn new(needs: AnalysisNeeds) -> Self {
        Self {
            reader: ValueReader::new(Secrets::default(), needs),
            values: ValueBatch::default(),
            exchanges: Exchanges::default(),
            conclusions: Conclusions::new(needs),
        }
    }

    /// An empty analyzer for findings, which keeps all messages with findings:
    /// [`Analyzer::faults`].
    pub fn with_frames() -> Self {
        let mut analyzer = Self::new(AnalysisNeeds::Findings);
        analyzer.conclusions.findings = Findings::with_frames();
        analyzer
    }

    /// An empty analyzer for findings, which keeps the occurrences of these rules until they are
    /// taken.
    pub(super) fn watching(rules: Vec<&'static Rule>) -> Self {
        let mut analyzer = Self::new(AnalysisNeeds::Findings);
        analyzer.conclusions.findings = Findings::watching(rules);
        analyzer
    }

    /// The occurrences of watched rules since the last call.
    pub(super) fn take_occurrences(&mut self) -> Vec<FindingOccurrence> {
        self.conclusions.findings.take_occurrences()
    }

    /// The findings of watched rules that the end of the capture would conclude, if it came now.
    pub(super) fn conclude_so_far(&mut self, flows: &Flows) -> Vec<FindingOccurrence> {
        self.conclusions.finish_so_far(flows)
    }

    /// An empty analyzer for findings, with higher limits for these servers.
    pub fn about(focus: &Focus) -> Self {
        let mut analyzer = Self::new(AnalysisNeeds::Findings);
        analyzer.conclusions.focus_on(focus);
        analyzer
    }

    /// Processes the next message. Returns the number of its exchange, and what it does there;
    /// [`Analyzer::ended`] has the exchanges that have ended by then.
    pub fn analyze(
        &mut self,
        message: &CapturedMessage<'_>,
        flows: &Flows,
    ) -> Option<(u64, MessageTurn)> {
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        self.reader.show(flows.secrets());
        self.reader.read_values(message, &mut values);
        let exchange = self.take_read(message, values.last(), flows);
        self.values = values;
        exchange
    }

    /// The same for a message of which a reader for this analysis has read the values.
    pub fn take_read(
        &mut self,
        message: &CapturedMessage<'_>,
        values: MessageValues<'_>,
        flows: &Flows,
    ) -> Option<(u64, MessageTurn)> {
        let Self { exchanges, conclusions, .. } = self;
        conclusions.show(flows.secrets());
        let (request, placement) = exchanges.place(message, values, flows);
        let placed = PlacedMessage { request, placement, ended: exchanges.ended() };
        conclusions.conclude(message, values, placed);
        placement.map(|placement| (placement.id, placement.step))
    }

    /// Its two stages, for two threads: messages are placed in exchanges, and what comes of that is
    /// concluded from.
    pub(super) fn stages(&mut self) -> (&mut Exchanges, &mut Conclusions) {
        (&mut self.exchanges, &mut self.conclusions)
    }

    /// What it computes.
    pub fn needs(&self) -> AnalysisNeeds {
        self.conclusions.needs
    }

    /// The exchanges that the last message has ended, in order.
    pub fn ended(&self) -> impl Iterator<Item = &Exchange> {
        self.exchanges.ended()
    }

    /// Ends all exchanges at the end of the capture, passes each on to `ended`, and concludes what
    /// takes all of them.
    pub fn finish(&mut self, flows: &Flows, ended: impl FnMut(&Exchange)) {
        self.end_exchanges(flows, ended);
        self.conclude(flows);
    }

    /// Ends all exchanges, and passes each on to `ended`; none of them is kept.
    pub(super) fn end_exchanges(&mut self, flows: &Flows, mut ended: impl FnMut(&Exchange)) {
        let Self { exchanges, conclusions, .. } = self;
        exchanges.finish(flows, |exchange| {
            conclusions.add_exchange(exchange);
            ended(exchange);
        });
    }

    /// Concludes what takes the whole capture.
    pub(super) fn conclude(&mut self, flows: &Flows) {
        self.conclusions.finish(flows);
    }

    /// Servers and masters, complete after the end of the capture; none if only exchanges were asked
    /// for.
    pub fn hosts(&self) -> &Hosts {
        &self.conclusions.hosts
    }

    /// The findings so far, in the order of the first messages at fault; none unless they were
    /// asked for.
    pub fn findings(&self) -> Vec<&Finding> {
        self.conclusions.findings.all()
    }

    /// The frames of all messages with findings, in order, and the index of the finding in
    /// [`Analyzer::findings`]; empty unless made by [`Analyzer::with_frames`].
    pub fn faults(&self) -> Vec<(u32, u32)> {
        self.conclusions.findings.faults()
    }

    /// Every server's registration with each of its masters, step by step. Complete after the end of
    /// the capture; empty unless findings were asked for.
    pub fn registrations(&self) -> RegistrationView<'_> {
        let Conclusions { registrations, hosts, .. } = &self.conclusions;
        RegistrationView::new(registrations, hosts, self.findings())
    }

    /// The hosts and the registrations alone.
    pub(super) fn into_hosts(self) -> (Hosts, Registrations) {
        (self.conclusions.hosts, self.conclusions.registrations)
    }

    /// What was dropped because a table was full, in words.
    pub fn warnings(&self) -> Vec<String> {
        let counts = [
            (
                self.exchanges.ended_early(),
                "exchanges were ended early: too many were open at once",
            ),
            (
                self.conclusions.hosts.left_out(),
                "sightings of servers were not kept: the table is full",
            ),
            (
                self.conclusions.registrations.left_out(),
                "registrations or lists were not kept: there are too many",
            ),
            (
                self.conclusions.findings.unwatched(),
                "{request has|requests have} no answer, and {is|are} not judged: too many endpoints are watched for that",
            ),
            (self.conclusions.findings.left_out(), "findings were not kept: there are too many"),
            (
                self.conclusions.findings.frames_left_out(),
                "messages at fault were not kept: filters do not know them",
            ),
        ];
        numbered_lines(&counts).collect()
    }
}
