//! Messages to scroll through: where they lie, not what they hold.

mod loader;
mod records;
mod remarks;

use std::io;
use std::sync::Arc;

use super::SessionCounts;
use super::books::{AnalysisIndex, IndexBuilder};
use super::message::{CapturedMessage, MessageHeader};
use super::prepared::Prepared;
use super::step::{FrameCounts, ReadPass, Reassembler};
use crate::capture::live::{Counters, LiveCapture};
use crate::capture::{Frame, Frames, Input, OpenError, PayloadStore, ReadProgress};
use crate::flow::{Classified, DecodeAs, Flows};

pub(super) use loader::complaints;
pub use loader::{Loader, Witness};

use records::{MessageRecords, RecordClass};
use remarks::Remarks;

/// How many messages around its place are looked at for one that stands out of order.
const NEAR: usize = 256;

/// Every message seen so far and the flows that they belong to; a [`Loader`] makes it grow.
///
/// Names are those of the moment: what a later message proves of a server changes the game of the
/// earlier ones when they are asked for again.
pub struct Session {
    records: MessageRecords,
    flows: Flows,
    shelf: Arc<PayloadStore>,
    tap: Option<LiveCapture>,
    tally: FrameCounts,
    progress: ReadProgress,
    done: bool,
    warnings: Vec<String>,
    unkept: u64,
    remarks: Remarks,
    /// How many messages are in the books, and the books when all are.
    booked: usize,
    books: Option<Arc<AnalysisIndex>>,
    /// Whether these are of everything.
    settled: bool,
    /// What can be read once more for its frames.
    inputs: Vec<Input>,
}

impl Session {
    /// Opens the inputs, which are merged in time order; nothing is read before the loader runs.
    pub fn open(inputs: &[Input], told: Vec<DecodeAs>) -> Result<(Self, Loader), OpenError> {
        Self::begin(Prepared::new(inputs.to_vec()), told)
    }

    /// The same of inputs that are open already; here the first bytes are read.
    pub fn begin(prepared: Prepared, told: Vec<DecodeAs>) -> Result<(Self, Loader), OpenError> {
        let Prepared { inputs, scratch, secrets, .. } = prepared;
        let frames = Frames::open(&inputs)?;
        if let Some(scratch) = scratch {
            frames.shelf().prepare(scratch);
        }
        let session = Self {
            records: MessageRecords::default(),
            flows: Flows::new(told).showing(secrets),
            shelf: frames.shelf(),
            tap: inputs.iter().find_map(|input| match input {
                Input::Live(tap) => Some(tap.clone()),
                _ => None,
            }),
            tally: FrameCounts::default(),
            progress: frames.progress(),
            done: false,
            warnings: Vec::new(),
            unkept: 0,
            remarks: Remarks::default(),
            booked: 0,
            books: None,
            settled: false,
            inputs: inputs.clone(),
        };
        let path = Reassembler::default();
        Ok((session, Loader { inputs, frames, path, again: None, keeper: None, witness: None }))
    }

    /// How many messages there are so far.
    pub fn len(&self) -> usize {
        self.records.gone + self.records.all.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Remembers only so many messages, the latest; what is forgotten is told when all is read.
    pub fn keep_last(&mut self, messages: usize) {
        self.records.limit = messages.max(1);
    }

    /// How many of the first messages are forgotten: they keep their places in the list, but there
    /// is nothing in them.
    pub fn gone(&self) -> usize {
        self.records.gone
    }

    /// What became of the packets of all devices, in a live capture.
    pub fn counters(&self) -> Option<Counters> {
        let all = self.tap.as_ref()?.counters();
        Some(all.into_iter().fold(Counters::default(), Counters::plus))
    }

    /// All that is known now of a message but its payload; nothing is read for it.
    pub fn header(&self, index: usize) -> Option<MessageHeader> {
        let record = self.records.get(index)?;
        let RecordClass { entry, name, validation } = *self.records.kind(record)?;
        let heard = Classified { flow: record.flow, forward: record.forward, message: None };
        let (verdict, way) = self.flows.place_message(heard, entry)?;
        let (transport, [a, b]) = self.flows.ends(record.flow)?;
        let (source, destination) = if record.forward { (a, b) } else { (b, a) };
        Some(MessageHeader {
            number: record.number,
            time: record.time,
            source,
            destination,
            transport,
            flow: record.flow,
            connection: record.connection.map(|number| u64::from(number.get())),
            forward: record.forward,
            place: Some(record.place),
            verdict,
            entry,
            name,
            way,
            length: record.place.length,
            missing: record.missing,
            fragments: record.fragments,
            overlap: record.overlap,
            answers: record
                .number
                .checked_sub(u64::from(record.answers))
                .filter(|_| record.answers != 0),
            part: record.part(),
            validation,
        })
    }

    /// A message with its payload, which is read again into `payload`; `None` past the end.
    pub fn message<'a>(
        &self,
        index: usize,
        payload: &'a mut Vec<u8>,
    ) -> io::Result<Option<CapturedMessage<'a>>> {
        let (Some(header), Some(record)) = (self.header(index), self.records.get(index)) else {
            return Ok(None);
        };
        self.shelf.read(record.place, payload)?;
        Ok(Some(CapturedMessage { header, payload }))
    }

    /// The place in the list of the message that came in frame `number`.
    pub fn find(&self, number: u64) -> Option<usize> {
        let MessageRecords { all, gone, .. } = &self.records;
        let at = match all.binary_search_by_key(&number, |r| r.number) {
            Ok(found) => return Some(gone + found),
            Err(at) => at,
        };
        // A stream's message is known to be whole after others have come: it stands out of order,
        // and mostly not far away.
        let begin = at.saturating_sub(NEAR);
        let near = all.iter().skip(begin).take(2 * NEAR).position(|r| r.number == number);
        let found = near.map(|n| begin + n).or_else(|| all.iter().position(|r| r.number == number));
        found.map(|at| gone + at)
    }

    pub fn flows(&self) -> &Flows {
        &self.flows
    }

    pub fn counts(&self) -> SessionCounts {
        SessionCounts::of(self.tally, &self.flows)
    }

    /// How many packets were read so far.
    pub fn packets(&self) -> u64 {
        self.tally.packets
    }

    /// How far reading has come.
    pub fn progress(&self) -> ReadProgress {
        self.progress
    }

    /// Whether everything has been read.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// The exchanges, hosts and findings: of all messages, as soon as they have been read and gone
    /// through once more; before, of those that somebody had put together, or `None`.
    pub fn books(&self) -> Option<&AnalysisIndex> {
        self.books.as_deref()
    }

    /// The same, to look at without the session.
    pub fn shared_books(&self) -> Option<Arc<AnalysisIndex>> {
        self.books.clone()
    }

    /// Whether the books are of everything, and stay as they are.
    pub fn is_settled(&self) -> bool {
        self.settled
    }

    /// Begins books of the messages so far, for input whose end nobody waits for.
    pub fn keeper(&self) -> IndexBuilder {
        IndexBuilder::until(self.len())
    }

    /// Closes such books; those of everything are not replaced by them.
    pub fn close(&mut self, keeper: IndexBuilder) {
        if !self.done {
            let (books, _) = keeper.close(&self.flows);
            self.books = Some(Arc::new(books));
        }
    }

    /// The frames of the inputs from the beginning, numbered as messages are; `None` where they
    /// cannot be read once more.
    pub fn frames(&self) -> Result<Option<Frames>, OpenError> {
        let again = self.progress.of.is_some();
        again.then(|| Frames::open(&self.inputs)).transpose()
    }

    /// Where payloads are read again.
    pub fn shelf(&self) -> Arc<PayloadStore> {
        Arc::clone(&self.shelf)
    }

    /// How many messages have been gone through for the books.
    pub fn booked(&self) -> usize {
        self.booked
    }

    /// What stands beside a frame in its capture, as it was written; the first few hundred letters.
    pub fn comment(&self, frame: u64) -> Option<&str> {
        self.remarks.of(frame)
    }

    /// When a message came, in nanoseconds since the Unix epoch.
    pub fn time(&self, index: usize) -> Option<i64> {
        self.records.get(index).map(|record| record.time)
    }

    /// What was damaged or left out, in words.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// A frame goes by: what it says is remembered, in the list or in the one that will replace it.
    fn take(
        &mut self,
        frame: &Frame<'_>,
        path: &mut Reassembler,
        again: Option<&mut MessageRecords>,
    ) {
        if again.is_none() {
            self.remarks.take(frame);
        }
        let Self { flows, tally, records, shelf, unkept, .. } = self;
        let mut none = FrameCounts::default();
        let (round, tally, records) = match again {
            None => (ReadPass::First, tally, records),
            Some(records) => (ReadPass::Again, &mut none, records),
        };
        path.step(frame, flows, tally, round, |_, got| records.keep(got, shelf, unkept));
    }

    /// The capture is at its end: so is what its streams say.
    fn end(&mut self, path: &mut Reassembler, again: Option<&mut MessageRecords>) {
        let Self { flows, records, shelf, unkept, .. } = self;
        let (round, records) = match again {
            None => (ReadPass::First, records),
            Some(records) => (ReadPass::Again, records),
        };
        path.finish(flows, round, |_, got| records.keep(got, shelf, unkept));
    }
}
