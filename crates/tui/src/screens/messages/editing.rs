//! A copy of the selected message with other bytes: decoded again at each change, kept until it is
//! undone, compared with what was captured. The capture is never changed.

use super::Messages;
use super::open::{OpenMessage, Pane};
use crate::comparison::ComparedMessages;
use crate::screens::screen::ScreenContext;
use crate::typing::EditForm;
use crate::view_state::ViewState;
use codec::{EditError, Leaf, New, Node, Scratch, Shape};
use protocol::{Carrier, Direction};
use protocols::registry;
use render::{PACKET_LAYER, Separators};
use text::{escaped_bytes, unescaped};

/// The bytes of a message, before each change and after the last.
pub type Edits = Vec<Vec<u8>>;

impl OpenMessage {
    /// Reads other bytes in place of the message's: as the message that they are in its protocol.
    fn read_edited(&mut self, payload: Vec<u8>, separators: Separators) {
        let protocol = self.header.entry.protocol;
        let direction = Direction::default();
        let all = registry().recognise_all(Carrier::Datagram, &payload, direction);
        let same: Vec<_> = all.filter(|entry| entry.protocol == protocol).collect();
        if let Some(entry) = same.first().filter(|_| !same.contains(&self.header.entry)) {
            self.header.entry = entry;
        }
        self.header.name = self.header.entry.spec.name_of(&payload, None);
        self.header.missing = 0;
        self.header.length = payload.len() as u32;
        self.read(payload);
        self.build_tree(separators);
    }

    /// Shows the edited bytes, or again those that were captured.
    pub fn show_edits(&mut self, edits: Edits, cx: &ScreenContext<'_>) {
        if let Some(last) = edits.last() {
            self.read_edited(last.clone(), cx.view.format.separators);
        }
        self.edits = edits;
    }

    /// The bytes under the cursor that an edit replaces, in the payload.
    fn edited_range(&self, pane: Pane) -> Result<std::ops::Range<usize>, String> {
        if self.layer == PACKET_LAYER {
            return Err("the headers of the packet cannot be edited".to_owned());
        }
        if self.layer != 0 {
            return Err("only fields of the decoded text can be edited, not its bytes".to_owned());
        }
        match pane {
            Pane::Bytes | Pane::Coded => Ok(self.byte..(self.byte + 1).min(self.payload().len())),
            Pane::Fields => self.marked(pane).map(|marked| marked.bytes).ok_or_else(String::new),
            Pane::List => Ok(0..self.payload().len()),
        }
    }

    /// The bytes with another value in the field under the cursor.
    fn with_value(&self, text: &str) -> Result<Vec<u8>, String> {
        let line = self.lines.get(self.line);
        let at = line.map_or(usize::MAX, |line| line.span);
        let Some(span) = self.spans().get(at).filter(|span| span.node == Node::Leaf) else {
            return Err("this row has several fields: edit one of them, or its bytes".to_owned());
        };
        let is_same = |field: &codec::Field| std::ptr::eq(field, span.field);
        // Edits and spans name the same fields in the same order.
        let before = self.spans().iter().take(at);
        let before = before.filter(|s| is_same(s.field) && s.layer == span.layer).count();
        let new = value_of(span.shape, text)?;
        let mut seen = 0;
        let mut change = |leaf: &Leaf<'_>| {
            if !is_same(leaf.field) || leaf.layer != span.layer {
                return None;
            }
            seen += 1;
            (seen == before + 1).then(|| new.clone())
        };
        let mut out = Vec::new();
        let entry = self.header.entry;
        let changed = entry.edit(self.payload(), &mut Scratch::default(), &mut change, &mut out);
        match changed {
            Ok(0) if seen <= before => Err("this field follows from others".to_owned()),
            Ok(_) => Ok(out),
            Err(EditError::Refused(name)) => Err(format!("{name} cannot hold this value")),
            Err(EditError::Coding(fault)) => Err(format!("this cannot be coded: {fault}")),
            Err(EditError::ReadsOtherwise) => {
                Err("it would end the field or change others; Tab edits the bytes".to_owned())
            }
        }
    }
}

/// The value that a text means in a field of this shape.
fn value_of(shape: Shape, text: &str) -> Result<New, String> {
    Ok(match shape {
        Shape::PackedInt | Shape::Unsigned(_) | Shape::Signed(_) => {
            New::Int(text.trim().parse().map_err(|_| "expected a whole number".to_owned())?)
        }
        Shape::Float(_) => {
            New::Float(text.trim().parse().map_err(|_| "expected a number".to_owned())?)
        }
        Shape::Ipv4 | Shape::Ipv6 | Shape::DottedIpv4 | Shape::HexIpv4 => {
            New::Ip(text.trim().parse().map_err(|_| "expected an IP address".to_owned())?)
        }
        Shape::Raw | Shape::CompactIndex | Shape::Endpoints { .. } => New::Bytes(bytes_of(text)?),
        Shape::Text | Shape::Utf16 | Shape::Decimal | Shape::HexNumber => {
            New::Bytes(unescaped(text).ok_or("expected an escape as \\n, \\\\ or \\xff")?)
        }
    })
}

/// Hex digits of bytes, with blanks between them.
fn spaced_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// Bytes from hex digits, with blanks between them or without.
fn bytes_of(text: &str) -> Result<Vec<u8>, String> {
    let digits: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    hex::decode(digits).map_err(|_| "expected hex digits, two for each byte".to_owned())
}

impl Messages {
    /// What the line for an edit begins with: what is edited, and its text.
    pub(super) fn edit_text(
        &self,
        form: EditForm,
        view: &ViewState,
    ) -> Result<(String, String), String> {
        let Some(open) = &self.open else {
            return Err("no message is open".to_owned());
        };
        if form == EditForm::Value && self.focus == Pane::Fields {
            if open.layer == PACKET_LAYER {
                return Err("the headers of the packet cannot be edited".to_owned());
            }
            let line = open.lines.get(open.line).filter(|line| open.is_leaf(line.span));
            if let Some(line) = line {
                let span = open.spans().get(line.span).ok_or("no field")?;
                let message = open.rendered();
                if message.mask().hides(span) {
                    return Err(super::commands::masked(view));
                }
                let text = match span.shape {
                    Shape::Text | Shape::Decimal | Shape::HexNumber => {
                        escaped_bytes(message.bytes(span))
                    }
                    Shape::Utf16 => escaped_bytes(&span.shape.text(message.bytes(span))),
                    Shape::Raw | Shape::CompactIndex | Shape::Endpoints { .. } => {
                        spaced_hex(message.bytes(span))
                    }
                    _ => message.value(span),
                };
                return Ok((line.label.clone(), text));
            }
        }
        let range = open.edited_range(self.focus)?;
        let cells = open.cells(0).get(range.clone()).unwrap_or_default();
        let bytes: Option<Vec<u8>> = cells.iter().map(|cell| cell.byte()).collect();
        let bytes = bytes.ok_or_else(|| super::commands::masked(view))?;
        let what = match self.focus {
            Pane::List => "all bytes".to_owned(),
            Pane::Fields => "bytes".to_owned(),
            Pane::Bytes | Pane::Coded => format!("byte 0x{:x}", range.start),
        };
        Ok((what, spaced_hex(&bytes)))
    }

    /// Replaces what is under the cursor; the message is decoded again.
    pub(super) fn edit_with(
        &mut self,
        form: EditForm,
        text: &str,
        cx: &mut ScreenContext<'_>,
    ) -> Result<(), String> {
        let focus = self.focus;
        let Some(open) = &mut self.open else {
            return Err("no message is open".to_owned());
        };
        let is_value = form == EditForm::Value && focus == Pane::Fields;
        let is_leaf = open.lines.get(open.line).is_some_and(|line| open.is_leaf(line.span));
        let payload = if is_value && is_leaf {
            open.with_value(text)?
        } else {
            let range = open.edited_range(focus)?;
            let new = bytes_of(text)?;
            let [front, behind] = [0..range.start, range.end..open.payload().len()]
                .map(|part| open.payload().get(part).unwrap_or_default().to_vec());
            [front, new, behind].concat()
        };
        if payload == open.payload() {
            return Ok(());
        }
        let mut edits = std::mem::take(&mut open.edits);
        if edits.is_empty() {
            edits.push(open.payload().to_vec());
        }
        edits.push(payload);
        open.show_edits(edits, cx);
        self.keep_edits();
        let undo = cx.view.keys.name(crate::action::KeyCommand::Undo).unwrap_or_default();
        cx.hint(format!("an edited copy; {undo} undoes, the capture stays as it is"));
        self.keep_cursors(cx.view);
        Ok(())
    }

    /// Takes the last change back.
    pub(super) fn undo(&mut self, cx: &mut ScreenContext<'_>) {
        let Some(open) = self.open.as_mut().filter(|open| !open.edits.is_empty()) else {
            return cx.hint("this message was not edited");
        };
        let mut edits = std::mem::take(&mut open.edits);
        edits.pop();
        let left = edits.len().saturating_sub(1);
        open.show_edits(edits, cx);
        if left == 0 {
            // As it was captured, also what the session says of it.
            self.edits.remove(&open.index);
            open.edits.clear();
            let (index, separators) = (open.index, cx.view.format.separators);
            cx.effects.push(crate::action::Effect::Open(index, separators));
            return cx.hint("as it was captured");
        }
        self.keep_edits();
        cx.hint(format!("undone; {} left", crate::text::counted(left as u64, "change")));
        self.keep_cursors(cx.view);
    }

    /// Keeps the edits of the open message while another one is selected.
    fn keep_edits(&mut self) {
        if let Some(open) = &self.open {
            self.edits.insert(open.index, open.edits.clone());
        }
    }

    /// The selected message beside other bytes, or an edited one beside what was captured.
    pub(super) fn compared(
        &self,
        other: Option<(Vec<u8>, String)>,
        cx: &ScreenContext<'_>,
    ) -> Option<ComparedMessages> {
        let open = self.open.as_ref()?;
        let separators = cx.view.format.separators;
        let Some((bytes, name)) = other else {
            let captured = open.edits.first()?.clone();
            let (number, now) = (open.header.number, open.payload().to_vec());
            let other = open.like(now, "the edited copy".to_owned(), separators);
            let first = open.like(captured, format!("#{number} as captured"), separators);
            return Some(ComparedMessages::new(first, other));
        };
        let own = if open.edits.is_empty() {
            format!("#{}", open.header.number)
        } else {
            format!("#{}, edited", open.header.number)
        };
        let first = open.like(open.payload().to_vec(), own, separators);
        Some(ComparedMessages::new(first, open.like(bytes, name, separators)))
    }
}

impl OpenMessage {
    /// Whether a span is a single value.
    fn is_leaf(&self, span: usize) -> bool {
        self.spans().get(span).is_some_and(|span| span.node == Node::Leaf)
    }

    /// Other bytes, decoded like this message, under a name.
    pub fn like(&self, payload: Vec<u8>, name: String, separators: Separators) -> Self {
        let secrets = self.secrets();
        let mut other = Self::new(self.index, self.header, Vec::new(), secrets, separators);
        other.read_edited(payload, separators);
        other.title = Some(name);
        other
    }
}
