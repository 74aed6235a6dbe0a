//! Player lines: text columns, some quoted, one player per line.
//!
//! Quotes are matched before blanks: names may have both. In the last quoted column the last quote
//! of the line closes, so a name may have quotes too. Some games have an additional number; an
//! optional column is declared where it may occur.

use super::fault::Anomaly;
use super::field::{Field, Kind};
use super::grammar::{LineLayout, ViewLayout};
use super::pass::View;
use super::reader::until;
use super::shape::{Shape, decimal};
use super::span::{Group, Parts, Sink};
use super::swar::{find, find_all};
use super::view::view;

/// One column of a line.
#[derive(Debug, Clone, Copy)]
pub struct LineColumn {
    /// Its meaning.
    pub field: &'static Field,
    /// Whether it is in quotes.
    pub quoted: bool,
    /// Whether it may be missing: it is present if there is a number at its position.
    pub optional: bool,
}

impl LineColumn {
    /// An unquoted column.
    pub const fn plain(field: &'static Field) -> Self {
        Self { field, quoted: false, optional: false }
    }

    /// A quoted column.
    pub const fn quoted(field: &'static Field) -> Self {
        Self { quoted: true, ..Self::plain(field) }
    }

    /// The same, but optional.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }
}

/// The columns of a protocol's lines, and the end of the list.
#[derive(Debug, Clone, Copy)]
pub struct LineForm {
    /// The columns, in order.
    pub columns: &'static [LineColumn],
    /// The bytes that end the list.
    pub stop: &'static [u8],
    /// The bytes that end it where a line would begin.
    pub line_stop: &'static [u8],
}

view! {
    /// All lines as they were sent.
    Lines
}

/// One line without its newline.
#[derive(Debug, Clone, Copy)]
pub struct TextLine<'a> {
    raw: &'a [u8],
    form: LineForm,
    /// How many of the columns are in quotes.
    quoted: usize,
}

static LINE: Field = Field::group("player", "one player");
static BLANK: Field = Field::separator("blank", "parts columns");
static QUOTE: Field = Field::separator("quote", "encloses a text");
static LF: Field = Field::separator("newline", "ends a line");

impl<'a> Lines<'a> {
    /// Every line, without its newline.
    pub fn iter(self, form: LineForm) -> impl Iterator<Item = TextLine<'a>> {
        let mut left = self.raw;
        let quoted = form.columns.iter().filter(|column| column.quoted).count();
        std::iter::from_fn(move || {
            let (_, all) = (left.first()?, left);
            let end = until(all, b"\n");
            left = all.get(end + 1..).unwrap_or_default();
            Some(TextLine { raw: all.get(..end).unwrap_or_default(), form, quoted })
        })
    }
}

/// Blanks before a cell, how many quotes are before it and behind it, and its length.
#[derive(Clone, Copy)]
struct LineCell {
    blanks: usize,
    quotes: usize,
    len: usize,
}

impl<'a> TextLine<'a> {
    /// The cell of a column, without quotes.
    pub fn get(self, field: &'static Field) -> Option<&'a [u8]> {
        let mut at = 0;
        let mut found = None;
        self.each_cell(|column, cell| {
            let start = at + cell.blanks + cell.quotes;
            at = start + cell.len + cell.quotes;
            if found.is_none() && std::ptr::eq(column.field, field) {
                found = self.raw.get(start..start + cell.len);
            }
        });
        found
    }

    /// Calls `each` for the cells from the left, up to the first that is missing.
    #[inline]
    fn each_cell(self, mut each: impl FnMut(&'static LineColumn, LineCell)) {
        let (mut left, mut quoted) = (self.raw, self.quoted);
        for column in self.form.columns {
            quoted -= usize::from(column.quoted);
            let cell = if column.quoted {
                LineCell::quoted(left, quoted == 0)
            } else {
                LineCell::plain(left)
            };
            let is_there = |cell: &LineCell| {
                let end = cell.blanks + cell.len;
                left.get(cell.blanks..end).is_some_and(|text| decimal(text).is_some())
            };
            if column.optional && !cell.as_ref().is_some_and(is_there) {
                continue;
            }
            let Some(cell) = cell else { return };
            let Some(rest) = left.get(cell.whole()..) else { return };
            left = rest;
            each(column, cell);
        }
    }
}

impl LineCell {
    /// The bytes that it takes, with the blanks and quotes.
    fn whole(self) -> usize {
        self.blanks + self.len + 2 * self.quotes
    }

    /// The next cell up to a blank.
    #[inline]
    fn plain(left: &[u8]) -> Option<Self> {
        let blanks = blanks(left);
        let len = until(left.get(blanks..)?, b" ");
        (len > 0).then_some(Self { blanks, quotes: 0, len })
    }

    /// The next cell in quotes; the `last` such of a line goes up to its last quote.
    #[inline]
    fn quoted(left: &[u8], last: bool) -> Option<Self> {
        let blanks = blanks(left);
        let inside = left.get(blanks..)?.strip_prefix(b"\"")?;
        let closes = |quote: &usize| inside.get(quote + 1) == Some(&b' ');
        let len = match last {
            true if inside.last() == Some(&b'"') => Some(inside.len() - 1),
            true => memchr::memrchr(b'"', inside),
            false => find_all(inside, b'"').find(closes),
        };
        let len = len.or_else(|| find(inside, b'"'))?;
        Some(Self { blanks, quotes: 1, len })
    }
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|b| **b == b' ').count()
}

impl<'a> View<'a> for Lines<'a> {
    type Form = LineForm;
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], form: LineForm) -> usize {
        let end = until(all, form.stop);
        if form.line_stop.is_empty() {
            return end;
        }
        let lines = all.get(..end).unwrap_or(all);
        let begins = |at: &usize| lines.get(*at).is_some_and(|b| form.line_stop.contains(b));
        let mut starts = std::iter::once(0).chain(find_all(lines, b'\n').map(|lf| lf + 1));
        starts.find(begins).unwrap_or(end)
    }

    fn parts<S: Sink>(&self, form: LineForm, out: &mut Parts<'_, '_, S>) {
        if out.leaves_out(form.columns.iter().map(|column| column.field)) {
            return;
        }
        let mut end = 0;
        let required = form.columns.iter().filter(|c| !c.optional).count();
        for line in self.iter(form) {
            out.open(&LINE, Group::Record);
            end += line.raw.len();
            let mut columns = 0;
            line.each_cell(|column, cell| {
                columns += usize::from(!column.optional);
                let shape =
                    if column.field.kind == Kind::Number { Shape::Decimal } else { Shape::Text };
                out.gap(&BLANK, Shape::Text, cell.blanks);
                out.gap(&QUOTE, Shape::Text, cell.quotes);
                out.leaf(column.field, shape, cell.len);
                out.gap(&QUOTE, Shape::Text, cell.quotes);
            });
            let extra = end - out.at();
            out.leaf(super::span::unparsed(), Shape::Raw, extra);
            let newline = self.raw.get(end) == Some(&b'\n');
            if columns < required || extra > 0 || !newline {
                out.note(Anomaly::ShortLine, line.raw.len());
            }
            out.gap(&LF, Shape::Text, usize::from(newline));
            end += usize::from(newline);
            out.close();
        }
    }

    fn layout(form: LineForm) -> ViewLayout {
        let (record, columns) = (&LINE, form.columns);
        let kind = LineLayout { record, word: None, columns, ends_at_last_quote: true };
        ViewLayout::Lines { stop: form.stop, line_stop: form.line_stop, kinds: [Some(kind), None] }
    }

    fn fields(form: Self::Form, each: &mut dyn FnMut(&'static Field)) {
        let mut listed: Vec<&'static Field> = Vec::new();
        for field in form.columns.iter().map(|c| c.field) {
            if !listed.iter().any(|known| std::ptr::eq(*known, field)) {
                listed.push(field);
                each(field);
            }
        }
    }
}
