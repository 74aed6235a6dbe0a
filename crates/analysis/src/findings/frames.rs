//! Every message with a finding, for filters; the finding itself names only the first few.

/// Maximum number of messages.
const KEPT: usize = 1 << 20;

/// Messages with findings, by their frames.
#[derive(Default)]
pub(super) struct FaultyFrames {
    /// The frame, and the finding's index in the order of creation.
    all: Vec<[u32; 2]>,
    left_out: u64,
}

impl FaultyFrames {
    /// Adds the frame of a message with a finding.
    pub fn add_frame(&mut self, frame: u64, finding: u32) {
        match u32::try_from(frame) {
            Ok(frame) if self.all.last() == Some(&[frame, finding]) => {}
            Ok(frame) if self.all.len() < KEPT => self.all.push([frame, finding]),
            _ => self.left_out += 1,
        }
    }

    /// Number of messages that were not kept.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Each message once, in the order of frames, with the finding's index in another order.
    pub fn sorted(&self, index_of: impl Fn(u32) -> Option<u32>) -> Vec<(u32, u32)> {
        let indexed = |[frame, finding]: &[u32; 2]| Some((*frame, index_of(*finding)?));
        let mut all: Vec<_> = self.all.iter().filter_map(indexed).collect();
        all.sort_unstable();
        all.dedup();
        all.shrink_to_fit();
        all
    }
}
