//! The whole text of a message's tree as one string, for searching. Nothing is allocated per field.

use std::io::Write as _;

use super::tree::endpoint;
use super::{Mask, value};
use crate::codec::{Group, Kind, Node, Span};
use crate::protocol::{Colours, Reading};
use crate::text::utf8;

/// Appends one line per field to `out`: `protocol: 68 (Quake III 1.32)`. An endpoint is one value;
/// separators are left out, unless their values are explained. A text with codes of `colours` is
/// written twice, with and without them.
pub fn prose(out: &mut String, reading: &Reading, payload: &[u8], mask: Mask, colours: Colours) {
    let mut lines = std::mem::take(out).into_bytes();
    push(&mut lines, reading, payload, mask, colours);
    *out = utf8(lines);
}

fn push(out: &mut Vec<u8>, reading: &Reading, payload: &[u8], mask: Mask, colours: Colours) {
    let all = reading.spans().all.as_slice();
    for (index, span) in all.iter().enumerate() {
        let bytes = reading.bytes(payload, span);
        match (span.node, span.field.kind) {
            (Node::Group(Group::Endpoint), _) => {
                let inside = all.get(index + 1..).unwrap_or_default();
                let inside = inside.iter().take_while(|s| s.depth > span.depth);
                let mut data = inside.filter(|s| s.field.kind != Kind::Separator);
                if let (Some(ip), Some(port)) = (data.next(), data.next())
                    && !mask.hides(ip)
                    && !mask.hides(port)
                    && let Some(endpoint) = endpoint(reading, payload, &[ip, port])
                {
                    _ = writeln!(out, "{endpoint}");
                }
            }
            (Node::Group(_), _) => {}
            (Node::Leaf, Kind::Separator) if span.field.values.is_empty() => {}
            (Node::Leaf, Kind::Key) => value::push(out, span, bytes, mask),
            (Node::Leaf, _) => {
                if !follows_key(all, index) {
                    out.extend_from_slice(span.field.name.as_bytes());
                }
                out.extend_from_slice(b": ");
                value::push(out, span, bytes, mask);
                if let Some(meaning) = value::meaning(reading, payload, span, mask) {
                    out.extend_from_slice(b" (");
                    out.extend_from_slice(meaning.as_bytes());
                    out.push(b')');
                }
                out.push(b'\n');
                let runs = value::runs_of(span, bytes, mask, colours);
                for run in &runs {
                    out.extend_from_slice(run.text.as_bytes());
                }
                out.extend_from_slice(if runs.is_empty() { b"" } else { b"\n" });
            }
        }
    }
}

/// Whether the leaf before this one, a separator aside, is a key.
fn follows_key(all: &[Span], index: usize) -> bool {
    let mut before = all.get(..index).unwrap_or_default().iter().rev().take(2);
    let before = before.find(|s| s.field.kind != Kind::Separator);
    before.is_some_and(|s| s.field.kind == Kind::Key)
}
