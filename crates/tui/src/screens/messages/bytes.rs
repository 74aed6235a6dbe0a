//! The bytes of the message under the cursor, or of its decoded text.

use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::Messages;
use super::open::Pane;
use super::panes::bytes_in_row;
use crate::layout::TitledPane;
use crate::text::counted;
use crate::widgets::painter::{Painter, rule};
use crate::widgets::style;
use render::{HexCell, PACKET_LAYER};

impl Messages {
    pub(super) fn draw_bytes(&self, pane: Pane, area: TitledPane, buffer: &mut Buffer) {
        let layer = self.open.as_ref().map_or(pane.layer(), |open| open.layer_in(pane));
        let has_focus = self.focus == pane;
        let cells = self.open.as_ref().map_or(&[][..], |open| open.cells(layer));
        let name = match layer {
            PACKET_LAYER => "headers of the packet",
            1 => "decoded",
            _ => "bytes",
        };
        rule(buffer, area.rule, name, &counted(cells.len() as u64, "byte"), has_focus);
        let Some(open) = &self.open else {
            return;
        };
        let per_row = bytes_in_row(area.body.width);
        let marked = open.marked(self.focus).filter(|m| m.layer == layer);
        let dump = Hexdump {
            marked: marked.map_or(0..0, |m| m.bytes),
            cursor: has_focus.then_some(open.byte),
            per_row,
        };
        let top = open.tops.get(usize::from(layer)).copied().unwrap_or(0) / per_row * per_row;
        let rows = cells.get(top..).unwrap_or_default().chunks(per_row);
        for ((y, row), at) in (0..area.body.height).zip(rows).zip((top..).step_by(per_row)) {
            dump.row(row, at, &mut Painter::at(buffer, area.body, y));
        }
    }
}

/// The marked bytes, and the width of a row.
pub(super) struct Hexdump {
    pub marked: std::ops::Range<usize>,
    pub cursor: Option<usize>,
    pub per_row: usize,
}

impl Hexdump {
    /// Offset, digits and characters of one row, whose first byte has this offset.
    pub fn row(&self, row: &[HexCell], at: usize, painter: &mut Painter<'_>) {
        painter.write(&format!("{at:04x}"), style::DIM);
        for (column, (cell, byte)) in row.iter().zip(at..).enumerate() {
            painter.go(6 + 3 * column);
            painter.write(&String::from_iter(cell.hex()), self.style(*cell, byte));
            // Blanks between marked bytes are marked too.
            if column + 1 < row.len() && self.is_marked(byte) && self.is_marked(byte + 1) {
                painter.write(" ", style::kind(cell.kind).patch(style::MARKED));
            }
        }
        painter.go(7 + 3 * self.per_row);
        for (cell, byte) in row.iter().zip(at..) {
            painter.write(cell.ascii().encode_utf8(&mut [0; 4]), self.style(*cell, byte));
        }
    }

    fn is_marked(&self, byte: usize) -> bool {
        self.marked.contains(&byte)
    }

    fn style(&self, cell: HexCell, byte: usize) -> Style {
        let plain = style::kind(cell.kind);
        match byte {
            _ if self.cursor == Some(byte) => plain.patch(style::BYTE),
            _ if self.is_marked(byte) => plain.patch(style::MARKED),
            _ => plain,
        }
    }
}
