//! The term that selects messages with the same value of a field.

use super::FIELD;
use super::Filter;
use super::names::written;
use super::quote::quoted;
use crate::codec::{Group, Halves, Kind, Node, Span, Value};
use crate::protocol::Reading;
use crate::render::Mask;
use crate::text::latin;

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
        let all = &self.reading.spans().all;
        let span = all.get(self.span)?;
        let name = match self.key.and_then(|key| all.get(key)) {
            Some(key) if self.mask.hides(key) => return None,
            Some(key) => latin(self.reading.bytes(self.payload, key)).into_owned(),
            None if matches!(span.field.kind, Kind::Unparsed | Kind::Mark | Kind::Separator) => {
                return None;
            }
            None => span.field.name.to_owned(),
        };
        let plain = format!("{FIELD}{}", written(&name));
        // A key that no document lists is written in quotes.
        let any = || format!("{FIELD}{}", quoted(&name));
        [plain].into_iter().chain([any()]).find(|name| Filter::parse(name).is_ok())
    }

    /// `field.protocol == 68`; of a masked value only that it is there.
    pub fn term(&self) -> Option<String> {
        let name = self.name()?;
        let span = self.reading.spans().all.get(self.span)?;
        let value = if self.mask.hides(span) { None } else { self.value(span) };
        let term = match value {
            Some(value) => format!("{name} == {value}"),
            None => name,
        };
        Filter::parse(&term).is_ok().then_some(term)
    }

    fn value(&self, span: &Span) -> Option<String> {
        let bytes = self.reading.bytes(self.payload, span);
        if let Node::Group(group) = span.node {
            return if group == Group::Endpoint { self.endpoint(span) } else { None };
        }
        match span.shape.read(bytes) {
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
            halves.take(span.shape, self.reading.bytes(self.payload, span));
        }
        halves.whole().map(|end| end.to_string())
    }
}
