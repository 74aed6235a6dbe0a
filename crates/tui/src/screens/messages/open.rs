//! The message under the cursor: its fields and bytes, and the cursor among them.
//!
//! Spans connect the two: the cursor in the fields marks bytes, the cursor in the bytes marks a
//! field.

use std::ops::Range;

use super::annotated::AnnotatedRows;
use super::editing::Edits;
use crate::format::TextDisplay;
use crate::search::SearchQuery;
use analysis::MessageHeader;
use codec::{Kind, Span};
use filter::FieldRef;
use protocol::Reading;
use render::{
    DumpStyle, HexCell, PACKET_LAYER, PacketHeaders, Rendered, Separators, TreeLine, shown_lines,
};
use text::Secrets;

/// A pane with a cursor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pane {
    #[default]
    List,
    Fields,
    Bytes,
    /// The decoded text of a coded range.
    Coded,
}

impl Pane {
    /// In the order of Tab.
    pub const ALL: [Self; 4] = [Self::List, Self::Fields, Self::Bytes, Self::Coded];

    /// The layer of the message whose bytes it shows.
    pub fn layer(self) -> u8 {
        u8::from(self == Self::Coded)
    }

    /// The pane with the bytes of a layer.
    pub fn of_layer(layer: u8) -> Self {
        if layer == 1 { Self::Coded } else { Self::Bytes }
    }
}

/// A message that was decoded with its fields.
pub struct OpenMessage {
    /// Its session index.
    pub index: usize,
    pub header: MessageHeader,
    /// Its name where it is no message of the capture.
    pub title: Option<String>,
    /// Its bytes before and after each change, if it is an edited copy.
    pub(super) edits: Edits,
    /// The comment of its packet in the capture.
    pub comment: Option<String>,
    /// The capture that it is from, as it was given.
    pub file: String,
    payload: Vec<u8>,
    reading: Reading,
    /// The packet that carries it, where it can be read again.
    packet: PacketHeaders,
    secrets: Secrets,
    pub lines: Vec<TreeLine>,
    /// Which lines are folded.
    closed: Vec<bool>,
    /// The bytes of both layers.
    cells: [Vec<HexCell>; 2],
    /// The rows of the annotated view.
    pub(super) rows: AnnotatedRows,
    /// The line under the cursor.
    pub line: usize,
    /// The byte under the cursor, and its layer.
    pub byte: usize,
    pub layer: u8,
    /// The first visible row of the annotated view or line of the fields, and the first visible byte of each layer.
    pub top: usize,
    pub tops: [usize; 3],
    /// How many columns of the fields are scrolled out of sight.
    pub scrolled: usize,
}

/// A marked span and its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkedSpan {
    pub span: usize,
    pub layer: u8,
    pub bytes: Range<usize>,
}

impl OpenMessage {
    /// Decodes a message's fields.
    pub fn new(
        index: usize,
        header: MessageHeader,
        payload: Vec<u8>,
        secrets: Secrets,
        separators: Separators,
    ) -> Self {
        let mut open = Self {
            index,
            header,
            title: None,
            edits: Edits::new(),
            comment: None,
            file: String::new(),
            payload: Vec::new(),
            reading: Reading::default(),
            packet: PacketHeaders::default(),
            secrets,
            lines: Vec::new(),
            closed: Vec::new(),
            cells: [Vec::new(), Vec::new()],
            rows: AnnotatedRows::default(),
            line: 0,
            byte: 0,
            layer: 0,
            top: 0,
            tops: [0; 3],
            scrolled: 0,
        };
        open.read(payload);
        open.build_tree(separators);
        open
    }

    /// Decodes a payload as the message that its header says.
    pub(super) fn read(&mut self, payload: Vec<u8>) {
        self.payload = payload;
        self.reading.read_part(self.header.entry, &self.payload, self.header.missing);
        self.cells = [0, 1].map(|layer| self.rendered().hexdump(layer));
    }

    /// The lines without those of the packet's headers.
    pub fn message_lines(&self) -> &[TreeLine] {
        let headers = self.lines.iter().take_while(|line| line.layer == PACKET_LAYER).count();
        self.lines.get(headers..).unwrap_or_default()
    }

    pub fn payload(&self) -> &[u8] {
        &self.payload
    }

    pub fn secrets(&self) -> Secrets {
        self.secrets
    }

    /// Adds the headers of the packet: the link type (LINKTYPE) of its frame, and the bytes in front
    /// of the payload.
    pub fn set_packet(&mut self, link: u16, headers: &[u8], separators: Separators) {
        let payload = (self.header.missing == 0).then_some(&self.payload[..]);
        self.packet = PacketHeaders::new(link, headers, payload);
        self.build_tree(separators);
    }

    /// Builds the tree again, and keeps the cursor's byte.
    pub fn build_tree(&mut self, separators: Separators) {
        self.lines = self.packet.lines.clone();
        self.lines.extend(self.coloured().tree(separators));
        self.closed = self.lines.iter().map(|line| line.brief).collect();
        self.rows.clear();
        self.go_to_byte(self.layer, self.byte);
    }

    pub fn shows_secrets(&self) -> bool {
        self.secrets == Secrets::Shown
    }

    /// Whether there is a decoded text.
    pub fn has_coded(&self) -> bool {
        self.reading.plain().is_some()
    }

    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    pub fn spans(&self) -> &[Span] {
        &self.reading.spans().all
    }

    pub fn cells(&self, layer: u8) -> &[HexCell] {
        let [payload, plain] = &self.cells;
        match layer {
            0 => payload,
            PACKET_LAYER => &self.packet.cells,
            _ => plain,
        }
    }

    /// The layer whose bytes a pane shows: the headers of the packet while the cursor is there.
    pub fn layer_in(&self, pane: Pane) -> u8 {
        match (pane, self.layer) {
            (Pane::Coded, _) => 1,
            (_, PACKET_LAYER) => PACKET_LAYER,
            _ => 0,
        }
    }

    /// Its values as text, with colour codes.
    pub fn rendered(&self) -> Rendered<'_> {
        Rendered::new(&self.reading, &self.payload, self.secrets)
    }

    /// The same in colours, without the codes.
    pub fn coloured(&self) -> Rendered<'_> {
        self.rendered().in_colours(self.header.verdict.colours_of(self.header.entry))
    }

    /// Its bytes and fields side by side as text, secrets masked.
    pub fn annotated_text(&self) -> String {
        let mut text = String::new();
        let style = DumpStyle::default();
        render::annotated(&mut text, &self.reading, &self.payload, 0..0, style);
        text
    }

    /// Whether a span, or a part of it, is shown as Latin-1, because it is not UTF-8.
    pub fn is_latin(&self, span: usize, texts: TextDisplay) -> bool {
        let message = match texts {
            TextDisplay::Coloured => self.coloured(),
            TextDisplay::AsSent => self.rendered(),
        };
        let mut spans = self.spans().iter().skip(span);
        let Some(first) = spans.next() else {
            return false;
        };
        let parts = spans.take_while(|s| s.depth > first.depth && s.layer == first.layer);
        let mut all = std::iter::once(first).chain(parts);
        all.any(|span| message.is_latin(span))
    }

    /// The lines that are not hidden by a folded one.
    pub fn visible(&self) -> Vec<usize> {
        shown_lines(&self.lines, &self.closed)
    }

    /// For each line whether it is folded.
    pub fn folded(&self) -> &[bool] {
        &self.closed
    }

    /// Whether a line has parts, and whether it is folded.
    pub fn fold(&self, line: usize) -> Option<bool> {
        let depth = self.lines.get(line)?.depth;
        let has_parts = self.lines.get(line + 1).is_some_and(|next| next.depth > depth);
        has_parts.then(|| self.closed.get(line).is_some_and(|closed| *closed))
    }

    /// Folds or unfolds a line.
    pub fn set_closed(&mut self, line: usize, closed: bool) {
        if self.fold(line).is_some()
            && let Some(now) = self.closed.get_mut(line)
        {
            *now = closed;
            self.rows.clear();
        }
    }

    /// The parent of a line.
    pub fn parent(&self, line: usize) -> Option<usize> {
        let depth = self.lines.get(line)?.depth;
        (0..line).rev().find(|above| self.lines.get(*above).is_some_and(|l| l.depth < depth))
    }

    /// Moves the cursor to a line, and with it to the line's first byte.
    pub fn go_to_line(&mut self, line: usize) {
        let Some(found) = self.lines.get(line) else {
            return;
        };
        self.line = line;
        (self.layer, self.byte) = (found.layer, found.start as usize);
    }

    /// Moves the cursor to a byte, and to the innermost visible line that covers it.
    pub fn go_to_byte(&mut self, layer: u8, byte: usize) {
        let last = self.cells(layer).len().saturating_sub(1);
        (self.layer, self.byte) = (layer, byte.min(last));
        let holds = |line: &&usize| {
            let line = self.lines.get(**line);
            line.is_some_and(|line| {
                line.layer == layer && (line.start as usize..line.end as usize).contains(&self.byte)
            })
        };
        let visible = self.visible();
        // Bytes that no line covers belong to the line after them.
        let behind = |line: &&usize| {
            let line = self.lines.get(**line);
            line.is_some_and(|line| line.layer == layer && line.start as usize >= self.byte)
        };
        let found = visible.iter().rfind(holds).or_else(|| visible.iter().find(behind));
        if let Some(line) = found.or(visible.last()) {
            self.line = *line;
        }
    }

    /// Moves the cursor to the same field as in `other`, if this message has it.
    pub fn go_like(&mut self, other: &Self) {
        let Some(there) = other.lines.get(other.line) else {
            return;
        };
        let same = |l: &TreeLine| l.layer == there.layer && l.label == there.label;
        if let Some(line) = self.lines.iter().position(same) {
            self.go_to_line(line);
        }
    }

    /// Moves the cursor to the first field that matches a search, or has the bytes that match.
    pub fn go_to_match(&mut self, query: &SearchQuery) {
        for layer in [0, 1] {
            if let Some(found) = query.find_cells(self.cells(layer)) {
                return self.go_to_byte(layer, found.start);
            }
        }
        let mut buffer = String::new();
        let is_match = |line: &TreeLine, buffer: &mut String| {
            line.layer != PACKET_LAYER && query.is_in_line(line, buffer)
        };
        let Some(line) = self.lines.iter().position(|l| is_match(l, &mut buffer)) else {
            return;
        };
        let mut above = self.parent(line);
        while let Some(group) = above {
            self.set_closed(group, false);
            above = self.parent(group);
        }
        self.go_to_line(line);
    }

    /// The field under the cursor of a pane.
    fn field(&self, pane: Pane) -> Option<FieldRef<'_>> {
        let span = self.marked(pane)?.span;
        let line = self.lines.iter().find(|line| line.span == span);
        let (reading, payload) = (&self.reading, &self.payload[..]);
        // A value that is shown for now is not written into filters, which are kept.
        let mask = Rendered::new(reading, payload, Secrets::Masked).mask();
        let key = line.and_then(|line| line.key);
        Some(FieldRef { reading, payload, mask, span, key })
    }

    /// The name of that field as filters spell it.
    pub fn field_name(&self, pane: Pane) -> Option<String> {
        self.field(pane)?.name()
    }

    /// The display filter that selects messages with the same value in that field.
    pub fn term(&self, pane: Pane) -> Option<String> {
        self.field(pane)?.term()
    }

    /// The marked span for the cursor of a pane: a line's bytes, or the leaf of the byte.
    pub fn marked(&self, pane: Pane) -> Option<MarkedSpan> {
        if matches!(pane, Pane::Bytes | Pane::Coded) && self.layer != PACKET_LAYER {
            let cell = self.cells(self.layer).get(self.byte)?;
            let span = self.spans().get(cell.span)?;
            let bytes = span.start as usize..span.end as usize;
            return Some(MarkedSpan { span: cell.span, layer: self.layer, bytes });
        }
        let line = self.lines.get(self.line)?;
        let bytes = line.start as usize..line.end as usize;
        Some(MarkedSpan { span: line.span, layer: line.layer, bytes })
    }

    /// The hex digits of marked bytes, masked as shown.
    pub fn hex(&self, marked: &MarkedSpan) -> String {
        let cells = self.cells(marked.layer).get(marked.bytes.clone()).unwrap_or_default();
        cells.iter().flat_map(|cell| cell.hex()).collect()
    }

    /// Whether the cursor is on a range whose decoded text has its own pane.
    pub fn is_on_coded(&self, pane: Pane) -> bool {
        let span = self.marked(pane).and_then(|m| self.spans().get(m.span));
        self.has_coded() && span.is_some_and(|s| s.field.kind == Kind::Coded)
    }
}
