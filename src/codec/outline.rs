//! Describing: the pass that visits every branch and reads no bytes.
//!
//! The catalogue and the prefixes by which messages are recognised are made from it.

use super::coded::{Coded, Coding};
use super::counted::{CountedText, Counting};
use super::decimal::{CommandWord, Decimal};
use super::field::Field;
use super::packed_int::PackedInt;
use super::pass::{Body, Choice, Int, Pass, Size, SizeForm, Spelling, View, Walk};
use super::shape::{Endian, Shape};
use super::span::Group;

/// A message's literal beginning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prefix {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// It ends in a word, so no word byte may follow.
    pub bounded: bool,
    /// It contains a word, so its letters may have any case.
    pub any_case: bool,
    /// Literals after the word: if they differ, the message is still possible, but less likely.
    pub hint: Vec<u8>,
}

/// One line of a message's description.
#[derive(Debug, Clone)]
pub struct OutlineLine {
    /// The number of branches around it.
    pub depth: usize,
    /// Its content.
    pub what: OutlinePart,
}

/// The content of a line.
#[derive(Debug, Clone)]
pub enum OutlinePart {
    /// These bytes.
    Literal(&'static Field, &'static [u8]),
    /// One of these spellings.
    OneOf(&'static Field, &'static [Spelling]),
    /// A value.
    Field(&'static Field),
    /// A composite, the group that it is, and the fields that it may hold.
    View(&'static Field, Group, Vec<&'static Field>),
    /// The following deeper lines depend on this condition.
    Branch(&'static str),
}

/// Every field of a message in every branch, and how it begins.
#[derive(Debug, Clone)]
pub struct Outline {
    /// Every literal beginning.
    pub prefixes: Vec<Prefix>,
    /// The description, line by line.
    pub lines: Vec<OutlineLine>,
    depth: usize,
    state: PrefixState,
}

/// How much of the literal beginning has been collected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PrefixState {
    Prefix,
    Hint,
    Past,
}

impl Outline {
    /// The outline of a message type.
    pub fn of<'a, B: Body<'a>>() -> Self {
        let mut outline = Self {
            prefixes: vec![Prefix::default()],
            lines: Vec::new(),
            depth: 0,
            state: PrefixState::Prefix,
        };
        let _ = B::default().walk(&mut outline);
        outline
    }

    /// Whether a field of this name may occur in the message.
    pub fn has(&self, name: &str) -> bool {
        self.lines.iter().any(|line| match &line.what {
            OutlinePart::Literal(field, _)
            | OutlinePart::OneOf(field, _)
            | OutlinePart::Field(field) => field.name == name,
            OutlinePart::View(_, _, inside) => inside.iter().any(|field| field.name == name),
            OutlinePart::Branch(_) => false,
        })
    }

    fn push(&mut self, what: OutlinePart) {
        let depth = self.depth;
        self.lines.push(OutlineLine { depth, what });
    }

    fn field(&mut self, field: &'static Field) -> Walk {
        self.state = PrefixState::Past;
        self.push(OutlinePart::Field(field));
        Ok(())
    }

    fn inside(&mut self, why: &'static str, body: impl FnOnce(&mut Self) -> Walk) -> Walk {
        self.state = PrefixState::Past;
        self.push(OutlinePart::Branch(why));
        self.depth += 1;
        let got = body(self);
        self.depth -= 1;
        got
    }

    fn begin(&mut self, bytes: &[u8], bounded: bool) {
        for prefix in &mut self.prefixes {
            match self.state {
                PrefixState::Prefix => {
                    prefix.bytes.extend_from_slice(bytes);
                    prefix.bounded = bounded;
                }
                PrefixState::Hint => prefix.hint.extend_from_slice(bytes),
                PrefixState::Past => {}
            }
        }
    }

    /// After the word with the message's name, literals are only hints.
    fn name(&mut self, field: &'static Field, word: &'static [u8], bounded: bool) -> Walk {
        self.begin(word, bounded);
        if self.state == PrefixState::Prefix {
            self.prefixes.iter_mut().for_each(|prefix| prefix.any_case = true);
        }
        self.state = PrefixState::Hint;
        self.push(OutlinePart::Literal(field, word));
        Ok(())
    }
}

impl<'a> Pass<'a> for Outline {
    fn lit(&mut self, field: &'static Field, bytes: &'static [u8]) -> Walk {
        self.begin(bytes, false);
        self.push(OutlinePart::Literal(field, bytes));
        Ok(())
    }

    fn stem(
        &mut self,
        field: &'static Field,
        stem: &'static [u8],
        _: &mut CommandWord<'a>,
    ) -> Walk {
        self.name(field, stem, false)
    }

    fn word(
        &mut self,
        field: &'static Field,
        word: &'static [u8],
        _: &mut CommandWord<'a>,
    ) -> Walk {
        self.name(field, word, true)
    }

    fn one_of(&mut self, field: &'static Field, of: &'static [Spelling], _: &mut u8) -> Walk {
        if self.state == PrefixState::Prefix {
            let old = std::mem::take(&mut self.prefixes);
            for spelling in of {
                self.prefixes.extend(old.iter().map(|p| Prefix {
                    bytes: [&p.bytes, spelling.bytes].concat(),
                    bounded: p.bounded && spelling.bytes.is_empty(),
                    any_case: p.any_case,
                    hint: Vec::new(),
                }));
            }
        }
        if self.state == PrefixState::Hint {
            self.state = PrefixState::Past;
        }
        self.push(OutlinePart::OneOf(field, of));
        Ok(())
    }

    fn text(&mut self, field: &'static Field, _: &'static [u8], _: &mut &'a [u8]) -> Walk {
        self.field(field)
    }

    fn cstr(&mut self, field: &'static Field, _: &mut &'a [u8]) -> Walk {
        self.field(field)
    }

    fn counted(&mut self, field: &'static Field, _: Counting, _: &mut CountedText<'a>) -> Walk {
        self.field(field)
    }

    fn decimal(&mut self, field: &'static Field, _: &mut Decimal<'a>) -> Walk {
        self.field(field)
    }

    fn packed(&mut self, field: &'static Field, _: &mut PackedInt<'a>) -> Walk {
        self.field(field)
    }

    fn int<T: Int>(&mut self, field: &'static Field, _: Endian, _: &mut T) -> Walk {
        self.field(field)
    }

    fn raw<const N: usize>(&mut self, field: &'static Field, _: Shape, _: &mut [u8; N]) -> Walk {
        self.field(field)
    }

    fn view<V: View<'a>>(&mut self, field: &'static Field, form: V::Form, _: &mut V) -> Walk {
        self.state = PrefixState::Past;
        let mut inside = Vec::new();
        V::fields(form, &mut |field| inside.push(field));
        self.push(OutlinePart::View(field, V::GROUP, inside));
        Ok(())
    }

    fn unread(&self) -> Option<&'a [u8]> {
        None
    }

    fn when(&mut self, _: bool, why: &'static str, body: impl FnOnce(&mut Self) -> Walk) -> Walk {
        self.inside(why, body)
    }

    fn more(
        &mut self,
        _: &mut bool,
        why: &'static str,
        body: impl FnOnce(&mut Self) -> Walk,
    ) -> Walk {
        self.inside(why, body)
    }

    fn choose<C: Choice>(&mut self, _: &mut C, mut body: impl FnMut(&mut Self, C) -> Walk) -> Walk {
        let mut branches = C::ALL.iter();
        branches.try_for_each(|(choice, why)| self.inside(why, |p| body(p, *choice)))
    }

    fn sized(
        &mut self,
        field: &'static Field,
        _: SizeForm,
        _: &mut Size,
        body: impl FnOnce(&mut Self) -> Walk,
    ) -> Walk {
        self.field(field)?;
        self.inside("counted by the size", body)
    }

    fn layer<C: Coding, B: Body<'a>>(
        &mut self,
        field: &'static Field,
        _: C,
        slot: &mut Coded<'a, B>,
    ) -> Walk {
        self.field(field)?;
        self.inside("coded", |p| slot.body.walk(p))
    }
}
