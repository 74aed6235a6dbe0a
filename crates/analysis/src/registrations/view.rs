//! The registrations as every view gets them: concluded when they are asked for.

use std::collections::HashMap;
use std::net::SocketAddr;

use foldhash::fast::RandomState;

use super::record::RegistrationRecord;
use super::same_port::SamePort;
use super::steps::RegistrationEvidence;
use super::{Registration, RegistrationSummary, Registrations, swapped};
use crate::finding::Finding;
use crate::host::ServerHost;
use crate::hosts::Hosts;

/// What the capture tells of registrations so far. Every verdict on one comes from here.
pub struct RegistrationView<'a> {
    registrations: &'a Registrations,
    hosts: &'a Hosts,
    findings: HashMap<SocketAddr, Vec<&'a Finding>, RandomState>,
    same_port: SamePort,
}

impl<'a> RegistrationView<'a> {
    pub(crate) fn new(
        registrations: &'a Registrations,
        hosts: &'a Hosts,
        findings: impl IntoIterator<Item = &'a Finding>,
    ) -> Self {
        let mut by_subject: HashMap<_, Vec<_>, RandomState> = HashMap::default();
        for finding in findings {
            by_subject.entry(finding.subject).or_default().push(finding);
        }
        let same_port = SamePort::default();
        Self { registrations, hosts, findings: by_subject, same_port }
    }

    /// All registrations, in the order in which they began.
    pub fn all(&self) -> impl Iterator<Item = Registration> {
        let mut records: Vec<_> = self.registrations.records.iter().collect();
        records.sort_unstable_by_key(|(ends, record)| (record.number(), **ends));
        let ends = records.into_iter().map(|(ends, _)| *ends);
        ends.map(|(server, master)| self.conclude(server, master))
    }

    /// The registrations of matching servers, in the order in which the servers were first seen,
    /// with every master that got their heartbeats or listed them.
    pub fn of_servers(&self, matches: impl Fn(&ServerHost) -> bool) -> Vec<Registration> {
        let servers = self.hosts.servers().into_iter().filter(|server| matches(server));
        servers.flat_map(|server| self.of_server(server)).collect()
    }

    /// The registrations of one server, with every master that got its heartbeats or listed it, in
    /// that order.
    pub fn of_server(&self, server: &ServerHost) -> impl Iterator<Item = Registration> {
        let masters = server.registrations.iter().map(|with| with.master);
        masters.filter_map(|master| self.with_master(server, master))
    }

    /// The registration of a server with one master; nothing if there is none.
    pub fn with_master(&self, server: &ServerHost, master: SocketAddr) -> Option<Registration> {
        let address = server.address;
        let with = server.registrations.iter().find(|with| with.master == master);
        let is_known = with.is_some_and(|with| with.first_listed.is_some())
            || self.registrations.records.contains_key(&(address, master));
        is_known.then(|| self.conclude(address, master))
    }

    /// What came of all registrations of a server.
    pub fn summary(&self, server: &ServerHost) -> RegistrationSummary {
        RegistrationSummary::from_registrations(self.of_server(server))
    }

    fn conclude(&self, server: SocketAddr, master: SocketAddr) -> Registration {
        let nothing = RegistrationRecord::default();
        let record = self.registrations.records.get(&(server, master));
        let record = record.map_or(&nothing, Box::as_ref);
        let hosts = self.hosts;
        let host = hosts.server(server);
        let evidence = RegistrationEvidence {
            server,
            master,
            record,
            host,
            swapped: hosts.server(swapped(server)),
            lists: self.registrations.lists.lists_of(master, host),
            same_port: &self.same_port,
            hosts,
            findings: self.findings.get(&server).map(Vec::as_slice).unwrap_or_default(),
        };
        Registration {
            server,
            master,
            steps: evidence.steps(),
            heartbeats: record.heartbeats.count,
            unanswered: record.unanswered,
            errors: record.errors.count,
            error: record.error.clone(),
            challenges: record.challenges.count,
            refusals: record.refusals.count,
            return_errors: record.return_errors.count,
            first: record.heartbeats.first,
            last: record.heartbeats.last,
            shutdown: host.and_then(|host| hosts.shutdown_of(host)),
        }
    }
}
