//! Streaming analysis: exchanges, hosts and findings, updated by each message in order.
//!
//! It needs the final names and roles: those that later messages change would put earlier messages
//! into other exchanges. It keeps no payload.

use super::exchange::{Exchange, Exchanges, MessageTurn};
use super::findings::{Finding, Findings};
use super::focus::Focus;
use super::host::ServerHost;
use super::hosts::Hosts;
use super::message::CapturedMessage;
use super::reader::counted;
use super::registrations::{Registration, Registrations};
use super::values::MessageValues;
use crate::flow::Flows;

/// The streaming analysis of all messages.
#[derive(Default)]
pub struct Analyzer {
    values: MessageValues,
    exchanges: Exchanges,
    hosts: Hosts,
    findings: Findings,
    registrations: Registrations,
}

impl Analyzer {
    /// An empty analyzer that keeps all messages with findings: [`Analyzer::faults`].
    pub fn with_frames() -> Self {
        Self { findings: Findings::with_frames(), ..Self::default() }
    }

    /// An empty analyzer with higher limits for these servers.
    pub fn about(focus: &Focus) -> Self {
        let mut analyzer = Self::default();
        analyzer.hosts.focus = focus.clone();
        analyzer.findings.focus = focus.clone();
        analyzer.registrations.focus = focus.clone();
        analyzer
    }

    /// Processes the next message, and passes on every exchange that has ended by then. Returns the
    /// number of the message's exchange, and what the message does there.
    pub fn take(
        &mut self,
        message: &CapturedMessage<'_>,
        flows: &Flows,
        mut ended: impl FnMut(Exchange),
    ) -> Option<(u64, MessageTurn)> {
        let Self { values, exchanges, hosts, findings, registrations } = self;
        (values.secrets, findings.secrets) = (flows.secrets(), flows.secrets());
        registrations.show(flows.secrets());
        values.read_answer(message, exchanges.request_of(&message.header));
        let placement = exchanges.take(message, values, flows, &mut |exchange| {
            hosts.add_exchange(&exchange);
            findings.add_exchange(&exchange);
            registrations.observe(&exchange);
            ended(exchange);
        });
        let placement = placement?;
        findings.add_message(message, values, &placement, hosts);
        hosts.add_message(message, values, &placement);
        Some((placement.id, placement.turn))
    }

    /// The values of the last message.
    pub fn values(&self) -> &MessageValues {
        &self.values
    }

    /// Ends all exchanges at the end of the capture.
    pub fn finish(&mut self, flows: &Flows, mut ended: impl FnMut(Exchange)) {
        let Self { exchanges, hosts, findings, registrations, .. } = self;
        exchanges.finish(flows, &mut |exchange| {
            hosts.add_exchange(&exchange);
            findings.add_exchange(&exchange);
            registrations.observe(&exchange);
            ended(exchange);
        });
        let all = registrations.all(hosts, &findings.all());
        findings.conclude(&all, hosts, flows);
    }

    /// Servers and masters so far.
    pub fn hosts(&self) -> &Hosts {
        &self.hosts
    }

    /// The findings so far, in the order of the first messages at fault.
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
        self.registrations.all(&self.hosts, &self.findings())
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
