//! The keys of a protocol's infostrings, looked up without case.

use std::cmp::Ordering;

use super::field::{Field, FieldRole};
use super::secret::{SECRET_KEYS, secret_field};
use super::swar::{hash, is_like};

/// The fields of a protocol's infostring keys.
#[derive(Debug)]
pub struct Keys {
    /// Sorted by name, without case.
    listed: &'static [Field],
    /// A hash table of the listed names, with linear probing.
    slots: [KeySlot; SLOTS],
    /// Names with a star: `*score` is a suffix, `player_*` is followed by digits, `*_*` ends in an
    /// underscore and digits, `cl_**` is followed by anything. The first match counts.
    patterns: &'static [Field],
    /// The last bytes of keys that match a pattern, without their digits: a bit for each.
    ends: u64,
}

/// An index in the listed names, from 1, and the part of the name's hash that is not in its slot
/// number; 0 if the slot is empty.
type KeySlot = (u8, u8);

/// A power of two, at least twice the number of keys.
const SLOTS: usize = 256;

static UNLISTED: Field =
    Field::text("value", "a value whose key no document lists").role(FieldRole::Free);

impl Keys {
    /// A table for a `static`.
    ///
    /// # Panics
    /// While compiling, if `listed` is not sorted without case, or has a name twice.
    #[expect(clippy::indexing_slicing, reason = "runs at compile time, where a panic is an error")]
    pub const fn new(listed: &'static [Field], patterns: &'static [Field]) -> Self {
        assert!(listed.len() < SLOTS / 2, "few keys are found at once");
        let mut slots = [(0, 0); SLOTS];
        let mut i = 0;
        while i < listed.len() {
            let name = listed[i].name.as_bytes();
            if i > 0 {
                let before = listed[i - 1].name.as_bytes();
                assert!(matches!(compare(before, name), Ordering::Less), "keys are in order, once");
            }
            let (mut at, tag) = slot(hash(name));
            while slots[at].0 != 0 {
                at = (at + 1) % SLOTS;
            }
            i += 1;
            slots[at] = (i as u8, tag);
        }
        let (mut ends, mut i) = (0, 0);
        while i < patterns.len() {
            ends |= match patterns[i].name.as_bytes() {
                [.., b'*', b'*'] | [b'*'] => u64::MAX,
                [.., last, b'*'] | [.., last] => end(*last),
                [] => 0,
            };
            i += 1;
        }
        Self { listed, slots, patterns, ends }
    }

    /// Whether a key is listed, holds a secret, or matches a pattern.
    pub fn contains(&self, key: &[u8]) -> bool {
        !std::ptr::eq(self.resolve(key), &raw const UNLISTED)
    }

    /// The field of a key, or the one for unlisted values. A key in the table of secrets is a
    /// secret in every protocol, whatever patterns it matches.
    pub fn resolve(&self, key: &[u8]) -> &'static Field {
        self.resolve_hashed(key, hash(key))
    }

    /// The same for a key with a known hash.
    #[inline]
    pub(super) fn resolve_hashed(&self, key: &[u8], hash: u64) -> &'static Field {
        self.listed(key, hash).unwrap_or_else(|| self.unlisted(key))
    }

    /// The field of a key that is not listed.
    #[inline(never)]
    fn unlisted(&self, key: &[u8]) -> &'static Field {
        let fitting = || {
            let stem = stem(key);
            let is_end = |name: &[u8]| name.last().is_some_and(|last| self.ends & end(*last) != 0);
            let mut patterns = self.patterns.iter();
            let may_fit = is_end(stem) || is_end(key);
            may_fit.then(|| patterns.find(|f| has_form(f.name, key, stem))).flatten()
        };
        secret_field(key).or_else(fitting).unwrap_or(&UNLISTED)
    }

    #[inline]
    fn listed(&self, key: &[u8], hash: u64) -> Option<&'static Field> {
        let (mut at, tag) = slot(hash);
        loop {
            let (number, of) = *self.slots.get(at)?;
            let field = self.listed.get(usize::from(number).checked_sub(1)?)?;
            let name = field.name.as_bytes();
            if of == tag && is_like(name, key) {
                return Some(field);
            }
            at = (at + 1) % SLOTS;
        }
    }

    /// Every field: listed ones, secrets, and patterns.
    pub fn iter(&self) -> impl Iterator<Item = &'static Field> {
        let secrets = SECRET_KEYS.iter().map(|entry| entry.field);
        self.listed.iter().chain(secrets).chain(self.patterns)
    }
}

/// The slot for a name with this hash, and the other part of the hash.
const fn slot(hash: u64) -> (usize, u8) {
    ((hash >> 40) as usize % SLOTS, (hash >> 48) as u8)
}

/// A bit for a name's last byte, independent of case.
const fn end(last: u8) -> u64 {
    1 << (last & 0x1f)
}

/// Whether `key` matches a pattern: a star at the beginning stands for anything, one at the end for
/// digits, two at the end for anything.
pub fn key_fits(pattern: &str, key: &[u8]) -> bool {
    has_form(pattern, key, stem(key))
}

/// A key without the digits at its end.
fn stem(key: &[u8]) -> &[u8] {
    let digits = key.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    key.get(..key.len() - digits).unwrap_or_default()
}

/// The same for a key with a known stem.
fn has_form(pattern: &str, key: &[u8], stem: &[u8]) -> bool {
    let (pattern, key) = match pattern.as_bytes() {
        [begin @ .., b'*', b'*'] => {
            let head = key.get(..begin.len());
            return head.is_some_and(|head| is_like(head, begin));
        }
        [.., b'*'] if stem.len() == key.len() => return false,
        [pattern @ .., b'*'] => (pattern, stem),
        pattern => (pattern, key),
    };
    let [b'*', end @ ..] = pattern else {
        return is_like(key, pattern);
    };
    // Most differ in their last byte.
    let last = end.last().zip(key.last());
    if last.is_some_and(|(a, b)| !a.eq_ignore_ascii_case(b)) {
        return false;
    }
    let tail = key.len().checked_sub(end.len()).and_then(|at| key.get(at..));
    tail.is_some_and(|tail| is_like(tail, end))
}

#[expect(clippy::indexing_slicing, reason = "const: `get` is not; both lengths are checked")]
const fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let mut i = 0;
    while i < a.len() && i < b.len() {
        let (x, y) = (a[i].to_ascii_lowercase(), b[i].to_ascii_lowercase());
        if x != y {
            return if x < y { Ordering::Less } else { Ordering::Greater };
        }
        i += 1;
    }
    if a.len() == b.len() {
        Ordering::Equal
    } else if a.len() < b.len() {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static LISTED: [Field; 3] =
        [Field::number("clients", ""), Field::text("Map", ""), Field::text("mapname", "")];
    static PATTERNS: [Field; 4] = [
        Field::text("*word", ""),
        Field::text("player_*", ""),
        Field::text("*_*", ""),
        Field::text("cl_**", ""),
    ];

    #[test]
    fn keys_are_found_without_case() {
        let keys = Keys::new(&LISTED, &PATTERNS);
        for (key, name) in [
            ("CLIENTS", "clients"),
            ("map", "Map"),
            ("mapname", "mapname"),
            ("a_word", "*word"),
            ("g_Password", "*passw*"),
            ("cl_guid", "*guid"),
            ("player_17", "player_*"),
            ("player_", "value"),
            ("player_1x", "value"),
            ("Mesh_17", "*_*"),
            ("_1", "*_*"),
            ("mesh1", "value"),
            ("CL_voiceport", "cl_**"),
            ("cl", "value"),
            ("maps", "value"),
            ("", "value"),
        ] {
            assert_eq!(keys.resolve(key.as_bytes()).name, name, "{key}");
            assert_eq!(keys.contains(key.as_bytes()), name != "value", "{key}");
        }
    }
}
