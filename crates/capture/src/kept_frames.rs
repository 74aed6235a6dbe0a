//! The latest frames of a capture, within a time and a size.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::time::Duration;

use super::write::FrameRecord;
use super::{ByteRange, Frame, PayloadStore};

/// What a frame counts beside its bytes: about as much as it takes in memory.
const ENTRY: u64 = 64;

/// Keeps the latest frames: their bytes in a temporary file, which new ones overwrite.
pub struct KeptFrames {
    /// In the order in which they came.
    frames: VecDeque<KeptFrame>,
    store: PayloadStore,
    /// Nanoseconds.
    time: i64,
    limit: u64,
    /// The size of all kept frames, entries included.
    size: u64,
}

/// A frame without its bytes.
struct KeptFrame {
    number: u64,
    /// Nanoseconds since the Unix epoch.
    time: i64,
    range: ByteRange,
    wire_length: u32,
    link: u16,
    interface: u16,
    fcs: u8,
}

impl KeptFrames {
    /// Keeps frames in `file` for this time, and at most so many bytes, 64 more for each frame.
    pub fn new(file: File, time: Duration, limit: u64) -> Self {
        let store = PayloadStore::spool_only(limit);
        store.make_ring();
        store.prepare(file);
        let time = i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        Self { frames: VecDeque::new(), store, time, limit, size: 0 }
    }

    /// Keeps a frame, and drops those that are too old, and the oldest if there are too many.
    ///
    /// # Errors
    ///
    /// If the temporary file cannot be written.
    pub fn push(&mut self, frame: &Frame<'_>) -> io::Result<()> {
        let range = self.store.keep(frame.bytes);
        let failed = || io::Error::other("the temporary file is full");
        if let Some(warning) = self.store.warning() {
            return Err(io::Error::other(warning.to_string()));
        }
        let Frame { number, time, link, fcs, wire_length, interface, .. } = *frame;
        let range = range.ok_or_else(failed)?;
        self.frames.push_back(KeptFrame { number, time, range, wire_length, link, interface, fcs });
        self.size += u64::from(range.length) + ENTRY;
        let is_over = |first: &KeptFrame, size, limit| {
            size > limit || first.time < time.saturating_sub(self.time)
        };
        while let Some(first) = self.frames.front()
            && is_over(first, self.size, self.limit)
        {
            self.size -= u64::from(first.range.length) + ENTRY;
            self.frames.pop_front();
        }
        Ok(())
    }

    /// Whether the frame with this number is kept.
    pub fn has(&self, number: u64) -> bool {
        self.frames.binary_search_by_key(&number, |frame| frame.number).is_ok()
    }

    /// The number of the latest frame.
    pub fn latest(&self) -> Option<u64> {
        self.frames.back().map(|frame| frame.number)
    }

    /// Passes all kept frames with their numbers, the oldest first, to `each`.
    ///
    /// # Errors
    ///
    /// If the temporary file cannot be read, and those of `each`.
    pub fn each(
        &self,
        mut each: impl FnMut(u64, FrameRecord<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        for frame in &self.frames {
            let KeptFrame { number, time, range, wire_length, link, interface, fcs } = *frame;
            self.store.read_range(range, &mut bytes)?;
            let bytes = bytes.as_slice();
            let comment = "";
            each(number, FrameRecord { time, link, fcs, bytes, wire_length, comment, interface })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Comments;

    const SECOND: i64 = 1_000_000_000;

    fn frame(number: u64, time: i64, bytes: &[u8]) -> Frame<'_> {
        Frame {
            number,
            time,
            link: 1,
            fcs: 0,
            bytes,
            wire_length: bytes.len() as u32,
            byte_range: None,
            comments: Comments::default(),
            interface: 0,
            input: 0,
        }
    }

    fn kept(seconds: u64, limit: u64) -> KeptFrames {
        KeptFrames::new(tempfile::tempfile().unwrap(), Duration::from_secs(seconds), limit)
    }

    fn numbers(kept: &KeptFrames) -> Vec<u64> {
        let mut numbers = Vec::new();
        kept.each(|number, record| {
            assert!(record.bytes.iter().all(|byte| *byte == number as u8), "{number}");
            numbers.push(number);
            Ok(())
        })
        .unwrap();
        numbers
    }

    #[test]
    fn frames_are_dropped_when_they_are_too_old() {
        let mut kept = kept(10, 1 << 20);
        for number in 0..30_u8 {
            let time = i64::from(number) * SECOND;
            kept.push(&frame(number.into(), time, &[number; 100])).unwrap();
        }
        assert_eq!(numbers(&kept), (19..30).collect::<Vec<_>>());
        assert!(kept.has(19) && !kept.has(18) && !kept.has(30));
    }

    #[test]
    fn frames_are_dropped_when_they_are_too_many() {
        // Larger than what is written to the file at once, so that it wraps around.
        let mut kept = kept(3600, 200_000);
        for number in 0..250 {
            kept.push(&frame(number, 0, &[number as u8; 1_436])).unwrap();
        }
        // Each counts 1500 bytes.
        assert_eq!(numbers(&kept), (117..250).collect::<Vec<_>>());
    }
}
