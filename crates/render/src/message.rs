//! A decoded message, and its values as text, escaped and masked.

use std::borrow::Cow;
use std::io::Write as _;
use std::net::SocketAddr;

use super::coloured::{ColouredText, TextRun, coloured, has_codes};
use super::mask::Mask;
use codec::{FieldRole, Halves, Kind, NumberParts, Shape, Span, Value, swar};
use protocol::{Colours, Reading};
use text::{MASK, Secrets, escaped, latin, utf8};

/// A decoded message that is rendered: its summary, its tree, its values.
#[derive(Clone, Copy)]
pub struct Rendered<'a> {
    pub(super) reading: &'a Reading,
    pub(super) payload: &'a [u8],
    pub(super) mask: Mask,
    /// How texts encode colours; none if their codes stay in the text.
    pub(super) colours: Colours,
}

impl<'a> Rendered<'a> {
    /// `payload` is what `reading` has read. Colour codes stay in texts.
    pub fn new(reading: &'a Reading, payload: &'a [u8], secrets: Secrets) -> Self {
        Self { reading, payload, mask: Mask::new(reading, secrets), colours: Colours::None }
    }

    /// With texts in their colours, without the codes that these are.
    #[must_use]
    pub fn in_colours(self, colours: Colours) -> Self {
        Self { colours, ..self }
    }

    /// What is hidden.
    pub fn mask(&self) -> Mask {
        self.mask
    }

    /// A leaf's value as text: digits as they were sent, addresses and binary numbers in the usual
    /// notation, a mark in hex, a coded range as its length, stars for hidden values.
    pub fn value(&self, span: &Span) -> String {
        let mut text = Vec::new();
        self.push(&mut text, span, self.bytes(span));
        utf8(text)
    }

    /// The documented meaning of a leaf's value, if it has one and is not hidden.
    pub fn meaning(&self, span: &Span) -> Option<Cow<'static, str>> {
        let is_plain =
            span.field.values.is_empty() && matches!(span.field.inside, NumberParts::Whole);
        if self.mask.hides(span) || is_plain {
            return None;
        }
        span.field.meaning(&span.shape.text(self.bytes(span)))
    }

    /// A leaf's text in its colours, without the codes; nothing if it has no codes or is hidden.
    pub fn runs(&self, span: &Span) -> Vec<TextRun> {
        self.runs_of(span, self.bytes(span), self.colours)
    }

    /// Whether a leaf is shown as Latin-1: a text that is not UTF-8 without its colour codes.
    pub fn is_latin(&self, span: &Span) -> bool {
        let text = || span.shape.text(self.bytes(span));
        self.is_text(span) && ColouredText::from_bytes(&text(), self.colours).is_latin()
    }

    /// The bytes of a span in its layer; empty where it has none.
    pub fn bytes(&self, span: &Span) -> &'a [u8] {
        self.reading.bytes(self.payload, span)
    }

    pub(super) fn spans(&self) -> &'a [Span] {
        &self.reading.spans().all
    }

    pub(super) fn runs_of(&self, span: &Span, bytes: &[u8], colours: Colours) -> Vec<TextRun> {
        if colours == Colours::None {
            return Vec::new();
        }
        // A challenge response has no colours, even if it looks like it has.
        let is_coloured = self.is_text(span) && span.field.role != FieldRole::Challenge;
        if !is_coloured || !has_codes(bytes, colours) {
            return Vec::new();
        }
        coloured(&span.shape.text(bytes), colours)
    }

    /// Whether a leaf is shown as its bytes, if they are plain.
    fn is_verbatim(&self, span: &Span) -> bool {
        matches!(span.shape, Shape::Decimal | Shape::Text)
            && !matches!(span.field.kind, Kind::Coded | Kind::Mark)
            && !self.mask.hides(span)
    }

    fn is_text(&self, span: &Span) -> bool {
        let is_text = matches!(span.shape, Shape::Text | Shape::Utf16);
        span.field.kind == Kind::Text && is_text && !self.mask.hides(span)
    }

    /// Appends a leaf's value, in UTF-8.
    pub(super) fn push(&self, out: &mut Vec<u8>, span: &Span, bytes: &[u8]) {
        if self.mask.hides(span) && span.field.kind != Kind::Coded {
            out.extend_from_slice(MASK.as_bytes());
            return;
        }
        match (span.field.kind, span.shape) {
            (Kind::Coded, _) => _ = write!(out, "{} bytes", bytes.len()),
            (Kind::Mark, _) => {
                for (i, byte) in bytes.iter().enumerate() {
                    let gap = if i == 0 { "" } else { " " };
                    _ = write!(out, "{gap}{byte:02x}");
                }
            }
            (_, Shape::Decimal | Shape::Text) => push_text(out, bytes),
            (_, Shape::Utf16) => push_text(out, &span.shape.text(bytes)),
            (_, shape) => match shape.value_of(bytes) {
                Value::Bytes(bytes) => push_text(out, bytes),
                value => _ = write!(out, "{value}"),
            },
        }
    }

    /// Appends a leaf's value as the game shows it: as `push`, but with Quake's own characters as
    /// the letters that they resemble.
    pub(super) fn push_displayed(&self, out: &mut Vec<u8>, span: &Span, bytes: &[u8]) {
        let is_plain = is_plain(bytes);
        if is_plain && self.is_verbatim(span) {
            return out.extend_from_slice(bytes);
        }
        // The game's own characters are never plain ASCII.
        let is_own = !is_plain && self.reading.colours() == Colours::HighBit;
        let runs = if is_own { self.runs_of(span, bytes, Colours::HighBit) } else { Vec::new() };
        if runs.is_empty() {
            return self.push(out, span, bytes);
        }
        for run in &runs {
            out.extend_from_slice(run.text.as_bytes());
        }
    }

    /// An address and a port, if these leaves hold one.
    pub(super) fn endpoint(&self, leaves: &[&Span]) -> Option<SocketAddr> {
        let mut halves = Halves::default();
        for span in leaves {
            halves.add_leaf(span.shape, self.bytes(span));
        }
        halves.whole()
    }
}

/// Appends bytes as escaped text.
fn push_text(out: &mut Vec<u8>, bytes: &[u8]) {
    // Most texts are plain; others have each character checked.
    if is_plain(bytes) {
        out.extend_from_slice(bytes);
    } else {
        out.extend_from_slice(escaped(&latin(bytes)).as_bytes());
    }
}

/// Whether bytes need no escaping anywhere: printable ASCII.
fn is_plain(bytes: &[u8]) -> bool {
    !swar::any(bytes, |word| word.below(b' ').or(word.above_tilde()))
}
