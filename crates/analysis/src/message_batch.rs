//! Consecutive messages with their payloads: what one thread passes to another.

use std::ops::Range;

use parking_lot::RwLock;

use super::batch::{PayloadBatch, ReadPass};
use super::message::{CapturedMessage, MessageHeader};
use super::payload::PipelineStep;
use super::reader::CaptureReader;
use flow::{Flows, VerdictCache};

/// Consecutive messages, in the order of the capture.
#[derive(Default)]
pub struct MessageBatch {
    payloads: PayloadBatch,
    headers: Vec<(MessageHeader, Range<usize>)>,
}

impl MessageBatch {
    /// Reads about so many messages; false at the end of the pass.
    pub(super) fn fill(
        &mut self,
        messages: usize,
        reader: &mut CaptureReader,
        (pass, flows): (ReadPass, &RwLock<&mut Flows>),
        cache: &mut VerdictCache,
    ) -> bool {
        let Self { payloads, headers } = self;
        headers.clear();
        let more = reader.fill(payloads, messages);
        let mut add = |flows: &Flows, step: &PipelineStep<'_>| {
            let header = MessageHeader::from_step(flows, Some(cache), step);
            headers.extend(header.map(|header| (header, step.at.clone())));
        };
        if !payloads.each_classified(&flows.read(), &mut add) {
            payloads.classify(pass, &mut flows.write(), add);
        }
        more
    }

    /// The messages, in order.
    pub fn messages(&self) -> impl Iterator<Item = CapturedMessage<'_>> {
        self.headers.iter().map(|(header, at)| {
            let (header, payload) = (*header, self.payloads.bytes(at.clone()));
            CapturedMessage { header, payload }
        })
    }
}
