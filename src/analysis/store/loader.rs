//! Fills a session: frames, one after the other, then the index.

use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use super::Session;
use super::records::MessageRecords;
use crate::analysis::books::IndexBuilder;
use crate::analysis::step::Reassembler;
use crate::capture::{Frame, Frames, Input};
use crate::flow::Flows;

/// How many messages are indexed before other threads may access the session.
const BATCH: usize = 128;

/// Reads frames into a session, a batch at a time.
pub struct Loader {
    pub(super) inputs: Vec<Input>,
    pub(super) frames: Frames,
    pub(super) path: Reassembler,
    /// The messages of the second pass, if late evidence renames or finds some.
    pub(super) again: Option<MessageRecords>,
    /// Builds the index, when everything has been read.
    pub(super) keeper: Option<IndexBuilder>,
    /// Called with every frame of the first pass.
    pub(super) witness: Option<Witness>,
}

/// A callback for frames as they are read.
pub type Witness = Box<dyn FnMut(&Frame<'_>) + Send>;

impl Loader {
    /// Reads up to `frames` more frames, and after the last one indexes as many messages; false
    /// when everything is done.
    pub fn load(&mut self, session: &mut Session, frames: usize) -> bool {
        for read in 0..frames {
            if session.done {
                return self.book(session, frames - read);
            }
            if let Some(frame) = self.frames.next() {
                session.take(&frame, &mut self.path, self.again.as_mut());
            } else if !self.begin_again(session) {
                self.finish(session);
            }
        }
        if !session.done {
            self.report(session);
        }
        true
    }

    /// Reads everything. The session is locked for one frame at a time, and not while waiting for
    /// one: with a slow pipe other threads see what there is.
    pub fn run(mut self, session: &Mutex<Session>) {
        loop {
            while let Some(frame) = self.frames.next() {
                if let Some(witness) = self.witness.as_mut().filter(|_| self.again.is_none()) {
                    witness(&frame);
                }
                let mut session = session.lock();
                session.take(&frame, &mut self.path, self.again.as_mut());
                self.report(&mut session);
            }
            if !self.begin_again(&mut session.lock()) {
                break;
            }
        }
        self.finish(&mut session.lock());
        loop {
            let mut session = session.lock();
            if !self.book(&mut session, BATCH) {
                return;
            }
            // A thread that waits to draw goes first.
            MutexGuard::unlock_fair(session);
        }
    }

    /// Indexes a few more messages; false when the index is complete.
    fn book(&mut self, session: &mut Session, messages: usize) -> bool {
        let Some(keeper) = &mut self.keeper else {
            return false;
        };
        let goes_on = keeper.keep(session, messages);
        session.booked = keeper.kept();
        if goes_on {
            return true;
        }
        if let Some(keeper) = self.keeper.take() {
            let (books, said) = keeper.close(&session.flows);
            (session.books, session.settled) = (Some(Arc::new(books)), true);
            session.warnings.extend(said);
        }
        false
    }

    /// Sets a callback for every frame that [`Loader::run`] reads, once each.
    pub fn show(&mut self, witness: Witness) {
        self.witness = Some(witness);
    }

    fn report(&mut self, session: &mut Session) {
        session.progress = self.frames.progress();
        let warnings = self.frames.warnings();
        // The second pass finds the warnings of the first again.
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
        if session.remarks.left_out > 0 {
            let n = session.remarks.left_out;
            session.warnings.push(format!("comments of {n} packets were not kept"));
        }
        if let Some(records) = self.again.take() {
            session.records = records;
            session.flows.end_recall();
        }
        if session.records.dropped > 0 {
            let MessageRecords { dropped, limit, .. } = session.records;
            session.warnings.push(format!(
                "the first {dropped} messages were not kept, only the last {limit}: \
                 --keep-messages says how many"
            ));
        }
        session.progress = self.frames.progress();
        session.done = true;
        self.keeper = Some(IndexBuilder::until(usize::MAX));
    }

    /// At the end: whether a second pass is needed, because late evidence gives earlier messages
    /// another name. Messages of a pipe keep their names.
    fn begin_again(&mut self, session: &mut Session) -> bool {
        session.end(&mut self.path, self.again.as_mut());
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
        self.frames = frames;
        let again = MessageRecords::keeping(session.records.limit);
        (self.path, self.again) = (Reassembler::default(), Some(again));
        true
    }

    /// Reports what was damaged or dropped, at the end of the first pass.
    fn complain(&mut self, session: &mut Session) {
        if self.again.is_none() {
            let (said, _) = complaints(&mut self.frames, &self.path, &session.flows);
            session.warnings.extend(said);
        }
    }
}

/// What was damaged, dropped or left out, in words, and the number of places where the input is
/// damaged.
pub(in crate::analysis) fn complaints(
    frames: &mut Frames,
    path: &Reassembler,
    flows: &Flows,
) -> (Vec<String>, u64) {
    let warnings = frames.warnings();
    let damaged = warnings.iter().filter(|warning| warning.is_damage()).count() as u64;
    let mut said: Vec<_> = warnings.iter().map(ToString::to_string).collect();
    said.extend(path.complaints());
    for told in flows.untold() {
        let (subject, game) = (told.subject, told.game.id);
        said.push(format!("there is no {subject}, which should be decoded as {game}"));
    }
    if flows.left_out() > 0 {
        let n = flows.left_out();
        said.push(format!("{n} packets belong to flows beyond the {} that are kept", flows.len()));
    }
    for (count, what) in [
        (flows.cramped(), "messages came when there was no room to keep what they tell of flows"),
        (flows.errors_left_out(), "ICMP errors were not kept: there are too many"),
    ] {
        if count > 0 {
            said.push(format!("{count} {what}"));
        }
    }
    (said, damaged + path.gaps())
}
