//! Finds repeated names quickly, in objects of five members and of twenty thousand.

use std::borrow::Cow;
use std::collections::HashMap;

use super::text::ValueSource;
use codec::tag;

/// Hashes of the names of an object and of those around it, to detect a repeated name quickly.
#[derive(Default)]
pub(super) struct Tags(Vec<u64>);

impl Tags {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// How many there are; those of an object begin after those of the enclosing objects.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Whether the name of this tag certainly differs from all since `base`. Large objects are left
    /// to [`MemberNames`].
    pub fn is_new(&mut self, base: usize, tag: u64) -> bool {
        let before = self.0.get(base..).unwrap_or_default();
        let is_new = before.len() < MemberNames::FEW && !before.contains(&tag);
        self.0.push(tag);
        is_new
    }
}

/// One name of an object with its value; positions are indices into the list of members.
pub(super) struct JsonMember {
    /// The span that names it: a key, or the value itself.
    pub name: usize,
    /// The value; a key may have none.
    pub value: Option<usize>,
    /// A hash of the name: members with different tags differ.
    tag: u64,
    /// Whether its name is the first of its kind.
    pub first: bool,
    /// The next member of the same name.
    pub next: Option<usize>,
    /// For a first one: the last member of that name.
    last: usize,
}

/// Finds repeated names in one object: by their tags while they are few, in a table with a keyed
/// hash when they are many.
pub(super) struct MemberNames<'a> {
    base: usize,
    many: HashMap<Cow<'a, str>, usize>,
}

impl<'a> MemberNames<'a> {
    pub const FEW: usize = 64;

    /// Names in members from `base` on.
    pub fn new(base: usize) -> Self {
        Self { base, many: HashMap::new() }
    }

    /// Adds a name, and links it to the previous one that is equal.
    pub fn push(
        &mut self,
        members: &mut Vec<JsonMember>,
        text: ValueSource<'a>,
        name: usize,
        value: Option<usize>,
    ) {
        let called = Self::name_of(text, name);
        let tag = tag(called.as_bytes());
        let this = members.len();
        let first = match this - self.base {
            ..Self::FEW => members
                .iter()
                .enumerate()
                .skip(self.base)
                .find(|(_, m)| m.tag == tag && m.first && Self::name_of(text, m.name) == called)
                .map(|(at, _)| at),
            count => {
                if count == Self::FEW {
                    self.index(members, text);
                }
                let first = *self.many.entry(called).or_insert(this);
                (first != this).then_some(first)
            }
        };
        members.push(JsonMember {
            name,
            value,
            tag,
            first: first.is_none(),
            next: None,
            last: this,
        });
        if let Some(first) = first {
            let tail = members.get_mut(first).map(|m| std::mem::replace(&mut m.last, this));
            if let Some(tail) = tail.and_then(|at| members.get_mut(at)) {
                tail.next = Some(this);
            }
        }
    }

    /// Puts the names so far into the table.
    fn index(&mut self, members: &[JsonMember], text: ValueSource<'a>) {
        for (at, member) in members.iter().enumerate().skip(self.base) {
            self.many.entry(Self::name_of(text, member.name)).or_insert(at);
        }
    }

    fn name_of(text: ValueSource<'a>, at: usize) -> Cow<'a, str> {
        text.span(at).map_or(Cow::Borrowed(""), |span| text::latin(text.name(span)))
    }
}
