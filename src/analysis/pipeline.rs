//! Messages as a stream: none of them is kept, so memory does not grow with the capture.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::exchange::Exchange;
use super::focus::Focus;
use super::ledger::Analyzer;
use super::log::{PassLog, PassLogReader};
use super::message::{CapturedMessage, MessageHeader};
use super::meter::Meter;
use super::prepared::Prepared;
use super::step::{FrameCounts, PipelineStep, ReadPass, Reassembler};
use super::{SessionCounts, store};
use crate::capture::{Frame, Frames, Input, OpenError, PayloadStore};
use crate::flow::{DecodeAs, Flows, Settled};

/// An item of [`Pipeline::watch`].
#[derive(Debug, Clone, Copy)]
pub enum Passing<'a> {
    Message(&'a CapturedMessage<'a>),
    /// A frame, after its messages.
    Frame(&'a Frame<'a>),
}

/// Reads captures through all layers, in one pass or two.
///
/// Later evidence changes how earlier messages are classified. Seekable input is read twice: first
/// for the evidence, then for the messages, with their final classification. Of a pipe each message
/// has the classification known when it came.
pub struct Pipeline {
    inputs: Vec<Input>,
    frames: Frames,
    path: Reassembler,
    flows: Flows,
    tally: FrameCounts,
    warnings: Vec<String>,
    /// Number of places where the input is damaged.
    damage: u64,
    /// Why inputs were left out.
    unread: Vec<OpenError>,
    /// Whether the first pass is done.
    heard: bool,
    /// Results of the first pass for the second. Created at once: later no file can be created.
    log: Option<PassLog>,
    /// Bytes of input read, in all passes.
    read: Arc<AtomicU64>,
}

/// An item of [`Pipeline::packets`].
#[derive(Debug, Clone, Copy)]
pub enum PipelineItem<'a> {
    Frame(&'a Frame<'a>),
    /// A message, which the preceding frame has completed or shown to be complete.
    Message(&'a CapturedMessage<'a>),
}

impl Pipeline {
    /// Opens the inputs, which are merged in time order.
    pub fn open(inputs: Vec<Input>, told: Vec<DecodeAs>) -> Result<Self, OpenError> {
        Self::begin(Prepared::new(inputs), told)
    }

    /// The same for inputs that are already open; reads their first bytes.
    pub fn begin(prepared: Prepared, told: Vec<DecodeAs>) -> Result<Self, OpenError> {
        let Prepared { mut inputs, scratch, keeps_going, secrets } = prepared;
        let mut unread = Vec::new();
        let frames = if keeps_going {
            Frames::open_those(&mut inputs, &mut unread)?
        } else {
            Frames::open(&inputs)?
        };
        let log = scratch.filter(|_| frames.reopens()).map(PassLog::new);
        Ok(Self {
            inputs,
            frames,
            path: Reassembler::default(),
            flows: Flows::new(told).showing(secrets),
            tally: FrameCounts::default(),
            warnings: Vec::new(),
            damage: 0,
            unread,
            read: Arc::default(),
            heard: false,
            log,
        })
    }

    /// Reads everything and only counts.
    pub fn count(&mut self) -> Result<SessionCounts, OpenError> {
        self.first_pass(None);
        let mut counts = SessionCounts::of(self.tally, &self.flows);
        if self.flows.revised() && self.frames.reopens() {
            counts.messages.clear();
            let messages = &mut counts.messages;
            self.second_pass(None, |seen, _| {
                let PipelineItem::Message(message) = seen else {
                    return ControlFlow::<()>::Continue(());
                };
                let MessageHeader { verdict, name, .. } = message.header;
                *messages.entry((verdict.game.id, name)).or_insert(0) += 1;
                ControlFlow::Continue(())
            })?;
        }
        Ok(counts)
    }

    /// Whether the input can be read again, so that messages have their final classification.
    pub fn reopens(&self) -> bool {
        self.frames.reopens()
    }

    /// Reads everything to classify the flows; twice if later messages rename earlier ones.
    pub fn classify_all(&mut self) -> Result<(), OpenError> {
        self.first_pass(None);
        if self.flows.revised() && self.frames.reopens() {
            self.second_pass(None, |_, _| ControlFlow::<()>::Continue(()))?;
        }
        Ok(())
    }

    /// Reads everything, and counts only the messages that `takes` accepts; datagrams of running
    /// games are no messages, and are not counted then.
    pub fn count_where(
        &mut self,
        mut takes: impl FnMut(&CapturedMessage<'_>) -> bool,
    ) -> Result<SessionCounts, OpenError> {
        let mut messages = BTreeMap::new();
        let mut take = |message: &CapturedMessage<'_>| {
            if takes(message) {
                let MessageHeader { verdict, name, .. } = message.header;
                *messages.entry((verdict.game.id, name)).or_insert(0) += 1;
            }
            ControlFlow::<()>::Continue(())
        };
        self.messages(&mut take)?;
        let counts = SessionCounts::of(self.tally, &self.flows);
        Ok(SessionCounts { messages, in_game: BTreeMap::new(), ..counts })
    }

    /// Passes every message in order to `each`, until that breaks.
    pub fn messages<B>(
        &mut self,
        mut each: impl FnMut(&CapturedMessage<'_>) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.messages_with(|message, _| each(message))
    }

    /// Analyses everything, and passes on each exchange when it ends: 30 seconds without an answer,
    /// 5 seconds without more of one, or the end of the capture.
    pub fn ledger(&mut self, over: impl FnMut(Exchange)) -> Result<Analyzer, OpenError> {
        self.ledger_of(|_| true, over)
    }

    /// The same, with all messages with findings: [`Analyzer::faults`].
    pub fn marking_ledger(&mut self, over: impl FnMut(Exchange)) -> Result<Analyzer, OpenError> {
        self.keep(Analyzer::marking(), |_| true, over)
    }

    /// The same for the messages that `takes` accepts.
    pub fn ledger_of(
        &mut self,
        takes: impl FnMut(&CapturedMessage<'_>) -> bool,
        over: impl FnMut(Exchange),
    ) -> Result<Analyzer, OpenError> {
        self.keep(Analyzer::new(), takes, over)
    }

    /// The same for the messages that `takes` accepts, with higher limits for some servers.
    pub fn ledger_about(
        &mut self,
        focus: &Focus,
        takes: impl FnMut(&CapturedMessage<'_>) -> bool,
    ) -> Result<Analyzer, OpenError> {
        self.keep(Analyzer::about(focus), takes, |_| {})
    }

    fn keep(
        &mut self,
        mut ledger: Analyzer,
        mut takes: impl FnMut(&CapturedMessage<'_>) -> bool,
        mut over: impl FnMut(Exchange),
    ) -> Result<Analyzer, OpenError> {
        self.messages_with(|message, flows| {
            if takes(message) {
                ledger.take(message, flows, &mut over);
            }
            ControlFlow::<()>::Continue(())
        })?;
        ledger.finish(&self.flows, &mut over);
        self.warnings.extend(ledger.complaints());
        Ok(ledger)
    }

    /// Passes every message in order with the flows to `each`, until that breaks.
    pub fn messages_with<B>(
        &mut self,
        mut each: impl FnMut(&CapturedMessage<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.packets(|seen, flows| match seen {
            PipelineItem::Message(message) => each(message, flows),
            PipelineItem::Frame(_) => ControlFlow::Continue(()),
        })
    }

    /// Passes every frame in order, and after it the messages that it completes, to `each`, until
    /// that breaks. A message may come after a later frame than that of its last byte: if that
    /// frame alone did not show that it was the last.
    pub fn packets<B>(
        &mut self,
        each: impl FnMut(PipelineItem<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        if self.frames.reopens() {
            let log = self.log.take();
            let log = self.first_pass(log).filter(|_| !self.flows.revised());
            return self.second_pass(log.and_then(PassLog::recollection), each);
        }
        let told = self.lend(ReadPass::First, each);
        self.complain_of_input();
        Ok(told)
    }

    /// Passes each message with its classification at that time, and after its messages each frame,
    /// to `each`, in one pass, until that breaks. For live captures, which need both at once.
    pub fn watch<B>(&mut self, mut each: impl FnMut(Passing<'_>) -> ControlFlow<B>) -> Option<B> {
        let Self { frames, path, flows, tally, .. } = self;
        let mut broken = None;
        while let Some(frame) = frames.next() {
            path.step(&frame, flows, tally, ReadPass::First, |flows, got| {
                pass_on(flows, got, &mut each, &mut broken);
            });
            if broken.is_none() {
                broken = each(Passing::Frame(&frame)).break_value();
            }
            if broken.is_some() {
                break;
            }
        }
        if broken.is_none() {
            path.finish(flows, ReadPass::First, |flows, got| {
                pass_on(flows, got, &mut each, &mut broken);
            });
        }
        self.complain_of_input();
        broken
    }

    /// Reads everything again and passes on the messages, with the logged results of the first pass
    /// where there are any.
    fn second_pass<B>(
        &mut self,
        memory: Option<PassLogReader>,
        each: impl FnMut(PipelineItem<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.frames = Frames::open(&self.inputs)?;
        self.path = Reassembler::remembering(memory);
        self.flows.rewind();
        Ok(self.lend(ReadPass::Again, each))
    }

    fn lend<B>(
        &mut self,
        round: ReadPass,
        mut each: impl FnMut(PipelineItem<'_>, &Flows) -> ControlFlow<B>,
    ) -> Option<B> {
        let Self { frames, path, flows, tally, read, .. } = self;
        // The second pass does not count again.
        let mut again = FrameCounts::default();
        let tally = if round == ReadPass::First { tally } else { &mut again };
        let before = read.load(Ordering::Relaxed);
        let mut broken = None;
        let mut settled = (round == ReadPass::Again).then(Settled::default);
        while let Some(frame) = frames.next() {
            if let Some(told) = each(PipelineItem::Frame(&frame), flows).break_value() {
                return Some(told);
            }
            path.step(&frame, flows, tally, round, |flows, got| {
                emit(flows, settled.as_mut(), got, &mut each, &mut broken);
            });
            if tally.packets.is_multiple_of(BATCH) {
                read.store(before + frames.progress().read, Ordering::Relaxed);
            }
            if broken.is_some() {
                return broken;
            }
        }
        path.finish(flows, round, |flows, got| {
            emit(flows, settled.as_mut(), got, &mut each, &mut broken);
        });
        if round == ReadPass::Again {
            flows.end_recall();
        }
        broken
    }

    /// The progress of reading, for another thread.
    pub fn meter(&self) -> Meter {
        Meter::new(Arc::clone(&self.read), self.frames.progress().of)
    }

    /// Adds warnings of the input's reader to those of the pipeline.
    pub fn complain(&mut self, said: impl IntoIterator<Item = String>) {
        self.warnings.extend(said);
    }

    /// Frames read so far.
    pub fn frames_read(&self) -> u64 {
        self.tally.packets
    }

    /// What was damaged or left out so far, in words.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Number of places where the input is damaged, so far.
    pub fn damage(&self) -> u64 {
        self.damage
    }

    /// Why inputs were left out that could not be opened.
    pub fn unread(&self) -> &[OpenError] {
        &self.unread
    }

    /// The store from which payloads are read again.
    pub fn shelf(&self) -> Arc<PayloadStore> {
        self.frames.shelf()
    }

    /// The flows so far.
    pub fn flows(&self) -> &Flows {
        &self.flows
    }

    fn complain_of_input(&mut self) {
        let (said, damage) = store::complaints(&mut self.frames, &self.path, &self.flows);
        self.warnings.extend(said);
        self.damage += damage;
    }

    /// Reads everything for the evidence; returns the log if it is complete.
    fn first_pass(&mut self, mut log: Option<PassLog>) -> Option<PassLog> {
        if std::mem::replace(&mut self.heard, true) {
            return None;
        }
        let Self { frames, path, flows, tally, read, .. } = self;
        let mut note = |got: &PipelineStep<'_>| {
            log.take_if(|log| log.note(got).is_none());
        };
        while let Some(frame) = frames.next() {
            path.step(&frame, flows, tally, ReadPass::Ahead, |_, got| note(got));
            if tally.packets.is_multiple_of(BATCH) {
                read.store(frames.progress().read, Ordering::Relaxed);
            }
        }
        read.store(frames.progress().read, Ordering::Relaxed);
        path.finish(flows, ReadPass::Ahead, |_, got| note(got));
        self.complain_of_input();
        log
    }
}

/// After how many frames the progress is updated.
const BATCH: u64 = 1024;

/// Passes on the message in a payload, unless `each` has broken before.
fn emit<B>(
    flows: &Flows,
    settled: Option<&mut Settled>,
    got: &PipelineStep<'_>,
    each: &mut impl FnMut(PipelineItem<'_>, &Flows) -> ControlFlow<B>,
    broken: &mut Option<B>,
) {
    if broken.is_none()
        && let Some(header) = MessageHeader::of(flows, settled, got)
    {
        let message = CapturedMessage { header, payload: got.said.bytes };
        *broken = each(PipelineItem::Message(&message), flows).break_value();
    }
}

/// Passes on the message in a payload of a live capture, unless `each` has broken before.
fn pass_on<B>(
    flows: &Flows,
    got: &PipelineStep<'_>,
    each: &mut impl FnMut(Passing<'_>) -> ControlFlow<B>,
    broken: &mut Option<B>,
) {
    if broken.is_none()
        && let Some(header) = MessageHeader::of(flows, None, got)
    {
        let message = CapturedMessage { header, payload: got.said.bytes };
        *broken = each(Passing::Message(&message)).break_value();
    }
}
