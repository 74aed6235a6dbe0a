//! Bytes in rows of sixteen, each cell with the index of the leaf span that covers it.

use super::message::Rendered;
use codec::{Kind, Node};
use protocol::harmless_len;

/// How many bytes a row holds.
pub(super) const ROW: usize = 16;

/// One displayed byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HexCell {
    /// `None` where the byte is hidden.
    byte: Option<u8>,
    /// The kind of its field.
    pub kind: Kind,
    /// The index of its leaf among all spans.
    pub span: usize,
}

impl HexCell {
    /// Cells of bytes that are no known message; bytes that may be secret are hidden.
    pub(super) fn from_bytes(bytes: &[u8]) -> Vec<Self> {
        let harmless = harmless_len(bytes);
        let cell = |(at, byte): (usize, &u8)| {
            let byte = (at < harmless).then_some(*byte);
            Self { byte, kind: Kind::Unparsed, span: usize::MAX }
        };
        bytes.iter().enumerate().map(cell).collect()
    }

    /// The cell of a byte that belongs to no span.
    pub(super) fn shown(byte: u8, kind: Kind) -> Self {
        Self { byte: Some(byte), kind, span: usize::MAX }
    }

    /// The byte, unless it is hidden.
    pub fn byte(self) -> Option<u8> {
        self.byte
    }

    /// Two hex digits, or two stars.
    pub fn hex(self) -> [char; 2] {
        let mut digits = [b'*'; 2];
        if let Some(byte) = self.byte {
            // Two bytes hold two digits.
            _ = hex::encode_to_slice([byte], &mut digits);
        }
        digits.map(char::from)
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

impl Rendered<'_> {
    /// The cells of one layer in order; none if the message has no such layer.
    pub fn hexdump(&self, layer: u8) -> Vec<HexCell> {
        self.first_cells(layer, usize::MAX)
    }

    /// The first of these.
    pub(super) fn first_cells(&self, layer: u8, most: usize) -> Vec<HexCell> {
        let all = self.spans().iter().enumerate();
        let leaves = all.filter(|(_, span)| span.node == Node::Leaf && span.layer == layer);
        let cells = leaves.flat_map(|(index, span)| {
            let hidden = self.mask.hides(span);
            self.bytes(span).iter().map(move |byte| HexCell {
                byte: (!hidden).then_some(*byte),
                kind: span.field.kind,
                span: index,
            })
        });
        cells.take(most).collect()
    }
}
