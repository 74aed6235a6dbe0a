//! A batch of payloads that were extracted from their frames and wait for classification.
//!
//! Packets of many flows interleave, and the state of each flow lies elsewhere in memory: most of
//! the first pass would be cache misses. So the flow entries of a whole batch are prefetched
//! before its first payload is classified, and the cache misses overlap.

use std::ops::Range;

use super::reassembler::{Payload, PipelineStep};
use crate::flow::{Flows, PacketMeta};

/// Maximum number of items in a batch; so many prefetches are in progress at once.
const ITEMS: usize = 32;

/// The waiting items, in order.
#[derive(Default)]
pub(super) struct PayloadBatch {
    items: Vec<BatchItem>,
    bytes: Vec<u8>,
}

enum BatchItem {
    /// A TCP segment with this many bytes of payload.
    Segment(PacketMeta, usize),
    /// A payload, and the range of its bytes in the batch's buffer.
    Payload { frame: u64, payload: Payload<'static>, at: Range<usize> },
}

impl BatchItem {
    fn sent(&self) -> PacketMeta {
        match self {
            Self::Segment(sent, _) => *sent,
            Self::Payload { payload, .. } => payload.meta,
        }
    }
}

impl PayloadBatch {
    pub fn is_full(&self) -> bool {
        self.items.len() >= ITEMS
    }

    /// Adds a segment with this many bytes of payload.
    pub fn count(&mut self, sent: PacketMeta, length: usize) {
        self.items.push(BatchItem::Segment(sent, length));
    }

    /// Adds a payload that `frame` completed, or showed to be complete.
    pub fn add(&mut self, frame: u64, payload: &Payload<'_>) {
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(payload.bytes);
        let payload = Payload { bytes: &[], ..*payload };
        self.items.push(BatchItem::Payload { frame, payload, at: begin..self.bytes.len() });
    }

    /// Classifies all items, and calls `each` with the results.
    pub fn observe_all(
        &mut self,
        flows: &mut Flows,
        mut each: impl FnMut(&Flows, &PipelineStep<'_>),
    ) {
        let Self { items: members, bytes } = self;
        if members.len() > 1 {
            flows.prefetch(members.iter().map(BatchItem::sent));
        }
        for member in members.drain(..) {
            match member {
                BatchItem::Segment(sent, length) => _ = flows.count(sent, length),
                BatchItem::Payload { frame, payload, at } => {
                    let payload = Payload { bytes: bytes.get(at).unwrap_or_default(), ..payload };
                    let classified = if payload.connection.is_some() {
                        flows.observe_stream(payload.meta, payload.bytes)
                    } else {
                        flows.observe(payload.meta, payload.bytes)
                    };
                    each(flows, &PipelineStep { frame, payload, classified });
                }
            }
        }
        bytes.clear();
    }
}
