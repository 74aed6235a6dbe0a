//! The messages of each frame, by the log of the first pass.

use super::super::message::{CapturedMessage, MessageHeader};
use super::super::pass_log::{LoggedMessage, PassLogReader};
use super::super::payload::{Payload, PipelineStep};
use capture::Frame;
use flow::{Flows, VerdictCache};

/// Takes messages from the log as their frames come.
pub(super) struct FrameMessages<'a> {
    log: &'a mut PassLogReader,
    flows: &'a Flows,
    cache: VerdictCache,
    /// The payload of the next message, unless that is in its frame.
    bytes: Vec<u8>,
    next: Option<LoggedMessage>,
}

impl<'a> FrameMessages<'a> {
    pub fn new(log: &'a mut PassLogReader, flows: &'a Flows) -> Self {
        let (cache, bytes) = (VerdictCache::default(), Vec::new());
        Self { log, flows, cache, bytes, next: None }
    }

    /// The next message that a frame has completed; without a frame, the next of all.
    pub fn next<'b>(&'b mut self, frame: Option<&'b Frame<'_>>) -> Option<CapturedMessage<'b>> {
        let Self { log, flows, cache, bytes, next } = self;
        if next.is_none() {
            bytes.clear();
            *next = log.next(flows, bytes);
        }
        let is_its = |logged: &mut LoggedMessage| frame.is_none_or(|of| logged.frame <= of.number);
        let LoggedMessage { frame: number, payload, classified, length } = next.take_if(is_its)?;
        let at_frame =
            payload.byte_range.zip(frame.and_then(|frame| Some((frame, frame.byte_range?))));
        let payload_bytes = match at_frame {
            Some((range, (frame, of))) => {
                let begin = range.offset.checked_sub(of.offset)? as usize;
                frame.bytes.get(begin..begin + length as usize)?
            }
            None => bytes,
        };
        let payload = Payload { bytes: payload_bytes, ..payload };
        let step = PipelineStep { frame: number, payload, at: 0..0, classified };
        let header = MessageHeader::from_step(flows, Some(cache), &step)?;
        Some(CapturedMessage { header, payload: payload_bytes })
    }
}
