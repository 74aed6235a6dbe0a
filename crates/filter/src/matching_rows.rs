//! Which flows, exchanges, hosts and findings have a message that matches a filter.

use std::collections::HashSet;
use std::net::SocketAddr;

use foldhash::fast::RandomState;
use parking_lot::Mutex;

use super::frame_set::FrameSet;
use analysis::{AnalysisIndex, ServerHost, Session};
use flow::{FlowId, Flows};

/// How many messages are looked up while the session is locked.
const BATCH: usize = 4096;

/// The rows of all tables of a session of which at least one message matches a filter. A server
/// matches too if the message is its first or last heartbeat, or lists it.
#[derive(Debug, Default)]
pub struct MatchingRows {
    flows: FrameSet,
    /// By their indices in the analysis index.
    exchanges: Vec<bool>,
    servers: Vec<bool>,
    masters: Vec<bool>,
    findings: Vec<bool>,
    /// The addresses of these servers and masters.
    server_addresses: Endpoints,
    master_addresses: Endpoints,
}

/// Addresses of endpoints.
type Endpoints = HashSet<SocketAddr, RandomState>;

impl MatchingRows {
    /// The rows of these messages, by their session indices; nothing if `is_stopped` became true.
    pub fn from_messages(
        session: &Mutex<Session>,
        messages: &[u32],
        is_stopped: impl Fn() -> bool,
    ) -> Option<Self> {
        let mut rows = Self::default();
        let mut frames = FrameSet::default();
        for batch in messages.chunks(BATCH) {
            if is_stopped() {
                return None;
            }
            let session = session.lock();
            for (frame, flow) in batch.iter().filter_map(|at| session.frame_of(*at as usize)) {
                frames.add_frame(frame);
                rows.flows.add_frame(flow.0.into());
            }
        }
        let session = session.lock();
        if let Some(index) = session.index() {
            rows.take_index(index, session.flows(), &frames);
        }
        Some(rows)
    }

    fn take_index(&mut self, index: &AnalysisIndex, flows: &Flows, frames: &FrameSet) {
        self.exchanges = vec![false; index.exchanges().len()];
        self.findings = vec![false; index.findings().len()];
        let exchanges = index.members().filter(|(frame, _)| frames.has((*frame).into()));
        mark(&mut self.exchanges, exchanges.map(|(_, exchange)| exchange as usize));
        let faults = index.faults().filter(|(frame, _)| frames.has((*frame).into()));
        mark(&mut self.findings, faults.map(|(_, finding)| finding as usize));
        let mut ends = self.ends(flows);
        for (exchange, _) in index.exchanges().iter().zip(&self.exchanges).filter(|(_, is)| **is) {
            ends.extend(exchange.server(flows));
            ends.extend(exchange.master(flows));
        }
        let is_server = |server: &ServerHost| {
            ends.contains(&server.address)
                || server.moments().any(|moment| frames.has(moment.number()))
        };
        for server in (0..index.servers()).map(|at| index.server(at)) {
            let matching = server.filter(|server| is_server(server));
            self.servers.push(matching.is_some());
            self.server_addresses.extend(matching.map(|server| server.address));
        }
        for master in (0..index.masters()).map(|at| index.master(at)) {
            let matching = master.filter(|master| ends.contains(&master.address));
            self.masters.push(matching.is_some());
            self.master_addresses.extend(matching.map(|master| master.address));
        }
    }

    /// The endpoints of all matching flows.
    fn ends(&self, flows: &Flows) -> Endpoints {
        let matching = flows.iter().filter(|(id, _)| self.flows.has(id.0.into()));
        matching.filter_map(|(id, _)| flows.ends(id)).flat_map(|(_, ends)| ends).collect()
    }

    /// Whether a flow has a matching message.
    pub fn has_flow(&self, flow: FlowId) -> bool {
        self.flows.has(flow.0.into())
    }

    /// The same of an exchange, by its index.
    pub fn has_exchange(&self, at: usize) -> bool {
        self.exchanges.get(at).is_some_and(|is| *is)
    }

    /// The same of a server.
    pub fn has_server(&self, at: usize) -> bool {
        self.servers.get(at).is_some_and(|is| *is)
    }

    /// The same of a master.
    pub fn has_master(&self, at: usize) -> bool {
        self.masters.get(at).is_some_and(|is| *is)
    }

    /// Whether the server at an address has a matching message.
    pub fn is_server(&self, address: SocketAddr) -> bool {
        self.server_addresses.contains(&address)
    }

    /// The same of a master.
    pub fn is_master(&self, address: SocketAddr) -> bool {
        self.master_addresses.contains(&address)
    }

    /// The same of a finding.
    pub fn has_finding(&self, at: usize) -> bool {
        self.findings.get(at).is_some_and(|is| *is)
    }
}

fn mark(rows: &mut [bool], indices: impl Iterator<Item = usize>) {
    for at in indices {
        if let Some(row) = rows.get_mut(at) {
            *row = true;
        }
    }
}
