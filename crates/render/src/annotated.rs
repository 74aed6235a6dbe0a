//! A message's bytes and fields side by side, in rows: which bytes each row has, and which part of
//! the annotation. `decode -v` prints these rows, the terminal interface paints them.

use std::ops::Range;

use super::message::Rendered;
use super::tree::TreeLine;
use codec::{Group, Node};
use text::wrapped_letters;

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotatedRow<S> {
    /// 0 for the payload, 1 for the decoded text of a coded range, [`PACKET_LAYER`](super::PACKET_LAYER)
    /// for the headers of the packet.
    pub layer: u8,
    /// The offsets of its bytes in the layer; none where the annotation needs more rows than the
    /// bytes.
    pub bytes: Range<usize>,
    /// The index of its line of the tree; `None` for bytes that no line has, and for remarks.
    pub line: Option<usize>,
    /// Whether it is the first row of its line.
    pub is_first: bool,
    /// Whether it belongs to every second entry of a list.
    pub is_shaded: bool,
    /// Whether its text begins in the first column, because no bytes are beside it.
    pub is_heading: bool,
    /// The columns in front of the annotation.
    pub indent: usize,
    /// What is written in front of the first row of a line, two columns wide, or nothing.
    pub sign: &'static str,
    /// Its part of the annotation, with a style for each piece.
    pub text: Vec<(String, S)>,
}

impl<S> AnnotatedRow<S> {
    /// A row without bytes and line, such as the title of what follows.
    pub fn title(text: Vec<(String, S)>) -> Self {
        Self {
            layer: 0,
            bytes: 0..0,
            line: None,
            is_first: true,
            is_shaded: false,
            is_heading: true,
            indent: 0,
            sign: "",
            text,
        }
    }
}

/// What stands beside the bytes of a line.
#[derive(Debug, Clone)]
pub struct Annotation<S> {
    /// The columns in front of it.
    pub indent: usize,
    /// Two columns in front of the first row, or nothing.
    pub sign: &'static str,
    /// The pieces of the text, each with its style.
    pub text: Vec<(String, S)>,
}

/// A row of its own among the others, at an offset: why reading stopped there.
#[derive(Debug, Clone)]
pub struct Remark<S> {
    /// The layer of its offset.
    pub layer: u8,
    /// It stands in front of the bytes from here on.
    pub at: usize,
    /// Its text.
    pub note: Annotation<S>,
}

/// The size of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowSize {
    /// The maximum number of bytes in a row.
    pub bytes: usize,
    /// The columns of the annotation; `None` if it is not wrapped.
    pub columns: Option<usize>,
}

/// A wrapped annotation has at least so many columns, whatever its indent.
const LEAST: usize = 12;

impl RowSize {
    /// As many bytes in a row as leave space for an annotation in `width` columns, of which
    /// `beside` are for what is beside the digits and the characters.
    pub fn fitting(width: usize, beside: usize) -> Self {
        let left = |bytes: usize| width.saturating_sub(beside + 4 * bytes);
        let bytes = [16, 8].into_iter().find(|bytes| left(*bytes) >= READABLE).unwrap_or(4);
        Self { bytes, columns: Some(left(bytes)) }
    }
}

/// An annotation can be read in so many columns.
const READABLE: usize = 30;

/// The indices of the lines that no folded line hides.
pub fn shown_lines(lines: &[TreeLine], folded: &[bool]) -> Vec<usize> {
    let mut hidden_below = None;
    let mut shown = Vec::with_capacity(lines.len());
    for (index, (line, is_folded)) in lines.iter().zip(folded).enumerate() {
        if hidden_below.is_some_and(|depth| line.depth > depth) {
            continue;
        }
        hidden_below = is_folded.then_some(line.depth);
        shown.push(index);
    }
    shown
}

/// The lines of the tree that are shown, and which of them stand for their parts.
#[derive(Debug, Clone, Copy)]
pub struct ShownLines<'a> {
    /// All lines, as [`Rendered::tree`] makes them.
    pub all: &'a [TreeLine],
    /// The indices of those that are shown, in order.
    pub shown: &'a [usize],
    /// For each of all lines whether it is folded: its row has the bytes of its parts.
    pub folded: &'a [bool],
}

impl Rendered<'_> {
    /// The rows of one layer. Every byte stands in exactly one of them: bytes that no line claims
    /// are in front of those of the next line.
    pub fn annotated_rows<S: Copy>(
        &self,
        lines: ShownLines<'_>,
        layer: u8,
        size: RowSize,
        remarks: &[Remark<S>],
        annotate: impl Fn(usize, &TreeLine) -> Annotation<S>,
    ) -> Vec<AnnotatedRow<S>> {
        let len = self.reading.layer(self.payload, layer).len();
        let mut rows = RowBuilder::new(layer, size);
        let mut remarks = remarks.iter().filter(|remark| remark.layer == layer).peekable();
        let mut entries = Entries::default();
        let shown = lines.shown.iter().filter_map(|at| Some((*at, lines.all.get(*at)?)));
        for (index, line) in shown.filter(|(_, line)| line.layer == layer) {
            let before = |remark: &&Remark<S>| remark.at <= line.start as usize;
            while let Some(remark) = remarks.next_if(before) {
                rows.remark(remark);
            }
            let node = self.spans().get(line.span).map_or(Node::Leaf, |span| span.node);
            let is_shaded = entries.is_shaded(line.depth, node);
            let is_open = node != Node::Leaf && !lines.folded.get(index).is_some_and(|f| *f);
            let end = if is_open { rows.at.max(line.start as usize) } else { line.end as usize };
            rows.line(index, end, is_shaded, annotate(index, line));
        }
        let mut rest = remarks.collect::<Vec<_>>().into_iter().peekable();
        while let Some(remark) = rest.next_if(|remark| remark.at <= rows.at) {
            rows.remark(remark);
        }
        if rows.at < len {
            rows.bytes(len, None, false);
        }
        rest.for_each(|remark| rows.remark(remark));
        rows.rows
    }
}

pub(super) struct RowBuilder<S> {
    layer: u8,
    size: RowSize,
    /// The first byte that no row has.
    at: usize,
    pub rows: Vec<AnnotatedRow<S>>,
}

impl<S: Copy> RowBuilder<S> {
    pub fn new(layer: u8, size: RowSize) -> Self {
        Self { layer, size, at: 0, rows: Vec::new() }
    }

    /// The first byte that no row has.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The rows of a line: its bytes up to `end`, and its annotation.
    pub fn line(&mut self, index: usize, end: usize, is_shaded: bool, note: Annotation<S>) {
        let first = self.rows.len();
        self.bytes(end, Some(index), is_shaded);
        self.annotate(first, Some(index), note);
        for row in self.rows.iter_mut().skip(first) {
            row.is_shaded = is_shaded;
        }
    }

    /// The only row of a line whose bytes are in other rows or hidden.
    pub fn heading(&mut self, index: usize, note: Annotation<S>) {
        let Annotation { indent, sign, text } = note;
        let (layer, line) = (self.layer, Some(index));
        self.rows.push(AnnotatedRow { layer, line, indent, sign, ..AnnotatedRow::title(text) });
    }

    fn remark(&mut self, remark: &Remark<S>) {
        let first = self.rows.len();
        self.annotate(first, None, remark.note.clone());
    }

    /// The bytes up to `end` in rows; at least one row if they belong to a line.
    fn bytes(&mut self, end: usize, line: Option<usize>, is_shaded: bool) {
        let first = self.rows.len();
        let end = end.max(self.at);
        for start in (self.at..end).step_by(self.size.bytes) {
            self.push(start..end.min(start + self.size.bytes), line);
        }
        self.at = end;
        if let Some(row) = self.rows.get_mut(first) {
            row.is_first = true;
            row.is_shaded = is_shaded;
        }
    }

    /// Writes an annotation into the rows from `first` on, and adds rows where they are too few.
    fn annotate(&mut self, first: usize, line: Option<usize>, note: Annotation<S>) {
        let Annotation { indent, sign, text } = note;
        let (indent, parts) = match self.size.columns {
            Some(columns) => wrap(text, columns, indent),
            None => (indent, vec![text]),
        };
        for (at, text) in (first..).zip(parts) {
            if at == self.rows.len() {
                self.push(self.at..self.at, line);
            }
            if let Some(row) = self.rows.get_mut(at) {
                row.is_first = at == first;
                row.sign = if row.is_first { sign } else { "" };
                row.indent = indent + if row.is_first { 0 } else { HANGING };
                row.text = text;
            }
        }
    }

    fn push(&mut self, bytes: Range<usize>, line: Option<usize>) {
        let row = AnnotatedRow::title(Vec::new());
        let (layer, is_first, is_heading) = (self.layer, false, false);
        self.rows.push(AnnotatedRow { layer, bytes, line, is_first, is_heading, ..row });
    }
}

/// How many columns the second row of an annotation is indented more than the first.
pub(super) const HANGING: usize = 2;

/// An annotation in rows, and its indent, which is less where columns are few.
pub(super) fn wrap<S: Copy>(
    text: Vec<(String, S)>,
    columns: usize,
    indent: usize,
) -> (usize, Vec<Vec<(String, S)>>) {
    let indent = indent.min(columns.saturating_sub(LEAST + HANGING));
    let space = columns.saturating_sub(indent + HANGING).max(1);
    let width: usize = text.iter().map(|(piece, _)| text::width(piece)).sum();
    if width <= space {
        return (indent, vec![text]);
    }
    // The index of a letter's piece tells where a piece ends.
    let pieces = text.iter().enumerate();
    let letters: Vec<_> = pieces
        .flat_map(|(at, (piece, style))| piece.chars().map(move |c| (c, (at, *style))))
        .collect();
    let join = |letters: Vec<(char, (usize, S))>| {
        let mut joined: Vec<(String, S)> = Vec::new();
        let mut last = None;
        for (letter, (piece, style)) in letters {
            match joined.last_mut().filter(|_| last == Some(piece)) {
                Some((text, _)) => text.push(letter),
                None => joined.push((letter.to_string(), style)),
            }
            last = Some(piece);
        }
        joined
    };
    (indent, wrapped_letters(&letters, space).into_iter().map(join).collect())
}

/// Counts the entries of lists, of which every second one is shaded.
#[derive(Default)]
struct Entries {
    /// For each depth how many entries there were since the last shallower line.
    counts: Vec<u32>,
    /// The depth of the entry that the current line is in, and whether it is shaded.
    within: Option<(u8, bool)>,
}

impl Entries {
    fn is_shaded(&mut self, depth: u8, node: Node) -> bool {
        if let Some((_, is_shaded)) = self.within.filter(|(entry, _)| depth > *entry) {
            return is_shaded;
        }
        self.within = None;
        self.counts.truncate(usize::from(depth) + 1);
        self.counts.resize(usize::from(depth) + 1, 0);
        if !matches!(node, Node::Group(Group::Record | Group::Endpoint)) {
            return false;
        }
        let Some(count) = self.counts.last_mut() else {
            return false;
        };
        *count += 1;
        let is_shaded = count.is_multiple_of(2);
        self.within = Some((depth, is_shaded));
        is_shaded
    }
}
