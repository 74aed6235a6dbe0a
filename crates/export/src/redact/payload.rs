//! A message's payload with pseudonyms, of the same length.

use std::collections::HashSet;
use std::net::{IpAddr, SocketAddr};

use super::Redactor;
use super::addresses::Addresses;
use super::pseudonym::Secret;
use super::text::{Rewritten, rewritten};
use codec::{Field, FieldRole, Kind, Leaf, New, OutlinePart, Shape, Value, is_yes_or_no};
use protocol::{Entry, Reading, contains_secret};

/// Names that every machine has for itself.
const OWN_NAMES: [&[u8]; 2] = [b"localhost", b"loopback"];

/// The keys that a protocol lists, in lower case.
pub(super) struct ListedKeys(HashSet<Vec<u8>>);

impl ListedKeys {
    pub fn from_entries(entries: &[&Entry]) -> Self {
        let outlines = entries.iter().flat_map(|e| e.outline().lines);
        let fields = outlines.flat_map(|line| match line.what {
            OutlinePart::View(_, _, fields) => fields,
            _ => Vec::new(),
        });
        Self(fields.map(|f| f.name.to_ascii_lowercase().into_bytes()).collect())
    }

    /// Whether a key identifies nobody: it is listed, or looks like a setting's name in a complete
    /// message. In a truncated one a value may stand where a key should.
    fn keeps(&self, key: &[u8], torn: bool) -> bool {
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || b"_.*-[]".contains(b);
        let numbered = key.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let stem = key.get(..key.len() - numbered).unwrap_or_default();
        let lower = |key: &[u8]| key.to_ascii_lowercase();
        self.0.contains(&lower(key))
            || self.0.contains(&[&lower(stem), b"*".as_slice()].concat())
            || !torn && key.len() <= 32 && key.iter().all(is_name)
    }
}

impl Redactor {
    /// Writes the payload of an entry's message with pseudonyms to `out`. If secrets cannot be
    /// located for certain, or pseudonyms do not fit, it becomes zeros.
    pub(super) fn payload(&mut self, entry: &Entry, payload: &[u8]) {
        self.reading.read_message(entry, payload);
        // First with pseudonyms; then with constant filler if a coded range is too small for them.
        // One filler for unclaimed bytes may decode as a missing field; the other then does not.
        let ways = [false, true].into_iter().flat_map(|fill| [(fill, b'0'), (fill, b'.')]);
        let done = !self.reading.has_misplaced_secret()
            && ways.into_iter().any(|(fill, filler)| self.rewrite(entry, payload, fill, filler));
        if !done {
            self.out.clear();
            self.out.resize(payload.len(), 0);
        }
    }

    /// Whether the payload could be rewritten; `fill`: with filler in coded ranges, because
    /// pseudonyms would need more space; `filler`: what replaces bytes that no field claims.
    fn rewrite(&mut self, entry: &Entry, payload: &[u8], fill: bool, filler: u8) -> bool {
        let Self { addresses, secret, known, reading, scratch, out } = self;
        let torn = is_torn(reading);
        let mut change = |leaf: &Leaf<'_>| {
            if leaf.field.kind == Kind::Unparsed {
                return Some(New::Bytes(vec![filler; leaf.bytes.len()]));
            }
            let new = pseudonym(leaf, addresses, *secret, known, torn)?;
            match new {
                New::Bytes(_) if fill && leaf.layer > 0 => {
                    Some(New::Bytes(Secret::filler(leaf.bytes)))
                }
                new => Some(new),
            }
        };
        if entry.edit(payload, scratch, &mut change, out).is_err() || out.len() > payload.len() {
            return false;
        }
        if out.len() < payload.len() {
            // Only a coded range can be shorter now, and decoders stop where its text ends.
            out.resize(payload.len(), 0);
            let fault = (entry.check)(out, scratch).map(|f| f.want);
            return fault == reading.fault().map(|f| f.want);
        }
        true
    }
}

fn is_torn(reading: &Reading) -> bool {
    let filler = |field: &Field| field.kind == Kind::Unparsed;
    reading.fault().is_some() || reading.spans().all.iter().any(|s| filler(s.field))
}

/// The replacement of a leaf; `None` if it is kept.
fn pseudonym(
    leaf: &Leaf<'_>,
    addresses: &mut Addresses,
    secret: Secret,
    known: &ListedKeys,
    torn: bool,
) -> Option<New> {
    let Leaf { field, shape, bytes, .. } = *leaf;
    let another = || Some(New::Bytes(secret.text(bytes)));
    if bytes.is_empty() {
        return None;
    }
    let without_addresses = |addresses: &mut Addresses| match rewritten(bytes, addresses) {
        Rewritten::Same => None,
        Rewritten::With(new) => Some(New::Bytes(new)),
        Rewritten::NoSpace => another(),
    };
    match (field.kind, field.role) {
        (Kind::Mark | Kind::Command | Kind::Separator, _) => None,
        (Kind::Key, _) if known.keeps(bytes, torn) => without_addresses(addresses),
        (_, FieldRole::Address) => match leaf.value() {
            Value::Ip(ip) => Some(New::Ip(addresses.ip(ip))),
            _ if OWN_NAMES.contains(&bytes) => None,
            _ => address(bytes, addresses).or_else(another),
        },
        // It only says whether there is a password.
        (_, FieldRole::Secret) if !leaf.key.is_empty() && is_yes_or_no(bytes) => None,
        (_, FieldRole::Secret | FieldRole::Person)
            if matches!(shape, Shape::Unsigned(_) | Shape::Signed(_)) =>
        {
            // Characters as the digits of a number that fits into as many bytes.
            let text = secret.text(bytes);
            let number = text.iter().fold(0_i64, |number, b| number << 8 | i64::from(b & 0x7f));
            Some(New::Int(number))
        }
        // Nobody has a negative number.
        (_, FieldRole::Location) if shape == Shape::PackedInt => Some(New::Int(-1)),
        (
            _,
            FieldRole::Secret
            | FieldRole::Person
            | FieldRole::Host
            | FieldRole::Name
            | FieldRole::Location,
        )
        | (Kind::Key, _) => another(),
        (_, FieldRole::Free) if is_small(bytes) || field.explain(bytes).is_some() => None,
        (_, FieldRole::Free) => another(),
        // A text in place of a number may be anything.
        (Kind::Number, _) if is_text(shape) && !is_number(bytes) => another(),
        _ if shape == Shape::Text && contains_secret(bytes) => another(),
        _ if shape == Shape::Text => without_addresses(addresses),
        _ => None,
    }
}

/// Whether a number of this shape is written in characters.
fn is_text(shape: Shape) -> bool {
    matches!(shape, Shape::Text | Shape::Decimal | Shape::HexNumber)
}

/// An address in text, with or without a port, of the same length.
fn address(text: &[u8], addresses: &mut Addresses) -> Option<New> {
    let words = std::str::from_utf8(text).ok()?;
    let new = if let Ok(ip) = words.parse::<IpAddr>() {
        addresses.ip(ip).to_string()
    } else {
        let end: SocketAddr = words.parse().ok()?;
        SocketAddr::new(addresses.ip(end.ip()), end.port()).to_string()
    };
    (new.len() == text.len()).then(|| New::Bytes(new.into_bytes()))
}

/// A setting: a number too short to identify anybody.
fn is_small(text: &[u8]) -> bool {
    text.len() <= 4 && text.iter().all(|b| b.is_ascii_digit() || b".-".contains(b))
}

fn is_number(text: &[u8]) -> bool {
    let text = std::str::from_utf8(text).ok();
    text.is_some_and(|text| text.trim().parse::<f64>().is_ok_and(f64::is_finite))
}
