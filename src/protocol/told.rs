//! For the tests of protocols: a message as the names and values of its fields.

use super::{Carrier, Direction, Protocol, Reading};
use crate::codec::{Kind, Node, Scratch};

/// The id of the message `bytes` in `protocol`, and `name=value` of each of its values, with its
/// meaning if known. Asserts that it is read to the last byte and written back.
pub(crate) fn decoded_values(protocol: &Protocol, bytes: &[u8]) -> (&'static str, Vec<String>) {
    decoded_values_of(protocol, bytes, Direction::default())
}

/// The same for a message with a known direction.
pub(crate) fn decoded_values_of(
    protocol: &Protocol,
    bytes: &[u8],
    way: Direction,
) -> (&'static str, Vec<String>) {
    let entry = protocol.recognise(Carrier::Datagram, bytes, way).unwrap();
    let mut reading = Reading::default();
    reading.read(entry, bytes);
    assert_eq!(reading.fault(), None, "{entry:?}");
    assert_eq!(reading.spans().notes, [], "{entry:?}");
    let mut out = Vec::new();
    (entry.rewrite)(bytes, &mut Scratch::default(), &mut out).unwrap();
    assert_eq!(out, bytes, "{entry:?}");
    let leaves = reading.spans().all.iter().filter(|s| s.node == Node::Leaf);
    let values = leaves.filter(|s| s.field.is_data() || s.field.kind == Kind::Unparsed);
    let tell = values.map(|span| {
        let value = &bytes[span.start as usize..span.end as usize];
        let text = span.shape.text(value);
        let meaning = span.field.meaning(&text).map(|means| format!(" ({means})"));
        format!("{}={}{}", span.field.name, text.escape_ascii(), meaning.unwrap_or_default())
    });
    (entry.spec.id, tell.collect())
}

/// Asserts the result of `decoded_values`.
pub(crate) fn assert_decodes(protocol: &Protocol, bytes: &[u8], id: &str, values: &[&str]) {
    let (got, told) = decoded_values(protocol, bytes);
    assert_eq!((got, told), (id, values.iter().map(|v| (*v).to_owned()).collect()));
}
