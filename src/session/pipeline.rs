//! Messages as a stream: nothing of them is kept, so that memory does not grow with the capture.

use std::ops::ControlFlow;

use super::exchange::Exchange;
use super::ledger::Ledger;
use super::message::{Header, Message};
use super::step::{Path, Round, Step, Tally};
use super::{Counts, store};
use crate::capture::{Frames, Input, OpenError};
use crate::flow::{Flows, Told};

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
    /// Whether everything was heard once.
    heard: bool,
}

impl Pipeline {
    /// Opens the inputs, which are merged in time order.
    pub fn open(inputs: Vec<Input>, told: Vec<Told>) -> Result<Self, OpenError> {
        let frames = Frames::open(&inputs)?;
        let (path, flows, tally) = (Path::default(), Flows::new(told), Tally::default());
        Ok(Self { inputs, frames, path, flows, tally, warnings: Vec::new(), heard: false })
    }

    /// Reads everything and only counts.
    pub fn count(&mut self) -> Result<Counts, OpenError> {
        self.hear();
        let mut counts = Counts::of(self.tally, &self.flows);
        if self.flows.revised() && self.frames.reopens() {
            counts.messages.clear();
            let messages = &mut counts.messages;
            self.recall(|message, _| {
                let Header { verdict, name, .. } = message.header;
                *messages.entry((verdict.game.id, name)).or_insert(0) += 1;
                ControlFlow::<()>::Continue(())
            })?;
        }
        Ok(counts)
    }

    /// Reads everything for the evidence, where it can be read again; what needs the flows before
    /// the first message calls it, and else `messages` does.
    pub fn learn(&mut self) {
        if self.frames.reopens() {
            self.hear();
        }
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
    pub fn ledger(&mut self, mut over: impl FnMut(Exchange)) -> Result<Ledger, OpenError> {
        let mut ledger = Ledger::new();
        self.messages_with(|message, flows| {
            ledger.take(message, flows, &mut over);
            ControlFlow::<()>::Continue(())
        })?;
        ledger.finish(&self.flows, &mut over);
        self.warnings.extend(ledger.complaints());
        Ok(ledger)
    }

    /// Lends every message in order with what the flows know, until `each` breaks.
    pub fn messages_with<B>(
        &mut self,
        each: impl FnMut(&Message<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        if self.frames.reopens() {
            self.hear();
            return self.recall(each);
        }
        let told = self.lend(Round::First, each);
        self.warnings.extend(store::complaints(&mut self.frames, &self.path, &self.flows));
        Ok(told)
    }

    /// Reads everything once more and lends the messages.
    fn recall<B>(
        &mut self,
        each: impl FnMut(&Message<'_>, &Flows) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.frames = Frames::open(&self.inputs)?;
        self.path = Path::default();
        self.flows.rewind();
        Ok(self.lend(Round::Again, each))
    }

    fn lend<B>(
        &mut self,
        round: Round,
        mut each: impl FnMut(&Message<'_>, &Flows) -> ControlFlow<B>,
    ) -> Option<B> {
        let Self { frames, path, flows, tally, .. } = self;
        let mut broken = None;
        let mut lend = |flows: &Flows, got: &Step<'_>, broken: &mut Option<B>| {
            if broken.is_some() {
                return;
            }
            if let Some(header) = header(flows, got) {
                *broken = each(&Message { header, payload: got.payload }, flows).break_value();
            }
        };
        while let Some(frame) = frames.next() {
            path.step(&frame, flows, tally, round, |flows, got| lend(flows, got, &mut broken));
            if broken.is_some() {
                return broken;
            }
        }
        path.finish(flows, round, |flows, got| lend(flows, got, &mut broken));
        broken
    }

    /// What was damaged or left out, in words, as far as reading has come.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The conversations, as far as reading has come.
    pub fn flows(&self) -> &Flows {
        &self.flows
    }

    fn hear(&mut self) {
        if std::mem::replace(&mut self.heard, true) {
            return;
        }
        let Self { frames, path, flows, tally, .. } = self;
        while let Some(frame) = frames.next() {
            path.step(&frame, flows, tally, Round::First, |_, _| {});
        }
        path.finish(flows, Round::First, |_, _| {});
        self.warnings.extend(store::complaints(&mut self.frames, &self.path, &self.flows));
    }
}

/// What the flows know of the message in a payload; `None` where there is none.
fn header(flows: &Flows, got: &Step<'_>) -> Option<Header> {
    let named = got.heard.message?;
    let (verdict, way) = flows.place_message(got.heard, named.entry)?;
    Some(Header {
        number: got.sent.number,
        time: got.sent.time,
        source: got.sent.source,
        destination: got.sent.destination,
        transport: got.sent.transport,
        flow: got.heard.flow,
        verdict,
        entry: named.entry,
        name: named.name,
        way,
        length: got.payload.len() as u32,
        missing: got.missing,
        fragments: got.fragments,
        overlap: got.overlap,
        answers: named.answers,
        part: named.part,
        validation: named.validation,
    })
}
