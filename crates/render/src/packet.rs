//! The headers of the packet that carries a message, as lines and bytes like those of the message.

use std::borrow::Cow;

use super::annotated::{AnnotatedRow, Annotation, RowBuilder, RowSize, ShownLines};
use super::cells::HexCell;
use super::tree::TreeLine;
use codec::Kind;
use net::{DescribedHeader, QUOTED_PAYLOAD, describe, headers_in_short};

/// The layer of the packet's headers, beside those of the payload and of a coded range.
pub const PACKET_LAYER: u8 = 2;

/// The headers of a packet.
#[derive(Debug, Default)]
pub struct PacketHeaders {
    /// One line for all headers, one deeper those of each header, and below these its fields; their
    /// bytes are counted from the first of the frame.
    pub lines: Vec<TreeLine>,
    /// The bytes.
    pub cells: Vec<HexCell>,
}

impl PacketHeaders {
    /// Of a frame of this link type (LINKTYPE): the bytes in front of the payload, and the payload if
    /// all of it was captured.
    pub fn new(link: u16, headers: &[u8], payload: Option<&[u8]>) -> Self {
        let described = describe(link, headers, payload);
        let mut lines = vec![TreeLine {
            end: headers.len() as u32,
            value: headers_in_short(&described),
            ..line(0, "packet".to_owned())
        }];
        lines.extend(described.into_iter().map(|header| {
            let DescribedHeader { is_field, name, value, note, bytes } = header;
            TreeLine {
                start: bytes.start as u32,
                end: bytes.end as u32,
                value,
                meaning: note.map(Cow::Borrowed),
                ..line(if is_field { 2 } else { 1 }, name.to_owned())
            }
        }));
        let cell = |byte: &u8| HexCell::shown(*byte, Kind::Number);
        Self { lines, cells: headers.iter().map(cell).collect() }
    }

    /// The rows of the lines that are of this layer. The line for all headers has one row without
    /// bytes: while it is folded, the message below it is what matters.
    pub fn annotated_rows<S: Copy>(
        lines: ShownLines<'_>,
        size: RowSize,
        annotate: impl Fn(usize, &TreeLine) -> Annotation<S>,
    ) -> Vec<AnnotatedRow<S>> {
        let mut rows = RowBuilder::new(PACKET_LAYER, size);
        for at in lines.shown {
            let Some(line) = lines.all.get(*at).filter(|line| line.layer == PACKET_LAYER) else {
                continue;
            };
            let has_parts = lines.all.get(at + 1).is_some_and(|next| next.depth > line.depth);
            let is_folded = lines.folded.get(*at).is_some_and(|folded| *folded);
            match (line.depth, has_parts && !is_folded) {
                (0, _) => rows.heading(*at, annotate(*at, line)),
                (_, true) => rows.line(*at, rows.at(), false, annotate(*at, line)),
                (_, false) => rows.line(*at, line.end as usize, false, annotate(*at, line)),
            }
        }
        rows.rows
    }
}

fn line(depth: u8, label: String) -> TreeLine {
    TreeLine {
        span: usize::MAX,
        key: None,
        start: 0,
        end: 0,
        layer: PACKET_LAYER,
        depth,
        kind: Kind::Number,
        label,
        value: String::new(),
        runs: Vec::new(),
        meaning: None,
        notes: Vec::new(),
        brief: depth < 2,
    }
}

/// A whole frame without a message, such as an ICMP error, in lines: offset, bytes, and the header or
/// field that they are. What it quotes of a payload is shown as far as it may hold no secret.
pub fn packet_lines(link: u16, frame: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    for DescribedHeader { is_field, name, value, bytes, .. } in describe(link, frame, None) {
        let own = frame.get(bytes.clone()).unwrap_or_default();
        if !is_field {
            lines.push(format!("{name}: {value}"));
        }
        let is_payload = name == QUOTED_PAYLOAD;
        if !is_field && !is_payload {
            continue;
        }
        let cells: Vec<HexCell> = if is_payload {
            HexCell::from_bytes(own)
        } else {
            own.iter().map(|byte| HexCell::shown(*byte, Kind::Number)).collect()
        };
        for (n, row) in cells.chunks(PER_ROW).enumerate() {
            let hex: Vec<_> = row.iter().map(|cell| String::from_iter(cell.hex())).collect();
            let text: String = row.iter().map(|cell| cell.ascii()).collect();
            let note = match (is_payload, n) {
                (true, _) => text,
                (false, 0) => format!("{name}: {value}"),
                (false, _) => String::new(),
            };
            let at = bytes.start + n * PER_ROW;
            let hex = hex.join(" ");
            lines.push(format!("  {at:04x}  {hex:23}  {note}").trim_end().to_owned());
        }
    }
    lines
}

/// How many bytes a line has.
const PER_ROW: usize = 8;
