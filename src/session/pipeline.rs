//! Messages as a stream: nothing of them is kept, so that memory does not grow with the capture.

use std::ops::ControlFlow;

use super::message::{Header, Message};
use super::step::{Path, Round, Step, Tally};
use super::{Counts, store};
use crate::capture::{Frame, Frames, Input, OpenError};
use crate::flow::{Flows, Told};

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
}

impl Pipeline {
    /// Opens the inputs, which are merged in time order.
    pub fn open(inputs: Vec<Input>, told: Vec<Told>) -> Result<Self, OpenError> {
        let inputs: Vec<_> = inputs.into_iter().map(Input::held).collect();
        let frames = Frames::open(&inputs)?;
        let (path, flows, tally) = (Path::default(), Flows::new(told), Tally::default());
        Ok(Self { inputs, frames, path, flows, tally, warnings: Vec::new() })
    }

    /// Reads everything and only counts.
    pub fn count(&mut self) -> Result<Counts, OpenError> {
        self.hear();
        let mut counts = Counts::of(self.tally, &self.flows);
        if self.flows.revised() && self.frames.reopens() {
            counts.messages.clear();
            let messages = &mut counts.messages;
            self.recall(|message| {
                let Header { verdict, name, .. } = message.header;
                *messages.entry((verdict.game.id, name)).or_insert(0) += 1;
                ControlFlow::<()>::Continue(())
            })?;
        }
        Ok(counts)
    }

    /// Lends every message in order, until `each` breaks.
    pub fn messages<B>(
        &mut self,
        each: impl FnMut(&Message<'_>) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        if self.frames.reopens() {
            self.hear();
            return self.recall(each);
        }
        let told = self.lend(Round::First, each);
        self.warnings.extend(store::complaints(&mut self.frames, &self.path, &self.flows));
        Ok(told)
    }

    /// Lends what goes by, once, until `each` breaks: each message as it is known at that time, and
    /// behind its messages each frame. For devices, where somebody waits for both.
    pub fn watch<B>(&mut self, mut each: impl FnMut(Passing<'_>) -> ControlFlow<B>) -> Option<B> {
        let Self { frames, path, flows, tally, .. } = self;
        let mut broken = None;
        while let Some(frame) = frames.next() {
            path.step(&frame, flows, tally, Round::First, |flows, got| {
                lend_message(flows, got, &mut each, &mut broken);
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
                lend_message(flows, got, &mut each, &mut broken);
            });
        }
        self.warnings.extend(store::complaints(&mut self.frames, &self.path, &self.flows));
        broken
    }

    /// Reads everything once more and lends the messages.
    fn recall<B>(
        &mut self,
        each: impl FnMut(&Message<'_>) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        self.frames = Frames::open(&self.inputs)?;
        self.path = Path::default();
        self.flows.rewind();
        Ok(self.lend(Round::Again, each))
    }

    fn lend<B>(
        &mut self,
        round: Round,
        mut each: impl FnMut(&Message<'_>) -> ControlFlow<B>,
    ) -> Option<B> {
        let Self { frames, path, flows, tally, .. } = self;
        let mut broken = None;
        let mut lend = |flows: &Flows, got: &Step<'_>, broken: &mut Option<B>| {
            if broken.is_some() {
                return;
            }
            if let Some(header) = header(flows, got) {
                *broken = each(&Message { header, payload: got.payload }).break_value();
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
        let Self { frames, path, flows, tally, .. } = self;
        while let Some(frame) = frames.next() {
            path.step(&frame, flows, tally, Round::First, |_, _| {});
        }
        path.finish(flows, Round::First, |_, _| {});
        self.warnings.extend(store::complaints(&mut self.frames, &self.path, &self.flows));
    }
}

/// Lends the message in a payload, if there is one and nobody has broken off.
fn lend_message<B>(
    flows: &Flows,
    got: &Step<'_>,
    each: &mut impl FnMut(Passing<'_>) -> ControlFlow<B>,
    broken: &mut Option<B>,
) {
    if let (None, Some(header)) = (&broken, header(flows, got)) {
        let message = Message { header, payload: got.payload };
        *broken = each(Passing::Message(&message)).break_value();
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
