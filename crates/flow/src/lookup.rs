//! Finds the flow of a packet; for several packets at once, because most of the time is the wait for
//! memory.

use smallvec::SmallVec;

use super::index::FlowKey;
use super::table::{Flow, Flows};
use super::{FlowId, PacketMeta};
use protocol::Role;

/// Where the flow of a packet probably is.
#[derive(Debug, Clone, Copy)]
pub struct FlowHint {
    /// The packet's endpoints, and their hash.
    key: FlowKey,
    hash: u64,
    /// A flow with that hash; 0 for none.
    flow: FlowId,
}

impl FlowHint {
    pub(super) fn hash(self) -> u64 {
        self.hash
    }

    pub(super) fn key(self) -> FlowKey {
        self.key
    }
}

impl Flows {
    /// The packet's flow, if it exists, and whether the direction is forward.
    pub(super) fn find(&self, sent: PacketMeta) -> Option<(FlowId, bool)> {
        self.find_at(self.hint(sent))
    }

    /// What is known of a packet without looking anything up.
    pub(super) fn hint(&self, sent: PacketMeta) -> FlowHint {
        let key = FlowKey::new(sent.transport, [sent.source, sent.destination]);
        FlowHint { key, hash: self.hashes.both(key), flow: FlowId(0) }
    }

    pub(super) fn find_at(&self, hint: FlowHint) -> Option<(FlowId, bool)> {
        let direction = |flow: u32| self.flow(FlowId(flow))?.key.direction(&hint.key);
        if let Some(forward) = direction(hint.flow.0) {
            return Some((hint.flow, forward));
        }
        let flow = self.by_ends.find(hint.hash, |flow| direction(flow).is_some())?;
        Some((FlowId(flow), direction(flow)?))
    }

    /// Prefetches the flow entries of the next packets, so that their cache misses overlap: waiting
    /// for all at once takes little longer than for one. Returns what it found, for each.
    pub fn prefetch(&self, next: impl Iterator<Item = PacketMeta>) -> SmallVec<[FlowHint; 32]> {
        // Each step reads the memory whose addresses the step before has fetched.
        let mut hints: SmallVec<[FlowHint; 32]> = next.map(|sent| self.hint(sent)).collect();
        for hint in &mut hints {
            // Another flow with the same hash is a wrong hint.
            hint.flow = FlowId(self.by_ends.find(hint.hash, |_| true).unwrap_or(0));
        }
        let flows: SmallVec<[&Flow; 32]> =
            hints.iter().filter_map(|hint| self.flow(hint.flow)).collect();
        let seen = flows.iter().fold(0, |sum, flow| sum ^ flow.touch());
        let states = flows.iter().filter_map(|flow| flow.state.as_ref());
        let states_read = states.fold(0, |sum, state| sum ^ state.touch());
        // Whether a datagram of a flow without messages is shown depends on its endpoints.
        let others = flows.iter().filter(|flow| flow.state.is_none()).flat_map(|flow| flow.ends);
        let ends = others.filter_map(|end| self.endpoint(end));
        let servers = ends.filter(|end| end.is_proven(Role::Server)).count();
        std::hint::black_box((seen, states_read, servers));
        hints
    }
}
