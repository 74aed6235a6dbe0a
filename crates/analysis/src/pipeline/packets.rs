//! Frames with the messages that they complete.

use std::ops::ControlFlow;

use super::super::batch::{ITEMS, PayloadBatch};
use super::super::message::{CapturedMessage, MessageHeader};
use super::super::pass_log::PassLogReader;
use super::super::payload::PipelineStep;
use super::Pipeline;
use super::frame_messages::FrameMessages;
use capture::{Frame, OpenError};
use flow::{Flows, VerdictCache};

/// An item of [`Pipeline::packets`].
#[derive(Debug, Clone, Copy)]
pub enum PipelineItem<'a> {
    /// The next frame.
    Frame(&'a Frame<'a>),
    /// A message, which the preceding frame has completed or shown to be complete.
    Message(&'a CapturedMessage<'a>),
    /// The same frame once more, after its messages.
    FrameEnd(&'a Frame<'a>),
}

#[expect(clippy::missing_errors_doc, reason = "OpenError says which input cannot be opened")]
impl Pipeline {
    /// Passes every frame in order, and after it the messages that it completes, to `each`, until
    /// that breaks. A message may come after a later frame than that of its last byte: if that
    /// frame alone did not show that it was the last.
    pub fn packets<B>(
        &mut self,
        each: impl FnMut(PipelineItem<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        if !self.reopens() {
            return self.classified_packets(None, each);
        }
        self.first_pass_log();
        self.reader.rewind(&mut self.flows)?;
        if self.logged.as_mut().is_some_and(PassLogReader::rewind) {
            return self.logged_packets(each);
        }
        self.classified_packets(Some(&mut VerdictCache::default()), each)
    }

    /// The same without a log; with a cache where no new evidence comes.
    fn classified_packets<B>(
        &mut self,
        mut cache: Option<&mut VerdictCache>,
        mut each: impl FnMut(PipelineItem<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        let is_once = cache.is_none();
        let Self { reader, flows, .. } = self;
        let (pass, mut batch, mut broken) = (reader.pass(), PayloadBatch::default(), None);
        while let Some((frame, reassembler)) = reader.next() {
            broken = each(PipelineItem::Frame(&frame), flows).break_value();
            batch.clear();
            reassembler.step(&frame, &mut batch);
            batch.classify(pass, flows, |flows, step| {
                pass_on(flows, cache.as_deref_mut(), step, &mut broken, &mut |message, flows| {
                    each(PipelineItem::Message(message), flows)
                });
            });
            if broken.is_none() {
                broken = each(PipelineItem::FrameEnd(&frame), flows).break_value();
            }
            if broken.is_some() {
                return Ok(broken);
            }
        }
        let mut more = true;
        while more {
            more = reader.fill(&mut batch, ITEMS);
            batch.classify(pass, flows, |flows, step| {
                pass_on(flows, cache.as_deref_mut(), step, &mut broken, &mut |message, flows| {
                    each(PipelineItem::Message(message), flows)
                });
            });
        }
        reader.end_pass(flows);
        if is_once {
            self.take_warnings();
        }
        Ok(broken)
    }

    /// The same with the log, which knows the messages of each frame.
    fn logged_packets<B>(
        &mut self,
        mut each: impl FnMut(PipelineItem<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        let Self { reader, flows, logged: Some(log), .. } = self else { return Ok(None) };
        let mut messages = FrameMessages::new(log, flows);
        while let Some((frame, reassembler)) = reader.next() {
            reassembler.skip();
            let mut done = each(PipelineItem::Frame(&frame), flows);
            while done.is_continue()
                && let Some(message) = messages.next(Some(&frame))
            {
                done = each(PipelineItem::Message(&message), flows);
            }
            if done.is_continue() {
                done = each(PipelineItem::FrameEnd(&frame), flows);
            }
            if done.is_break() {
                return Ok(done.break_value());
            }
        }
        while let Some(message) = messages.next(None) {
            if let ControlFlow::Break(value) = each(PipelineItem::Message(&message), flows) {
                return Ok(Some(value));
            }
        }
        reader.end_pass(flows);
        Ok(None)
    }
}

/// Passes the message in a payload to `each`, unless it broke before.
fn pass_on<B>(
    flows: &Flows,
    cache: Option<&mut VerdictCache>,
    step: &PipelineStep<'_>,
    broken: &mut Option<B>,
    each: &mut impl FnMut(&CapturedMessage<'_>, &Flows) -> ControlFlow<B>,
) {
    if broken.is_none()
        && let Some(header) = MessageHeader::from_step(flows, cache, step)
    {
        let message = CapturedMessage { header, payload: step.payload.bytes };
        *broken = each(&message, flows).break_value();
    }
}
