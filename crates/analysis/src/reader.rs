//! The frames of the inputs and the state of their reassembly, in one pass or two.
//!
//! [`Pipeline`](super::Pipeline) and [`Loader`](super::Loader) read with it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::batch::{PayloadBatch, ReadPass};
use super::counts::FrameCounts;
use super::input_set::InputSet;
use super::prepared::PacketSelection;
use super::reassembler::Reassembler;
use capture::{
    Frame, Frames, Input, InputDigest, InputTotals, OpenError, PayloadStore, ReadProgress, Warning,
};
use flow::Flows;
use text::numbered_lines;

/// After how many frames the progress is updated.
const BATCH: u64 = 1024;

/// Reads inputs frame by frame, and once more from the beginning.
pub(super) struct CaptureReader {
    inputs: Vec<Input>,
    frames: Frames,
    reassembler: Reassembler,
    /// The names and the identity of the inputs.
    input_set: InputSet,
    /// Counters of the first pass.
    counts: FrameCounts,
    /// Bytes read in all passes, and before the current one.
    read: Arc<AtomicU64>,
    read_before: u64,
    /// The damage that was found.
    damaged: Vec<Warning>,
    /// Which packets each pass reads.
    packets: PacketSelection,
}

impl CaptureReader {
    /// Opens the inputs, which are merged in time order. If it `keeps_going`, inputs without frames
    /// are left out and the second value says why; fails if none is left.
    pub fn open(
        mut inputs: Vec<Input>,
        keeps_going: bool,
        packets: PacketSelection,
    ) -> Result<(Self, Vec<OpenError>), OpenError> {
        let mut unread = Vec::new();
        let frames = if keeps_going {
            Frames::open_those(&mut inputs, &mut unread)?
        } else {
            Frames::open(&inputs)?
        };
        Ok((Self::new(inputs, frames, packets), unread))
    }

    /// The same for one more input, which is read once, behind `inputs` others with so many frames.
    pub fn behind(
        inputs: u16,
        counts: FrameCounts,
        input: Input,
        packets: PacketSelection,
    ) -> Result<Self, OpenError> {
        let frames = Frames::behind(&input, counts.packets, inputs)?;
        let mut reader = Self::new(vec![input], frames, packets);
        reader.reassembler.counts = counts;
        Ok(reader)
    }

    fn new(inputs: Vec<Input>, frames: Frames, packets: PacketSelection) -> Self {
        let counts = FrameCounts::default();
        let reassembler = Reassembler::for_first_pass(packets.with_copies);
        let (read, damaged) = (Arc::default(), Vec::new());
        let (read_before, input_set) = (0, InputSet::new(&inputs, frames.identity()));
        Self { inputs, frames, reassembler, input_set, counts, read, read_before, damaged, packets }
    }

    /// The inputs, as rows name them.
    pub fn input_set(&self) -> &InputSet {
        &self.input_set
    }

    /// Whether the inputs can be read again.
    pub fn reopens(&self) -> bool {
        self.frames.reopens()
    }

    /// Whether an input is a hexdump.
    pub fn has_hexdump(&self) -> bool {
        self.frames.has_hexdump()
    }

    /// How payloads of this pass are classified.
    pub fn pass(&self) -> ReadPass {
        self.reassembler.pass
    }

    /// Whether this is the second pass.
    pub fn is_second(&self) -> bool {
        self.pass() == ReadPass::Second
    }

    /// The next frame of this pass, and what processes it.
    pub fn next(&mut self) -> Option<(Frame<'_>, &mut Reassembler)> {
        if self.reassembler.counts.packets.is_multiple_of(BATCH) {
            self.update_meter();
        }
        if self.reassembler.counts.packets >= self.packets.limit {
            return None;
        }
        Some((self.frames.next()?, &mut self.reassembler))
    }

    /// Empties a batch, and reads frames until it has so many items; false at the end of the pass.
    pub fn fill(&mut self, batch: &mut PayloadBatch, items: usize) -> bool {
        batch.clear();
        while !batch.has(items) {
            if !self.read_batch(batch, |_| {}) {
                return false;
            }
        }
        true
    }

    /// Reads one frame, and adds what it brings to a batch; after the last one, the unfinished messages
    /// of one TCP connection. False at the end of the pass, when all have been added.
    pub fn read_batch(&mut self, batch: &mut PayloadBatch, seen: impl FnOnce(&Frame<'_>)) -> bool {
        if !self.reassembler.is_finished
            && let Some((frame, reassembler)) = self.next()
        {
            seen(&frame);
            reassembler.step(&frame, batch);
            return true;
        }
        self.reassembler.finish(batch)
    }

    /// Ends a pass, after its last batch was classified.
    pub fn end_pass(&mut self, flows: &mut Flows) {
        self.update_meter();
        if self.is_second() {
            flows.end_second_pass();
        } else {
            flows.end_first_pass();
            self.counts = self.reassembler.counts;
        }
    }

    /// Begins the second pass, or one more like it.
    pub fn rewind(&mut self, flows: &mut Flows) -> Result<(), OpenError> {
        self.frames = Frames::open(&self.inputs)?;
        self.reassembler = Reassembler::for_second_pass(self.packets.with_copies);
        self.begin_log(flows);
        Ok(())
    }

    /// Begins a pass over the log of the first, which reads no frames.
    pub fn begin_log(&mut self, flows: &mut Flows) {
        self.read_before = self.read.load(Ordering::Relaxed);
        flows.rewind();
    }

    /// A pass over the log has come to this frame.
    pub fn pass_frame(&self, frame: u64) {
        let ReadProgress { of, .. } = self.frames.progress();
        let all = u128::from(self.counts().packets.max(1));
        let read = u128::from(of.unwrap_or(0)) * u128::from(frame).min(all) / all;
        self.read.store(self.read_before + read as u64, Ordering::Relaxed);
    }

    /// Counters of the first pass, so far.
    pub fn counts(&self) -> FrameCounts {
        if self.is_second() { self.counts } else { self.reassembler.counts }
    }

    /// How far this pass has come.
    pub fn progress(&self) -> ReadProgress {
        self.frames.progress()
    }

    /// The progress of all passes, for another thread.
    pub fn meter(&self) -> Meter {
        Meter::new(Arc::clone(&self.read), self.frames.progress().of)
    }

    /// The store from which payloads are read again.
    pub fn payloads(&self) -> Arc<PayloadStore> {
        self.frames.payloads()
    }

    /// The damage of the inputs since the last call, in words.
    pub fn damage(&mut self) -> impl Iterator<Item = String> {
        self.frames.warnings().into_iter().map(|warning| warning.to_string())
    }

    /// What was damaged since the last call, and what was dropped or left out, in words; and the
    /// number of places where the input is damaged.
    pub fn warnings(&mut self, flows: &Flows) -> (Vec<String>, u64) {
        let damage = self.frames.warnings();
        let before = self.damaged.len();
        self.damaged.extend(damage.iter().filter(|warning| warning.is_damage()).cloned());
        let damaged = (self.damaged.len() - before) as u64;
        let mut warnings: Vec<_> = damage.iter().map(ToString::to_string).collect();
        warnings.extend(self.reassembler.warnings());
        for unused in flows.unused_overrides() {
            let (subject, game) = (unused.subject, unused.game.id);
            warnings.push(format!("there is no {subject}, which should be decoded as {game}"));
        }
        let beyond = format!(
            "{{packet belongs|packets belong}} to flows beyond the {} that are kept",
            flows.len()
        );
        warnings.extend(numbered_lines(&[
            (flows.left_out(), &beyond),
            (
                flows.evidence_left_out(),
                "{message|messages} came when memory was full: flows may lack evidence",
            ),
            (
                flows.losses_left_out(),
                "{datagram|datagrams} that did not arrive whole {was|were} not kept: there are too many",
            ),
            (flows.errors_left_out(), "ICMP {error was|errors were} not kept: there are too many"),
        ]));
        (warnings, damaged + self.reassembler.gaps())
    }

    /// The digest of all inputs; nothing if one can be read only once.
    pub fn digest(&self) -> Result<Option<InputDigest>, OpenError> {
        let digests = self.inputs.iter().map(|input| input.digest().transpose());
        let digests: Option<Result<Vec<_>, _>> = digests.collect();
        Ok(digests.transpose()?.map(|digests| InputDigest::of_all(&digests)))
    }

    /// The damage of the inputs, as far as [`CaptureReader::warnings`] told it.
    pub fn damaged(&self) -> &[Warning] {
        &self.damaged
    }

    /// What each input gave in this pass, in the order of the inputs.
    pub fn totals(&self) -> &[InputTotals] {
        self.frames.totals()
    }

    fn update_meter(&self) {
        self.read.store(self.read_before + self.frames.progress().read, Ordering::Relaxed);
    }
}

/// How much of the input has been read; updated during the reading.
#[derive(Debug, Clone)]
pub struct Meter {
    read: Arc<AtomicU64>,
    /// Bytes of all inputs; unknown if one is a pipe.
    pub size: Option<u64>,
}

impl Meter {
    /// A meter of a counter that the reader updates.
    pub(super) fn new(read: Arc<AtomicU64>, size: Option<u64>) -> Self {
        Self { read, size }
    }

    /// Bytes read so far; what is read twice counts twice.
    pub fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
}
