//! Consecutive messages with their payloads: what one thread passes to another.

use std::ops::Range;

use parking_lot::RwLock;

use super::batch::PayloadBatch;
use super::message::{CapturedMessage, MessageHeader};
use super::pass_log::PassLogReader;
use super::payload::PipelineStep;
use super::reader::CaptureReader;
use capture::{GatheredPayloads, PayloadStore};
use flow::{Flows, VerdictCache};

/// How many bytes of an input a batch may span for each of its messages; what lies between two
/// payloads is read too, as far as it counts here.
const BYTES: u64 = 1 << 10;
const GAP: u64 = 8 << 10;

/// Consecutive messages, in the order of the capture.
#[derive(Default)]
pub struct MessageBatch {
    headers: Vec<(MessageHeader, PayloadPlace)>,
    /// What frames brought that were read again.
    payloads: PayloadBatch,
    /// The payloads of the log.
    bytes: Vec<u8>,
    /// Those that are read in the inputs.
    gathered: GatheredPayloads,
    /// Whether these are still to be read.
    is_unread: bool,
}

/// Where the payload of a message is in its batch.
enum PayloadPlace {
    Frames(Range<usize>),
    Log(Range<usize>),
    Gathered,
}

/// The messages of a second pass, from the log of the first or from the frames.
pub(super) struct MessageSource<'a, 'f> {
    pub reader: &'a mut CaptureReader,
    pub log: Option<&'a mut PassLogReader>,
    pub flows: &'a RwLock<&'f mut Flows>,
    cache: VerdictCache,
}

impl<'a, 'f> MessageSource<'a, 'f> {
    pub fn new(
        reader: &'a mut CaptureReader,
        log: Option<&'a mut PassLogReader>,
        flows: &'a RwLock<&'f mut Flows>,
    ) -> Self {
        Self { reader, log, flows, cache: VerdictCache::default() }
    }

    /// Fills a batch with about so many messages, the payloads of which may still have to be read;
    /// false at the end of the pass.
    pub fn fill(&mut self, batch: &mut MessageBatch, messages: usize) -> bool {
        batch.headers.clear();
        batch.bytes.clear();
        let Self { reader, log, flows, cache } = self;
        batch.is_unread = log.is_some();
        let Some(log) = log else {
            return batch.fill_from_frames(messages, reader, &mut flows.write(), cache);
        };
        let (more, frame) = batch.fill_from_log(messages, log, &flows.read(), cache);
        reader.pass_frame(if more { frame } else { u64::MAX });
        more
    }
}

impl MessageBatch {
    fn fill_from_frames(
        &mut self,
        messages: usize,
        reader: &mut CaptureReader,
        flows: &mut Flows,
        cache: &mut VerdictCache,
    ) -> bool {
        let Self { payloads, headers, .. } = self;
        let more = reader.fill(payloads, messages);
        payloads.classify(reader.pass(), flows, |flows, step| {
            let header = MessageHeader::from_step(flows, Some(cache), step);
            headers.extend(header.map(|header| (header, PayloadPlace::Frames(step.at.clone()))));
        });
        more
    }

    /// Also returns the frame of the last message.
    fn fill_from_log(
        &mut self,
        messages: usize,
        log: &mut PassLogReader,
        flows: &Flows,
        cache: &mut VerdictCache,
    ) -> (bool, u64) {
        let Self { headers, bytes, .. } = self;
        let (mut span, mut last, mut frame) = (0, None, 0);
        while headers.len() < messages && span < messages as u64 * BYTES {
            let begin = bytes.len();
            let Some(logged) = log.next(flows, bytes) else { return (false, frame) };
            let place = if let Some(range) = logged.payload.byte_range {
                let before = last.replace((range.source, range.end()));
                let before = before.filter(|(source, _)| *source == range.source);
                let gap = before.map_or(0, |(_, end)| range.offset.saturating_sub(end));
                span += u64::from(range.length) + gap.min(GAP);
                PayloadPlace::Gathered
            } else {
                span += u64::from(logged.length);
                PayloadPlace::Log(begin..bytes.len())
            };
            frame = logged.frame;
            let (payload, classified, at) = (logged.payload, logged.classified, 0..0);
            let step = PipelineStep { frame, payload, at, classified };
            let header = MessageHeader::from_step(flows, Some(cache), &step);
            let header = header.map(|header| MessageHeader { length: logged.length, ..header });
            headers.extend(header.map(|header| (header, place)));
        }
        (true, frame)
    }

    /// Reads the payloads that are in the inputs.
    pub(super) fn read_payloads(&mut self, payloads: &PayloadStore) {
        if self.is_unread {
            let ranges = self.headers.iter().map(|(header, _)| header.byte_range);
            self.gathered.read_payloads(payloads, ranges);
        }
    }

    /// The time of the last message, in nanoseconds since the Unix epoch.
    pub(super) fn end(&self) -> Option<i64> {
        Some(self.headers.last()?.0.time)
    }

    /// The messages, in order; without those whose input has become shorter.
    pub fn messages(&self) -> impl Iterator<Item = CapturedMessage<'_>> {
        self.headers.iter().enumerate().filter_map(|(at, (header, place))| {
            let payload = match place {
                PayloadPlace::Frames(at) => self.payloads.bytes(at.clone()),
                PayloadPlace::Log(at) => self.bytes.get(at.clone()).unwrap_or_default(),
                PayloadPlace::Gathered => self.gathered.get(at)?,
            };
            Some(CapturedMessage { header: *header, payload })
        })
    }
}
