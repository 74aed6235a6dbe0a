//! The grammar of a message as data: the pass that visits every branch and reads no bytes.
//!
//! An [`Outline`](super::Outline), which is made from it, tells people which fields there are; a
//! grammar also tells how each is written and where it ends.

use super::addrs::AddrForm;
use super::coded::{Coded, Coding};
use super::counted::{CountedText, Counting};
use super::decimal::{CommandWord, Decimal};
use super::endpoints::EndpointForm;
use super::field::Field;
use super::lines::LineColumn;
use super::packed_int::PackedInt;
use super::pass::{Body, Choice, Int, Pass, Size, SizeForm, Spelling, View, Walk};
use super::records::RecordForm;
use super::shape::{Endian, Shape};
use super::span::Group;

/// One step of a message's grammar. Bytes are read from left to right.
#[derive(Debug, Clone)]
pub enum GrammarStep {
    /// These bytes.
    Literal(&'static Field, &'static [u8]),
    /// A word in any case; if it is bounded, no word byte follows.
    Word {
        /// Its meaning.
        field: &'static Field,
        /// Its letters.
        word: &'static [u8],
        /// Whether no word byte may follow.
        bounded: bool,
    },
    /// The longest of these spellings that fits.
    OneOf(&'static Field, &'static [Spelling]),
    /// Bytes up to one of these, which is not included, or the end.
    Text(&'static Field, &'static [u8]),
    /// Bytes and a NUL.
    Terminated(&'static Field),
    /// A text with its length in front.
    Counted(&'static Field, Counting),
    /// Decimal digits, with a sign or without.
    Decimal(&'static Field),
    /// A signed number in one to five bytes.
    Packed(&'static Field),
    /// So many bytes with this shape.
    Bytes(&'static Field, Shape, usize),
    /// A composite.
    Composite {
        /// Its meaning.
        field: &'static Field,
        /// The structure of its parts.
        group: Group,
        /// Every field that may be inside.
        inside: Vec<&'static Field>,
        /// How its parts are written.
        layout: ViewLayout,
    },
    /// Steps that earlier values may leave out.
    Optional(GrammarBranch),
    /// Steps for what there is beyond this place.
    More(GrammarBranch),
    /// One of these.
    Choice(Vec<GrammarBranch>),
    /// The second spelling and the steps behind it, or the first.
    Led(&'static Field, &'static [Spelling; 2], GrammarBranch),
    /// A byte count of four bytes, and the steps that it counts.
    Sized(&'static Field, SizeForm, Vec<Self>),
    /// The rest, which is coded, and the steps of its content.
    Coded(&'static Field, Vec<Self>),
}

/// Steps on a condition.
#[derive(Debug, Clone)]
pub struct GrammarBranch {
    /// The condition in words.
    pub why: &'static str,
    /// The steps.
    pub steps: Vec<GrammarStep>,
}

/// How the parts of a composite are written, as far as a form can say it.
#[derive(Debug, Clone, Copy)]
pub enum ViewLayout {
    /// Not in a form; it extends to the end.
    Opaque,
    /// Keys and values with a backslash before each.
    Infostring {
        /// The bytes that end them.
        stop: &'static [u8],
        /// Keys in front of which they end; empty for none.
        before: &'static [u8],
    },
    /// Binary or hexadecimal addresses and ports.
    Addresses(AddrForm),
    /// Addresses and ports in digits.
    Endpoints(EndpointForm),
    /// Binary records.
    Records(RecordForm),
    /// Lines of columns.
    Lines {
        /// The bytes that end them.
        stop: &'static [u8],
        /// The bytes with which no line begins: one that does ends them too.
        line_stop: &'static [u8],
        /// One kind of lines, or two, those with a word first.
        kinds: [Option<LineLayout>; 2],
    },
    /// Name, map, players and maximum players as Quake 2 writes them, in columns that names shift.
    PaddedInfo,
    /// Keys and values with two backslashes before each, up to two backslashes and `EOT`.
    WideInfostring,
    /// One text, up to one of the bytes.
    Text(&'static [u8]),
    /// Keys and values with a NUL behind each, up to an empty key or the end.
    TerminatedPairs {
        /// Whether the end may be within a pair.
        may_be_cut: bool,
    },
    /// Keys and values with a size in front of each, up to an empty key or the end.
    CountedPairs(Counting),
    /// Words parted by blanks, up to one of the bytes.
    Words {
        /// One of them.
        word: &'static Field,
        /// Whether a word with `=` is a key and its value.
        has_values: bool,
        /// The bytes.
        stop: &'static [u8],
    },
    /// A count in one byte and so many numbers in one byte each; 255 counts nothing.
    Numbers {
        /// The first byte.
        count: &'static Field,
        /// One of the others.
        number: &'static Field,
    },
    /// Records up to the end: a byte whose bits say which fields follow, and texts with a size in
    /// front of each.
    FlaggedTexts {
        /// One record.
        record: &'static Field,
        /// The bit of each field.
        fields: &'static [(u8, Field)],
        /// What a size counts.
        counting: Counting,
    },
    /// Texts with a NUL behind each, up to the end.
    Texts {
        /// One of them.
        text: &'static Field,
        /// Whether an empty one is the end, and no part of them.
        ends_at_empty: bool,
    },
    /// Values with a NUL behind each, row by row. Their keys are the texts read before, and the
    /// number of rows is in front of those.
    TextRows {
        /// One row.
        row: &'static Field,
    },
    /// Columns up to an empty name: a name with a NUL, the row of the first value, and values with a
    /// NUL behind each up to an empty one.
    TextColumns {
        /// One column.
        column: &'static Field,
        /// Its name, which is the key of its values.
        name: &'static Field,
        /// The row of its first value.
        first: &'static Field,
    },
}

/// One kind of lines.
#[derive(Debug, Clone, Copy)]
pub struct LineLayout {
    /// The field of a whole line.
    pub record: &'static Field,
    /// The word that begins such a line.
    pub word: Option<&'static [u8]>,
    /// The columns behind it.
    pub columns: &'static [LineColumn],
    /// Whether a text in the last column in quotes ends with the last quote of the line.
    pub ends_at_last_quote: bool,
}

/// Collects the steps of a message.
#[derive(Debug, Default)]
pub struct Grammar {
    steps: Vec<GrammarStep>,
}

impl Grammar {
    /// The steps of a type whose walk is this function.
    pub fn from_walk<B: Default>(walk: impl FnOnce(&mut B, &mut Self) -> Walk) -> Vec<GrammarStep> {
        let mut grammar = Self::default();
        let _ = walk(&mut B::default(), &mut grammar);
        grammar.steps
    }

    fn step(&mut self, step: GrammarStep) -> Walk {
        self.steps.push(step);
        Ok(())
    }

    fn branch(&mut self, why: &'static str, body: impl FnOnce(&mut Self) -> Walk) -> GrammarBranch {
        GrammarBranch { why, steps: self.inside(body) }
    }

    /// The steps that `body` adds.
    fn inside(&mut self, body: impl FnOnce(&mut Self) -> Walk) -> Vec<GrammarStep> {
        let before = std::mem::take(&mut self.steps);
        let _ = body(self);
        std::mem::replace(&mut self.steps, before)
    }
}

impl<'a> Pass<'a> for Grammar {
    fn lit(&mut self, field: &'static Field, bytes: &'static [u8]) -> Walk {
        self.step(GrammarStep::Literal(field, bytes))
    }

    fn stem(
        &mut self,
        field: &'static Field,
        word: &'static [u8],
        _: &mut CommandWord<'a>,
    ) -> Walk {
        self.step(GrammarStep::Word { field, word, bounded: false })
    }

    fn word(
        &mut self,
        field: &'static Field,
        word: &'static [u8],
        _: &mut CommandWord<'a>,
    ) -> Walk {
        self.step(GrammarStep::Word { field, word, bounded: true })
    }

    fn one_of(&mut self, field: &'static Field, of: &'static [Spelling], _: &mut u8) -> Walk {
        self.step(GrammarStep::OneOf(field, of))
    }

    fn text(&mut self, field: &'static Field, stop: &'static [u8], _: &mut &'a [u8]) -> Walk {
        self.step(GrammarStep::Text(field, stop))
    }

    fn cstr(&mut self, field: &'static Field, _: &mut &'a [u8]) -> Walk {
        self.step(GrammarStep::Terminated(field))
    }

    fn counted(
        &mut self,
        field: &'static Field,
        counting: Counting,
        _: &mut CountedText<'a>,
    ) -> Walk {
        self.step(GrammarStep::Counted(field, counting))
    }

    fn decimal(&mut self, field: &'static Field, _: &mut Decimal<'a>) -> Walk {
        self.step(GrammarStep::Decimal(field))
    }

    fn packed(&mut self, field: &'static Field, _: &mut PackedInt<'a>) -> Walk {
        self.step(GrammarStep::Packed(field))
    }

    fn int<T: Int>(&mut self, field: &'static Field, order: Endian, _: &mut T) -> Walk {
        let shape = if T::SIGNED { Shape::Signed(order) } else { Shape::Unsigned(order) };
        self.step(GrammarStep::Bytes(field, shape, T::WIDTH))
    }

    fn raw<const N: usize>(
        &mut self,
        field: &'static Field,
        shape: Shape,
        _: &mut [u8; N],
    ) -> Walk {
        self.step(GrammarStep::Bytes(field, shape, N))
    }

    fn view<V: View<'a>>(&mut self, field: &'static Field, form: V::Form, _: &mut V) -> Walk {
        let mut inside = Vec::new();
        V::fields(form, &mut |field| inside.push(field));
        let layout = V::layout(form);
        self.step(GrammarStep::Composite { field, group: V::GROUP, inside, layout })
    }

    fn unread(&self) -> Option<&'a [u8]> {
        None
    }

    fn when(&mut self, _: bool, why: &'static str, body: impl FnOnce(&mut Self) -> Walk) -> Walk {
        let branch = self.branch(why, body);
        self.step(GrammarStep::Optional(branch))
    }

    fn more(
        &mut self,
        _: &mut bool,
        why: &'static str,
        body: impl FnOnce(&mut Self) -> Walk,
    ) -> Walk {
        let branch = self.branch(why, body);
        self.step(GrammarStep::More(branch))
    }

    fn choose<C: Choice>(&mut self, _: &mut C, mut body: impl FnMut(&mut Self, C) -> Walk) -> Walk {
        let branches = C::ALL.iter().map(|(choice, why)| self.branch(why, |p| body(p, *choice)));
        let branches = branches.collect();
        self.step(GrammarStep::Choice(branches))
    }

    fn led(
        &mut self,
        field: &'static Field,
        lead: &'static [Spelling; 2],
        _: &mut u8,
        why: &'static str,
        body: impl FnOnce(&mut Self) -> Walk,
    ) -> Walk {
        let branch = self.branch(why, body);
        self.step(GrammarStep::Led(field, lead, branch))
    }

    fn sized(
        &mut self,
        field: &'static Field,
        form: SizeForm,
        _: &mut Size,
        body: impl FnOnce(&mut Self) -> Walk,
    ) -> Walk {
        let steps = self.inside(body);
        self.step(GrammarStep::Sized(field, form, steps))
    }

    fn layer<C: Coding, B: Body<'a>>(
        &mut self,
        field: &'static Field,
        _: C,
        slot: &mut Coded<'a, B>,
    ) -> Walk {
        let steps = self.inside(|p| slot.body.walk(p));
        self.step(GrammarStep::Coded(field, steps))
    }
}
