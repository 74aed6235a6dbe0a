//! Doom 3's dictionaries: `key NUL value NUL …`, ended by an empty key, which is not part of them.

use super::fault::{Anomaly, Want};
use super::field::Field;
use super::grammar::ViewLayout;
use super::info::KEY;
use super::keys::Keys;
use super::pass::View;
use super::reader::until;
use super::seen::SeenKeys;
use super::shape::Shape;
use super::span::{Group, Parts, Sink};
use super::swar::{hash, is_like};
use super::view::view;

pub(super) static NUL: Field = Field::terminator("NUL", "ends a string");

view! {
    /// Key and value pairs up to an empty key.
    Pairs
}

view! {
    /// Keys alone, up to an empty one.
    KeyList
}

/// The string at the beginning of `all`; `None` if it has no NUL.
fn string(all: &[u8]) -> Option<&[u8]> {
    all.get(..until(all, b"\0")).filter(|s| s.len() < all.len())
}

/// What is missing after the first `whole` bytes of a list that neither ends nor continues there:
/// the NUL after its last text.
fn unended(all: &[u8], whole: usize) -> Option<(usize, Want)> {
    all.get(whole).filter(|first| **first != 0).map(|_| (all.len(), Want::Stop(0)))
}

impl<'a> Pairs<'a> {
    /// Every key and its value, in order.
    pub fn iter(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let mut left = self.raw;
        std::iter::from_fn(move || {
            let key = string(left).filter(|k| !k.is_empty())?;
            let value = string(left.get(key.len() + 1..)?)?;
            left = left.get(key.len() + value.len() + 2..)?;
            Some((key, value))
        })
    }

    /// The first value of a key, compared without case.
    pub fn get(self, key: &[u8]) -> Option<&'a [u8]> {
        let mut pairs = self.iter();
        pairs.find_map(|(k, value)| is_like(k, key).then_some(value))
    }
}

impl<'a> View<'a> for Pairs<'a> {
    type Form = &'static Keys;
    const GROUP: Group = Group::Pairs;

    fn len(all: &'a [u8], _: Self::Form) -> usize {
        Self::new(all).iter().map(|(k, v)| k.len() + v.len() + 2).sum()
    }

    fn broken(taken: usize, all: &'a [u8], _: Self::Form) -> Option<(usize, Want)> {
        unended(all, taken)
    }

    fn layout(_: &'static Keys) -> ViewLayout {
        ViewLayout::TerminatedPairs { may_be_cut: false }
    }

    fn parts<S: Sink>(&self, keys: Self::Form, out: &mut Parts<'_, '_, S>) {
        let mut seen = SeenKeys::default();
        for (n, (key, value)) in self.iter().enumerate() {
            if !out.wants(key) {
                out.skip_to(out.at() + key.len() + value.len() + 2);
                continue;
            }
            out.leaf(&KEY, Shape::Text, key.len());
            let hash = hash(key);
            if seen.is_repeated(|| self.iter().map(|(key, _)| key), n, key, hash) {
                out.note(Anomaly::DuplicateKey, key.len());
            }
            out.gap(&NUL, Shape::Raw, 1);
            out.leaf(keys.resolve_hashed(key, hash), Shape::Text, value.len());
            out.gap(&NUL, Shape::Raw, 1);
        }
    }

    fn fields(keys: Self::Form, each: &mut dyn FnMut(&'static Field)) {
        keys.iter().for_each(each);
    }
}

impl<'a> KeyList<'a> {
    /// Every key, in order.
    pub fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        let mut left = self.raw;
        std::iter::from_fn(move || {
            let key = string(left).filter(|k| !k.is_empty())?;
            left = left.get(key.len() + 1..)?;
            Some(key)
        })
    }
}

impl<'a> View<'a> for KeyList<'a> {
    type Form = ();
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], (): ()) -> usize {
        Self::new(all).iter().map(|k| k.len() + 1).sum()
    }

    fn broken(taken: usize, all: &'a [u8], (): ()) -> Option<(usize, Want)> {
        unended(all, taken)
    }

    fn parts<S: Sink>(&self, (): (), out: &mut Parts<'_, '_, S>) {
        for key in self.iter() {
            out.leaf(&KEY, Shape::Text, key.len());
            out.gap(&NUL, Shape::Raw, 1);
        }
    }

    fn layout((): ()) -> ViewLayout {
        ViewLayout::Texts { text: &KEY, ends_at_empty: true }
    }

    fn fields((): Self::Form, each: &mut dyn FnMut(&'static Field)) {
        each(&KEY);
    }
}
