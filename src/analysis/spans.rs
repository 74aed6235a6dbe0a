//! The bytes of spans, and which of them the capture lacks.

use crate::codec::{Shape, Span};
use crate::protocol::Reading;

/// The bytes of a span, those of its layer.
pub(super) fn bytes<'a>(reading: &'a Reading, payload: &'a [u8], span: &Span) -> &'a [u8] {
    let layer = reading.layer(payload, span.layer);
    layer.get(span.start as usize..span.end as usize).unwrap_or_default()
}

/// Whether, in a message that was cut by the snap length, a value may continue after the captured
/// bytes: the rest of a number or text is unknown.
pub(super) fn is_torn(reading: &Reading, payload: &[u8], span: &Span) -> bool {
    let is_long = matches!(
        span.shape,
        Shape::Text | Shape::Decimal | Shape::DottedIpv4 | Shape::HexNumber | Shape::Raw
    );
    is_long && span.end as usize == reading.layer(payload, span.layer).len()
}
