//! Values of a message in its bytes, by the names of their fields.

use codec::{Field, Leaf, New, Scratch, Value};
use protocol::{Carrier, Direction, Entry, Protocol};

/// What a datagram is in a protocol; `None` for what no message of it begins with.
pub fn recognised(protocol: &Protocol, bytes: &[u8]) -> Option<&'static Entry> {
    protocols::recognise(protocol, Carrier::Datagram, bytes, Direction::default())
}

/// The number in the first field of this name, or of this key.
pub fn number_in(entry: &Entry, bytes: &[u8], name: &str) -> Option<i64> {
    let mut found = None;
    let mut look = |leaf: &Leaf<'_>| {
        if found.is_none() && is_named(leaf, name) {
            found = match leaf.value() {
                Value::Int(number) => Some(number),
                Value::Bytes(text) => std::str::from_utf8(text).ok()?.trim().parse().ok(),
                Value::Float(_) | Value::Ip(_) => None,
            };
        }
        None
    };
    // Nothing is changed, so nothing can be refused.
    _ = entry.edit(bytes, &mut Scratch::default(), &mut look, &mut Vec::new());
    found
}

/// A copy of a message with another value in the first field of this name, or of this key; `None` if
/// it has no such field, or the field cannot hold the value.
pub fn with_value(entry: &Entry, bytes: &[u8], name: &str, value: &New) -> Option<Vec<u8>> {
    let mut is_first = true;
    with_changes(entry, bytes, |leaf| {
        let is_it = is_first && is_named(leaf, name);
        is_first &= !is_it;
        is_it.then(|| value.clone())
    })
}

/// A copy of a message with the values that `change` returns for its fields; `None` if it returns
/// none, or a field cannot hold its value.
pub fn with_changes(
    entry: &Entry,
    bytes: &[u8],
    mut change: impl FnMut(&Leaf<'_>) -> Option<New>,
) -> Option<Vec<u8>> {
    let (mut out, mut is_found) = (Vec::new(), false);
    let mut change = |leaf: &Leaf<'_>| {
        let new = change(leaf);
        is_found |= new.is_some();
        new
    };
    entry.edit(bytes, &mut Scratch::default(), &mut change, &mut out).ok()?;
    is_found.then_some(out)
}

/// Whether a field has this name, or its value this key.
fn is_named(leaf: &Leaf<'_>, name: &str) -> bool {
    let Field { name: own, .. } = leaf.field;
    if leaf.key.is_empty() { *own == name } else { leaf.key.eq_ignore_ascii_case(name.as_bytes()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocols::{quake3, source};

    #[test]
    fn values_are_read_and_replaced_by_name() {
        let info = b"\xff\xff\xff\xffinfoResponse\n\\challenge\\abc\\clients\\1";
        let entry = recognised(&quake3::PROTOCOL, info).unwrap();
        assert_eq!(number_in(entry, info, "clients"), Some(1));
        assert_eq!(number_in(entry, info, "challenge"), None);
        let other = with_value(entry, info, "challenge", &New::Bytes(b"xyz".to_vec())).unwrap();
        assert_eq!(other, b"\xff\xff\xff\xffinfoResponse\n\\challenge\\xyz\\clients\\1");
        assert_eq!(with_value(entry, info, "nothing", &New::Int(1)), None);
        let given = b"\xff\xff\xff\xffA\x01\0\0\0";
        let entry = recognised(&source::PROTOCOL, given).unwrap();
        assert_eq!(number_in(entry, given, "challenge"), Some(1));
        let other = with_value(entry, given, "challenge", &New::Int(-1)).unwrap();
        assert_eq!(other, b"\xff\xff\xff\xffA\xff\xff\xff\xff");
    }
}
