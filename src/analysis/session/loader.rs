//! Fills a session: frames, one after the other, then the index.

use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use super::Session;
use super::records::MessageRecords;
use crate::analysis::index::IndexBuilder;
use crate::analysis::reader::{CaptureReader, counted};
use crate::capture::Frame;

/// How many messages are indexed before other threads may access the session.
const BATCH: usize = 128;

/// Reads frames into a session, a batch at a time.
pub struct Loader {
    pub(super) reader: CaptureReader,
    /// The messages of the second pass, if late evidence renames or finds some.
    pub(super) again: Option<MessageRecords>,
    /// Builds the index, when everything has been read.
    pub(super) builder: Option<IndexBuilder>,
    /// Called with every frame of the first pass.
    pub(super) hook: Option<FrameHook>,
}

/// A callback for frames as they are read.
pub type FrameHook = Box<dyn FnMut(&Frame<'_>) + Send>;

impl Loader {
    /// Reads up to `frames` more frames, and after the last one indexes as many messages; false
    /// when everything is done.
    pub fn load(&mut self, session: &mut Session, frames: usize) -> bool {
        for read in 0..frames {
            if session.done {
                return self.index(session, frames - read);
            }
            if let Some((frame, reassembler)) = self.reader.next() {
                session.take(&frame, reassembler, self.again.as_mut());
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
            while let Some((frame, reassembler)) = self.reader.next() {
                if let Some(hook) = self.hook.as_mut().filter(|_| self.again.is_none()) {
                    hook(&frame);
                }
                let mut session = session.lock();
                session.take(&frame, reassembler, self.again.as_mut());
                self.report(&mut session);
            }
            if !self.begin_again(&mut session.lock()) {
                break;
            }
        }
        self.finish(&mut session.lock());
        loop {
            let mut session = session.lock();
            if !self.index(&mut session, BATCH) {
                return;
            }
            // A thread that waits to draw goes first.
            MutexGuard::unlock_fair(session);
        }
    }

    /// Sets a callback for every frame that [`Loader::run`] reads, once each.
    pub fn set_hook(&mut self, hook: FrameHook) {
        self.hook = Some(hook);
    }

    /// Indexes a few more messages; false when the index is complete.
    fn index(&mut self, session: &mut Session, messages: usize) -> bool {
        let Some(builder) = &mut self.builder else {
            return false;
        };
        let goes_on = builder.advance(session, messages);
        session.indexed = builder.processed();
        if goes_on {
            return true;
        }
        if let Some(builder) = self.builder.take() {
            let (index, warnings) = builder.finish(&session.flows);
            (session.index, session.is_final) = (Some(Arc::new(index)), true);
            session.warnings.extend(warnings);
        }
        false
    }

    fn report(&mut self, session: &mut Session) {
        session.progress = self.reader.progress();
        let damage = self.reader.damage();
        // The second pass finds the warnings of the first again.
        if self.again.is_none() {
            session.warnings.extend(damage);
        }
    }

    /// At the end of a pass: whether a second one is needed, because late evidence gives earlier
    /// messages another name. Messages of a pipe keep their names.
    fn begin_again(&mut self, session: &mut Session) -> bool {
        session.end_pass(&mut self.reader, self.again.as_mut());
        if self.again.is_some() {
            return false;
        }
        let (warnings, _) = self.reader.warnings(&session.flows);
        session.warnings.extend(warnings);
        let is_needed = session.flows.revised() && self.reader.reopens();
        if !is_needed || self.reader.rewind(&mut session.flows, None).is_err() {
            return false;
        }
        session.left_out = 0;
        self.again = Some(MessageRecords::keeping(session.records.limit));
        true
    }

    fn finish(&mut self, session: &mut Session) {
        if let Some(records) = self.again.take() {
            session.records = records;
        }
        let MessageRecords { dropped, limit, .. } = session.records;
        let beyond = format!(
            "messages at the beginning were not kept, only the last {limit}: --keep-messages says \
             how many"
        );
        session.warnings.extend(counted(&[
            (session.left_out, "messages were not kept: no room is left"),
            (session.comments.left_out, "packets have comments that were not kept"),
            (dropped, &beyond),
        ]));
        session.progress = self.reader.progress();
        session.done = true;
        self.builder = Some(IndexBuilder::until(usize::MAX));
    }
}
