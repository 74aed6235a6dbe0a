//! Lines of text in columns, where a reply may have several kinds of lines, and where the request
//! decides how many columns a line has.

use super::super::BLANK;
use codec::{
    Anomaly, Field, FieldRole, Group, Kind, LineColumn, LineLayout, Parts, RawBytes, Shape, Sink,
    View, ViewLayout,
};

/// One kind of line.
#[derive(Clone, Copy)]
pub struct LineKind {
    /// The field of a whole line.
    pub record: &'static Field,
    /// The word that begins such a line; none: any other line.
    pub word: Option<(&'static Field, &'static [u8])>,
    /// The columns that each such line has.
    pub columns: &'static [LineColumn],
    /// The columns behind those, by their number and the last of them.
    pub further: fn(usize, &[u8]) -> &'static [LineColumn],
    /// A letter in place of a column's number, and its meaning.
    pub letter: Option<(&'static Field, &'static [u8], &'static Field)>,
    /// Whether the last column repeats to the end of the line.
    pub repeats: bool,
}

/// No further columns.
pub const NO_FURTHER: fn(usize, &[u8]) -> &'static [LineColumn] = |_, _| &[];

/// The kinds of lines of a text, those with a word first; the text ends at a NUL.
pub type LineKinds = &'static [LineKind];

/// Lines as they were sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextLines<'a> {
    raw: &'a [u8],
}

impl<'a> RawBytes<'a> for TextLines<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

static QUOTE: Field = Field::separator("quote", "encloses a text");
static LF: Field = Field::separator("newline", "ends a line");
static PART: Field =
    Field::text("part", "a part of a line; the rest comes in another datagram, or is unknown")
        .role(FieldRole::Free);

/// A cell: the blanks before it, whether it is in quotes, and its text.
#[derive(Debug, Clone, Copy)]
pub struct TextCell<'a> {
    blanks: usize,
    pub quoted: bool,
    pub text: &'a [u8],
}

impl TextCell<'_> {
    fn quotes(self) -> usize {
        usize::from(self.quoted)
    }

    fn whole(self) -> usize {
        self.blanks + self.text.len() + 2 * self.quotes()
    }
}

/// The cells of a line, up to the first that is not closed.
pub fn cells(line: &[u8]) -> impl Iterator<Item = TextCell<'_>> + Clone {
    let mut left = line;
    std::iter::from_fn(move || {
        let blanks = left.iter().take_while(|byte| **byte == b' ').count();
        let text = left.get(blanks..)?;
        let cell = if let Some(inside) = text.strip_prefix(b"\"") {
            let closes = |at: &usize| {
                inside.get(*at) == Some(&b'"') && matches!(inside.get(at + 1), None | Some(b' '))
            };
            let end = (0..inside.len()).find(closes)?;
            TextCell { blanks, quoted: true, text: inside.get(..end)? }
        } else {
            let end = text.iter().position(|byte| *byte == b' ').unwrap_or(text.len());
            TextCell {
                blanks,
                quoted: false,
                text: text.get(..end).filter(|text| !text.is_empty())?,
            }
        };
        left = left.get(cell.whole()..)?;
        Some(cell)
    })
}

impl<'a> TextLines<'a> {
    /// These lines.
    pub fn new(raw: &'a [u8]) -> Self {
        Self { raw }
    }
}

impl LineKind {
    fn fits(&self, line: &[u8]) -> bool {
        self.word.is_none_or(|(_, word)| {
            cells(line).next().is_some_and(|cell| !cell.quoted && cell.text == word)
        })
    }

    fn field(&self, column: &LineColumn, cell: TextCell<'_>) -> &'static Field {
        match self.letter {
            Some((number, letter, field))
                if std::ptr::eq(column.field, number) && cell.text == letter =>
            {
                field
            }
            _ => column.field,
        }
    }

    /// Every field of such a line.
    fn fields(&self) -> impl Iterator<Item = &'static Field> {
        // With all further columns: none is missing from the longest line.
        let columns = self.columns.iter().chain((self.further)(usize::MAX, b""));
        let word = self.word.map(|(field, _)| field);
        let letter = self.letter.map(|(_, _, field)| field);
        word.into_iter().chain(columns.map(|column| column.field)).chain(letter)
    }

    /// The columns of the cells of a line, in order.
    fn columns(&self, line: &[u8]) -> impl Iterator<Item = &'static LineColumn> {
        let behind = cells(line).skip(usize::from(self.word.is_some()) + self.columns.len());
        let further = (self.further)(behind.clone().count(), behind.last().map_or(b"", |c| c.text));
        let repeated = self.columns.last().filter(|_| self.repeats);
        self.columns
            .iter()
            .chain(further)
            .chain(std::iter::repeat(repeated).map_while(|column| column))
    }
}

impl<'a> View<'a> for TextLines<'a> {
    type Form = LineKinds;
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], _: LineKinds) -> usize {
        all.iter().position(|byte| *byte == 0).unwrap_or(all.len())
    }

    fn layout(kinds: LineKinds) -> ViewLayout {
        let layout = |kind: &LineKind| LineLayout {
            record: kind.record,
            word: kind.word.map(|(_, word)| word),
            columns: kind.columns,
            ends_at_last_quote: false,
        };
        let kinds = [0, 1].map(|at| kinds.get(at).map(layout));
        ViewLayout::Lines { stop: b"\0", line_stop: b"", kinds }
    }

    fn parts<S: Sink>(&self, kinds: LineKinds, out: &mut Parts<'_, '_, S>) {
        if out.leaves_out(kinds.iter().flat_map(LineKind::fields)) {
            return;
        }
        for whole in self.raw.split_inclusive(|byte| *byte == b'\n') {
            let line = whole.strip_suffix(b"\n").unwrap_or(whole);
            let Some(kind) = kinds.iter().find(|kind| kind.fits(line)) else {
                out.leaf(&PART, Shape::Text, line.len());
                out.gap(&LF, Shape::Text, whole.len() - line.len());
                continue;
            };
            let end = out.at() + line.len();
            out.open(kind.record, Group::Record);
            let mut all = cells(line);
            if let (Some((field, word)), Some(cell)) =
                (kind.word, kind.word.and_then(|_| all.next()))
            {
                out.gap(&BLANK, Shape::Text, cell.blanks);
                out.leaf(field, Shape::Text, word.len());
            }
            let mut columns = kind.columns(line);
            let mut count = 0;
            for cell in all {
                let Some(column) = columns.next().filter(|column| column.quoted == cell.quoted)
                else {
                    break;
                };
                count += 1;
                let field = kind.field(column, cell);
                let is_number = field.kind == Kind::Number;
                let shape = if is_number { Shape::Decimal } else { Shape::Text };
                out.gap(&BLANK, Shape::Text, cell.blanks);
                out.gap(&QUOTE, Shape::Text, cell.quotes());
                out.leaf(field, shape, cell.text.len());
                out.gap(&QUOTE, Shape::Text, cell.quotes());
            }
            let left = end - out.at();
            if left > 0 {
                let part = line.get(line.len() - left..).unwrap_or_default();
                let text = part.trim_ascii_start();
                out.gap(&BLANK, Shape::Text, left - text.len());
                out.gap(&QUOTE, Shape::Text, usize::from(text.starts_with(b"\"")));
                let text = end - out.at();
                if text > 0 {
                    out.leaf(&PART, Shape::Text, text);
                }
            }
            let fixed = kind.columns.len() - usize::from(kind.repeats);
            if left > 0 || count < fixed || whole == line {
                out.note(Anomaly::ShortLine, line.len());
            }
            out.gap(&LF, Shape::Text, whole.len() - line.len());
            out.close();
        }
    }

    fn fields(kinds: LineKinds, each: &mut dyn FnMut(&'static Field)) {
        let mut listed: Vec<&'static Field> = Vec::new();
        let mut list = |field: &'static Field| {
            if !listed.iter().any(|known| std::ptr::eq(*known, field)) {
                listed.push(field);
                each(field);
            }
        };
        kinds.iter().flat_map(LineKind::fields).for_each(&mut list);
        list(&PART);
    }
}
