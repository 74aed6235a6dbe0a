//! Messages to scroll through: where they lie, not what they hold.

use std::io;
use std::sync::Arc;

use parking_lot::Mutex;

use super::Counts;
use super::message::{Header, Message};
use super::step::{Round, Step, Tally, fragments, step};
use crate::capture::{Frame, Frames, Input, OpenError, Place, Progress, Shelf};
use crate::flow::{FlowId, Flows, Heard, Told};
use crate::net::Stack;
use crate::proto::entries;

/// Every message seen so far and the flows that they belong to; a [`Loader`] makes it grow.
///
/// Names are those of the moment: what a later message proves of a server changes the game of the
/// earlier ones when they are asked for again.
pub struct Session {
    records: Vec<Record>,
    flows: Flows,
    shelf: Arc<Shelf>,
    tally: Tally,
    progress: Progress,
    done: bool,
    warnings: Vec<String>,
    unkept: u64,
}

/// Where a message lies and how it was named when it came.
#[derive(Debug, Clone, Copy)]
struct Record {
    number: u64,
    time: i64,
    place: Place,
    flow: FlowId,
    /// How many frames before this one its request came; 0 where it answers none.
    answers: u32,
    missing: u32,
    entry: u16,
    name: &'static str,
    fragments: u16,
    forward: bool,
}

/// Reads frames into a session, a batch at a time.
pub struct Loader {
    inputs: Vec<Input>,
    frames: Frames,
    stack: Stack,
    /// The messages once more, where something heard late renames or finds some.
    again: Option<Vec<Record>>,
}

impl Session {
    /// Opens the inputs, which are merged in time order; nothing is read before the loader runs.
    pub fn open(inputs: &[Input], told: Vec<Told>) -> Result<(Self, Loader), OpenError> {
        let frames = Frames::open(inputs)?;
        let session = Self {
            records: Vec::new(),
            flows: Flows::new(told),
            shelf: frames.shelf(),
            tally: Tally::default(),
            progress: frames.progress(),
            done: false,
            warnings: Vec::new(),
            unkept: 0,
        };
        let (inputs, stack) = (inputs.to_vec(), Stack::new());
        Ok((session, Loader { inputs, frames, stack, again: None }))
    }

    /// How many messages there are so far.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// All that is known now of a message but its payload; nothing is read for it.
    pub fn header(&self, index: usize) -> Option<Header> {
        let record = self.records.get(index)?;
        let entry = *entries().get(usize::from(record.entry))?;
        let heard = Heard { flow: record.flow, forward: record.forward, message: None };
        let (verdict, way) = self.flows.place_message(heard, entry)?;
        let (transport, [a, b]) = self.flows.ends(record.flow)?;
        let (source, destination) = if record.forward { (a, b) } else { (b, a) };
        Some(Header {
            number: record.number,
            time: record.time,
            source,
            destination,
            transport,
            flow: record.flow,
            verdict,
            entry,
            name: record.name,
            way,
            length: record.place.length,
            missing: record.missing,
            fragments: record.fragments,
            answers: record
                .number
                .checked_sub(u64::from(record.answers))
                .filter(|_| record.answers != 0),
        })
    }

    /// A message with its payload, which is read again into `payload`; `None` past the end.
    pub fn message<'a>(
        &self,
        index: usize,
        payload: &'a mut Vec<u8>,
    ) -> io::Result<Option<Message<'a>>> {
        let (Some(header), Some(record)) = (self.header(index), self.records.get(index)) else {
            return Ok(None);
        };
        self.shelf.read(record.place, payload)?;
        Ok(Some(Message { header, payload }))
    }

    /// The place in the list of the message that came in frame `number`.
    pub fn find(&self, number: u64) -> Option<usize> {
        self.records.binary_search_by_key(&number, |r| r.number).ok()
    }

    pub fn flows(&self) -> &Flows {
        &self.flows
    }

    pub fn counts(&self) -> Counts {
        Counts {
            packets: self.tally.packets,
            datagrams: self.tally.datagrams,
            segments: self.tally.segments,
            flows: self.flows.len() as u64,
            messages: self.flows.messages(),
            in_game: self.flows.in_game(),
        }
    }

    /// How many packets were read so far.
    pub fn packets(&self) -> u64 {
        self.tally.packets
    }

    /// How far reading has come.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Whether everything has been read.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// What was damaged or left out, in words.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// A frame goes by: what it says is remembered, in the list or in the one that will replace it.
    fn take(&mut self, frame: &Frame<'_>, stack: &mut Stack, again: Option<&mut Vec<Record>>) {
        let Self { flows, tally, .. } = self;
        let mut none = Tally::default();
        let (round, tally) = match again {
            None => (Round::First, tally),
            Some(_) => (Round::Again, &mut none),
        };
        let got = step(frame, stack, flows, tally, round);
        let record = got.and_then(|got| self.record(&got));
        again.unwrap_or(&mut self.records).extend(record);
    }

    /// What is remembered of the message in a datagram; `None` where there is none, or no room.
    fn record(&mut self, got: &Step<'_>) -> Option<Record> {
        let named = got.heard.message?;
        let place = got.place.or_else(|| self.shelf.keep(got.datagram.payload));
        // What is beyond the spool or the table of flows is counted, and said at the end.
        let (Some(place), true) = (place, got.heard.flow != FlowId(0)) else {
            self.unkept += 1;
            return None;
        };
        let entry = entries().iter().position(|e| *e == named.entry)?;
        let before = named.answers.map_or(0, |request| got.sent.number - request);
        Some(Record {
            number: got.sent.number,
            time: got.sent.time,
            place,
            flow: got.heard.flow,
            answers: u32::try_from(before).unwrap_or(0),
            missing: got.datagram.missing,
            entry: entry as u16,
            name: named.name,
            fragments: fragments(&got.datagram),
            forward: got.heard.forward,
        })
    }
}

impl Loader {
    /// Reads up to `frames` frames more; false when everything has been read.
    pub fn load(&mut self, session: &mut Session, frames: usize) -> bool {
        for _ in 0..frames {
            if let Some(frame) = self.frames.next() {
                session.take(&frame, &mut self.stack, self.again.as_mut());
            } else if !self.begin_again(session) {
                self.finish(session);
                return false;
            }
        }
        self.report(session);
        true
    }

    /// Reads everything. The session is held for a frame at a time, and not while waiting for one:
    /// of a slow pipe others see what there is.
    pub fn run(mut self, session: &Mutex<Session>) {
        loop {
            while let Some(frame) = self.frames.next() {
                let mut session = session.lock();
                session.take(&frame, &mut self.stack, self.again.as_mut());
                self.report(&mut session);
            }
            if !self.begin_again(&mut session.lock()) {
                return self.finish(&mut session.lock());
            }
        }
    }

    fn report(&mut self, session: &mut Session) {
        session.progress = self.frames.progress();
        let warnings = self.frames.warnings();
        // What the first reading complained of, the second finds again.
        if self.again.is_none() {
            session.warnings.extend(warnings.iter().map(ToString::to_string));
        }
    }

    fn finish(&mut self, session: &mut Session) {
        self.complain(session);
        if session.unkept > 0 {
            let n = session.unkept;
            session.warnings.push(format!("{n} messages were not kept: no room is left"));
        }
        if let Some(records) = self.again.take() {
            session.records = records;
        }
        session.progress = self.frames.progress();
        session.done = true;
    }

    /// At the end: whether everything has to be read once more, because something that was heard
    /// late gives earlier messages another name. A pipe keeps the names it has.
    fn begin_again(&mut self, session: &mut Session) -> bool {
        let needed = session.flows.revised() && self.frames.reopens() && self.again.is_none();
        if !needed {
            return false;
        }
        let Ok(frames) = Frames::open(&self.inputs) else {
            return false;
        };
        self.complain(session);
        session.unkept = 0;
        session.flows.rewind();
        (self.frames, self.stack, self.again) = (frames, Stack::new(), Some(Vec::new()));
        true
    }

    /// Tells what was damaged or dropped, at the end of the first reading.
    fn complain(&mut self, session: &mut Session) {
        if self.again.is_none() {
            session.warnings.extend(complaints(&mut self.frames, &self.stack, &session.flows));
        }
    }
}

/// What was damaged, dropped or left out on the way, in words.
pub(super) fn complaints(frames: &mut Frames, stack: &Stack, flows: &Flows) -> Vec<String> {
    let mut said: Vec<_> = frames.warnings().iter().map(ToString::to_string).collect();
    let waiting = stack.waiting();
    if waiting.crowded_out > 0 {
        let n = waiting.crowded_out;
        said.push(format!("{n} fragmented packets were dropped: too many waited for fragments"));
    }
    if flows.left_out() > 0 {
        let n = flows.left_out();
        said.push(format!("{n} packets belong to flows beyond the {} that are kept", flows.len()));
    }
    said
}
