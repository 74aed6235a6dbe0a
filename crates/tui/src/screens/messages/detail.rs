//! Two lines below the panes: the field under the cursor, or the message if the list is focused.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Messages;
use super::open::{MarkedSpan, OpenMessage, Pane};
use crate::format::TextDisplay;
use crate::text::counted;
use crate::view_state::ViewState;
use crate::widgets::painter::Painter;
use crate::widgets::style;
use analysis::MessageHeader;
use codec::Kind;
use render::{ByteValue, PACKET_LAYER, Ties, byte_value, byte_values};
use text::{self, width};

impl Messages {
    pub(super) fn draw_detail(&self, view: &ViewState, area: Rect, buffer: &mut Buffer) {
        if let Some(open) = &self.open.as_ref().filter(|_| !area.is_empty()) {
            match self.focus {
                Pane::List => message(open, view, area, buffer),
                Pane::Fields => field(open, view.format.texts, area, buffer),
                Pane::Bytes | Pane::Coded => byte(open, area, buffer),
            }
        }
    }
}

/// Number, time and endpoints; its name and its section of the documents.
fn message(open: &OpenMessage, view: &ViewState, area: Rect, buffer: &mut Buffer) {
    let header = &open.header;
    let mut first = Painter::at(buffer, area, 0);
    first.write(header.name, style::BOLD);
    if let Some(means) = header.entry.spec.explained(header.name) {
        first.write(&format!(" ({means})"), style::PLAIN);
    }
    first.write(&format!("  {}", header.direction), style::PLAIN);
    let MessageHeader { answers, part, validation, .. } = *header;
    let ties = Ties { answers, part, validation }.to_string();
    if !ties.is_empty() {
        first.write(&format!("  {ties}"), style::PLAIN);
    }
    if header.missing > 0 {
        let cut = format!("  {} not captured", counted(u64::from(header.missing), "byte"));
        first.write(&cut, style::WARNING);
    }
    if let Some(fault) = open.reading().fault() {
        first.write(&format!("  ! {fault}"), style::FAULT);
    }
    first.right(&text::utc(header.time), style::DIM, 0);

    let mut second = Painter::at(buffer, area, 1);
    let game = header.verdict.game;
    second.write(game.title, style::PLAIN);
    second.write(&format!(" ({})", header.verdict.confidence), style::DIM);
    let flow = format!("  flow {}, {}", header.flow.0, header.transport);
    second.write(&flow, style::PLAIN);
    if header.fragments > 0 {
        let overlap = if header.overlap { ", overlapping" } else { "" };
        second.write(&format!(", {} fragments{overlap}", header.fragments), style::PLAIN);
    }
    if let Some(comment) = view.notes.comment_of(header.number, open.comment.as_deref()) {
        second.write(&format!("  \"{}\"", text::escaped(comment)), style::KEY);
    }
    second.right(&header.entry.spec.citation(), style::DIM, 0);
}

/// The byte under the cursor and its field; what the bytes from there on may be.
fn byte(open: &OpenMessage, area: Rect, buffer: &mut Buffer) {
    let cells = open.cells(open.layer).get(open.byte..).unwrap_or_default();
    let mut first = Painter::at(buffer, area, 0);
    let layer = layer_name(open.layer);
    first.write(&format!("{layer}offset {} (0x{:x})", open.byte, open.byte), style::BOLD);
    first.write(&format!("  {}", byte_value(cells)), style::PLAIN);
    let span = cells.first().and_then(|cell| open.spans().get(cell.span));
    if let Some(span) = span {
        first.right(span.field.name, style::kind(span.field.kind), 0);
    }
    let mut second = Painter::at(buffer, area, 1);
    for (n, ByteValue { name, text }) in byte_values(cells).into_iter().enumerate() {
        let gap = if n == 0 { "" } else { "  " };
        // A value is shown whole or not at all.
        if second.left() < width(gap) + width(name) + 1 + width(&text) {
            break;
        }
        second.write(&format!("{gap}{name} "), style::DIM);
        second.write(&text, style::PLAIN);
    }
}

/// Name, value, encoding of its text, and meaning; the kind, position and section of the field.
fn field(open: &OpenMessage, texts: TextDisplay, area: Rect, buffer: &mut Buffer) {
    let Some(marked) = open.marked(Pane::Fields) else {
        return;
    };
    let Some(span) = open.spans().get(marked.span) else {
        return packet_field(open, &marked, area, buffer);
    };
    let message = open.coloured();
    let line = open.lines.get(open.line).filter(|line| line.span == marked.span);
    let (value, runs) = match line {
        Some(line) => (line.value.clone(), line.runs.clone()),
        None => (message.value(span), message.runs(span)),
    };
    let place = place(&marked);
    let name = line.map_or(span.field.name, |line| line.label.as_str());
    let space = usize::from(area.width).saturating_sub(width(&place) + 2);
    let mut left = Painter::at(buffer, Rect { width: space as u16, ..area }, 0);
    left.write(name, style::BOLD);
    if !value.is_empty() {
        left.write(" = ", style::DIM);
        match texts {
            TextDisplay::Coloured if !runs.is_empty() => left.runs(&runs),
            _ => left.write(&value, style::kind(span.field.kind)),
        }
    }
    // A group without text has no note on its encoding.
    if !value.is_empty() && open.is_latin(marked.span, texts) {
        left.write("  Latin-1", style::DIM);
    }
    if let Some(meaning) = message.meaning(span) {
        left.write(&format!("  {meaning}"), style::BOLD);
    }
    for note in line.iter().flat_map(|line| &line.notes) {
        left.write(&format!("  ! {note}"), style::WARNING);
    }
    Painter::at(buffer, area, 0).right(&place, style::DIM, 0);

    let cited = open.header.entry.spec.citation();
    let space = usize::from(area.width).saturating_sub(width(&cited) + 2);
    let mut left = Painter::at(buffer, Rect { width: space as u16, ..area }, 1);
    match open.reading().fault() {
        Some(fault) if span.field.kind == Kind::Unparsed => {
            left.write(&format!("reading stopped: {fault}"), style::FAULT);
        }
        _ => left.write(span.field.means, style::PLAIN),
    }
    Painter::at(buffer, area, 1).right(&cited, style::DIM, 0);
}

/// Name, value and position of a header of the packet, or of a field in it.
fn packet_field(open: &OpenMessage, marked: &MarkedSpan, area: Rect, buffer: &mut Buffer) {
    let Some(line) = open.lines.get(open.line) else {
        return;
    };
    let place = place(marked);
    let space = usize::from(area.width).saturating_sub(width(&place) + 2);
    let mut first = Painter::at(buffer, Rect { width: space as u16, ..area }, 0);
    first.write(&line.label, style::BOLD);
    if !line.value.is_empty() {
        first.write(" = ", style::DIM);
        first.write(&line.value, style::kind(line.kind));
    }
    Painter::at(buffer, area, 0).right(&place, style::DIM, 0);
    let note = line.meaning.as_deref().unwrap_or("a header of the packet that carries the message");
    Painter::at(buffer, area, 1).write(note, style::PLAIN);
}

/// Offset and length of marked bytes.
fn place(marked: &MarkedSpan) -> String {
    let MarkedSpan { layer, bytes, .. } = marked;
    let (at, length) = (bytes.start, counted(bytes.len() as u64, "byte"));
    format!("{}offset {at} (0x{at:x}), {length}", layer_name(*layer))
}

/// In front of an offset, for all layers but the payload.
fn layer_name(layer: u8) -> &'static str {
    match layer {
        0 => "",
        PACKET_LAYER => "packet, ",
        _ => "decoded, ",
    }
}
