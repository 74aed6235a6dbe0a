//! The vocabulary of a declaration: everything a message's walk may ask of a [`Pass`].
//!
//! Branches are closures, not `if`s, so that the outline can enter every one of them and knows
//! where each ends.

use std::fmt::Debug;

use super::coded::{Coded, Coding};
use super::decimal::{CommandWord, Decimal};
use super::fault::{Anomaly, Fault, Want};
use super::field::Field;
use super::shape::{Endian, Shape};
use super::span::{Group, Parts, Sink};

/// What a walk returns: go on, or a fault.
pub type Walk = Result<(), Fault>;

/// Anything with a wire form: a message, or the inside of a coded layer.
pub trait Body<'a>: Copy + Default + PartialEq + Debug {
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk;
}

/// One spelling of several; the first of a list is the writer's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spelling {
    pub bytes: &'static [u8],
    pub odd: Option<Anomaly>,
    /// Only where nothing follows it.
    pub last: bool,
}

impl Spelling {
    pub const fn of(bytes: &'static [u8]) -> Self {
        let (odd, last) = (None, false);
        Self { bytes, odd, last }
    }

    pub const fn odd(bytes: &'static [u8], odd: Anomaly) -> Self {
        let (odd, last) = (Some(odd), false);
        Self { bytes, odd, last }
    }

    /// The spelling that closes a payload.
    #[must_use]
    pub const fn last(self) -> Self {
        Self { last: true, ..self }
    }
}

/// Which of several bodies follows: readers peek, writers read the slot, outlines take all.
pub trait Choice: Copy + Default + PartialEq + Debug + 'static {
    const ALL: &'static [(Self, &'static str)];
    fn peek(rest: &[u8]) -> Self;
}

/// A composite value: raw bytes plus one private grammar from which all its readings come.
pub trait View<'a>: Copy + Default + PartialEq + Debug {
    type Form: Copy;
    /// How its parts belong together.
    const GROUP: Group;
    /// As much of the front of `all` as belongs to the value.
    ///
    /// *Law:* taking again takes the same, `take(take(all).raw()).raw() == take(all).raw()`; by it
    /// a writer knows that a value will be read back whole.
    fn take(all: &'a [u8], form: Self::Form) -> Self;
    fn raw(&self) -> &'a [u8];
    /// Why the value ends where it does in `all`, where it should have gone on: an offset in `all`,
    /// and what was wanted there.
    fn broken(_all: &'a [u8], _form: Self::Form) -> Option<(usize, Want)> {
        None
    }
    /// Reports the fields inside, from the left.
    fn parts<S: Sink>(&self, form: Self::Form, out: &mut Parts<'_, '_, S>);
    /// Every field that may be inside, for the catalogue.
    fn fields(form: Self::Form, say: &mut dyn FnMut(&'static Field));
}

/// A byte count in front of its body; the default is counted by the writer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    pub(super) read: Option<u32>,
}

/// One walk over a message: reading it, writing it, describing it.
pub trait Pass<'a>: Sized {
    fn lit(&mut self, field: &'static Field, bytes: &'static [u8]) -> Walk;
    /// A literal in any case; the slot keeps the spelling.
    fn stem(
        &mut self,
        field: &'static Field,
        stem: &'static [u8],
        slot: &mut CommandWord<'a>,
    ) -> Walk;
    /// A stem, ended by a byte that no word has, or by the end.
    fn word(
        &mut self,
        field: &'static Field,
        word: &'static [u8],
        slot: &mut CommandWord<'a>,
    ) -> Walk;
    /// The longest spelling that is next; the slot keeps its index.
    fn one_of(&mut self, field: &'static Field, of: &'static [Spelling], slot: &mut u8) -> Walk;
    /// Bytes up to one of `stop` (not taken) or the end.
    fn text(&mut self, field: &'static Field, stop: &'static [u8], slot: &mut &'a [u8]) -> Walk;
    /// Bytes and the NUL that must follow them.
    fn cstr(&mut self, field: &'static Field, slot: &mut &'a [u8]) -> Walk;
    fn decimal(&mut self, field: &'static Field, slot: &mut Decimal<'a>) -> Walk;
    fn int<T: Int>(&mut self, field: &'static Field, order: Endian, slot: &mut T) -> Walk;
    fn raw<const N: usize>(
        &mut self,
        field: &'static Field,
        shape: Shape,
        slot: &mut [u8; N],
    ) -> Walk;
    fn view<V: View<'a>>(&mut self, field: &'static Field, form: V::Form, slot: &mut V) -> Walk;

    /// What is not read yet, by which branches are decided; `None` where slots decide them.
    fn unread(&self) -> Option<&'a [u8]>;
    /// `body` only where `cond` holds; `cond` depends on slots that were walked before.
    fn when(&mut self, cond: bool, _: &'static str, body: impl FnOnce(&mut Self) -> Walk) -> Walk {
        if cond { body(self) } else { Ok(()) }
    }
    /// `body` only where anything is left; the slot remembers it for the writer.
    fn more(
        &mut self,
        slot: &mut bool,
        why: &'static str,
        body: impl FnOnce(&mut Self) -> Walk,
    ) -> Walk {
        if let Some(unread) = self.unread() {
            *slot = !unread.is_empty();
        }
        self.when(*slot, why, body)
    }
    /// The body that the next bytes choose; `body` is called once, outlines call it for all.
    fn choose<C: Choice>(
        &mut self,
        slot: &mut C,
        mut body: impl FnMut(&mut Self, C) -> Walk,
    ) -> Walk {
        if let Some(unread) = self.unread() {
            *slot = C::peek(unread);
        }
        body(self, *slot)
    }
    /// A u32 that counts the bytes of `body`.
    fn sized(
        &mut self,
        field: &'static Field,
        order: Endian,
        slot: &mut Size,
        body: impl FnOnce(&mut Self) -> Walk,
    ) -> Walk;
    /// The rest of the payload, coded; its inside is a payload of its own.
    fn layer<C: Coding, B: Body<'a>>(
        &mut self,
        field: &'static Field,
        coding: C,
        slot: &mut Coded<'a, B>,
    ) -> Walk;

    /// `body` only behind `lead`: an optional tail that its first byte announces.
    fn led(
        &mut self,
        field: &'static Field,
        lead: &'static [Spelling; 2],
        slot: &mut u8,
        why: &'static str,
        body: impl FnOnce(&mut Self) -> Walk,
    ) -> Walk {
        self.one_of(field, lead, slot)?;
        self.when(*slot == 1, why, body)
    }
}

/// An integer of the wire.
pub trait Int: Copy + Default {
    const WIDTH: usize;
    const SIGNED: bool;
    fn from_wire(bytes: &[u8], order: Endian) -> Option<Self>;
    fn to_wire(self, order: Endian, out: &mut Vec<u8>);
}

macro_rules! int {
    ($($t:ty: $signed:literal),+) => {$(
        impl Int for $t {
            const WIDTH: usize = size_of::<$t>();
            const SIGNED: bool = $signed;
            fn from_wire(bytes: &[u8], order: Endian) -> Option<Self> {
                let bytes = *bytes.first_chunk()?;
                Some(match order {
                    Endian::Big => <$t>::from_be_bytes(bytes),
                    Endian::Little => <$t>::from_le_bytes(bytes),
                })
            }
            fn to_wire(self, order: Endian, out: &mut Vec<u8>) {
                match order {
                    Endian::Big => out.extend_from_slice(&self.to_be_bytes()),
                    Endian::Little => out.extend_from_slice(&self.to_le_bytes()),
                }
            }
        }
    )+};
}
int!(u8: false, u16: false, u32: false, i16: true, i32: true);
