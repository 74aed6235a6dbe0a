//! Payloads that were extracted from their frames and wait for classification.
//!
//! Packets of many flows interleave, and the state of each flow lies elsewhere in memory: most of
//! the first pass would be cache misses. So the flow entries of several payloads are prefetched
//! before the first of them is classified, and the cache misses overlap. A batch also is what one
//! thread passes to another.

use std::net::IpAddr;
use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::payload::{Payload, PipelineStep};
use capture::Frame;
use flow::{Classified, FlowHint, Flows, IcmpNotice, Loss, PacketMeta, Unrecognised};
use net::IcmpKind;
use protocol::CandidateIds;
use protocols::registry;

/// Number of items in a full batch where nothing else is asked for.
pub(super) const ITEMS: usize = 256;
/// Number of bytes per item after which a batch is full.
const BYTES: usize = 1 << 10;
/// Number of prefetches in progress at once.
const AHEAD: usize = 32;

/// What the frames of a batch brought, in order.
#[derive(Default)]
pub(super) struct PayloadBatch {
    items: Vec<BatchItem>,
    bytes: Vec<u8>,
    /// Whether the messages that payloads may be are looked up when they are added.
    adds_candidates: bool,
}

enum BatchItem {
    /// A TCP segment with this many bytes of payload, and whether it ends its sender's side.
    Segment { sent: PacketMeta, length: usize, closes: bool },
    /// An ICMP error about a packet, the sender of the error, and the beginning of its frame.
    Error(PacketMeta, IpAddr, IcmpKind, (u16, Arc<[u8]>)),
    /// Something that did not arrive whole.
    Loss(PacketMeta, Loss),
    /// A payload, the range of its bytes in the batch's buffer, and the messages that it may be, if
    /// they were looked up.
    Payload {
        frame: u64,
        payload: Payload<'static>,
        at: Range<usize>,
        candidates: Option<CandidateIds>,
    },
}

impl BatchItem {
    fn meta(&self) -> PacketMeta {
        match self {
            Self::Segment { sent: meta, .. } | Self::Error(meta, ..) | Self::Loss(meta, _) => *meta,
            Self::Payload { payload, .. } => payload.meta,
        }
    }
}

/// How the payloads of a batch are classified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadPass {
    /// For the first time: they add evidence.
    First,
    /// Again, with all evidence.
    Second,
}

impl PayloadBatch {
    /// Whether it has so many items, or too many bytes for them.
    pub fn has(&self, items: usize) -> bool {
        self.items.len() >= items || self.bytes.len() >= items * BYTES
    }

    /// Adds a segment with this many bytes of payload; `closes` says whether it has FIN or RST.
    pub fn add_segment(&mut self, sent: PacketMeta, length: usize, closes: bool) {
        self.items.push(BatchItem::Segment { sent, length, closes });
    }

    /// Adds an ICMP error.
    pub fn add_error(
        &mut self,
        about: PacketMeta,
        from: IpAddr,
        kind: IcmpKind,
        frame: &Frame<'_>,
    ) {
        let kept = frame.bytes.get(..IcmpNotice::KEPT).unwrap_or(frame.bytes);
        self.items.push(BatchItem::Error(about, from, kind, (frame.link, kept.into())));
    }

    /// Adds something that did not arrive whole, as the frame of `meta` showed.
    pub fn add_loss(&mut self, meta: PacketMeta, loss: Loss) {
        self.items.push(BatchItem::Loss(meta, loss));
    }

    /// Says who looks up which messages payloads may be: the thread that adds them, or the one that
    /// classifies them. The one that has less to do should.
    pub fn set_adds_candidates(&mut self, adds: bool) {
        self.adds_candidates = adds;
    }

    /// Adds a payload that `frame` completed, or showed to be complete.
    pub fn add_payload(&mut self, frame: u64, payload: &Payload<'_>) {
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(payload.bytes);
        let at = begin..self.bytes.len();
        let candidates = self.adds_candidates.then(|| payload.candidates());
        let payload = Payload { bytes: &[], ..*payload };
        self.items.push(BatchItem::Payload { frame, payload, at, candidates });
    }

    /// Empties the batch.
    pub fn clear(&mut self) {
        self.items.clear();
        self.bytes.clear();
    }

    /// Bytes that a [`PipelineStep`] refers to.
    pub fn bytes(&self, at: Range<usize>) -> &[u8] {
        self.bytes.get(at).unwrap_or_default()
    }

    /// Classifies all items, and calls `each` with every payload.
    pub fn classify(
        &self,
        pass: ReadPass,
        flows: &mut Flows,
        mut each: impl FnMut(&Flows, &PipelineStep<'_>),
    ) {
        for next in self.items.chunks(AHEAD) {
            let hints = match pass {
                ReadPass::First => flows.prefetch(next.iter().map(BatchItem::meta)),
                ReadPass::Second => SmallVec::new(),
            };
            for (at, item) in next.iter().enumerate() {
                let hint = hints.get(at).copied();
                match item {
                    // Only the first pass has segments.
                    BatchItem::Segment { sent, length, closes } => {
                        let counted = hint.and_then(|hint| flows.count(hint, *sent, *length));
                        if let Some((flow, _)) = counted.filter(|_| *closes) {
                            flows.add_close(flow, *sent);
                        }
                    }
                    BatchItem::Error(about, from, kind, frame) => {
                        flows.add_icmp_error(*about, *from, kind.to_string(), frame.clone());
                    }
                    BatchItem::Loss(_, loss) => flows.add_loss(*loss),
                    BatchItem::Payload { frame, payload, at, candidates } => {
                        let payload = Payload { bytes: self.bytes(at.clone()), ..*payload };
                        let classified = match candidates {
                            Some(candidates) => payload.classify(hint, candidates, flows),
                            None => payload.classify(hint, &payload.candidates(), flows),
                        };
                        let (frame, at) = (*frame, at.clone());
                        each(flows, &PipelineStep { frame, payload, at, classified });
                    }
                }
            }
        }
    }
}

impl Payload<'_> {
    /// The messages that it may be.
    fn candidates(&self) -> CandidateIds {
        registry().candidate_ids(flow::carrier(self.meta.transport), self.bytes)
    }

    /// For the first time with a hint, else again.
    fn classify(
        &self,
        hint: Option<FlowHint>,
        candidates: &CandidateIds,
        flows: &mut Flows,
    ) -> Classified {
        let payload = Unrecognised { bytes: self.bytes, candidates, is_assembled: self.is_counted };
        match hint {
            None => flows.observe_again(self.meta, payload),
            Some(_) if self.is_counted => flows.observe_stream(self.meta, payload),
            Some(hint) => flows.observe_at(hint, self.meta, payload),
        }
    }
}
