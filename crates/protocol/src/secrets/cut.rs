//! Names of secrets' keys that are split by field boundaries, if a sender puts a text in place of
//! addresses or numbers: `\rcon_password\…` parsed as records of seven bytes.

use codec::{Node, Shape, Span, is_secret_key};

/// The longest name that is searched for, in bytes, on each side of a boundary.
const LONGEST: usize = 64;
/// The shortest: numbers look like shorter words by chance.
const SHORTEST: usize = 4;
/// How many letters of its value have to follow a name, if there are so many bytes.
const VALUE: usize = 3;

/// Whether a name of a secret's key, with a possible value after it, begins or ends in a number or
/// an address of a layer. `bytes` is the layer, `spans` are all spans of the message.
pub(super) fn names_secret_in_numbers(bytes: &[u8], spans: &[Span], layer: u8) -> bool {
    let mut after_number = false;
    // A list of addresses may be one span.
    let is_list = |s: &Span| matches!(s.shape, Shape::Endpoints { .. });
    let parts = spans.iter().filter(|s| s.layer == layer && s.start < s.end);
    parts.filter(|s| s.node == Node::Leaf || is_list(s)).any(|span| {
        let is_number = is_list(span) || span.shape != Shape::Text && span.field.is_data();
        let named = (is_number || after_number) && is_named_at(bytes, span.start as usize);
        after_number = is_number;
        named
    })
}

/// Whether there is a name at a boundary, or on both sides of it.
fn is_named_at(bytes: &[u8], at: usize) -> bool {
    let Some((before, behind)) = bytes.split_at_checked(at) else {
        return false;
    };
    let is_part = |b: &&u8| b.is_ascii_alphanumeric() || matches!(**b, b'_' | b'-');
    let before = before.iter().rev().take(LONGEST).take_while(is_part).count();
    let behind = behind.iter().take(LONGEST).take_while(is_part).count();
    let name = bytes.get(at - before..at + behind).unwrap_or_default();
    name.len() >= SHORTEST && is_secret_key(name) && has_value(bytes, at + behind)
}

fn has_value(bytes: &[u8], at: usize) -> bool {
    let value = bytes.get(at + 1..).unwrap_or_default();
    !value.is_empty() && value.iter().take(VALUE).all(|b| matches!(b, b' '..=b'~'))
}
