//! Messages as a stream: nothing of them is kept, so that memory does not grow with the capture.

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

/// What goes by in [`Pipeline::watch`].
#[derive(Debug, Clone, Copy)]
pub enum Passing<'a> {
    Message(&'a CapturedMessage<'a>),
    /// A frame whose messages were lent.
    Frame(&'a Frame<'a>),
}

/// Captures on their way through the rooms, once or twice.
///
/// Later evidence changes what earlier messages are called. Input that can be read again is read
/// twice: first for the evidence, then for the messages, which say what is known at the end. Of a
/// pipe a message says what was known when it came.
pub struct Pipeline {
    inputs: Vec<Input>,
    frames: Frames,
    path: Reassembler,
    flows: Flows,
    tally: FrameCounts,
    warnings: Vec<String>,
    /// In how many places the input is damaged.
    damage: u64,
    /// Why inputs were left out.
    unread: Vec<OpenError>,
    /// Whether everything was heard once.
    heard: bool,
    /// What is heard is written down for the second reading. Made at once: later no file can be.
    log: Option<PassLog>,
    /// Bytes of input read, in all rounds.
    read: Arc<AtomicU64>,
}

/// What [`Pipeline::packets`] lends.
#[derive(Debug, Clone, Copy)]
pub enum PipelineItem<'a> {
    Frame(&'a Frame<'a>),
    /// A message, which the frame before it has completed or shown to be complete.
    Message(&'a CapturedMessage<'a>),
}

impl Pipeline {
    /// Opens the inputs, which are merged in time order.
    pub fn open(inputs: Vec<Input>, told: Vec<DecodeAs>) -> Result<Self, OpenError> {
        Self::begin(Prepared::new(inputs), told)
    }

    /// The same of inputs that are open already; here the first bytes are read.
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

    /// Whether what is read can be read again, so that messages are told with what is known in the
    /// end.
    pub fn reopens(&self) -> bool {
        self.frames.reopens()
    }

    /// Reads everything for what the flows tell; twice where later messages rename earlier ones.
    pub fn classify_all(&mut self) -> Result<(), OpenError> {
        self.first_pass(None);
        if self.flows.revised() && self.frames.reopens() {
            self.second_pass(None, |_, _| ControlFlow::<()>::Continue(()))?;
        }
        Ok(())
    }

    /// Reads everything, and of the messages counts those that `takes` takes; datagrams of running
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

    /// Lends every message in order, until `each` breaks.
    pub fn messages<B>(
        &mut self,
        mut each: impl FnMut(&CapturedMessage<'_>) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.messages_with(|message, _| each(message))
    }

    /// Keeps the ledger of everything, and gives each exchange when it is over. Its end is at 30
    /// seconds without an answer, at 5 seconds without more of one, and where the capture ends.
    pub fn ledger(&mut self, over: impl FnMut(Exchange)) -> Result<Analyzer, OpenError> {
        self.ledger_of(|_| true, over)
    }

    /// The same, with all messages at fault: [`Ledger::faults`].
    pub fn marking_ledger(&mut self, over: impl FnMut(Exchange)) -> Result<Analyzer, OpenError> {
        self.keep(Analyzer::marking(), |_| true, over)
    }

    /// The same of the messages that `takes` takes.
    pub fn ledger_of(
        &mut self,
        takes: impl FnMut(&CapturedMessage<'_>) -> bool,
        over: impl FnMut(Exchange),
    ) -> Result<Analyzer, OpenError> {
        self.keep(Analyzer::new(), takes, over)
    }

    /// The same of the messages that `takes` takes, with room for what is known of some servers.
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

    /// Lends every message in order with what the flows know, until `each` breaks.
    pub fn messages_with<B>(
        &mut self,
        mut each: impl FnMut(&CapturedMessage<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.packets(|seen, flows| match seen {
            PipelineItem::Message(message) => each(message, flows),
            PipelineItem::Frame(_) => ControlFlow::Continue(()),
        })
    }

    /// Lends every frame in order, and behind it the messages that it completes, until `each`
    /// breaks. A message may come behind a later frame than the one that brought its last byte:
    /// where that frame alone did not tell that it was the last.
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

    /// Lends what goes by, once, until `each` breaks: each message as it is known at that time, and
    /// behind its messages each frame. For devices, where somebody waits for both.
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

    /// Reads everything once more and lends the messages, as the first reading heard them where
    /// it was written down.
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
        // What is read once more is not counted again.
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

    /// How far reading has come, for whoever looks on from another thread.
    pub fn meter(&self) -> Meter {
        Meter::new(Arc::clone(&self.read), self.frames.progress().of)
    }

    /// What whoever reads had to leave out, to be told with the rest.
    pub fn complain(&mut self, said: impl IntoIterator<Item = String>) {
        self.warnings.extend(said);
    }

    /// Frames of the capture, as far as reading has come.
    pub fn frames_read(&self) -> u64 {
        self.tally.packets
    }

    /// What was damaged or left out, in words, as far as reading has come.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// In how many places the input is damaged, as far as reading has come.
    pub fn damage(&self) -> u64 {
        self.damage
    }

    /// Why inputs were left out that could not be opened.
    pub fn unread(&self) -> &[OpenError] {
        &self.unread
    }

    /// Where payloads are read again.
    pub fn shelf(&self) -> Arc<PayloadStore> {
        self.frames.shelf()
    }

    /// The conversations, as far as reading has come.
    pub fn flows(&self) -> &Flows {
        &self.flows
    }

    fn complain_of_input(&mut self) {
        let (said, damage) = store::complaints(&mut self.frames, &self.path, &self.flows);
        self.warnings.extend(said);
        self.damage += damage;
    }

    /// Reads everything for the evidence; the log comes back if it took everything.
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

/// After how many frames onlookers are told.
const BATCH: u64 = 1024;

/// Lends the message in a payload, unless `each` has broken before.
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

/// Lends the message in a payload that goes by, unless somebody has broken off.
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
