//! What somebody wrote beside packets of a capture: a replay, which end it played; a colleague.

use std::collections::BTreeMap;

use crate::capture::Frame;

/// Packets whose comments are kept.
const PACKETS: usize = 1 << 16;
/// Characters that are kept of a packet's comments.
const LENGTH: usize = 300;

/// The comments of packets, by the numbers of their frames.
#[derive(Default)]
pub(super) struct Remarks {
    all: BTreeMap<u64, Box<str>>,
    /// Packets whose comments found no room.
    pub left_out: u64,
}

impl Remarks {
    /// Keeps what stands beside a frame. The text is anybody's, and is escaped where it is shown.
    pub fn take(&mut self, frame: &Frame<'_>) {
        let mut comments = frame.comments.iter().map(String::from_utf8_lossy).peekable();
        if comments.peek().is_none() {
            return;
        }
        if self.all.len() >= PACKETS {
            self.left_out += 1;
            return;
        }
        let comments = comments.collect::<Vec<_>>().join("; ");
        let kept: String = comments.chars().take(LENGTH).collect();
        self.all.insert(frame.number, kept.into());
    }

    pub fn of(&self, frame: u64) -> Option<&str> {
        self.all.get(&frame).map(AsRef::as_ref)
    }
}
