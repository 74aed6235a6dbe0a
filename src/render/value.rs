//! A leaf's value as text, escaped and masked.

use std::borrow::Cow;
use std::io::Write as _;

use super::coloured::{ColouredText, holds_codes};
use super::{Mask, TextRun};
use crate::codec::{FieldRole, Kind, NumberParts, Shape, Span, Value, swar};
use crate::protocol::{Colours, Reading};
use crate::text::utf8;
use crate::text::{MASK, escaped, latin};

/// A leaf's value as text: digits as they were sent, addresses and binary numbers in the usual
/// notation, a mark in hex, a coded range as its length, stars for hidden values.
pub fn value(reading: &Reading, payload: &[u8], span: &Span, mask: Mask) -> String {
    let mut text = Vec::new();
    push(&mut text, span, reading.bytes(payload, span), mask);
    utf8(text)
}

/// The documented meaning of a leaf's value, if it has one and is not hidden.
pub fn meaning(
    reading: &Reading,
    payload: &[u8],
    span: &Span,
    mask: Mask,
) -> Option<Cow<'static, str>> {
    explain(span, reading.bytes(payload, span), mask)
}

/// A leaf's text in its colours, without the codes; nothing if it has no codes or is hidden.
pub fn runs(
    reading: &Reading,
    payload: &[u8],
    span: &Span,
    mask: Mask,
    colours: Colours,
) -> Vec<TextRun> {
    runs_of(span, reading.bytes(payload, span), mask, colours)
}

/// Whether a leaf is shown as Latin-1: a text that is not UTF-8 without its colour codes.
pub fn is_latin(
    reading: &Reading,
    payload: &[u8],
    span: &Span,
    mask: Mask,
    colours: Colours,
) -> bool {
    is_text(span, mask) && ColouredText::of(reading.bytes(payload, span), colours).is_latin()
}

pub(super) fn runs_of(span: &Span, bytes: &[u8], mask: Mask, colours: Colours) -> Vec<TextRun> {
    // A challenge response has no colours, even if it looks like it has.
    let is_coloured = is_text(span, mask) && span.field.role != FieldRole::Challenge;
    if !is_coloured || !holds_codes(bytes, colours) {
        return Vec::new();
    }
    super::coloured(bytes, colours)
}

fn is_text(span: &Span, mask: Mask) -> bool {
    span.field.kind == Kind::Text && span.shape == Shape::Text && !mask.hides(span)
}

/// Appends a leaf's value, in UTF-8.
pub(super) fn push(out: &mut Vec<u8>, span: &Span, bytes: &[u8], mask: Mask) {
    if mask.hides(span) && span.field.kind != Kind::Coded {
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
        (_, shape) => match shape.read(bytes) {
            Value::Bytes(bytes) => push_text(out, bytes),
            value => _ = write!(out, "{value}"),
        },
    }
}

/// Appends a leaf's value as the game shows it: as `push`, but with Quake's own characters as the
/// letters that they resemble.
pub(super) fn push_seen(
    out: &mut Vec<u8>,
    reading: &Reading,
    span: &Span,
    bytes: &[u8],
    mask: Mask,
) {
    // The game's own characters are never plain ASCII.
    let is_own = !is_plain(bytes) && reading.colours() == Colours::HighBit;
    let runs = if is_own { runs_of(span, bytes, mask, Colours::HighBit) } else { Vec::new() };
    if runs.is_empty() {
        return push(out, span, bytes, mask);
    }
    for run in &runs {
        out.extend_from_slice(run.text.as_bytes());
    }
}

/// The same as `value`, as the game shows it.
pub(super) fn seen(reading: &Reading, payload: &[u8], span: &Span, mask: Mask) -> String {
    let mut text = Vec::new();
    push_seen(&mut text, reading, span, reading.bytes(payload, span), mask);
    utf8(text)
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

fn explain(span: &Span, bytes: &[u8], mask: Mask) -> Option<Cow<'static, str>> {
    let explained =
        !span.field.values.is_empty() || !matches!(span.field.inside, NumberParts::Whole);
    if mask.hides(span) || !explained {
        return None;
    }
    span.field.meaning(&span.shape.text(bytes))
}
