//! Finds the flow of a packet; for several packets at once, because most of the time is the wait for
//! memory.

use smallvec::SmallVec;

use super::index::FlowKey;
use super::table::{Flow, Flows};
use super::{FlowId, PacketMeta};

/// Where the flow of a packet probably is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlowHint {
    /// The hash of the packet's endpoints.
    hash: u64,
    /// A flow with that hash; 0 for none.
    flow: FlowId,
}

impl FlowHint {
    pub(super) fn hash(self) -> u64 {
        self.hash
    }
}

impl Flows {
    /// The packet's flow, if it exists, and whether the direction is forward.
    pub(super) fn find(&self, sent: PacketMeta) -> Option<(FlowId, bool)> {
        self.find_at(self.hint(sent), sent)
    }

    /// The hash of a packet alone.
    pub(super) fn hint(&self, sent: PacketMeta) -> FlowHint {
        let hash = self.hashes.both(sent.transport, [sent.source, sent.destination]);
        FlowHint { hash, flow: FlowId(0) }
    }

    pub(super) fn find_at(&self, hint: FlowHint, sent: PacketMeta) -> Option<(FlowId, bool)> {
        let there = FlowKey::new(sent.transport, [sent.source, sent.destination]);
        let back = there.turned();
        let called = |flow: u32| self.flow(FlowId(flow)).map(|flow| flow.key);
        let is_it = |flow| called(flow).is_some_and(|c| c == there || c == back);
        let flow = match hint.flow.0 {
            known if is_it(known) => known,
            _ => self.by_ends.find(hint.hash, is_it)?,
        };
        Some((FlowId(flow), called(flow)? == there))
    }

    /// Prefetches the flow entries of the next packets, so that their cache misses overlap: waiting
    /// for all at once takes little longer than for one. Returns what it found, for each.
    pub(crate) fn prefetch(
        &self,
        next: impl Iterator<Item = PacketMeta>,
    ) -> SmallVec<[FlowHint; 32]> {
        // Each step reads the memory whose addresses the step before has fetched.
        let mut hints: SmallVec<[FlowHint; 32]> = next.map(|sent| self.hint(sent)).collect();
        for hint in &mut hints {
            // Another flow with the same hash is a wrong hint.
            hint.flow = FlowId(self.by_ends.find(hint.hash, |_| true).unwrap_or(0));
        }
        let flows: SmallVec<[&Flow; 32]> =
            hints.iter().filter_map(|hint| self.flow(hint.flow)).collect();
        let touched = flows.iter().map(|flow| flow.key.touch() ^ flow.last.cast_unsigned());
        let seen = touched.fold(0, |sum, word| sum ^ word);
        let states = flows.iter().filter_map(|flow| flow.state.as_ref());
        let states_read = states.fold(0, |sum, state| sum ^ state.touch());
        std::hint::black_box((seen, states_read));
        hints
    }
}
