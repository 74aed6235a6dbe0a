//! What is concluded from messages and the exchanges that they belong to: hosts, findings and
//! registrations.

use super::analyzer::AnalysisNeeds;
use super::exchange::{Exchange, Placement};
use super::findings::{FindingOccurrence, Findings};
use super::focus::Focus;
use super::hosts::{Hosts, is_list_of_master};
use super::message::CapturedMessage;
use super::placed::PlacedMessage;
use super::registrations::{Registration, RegistrationView, Registrations};
use super::values::MessageValues;
use flow::Flows;
use text::Secrets;

/// The hosts, findings and registrations so far. Exchanges come when they have ended, before the
/// message that ended them.
pub(super) struct Conclusions {
    pub needs: AnalysisNeeds,
    pub hosts: Hosts,
    pub findings: Findings,
    pub registrations: Registrations,
}

impl Conclusions {
    pub fn new(needs: AnalysisNeeds) -> Self {
        Self {
            needs,
            hosts: Hosts::default(),
            findings: Findings::default(),
            registrations: Registrations::default(),
        }
    }

    /// Sets the servers with higher limits.
    pub fn focus_on(&mut self, focus: &Focus) {
        self.hosts.focus = focus.clone();
        self.findings.focus = focus.clone();
        self.registrations.focus = focus.clone();
    }

    /// Sets whether texts show secrets.
    pub fn show(&mut self, secrets: Secrets) {
        self.findings.secrets = secrets;
        self.registrations.show(secrets);
    }

    /// Processes the next message, and before it the exchanges that it has ended.
    pub fn conclude<'a>(
        &mut self,
        message: &CapturedMessage<'_>,
        values: MessageValues<'_>,
        placed: PlacedMessage<impl Iterator<Item = &'a Exchange>>,
    ) {
        placed.ended.for_each(|exchange| self.add_exchange(exchange));
        if let Some(placement) = placed.placement {
            let values = values.answering(message.header.entry, placed.request);
            self.add_message(message, &values, &placement);
        }
    }

    /// Processes an exchange that has ended.
    pub fn add_exchange(&mut self, exchange: &Exchange) {
        if self.needs >= AnalysisNeeds::Hosts {
            self.hosts.add_exchange(exchange);
        }
        if self.needs >= AnalysisNeeds::Findings {
            self.findings.add_exchange(exchange, &self.hosts);
            self.registrations.observe(exchange);
        }
    }

    /// Processes the next message.
    pub fn add_message(
        &mut self,
        message: &CapturedMessage<'_>,
        values: &MessageValues<'_>,
        placement: &Placement,
    ) {
        if self.needs < AnalysisNeeds::Hosts {
            return;
        }
        if is_list_of_master(&message.header, placement) {
            self.hosts.find_listed(values.servers);
        }
        if self.needs >= AnalysisNeeds::Findings {
            self.findings.add_message(message, values, placement, &self.hosts);
        }
        self.hosts.add_message(message, values, placement);
    }

    /// Concludes what takes the whole capture, after its last exchange.
    pub fn finish(&mut self, flows: &Flows) {
        let Self { needs, hosts, findings, registrations } = self;
        hosts.settle();
        if *needs >= AnalysisNeeds::Findings {
            findings.conclude(&doubtful(registrations, hosts, findings), hosts, flows);
        }
    }

    /// The findings of watched rules that [`Conclusions::finish`] would conclude now. Nothing of it
    /// is kept.
    pub fn finish_so_far(&mut self, flows: &Flows) -> Vec<FindingOccurrence> {
        let Self { hosts, findings, registrations, .. } = self;
        hosts.settle();
        findings.conclude_so_far(&doubtful(registrations, hosts, findings), hosts, flows)
    }
}

/// The registrations of which there may be a finding.
fn doubtful(
    registrations: &Registrations,
    hosts: &Hosts,
    findings: &Findings,
) -> Vec<Registration> {
    let view = RegistrationView::new(registrations, hosts, findings.all());
    view.all().filter(|of| findings.may_report(of)).collect()
}
