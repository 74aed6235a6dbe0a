//! Binary records of fixed members, one after the other, up to a byte that begins none of them:
//! how id Tech 4 lists players, up to the id 32.

use super::field::{Field, Kind};
use super::pairs::NUL;
use super::pass::View;
use super::reader::until;
use super::shape::Shape;
use super::span::{Group, Parts, Sink};

/// One member of a record.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    pub field: &'static Field,
    pub width: Width,
}

/// How much room a member takes.
#[derive(Debug, Clone, Copy)]
pub enum Width {
    /// So many bytes, read in this shape.
    Bytes(usize, Shape),
    /// Text and the NUL behind it.
    Text,
}

/// What every record holds, in wire order, and the first byte that begins no more record.
#[derive(Debug, Clone, Copy)]
pub struct RecordForm {
    pub record: &'static Field,
    pub members: &'static [Member],
    pub last: u8,
}

/// Records up to, and without, the byte that ends them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Records<'a> {
    raw: &'a [u8],
}

impl Member {
    /// How many bytes of `left` it takes; `None` where they are not there.
    fn take(self, left: &[u8]) -> Option<usize> {
        let len = match self.width {
            Width::Bytes(len, _) => len,
            Width::Text => until(left, b"\0") + 1,
        };
        (len <= left.len()).then_some(len)
    }
}

impl Records<'_> {
    /// How many whole records there are.
    pub fn count(self, form: RecordForm) -> usize {
        self.lengths(form).count()
    }

    /// The length of each whole record.
    fn lengths(self, form: RecordForm) -> impl Iterator<Item = usize> {
        let mut left = self.raw;
        std::iter::from_fn(move || {
            if *left.first()? == form.last {
                return None;
            }
            let mut at = 0;
            for member in form.members {
                at += member.take(left.get(at..)?)?;
            }
            left = left.get(at..)?;
            (at > 0).then_some(at)
        })
    }
}

impl<'a> View<'a> for Records<'a> {
    type Form = RecordForm;
    const GROUP: Group = Group::List;

    fn take(all: &'a [u8], form: RecordForm) -> Self {
        let len = Records { raw: all }.lengths(form).sum();
        Self { raw: all.get(..len).unwrap_or(all) }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }

    fn parts<S: Sink>(&self, form: RecordForm, out: &mut Parts<'_, '_, S>) {
        for _ in self.lengths(form) {
            out.open(form.record, Group::Record);
            for member in form.members {
                let left = self.raw.get(out.at()..).unwrap_or_default();
                let len = member.take(left).unwrap_or_default();
                match member.width {
                    Width::Bytes(_, shape) => out.leaf(member.field, shape, len),
                    Width::Text => {
                        out.leaf(member.field, Shape::Text, len.saturating_sub(1));
                        out.gap(&NUL, Shape::Raw, 1);
                    }
                }
            }
            out.close();
        }
    }

    fn fields(form: Self::Form, say: &mut dyn FnMut(&'static Field)) {
        form.members.iter().map(|m| m.field).for_each(say);
    }
}

/// A member of `len` bytes.
pub const fn bytes(field: &'static Field, len: usize, shape: Shape) -> Member {
    Member { field, width: Width::Bytes(len, shape) }
}

/// A member of text and NUL.
///
/// # Panics
/// While compiling, if the field is no text.
pub const fn text(field: &'static Field) -> Member {
    assert!(matches!(field.kind, Kind::Text), "text members are of text fields");
    Member { field, width: Width::Text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Endian::Little;

    static PLAYER: Field = Field::new("player", Kind::Group, "");
    static ID: Field = Field::new("id", Kind::Number, "");
    static NAME: Field = Field::new("name", Kind::Text, "");
    const FORM: RecordForm = RecordForm {
        record: &PLAYER,
        members: &[bytes(&ID, 1, Shape::Unsigned(Little)), text(&NAME)],
        last: 32,
    };

    #[test]
    fn records_end_at_the_last_byte_or_where_one_is_cut() {
        for (raw, count, taken) in [
            (&b"\x01one\0\x02two\0\x20rest"[..], 2, 10),
            (b"\x01one\0\x02tw", 1, 5),
            (b"\x20", 0, 0),
            (b"", 0, 0),
        ] {
            let records = Records::take(raw, FORM);
            assert_eq!((records.count(FORM), records.raw().len()), (count, taken), "{raw:?}");
        }
    }
}
