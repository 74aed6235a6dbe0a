//! Messages as a stream: nothing of them is kept, so that memory does not grow with the capture.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::exchange::Exchange;
use super::focus::Focus;
use super::ledger::Ledger;
use super::log::{Log, Recollection};
use super::message::{Header, Message};
use super::meter::Meter;
use super::prepared::Prepared;
use super::step::{Path, Round, Step, Tally};
use super::{Counts, store};
use crate::capture::{Frame, Frames, Input, OpenError, Shelf};
use crate::flow::{Flows, Settled, Told};

/// What goes by in [`Pipeline::watch`].
#[derive(Debug, Clone, Copy)]
pub enum Passing<'a> {
    Message(&'a Message<'a>),
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
    path: Path,
    flows: Flows,
    tally: Tally,
    warnings: Vec<String>,
    /// In how many places the input is damaged.
    damage: u64,
    /// Why inputs were left out.
    unread: Vec<OpenError>,
    /// Whether everything was heard once.
    heard: bool,
    /// What is heard is written down for the second reading. Made at once: later no file can be.
    log: Option<Log>,
    /// Bytes of input read, in all rounds.
    read: Arc<AtomicU64>,
}

/// What [`Pipeline::packets`] lends.
#[derive(Debug, Clone, Copy)]
pub enum Seen<'a> {
    Frame(&'a Frame<'a>),
    /// A message, which the frame before it has completed or shown to be complete.
    Message(&'a Message<'a>),
}

impl Pipeline {
    /// Opens the inputs, which are merged in time order.
    pub fn open(inputs: Vec<Input>, told: Vec<Told>) -> Result<Self, OpenError> {
        Self::begin(Prepared::new(inputs), told)
    }

    /// The same of inputs that are open already; here the first bytes are read.
    pub fn begin(prepared: Prepared, told: Vec<Told>) -> Result<Self, OpenError> {
        let Prepared { mut inputs, scratch, keeps_going } = prepared;
        let mut unread = Vec::new();
        let frames = if keeps_going {
            Frames::open_those(&mut inputs, &mut unread)?
        } else {
            Frames::open(&inputs)?
        };
        let (path, flows, tally) = (Path::default(), Flows::new(told), Tally::default());
        let log = scratch.filter(|_| frames.reopens()).map(Log::new);
        Ok(Self {
            inputs,
            frames,
            path,
            flows,
            tally,
            warnings: Vec::new(),
            damage: 0,
            unread,
            read: Arc::default(),
            heard: false,
            log,
        })
    }

    /// Reads everything and only counts.
    pub fn count(&mut self) -> Result<Counts, OpenError> {
        self.hear(None);
        let mut counts = Counts::of(self.tally, &self.flows);
        if self.flows.revised() && self.frames.reopens() {
            counts.messages.clear();
            let messages = &mut counts.messages;
            self.recall(None, |seen, _| {
                let Seen::Message(message) = seen else {
                    return ControlFlow::<()>::Continue(());
                };
                let Header { verdict, name, .. } = message.header;
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
    pub fn listen(&mut self) -> Result<(), OpenError> {
        self.hear(None);
        if self.flows.revised() && self.frames.reopens() {
            self.recall(None, |_, _| ControlFlow::<()>::Continue(()))?;
        }
        Ok(())
    }

    /// Reads everything, and of the messages counts those that `takes` takes; datagrams of running
    /// games are no messages, and are not counted then.
    pub fn count_where(
        &mut self,
        mut takes: impl FnMut(&Message<'_>) -> bool,
    ) -> Result<Counts, OpenError> {
        let mut messages = BTreeMap::new();
        let mut take = |message: &Message<'_>| {
            if takes(message) {
                let Header { verdict, name, .. } = message.header;
                *messages.entry((verdict.game.id, name)).or_insert(0) += 1;
            }
            ControlFlow::<()>::Continue(())
        };
        self.messages(&mut take)?;
        let counts = Counts::of(self.tally, &self.flows);
        Ok(Counts { messages, in_game: BTreeMap::new(), ..counts })
    }

    /// Lends every message in order, until `each` breaks.
    pub fn messages<B>(
        &mut self,
        mut each: impl FnMut(&Message<'_>) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.messages_with(|message, _| each(message))
    }

    /// Keeps the ledger of everything, and gives each exchange when it is over. Its end is at 30
    /// seconds without an answer, at 5 seconds without more of one, and where the capture ends.
    pub fn ledger(&mut self, over: impl FnMut(Exchange)) -> Result<Ledger, OpenError> {
        self.ledger_of(|_| true, over)
    }

    /// The same, with all messages at fault: [`Ledger::faults`].
    pub fn marking_ledger(&mut self, over: impl FnMut(Exchange)) -> Result<Ledger, OpenError> {
        self.keep(Ledger::marking(), |_| true, over)
    }

    /// The same of the messages that `takes` takes.
    pub fn ledger_of(
        &mut self,
        takes: impl FnMut(&Message<'_>) -> bool,
        over: impl FnMut(Exchange),
    ) -> Result<Ledger, OpenError> {
        self.keep(Ledger::new(), takes, over)
    }

    /// The same of the messages that `takes` takes, with room for what is known of some servers.
    pub fn ledger_about(
        &mut self,
        focus: &Focus,
        takes: impl FnMut(&Message<'_>) -> bool,
    ) -> Result<Ledger, OpenError> {
        self.keep(Ledger::about(focus), takes, |_| {})
    }

    fn keep(
        &mut self,
        mut ledger: Ledger,
        mut takes: impl FnMut(&Message<'_>) -> bool,
        mut over: impl FnMut(Exchange),
    ) -> Result<Ledger, OpenError> {
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
        mut each: impl FnMut(&Message<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.packets(|seen, flows| match seen {
            Seen::Message(message) => each(message, flows),
            Seen::Frame(_) => ControlFlow::Continue(()),
        })
    }

    /// Lends every frame in order, and behind it the messages that it completes, until `each`
    /// breaks. A message may come behind a later frame than the one that brought its last byte:
    /// where that frame alone did not tell that it was the last.
    pub fn packets<B>(
        &mut self,
        each: impl FnMut(Seen<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        if self.frames.reopens() {
            let log = self.log.take();
            let log = self.hear(log).filter(|_| !self.flows.revised());
            return self.recall(log.and_then(Log::recollection), each);
        }
        let told = self.lend(Round::First, each);
        self.complain_of_input();
        Ok(told)
    }

    /// Lends what goes by, once, until `each` breaks: each message as it is known at that time, and
    /// behind its messages each frame. For devices, where somebody waits for both.
    pub fn watch<B>(&mut self, mut each: impl FnMut(Passing<'_>) -> ControlFlow<B>) -> Option<B> {
        let Self { frames, path, flows, tally, .. } = self;
        let mut broken = None;
        while let Some(frame) = frames.next() {
            path.step(&frame, flows, tally, Round::First, |flows, got| {
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
            path.finish(flows, Round::First, |flows, got| {
                pass_on(flows, got, &mut each, &mut broken);
            });
        }
        self.complain_of_input();
        broken
    }

    /// Reads everything once more and lends the messages, as the first reading heard them where
    /// it was written down.
    fn recall<B>(
        &mut self,
        memory: Option<Recollection>,
        each: impl FnMut(Seen<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.frames = Frames::open(&self.inputs)?;
        self.path = Path::remembering(memory);
        self.flows.rewind();
        Ok(self.lend(Round::Again, each))
    }

    fn lend<B>(
        &mut self,
        round: Round,
        mut each: impl FnMut(Seen<'_>, &Flows) -> ControlFlow<B>,
    ) -> Option<B> {
        let Self { frames, path, flows, tally, read, .. } = self;
        // What is read once more is not counted again.
        let mut again = Tally::default();
        let tally = if round == Round::First { tally } else { &mut again };
        let before = read.load(Ordering::Relaxed);
        let mut broken = None;
        let mut settled = (round == Round::Again).then(Settled::default);
        while let Some(frame) = frames.next() {
            if let Some(told) = each(Seen::Frame(&frame), flows).break_value() {
                return Some(told);
            }
            path.step(&frame, flows, tally, round, |flows, got| {
                say(flows, settled.as_mut(), got, &mut each, &mut broken);
            });
            if tally.packets.is_multiple_of(BATCH) {
                read.store(before + frames.progress().read, Ordering::Relaxed);
            }
            if broken.is_some() {
                return broken;
            }
        }
        path.finish(flows, round, |flows, got| {
            say(flows, settled.as_mut(), got, &mut each, &mut broken);
        });
        if round == Round::Again {
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
    pub fn shelf(&self) -> Arc<Shelf> {
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
    fn hear(&mut self, mut log: Option<Log>) -> Option<Log> {
        if std::mem::replace(&mut self.heard, true) {
            return None;
        }
        let Self { frames, path, flows, tally, read, .. } = self;
        let mut note = |got: &Step<'_>| {
            log.take_if(|log| log.note(got).is_none());
        };
        while let Some(frame) = frames.next() {
            path.step(&frame, flows, tally, Round::Ahead, |_, got| note(got));
            if tally.packets.is_multiple_of(BATCH) {
                read.store(frames.progress().read, Ordering::Relaxed);
            }
        }
        read.store(frames.progress().read, Ordering::Relaxed);
        path.finish(flows, Round::Ahead, |_, got| note(got));
        self.complain_of_input();
        log
    }
}

/// After how many frames onlookers are told.
const BATCH: u64 = 1024;

/// Lends the message in a payload, unless `each` has broken before.
fn say<B>(
    flows: &Flows,
    settled: Option<&mut Settled>,
    got: &Step<'_>,
    each: &mut impl FnMut(Seen<'_>, &Flows) -> ControlFlow<B>,
    broken: &mut Option<B>,
) {
    if broken.is_none()
        && let Some(header) = Header::of(flows, settled, got)
    {
        let message = Message { header, payload: got.said.payload };
        *broken = each(Seen::Message(&message), flows).break_value();
    }
}

/// Lends the message in a payload that goes by, unless somebody has broken off.
fn pass_on<B>(
    flows: &Flows,
    got: &Step<'_>,
    each: &mut impl FnMut(Passing<'_>) -> ControlFlow<B>,
    broken: &mut Option<B>,
) {
    if broken.is_none()
        && let Some(header) = Header::of(flows, None, got)
    {
        let message = Message { header, payload: got.said.payload };
        *broken = each(Passing::Message(&message)).break_value();
    }
}
