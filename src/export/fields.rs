//! A message's values as one JSON object, written from its spans.
//!
//! Names stand in the order of the wire. Groups become what they are: an infostring an object
//! whose values are text, a list an array, a record an object, an endpoint `"ADDRESS:PORT"`. The
//! inside of a coded range stands in the range's place. A name that comes again at the same level
//! makes its value an array, where it stood first. What holds a message together (marks, blanks,
//! the command), strays and records cut short are not values and do not appear.

mod names;

use std::borrow::Cow;
use std::net::{IpAddr, SocketAddr};
use std::ops::Range;

use self::names::{Member, Names};
use super::digits::{push_endpoint, push_ip, push_signed};
use super::json;
use crate::dump::{self, MASK, Mask};
use crate::proto::Reading;
use crate::wire::{Group, Kind, Node, Span, Value};

/// Writes the values of messages, in room that is used again for each.
#[derive(Default)]
pub struct Fields {
    out: String,
    members: Vec<Member>,
}

impl Fields {
    /// The values of `payload` as `reading` has read it: valid JSON on one line.
    pub fn write(&mut self, reading: &Reading, payload: &[u8], mask: Mask) -> &str {
        self.out.clear();
        self.members.clear();
        let spans = &reading.spans().all;
        let text = Text { spans, layers: [payload, reading.layer(payload, 1)], mask };
        let mut writer = Writer { text, out: &mut self.out, members: &mut self.members };
        writer.object(&text.top());
        &self.out
    }
}

/// Where values are read from.
#[derive(Clone, Copy)]
struct Text<'a> {
    spans: &'a [Span],
    layers: [&'a [u8]; 2],
    mask: Mask,
}

/// The spans inside of a group, and how deep they lie.
#[derive(Clone)]
struct Inside {
    range: Range<usize>,
    depth: u8,
    group: Group,
}

impl<'a> Text<'a> {
    fn span(&self, at: usize) -> Option<&'a Span> {
        self.spans.get(at)
    }

    fn bytes(&self, span: &Span) -> &'a [u8] {
        let layer = self.layers.get(usize::from(span.layer)).copied().unwrap_or_default();
        layer.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The whole message, as a record.
    fn top(&self) -> Inside {
        Inside { range: 0..self.spans.len(), depth: 0, group: Group::Record }
    }

    fn inside(&self, at: usize, group: Group) -> Inside {
        let depth = self.span(at).map_or(0, |s| s.depth);
        let rest = self.spans.get(at + 1..).unwrap_or_default();
        let len = rest.iter().take_while(|s| s.depth > depth).count();
        Inside { range: at + 1..at + 1 + len, depth: depth + 1, group }
    }

    /// The keys and values of a group, without what lies deeper.
    fn parts(&self, inside: &Inside) -> impl Iterator<Item = (usize, &'a Span)> + use<'a> {
        let Inside { range, depth, .. } = inside.clone();
        let spans = self.spans.get(range.clone()).unwrap_or_default();
        range.zip(spans).filter(move |(_, s)| {
            s.depth == depth
                && s.field.kind != Kind::Coded
                && (s.field.kind == Kind::Key || s.field.is_data())
        })
    }

    /// What the object calls a member.
    fn name(&self, at: usize) -> Cow<'a, str> {
        match self.span(at) {
            Some(span) if span.field.kind == Kind::Key && self.mask.hides(span) => {
                Cow::Borrowed(MASK)
            }
            Some(span) if span.field.kind == Kind::Key => dump::latin(self.bytes(span)),
            Some(span) => Cow::Borrowed(span.field.name),
            None => Cow::Borrowed(""),
        }
    }

    /// Address and port of an endpoint that has both.
    fn endpoint(&self, at: usize) -> Option<SocketAddr> {
        let (mut ip, mut port): (Option<IpAddr>, Option<u16>) = (None, None);
        for (_, span) in self.parts(&self.inside(at, Group::Endpoint)) {
            match span.shape.read(self.bytes(span)) {
                Value::Ip(value) => ip = Some(value),
                Value::Int(value) => port = u16::try_from(value).ok(),
                Value::Bytes(_) | Value::Float(_) => {}
            }
        }
        Some(SocketAddr::new(ip?, port?))
    }
}

struct Writer<'a, 'r> {
    text: Text<'a>,
    out: &'r mut String,
    members: &'r mut Vec<Member>,
}

impl Writer<'_, '_> {
    fn object(&mut self, inside: &Inside) {
        let base = self.members.len();
        self.gather(inside);
        let end = self.members.len();
        self.out.push('{');
        let mut gap = "";
        for at in base..end {
            let Some(&Member { name, first: true, next, .. }) = self.members.get(at) else {
                continue;
            };
            self.out.push_str(gap);
            gap = ",";
            json::push_text(self.out, &self.text.name(name));
            self.out.push(':');
            match next {
                None => self.member(at, inside.group),
                Some(_) => self.array(at, inside.group),
            }
        }
        self.out.push('}');
        self.members.truncate(base);
    }

    /// The values of a name that came more than once.
    fn array(&mut self, first: usize, group: Group) {
        let (mut at, mut gap) = (Some(first), '[');
        while let Some(member) = at {
            self.out.push(gap);
            gap = ',';
            self.member(member, group);
            at = self.members.get(member).and_then(|m| m.next);
        }
        self.out.push(']');
    }

    fn member(&mut self, at: usize, group: Group) {
        match self.members.get(at).and_then(|m| m.value) {
            Some(value) => self.value(value, group),
            None => self.out.push_str("\"\""),
        }
    }

    /// A value; in an infostring, numbers are text too.
    fn value(&mut self, at: usize, within: Group) {
        let Some(span) = self.text.span(at) else {
            return;
        };
        match span.node {
            Node::Group(Group::List) => self.list(&self.text.inside(at, Group::List)),
            Node::Group(Group::Endpoint) => self.endpoint(at),
            Node::Group(group) => self.object(&self.text.inside(at, group)),
            Node::Leaf => self.leaf(span, within),
        }
    }

    fn list(&mut self, inside: &Inside) {
        self.out.push('[');
        let mut gap = "";
        for (at, _) in self.text.parts(inside) {
            let before = self.out.len();
            self.out.push_str(gap);
            let begin = self.out.len();
            self.value(at, Group::List);
            if self.out.len() > begin {
                gap = ",";
            } else {
                // A record that is cut short.
                self.out.truncate(before);
            }
        }
        self.out.push(']');
    }

    fn endpoint(&mut self, at: usize) {
        if let Some(endpoint) = self.text.endpoint(at) {
            self.out.push('"');
            push_endpoint(self.out, endpoint);
            self.out.push('"');
        }
    }

    fn leaf(&mut self, span: &Span, within: Group) {
        let bytes = self.text.bytes(span);
        match span.shape.read(bytes) {
            _ if self.text.mask.hides(span) => json::push_text(self.out, MASK),
            Value::Int(number) if within != Group::Pairs => push_signed(self.out, number),
            Value::Ip(ip) => {
                self.out.push('"');
                push_ip(self.out, ip);
                self.out.push('"');
            }
            Value::Float(number) if number.is_finite() => self.out.push_str(&number.to_string()),
            Value::Float(number) => json::push_text(self.out, &number.to_string()),
            _ => json::push_text(self.out, &dump::latin(bytes)),
        }
    }

    /// Whether there is something to write: a record cut short is none.
    fn is_whole(&self, at: usize, span: &Span) -> bool {
        span.node != Node::Group(Group::Endpoint) || self.text.endpoint(at).is_some()
    }

    /// Lists the members of an object behind those of the objects around it.
    fn gather(&mut self, inside: &Inside) {
        let mut names = Names::new(self.members.len());
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

#[cfg(test)]
mod tests;
