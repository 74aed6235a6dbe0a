//! The values of a message, by the roles of its fields.

use std::borrow::Cow;

use codec::{Field, FieldRole, Group, Kind, Node, Span};
use protocol::{Entry, Reading};
use text::MASK;

/// A value and its role.
#[derive(Debug, Clone)]
pub struct FieldValue {
    /// Its field.
    pub field: &'static Field,
    /// The key before it, if there is one; a mask in place of one that is secret.
    pub key: Vec<u8>,
    /// The value as text.
    pub text: Vec<u8>,
    /// The bytes of the value.
    pub bytes: Vec<u8>,
    /// Whether it is in a record of a list.
    pub listed: bool,
    /// Whether reports must mask it.
    pub secret: bool,
}

impl FieldValue {
    /// Its name in reports: its key, else its field's name.
    pub fn name(&self) -> Cow<'_, str> {
        if self.key.is_empty() {
            Cow::Borrowed(self.field.name)
        } else {
            String::from_utf8_lossy(&self.key)
        }
    }

    fn from_span(span: &Span, key: &[u8], bytes: &[u8], listed: bool) -> Self {
        let text = span.shape.text(bytes).into_owned();
        let (field, secret) = (span.field, span.secret);
        Self { field, key: key.to_vec(), text, bytes: bytes.to_vec(), listed, secret }
    }
}

/// Every leaf but keys, in order, including those of coded ranges.
pub fn field_values(reading: &mut Reading, entry: &Entry, payload: &[u8]) -> Vec<FieldValue> {
    reading.read_message(entry, payload);
    let mut items = Vec::new();
    let mut key: Vec<u8> = Vec::new();
    // The depth of the current record.
    let mut record = None;
    for span in &reading.spans().all {
        if record.is_some_and(|depth| span.depth <= depth) {
            record = None;
        }
        let bytes = reading.bytes(payload, span);
        match (span.node, span.field.kind) {
            (Node::Group(Group::Endpoint | Group::Record), _) => record = Some(span.depth),
            (Node::Group(_), _) | (Node::Leaf, Kind::Coded) => {}
            (Node::Leaf, Kind::Key) if span.secret => MASK.as_bytes().clone_into(&mut key),
            (Node::Leaf, Kind::Key) => bytes.clone_into(&mut key),
            (Node::Leaf, Kind::Separator) => {
                items.push(FieldValue::from_span(span, b"", bytes, record.is_some()));
            }
            (Node::Leaf, _) => {
                items.push(FieldValue::from_span(span, &key, bytes, record.is_some()));
                key.clear();
            }
        }
    }
    items
}

/// The first value with this role that is not empty, as text.
pub fn value_with_role(items: &[FieldValue], role: FieldRole) -> Option<&[u8]> {
    let item = items.iter().find(|i| i.field.role == role && !i.text.is_empty())?;
    Some(&item.text)
}

/// The challenge of a request: by its role, or as its declaration finds it.
pub fn challenge_of(reading: &mut Reading, entry: &Entry, payload: &[u8]) -> Option<Vec<u8>> {
    let declared = entry.spec.challenge.and_then(|find| find(payload)).map(<[u8]>::to_vec);
    declared.or_else(|| {
        value_with_role(&field_values(reading, entry, payload), FieldRole::Challenge)
            .map(<[u8]>::to_vec)
    })
}

/// A message with one more pair in front of the first one of its infostring; `None` if it has none,
/// or would be read otherwise with it.
pub fn with_pair(
    reading: &mut Reading,
    entry: &Entry,
    own: &[u8],
    key: &[u8],
    value: &[u8],
) -> Option<Vec<u8>> {
    reading.walk(entry, own);
    let mut announces = reading.spans().all.iter().filter(|s| s.node == Node::Leaf && s.layer == 0);
    let first = announces.find(|s| s.field.kind == Kind::Key)?;
    let (before, behind) = own.split_at_checked(first.start as usize)?;
    let separator = *own.get(first.end as usize)?;
    let between = [separator];
    let answer = [before, key, &between, value, &between, behind].concat();
    let items = field_values(reading, entry, &answer);
    let there = items.iter().any(|i| i.key == key && i.text == value);
    (there && reading.fault().is_none()).then_some(answer)
}
