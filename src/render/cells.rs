//! Bytes in rows of sixteen, each cell with the index of the leaf span that covers it.

use super::Mask;
use crate::codec::{Kind, Node, Span};
use crate::protocol::harmless_len;

/// How many bytes a row holds.
pub const ROW: usize = 16;

/// One displayed byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HexCell {
    /// `None` where the byte is hidden.
    byte: Option<u8>,
    pub kind: Kind,
    /// The index of its leaf among all spans.
    pub span: usize,
}

impl HexCell {
    /// Cells of bytes that are no known message; bytes that may be secret are hidden.
    pub(super) fn of(bytes: &[u8]) -> Vec<Self> {
        let harmless = harmless_len(bytes);
        let cell = |(at, byte): (usize, &u8)| {
            let byte = (at < harmless).then_some(*byte);
            Self { byte, kind: Kind::Unparsed, span: usize::MAX }
        };
        bytes.iter().enumerate().map(cell).collect()
    }

    /// Two hex digits, or two stars.
    pub fn hex(self) -> [char; 2] {
        let Some(byte) = self.byte else {
            return ['*'; 2];
        };
        [byte >> 4, byte & 15].map(|n| char::from_digit(u32::from(n), 16).unwrap_or('?'))
    }

    /// The character where it is ASCII that can be seen, else a dot; a star where it is hidden.
    pub fn ascii(self) -> char {
        match self.byte {
            None => '*',
            Some(byte @ b' '..=b'~') => char::from(byte),
            Some(_) => '.',
        }
    }
}

/// The cells of one layer in order; `bytes` is the layer, `spans` are all spans of the message.
pub fn hexdump(bytes: &[u8], spans: &[Span], layer: u8, mask: Mask) -> Vec<HexCell> {
    let mut cells = Vec::with_capacity(bytes.len());
    for (index, span) in spans.iter().enumerate() {
        if span.node != Node::Leaf || span.layer != layer {
            continue;
        }
        let hidden = mask.hides(span);
        let part = bytes.get(span.start as usize..span.end as usize).unwrap_or_default();
        cells.extend(part.iter().map(|byte| HexCell {
            byte: (!hidden).then_some(*byte),
            kind: span.field.kind,
            span: index,
        }));
    }
    cells
}
