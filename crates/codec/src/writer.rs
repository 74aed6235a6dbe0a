//! Writing: the pass that turns slots into bytes, and refuses values that would be read back
//! differently.

use std::io::Write as _;

use super::coded::{Coded, Coding};
use super::counted::{CountedText, Counting};
use super::decimal::{CommandWord, Decimal};
use super::fault::{Fault, Want};
use super::field::Field;
use super::packed_int::PackedInt;
use super::pass::{Body, Int, Pass, Size, SizeForm, Spelling, View, Walk};
use super::reader::until;
use super::shape::{Endian, Shape};

/// Appends the binary form of `body` to `out`.
///
/// # Errors
/// The fault of a value that would be read back differently.
pub fn encode<'a, B: Body<'a>>(mut body: B, out: &mut Vec<u8>) -> Walk {
    body.walk(&mut Writer::new(out))
}

/// The pass that writes.
pub struct Writer<'o> {
    out: &'o mut Vec<u8>,
    layer: u8,
}

impl<'o> Writer<'o> {
    /// A writer that appends to `out`.
    pub fn new(out: &'o mut Vec<u8>) -> Self {
        Self { out, layer: 0 }
    }

    fn put(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    fn put_if(&mut self, faithful: bool, bytes: &[u8]) -> Walk {
        if faithful {
            self.put(bytes);
            return Ok(());
        }
        Err(Fault { at: self.out.len(), layer: self.layer, want: Want::Faithful, found: None })
    }
}

impl<'a> Pass<'a> for Writer<'_> {
    fn lit(&mut self, _: &'static Field, bytes: &'static [u8]) -> Walk {
        self.put(bytes);
        Ok(())
    }

    fn stem(&mut self, _: &'static Field, stem: &'static [u8], slot: &mut CommandWord<'a>) -> Walk {
        self.put(if slot.raw.is_empty() { stem } else { slot.raw });
        Ok(())
    }

    fn word(&mut self, f: &'static Field, word: &'static [u8], slot: &mut CommandWord<'a>) -> Walk {
        self.stem(f, word, slot)
    }

    fn one_of(&mut self, _: &'static Field, of: &'static [Spelling], slot: &mut u8) -> Walk {
        let spelling = of.get(usize::from(*slot));
        self.put_if(spelling.is_some(), spelling.map_or(b"", |s| s.bytes))
    }

    fn text(&mut self, _: &'static Field, stop: &'static [u8], slot: &mut &'a [u8]) -> Walk {
        self.put_if(until(slot, stop) == slot.len(), slot)
    }

    fn cstr(&mut self, _: &'static Field, slot: &mut &'a [u8]) -> Walk {
        self.put_if(!slot.contains(&0), slot)?;
        self.put(b"\0");
        Ok(())
    }

    fn counted(
        &mut self,
        _: &'static Field,
        counting: Counting,
        slot: &mut CountedText<'a>,
    ) -> Walk {
        let bytes = slot.bytes(counting);
        self.put_if(bytes.is_some(), &bytes.unwrap_or_default())
    }

    fn decimal(&mut self, _: &'static Field, slot: &mut Decimal<'a>) -> Walk {
        if slot.digits().is_empty() {
            let _ = write!(self.out, "{}", slot.get());
            return Ok(());
        }
        self.put(slot.digits());
        Ok(())
    }

    fn packed(&mut self, _: &'static Field, slot: &mut PackedInt<'a>) -> Walk {
        self.put(&slot.bytes());
        Ok(())
    }

    fn int<T: Int>(&mut self, _: &'static Field, order: Endian, slot: &mut T) -> Walk {
        slot.to_wire(order, self.out);
        Ok(())
    }

    fn raw<const N: usize>(&mut self, _: &'static Field, _: Shape, slot: &mut [u8; N]) -> Walk {
        self.put(slot);
        Ok(())
    }

    fn view<V: View<'a>>(&mut self, _: &'static Field, form: V::Form, slot: &mut V) -> Walk {
        let raw = slot.raw();
        self.put_if(V::split_off(raw, form).raw().len() == raw.len(), raw)
    }

    fn unread(&self) -> Option<&'a [u8]> {
        None
    }

    fn sized(
        &mut self,
        _: &'static Field,
        form: SizeForm,
        slot: &mut Size,
        body: impl FnOnce(&mut Self) -> Walk,
    ) -> Walk {
        let start = self.out.len();
        slot.read.unwrap_or(0).to_wire(form.order, self.out);
        body(self)?;
        if slot.read.is_none() {
            let tail = self.out.split_off(start + 4);
            self.out.truncate(start);
            form.base.wrapping_add(tail.len() as u32).to_wire(form.order, self.out);
            self.out.extend_from_slice(&tail);
        }
        Ok(())
    }

    fn layer<C: Coding, B: Body<'a>>(
        &mut self,
        _: &'static Field,
        coding: C,
        slot: &mut Coded<'a, B>,
    ) -> Walk {
        if let Some(coded) = slot.coded {
            self.put(coded);
            return Ok(());
        }
        let start = self.out.len();
        self.layer += 1;
        slot.body.walk(self)?;
        self.layer -= 1;
        let plain = self.out.split_off(start);
        coding.apply(&plain, self.out)
    }
}
