//! Streaming analysis: exchanges, hosts and findings, updated by each message in order.
//!
//! It needs the final names and roles: those that later messages change would put earlier messages
//! into other exchanges. It keeps no payload.

use super::exchange::{Exchange, Exchanges, MessageTurn};
use super::findings::{Finding, Findings};
use super::focus::Focus;
use super::host::ServerHost;
use super::hosts::{Hosts, is_list_of_master};
use super::message::CapturedMessage;
use super::reader::counted;
use super::registrations::{Registration, Registrations};
use super::values::{MessageValues, ValueBatch, ValueReader};
use crate::flow::Flows;
use crate::text::Secrets;

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
    needs: AnalysisNeeds,
    reader: ValueReader,
    /// The values of the last message.
    values: ValueBatch,
    exchanges: Exchanges,
    hosts: Hosts,
    findings: Findings,
    registrations: Registrations,
}

impl Analyzer {
    /// An empty analyzer.
    pub fn new(needs: AnalysisNeeds) -> Self {
        Self {
            needs,
            reader: ValueReader::new(Secrets::default(), needs),
            values: ValueBatch::default(),
            exchanges: Exchanges::default(),
            hosts: Hosts::default(),
            findings: Findings::default(),
            registrations: Registrations::default(),
        }
    }

    /// An empty analyzer for findings, which keeps all messages with findings:
    /// [`Analyzer::faults`].
    pub fn with_frames() -> Self {
        Self { findings: Findings::with_frames(), ..Self::new(AnalysisNeeds::Findings) }
    }

    /// An empty analyzer for findings, with higher limits for these servers.
    pub fn about(focus: &Focus) -> Self {
        let mut analyzer = Self::new(AnalysisNeeds::Findings);
        analyzer.hosts.focus = focus.clone();
        analyzer.findings.focus = focus.clone();
        analyzer.registrations.focus = focus.clone();
        analyzer
    }

    /// Processes the next message. Returns the number of its exchange, and what it does there;
    /// [`Analyzer::ended`] has the exchanges that have ended by then.
    pub fn take(
        &mut self,
        message: &CapturedMessage<'_>,
        flows: &Flows,
    ) -> Option<(u64, MessageTurn)> {
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        self.reader.show(flows.secrets());
        self.reader.read(message, &mut values);
        let exchange = self.take_read(message, values.last(), flows);
        self.values = values;
        exchange
    }

    /// The same for a message of which a reader for this analysis has read the values.
    pub(crate) fn take_read(
        &mut self,
        message: &CapturedMessage<'_>,
        values: MessageValues<'_>,
        flows: &Flows,
    ) -> Option<(u64, MessageTurn)> {
        self.show(flows.secrets());
        let Self { needs, exchanges, hosts, findings, registrations, .. } = self;
        let request = exchanges.request_of(&message.header);
        let values = &values.answering(message.header.entry, request);
        let placement = exchanges.take(message, values, flows, &mut |exchange| {
            add_exchange(*needs, (hosts, findings, registrations), exchange);
        });
        let placement = placement?;
        if *needs >= AnalysisNeeds::Hosts && is_list_of_master(&message.header, &placement) {
            hosts.find_listed(values.servers);
        }
        if *needs >= AnalysisNeeds::Findings {
            findings.add_message(message, values, &placement, hosts);
        }
        if *needs >= AnalysisNeeds::Hosts {
            hosts.add_message(message, values, &placement);
        }
        Some((placement.id, placement.turn))
    }

    /// What it computes.
    pub fn needs(&self) -> AnalysisNeeds {
        self.needs
    }

    /// The exchanges that the last message, or the end of the capture, has ended, in order.
    pub fn ended(&self) -> impl Iterator<Item = &Exchange> {
        self.exchanges.ended()
    }

    /// Ends all exchanges at the end of the capture.
    pub fn finish(&mut self, flows: &Flows) {
        let Self { needs, exchanges, hosts, findings, registrations, .. } = self;
        exchanges.finish(flows, &mut |exchange| {
            add_exchange(*needs, (hosts, findings, registrations), exchange);
        });
        hosts.settle();
        if *needs < AnalysisNeeds::Findings {
            return;
        }
        let found = findings.all();
        let all = registrations.all(hosts, &found);
        let doubtful: Vec<_> = all.filter(|of| findings.may_report(of)).collect();
        findings.conclude(&doubtful, hosts, flows);
    }

    /// Sets whether texts show secrets.
    fn show(&mut self, secrets: Secrets) {
        self.findings.secrets = secrets;
        self.registrations.show(secrets);
    }

    /// Servers and masters, complete after the end of the capture; none if only exchanges were asked
    /// for.
    pub fn hosts(&self) -> &Hosts {
        &self.hosts
    }

    /// The findings so far, in the order of the first messages at fault; none unless they were
    /// asked for.
    pub fn findings(&self) -> Vec<&Finding> {
        self.findings.all()
    }

    /// The frames of all messages with findings, in order, and the index of the finding in
    /// [`Analyzer::findings`]; empty unless made by [`Analyzer::with_frames`].
    pub fn faults(&self) -> Vec<(u64, u32)> {
        self.findings.faults()
    }

    /// Every server's registration with each of its masters, step by step, in the order in which
    /// they began. Complete after the end of the capture.
    pub fn registrations(&self) -> Vec<Registration> {
        self.registrations.all(&self.hosts, &self.findings()).collect()
    }

    /// The same for matching servers, in the order in which they were first seen, with the masters
    /// that list them although no heartbeat was captured.
    pub fn registrations_of(&self, matches: impl Fn(&ServerHost) -> bool) -> Vec<Registration> {
        self.registrations.of(matches, &self.hosts, &self.findings())
    }

    /// The hosts alone.
    pub fn into_hosts(self) -> Hosts {
        self.hosts
    }

    /// What was dropped because a table was full, in words.
    pub fn warnings(&self) -> Vec<String> {
        let counts = [
            (
                self.exchanges.ended_early(),
                "exchanges were ended early: too many were open at once",
            ),
            (self.hosts.left_out(), "sightings of servers were not kept: the table is full"),
            (
                self.registrations.left_out(),
                "registrations or lists were not kept: there are too many",
            ),
            (self.findings.left_out(), "findings were not kept: there are too many"),
            (
                self.findings.frames_left_out(),
                "messages at fault were not kept: filters do not know them",
            ),
        ];
        counted(&counts).collect()
    }
}

/// Passes on an exchange that has ended to what is needed.
fn add_exchange(
    needs: AnalysisNeeds,
    (hosts, findings, registrations): (&mut Hosts, &mut Findings, &mut Registrations),
    exchange: &Exchange,
) {
    if needs >= AnalysisNeeds::Hosts {
        hosts.add_exchange(exchange);
    }
    if needs >= AnalysisNeeds::Findings {
        findings.add_exchange(exchange);
        registrations.observe(exchange);
    }
}
