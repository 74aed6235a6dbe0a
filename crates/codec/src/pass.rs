//! The operations for declarations: everything that a message's walk may do with a [`Pass`].
//!
//! Branches are closures, not `if`s, so that the grammar can enter every one of them and knows
//! where each ends.

use std::fmt::Debug;

use super::coded::{Coded, Coding};
use super::counted::{CountedText, Counting};
use super::decimal::{CommandWord, Decimal};
use super::fault::{Anomaly, Fault, Want};
use super::field::Field;
use super::grammar::ViewLayout;
use super::packed_int::PackedInt;
use super::shape::{Endian, Shape};
use super::span::{Group, Parts, Sink};

/// The result of a walk: continue, or a fault.
pub type Walk = Result<(), Fault>;

/// Anything with a binary form: a message, or the content of a coded layer.
pub trait Body<'a>: Copy + Default + PartialEq + Debug {
    /// Walks the slots in order of their bytes.
    ///
    /// # Errors
    /// The fault at which a pass stops.
    fn walk<P: Pass<'a>>(&mut self, p: &mut P) -> Walk;
}

/// One of several spellings; writers use the first of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spelling {
    /// The bytes.
    pub bytes: &'static [u8],
    /// What is unusual about it.
    pub odd: Option<Anomaly>,
    /// Only if nothing follows it.
    pub last: bool,
}

impl Spelling {
    /// A usual spelling.
    pub const fn new(bytes: &'static [u8]) -> Self {
        let (odd, last) = (None, false);
        Self { bytes, odd, last }
    }

    /// An unusual spelling.
    pub const fn odd(bytes: &'static [u8], odd: Anomaly) -> Self {
        let (odd, last) = (Some(odd), false);
        Self { bytes, odd, last }
    }

    /// The same spelling, allowed only at the end of a payload.
    #[must_use]
    pub const fn last(self) -> Self {
        Self { last: true, ..self }
    }
}

/// The choice among several bodies: readers look at the bytes, writers at the slot, grammars take
/// all.
pub trait Choice: Copy + Default + PartialEq + Debug + 'static {
    /// Every choice, with the condition for it in words.
    const ALL: &'static [(Self, &'static str)];
    /// The choice for the unread bytes.
    fn peek(rest: &[u8]) -> Self;
}

/// The bytes of a value, as they were sent.
pub trait RawBytes<'a>: Copy + Default + PartialEq + Debug {
    /// The value with these bytes.
    fn from_raw(raw: &'a [u8]) -> Self;
    /// Its bytes.
    fn raw(&self) -> &'a [u8];
}

/// A composite value: raw bytes and one private grammar, on which all its passes are based.
pub trait View<'a>: RawBytes<'a> {
    /// What its declaration adds: separators, keys, columns.
    type Form: Copy;
    /// The structure of its parts.
    const GROUP: Group;
    /// The number of bytes at the beginning of `all` that belong to the value.
    ///
    /// *Law:* the value alone has the same length, `len(take(all).raw()) == len(all)`; so a writer
    /// knows that a value will be read back completely.
    fn len(all: &'a [u8], form: Self::Form) -> usize;
    /// The value at the beginning of `all`.
    fn split_off(all: &'a [u8], form: Self::Form) -> Self {
        Self::from_raw(all.get(..Self::len(all, form)).unwrap_or(all))
    }
    /// Why the value ends after `taken` bytes of `all` where it should have continued: an offset in
    /// `all`, and what was expected there.
    fn broken(_taken: usize, _all: &'a [u8], _form: Self::Form) -> Option<(usize, Want)> {
        None
    }
    /// Reports the fields inside, from left to right.
    fn parts<S: Sink>(&self, form: Self::Form, out: &mut Parts<'_, '_, S>);
    /// How its parts are written, for programs that read a grammar.
    fn layout(_form: Self::Form) -> ViewLayout {
        ViewLayout::Opaque
    }
    /// Every field that may be inside, for the catalogue.
    fn fields(form: Self::Form, each: &mut dyn FnMut(&'static Field));
}

/// A byte count before its body; by default the writer computes it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    pub(super) read: Option<u32>,
}

/// How four bytes count those of a body.
#[derive(Debug, Clone, Copy)]
pub struct SizeForm {
    /// The order of the bytes.
    pub order: Endian,
    /// What is added to the count: bytes that it counts besides, and bits that mark the message.
    pub base: u32,
    /// Whether a payload with another count is not this message.
    pub is_exact: bool,
}

impl SizeForm {
    /// The bytes of the body alone.
    pub const fn of_body(order: Endian) -> Self {
        Self { order, base: 0, is_exact: false }
    }
}

/// One walk over a message: reading it, writing it, describing it. Each step fails with the fault
/// at which the walk stops.
#[expect(clippy::missing_errors_doc, reason = "every step fails alike, which the trait says")]
pub trait Pass<'a>: Sized {
    /// These bytes.
    fn lit(&mut self, field: &'static Field, bytes: &'static [u8]) -> Walk;
    /// A literal in any case; the slot keeps the spelling.
    fn stem(
        &mut self,
        field: &'static Field,
        stem: &'static [u8],
        slot: &mut CommandWord<'a>,
    ) -> Walk;
    /// A stem, followed by a byte that is no word byte, or by the end.
    fn word(
        &mut self,
        field: &'static Field,
        word: &'static [u8],
        slot: &mut CommandWord<'a>,
    ) -> Walk;
    /// The longest matching spelling; the slot keeps its index.
    fn one_of(&mut self, field: &'static Field, of: &'static [Spelling], slot: &mut u8) -> Walk;
    /// Bytes up to one of `stop` (not included) or the end.
    fn text(&mut self, field: &'static Field, stop: &'static [u8], slot: &mut &'a [u8]) -> Walk;
    /// Bytes and a required NUL after them.
    fn cstr(&mut self, field: &'static Field, slot: &mut &'a [u8]) -> Walk;
    /// A text with its length in front.
    fn counted(
        &mut self,
        field: &'static Field,
        counting: Counting,
        slot: &mut CountedText<'a>,
    ) -> Walk;
    /// A decimal number, with a sign or without.
    fn decimal(&mut self, field: &'static Field, slot: &mut Decimal<'a>) -> Walk;
    /// A signed number in one to five bytes.
    fn packed(&mut self, field: &'static Field, slot: &mut PackedInt<'a>) -> Walk;
    /// A binary number.
    fn int<T: Int>(&mut self, field: &'static Field, order: Endian, slot: &mut T) -> Walk;
    /// A fixed number of bytes.
    fn raw<const N: usize>(
        &mut self,
        field: &'static Field,
        shape: Shape,
        slot: &mut [u8; N],
    ) -> Walk;
    /// A composite value.
    fn view<V: View<'a>>(&mut self, field: &'static Field, form: V::Form, slot: &mut V) -> Walk;

    /// The unread bytes, which decide about branches; `None` if slots decide.
    fn unread(&self) -> Option<&'a [u8]>;
    /// `body` only if `cond` is true; `cond` depends on slots that were walked before.
    fn when(&mut self, cond: bool, _: &'static str, body: impl FnOnce(&mut Self) -> Walk) -> Walk {
        if cond { body(self) } else { Ok(()) }
    }
    /// `body` only if there are more bytes; the slot keeps that for the writer.
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
    /// The body that the next bytes select; `body` is called once, by grammars for all choices.
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
        form: SizeForm,
        slot: &mut Size,
        body: impl FnOnce(&mut Self) -> Walk,
    ) -> Walk;
    /// The rest of the payload, coded; its content is a payload of its own.
    fn layer<C: Coding, B: Body<'a>>(
        &mut self,
        field: &'static Field,
        coding: C,
        slot: &mut Coded<'a, B>,
    ) -> Walk;

    /// `body` only after `lead`: an optional tail that its first byte announces.
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

/// An integer in binary form.
pub trait Int: Copy + Default {
    /// Its length in bytes.
    const WIDTH: usize;
    /// Whether it may be negative.
    const SIGNED: bool;
    /// The number at the beginning of `bytes`, if there are enough.
    fn from_wire(bytes: &[u8], order: Endian) -> Option<Self>;
    /// Appends its bytes.
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
int!(u8: false, u16: false, u32: false, u64: false, i16: true, i32: true);
