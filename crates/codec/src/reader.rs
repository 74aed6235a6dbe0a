//! Reading: typed, with spans, or for an edit; the sink differs, the walk is the same.

use super::coded::{Coded, Coding, Scratch};
use super::counted::{CountedText, Counting};
use super::decimal::{CommandWord, Decimal};
use super::fault::{Anomaly, Fault, Want};
use super::field::Field;
use super::packed_int::PackedInt;
use super::pass::{Body, Int, Pass, Size, SizeForm, Spelling, View, Walk};
use super::shape::{Endian, Shape};
use super::span::{Parts, Sink, unparsed};
use super::swar;

/// The result of reading, why reading stopped before the end, and the unread bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decoded<'a, B> {
    /// The values that were read, and defaults for the rest.
    pub message: B,
    /// Why reading stopped before the end.
    pub fault: Option<Fault>,
    /// The bytes that were not read.
    pub rest: &'a [u8],
}

/// Reads one body from all of `bytes`, and reports to `sink`.
#[inline]
pub fn decode<'a, B: Body<'a>, S: Sink>(
    bytes: &'a [u8],
    scratch: &'a mut Scratch,
    sink: &mut S,
) -> Decoded<'a, B> {
    decode_with(B::walk, bytes, scratch, sink)
}

/// [`decode`] for a type whose walk is this function.
#[inline]
pub fn decode_with<'a, 's, B: Default, S: Sink>(
    walk: impl FnOnce(&mut B, &mut Reader<'a, 's, S>) -> Walk,
    bytes: &'a [u8],
    scratch: &'a mut Scratch,
    sink: &'s mut S,
) -> Decoded<'a, B> {
    scratch.reset();
    let mut reader = Reader { all: bytes, at: 0, layer: 0, scratch, sink };
    let mut message = B::default();
    let got = walk(&mut message, &mut reader).and_then(|()| reader.end());
    let rest = reader.unparsed();
    Decoded { message, fault: got.err(), rest }
}

/// Reads a message and reports its fields to a sink: [`decode`] for one type of message.
pub type ReportFn = fn(&[u8], &mut Scratch, &mut dyn Sink) -> Option<Fault>;

/// The pass that reads bytes.
pub struct Reader<'a, 's, S> {
    all: &'a [u8],
    at: usize,
    layer: u8,
    scratch: &'a Scratch,
    sink: &'s mut S,
}

impl<'a, S: Sink> Reader<'a, '_, S> {
    fn left(&self) -> &'a [u8] {
        self.all.get(self.at..).unwrap_or_default()
    }

    fn fault(&self, want: Want) -> Walk {
        let found = self.left().first().copied();
        Err(Fault { at: self.at, layer: self.layer, want, found })
    }

    fn take_bytes(&mut self, field: &'static Field, shape: Shape, len: usize) -> &'a [u8] {
        let left = self.left();
        let taken = left.get(..len).unwrap_or(left);
        self.sink.leaf(field, shape, self.at, taken);
        self.at += taken.len();
        taken
    }

    fn end(&self) -> Walk {
        if self.left().is_empty() {
            return Ok(());
        }
        self.fault(Want::End)
    }

    fn unparsed(&mut self) -> &'a [u8] {
        self.take_bytes(unparsed(), Shape::Raw, self.left().len())
    }
}

impl<'a, S: Sink> Pass<'a> for Reader<'a, '_, S> {
    fn lit(&mut self, field: &'static Field, bytes: &'static [u8]) -> Walk {
        if !self.left().starts_with(bytes) {
            return self.fault(Want::Literal(bytes));
        }
        self.take_bytes(field, Shape::Text, bytes.len());
        Ok(())
    }

    fn stem(
        &mut self,
        field: &'static Field,
        stem: &'static [u8],
        slot: &mut CommandWord<'a>,
    ) -> Walk {
        let head = self.left().get(..stem.len());
        if !head.is_some_and(|head| swar::is_like(head, stem)) {
            return self.fault(Want::Literal(stem));
        }
        slot.raw = self.take_bytes(field, Shape::Text, stem.len());
        Ok(())
    }

    fn word(
        &mut self,
        field: &'static Field,
        word: &'static [u8],
        slot: &mut CommandWord<'a>,
    ) -> Walk {
        self.stem(field, word, slot)?;
        if self.left().first().is_some_and(|b| is_word_byte(*b)) {
            return self.fault(Want::Boundary);
        }
        Ok(())
    }

    fn one_of(&mut self, field: &'static Field, of: &'static [Spelling], slot: &mut u8) -> Walk {
        let left = self.left();
        let fits = |s: &Spelling| left.starts_with(s.bytes) && (!s.last || left == s.bytes);
        let longest = of.iter().enumerate().filter(|(_, s)| fits(s));
        let Some((index, s)) = longest.max_by_key(|(_, s)| s.bytes.len()) else {
            return self.fault(Want::OneOf(of));
        };
        *slot = index as u8;
        self.take_bytes(field, Shape::Text, s.bytes.len());
        if let Some(odd) = s.odd {
            self.sink.note(odd, self.at - s.bytes.len(), self.at);
        }
        Ok(())
    }

    fn text(&mut self, field: &'static Field, stop: &'static [u8], slot: &mut &'a [u8]) -> Walk {
        *slot = self.take_bytes(field, Shape::Text, until(self.left(), stop));
        Ok(())
    }

    fn cstr(&mut self, field: &'static Field, slot: &mut &'a [u8]) -> Walk {
        let len = until(self.left(), b"\0");
        if len == self.left().len() {
            return self.fault(Want::Stop(0));
        }
        *slot = self.take_bytes(field, Shape::Text, len);
        self.take_bytes(&super::pairs::NUL, Shape::Raw, 1);
        Ok(())
    }

    fn counted(
        &mut self,
        field: &'static Field,
        counting: Counting,
        slot: &mut CountedText<'a>,
    ) -> Walk {
        let all = self.left();
        *slot = match counting.split_off(all) {
            Ok(text) => text,
            Err(want) => return self.fault(want),
        };
        let raw = all.get(..slot.len(counting)).unwrap_or(all);
        Parts::in_view(raw, self.at, self.sink, |parts| slot.parts(field, counting, parts));
        self.at += raw.len();
        Ok(())
    }

    fn decimal(&mut self, field: &'static Field, slot: &mut Decimal<'a>) -> Walk {
        let Some(number) = Decimal::split_off(self.left()) else {
            return self.fault(Want::Number);
        };
        *slot = number;
        self.take_bytes(field, Shape::Decimal, number.digits().len());
        Ok(())
    }

    fn packed(&mut self, field: &'static Field, slot: &mut PackedInt<'a>) -> Walk {
        match PackedInt::split_off(self.left()) {
            Ok(number) => *slot = number,
            Err(want) => return self.fault(want),
        }
        self.take_bytes(field, Shape::PackedInt, slot.bytes().len());
        Ok(())
    }

    fn int<T: Int>(&mut self, field: &'static Field, order: Endian, slot: &mut T) -> Walk {
        let Some(value) = T::from_wire(self.left(), order) else {
            return self.fault(Want::Bytes(T::WIDTH));
        };
        *slot = value;
        self.take_bytes(field, shape::<T>(order), T::WIDTH);
        Ok(())
    }

    fn raw<const N: usize>(
        &mut self,
        field: &'static Field,
        shape: Shape,
        slot: &mut [u8; N],
    ) -> Walk {
        let Some(bytes) = self.left().first_chunk() else {
            return self.fault(Want::Bytes(N));
        };
        *slot = *bytes;
        self.take_bytes(field, shape, N);
        Ok(())
    }

    fn view<V: View<'a>>(&mut self, field: &'static Field, form: V::Form, slot: &mut V) -> Walk {
        let all = self.left();
        *slot = V::split_off(all, form);
        let raw = slot.raw();
        if self.sink.is_on() {
            self.sink.open(field, V::GROUP, self.at);
            Parts::in_view(raw, self.at, self.sink, |parts| slot.parts(form, parts));
            self.sink.close(self.at + raw.len());
        }
        let at = self.at;
        self.at += raw.len();
        match V::broken(raw.len(), all, form) {
            Some((offset, want)) => {
                let found = all.get(offset).copied();
                Err(Fault { at: at + offset, layer: self.layer, want, found })
            }
            None => Ok(()),
        }
    }

    fn unread(&self) -> Option<&'a [u8]> {
        Some(self.left())
    }

    fn sized(
        &mut self,
        field: &'static Field,
        form: SizeForm,
        slot: &mut Size,
        body: impl FnOnce(&mut Self) -> Walk,
    ) -> Walk {
        let Some(value) = u32::from_wire(self.left(), form.order) else {
            return self.fault(Want::Bytes(4));
        };
        let Some(count) = value.checked_sub(form.base) else {
            return self.fault(Want::Boundary);
        };
        let behind = self.left().len() - 4;
        if form.is_exact && behind != count as usize {
            let is_more = behind < count as usize;
            return self.fault(if is_more { Want::Bytes(count as usize) } else { Want::Boundary });
        }
        slot.read = Some(value);
        let bytes = self.left().get(..4).unwrap_or_default();
        self.sink.size(field, shape::<u32>(form.order), self.at, bytes);
        self.at += 4;
        let outer = self.all;
        let inside = self.left().len().min(count as usize);
        if inside != count as usize {
            self.sink.note(Anomaly::Size, self.at - 4, self.at);
        }
        self.all = outer.get(..self.at + inside).unwrap_or(outer);
        let got = body(self).and_then(|()| self.end());
        self.all = outer;
        self.sink.sized();
        got
    }

    fn layer<C: Coding, B: Body<'a>>(
        &mut self,
        field: &'static Field,
        coding: C,
        slot: &mut Coded<'a, B>,
    ) -> Walk {
        let coded = self.left();
        let plain = match self.scratch.fill(|plain| coding.undo(coded, plain)) {
            Some(Ok(plain)) => plain,
            Some(Err(inner)) => {
                self.at += inner.at;
                let got = self.fault(inner.want);
                self.at -= inner.at;
                return got;
            }
            None => return self.fault(Want::Coded),
        };
        if self.sink.is_on() && !coding.is_canonical(coded, plain) {
            let end = self.at + coded.len();
            self.sink.note(Anomaly::NotCanonical, self.at, end);
        }
        slot.coded = Some(coded);
        self.sink.enter(field, self.at, coded);
        let outer = (self.all, self.at + coded.len(), self.layer);
        (self.all, self.at, self.layer) = (plain, 0, self.layer + 1);
        let got = slot.body.walk(self).and_then(|()| self.end());
        self.unparsed();
        (self.all, self.at, self.layer) = outer;
        self.sink.leave(&coding, coded);
        got
    }
}

/// Whether a byte belongs to words: letters, digits, underscore.
pub(super) fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// The number of bytes before the first of `stop`, or of all.
#[inline]
pub(super) fn until(bytes: &[u8], stop: &[u8]) -> usize {
    let found = match *stop {
        [] => None,
        [a] => return swar::find(bytes, a).unwrap_or(bytes.len()),
        [a, b] => memchr::memchr2(a, b, bytes),
        _ => bytes.iter().position(|b| stop.contains(b)),
    };
    found.unwrap_or(bytes.len())
}

fn shape<T: Int>(order: Endian) -> Shape {
    if T::SIGNED { Shape::Signed(order) } else { Shape::Unsigned(order) }
}
