//! Several inputs as one sequence of frames.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::input::OpenInput;
use super::source::FrameSource;
use super::{ByteRange, Frame, Input, OpenError, PayloadStore, Warning};

/// Inputs merged in time order, frames numbered from 1.
///
/// Every input is taken to be in order itself; where it is not, its frames keep the order of the
/// file. Of frames with the same time those of the input named first come first.
pub struct Frames {
    sources: Vec<FrameSource>,
    /// The frames that stand ready, by time and input. A single input does without.
    queue: BinaryHeap<Reverse<(i64, usize)>>,
    /// The input whose frame is lent, to be advanced when it comes back.
    lent: Option<usize>,
    number: u64,
    warnings: Vec<Warning>,
    shelf: Arc<PayloadStore>,
    read: Arc<AtomicU64>,
    size: Option<u64>,
    rereadable: bool,
}

/// How far reading has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadProgress {
    /// Bytes read so far, compressed where the input is.
    pub read: u64,
    /// Bytes that there are; not known as soon as one input is a pipe.
    pub of: Option<u64>,
}

impl Frames {
    /// How much the spool of [`Frames::open`] takes.
    pub const SPOOL_LIMIT: u64 = 1 << 30;

    /// Opens all inputs. None is read further than it takes to see that it is a capture, except
    /// for the first frame of each where there are several.
    pub fn open(inputs: &[Input]) -> Result<Self, OpenError> {
        Self::with_spool(inputs, Self::SPOOL_LIMIT)
    }

    /// The same; inputs that give no frames are taken out of `inputs`, and `unread` says why. Fails
    /// where none is left.
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
            _ => Self::of(inputs, opened, read, Self::SPOOL_LIMIT),
        }
    }

    /// The same as [`Frames::open`] with another limit to the spool, in bytes.
    pub fn with_spool(inputs: &[Input], spool_limit: u64) -> Result<Self, OpenError> {
        check_number(inputs)?;
        let read = Arc::new(AtomicU64::new(0));
        let opened = inputs.iter().map(|input| input.open(&read)).collect::<Result<_, _>>()?;
        Self::of(inputs, opened, read, spool_limit)
    }

    fn of(
        inputs: &[Input],
        opened: Vec<OpenInput>,
        read: Arc<AtomicU64>,
        spool_limit: u64,
    ) -> Result<Self, OpenError> {
        let mut sources = Vec::with_capacity(inputs.len());
        let mut held = Vec::with_capacity(inputs.len());
        let mut size = Some(0);
        for opened in opened {
            size = size.zip(opened.size).map(|(sum, size): (u64, u64)| sum + size);
            sources.push(opened.source);
            held.push(opened.held);
        }
        let rereadable = held.iter().all(Option::is_some);
        let mut frames = Self {
            sources,
            queue: BinaryHeap::new(),
            lent: None,
            number: 0,
            warnings: Vec::new(),
            shelf: Arc::new(PayloadStore::new(held, spool_limit)),
            read,
            size,
            rereadable,
        };
        if inputs.iter().any(|input| matches!(input, Input::Live(_))) {
            frames.shelf.make_ring();
        }
        if frames.sources.len() > 1 {
            (0..frames.sources.len()).for_each(|index| frames.queue_up(index));
        }
        Ok(frames)
    }

    /// The next frame; nothing when all inputs are at their end.
    #[inline]
    #[expect(clippy::should_implement_trait, reason = "what an iterator gives, it cannot lend")]
    pub fn next(&mut self) -> Option<Frame<'_>> {
        let index = match self.sources.as_mut_slice() {
            [only] => {
                only.advance(&mut self.warnings)?;
                0
            }
            _ => self.earliest()?,
        };
        self.number += 1;
        self.sources.get(index)?.frame(self.number, index)
    }

    /// The warnings since the last call.
    pub fn warnings(&mut self) -> Vec<Warning> {
        self.warnings.extend(self.shelf.complaint());
        std::mem::take(&mut self.warnings)
    }

    /// How far reading has come.
    pub fn progress(&self) -> ReadProgress {
        ReadProgress { read: self.read.load(Ordering::Relaxed), of: self.size }
    }

    /// Whether every frame has a [`Place`], so that it can be read again by itself.
    pub fn rereadable(&self) -> bool {
        self.rereadable
    }

    /// Whether all inputs can be opened once more and give the same frames: none is a pipe.
    pub fn reopens(&self) -> bool {
        self.size.is_some()
    }

    /// Where frames can be read again, and payloads be kept; another thread may use it.
    pub fn shelf(&self) -> Arc<PayloadStore> {
        Arc::clone(&self.shelf)
    }

    fn earliest(&mut self) -> Option<usize> {
        if let Some(index) = self.lent.take() {
            self.queue_up(index);
        }
        let Reverse((_, index)) = self.queue.pop()?;
        self.lent = Some(index);
        Some(index)
    }

    fn queue_up(&mut self, index: usize) {
        let Some(source) = self.sources.get_mut(index) else { return };
        if let Some(time) = source.advance(&mut self.warnings) {
            self.queue.push(Reverse((time, index)));
        }
    }
}

/// Frames say in 16 bits which input they are of.
fn check_number(inputs: &[Input]) -> Result<(), OpenError> {
    if inputs.len() >= usize::from(ByteRange::SPOOL) {
        return Err(OpenError::TooMany(inputs.len()));
    }
    Ok(())
}
