//! The source of a message's values: its spans, and the bytes that they cover.

use std::net::SocketAddr;
use std::ops::Range;

use super::super::json;
use codec::{Anomaly, Group, Halves, Kind, Span};
use protocol::Reading;
use render::Mask;
use text::MASK;

/// Where values are read from.
#[derive(Clone, Copy)]
pub(super) struct ValueSource<'a> {
    spans: &'a [Span],
    layers: [&'a [u8]; 2],
    pub mask: Mask,
    /// Whether decoding found all keys of each group distinct, and they are shown.
    pub distinct: bool,
}

/// The spans within a group, and their depth.
#[derive(Clone)]
pub(super) struct GroupSpans {
    pub range: Range<usize>,
    depth: u8,
    pub group: Group,
}

impl<'a> ValueSource<'a> {
    pub fn new(reading: &'a Reading, payload: &'a [u8], mask: Mask) -> Self {
        let spans = reading.spans().all.as_slice();
        let mut notes = reading.spans().notes.iter();
        let distinct = !mask.hides_keys() && notes.all(|n| n.odd != Anomaly::DuplicateKey);
        Self { spans, layers: [payload, reading.layer(payload, 1)], mask, distinct }
    }

    pub fn span(&self, at: usize) -> Option<&'a Span> {
        self.spans.get(at)
    }

    pub fn bytes(&self, span: &Span) -> &'a [u8] {
        let layer = self.layers.get(usize::from(span.layer)).copied().unwrap_or_default();
        layer.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The spans from `at` on at this depth or deeper.
    pub fn from(&self, at: usize, depth: u8, group: Group) -> GroupSpans {
        let rest = self.spans.get(at..).unwrap_or_default();
        let count = rest.iter().take_while(|s| s.depth >= depth).count();
        GroupSpans { range: at..at + count, depth, group }
    }

    /// The keys and values of a group, without deeper spans.
    pub fn parts(&self, inside: &GroupSpans) -> impl Iterator<Item = (usize, &'a Span)> + use<'a> {
        let GroupSpans { range, depth, .. } = inside.clone();
        let spans = self.spans.get(range.clone()).unwrap_or_default();
        range.zip(spans).filter(move |(_, s)| s.depth == depth && Self::is_part(s))
    }

    /// Whether the group whose first key is at `at` is an infostring in which only separators are
    /// backslashes, and no other character needs escapes in JSON.
    pub fn is_plain_info(&self, at: usize) -> bool {
        let group = at.checked_sub(1).and_then(|at| self.span(at));
        let Some((group, key)) = group.zip(self.span(at)) else {
            return false;
        };
        // Where two backslashes separate, one may be in a value.
        let begins = group.layer == key.layer && group.start + 1 == key.start;
        begins && json::is_plain_but_backslashes(self.bytes(group))
    }

    /// The name of a member in the object, as bytes.
    pub fn name(&self, span: &Span) -> &'a [u8] {
        match span.field.kind {
            Kind::Key if self.mask.hides(span) => MASK.as_bytes(),
            Kind::Key => self.bytes(span),
            _ => span.field.name.as_bytes(),
        }
    }

    /// Whether a span at its group's own depth is a key, or a value that stands in an object.
    pub fn is_part(span: &Span) -> bool {
        span.field.kind != Kind::Coded && (span.field.kind == Kind::Key || span.field.is_data())
    }

    /// Address and port of an endpoint that has both, and the index after it.
    pub fn endpoint(&self, at: usize) -> (Option<SocketAddr>, usize) {
        let mut halves = Halves::default();
        let Some((group, behind)) = self.spans.get(at..).and_then(<[Span]>::split_first) else {
            return (None, at + 1);
        };
        let mut end = at + 1;
        for span in behind.iter().take_while(|span| span.depth > group.depth) {
            halves.add_leaf(span.shape, self.bytes(span));
            end += 1;
        }
        (halves.whole(), end)
    }
}
