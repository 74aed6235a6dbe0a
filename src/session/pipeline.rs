//! Messages as a stream: nothing of them is kept, so that memory does not grow with the capture.

use std::ops::ControlFlow;

use super::message::{Header, Message};
use super::step::{Round, Step, Tally, fragments, step};
use super::{Counts, store};
use crate::capture::{Frames, Input, OpenError};
use crate::flow::{Flows, Told};
use crate::net::Stack;

/// Captures on their way through the rooms, once or twice.
///
/// Later evidence changes what earlier messages are called. Input that can be read again is read
/// twice: first for the evidence, then for the messages, which say what is known at the end. Of a
/// pipe a message says what was known when it came.
pub struct Pipeline {
    inputs: Vec<Input>,
    frames: Frames,
    stack: Stack,
    flows: Flows,
    tally: Tally,
    warnings: Vec<String>,
}

impl Pipeline {
    /// Opens the inputs, which are merged in time order.
    pub fn open(inputs: Vec<Input>, told: Vec<Told>) -> Result<Self, OpenError> {
        let frames = Frames::open(&inputs)?;
        let (stack, flows, tally) = (Stack::new(), Flows::new(told), Tally::default());
        Ok(Self { inputs, frames, stack, flows, tally, warnings: Vec::new() })
    }

    /// Reads everything and only counts.
    pub fn count(&mut self) -> Counts {
        self.hear();
        Counts {
            packets: self.tally.packets,
            datagrams: self.tally.datagrams,
            segments: self.tally.segments,
            flows: self.flows.len() as u64,
            messages: self.flows.messages(),
        }
    }

    /// Lends every message in order, until `each` breaks.
    pub fn messages<B>(
        &mut self,
        mut each: impl FnMut(&Message<'_>) -> ControlFlow<B>,
    ) -> Result<Option<B>, OpenError> {
        let round = if self.frames.reopens() {
            self.hear();
            self.frames = Frames::open(&self.inputs)?;
            self.stack = Stack::new();
            self.flows.rewind();
            Round::Again
        } else {
            Round::First
        };
        let Self { frames, stack, flows, tally, warnings, .. } = self;
        while let Some(frame) = frames.next() {
            let Some(got) = step(&frame, stack, flows, tally, round) else {
                continue;
            };
            let Some(header) = header(flows, &got) else {
                continue;
            };
            let message = Message { header, payload: got.datagram.payload };
            if let ControlFlow::Break(broken) = each(&message) {
                return Ok(Some(broken));
            }
        }
        if round == Round::First {
            warnings.extend(store::complaints(frames, stack, flows));
        }
        Ok(None)
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
        let Self { frames, stack, flows, tally, .. } = self;
        while let Some(frame) = frames.next() {
            step(&frame, stack, flows, tally, Round::First);
        }
        self.warnings.extend(store::complaints(&mut self.frames, &self.stack, &self.flows));
    }
}

/// What the flows know of the message in a datagram; `None` where there is none.
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
        way,
        length: got.datagram.payload.len() as u32,
        missing: got.datagram.missing,
        fragments: fragments(&got.datagram),
        answers: named.answers,
    })
}
