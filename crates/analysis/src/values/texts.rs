//! The texts of messages, in one buffer.

use std::ops::Range;

/// A value as text, its bytes not escaped; long values are truncated.
pub type TextValue = Box<[u8]>;

/// Which text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextOf {
    /// The challenge.
    Challenge,
    /// The decision in an authorisation message.
    Verdict,
    /// The game, by the name that its own programs use.
    Game,
    /// The same from the key `gamename`, by which masters sort servers.
    Gamename,
    /// The protocol number.
    Protocol,
    /// The server name.
    Host,
    /// The map.
    Map,
    /// Keys and values by which lists are filtered, as an infostring.
    Filtered,
}

/// How many texts a message may have.
const TEXTS: usize = 8;
/// How many bytes of a text are kept.
const KEPT: usize = 256;

/// Where the texts of one message are, in a buffer that several messages share.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TextRanges([Option<(u32, u32)>; TEXTS]);

impl TextRanges {
    /// A text, if the message has it.
    pub fn get(self, of: TextOf, bytes: &[u8]) -> Option<&[u8]> {
        let (start, end) = (*self.0.get(of as usize)?)?;
        bytes.get(Range { start: start as usize, end: end as usize })
    }

    /// Keeps a text unless it is empty, or there is one already: the first occurrence counts.
    pub fn keep(&mut self, of: TextOf, text: &[u8], bytes: &mut Vec<u8>) {
        let text = beginning(text);
        let Some(range @ None) = self.0.get_mut(of as usize) else {
            return;
        };
        if text.is_empty() {
            return;
        }
        let start = bytes.len() as u32;
        bytes.extend_from_slice(text);
        *range = Some((start, bytes.len() as u32));
    }

    /// Whether the message has a text.
    pub fn has(self, of: TextOf) -> bool {
        self.0.get(of as usize).is_some_and(Option::is_some)
    }

    /// Removes a text.
    pub fn remove(&mut self, of: TextOf) {
        if let Some(range) = self.0.get_mut(of as usize) {
            *range = None;
        }
    }
}

/// The part of a text that is kept; a UTF-8 character is never split.
fn beginning(text: &[u8]) -> &[u8] {
    let Some(kept) = text.get(..KEPT) else {
        return text;
    };
    match str::from_utf8(kept) {
        Err(cut) if cut.error_len().is_none() => kept.get(..cut.valid_up_to()).unwrap_or(kept),
        _ => kept,
    }
}
