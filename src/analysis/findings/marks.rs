//! Every message at fault, where a finding names only the first few: what a filter asks for.

/// How many are kept.
const KEPT: usize = 1 << 20;

/// Messages at fault, by their frames.
#[derive(Default)]
pub(super) struct FaultyFrames {
    /// The frame, and the finding by the order in which they were made.
    all: Vec<[u32; 2]>,
    left_out: u64,
}

impl FaultyFrames {
    /// The message of a frame is at fault.
    pub fn add(&mut self, frame: u64, finding: u32) {
        match u32::try_from(frame) {
            Ok(frame) if self.all.last() == Some(&[frame, finding]) => {}
            Ok(frame) if self.all.len() < KEPT => self.all.push([frame, finding]),
            _ => self.left_out += 1,
        }
    }

    /// How many were not kept.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Each once, in the order of frames, with the finding's place in another order.
    pub fn sorted(&self, place: impl Fn(u32) -> Option<u32>) -> Vec<(u64, u32)> {
        let placed = |[frame, finding]: &[u32; 2]| Some((u64::from(*frame), place(*finding)?));
        let mut all: Vec<_> = self.all.iter().filter_map(placed).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
