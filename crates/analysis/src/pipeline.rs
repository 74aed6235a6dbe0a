//! Messages as a stream: none of them is kept, so memory does not grow with the capture.

mod analyze;
mod facts;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use parking_lot::RwLock;

use super::SessionCounts;
use super::ahead::work_ahead_in_order;
use super::batch::{ITEMS, PayloadBatch};
use super::input_set::InputSet;
use super::message::{CapturedMessage, MessageHeader};
use super::message_batch::MessageBatch;
use super::pass_log::{PassLog, PassLogReader};
use super::payload::PipelineStep;
use super::prepared::Prepared;
use super::reader::CaptureReader;
use super::stages::{in_order, overlap};
use capture::{Frame, Input, OpenError};
use flow::{DecodeAs, Flows, VerdictCache};

/// Reads captures through all layers, in one pass or two.
///
/// Later evidence changes how earlier messages are classified. Seekable input is read twice: first
/// for the evidence, then for the messages, with their final classification. Of a pipe each message
/// has the classification known when it came.
pub struct Pipeline {
    reader: CaptureReader,
    flows: Flows,
    warnings: Vec<String>,
    /// Number of places where the input is damaged.
    damage: u64,
    /// Why inputs were left out.
    unread: Vec<OpenError>,
    /// Whether the first of two passes is done.
    is_classified: bool,
    /// Results of the first pass for the second. Created at once: later no file can be created.
    log: Option<PassLog>,
    /// How many threads may work.
    threads: usize,
}

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

#[expect(
    clippy::missing_errors_doc,
    reason = "OpenError says which input cannot be opened, or not once more"
)]
impl Pipeline {
    /// Opens the inputs, which are merged in time order.
    pub fn open(inputs: Vec<Input>, overrides: Vec<DecodeAs>) -> Result<Self, OpenError> {
        Self::begin(Prepared::new(inputs), overrides)
    }

    /// The same for inputs that are already open; reads their first bytes.
    pub fn begin(prepared: Prepared, overrides: Vec<DecodeAs>) -> Result<Self, OpenError> {
        let Prepared {
            inputs,
            scratch,
            keeps_going,
            secrets,
            known,
            threads,
            packets,
            shows_unknown,
        } = prepared;
        let (reader, unread) = CaptureReader::open(inputs, keeps_going, packets)?;
        let log = scratch.filter(|_| reader.reopens()).map(PassLog::new);
        Ok(Self {
            reader,
            flows: Flows::new(overrides)
                .showing(secrets)
                .knowing(known)
                .showing_unknown(shows_unknown),
            warnings: Vec::new(),
            damage: 0,
            unread,
            is_classified: false,
            log,
            threads,
        })
    }

    /// Reads everything and only counts.
    pub fn count(&mut self) -> Result<SessionCounts, OpenError> {
        self.first_pass(None);
        let mut counts = SessionCounts::new(self.reader.counts(), &self.flows);
        if self.is_revised() {
            counts.messages.clear();
            self.second_pass(None, |message, _| {
                counts.count_message(message);
                ControlFlow::<()>::Continue(())
            })?;
        }
        Ok(counts)
    }

    /// The inputs, as rows name them.
    pub fn input_set(&self) -> &InputSet {
        self.reader.input_set()
    }

    /// Whether the input can be read again, so that messages have their final classification.
    pub fn reopens(&self) -> bool {
        self.reader.reopens()
    }

    /// Whether an input is a hexdump.
    pub fn has_hexdump(&self) -> bool {
        self.reader.has_hexdump()
    }

    /// Reads everything to classify the flows; twice if later messages rename earlier ones.
    pub fn classify_all(&mut self) -> Result<(), OpenError> {
        self.first_pass(None);
        if self.is_revised() {
            self.second_pass(None, |_, _| ControlFlow::<()>::Continue(()))?;
        }
        Ok(())
    }

    /// Reads everything, and counts only the messages that `selects` accepts; datagrams of running
    /// games are no messages, and are not counted then.
    pub fn count_where(
        &mut self,
        mut selects: impl FnMut(&CapturedMessage<'_>) -> bool,
    ) -> Result<SessionCounts, OpenError> {
        let mut counts = SessionCounts::default();
        self.messages(|message| {
            if selects(message) {
                counts.count_message(message);
            }
            ControlFlow::<()>::Continue(())
        })?;
        let (messages, in_game) = (counts.messages, BTreeMap::new());
        let counts = SessionCounts::new(self.reader.counts(), &self.flows);
        Ok(SessionCounts { messages, in_game, ..counts })
    }

    /// Passes every message in order to `each`, until that breaks.
    pub fn messages<B>(
        &mut self,
        mut each: impl FnMut(&CapturedMessage<'_>) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.messages_with(|message, _| each(message))
    }

    /// Passes every message in order with the flows to `each`, until that breaks.
    pub fn messages_with<B>(
        &mut self,
        mut each: impl FnMut(&CapturedMessage<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        if !self.reopens() {
            return self.packets(|item, flows| match item {
                PipelineItem::Message(message) => each(message, flows),
                PipelineItem::Frame(_) | PipelineItem::FrameEnd(_) => ControlFlow::Continue(()),
            });
        }
        let log = self.first_pass_log();
        self.second_pass(log, each)
    }

    /// Passes every frame in order, and after it the messages that it completes, to `each`, until
    /// that breaks. A message may come after a later frame than that of its last byte: if that
    /// frame alone did not show that it was the last.
    pub fn packets<B>(
        &mut self,
        mut each: impl FnMut(PipelineItem<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        let mut cache = None;
        if self.reopens() {
            self.begin_second_pass()?;
            cache = Some(VerdictCache::default());
        }
        let Self { reader, flows, .. } = self;
        let (pass, mut batch, mut broken) = (reader.pass(), PayloadBatch::default(), None);
        while let Some((frame, reassembler)) = reader.next() {
            broken = each(PipelineItem::Frame(&frame), flows).break_value();
            batch.clear();
            reassembler.step(&frame, &mut batch);
            batch.classify(pass, flows, |flows, step| {
                pass_on(flows, cache.as_mut(), step, &mut broken, &mut |message, flows| {
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
        reader.fill(&mut batch, ITEMS);
        batch.classify(pass, flows, |flows, step| {
            pass_on(flows, cache.as_mut(), step, &mut broken, &mut |message, flows| {
                each(PipelineItem::Message(message), flows)
            });
        });
        reader.end_pass(flows);
        if cache.is_none() {
            self.take_warnings();
        }
        Ok(broken)
    }

    /// Reads everything for the evidence, unless that was done, and goes back to the beginning, with
    /// what was logged if the second pass can use it.
    fn begin_second_pass(&mut self) -> Result<(), OpenError> {
        let log = self.first_pass_log();
        self.reader.rewind(&mut self.flows, log)
    }

    /// Reads everything for the evidence; returns what it logged, if the second pass can use it.
    fn first_pass_log(&mut self) -> Option<PassLogReader> {
        let log = self.log.take();
        let log = self.first_pass(log).filter(|_| !self.flows.revised());
        log.and_then(PassLog::into_reader)
    }

    /// Reads everything for the evidence; returns the log if it is complete.
    fn first_pass(&mut self, mut log: Option<PassLog>) -> Option<PassLog> {
        if std::mem::replace(&mut self.is_classified, true) {
            return None;
        }
        self.pass(|_, step| {
            log.take_if(|log| log.log(step).is_none());
            ControlFlow::<()>::Continue(())
        });
        self.take_warnings();
        log
    }

    /// Reads everything again and passes on the messages, with the logged results of the first pass
    /// where there are any.
    fn second_pass<B>(
        &mut self,
        log: Option<PassLogReader>,
        mut each: impl FnMut(&CapturedMessage<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.reader.rewind(&mut self.flows, log)?;
        let mut cache = VerdictCache::default();
        Ok(self.pass(|flows, step| match MessageHeader::from_step(flows, Some(&mut cache), step) {
            Some(header) => each(&CapturedMessage { header, payload: step.payload.bytes }, flows),
            None => ControlFlow::Continue(()),
        }))
    }

    /// Works on all messages with all threads, about so many at a time, and passes on the results in
    /// the order of the messages to `take`, until that breaks. Each thread has its own worker. Input
    /// that is read once is not for this: its messages come one by one.
    pub fn work_on_messages<R: Default + Send, W: FnMut(&MessageBatch, &mut R), B: Send>(
        &mut self,
        messages: usize,
        worker: impl Fn() -> W + Sync,
        mut take: impl FnMut(&mut R) -> ControlFlow<B> + Send,
    ) -> Result<Option<B>, OpenError> {
        self.begin_second_pass()?;
        let Self { reader, flows, threads, .. } = self;
        let (pass, mut cache, mut broken) = (reader.pass(), VerdictCache::default(), None);
        let flows = RwLock::new(flows);
        in_order(
            *threads,
            |batch: &mut MessageBatch| batch.fill(messages, reader, (pass, &flows), &mut cache),
            worker,
            |result| keep_break(take(result), &mut broken),
        );
        if broken.is_none() {
            self.reader.end_pass(&mut self.flows);
        }
        Ok(broken)
    }

    /// Works on all messages with all threads, and passes them on in order with the result of each
    /// batch and the flows to `take`, on this thread, until that breaks. Each thread has its own
    /// worker. Input that is read once is not for this.
    pub fn work_ahead<R: Default + Send, W: FnMut(&MessageBatch, &mut R), B>(
        &mut self,
        worker: impl Fn() -> W + Sync,
        take: impl FnMut(&MessageBatch, &mut R, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.work_ahead_in_order(worker, |_, _, _| {}, take)
    }

    /// The same, and every batch goes to `pass_on` before, in order, on any thread.
    fn work_ahead_in_order<R: Default + Send, W: FnMut(&MessageBatch, &mut R), B>(
        &mut self,
        worker: impl Fn() -> W + Sync,
        mut pass_on: impl FnMut(&MessageBatch, &mut R, &Flows) + Send,
        mut take: impl FnMut(&MessageBatch, &mut R, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.begin_second_pass()?;
        let Self { reader, flows, threads, .. } = self;
        let (pass, mut cache, mut broken) = (reader.pass(), VerdictCache::default(), None);
        let flows = RwLock::new(flows);
        work_ahead_in_order(
            *threads,
            |(batch, _): &mut (MessageBatch, R)| {
                batch.fill(ITEMS, reader, (pass, &flows), &mut cache)
            },
            || {
                let mut work = worker();
                move |(batch, result): &mut (MessageBatch, R)| work(batch, result)
            },
            |(batch, result)| pass_on(batch, result, &flows.read()),
            |(batch, result)| keep_break(take(batch, result, &flows.read()), &mut broken),
        );
        if broken.is_none() {
            self.reader.end_pass(&mut self.flows);
        }
        Ok(broken)
    }

    /// Reads and classifies all payloads of a pass, until `each` breaks.
    fn pass<B>(
        &mut self,
        mut each: impl FnMut(&Flows, &PipelineStep<'_>) -> ControlFlow<B>,
    ) -> Option<B> {
        let Self { reader, flows, threads, .. } = self;
        let (pass, mut broken) = (reader.pass(), None);
        overlap(
            *threads,
            |batch: &mut PayloadBatch| reader.fill(batch, ITEMS),
            |batch| {
                batch.classify(pass, flows, |flows, step| {
                    if broken.is_none() {
                        broken = each(flows, step).break_value();
                    }
                });
                if broken.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        if broken.is_none() {
            reader.end_pass(flows);
        }
        broken
    }

    /// The flows so far.
    pub fn flows(&self) -> &Flows {
        &self.flows
    }

    /// Whether late evidence renames earlier messages, and they can be read again.
    fn is_revised(&self) -> bool {
        self.flows.revised() && self.reopens()
    }

    fn take_warnings(&mut self) {
        let (warnings, damage) = self.reader.warnings(&self.flows);
        self.warnings.extend(warnings);
        self.damage += damage;
    }
}

/// Keeps the value of a break.
fn keep_break<B>(done: ControlFlow<B>, broken: &mut Option<B>) -> ControlFlow<()> {
    match done {
        ControlFlow::Continue(()) => ControlFlow::Continue(()),
        ControlFlow::Break(value) => {
            *broken = Some(value);
            ControlFlow::Break(())
        }
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
