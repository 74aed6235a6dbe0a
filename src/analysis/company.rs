//! Payloads that were taken out of their frames and wait to be heard, a few together.
//!
//! Packets of many conversations take turns, and what is known of each lies somewhere else: most of
//! a first reading would be waiting for memory. So the flows are told of a whole company before the
//! first of it is heard, and the memory of all comes while one would be waited for.

use std::ops::Range;

use super::step::{Payload, PipelineStep};
use crate::flow::{Flows, PacketMeta};

/// How many wait at most; the memory of so many is on its way at once.
const COMPANY: usize = 32;

/// What waits, in order.
#[derive(Default)]
pub(super) struct PayloadBatch {
    members: Vec<BatchItem>,
    bytes: Vec<u8>,
}

enum BatchItem {
    /// So many bytes of a stream went by.
    Segment(PacketMeta, usize),
    /// A payload, which stands there in the company's bytes.
    Payload { frame: u64, said: Payload<'static>, at: Range<usize> },
}

impl BatchItem {
    fn sent(&self) -> PacketMeta {
        match self {
            Self::Segment(sent, _) => *sent,
            Self::Payload { said, .. } => said.sent,
        }
    }
}

impl PayloadBatch {
    pub fn is_full(&self) -> bool {
        self.members.len() >= COMPANY
    }

    /// A segment of so many bytes went by.
    pub fn count(&mut self, sent: PacketMeta, length: usize) {
        self.members.push(BatchItem::Segment(sent, length));
    }

    /// `frame` completed a payload, or showed it to be complete.
    pub fn add(&mut self, frame: u64, said: &Payload<'_>) {
        let begin = self.bytes.len();
        self.bytes.extend_from_slice(said.bytes);
        let said = Payload { bytes: &[], ..*said };
        self.members.push(BatchItem::Payload { frame, said, at: begin..self.bytes.len() });
    }

    /// Lets the flows hear all, and tells `each` what they make of them.
    pub fn observe_all(
        &mut self,
        flows: &mut Flows,
        mut each: impl FnMut(&Flows, &PipelineStep<'_>),
    ) {
        let Self { members, bytes } = self;
        if members.len() > 1 {
            flows.prefetch(members.iter().map(BatchItem::sent));
        }
        for member in members.drain(..) {
            match member {
                BatchItem::Segment(sent, length) => _ = flows.count(sent, length),
                BatchItem::Payload { frame, said, at } => {
                    let said = Payload { bytes: bytes.get(at).unwrap_or_default(), ..said };
                    let heard = if said.connection.is_some() {
                        flows.observe_stream(said.sent, said.bytes)
                    } else {
                        flows.observe(said.sent, said.bytes)
                    };
                    each(flows, &PipelineStep { frame, said, heard });
                }
            }
        }
        bytes.clear();
    }
}
