//! The whole text of a message's tree as one string, for searching. Nothing is allocated per field.

use std::io::Write as _;

use super::message::Rendered;
use codec::{Group, Kind, Node, Span};
use text::utf8;

impl Rendered<'_> {
    /// Appends one line per field to `out`: `protocol: 68 (Quake III 1.32)`. An endpoint is one
    /// value; separators are left out, unless their values are explained. With colours, a text with
    /// codes is written twice, with and without them.
    pub fn search_text(&self, out: &mut String) {
        let mut lines = std::mem::take(out).into_bytes();
        self.push_search_text(&mut lines);
        *out = utf8(lines);
    }

    fn push_search_text(&self, out: &mut Vec<u8>) {
        let all = self.spans();
        for (index, span) in all.iter().enumerate() {
            match (span.node, span.field.kind) {
                (Node::Group(Group::Endpoint), _) => {
                    let inside = all.get(index + 1..).unwrap_or_default();
                    let inside = inside.iter().take_while(|s| s.depth > span.depth);
                    let mut data = inside.filter(|s| s.field.kind != Kind::Separator);
                    if let (Some(ip), Some(port)) = (data.next(), data.next())
                        && !self.mask.hides(ip)
                        && !self.mask.hides(port)
                        && let Some(endpoint) = self.endpoint(&[ip, port])
                    {
                        _ = writeln!(out, "{endpoint}");
                    }
                }
                (Node::Group(_), _) => {}
                (Node::Leaf, Kind::Separator) if span.field.values.is_empty() => {}
                (Node::Leaf, Kind::Key) => self.push(out, span, self.bytes(span)),
                (Node::Leaf, _) => {
                    if !follows_key(all, index) {
                        out.extend_from_slice(span.field.name.as_bytes());
                    }
                    out.extend_from_slice(b": ");
                    self.push(out, span, self.bytes(span));
                    if let Some(meaning) = self.meaning(span) {
                        _ = write!(out, " ({meaning})");
                    }
                    out.push(b'\n');
                    let runs = self.runs(span);
                    for run in &runs {
                        out.extend_from_slice(run.text.as_bytes());
                    }
                    out.extend_from_slice(if runs.is_empty() { b"" } else { b"\n" });
                }
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
