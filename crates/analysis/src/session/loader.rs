//! Fills a session: frames, one after the other, then the index.

use std::ops::ControlFlow;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use super::Session;
use super::comments;
use super::records::MessageRecords;
use crate::batch::{ITEMS, PayloadBatch};
use crate::counts::FrameCounts;
use crate::index::IndexBuilder;
use crate::reader::CaptureReader;
use crate::stages::overlap;
use capture::{Frame, ReadProgress};
use text::numbered_lines;

/// Reads frames into a session, a batch at a time.
pub struct Loader {
    pub(super) reader: CaptureReader,
    /// The messages of the second pass, if late evidence renames or finds some.
    pub(super) again: Option<MessageRecords>,
    /// Builds the index, when everything has been read.
    pub(super) builder: Option<IndexBuilder>,
    /// Called with every frame of the first pass.
    pub(super) hook: Option<FrameHook>,
    /// Called where much memory has been freed.
    pub(super) freed: fn(),
    /// How many threads may work.
    pub(super) threads: usize,
}

/// What some frames brought, and how far reading had come then.
#[derive(Default)]
pub(super) struct FrameBatch {
    pub payloads: PayloadBatch,
    /// The comments of frames in the first pass.
    pub comments: Vec<(u64, Box<str>)>,
    pub counts: FrameCounts,
    pub progress: ReadProgress,
}

impl FrameBatch {
    /// Reads until the batch is full, while others wait to be taken or not; false at the end of the
    /// pass.
    fn fill(&mut self, reader: &mut CaptureReader, others_wait: bool) -> bool {
        self.payloads.clear();
        self.payloads.set_adds_candidates(others_wait);
        while !self.payloads.has(ITEMS) {
            if !self.step(reader, |_| {}) {
                return false;
            }
        }
        true
    }

    /// Reads one frame; false at the end of the pass.
    fn step(&mut self, reader: &mut CaptureReader, mut hook: impl FnMut(&Frame<'_>)) -> bool {
        let Self { payloads, comments, .. } = self;
        let is_first = !reader.is_second();
        let more = reader.read_batch(payloads, |frame| {
            hook(frame);
            comments.extend(
                comments::text_of(frame).filter(|_| is_first).map(|text| (frame.number, text)),
            );
        });
        (self.counts, self.progress) = (reader.counts(), reader.progress());
        more
    }
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
            let mut batch = FrameBatch::default();
            let more = batch.step(&mut self.reader, |_| {});
            session.add_batch(&mut batch, self.reader.pass(), self.again.as_mut());
            if !more && !self.begin_again(session) {
                self.finish(session);
            }
        }
        if !session.done {
            self.report(session);
        }
        true
    }

    /// Reads everything. The session is locked for a few frames at a time, and not while waiting for
    /// one: with a slow pipe other threads see what there is.
    pub fn run(mut self, session: &Mutex<Session>) {
        loop {
            if self.hook.is_none() && self.reader.reopens() {
                self.read_batches(session);
            } else {
                self.read_frames(session);
            }
            if !self.begin_again(&mut session.lock()) {
                break;
            }
        }
        self.finish(&mut session.lock());
        self.index_batches(session);
    }

    /// Builds the index; other threads may access the session meanwhile.
    fn index_batches(self, session: &Mutex<Session>) {
        let Self { reader, builder: Some(mut builder), freed, threads, .. } = self else {
            return;
        };
        // Of the reader nothing is needed any more.
        drop(reader);
        freed();
        let flows = Arc::clone(&session.lock().flows);
        builder.run(threads, session, &flows, |indexed| session.lock().indexed = indexed);
        let frames = |messages| session.lock().frames_of(messages);
        let (index, warnings) = builder.finish(threads, &flows, frames, freed);
        session.lock().complete(index, warnings);
        freed();
    }

    /// Reads a pass in batches.
    fn read_batches(&mut self, session: &Mutex<Session>) {
        let Self { reader, again, threads, .. } = self;
        let pass = reader.pass();
        overlap(
            *threads,
            |batch: &mut FrameBatch, others_wait| batch.fill(reader, others_wait),
            |batch| {
                let mut session = session.lock();
                session.add_batch(batch, pass, again.as_mut());
                MutexGuard::unlock_fair(session);
                ControlFlow::Continue(())
            },
        );
        self.report(&mut session.lock());
    }

    /// Reads a pass frame by frame: each is seen at once.
    fn read_frames(&mut self, session: &Mutex<Session>) {
        let (pass, is_first) = (self.reader.pass(), self.again.is_none());
        let mut batch = FrameBatch::default();
        loop {
            batch.payloads.clear();
            let mut hook = self.hook.as_mut().filter(|_| is_first);
            let more = batch.step(&mut self.reader, |frame| {
                if let Some(hook) = &mut hook {
                    hook(frame);
                }
            });
            let mut session = session.lock();
            session.add_batch(&mut batch, pass, self.again.as_mut());
            self.report(&mut session);
            if !more {
                return;
            }
        }
    }

    /// Sets a callback for every frame that [`Loader::run`] reads, once each.
    pub fn set_hook(&mut self, hook: FrameHook) {
        self.hook = Some(hook);
    }

    /// Sets a function that returns freed memory to the system; it is called where much has been
    /// freed.
    pub fn when_freed(&mut self, freed: fn()) {
        self.freed = freed;
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
            let frames = |messages| session.frames_of(messages);
            let (index, warnings) = builder.finish(1, &session.flows, frames, self.freed);
            session.complete(index, warnings);
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
        let Some(flows) = Arc::get_mut(&mut session.flows) else {
            return false;
        };
        self.reader.end_pass(flows);
        if self.again.is_some() {
            return false;
        }
        let (warnings, _) = self.reader.warnings(flows);
        let is_needed = flows.revised() && self.reader.reopens();
        let begins = is_needed && self.reader.rewind(flows).is_ok();
        session.add_warnings(warnings);
        if !begins {
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
        if let Some(flows) = Arc::get_mut(&mut session.flows) {
            flows.compact();
        }
        let MessageRecords { dropped, limit, .. } = session.records;
        let beyond = format!(
            "messages at the beginning were not kept, only the last {limit}: --keep-messages says \
             how many"
        );
        session.add_warnings(numbered_lines(&[
            (session.left_out, "messages were not kept: memory is full"),
            (session.comments.left_out, "packets have comments that were not kept"),
            (dropped, &beyond),
        ]));
        session.progress = self.reader.progress();
        session.done = true;
        self.builder = Some(session.builder_until(usize::MAX));
    }
}
