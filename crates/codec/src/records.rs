//! Binary records of fixed parts, one after the other, up to a byte that begins no record: id
//! Tech 4's player lists, up to the id 32. A record with a number beyond the limits of the game's
//! own programs is invalid: the list ends there with a fault.

use super::counted::{CountedPairs, Counting};
use super::fault::{Limit, Want};
use super::field::{Field, Kind};
use super::grammar::ViewLayout;
use super::keys::Keys;
use super::packed_int::PackedInt;
use super::pairs::NUL;
use super::pass::View;
use super::reader::until;
use super::shape::{Shape, Value};
use super::span::{Group, Parts, Sink};
use super::view::view;

/// One part of a record.
#[derive(Debug, Clone, Copy)]
pub struct RecordPart {
    /// Its meaning.
    pub field: &'static Field,
    /// Its length.
    pub width: Width,
    /// The maximum number, or number of bytes of text, in the game's own programs.
    pub most: Option<u32>,
}

/// The length of a part.
#[derive(Debug, Clone, Copy)]
pub enum Width {
    /// This many bytes, with this shape.
    Bytes(usize, Shape),
    /// A signed number in one to five bytes.
    Packed,
    /// Text with a NUL after it.
    Text,
    /// Text with its length in front.
    Counted(Counting),
    /// A byte that says how many pairs of such texts follow.
    Pairs(Counting, &'static Keys),
}

/// The parts of every record, in order, and where the list ends.
#[derive(Debug, Clone, Copy)]
pub struct RecordForm {
    /// The field of a whole record.
    pub record: &'static Field,
    /// The parts of every record, in order.
    pub members: &'static [RecordPart],
    /// Where the list ends.
    pub end: RecordsEnd,
}

/// Where a list of records ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordsEnd {
    /// Before this byte, which begins no record.
    Byte(u8),
    /// With the payload.
    Rest,
    /// After so many records.
    Count(u8),
}

static COUNT: Field = Field::separator("count", "how many pairs follow");

view! {
    /// Records up to the byte that ends them, which is not included.
    Records
}

impl RecordPart {
    /// Its length at the beginning of `left`, or what is expected there instead.
    #[inline]
    fn len_at(self, left: &[u8]) -> Result<usize, Want> {
        let (len, cut) = match self.width {
            Width::Bytes(len, _) => (len, Want::Bytes(len)),
            Width::Packed => (PackedInt::split_off(left)?.bytes().len(), Want::End),
            Width::Text => (until(left, b"\0") + 1, Want::Stop(0)),
            Width::Counted(counting) => (counting.split_off(left)?.len(counting), Want::End),
            Width::Pairs(counting, _) => (CountedPairs::len_of_some(left, counting)?, Want::End),
        };
        let taken = left.get(..len).ok_or(cut)?;
        let size = match self.width {
            Width::Text => len.cast_signed() as i64 - 1,
            Width::Bytes(_, shape) => number(shape, taken),
            Width::Packed => number(Shape::PackedInt, taken),
            Width::Counted(_) | Width::Pairs(..) => len.cast_signed() as i64,
        };
        match self.most {
            Some(most) if size > i64::from(most) => Err(self.limit(most)),
            _ => Ok(len),
        }
    }

    fn limit(self, most: u32) -> Want {
        let bytes = !matches!(self.width, Width::Bytes(..) | Width::Packed);
        Want::Most(Limit { field: self.field.name, most, bytes })
    }

    /// The same part with the maximum of the game's own programs.
    #[must_use]
    pub const fn most(self, most: u32) -> Self {
        Self { most: Some(most), ..self }
    }
}

impl RecordForm {
    /// How many records there are at most.
    fn most(self) -> usize {
        match self.end {
            RecordsEnd::Count(count) => count.into(),
            RecordsEnd::Byte(_) | RecordsEnd::Rest => usize::MAX,
        }
    }

    /// The length of the record at the beginning of `left`; `None` if the list ends there, or the
    /// offset of an invalid part.
    fn next(self, left: &[u8]) -> Result<Option<usize>, (usize, Want)> {
        if left.first().is_none_or(|first| self.end == RecordsEnd::Byte(*first)) {
            return Ok(None);
        }
        let mut at = 0;
        for member in self.members {
            at += member.len_at(left.get(at..).unwrap_or_default()).map_err(|want| (at, want))?;
        }
        Ok((at > 0).then_some(at))
    }
}

impl Records<'_> {
    /// Number of complete records.
    pub fn count(self, form: RecordForm) -> usize {
        self.lengths(form).count()
    }

    /// The length of each complete record.
    fn lengths(self, form: RecordForm) -> impl Iterator<Item = usize> {
        let mut left = self.raw;
        std::iter::from_fn(move || {
            let len = form.next(left).ok()??;
            left = left.get(len..)?;
            Some(len)
        })
        .take(form.most())
    }
}

impl<'a> View<'a> for Records<'a> {
    type Form = RecordForm;
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], form: RecordForm) -> usize {
        Self::new(all).lengths(form).sum()
    }

    fn broken(_taken: usize, all: &'a [u8], form: RecordForm) -> Option<(usize, Want)> {
        let mut whole = 0;
        for _ in 0..form.most() {
            match form.next(all.get(whole..)?) {
                Ok(Some(len)) => whole += len,
                Ok(None) => {
                    let is_missing = matches!(form.end, RecordsEnd::Count(_));
                    return is_missing.then_some((whole, Want::Bytes(1)));
                }
                Err((at, want)) => return Some((whole + at, want)),
            }
        }
        None
    }

    fn parts<S: Sink>(&self, form: RecordForm, out: &mut Parts<'_, '_, S>) {
        for _ in self.lengths(form) {
            out.open(form.record, Group::Record);
            for member in form.members {
                let left = self.raw.get(out.at()..).unwrap_or_default();
                let len = member.len_at(left).unwrap_or_default();
                match member.width {
                    Width::Bytes(_, shape) => out.leaf(member.field, shape, len),
                    Width::Packed => out.leaf(member.field, Shape::PackedInt, len),
                    Width::Text => {
                        out.leaf(member.field, Shape::Text, len.saturating_sub(1));
                        out.gap(&NUL, Shape::Raw, 1);
                    }
                    Width::Counted(counting) => {
                        let text = counting.split_off(left).unwrap_or_default();
                        text.parts(member.field, counting, out);
                    }
                    Width::Pairs(counting, keys) => {
                        out.gap(&COUNT, Shape::Raw, 1);
                        let pairs = left.get(1..len).unwrap_or_default();
                        out.open(member.field, Group::Pairs);
                        CountedPairs::new(pairs).parts((counting, keys), out);
                        out.close();
                    }
                }
            }
            out.close();
        }
    }

    fn layout(form: RecordForm) -> ViewLayout {
        ViewLayout::Records(form)
    }

    fn fields(form: Self::Form, each: &mut dyn FnMut(&'static Field)) {
        for member in form.members {
            each(member.field);
            if let Width::Pairs(_, keys) = member.width {
                keys.iter().for_each(&mut *each);
            }
        }
    }
}

/// The number in a part; 0 if it has none.
fn number(shape: Shape, bytes: &[u8]) -> i64 {
    match shape.value_of(bytes) {
        Value::Int(number) => number,
        _ => 0,
    }
}

/// A part of `len` bytes.
pub const fn bytes(field: &'static Field, len: usize, shape: Shape) -> RecordPart {
    RecordPart { field, width: Width::Bytes(len, shape), most: None }
}

/// A part with a packed number.
pub const fn packed(field: &'static Field) -> RecordPart {
    RecordPart { field, width: Width::Packed, most: None }
}

/// A part with text and its length in front.
pub const fn counted(field: &'static Field, counting: Counting) -> RecordPart {
    RecordPart { field, width: Width::Counted(counting), most: None }
}

/// A part with pairs of texts, and in front how many they are.
pub const fn counted_pairs(
    field: &'static Field,
    counting: Counting,
    keys: &'static Keys,
) -> RecordPart {
    RecordPart { field, width: Width::Pairs(counting, keys), most: None }
}

/// A part with text and NUL.
///
/// # Panics
/// While compiling, if the field is not text.
pub const fn text(field: &'static Field) -> RecordPart {
    assert!(matches!(field.kind, Kind::Text), "text members are of text fields");
    RecordPart { field, width: Width::Text, most: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Endian::Little;

    static PLAYER: Field = Field::group("player", "");
    static ID: Field = Field::number("id", "");
    static NAME: Field = Field::text("name", "");
    const FORM: RecordForm = RecordForm {
        record: &PLAYER,
        members: &[bytes(&ID, 1, Shape::Unsigned(Little)).most(31), text(&NAME).most(5)],
        end: RecordsEnd::Byte(32),
    };

    #[test]
    fn records_end_at_the_last_byte_or_where_one_is_cut() {
        for (raw, count, taken) in [
            (&b"\x01one\0\x02two\0\x20rest"[..], 2, 10),
            (b"\x01one\0\x02tw", 1, 5),
            (b"\x20", 0, 0),
            (b"", 0, 0),
        ] {
            let records = Records::split_off(raw, FORM);
            assert_eq!((records.count(FORM), records.raw().len()), (count, taken), "{raw:?}");
        }
    }

    #[test]
    fn a_record_that_cannot_be_breaks_the_list() {
        let most = |field, most, bytes| Want::Most(Limit { field, most, bytes });
        for (raw, taken, broken) in [
            (&b"\x01one\0\x20"[..], 5, None),
            (b"\x01one\0", 5, None),
            (b"\x1ffive5\0\x20", 7, None),
            (b"\x01one\0\x21two\0\x20", 5, Some((5, most("id", 31, false)))),
            (b"\x01one\0\xfftwo\0\x20", 5, Some((5, most("id", 31, false)))),
            (b"\x01sixsix\0\x20", 0, Some((1, most("name", 5, true)))),
            (b"\x01one\0\x02tw", 5, Some((6, Want::Stop(0)))),
        ] {
            let records = Records::split_off(raw, FORM);
            assert_eq!(records.raw().len(), taken, "{raw:?}");
            assert_eq!(Records::broken(raw.len(), raw, FORM), broken, "{raw:?}");
        }
    }
}
