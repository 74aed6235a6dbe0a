//! The table of flows, used for every packet.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;

use super::closes::StreamClose;
use super::endpoint::Endpoint;
use super::flow_state::FlowState;
use super::icmp_errors::IcmpNotice;
use super::index::{EndpointHasher, FlowEndKey, FlowKey, Index};
use super::judge::DecodeAs;
use super::known::{EndpointRecord, KnownEndpoints};
use super::lookup::FlowHint;
use super::loss::Loss;
use super::recognise::BufferStore;
use super::{FlowId, PacketMeta, Transport};
use protocol::{Entry, Registry};
use protocols::registry;
use text::Secrets;

/// How many flows are kept; packets of later ones are only counted.
const FLOWS: usize = 1 << 18;
/// Memory limit of all flows and endpoints, in bytes.
const WEIGHT: usize = 64 << 20;
/// Approximate size of the index entries of a flow and of an endpoint, in bytes.
const INDEXED: usize = 16;

/// All flows of a capture.
#[derive(Clone)]
pub struct Flows {
    pub(super) endpoints: Vec<Endpoint>,
    by_address: Index,
    pub(super) all: Vec<Flow>,
    /// Flows by their two endpoints, in either order.
    pub(super) by_ends: Index,
    pub(super) hashes: EndpointHasher,
    pub(super) overrides: Vec<DecodeAs>,
    /// Whether quotes of messages may show secrets.
    pub(super) secrets: Secrets,
    pub(super) limit: usize,
    pub(super) left_out: u64,
    /// Size of the flows and endpoints in memory, in bytes, and its limit.
    pub(super) weight: usize,
    pub(super) most: usize,
    /// Messages whose evidence was dropped for lack of memory.
    evidence_left_out: u64,
    /// Whether any flow has forgotten requests.
    forget_requests: bool,
    /// Number of ICMP errors that are kept, and that are not.
    pub(super) errors: usize,
    pub(super) errors_left_out: u64,
    /// What did not arrive whole, and how many more did not.
    pub(super) losses: Vec<Loss>,
    pub(super) losses_left_out: u64,
    /// The ends of TCP connections, of flows that have any.
    pub(super) closes: HashMap<FlowId, Vec<StreamClose>>,
    pub(super) registry: &'static Registry,
    pub(super) buffers: BufferStore,
    pub(super) revised: bool,
    /// Whether datagrams of flows of which nothing is known are messages.
    pub(super) shows_unknown: bool,
    /// What earlier runs learnt.
    pub(super) known: Arc<KnownEndpoints>,
}

/// One flow: two endpoints, and the traffic in each direction.
///
/// Every packet reads this, and most of its time is the wait for this memory: so it is two adjacent
/// cache lines, which are fetched together.
#[derive(Debug, Clone)]
#[repr(align(128))]
pub struct Flow {
    pub(super) key: FlowKey,
    pub(super) ends: [u32; 2],
    /// Forward (the direction of the first packet) and back.
    pub traffic: [Traffic; 2],
    /// Datagrams without a recognised message.
    pub others: u64,
    /// When its first packet came, in nanoseconds since the Unix epoch.
    pub first: i64,
    /// When its last packet came.
    pub last: i64,
    /// ICMP errors about its packets, the first few; behind a thin pointer, because few flows have
    /// any.
    #[expect(clippy::box_collection, reason = "a flow is two lines of the cache")]
    pub(super) errors: Option<Box<Vec<IcmpNotice>>>,
    /// The index of the input of its first packet.
    pub input: u16,
    pub(super) state: Option<Box<FlowState>>,
}

const _: () = assert!(size_of::<Flow>() == 128, "a flow is two lines of the cache");

/// The traffic in one direction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// UDP datagrams or TCP segments.
    pub packets: u64,
    /// Payload bytes.
    pub bytes: u64,
}

impl Flow {
    /// Reads each line of its memory for prefetching; the value has no meaning.
    pub fn touch(&self) -> u64 {
        self.key.touch() ^ self.last.cast_unsigned()
    }

    /// How many messages of each kind were recognised in it.
    pub fn messages(&self) -> impl Iterator<Item = (&'static Entry, &'static str, u64)> {
        let seen = self.state.iter().flat_map(|t| t.seen());
        seen.map(|kind| (kind.message.entry, kind.name, kind.count))
    }
}

impl Default for Flows {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Flows {
    /// An empty table, with the user's choices for flows to come.
    pub fn new(overrides: Vec<DecodeAs>) -> Self {
        Self {
            endpoints: Vec::new(),
            by_address: Index::default(),
            all: Vec::new(),
            by_ends: Index::default(),
            hashes: EndpointHasher::default(),
            overrides,
            secrets: Secrets::Masked,
            limit: FLOWS,
            left_out: 0,
            weight: 0,
            most: WEIGHT,
            evidence_left_out: 0,
            forget_requests: false,
            errors: 0,
            errors_left_out: 0,
            losses: Vec::new(),
            losses_left_out: 0,
            closes: HashMap::new(),
            registry: registry(),
            buffers: BufferStore::default(),
            revised: false,
            shows_unknown: false,
            known: Arc::default(),
        }
    }

    /// The same for the protocols of another registry.
    #[must_use]
    pub fn with_registry(self, registry: &'static Registry) -> Self {
        Self { registry, ..self }
    }

    /// The same; shows or masks secrets in the reasons of verdicts.
    #[must_use]
    pub fn showing(self, secrets: Secrets) -> Self {
        Self { secrets, ..self }
    }

    /// The same with what earlier runs learnt.
    #[must_use]
    pub fn knowing(self, known: Arc<KnownEndpoints>) -> Self {
        Self { known, ..self }
    }

    /// What was learnt of an endpoint; nothing if that is nothing.
    pub fn record(&self, transport: Transport, address: SocketAddr) -> Option<EndpointRecord> {
        let hash = self.hashes.one(FlowEndKey::new(transport, address));
        let is_it = |at: u32| {
            let known = self.endpoint(at);
            known.is_some_and(|e| e.address == address && e.transport == transport)
        };
        let endpoint = self.endpoint(self.by_address.find(hash, is_it)?)?;
        let record = EndpointRecord::from_endpoint(endpoint, self.registry, self.secrets);
        Some(record).filter(|record| !record.is_empty())
    }

    /// Whether quotes of messages may show secrets.
    pub fn secrets(&self) -> Secrets {
        self.secrets
    }

    /// The user's choices of games, and what earlier runs learnt.
    pub fn settings(&self) -> (&[DecodeAs], Arc<KnownEndpoints>) {
        (&self.overrides, Arc::clone(&self.known))
    }

    /// Frees what only further packets need, after the last one.
    pub fn compact(&mut self) {
        self.all.shrink_to_fit();
        self.endpoints.shrink_to_fit();
        self.all
            .iter_mut()
            .filter_map(|flow| flow.state.as_mut())
            .for_each(|state| state.compact());
        self.endpoints.iter_mut().for_each(|endpoint| endpoint.evidence.compact());
    }

    /// How many flows there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are no flows.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// When the last packet was captured, in this run or in an earlier one that is known, in
    /// nanoseconds since the Unix epoch.
    pub fn end(&self) -> i64 {
        self.all.iter().map(|flow| flow.last).fold(self.known.end(), i64::max)
    }

    /// When an endpoint sent something, as far as earlier runs tell: the times of the first and the
    /// last of messages close together, and whether they are heartbeats.
    pub fn known_to_send(&self, endpoint: SocketAddr) -> impl Iterator<Item = ([i64; 2], bool)> {
        self.known.spans_of(endpoint)
    }

    /// Every flow with its number.
    pub fn iter(&self) -> impl Iterator<Item = (FlowId, &Flow)> {
        (1..).map(FlowId).zip(&self.all)
    }

    /// The flow of a number.
    #[inline]
    pub fn flow(&self, id: FlowId) -> Option<&Flow> {
        self.all.get(id.0.checked_sub(1)? as usize)
    }

    /// Packets of flows that did not fit into the table.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Messages whose evidence was dropped for lack of memory.
    pub fn evidence_left_out(&self) -> u64 {
        self.evidence_left_out
    }

    /// Whether more requests of a flow waited for an answer than are kept: one that seems to have
    /// none may have one.
    #[inline]
    pub fn forgot_requests(&self, id: FlowId) -> bool {
        // Few captures have such a flow, and most flows are no longer in the cache of the processor.
        let state = || self.flow(id)?.state.as_ref();
        self.forget_requests && state().is_some_and(|state| state.requests.has_forgotten)
    }

    /// Whether there is memory for more flows and evidence.
    pub(super) fn has_room(&self) -> bool {
        self.weight < self.most
    }

    /// Updates the size of a flow.
    pub(super) fn measure(&mut self, id: FlowId) {
        let tight = !self.has_room();
        let state = self.flow_mut(id).and_then(|flow| flow.state.as_mut());
        let (more, forgets) =
            state.map_or((0, false), |state| (state.weigh(tight), state.requests.has_forgotten));
        self.weight = self.weight.saturating_add_signed(more);
        self.forget_requests |= forgets;
        self.evidence_left_out += u64::from(tight);
    }

    pub(super) fn endpoint(&self, index: u32) -> Option<&Endpoint> {
        self.endpoints.get(index as usize)
    }

    /// The two endpoints of a flow, the first sender first.
    pub fn endpoints(&self, id: FlowId) -> Option<[&Endpoint; 2]> {
        let [a, b] = self.flow(id)?.ends;
        Some([self.endpoint(a)?, self.endpoint(b)?])
    }

    #[inline]
    pub(super) fn flow_mut(&mut self, id: FlowId) -> Option<&mut Flow> {
        self.all.get_mut(id.0.checked_sub(1)? as usize)
    }

    /// The packet's flow, created if it is the first packet, and whether the direction is forward;
    /// `None` if the table is full.
    pub(super) fn find_or_insert(
        &mut self,
        hint: FlowHint,
        sent: PacketMeta,
    ) -> Option<(FlowId, bool)> {
        if let Some(found) = self.find_at(hint) {
            return Some(found);
        }
        if self.all.len() >= self.limit || !self.has_room() {
            return None;
        }
        let ends = [self.endpoint_of(sent, sent.source), self.endpoint_of(sent, sent.destination)];
        let (first, last, traffic) = (sent.time, sent.time, Default::default());
        let (errors, state, others, input) = (None, None, 0, sent.input);
        self.all.push(Flow {
            key: hint.key(),
            ends,
            traffic,
            others,
            first,
            last,
            errors,
            input,
            state,
        });
        self.weight += size_of::<Flow>() + INDEXED;
        let id = self.all.len() as u32;
        self.by_ends.add_position(hint.hash(), id);
        Some((FlowId(id), true))
    }

    fn endpoint_of(&mut self, sent: PacketMeta, address: SocketAddr) -> u32 {
        let hash = self.hashes.one(FlowEndKey::new(sent.transport, address));
        let is_it = |at: u32| {
            let known = self.endpoint(at);
            known.is_some_and(|e| e.address == address && e.transport == sent.transport)
        };
        if let Some(known) = self.by_address.find(hash, is_it) {
            return known;
        }
        let index = self.endpoints.len() as u32;
        let known = self.known.get(sent.transport, address).cloned();
        let endpoint = known.unwrap_or_else(|| Endpoint::new(address, sent.transport));
        self.weight += size_of::<Endpoint>() + INDEXED + endpoint.evidence.weigh();
        self.endpoints.push(endpoint);
        self.by_address.add_position(hash, index);
        index
    }
}
