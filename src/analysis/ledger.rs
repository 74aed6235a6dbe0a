//! The ledger: exchanges, hosts and findings, kept while messages go by in their order.
//!
//! It is fed with what is known in the end: names and roles that later messages change would put
//! earlier ones into other exchanges. It keeps no payload.

use super::exchange::{Exchange, Exchanges, MessageTurn};
use super::facts::MessageValues;
use super::findings::{Finding, Findings};
use super::focus::Focus;
use super::host::ServerHost;
use super::hosts::Hosts;
use super::message::CapturedMessage;
use super::registrations::{Registration, Registrations};
use crate::flow::Flows;

/// What is kept of all messages together.
#[derive(Default)]
pub struct Analyzer {
    facts: MessageValues,
    exchanges: Exchanges,
    hosts: Hosts,
    findings: Findings,
    registrations: Registrations,
}

impl Analyzer {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty one, which tells all messages at fault in the end: [`Ledger::faults`].
    pub fn marking() -> Self {
        Self { findings: Findings::marking(), ..Self::default() }
    }

    /// An empty one, which has room for what is known of these servers.
    pub fn about(focus: &Focus) -> Self {
        let mut ledger = Self::default();
        ledger.hosts.focus = focus.clone();
        ledger.findings.focus = focus.clone();
        ledger.registrations.focus = focus.clone();
        ledger
    }

    /// Takes the next message, and gives every exchange that is over by then. Tells the number of
    /// the message's exchange, and its turn there.
    pub fn take(
        &mut self,
        message: &CapturedMessage<'_>,
        flows: &Flows,
        mut over: impl FnMut(Exchange),
    ) -> Option<(u64, MessageTurn)> {
        let Self { facts, exchanges, hosts, findings, registrations } = self;
        (facts.secrets, findings.secrets) = (flows.secrets(), flows.secrets());
        registrations.show(flows.secrets());
        facts.read_answer(message, exchanges.request_of(&message.header));
        let placed = exchanges.take(message, facts, flows, &mut |exchange| {
            hosts.add_exchange(&exchange);
            findings.add_exchange(&exchange);
            registrations.observe(&exchange);
            over(exchange);
        });
        let placed = placed?;
        findings.add_message(message, facts, &placed, hosts);
        hosts.add_message(message, facts, &placed);
        Some((placed.id, placed.turn))
    }

    /// What the message says that was taken last.
    pub fn facts(&self) -> &MessageValues {
        &self.facts
    }

    /// The capture ends, and with it all exchanges.
    pub fn finish(&mut self, flows: &Flows, mut over: impl FnMut(Exchange)) {
        let Self { exchanges, hosts, findings, registrations, .. } = self;
        exchanges.finish(flows, &mut |exchange| {
            hosts.add_exchange(&exchange);
            findings.add_exchange(&exchange);
            registrations.observe(&exchange);
            over(exchange);
        });
        let all = registrations.all(hosts, &findings.all());
        findings.conclude(&all, hosts, flows);
    }

    /// Servers and masters, as far as reading has come.
    pub fn hosts(&self) -> &Hosts {
        &self.hosts
    }

    /// What is wrong, as far as reading has come, in the order of the first messages at fault.
    pub fn findings(&self) -> Vec<&Finding> {
        self.findings.all()
    }

    /// The frames of all messages at fault, in order, and the place among [`Ledger::findings`] of
    /// what was found; of a ledger that marks, else nothing.
    pub fn faults(&self) -> Vec<(u64, u32)> {
        self.findings.faults()
    }

    /// What came of every server's registration with each of its masters, step by step, in the order
    /// in which they began. It is whole when the capture has ended.
    pub fn registrations(&self) -> Vec<Registration> {
        self.registrations.all(&self.hosts, &self.findings())
    }

    /// The same of the servers that are meant, in the order in which they were first seen, with the
    /// masters that list them though no heartbeat was captured.
    pub fn registrations_of(&self, meant: impl Fn(&ServerHost) -> bool) -> Vec<Registration> {
        self.registrations.of(meant, &self.hosts, &self.findings())
    }

    /// What is left of it when only servers and masters are asked for.
    pub fn into_hosts(self) -> Hosts {
        self.hosts
    }

    /// What was left out for want of room, in words.
    pub fn complaints(&self) -> Vec<String> {
        let counts = [
            (
                self.exchanges.crowded_out(),
                "exchanges were ended early: too many were open at once",
            ),
            (self.hosts.left_out(), "sightings of servers were not kept: the table is full"),
            (
                self.registrations.left_out(),
                "registrations or lists were not kept: there are too many",
            ),
            (self.findings.left_out(), "findings were not kept: there are too many"),
            (self.findings.unmarked(), "messages at fault were not kept: filters do not know them"),
        ];
        let said = counts.into_iter().filter(|(count, _)| *count > 0);
        said.map(|(count, what)| format!("{count} {what}")).collect()
    }
}
