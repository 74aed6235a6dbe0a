//! The fields of messages: the list of all, and where a field of a given name is found.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::datum::{Datum, ValueTest};
use codec::{Field, FieldRole, Group, Halves, Kind, Node, OutlinePart, Span};
use protocol::{Entry, Reading};
use protocols::registry;
use render::Mask;

/// A field requested by its name.
#[derive(Debug, Clone)]
pub(super) struct WantedField {
    /// In lower case.
    name: String,
    /// The declared fields of that name; others may have it as their key.
    declared: Vec<&'static Field>,
    /// How messages may hold one, by their indices in `protocol::entries`.
    holders: Vec<Holder>,
    /// Digits of which one must stand in a text that holds it; empty if any value is wanted.
    digits: Vec<Finder<'static>>,
}

/// How a message may hold a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holder {
    Never,
    /// As a key that stands in the payload.
    Key,
    /// As a declared field without a key, or as a key in a coded text.
    Any,
}

/// A field as `docs/reference/filter-names.md` lists it: all fields with one name, ignoring case.
pub(super) struct FieldListing {
    pub name: &'static str,
    pub means: String,
    /// What its values are: `number`, `number or text`.
    pub holds: String,
}

/// A field and the message that declares it.
struct Declared {
    field: &'static Field,
    entry: usize,
    /// Whether it is the value of its name as a key.
    is_keyed: bool,
}

/// Every field of every message, without unparsed bytes and keys.
static DECLARED: LazyLock<Vec<Declared>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for (index, entry) in registry().entries().iter().enumerate() {
        let mut add = |field: &'static Field, is_keyed| {
            // The name of a secret may be another word than its key, and that of a pattern is none.
            let is_name = field.role != FieldRole::Secret && !field.name.contains('*');
            let is_keyed = is_keyed && is_name && field.is_data();
            all.push(Declared { field, entry: index, is_keyed });
        };
        for line in entry.outline().lines {
            match line.what {
                OutlinePart::Literal(field, _)
                | OutlinePart::OneOf(field, _)
                | OutlinePart::Field(field) => add(field, false),
                OutlinePart::View(field, group, inside) => {
                    add(field, false);
                    let is_keyed = group == Group::Pairs;
                    for field in inside {
                        add(field, is_keyed);
                    }
                }
                OutlinePart::Branch(_) => {}
            }
        }
    }
    all
});

/// Messages with pairs in them, whose keys may be anything.
static KEYED: LazyLock<Vec<Holder>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for (index, entry) in registry().entries().iter().enumerate() {
        let lines = entry.outline().lines;
        let has_views = lines.iter().any(|line| matches!(&line.what, OutlinePart::View(..)));
        let mut declared = DECLARED.iter().filter(|d| d.entry == index);
        all.push(match has_views {
            false => Holder::Never,
            true if declared.any(|d| d.field.kind == Kind::Coded) => Holder::Any,
            true => Holder::Key,
        });
    }
    all
});

/// Every name of a field, sorted.
pub(super) fn listed() -> Vec<FieldListing> {
    let mut by_name: BTreeMap<String, Vec<&'static Field>> = BTreeMap::new();
    for Declared { field, .. } in DECLARED.iter() {
        let same = by_name.entry(field.name.to_ascii_lowercase()).or_default();
        if !same.iter().any(|known| std::ptr::eq(*known, *field)) {
            same.push(field);
        }
    }
    by_name.into_values().filter_map(|same| FieldListing::from_fields(&same)).collect()
}

impl FieldListing {
    fn from_fields(same: &[&'static Field]) -> Option<Self> {
        let first = same.first()?;
        let mut means: Vec<&str> = Vec::new();
        let mut kinds: Vec<&str> = Vec::new();
        for field in same {
            if !means.contains(&field.means) {
                means.push(field.means);
            }
            let kind = kind(field.kind);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        Some(Self { name: first.name, means: means.join("; "), holds: kinds.join(" or ") })
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Number => "number",
        Kind::Address => "address",
        Kind::Group => "group",
        Kind::Coded => "coded",
        Kind::Mark | Kind::Command | Kind::Separator | Kind::Text | Kind::Key | Kind::Unparsed => {
            "text"
        }
    }
}

/// Whether a declared field has this name.
pub(super) fn is_declared(name: &str) -> bool {
    DECLARED.iter().any(|d| d.field.name.eq_ignore_ascii_case(name))
}

/// Whether filters find a field by its name where it has no key.
pub(super) fn is_listed(field: &'static Field) -> bool {
    DECLARED.iter().any(|d| std::ptr::eq(d.field, field) && !d.is_keyed)
}

/// Whether a declared field has this name, or declares a key pattern that matches it. Patterns that
/// begin with a star are left out, because some keys begin with one.
pub(super) fn is_known(name: &str) -> bool {
    let mut patterns = DECLARED.iter().filter(|d| !d.field.name.starts_with('*'));
    is_declared(name) || patterns.any(|d| d.field.is_called(name.as_bytes()))
}

/// The declared field with blanks in its name that is written so with underscores for them; `None` if
/// a field has this name as it stands.
pub(super) fn with_blanks(name: &str) -> Option<&'static str> {
    if !name.contains('_') || is_known(name) {
        return None;
    }
    let is_same = |field: &Field| field.name.replace(' ', "_").eq_ignore_ascii_case(name);
    DECLARED.iter().find(|d| is_same(d.field)).map(|d| d.field.name)
}

impl WantedField {
    /// Fields and keys of this name.
    pub fn new(name: &str) -> Self {
        let mut holders = KEYED.clone();
        let mut declared: Vec<&'static Field> = Vec::new();
        // A name that only matches a pattern is found by its key.
        for d in DECLARED.iter().filter(|d| d.field.name.eq_ignore_ascii_case(name)) {
            if let Some(holder) = holders.get_mut(d.entry).filter(|_| !d.is_keyed) {
                *holder = Holder::Any;
            }
            if !declared.iter().any(|known| std::ptr::eq(*known, d.field)) {
                declared.push(d.field);
            }
        }
        let name = name.to_ascii_lowercase();
        Self { name, declared, holders, digits: Vec::new() }
    }

    /// The same, of which only values that pass a test are wanted.
    pub fn passing(self, test: &ValueTest) -> Self {
        let finder = |digits: &String| Finder::new(digits).into_owned();
        Self { digits: test.digits().iter().map(finder).collect(), ..self }
    }

    /// Whether a message of `entry` may hold a wanted value; others need not be decoded.
    pub fn may_be_in(&self, entry: &'static Entry, payload: &[u8]) -> bool {
        let holder = registry().id_of(entry).and_then(|id| self.holders.get(id.index()));
        match holder {
            Some(Holder::Never) => false,
            Some(Holder::Key) => {
                let has = |digits: &Finder<'_>| digits.find(payload).is_some();
                (self.digits.is_empty() || self.digits.iter().any(has))
                    && has_word(payload, self.name.as_bytes())
            }
            Some(Holder::Any) | None => true,
        }
    }

    /// Whether every field declared under the name is of this kind.
    pub fn is_only(&self, kind: Kind) -> bool {
        !self.declared.is_empty() && self.declared.iter().all(|field| field.kind == kind)
    }

    /// Passes every value of the field in a message to `each`, in order, until that returns true;
    /// returns whether it did.
    pub fn values(
        &self,
        entry: &Entry,
        reading: &Reading,
        payload: &[u8],
        mask: Mask,
        each: &mut dyn FnMut(Datum<'_>) -> bool,
    ) -> bool {
        let all = &reading.spans().all;
        let leaves = Leaves { reading, payload };
        // Whether the preceding key is the requested one.
        let mut is_keyed = false;
        for (at, span) in all.iter().enumerate() {
            if span.field.kind == Kind::Key && span.node == Node::Leaf {
                if is_keyed && each(Datum::There) {
                    return true;
                }
                let key = leaves.bytes(span);
                is_keyed = key.eq_ignore_ascii_case(self.name.as_bytes()) && !mask.hides(span);
                continue;
            }
            let is_declared = self.declared.iter().any(|field| std::ptr::eq(*field, span.field));
            if !is_declared && !span.field.is_data() {
                continue;
            }
            if !std::mem::take(&mut is_keyed) && !is_declared {
                continue;
            }
            let is_enough = match span.node {
                Node::Leaf if mask.hides(span) => each(Datum::Hidden),
                Node::Leaf if span.field.kind == Kind::Coded => each(Datum::There),
                Node::Leaf => {
                    let (bytes, colours) = (leaves.bytes(span), entry.protocol.colours);
                    each(Datum::Leaf { span, bytes, colours })
                }
                Node::Group(_) => leaves.group(span, all.get(at + 1..), each),
            };
            if is_enough {
                return true;
            }
        }
        is_keyed && each(Datum::There)
    }
}

/// Whether a word stands in some bytes, ignoring case.
fn has_word(bytes: &[u8], word: &[u8]) -> bool {
    let Some(first) = word.first() else { return true };
    memchr::memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), bytes).any(|at| {
        bytes.get(at..at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word))
    })
}

/// Where the bytes of spans lie.
#[derive(Clone, Copy)]
struct Leaves<'a> {
    reading: &'a Reading,
    payload: &'a [u8],
}

impl<'a> Leaves<'a> {
    fn bytes(self, span: &Span) -> &'a [u8] {
        self.reading.bytes(self.payload, span)
    }

    /// The values of a group are the endpoints that it is or holds; other groups only exist.
    fn group(
        self,
        group: &Span,
        behind: Option<&[Span]>,
        each: &mut dyn FnMut(Datum<'_>) -> bool,
    ) -> bool {
        if each(Datum::There) {
            return true;
        }
        let inside = behind.unwrap_or_default();
        let len = inside.iter().take_while(|span| span.depth > group.depth).count();
        let inside = inside.get(..len).unwrap_or_default();
        let is_endpoint = |span: &Span| span.node == Node::Group(Group::Endpoint);
        if is_endpoint(group) {
            return self.endpoint(inside).is_some_and(|end| each(Datum::End(end)));
        }
        inside.iter().enumerate().filter(|(_, span)| is_endpoint(span)).any(|(at, span)| {
            let behind = inside.get(at + 1..).unwrap_or_default();
            let len = behind.iter().take_while(|part| part.depth > span.depth).count();
            let end = self.endpoint(behind.get(..len).unwrap_or_default());
            end.is_some_and(|end| each(Datum::End(end)))
        })
    }

    /// Address and port, if both are present.
    fn endpoint(self, parts: &[Span]) -> Option<SocketAddr> {
        let mut halves = Halves::default();
        for span in parts {
            halves.add_leaf(span.shape, self.bytes(span));
        }
        halves.whole()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::datum::number;
    use super::*;
    use text::digits::BILLION;

    /// Passes every documented message to `each`, read as a message of every entry.
    fn read_all(mut each: impl FnMut(&'static Entry, &Reading, &[u8])) {
        for payload in test_data::documented().into_iter().map(|message| message.payload) {
            for entry in registry().entries() {
                let mut reading = Reading::default();
                reading.read_message(entry, &payload);
                each(entry, &reading, &payload);
            }
        }
    }

    /// The keys of a message.
    fn keys<'a>(reading: &'a Reading, payload: &'a [u8]) -> impl Iterator<Item = &'a str> {
        let leaves = Leaves { reading, payload };
        let is_key = |span: &&Span| span.field.kind == Kind::Key && span.node == Node::Leaf;
        let keys = reading.spans().all.iter().filter(is_key);
        keys.filter_map(move |key| std::str::from_utf8(leaves.bytes(key)).ok())
    }

    /// Every key and every value of the documented messages may be in its message, in any case.
    #[test]
    fn no_key_is_overlooked() {
        let mut count = 0;
        read_all(|entry, reading, payload| {
            for name in keys(reading, payload) {
                let wanted = WantedField::new(&name.to_ascii_uppercase());
                assert!(wanted.may_be_in(entry, payload), "{}: {name}", entry.spec.name);
                count += 1;
            }
            let data = reading.spans().all.iter().filter(|span| span.field.is_data());
            for name in data.map(|span| span.field.name).collect::<BTreeSet<_>>() {
                let wanted = WantedField::new(name);
                let mask = Mask::default();
                let is_there = wanted.values(entry, reading, payload, mask, &mut |_| true);
                assert!(!is_there || wanted.may_be_in(entry, payload), "{name}");
            }
        });
        assert!(count > 5_000, "{count}");
    }

    /// No value that passes a test of numbers is overlooked because of its digits.
    #[test]
    fn no_number_is_overlooked() {
        let mut count = 0;
        read_all(|entry, reading, payload| {
            for name in keys(reading, payload) {
                let any = WantedField::new(name);
                any.values(entry, reading, payload, Mask::default(), &mut |datum| {
                    if let Some(number) = number(datum) {
                        let test = ValueTest::Numbers(vec![(number, number)]);
                        let wanted = WantedField::new(name).passing(&test);
                        assert!(wanted.may_be_in(entry, payload), "{name} {number}");
                        count += 1;
                    }
                    false
                });
            }
        });
        assert!(count > 1_500, "{count}");
    }

    #[test]
    fn messages_without_the_digits_of_a_number_are_passed_over() {
        let payload = b"\xff\xff\xff\xffinfoResponse\n\\protocol\\68\\clients\\-3.5";
        let entry = registry().recognise(payload).unwrap();
        for (from, to, may_be) in [
            (68, 68, true),
            (71, 71, false),
            (-3, -3, true),
            (68, 69, true),
            (i128::MIN / BILLION, 5, true),
        ] {
            let test = ValueTest::Numbers(vec![(from * BILLION, to * BILLION)]);
            let wanted = WantedField::new("protocol").passing(&test);
            assert_eq!(wanted.may_be_in(entry, payload), may_be, "{from} to {to}");
        }
    }
}
