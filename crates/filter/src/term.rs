//! The term that selects messages with the same value of a field.

use super::FIELD;
use super::Filter;
use super::fields::{is_listed, with_blanks};
use super::names::written;
use super::quote::quoted;
use codec::{Group, Halves, Kind, Node, Span, Value};
use protocol::Reading;
use render::Mask;
use text::latin;

/// A field of a message that was read: the index of its span, and of its key.
#[derive(Clone, Copy)]
pub struct FieldRef<'a> {
    /// The message.
    pub reading: &'a Reading,
    /// Its bytes.
    pub payload: &'a [u8],
    /// What is hidden in it.
    pub mask: Mask,
    /// The index of the span with the value.
    pub span: usize,
    /// The index of its key, if it has one.
    pub key: Option<usize>,
}

impl FieldRef<'_> {
    /// The field's name as filters spell it: `field.sv_maxclients`; nothing for bytes without one.
    pub fn name(&self) -> Option<String> {
        Some(self.named()?.0)
    }

    /// `field.protocol == 68`; of a masked value only that it is there.
    pub fn term(&self) -> Option<String> {
        let (name, named) = self.named()?;
        let span = self.reading.spans().all.get(self.span)?;
        // An endpoint is a value of the list that it is in; a key, or another part of a group, is not.
        let is_named = named == self.span && span.field.kind != Kind::Key;
        let has_value = is_named || span.node == Node::Group(Group::Endpoint);
        let value = if self.mask.hides(span) || !has_value { None } else { self.value(span) };
        let term = match value {
            Some(value) => format!("{name} == {value}"),
            None => name,
        };
        Filter::parse(&term).is_ok().then_some(term)
    }

    /// The name that finds the field, with the span that has it: the field itself, or the nearest
    /// group around it that filters know.
    fn named(&self) -> Option<(String, usize)> {
        let all = &self.reading.spans().all;
        let text = |key: &Span| latin(self.reading.bytes(self.payload, key)).into_owned();
        let mut at = self.span;
        let name = loop {
            let span = all.get(at)?;
            // A key stands for its pair.
            let own =
                Some(span).filter(|span| span.field.kind == Kind::Key && span.node == Node::Leaf);
            let key = if at == self.span { self.key.and_then(|key| all.get(key)) } else { None };
            match (key.or(own), span.field.kind) {
                (_, Kind::Unparsed | Kind::Mark | Kind::Separator) => return None,
                (Some(key), _) if self.mask.hides(key) => return None,
                (Some(key), _) => break text(key),
                (None, _) if is_listed(span.field) => break span.field.name.to_owned(),
                (None, _) => {
                    let before = all.get(..at)?;
                    at = before.iter().rposition(|group| {
                        group.node != Node::Leaf
                            && group.depth < span.depth
                            && group.layer == span.layer
                    })?;
                }
            }
        };
        // A key is written in quotes if no document lists it, or if without them it would be another.
        let plain = with_blanks(&name).is_none().then(|| format!("{FIELD}{}", written(&name)));
        let any = format!("{FIELD}{}", quoted(&name));
        let name = plain.into_iter().chain([any]).find(|name| Filter::parse(name).is_ok())?;
        Some((name, at))
    }

    fn value(&self, span: &Span) -> Option<String> {
        let bytes = self.reading.bytes(self.payload, span);
        if let Node::Group(group) = span.node {
            return if group == Group::Endpoint { self.endpoint(span) } else { None };
        }
        match span.shape.value_of(bytes) {
            _ if span.field.kind == Kind::Coded => None,
            Value::Int(number) => Some(number.to_string()),
            Value::Ip(ip) => Some(ip.to_string()),
            Value::Float(_) => None,
            Value::Bytes(bytes) => {
                let text = latin(bytes);
                let is_number = span.field.kind == Kind::Number
                    && text.parse::<i64>().is_ok_and(|number| number.to_string() == text);
                Some(if is_number { text.into_owned() } else { quoted(&text) })
            }
        }
    }

    fn endpoint(&self, group: &Span) -> Option<String> {
        let behind = self.reading.spans().all.iter().skip(self.span + 1);
        let mut halves = Halves::default();
        for span in behind.take_while(|span| span.depth > group.depth) {
            if self.mask.hides(span) {
                return None;
            }
            halves.add_leaf(span.shape, self.reading.bytes(self.payload, span));
        }
        halves.whole().map(|end| end.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::ops::ControlFlow;

    use super::super::{EvalScratch, Subject};
    use super::*;
    use analysis::{CapturedMessage, Pipeline};
    use capture::Input;
    use render::{Rendered, Separators};
    use text::Secrets;

    /// How often a field of a kind of message is tried.
    const TRIED: usize = 3;

    /// The fields of a message as the interface has them: those with a line, and other spans.
    fn fields(message: &Rendered<'_>, spans: usize) -> Vec<(usize, Option<usize>)> {
        let lines = message.tree(Separators::Shown);
        let mut all: Vec<_> = lines.iter().map(|line| (line.span, line.key)).collect();
        all.extend(
            (0..spans).filter(|at| lines.iter().all(|line| line.span != *at)).map(|at| (at, None)),
        );
        all
    }

    #[test]
    fn a_message_matches_the_filter_of_each_of_its_fields() {
        let (mut tried, mut filters) = (BTreeMap::<_, usize>::new(), 0);
        let mut missed = Vec::new();
        let (mut reading, mut scratch) = (Reading::default(), EvalScratch::default());
        for capture in test_data::captures() {
            let mut pipeline =
                Pipeline::open(vec![Input::File(capture.clone())], Vec::new()).unwrap();
            let each = |message: &CapturedMessage<'_>| {
                let CapturedMessage { header, payload } = message;
                reading.read_part(header.entry, payload, header.missing);
                let rendered = Rendered::new(&reading, payload, Secrets::Masked);
                let spans = &reading.spans().all;
                for (span, key) in fields(&rendered, spans.len()) {
                    let named = key.map(|key| reading.bytes(payload, &spans[key]).to_vec());
                    let field = spans[span].field;
                    let count = tried.entry((header.entry.spec.id, field.name, named)).or_default();
                    *count += 1;
                    if *count > TRIED {
                        continue;
                    }
                    let at =
                        FieldRef { reading: &reading, payload, mask: rendered.mask(), span, key };
                    let Some(term) = at.term() else { continue };
                    assert_ne!(field.kind, Kind::Separator, "{term}");
                    let subject = Subject::new(message, 0);
                    let is_found = Filter::parse(&term).unwrap().matches(&subject, &mut scratch);
                    let number = header.number;
                    if !is_found {
                        let name = capture.file_name().unwrap_or_default().display();
                        missed.push(format!("{name} #{number}: {} {term}", field.name));
                    }
                    filters += 1;
                }
                ControlFlow::<()>::Continue(())
            };
            _ = pipeline.messages(each).unwrap();
        }
        assert!(missed.is_empty(), "{missed:#?}");
        assert!(filters > 2_000, "{filters}");
    }
}
