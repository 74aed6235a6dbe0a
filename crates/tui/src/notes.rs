//! What the user has noted of messages: marks, comments, the time reference.

use std::collections::BTreeMap;

use super::marks::Marks;

/// What the user has noted of messages.
#[derive(Debug, Clone, Default)]
pub struct Notes {
    pub marks: Marks,
    /// Comments by the numbers of their packets; an empty one removes that of the capture.
    pub comments: BTreeMap<u64, String>,
    /// Whether some were written or changed since the last export as pcapng.
    pub has_new_comments: bool,
    /// The frame from which times are counted, and its time.
    pub reference: Option<(u64, i64)>,
}

impl Notes {
    /// Whether times count from the message of this frame.
    pub fn is_reference(&self, number: u64) -> bool {
        self.reference.is_some_and(|(frame, _)| frame == number)
    }

    /// Whether the user has commented a packet.
    pub fn has_comment(&self, number: u64) -> bool {
        self.comments.get(&number).is_some_and(|comment| !comment.is_empty())
    }

    /// The comment of a packet: the user's, or in the capture.
    pub fn comment_of<'a>(&'a self, number: u64, captured: Option<&'a str>) -> Option<&'a str> {
        let own = self.comments.get(&number).map(String::as_str);
        own.or(captured).filter(|comment| !comment.is_empty())
    }
}
