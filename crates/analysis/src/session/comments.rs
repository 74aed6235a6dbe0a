//! Comments on packets of a capture: written by a replay (its role), or by people.

use std::collections::BTreeMap;

use capture::Frame;

/// Memory limit of all comments, in bytes.
const WEIGHT: usize = 8 << 20;
/// Approximate overhead per packet with comments, in bytes.
const PLACE: usize = 64;
/// How many characters of a packet's comments are kept.
const LENGTH: usize = 300;

/// The comments of packets, by the numbers of their frames.
#[derive(Default, Clone)]
pub(super) struct FrameComments {
    all: BTreeMap<u64, Box<str>>,
    weight: usize,
    /// Number of packets whose comments were not kept.
    pub left_out: u64,
}

impl FrameComments {
    /// Keeps the comments of a frame, as [`text_of`] gives them.
    pub fn add_comment(&mut self, frame: u64, text: Box<str>) {
        if self.weight >= WEIGHT {
            self.left_out += 1;
            return;
        }
        self.weight += PLACE + text.len();
        self.all.insert(frame, text);
    }

    pub fn comment_of(&self, frame: u64) -> Option<&str> {
        self.all.get(&frame).map(AsRef::as_ref)
    }
}

/// The beginning of a frame's comments; `None` if it has none. The text is untrusted, and is escaped
/// where it is shown.
pub(super) fn text_of(frame: &Frame<'_>) -> Option<Box<str>> {
    frame.comments.iter().next()?;
    let mut kept = String::new();
    let mut remaining = LENGTH;
    for (at, comment) in frame.comments.iter().enumerate() {
        let begin = String::from_utf8_lossy(comment.get(..LENGTH * 4).unwrap_or(comment));
        let separator = if at > 0 { "; " } else { "" };
        let before = kept.len();
        kept.extend(separator.chars().chain(begin.chars()).take(remaining));
        remaining -= kept.get(before..).map_or(0, |added| added.chars().count());
        if remaining == 0 {
            break;
        }
    }
    Some(kept.into())
}
