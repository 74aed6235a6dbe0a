//! Several inputs as one sequence of frames.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::input::OpenInput;
use super::source::FrameSource;
use super::{ByteRange, Frame, Input, InputIdentity, OpenError, PayloadStore, Warning};

/// Inputs merged in time order, frames numbered from 1.
///
/// Each input is assumed to be in order; if it is not, its frames keep the order of the file.
/// Frames with the same time come in the order of the inputs.
pub struct Frames {
    sources: Vec<FrameSource>,
    /// The inputs with a frame ready, by time. A single input does not use it.
    queue: BinaryHeap<Reverse<(i64, usize)>>,
    /// The input whose frame was passed on, to be advanced at the next call.
    current: Option<usize>,
    /// The index of the first input.
    first_input: usize,
    number: u64,
    warnings: Vec<Warning>,
    payloads: Arc<PayloadStore>,
    read: Arc<AtomicU64>,
    size: Option<u64>,
    /// Whether an input is a hexdump.
    has_hexdump: bool,
    totals: Vec<InputTotals>,
    identity: Arc<InputIdentity>,
    /// How many inputs have no first frame yet, which is what identifies them.
    unidentified: usize,
}

/// What an input has given so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InputTotals {
    /// How many frames.
    pub packets: u64,
    /// The earliest and the latest of their times, in nanoseconds since the Unix epoch.
    pub times: Option<(i64, i64)>,
}

/// The progress of reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadProgress {
    /// Bytes read so far, compressed if the input is.
    pub read: u64,
    /// Total bytes; unknown if one input is a pipe.
    pub of: Option<u64>,
}

impl Frames {
    /// The size limit of the spool of [`Frames::open`], in bytes.
    pub const SPOOL_LIMIT: u64 = 1 << 30;

    /// Opens all inputs. Reads only as much as is needed to recognise each capture, and if there
    /// are several, the first frame of each.
    ///
    /// # Errors
    ///
    /// If an input cannot be opened, or is no capture.
    pub fn open(inputs: &[Input]) -> Result<Self, OpenError> {
        Self::with_spool(inputs, Self::SPOOL_LIMIT)
    }

    /// The same; inputs without frames are removed from `inputs`, and `unread` says why. Fails if
    /// none is left.
    ///
    /// # Errors
    /// If none of the inputs can be read.
    pub fn open_those(
        inputs: &mut Vec<Input>,
        unread: &mut Vec<OpenError>,
    ) -> Result<Self, OpenError> {
        check_number(inputs)?;
        let read = Arc::new(AtomicU64::new(0));
        let (mut opened, mut left) = (Vec::with_capacity(inputs.len()), Vec::new());
        for input in inputs.drain(..) {
            match input.open(&read) {
                Ok(source) => {
                    opened.push(source);
                    left.push(input);
                }
                Err(error) => unread.push(error),
            }
        }
        *inputs = left;
        match unread.first() {
            Some(error) if inputs.is_empty() => Err(error.clone()),
            _ => Self::from_inputs(inputs, opened, read, Self::SPOOL_LIMIT),
        }
    }

    /// The same as [`Frames::open`] with another size limit of the spool, in bytes.
    pub(crate) fn with_spool(inputs: &[Input], spool_limit: u64) -> Result<Self, OpenError> {
        check_number(inputs)?;
        let read = Arc::new(AtomicU64::new(0));
        let opened = inputs.iter().map(|input| input.open(&read)).collect::<Result<_, _>>()?;
        Self::from_inputs(inputs, opened, read, spool_limit)
    }

    /// The frames of one more input behind `packets` frames of `inputs` others. They are read once
    /// and have no byte ranges: who needs their bytes later has to keep them.
    ///
    /// # Errors
    /// If it cannot be opened, or is no capture.
    pub fn behind(input: &Input, packets: u64, inputs: u16) -> Result<Self, OpenError> {
        let mut frames = Self::open(std::slice::from_ref(input))?;
        frames.sources.iter_mut().for_each(FrameSource::read_once);
        (frames.number, frames.first_input, frames.size) = (packets, inputs.into(), None);
        Ok(frames)
    }

    fn from_inputs(
        inputs: &[Input],
        opened: Vec<OpenInput>,
        read: Arc<AtomicU64>,
        spool_limit: u64,
    ) -> Result<Self, OpenError> {
        let mut sources = Vec::with_capacity(inputs.len());
        let mut held = Vec::with_capacity(inputs.len());
        let mut contents = Vec::with_capacity(inputs.len());
        let (mut size, mut has_hexdump) = (Some(0), false);
        for opened in opened {
            size = size.zip(opened.size).map(|(sum, size): (u64, u64)| sum + size);
            sources.push(opened.source);
            held.push(opened.held);
            contents.push(opened.content);
            has_hexdump |= opened.is_hexdump;
        }
        let identity = InputIdentity::new(contents);
        let unidentified = (0..sources.len()).filter(|input| identity.needs_frame(*input)).count();
        let mut frames = Self {
            identity: Arc::new(identity),
            unidentified,
            sources,
            queue: BinaryHeap::new(),
            current: None,
            first_input: 0,
            number: 0,
            warnings: Vec::new(),
            payloads: Arc::new(PayloadStore::new(held, spool_limit)),
            read,
            size,
            has_hexdump,
            totals: vec![InputTotals::default(); inputs.len()],
        };
        if inputs.iter().any(|input| matches!(input, Input::Live(_))) {
            frames.payloads.make_ring();
        }
        if frames.sources.len() > 1 {
            (0..frames.sources.len()).for_each(|index| frames.queue_up(index));
        }
        Ok(frames)
    }

    /// The next frame; nothing when all inputs have ended.
    #[inline]
    #[expect(clippy::should_implement_trait, reason = "what an iterator gives, it cannot lend")]
    pub fn next(&mut self) -> Option<Frame<'_>> {
        let (time, index) = match self.sources.as_mut_slice() {
            [only] => {
                let time = only.advance(&mut self.warnings)?;
                if self.unidentified > 0 {
                    self.identify(0);
                }
                (time, 0)
            }
            _ => self.earliest()?,
        };
        self.number += 1;
        if let Some(totals) = self.totals.get_mut(index) {
            totals.count_frame(time);
        }
        self.sources.get(index)?.frame(self.number, self.first_input + index)
    }

    /// The warnings since the last call.
    pub fn warnings(&mut self) -> Vec<Warning> {
        self.warnings.extend(self.payloads.warning());
        std::mem::take(&mut self.warnings)
    }

    /// The progress of reading.
    pub fn progress(&self) -> ReadProgress {
        ReadProgress { read: self.read.load(Ordering::Relaxed), of: self.size }
    }

    /// What identifies the inputs by their content; of a pipe or a device known when its first frame
    /// has come.
    pub fn identity(&self) -> Arc<InputIdentity> {
        Arc::clone(&self.identity)
    }

    /// Whether an input is a hexdump.
    pub fn has_hexdump(&self) -> bool {
        self.has_hexdump
    }

    /// Whether all inputs can be opened again and give the same frames: none is a pipe.
    pub fn reopens(&self) -> bool {
        self.size.is_some()
    }

    /// The store from which frames are read again and where payloads are kept; usable by other
    /// threads.
    pub fn payloads(&self) -> Arc<PayloadStore> {
        Arc::clone(&self.payloads)
    }

    /// What each input has given so far, in the order of the inputs.
    pub fn totals(&self) -> &[InputTotals] {
        &self.totals
    }

    /// The time and the input of the next frame.
    fn earliest(&mut self) -> Option<(i64, usize)> {
        if let Some(index) = self.current.take() {
            self.queue_up(index);
        }
        let Reverse((time, index)) = self.queue.pop()?;
        self.current = Some(index);
        Some((time, index))
    }

    fn queue_up(&mut self, index: usize) {
        let Some(source) = self.sources.get_mut(index) else { return };
        if let Some(time) = source.advance(&mut self.warnings) {
            self.queue.push(Reverse((time, index)));
            if self.unidentified > 0 {
                self.identify(index);
            }
        }
    }

    /// Takes the frame of an input that is ready, if that identifies the input.
    #[cold]
    fn identify(&mut self, index: usize) {
        if self.identity.needs_frame(index)
            && let Some(frame) = self.sources.get(index).and_then(|source| source.frame(1, index))
        {
            self.identity.take_frame(index, &frame);
            self.unidentified -= 1;
        }
    }
}

impl InputTotals {
    #[inline]
    fn count_frame(&mut self, time: i64) {
        self.packets += 1;
        if text::has_time(time) {
            let (first, last) = self.times.unwrap_or((time, time));
            self.times = Some((first.min(time), last.max(time)));
        }
    }
}

/// Frames store the index of their input in 16 bits.
fn check_number(inputs: &[Input]) -> Result<(), OpenError> {
    if inputs.len() >= usize::from(ByteRange::SPOOL) {
        return Err(OpenError::TooMany(inputs.len()));
    }
    Ok(())
}
