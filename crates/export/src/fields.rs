//! A message's values as one JSON object, written from its spans.
//!
//! Names stand in wire order. An infostring becomes an object whose values are text, a list an
//! array, a record an object, an endpoint `"ADDRESS:PORT"`. The content of a coded range replaces
//! the range. A name that is repeated at the same level makes its value an array, at its first
//! place. Framing (marks, blanks, the command), unparsed bytes and truncated records are not values
//! and do not appear.

mod names;
mod text;

use self::names::{JsonMember, MemberNames, Tags};
use self::text::{GroupSpans, ValueSource};
use super::json::{self, JsonWriter, Quotes};
use ::text::MASK;
use ::text::digits::{push_endpoint, push_endpoints, push_ip, push_number, push_signed};
use codec::{Field, Group, Kind, Node, Shape, Span, Value, tag};
use protocol::Reading;
use render::Mask;

/// Writes the values of messages, with reused buffers.
#[derive(Default)]
pub struct Fields {
    quotes: Quotes,
    out: Vec<u8>,
    tags: Tags,
    members: Vec<JsonMember>,
}

impl Fields {
    /// A writer with these quotes.
    pub fn new(quotes: Quotes) -> Self {
        Self { quotes, ..Self::default() }
    }

    /// The values of a decoded `payload`: valid JSON on one line.
    pub fn write(&mut self, reading: &Reading, payload: &[u8], mask: Mask) -> JsonWriter<'_> {
        self.object(ValueSource::new(reading, payload, mask), 0, 0)
    }

    /// The values of one of its groups, which is the span at `at`.
    pub(super) fn record(
        &mut self,
        reading: &Reading,
        payload: &[u8],
        mask: Mask,
        at: usize,
    ) -> JsonWriter<'_> {
        let text = ValueSource::new(reading, payload, mask);
        let depth = text.span(at).map_or(0, |s| s.depth);
        self.object(text, at + 1, depth + 1)
    }

    fn object(&mut self, text: ValueSource<'_>, at: usize, depth: u8) -> JsonWriter<'_> {
        self.out.clear();
        self.tags.clear();
        self.members.clear();
        let Self { quotes, out, tags, members } = self;
        FieldsWriter { text, quotes: *quotes, out, tags, members }.object(at, depth, Group::Record);
        // Text that is not UTF-8 was decoded as Latin-1.
        JsonWriter::new(&self.out, self.quotes)
    }
}

struct FieldsWriter<'a, 'r> {
    text: ValueSource<'a>,
    quotes: Quotes,
    out: &'r mut Vec<u8>,
    tags: &'r mut Tags,
    members: &'r mut Vec<JsonMember>,
}

impl FieldsWriter<'_, '_> {
    /// Writes the spans from `at` on of this depth or deeper; returns the index after them.
    /// Straight from the spans, unless a name is repeated: then from a list of the members.
    fn object(&mut self, at: usize, depth: u8, group: Group) -> usize {
        let (begin, base) = (self.out.len(), self.tags.len());
        let end = match group {
            Group::Pairs if self.text.distinct => self.texts(at, depth),
            _ => self.straight(at, depth, group),
        };
        self.tags.truncate(base);
        end.unwrap_or_else(|| {
            self.out.truncate(begin);
            self.listed(&self.text.from(at, depth, group))
        })
    }

    /// Distinct keys, each with a text; `None` if there is anything else.
    fn texts(&mut self, mut at: usize, depth: u8) -> Option<usize> {
        let is_plain = self.text.is_plain_info(at);
        self.out.push(b'{');
        let mut first = true;
        while let Some(key) = self.text.span(at).filter(|s| s.depth >= depth) {
            at += 1;
            match key.field.kind {
                Kind::Separator | Kind::Unparsed => continue,
                Kind::Key => {}
                _ => return None,
            }
            let name = self.text.bytes(key);
            // Keys that differ in bytes, ignoring case, may still be the same text.
            if !is_plain && !name.is_ascii() {
                return None;
            }
            if !std::mem::take(&mut first) {
                self.out.push(b',');
            }
            let value = loop {
                match self.text.span(at) {
                    Some(s) if s.depth == depth && s.field.kind == Kind::Separator => at += 1,
                    next => break next.filter(|s| s.depth == depth && s.field.is_data()),
                }
            };
            at += usize::from(value.is_some());
            let text = match value {
                None => &[],
                Some(value) if value.node != Node::Leaf || value.shape != Shape::Text => {
                    return None;
                }
                Some(value) if self.text.mask.hides(value) => MASK.as_bytes(),
                Some(value) => self.text.bytes(value),
            };
            if is_plain {
                json::push_plain_member(self.out, name, text, self.quotes);
            } else {
                json::push_member(self.out, name, text, self.quotes);
            }
        }
        self.out.push(b'}');
        Some(at)
    }

    /// In one pass; `None` as soon as a name may be repeated.
    fn straight(&mut self, mut at: usize, depth: u8, group: Group) -> Option<usize> {
        self.out.push(b'{');
        let base = self.tags.len();
        let (mut first, mut key) = (true, false);
        while let Some(span) = self.text.span(at).filter(|s| s.depth >= depth) {
            at += 1;
            if span.depth != depth || !ValueSource::is_part(span) {
                continue;
            }
            let is_key = span.field.kind == Kind::Key;
            if key && !is_key {
                at = self.value(at - 1, span, group);
                key = false;
                continue;
            }
            if key {
                self.empty();
            }
            key = is_key;
            let (before, begins) = (self.out.len(), first);
            if is_key {
                let name = self.text.name(span);
                // Names that differ in bytes may still be the same text.
                if !name.is_ascii() || !self.tags.is_new(base, tag(name)) {
                    return None;
                }
                self.name(name, &mut first);
            } else {
                if !self.tags.is_new(base, span.field.tag) {
                    return None;
                }
                self.own_name(span.field, &mut first);
                let value = self.out.len();
                at = self.value(at - 1, span, group);
                if self.out.len() == value {
                    // A truncated record.
                    self.out.truncate(before);
                    first = begins;
                }
            }
        }
        if key {
            self.empty();
        }
        self.out.push(b'}');
        Some(at)
    }

    fn listed(&mut self, inside: &GroupSpans) -> usize {
        let base = self.members.len();
        self.gather(inside);
        let end = self.members.len();
        self.out.push(b'{');
        let mut begins = true;
        for at in base..end {
            let Some(&JsonMember { name, first: true, next, .. }) = self.members.get(at) else {
                continue;
            };
            if let Some(span) = self.text.span(name) {
                self.name(self.text.name(span), &mut begins);
            }
            match next {
                None => self.member(at, inside.group),
                Some(_) => self.array(at, inside.group),
            }
        }
        self.out.push(b'}');
        self.members.truncate(base);
        inside.range.end
    }

    /// The value of a key without one.
    fn empty(&mut self) {
        json::push_latin(self.out, b"", self.quotes);
    }

    /// A name and a colon; after the first member, with a comma before it.
    fn name(&mut self, name: &[u8], first: &mut bool) {
        if !std::mem::take(first) {
            self.out.push(b',');
        }
        json::push_latin(self.out, name, self.quotes);
        self.out.push(b':');
    }

    /// The same for a field's own name, which is plain ASCII.
    fn own_name(&mut self, field: &Field, first: &mut bool) {
        let begins = usize::from(std::mem::take(first));
        let [before, behind]: [&[u8]; 2] = match self.quotes {
            Quotes::Single => [b",\"", b"\":"],
            Quotes::Doubled => [b",\"\"", b"\"\":"],
        };
        self.out.extend_from_slice(before.get(begins..).unwrap_or_default());
        self.out.extend_from_slice(field.name.as_bytes());
        self.out.extend_from_slice(behind);
    }

    /// The values of a repeated name.
    fn array(&mut self, first: usize, group: Group) {
        let (mut at, mut gap) = (Some(first), b'[');
        while let Some(member) = at {
            self.out.push(gap);
            gap = b',';
            self.member(member, group);
            at = self.members.get(member).and_then(|m| m.next);
        }
        self.out.push(b']');
    }

    fn member(&mut self, at: usize, group: Group) {
        let value = self.members.get(at).and_then(|m| m.value);
        match value.and_then(|value| Some((value, self.text.span(value)?))) {
            Some((value, span)) => _ = self.value(value, span, group),
            None => self.empty(),
        }
    }

    /// A value; returns the index after it. In an infostring, numbers are text too.
    fn value(&mut self, at: usize, span: &Span, within: Group) -> usize {
        match span.node {
            Node::Leaf => {
                self.leaf(span, within);
                at + 1
            }
            Node::Group(Group::List) => match span.shape {
                Shape::Endpoints { .. } => {
                    self.endpoints(span);
                    at + 1
                }
                _ => self.list(at + 1, span.depth + 1),
            },
            Node::Group(Group::Endpoint) => self.endpoint(at),
            Node::Group(group) => self.object(at + 1, span.depth + 1, group),
        }
    }

    fn list(&mut self, mut at: usize, depth: u8) -> usize {
        self.out.push(b'[');
        let begin = self.out.len();
        while let Some(span) = self.text.span(at).filter(|s| s.depth >= depth) {
            at += 1;
            if span.depth != depth || !ValueSource::is_part(span) {
                continue;
            }
            let before = self.out.len();
            self.out.extend_from_slice(if before > begin { b"," } else { b"" });
            let value = self.out.len();
            at = self.value(at - 1, span, Group::List);
            if self.out.len() == value {
                // A truncated record.
                self.out.truncate(before);
            }
        }
        self.out.push(b']');
        at
    }

    fn endpoints(&mut self, span: &Span) {
        self.out.push(b'[');
        let all = span.shape.endpoints(self.text.bytes(span));
        match self.quotes {
            Quotes::Single => push_endpoints(self.out, all, b"\""),
            Quotes::Doubled => push_endpoints(self.out, all, b"\"\""),
        }
        self.out.push(b']');
    }

    fn endpoint(&mut self, at: usize) -> usize {
        let (endpoint, end) = self.text.endpoint(at);
        if let Some(endpoint) = endpoint {
            self.quotes.push(self.out);
            push_endpoint(self.out, endpoint);
            self.quotes.push(self.out);
        }
        end
    }

    fn leaf(&mut self, span: &Span, within: Group) {
        let bytes = self.text.bytes(span);
        if self.text.mask.hides(span) {
            return json::push(self.out, MASK, self.quotes);
        }
        match span.shape {
            Shape::Text | Shape::Utf16 => {
                return json::push_latin(self.out, &span.shape.text(bytes), self.quotes);
            }
            Shape::Decimal if within != Group::Pairs && is_short_number(bytes) => {
                return self.out.extend_from_slice(bytes);
            }
            _ => {}
        }
        match span.shape.value_of(bytes) {
            // Programs that read JSON round longer numbers, most of which are ids.
            Value::Int(number) if within != Group::Pairs && number.unsigned_abs() > EXACT => {
                let is_unsigned = matches!(span.shape, Shape::Unsigned(_));
                self.quotes.push(self.out);
                if is_unsigned {
                    push_number(self.out, number.cast_unsigned());
                } else {
                    push_signed(self.out, number);
                }
                self.quotes.push(self.out);
            }
            Value::Int(number) if within != Group::Pairs => push_signed(self.out, number),
            Value::Ip(ip) => {
                self.quotes.push(self.out);
                push_ip(self.out, ip);
                self.quotes.push(self.out);
            }
            Value::Float(number) if number.is_finite() => {
                self.out.extend_from_slice(number.to_string().as_bytes());
            }
            Value::Float(number) => json::push(self.out, &number.to_string(), self.quotes),
            _ => json::push_latin(self.out, bytes, self.quotes),
        }
    }

    /// Whether there is something to write: not for a truncated record.
    fn is_whole(&self, at: usize, span: &Span) -> bool {
        span.node != Node::Group(Group::Endpoint) || self.text.endpoint(at).0.is_some()
    }

    /// Lists the members of an object after those of the enclosing objects.
    fn gather(&mut self, inside: &GroupSpans) {
        let mut names = MemberNames::new(self.members.len());
        let mut key = false;
        for (at, span) in self.text.parts(inside) {
            if span.field.kind == Kind::Key {
                names.push(self.members, self.text, at, None);
                key = true;
            } else if key {
                if let Some(member) = self.members.last_mut() {
                    member.value = Some(at);
                }
                key = false;
            } else if self.is_whole(at, span) {
                names.push(self.members, self.text, at, Some(at));
            }
        }
    }
}

/// The greatest integer below which every one is exact in a binary number of 64 bits.
const EXACT: u64 = 1 << 53;

/// Whether a text is a number as JSON has it: a few digits, without zeros before them.
fn is_short_number(text: &[u8]) -> bool {
    match text {
        [b'0'..=b'9'] => true,
        [b'1'..=b'9', rest @ ..] if rest.len() < 15 => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
