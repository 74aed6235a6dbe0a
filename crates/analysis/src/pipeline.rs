//! Messages as a stream: none of them is kept, so memory does not grow with the capture.

mod analyze;
mod facts;
mod frame_messages;
mod packets;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use parking_lot::RwLock;

use super::SessionCounts;
use super::ahead::work_ahead_in_order;
use super::batch::{ITEMS, PayloadBatch, ReadPass};
use super::input_set::InputSet;
use super::message::CapturedMessage;
use super::message_batch::{MessageBatch, MessageSource};
use super::pass_log::{PassLog, PassLogReader};
use super::prepared::Prepared;
use super::reader::CaptureReader;
use super::stages::{in_order, overlap};
use capture::{Input, OpenError};
use flow::{DecodeAs, Flows};

pub use analyze::{AnalysedMessage, ReadBatch};
pub use packets::PipelineItem;

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
    /// The same when the first pass is done, if no late evidence renames messages.
    logged: Option<PassLogReader>,
    /// How many threads may work.
    threads: usize,
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
            logged: None,
            threads,
        })
    }

    /// Reads everything and only counts.
    pub fn count(&mut self) -> Result<SessionCounts, OpenError> {
        self.first_pass(None);
        let mut counts = SessionCounts::new(self.reader.counts(), &self.flows);
        if self.is_revised() {
            counts.messages.clear();
            self.second_pass(|message, _| {
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
            self.second_pass(|_, _| ControlFlow::<()>::Continue(()))?;
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
        self.second_pass(each)
    }

    /// Reads everything for the evidence, unless that was done, and goes back to the beginning.
    fn begin_second_pass(&mut self) -> Result<(), OpenError> {
        self.first_pass_log();
        let Self { reader, flows, logged, .. } = self;
        if logged.as_mut().is_some_and(PassLogReader::rewind) {
            reader.begin_log(flows);
            return Ok(());
        }
        *logged = None;
        reader.rewind(flows)
    }

    /// Reads everything for the evidence, unless that was done, and keeps what it logged, if the
    /// second pass can use it.
    fn first_pass_log(&mut self) {
        if self.is_classified {
            return;
        }
        let log = self.log.take();
        let log = self.first_pass(log).filter(|_| !self.flows.revised());
        self.logged = log.and_then(PassLog::into_reader);
    }

    /// Reads everything for the evidence; returns the log if it is complete.
    fn first_pass(&mut self, mut log: Option<PassLog>) -> Option<PassLog> {
        if std::mem::replace(&mut self.is_classified, true) {
            return None;
        }
        let Self { reader, flows, threads, .. } = self;
        overlap(
            *threads,
            |batch: &mut PayloadBatch, others_wait| {
                batch.set_adds_candidates(others_wait);
                reader.fill(batch, ITEMS)
            },
            |batch| {
                batch.classify(ReadPass::First, flows, |_, step| {
                    log.take_if(|log| log.log(step).is_none());
                });
                ControlFlow::Continue(())
            },
        );
        reader.end_pass(flows);
        self.take_warnings();
        log
    }

    /// Reads everything again, and passes on the messages.
    fn second_pass<B>(
        &mut self,
        mut each: impl FnMut(&CapturedMessage<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.begin_second_pass()?;
        let Self { reader, flows, logged, threads, .. } = self;
        let (payloads, flows, mut broken) = (reader.payloads(), RwLock::new(flows), None);
        let mut source = MessageSource::new(reader, logged.as_mut(), &flows);
        overlap(
            *threads,
            |batch: &mut MessageBatch, _| {
                let more = source.fill(batch, ITEMS);
                batch.read_payloads(&payloads);
                more
            },
            |batch| {
                let flows = flows.read();
                let done = batch.messages().try_for_each(|message| each(&message, &flows));
                keep_break(done, &mut broken)
            },
        );
        if broken.is_none() {
            self.end_second_pass();
        }
        Ok(broken)
    }

    /// Ends a pass over all messages.
    fn end_second_pass(&mut self) {
        if self.logged.is_none() {
            self.reader.end_pass(&mut self.flows);
        }
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
        let Self { reader, flows, logged, threads, .. } = self;
        let (payloads, flows, mut broken) = (reader.payloads(), RwLock::new(flows), None);
        let mut source = MessageSource::new(reader, logged.as_mut(), &flows);
        in_order(
            *threads,
            |batch: &mut MessageBatch| source.fill(batch, messages),
            || {
                let mut work = worker();
                let payloads = &*payloads;
                move |batch: &mut MessageBatch, result: &mut R| {
                    batch.read_payloads(payloads);
                    work(batch, result);
                }
            },
            |result| keep_break(take(result), &mut broken),
        );
        if broken.is_none() {
            self.end_second_pass();
        }
        Ok(broken)
    }

    /// Works on all messages with all threads, and passes them on in order with the result of each
    /// batch and the flows to `take`, on this thread, until that breaks. Each thread has its own
    /// worker. Every batch goes to `pass_on` before, in order, on any thread. Input that is read
    /// once is not for this.
    fn work_ahead_in_order<R: Default + Send, W: FnMut(&MessageBatch, &mut R), B>(
        &mut self,
        worker: impl Fn() -> W + Sync,
        mut pass_on: impl FnMut(&MessageBatch, &mut R, &Flows) + Send,
        mut take: impl FnMut(&MessageBatch, &mut R, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.begin_second_pass()?;
        let Self { reader, flows, logged, threads, .. } = self;
        let (payloads, flows, mut broken) = (reader.payloads(), RwLock::new(flows), None);
        let mut source = MessageSource::new(reader, logged.as_mut(), &flows);
        work_ahead_in_order(
            *threads,
            |(batch, _): &mut (MessageBatch, R)| source.fill(batch, ITEMS),
            || {
                let mut work = worker();
                let payloads = &*payloads;
                move |(batch, result): &mut (MessageBatch, R)| {
                    batch.read_payloads(payloads);
                    work(batch, result);
                }
            },
            |(batch, result)| pass_on(batch, result, &flows.read()),
            |(batch, result)| keep_break(take(batch, result, &flows.read()), &mut broken),
        );
        if broken.is_none() {
            self.end_second_pass();
        }
        Ok(broken)
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
