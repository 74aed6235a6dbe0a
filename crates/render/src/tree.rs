//! A message's fields as a flat tree, in wire order.

use std::borrow::Cow;
use std::io::Write as _;

use super::coloured::TextRun;
use super::message::Rendered;
use codec::{Anomaly, Group, Kind, Node, Span};
use text::{MASK, grouped, shown, utf8};

/// One line of the tree.
#[derive(Debug, Clone)]
pub struct TreeLine {
    /// The index, among all spans, of the leaf that holds the value, or of the group.
    pub span: usize,
    /// The index of the key's leaf, if the line shows a pair.
    pub key: Option<usize>,
    /// Its first byte in its layer: of a pair that of the key.
    pub start: u32,
    /// The end of its bytes and of a terminator that has no line, exclusive.
    pub end: u32,
    /// 0 for the payload, 1 for the decoded text of a coded range, [`PACKET_LAYER`](super::PACKET_LAYER)
    /// for the headers of the packet.
    pub layer: u8,
    /// Lines that follow one deeper are its parts; those of a coded range are its decoded text.
    pub depth: u8,
    /// The kind of the field.
    pub kind: Kind,
    /// The field's name, the key's text, or what is counted: `server 3`, `servers (9)`.
    pub label: String,
    /// Escaped and masked, in the letters that the game shows; empty for a group that has no short
    /// form.
    pub value: String,
    /// The value in its colours, without their codes; empty where it has none.
    pub runs: Vec<TextRun>,
    /// The documented meaning of the value.
    pub meaning: Option<Cow<'static, str>>,
    /// Anomalies of the value.
    pub notes: Vec<Anomaly>,
    /// Whether the value includes the values of all its parts, so that their lines can be hidden.
    pub brief: bool,
}

impl TreeLine {
    /// Its depth among the lines of its layer.
    pub fn depth_in_layer(&self) -> u8 {
        self.depth - u8::from(self.layer == 1)
    }
}

/// Whether framing bytes (marks, separators) have lines of their own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Separators {
    /// They have none, unless their values are explained.
    #[default]
    Hidden,
    /// Each has one.
    Shown,
}

/// How much of a message its tree has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeSize {
    /// Whether the parts of a group whose value has their values get no lines.
    pub folded: bool,
    /// How many lines there are.
    pub lines: usize,
    /// How many lines have texts; later ones only say which bytes they have.
    pub texts: usize,
    /// The maximum bytes of a message in the text of one line.
    pub bytes: usize,
}

impl TreeSize {
    /// All of it.
    const WHOLE: Self =
        Self { folded: false, lines: usize::MAX, texts: usize::MAX, bytes: usize::MAX };
}

impl Rendered<'_> {
    /// The tree of the message. A key and its value make one line; a separator has one if its value
    /// is explained, as the end mark of a list is, or if requested.
    pub fn tree(&self, separators: Separators) -> Vec<TreeLine> {
        self.tree_of_size(separators, TreeSize::WHOLE)
    }

    /// The same, as much as this size has.
    pub(super) fn tree_of_size(&self, separators: Separators, size: TreeSize) -> Vec<TreeLine> {
        let all = self.spans();
        let lines = Vec::with_capacity(if size.folded { 0 } else { all.len() });
        let mut tree = TreeBuilder {
            message: *self,
            size,
            lines,
            hidden_below: None,
            is_behind_hidden: false,
        };
        let mut numbers = Vec::new();
        let mut index = 0;
        while let Some(span) = all.get(index).filter(|_| tree.lines.len() < size.lines) {
            let depth = span.depth + span.layer;
            if tree.hides(span, separators) {
                index += 1;
                continue;
            }
            numbers.truncate(usize::from(depth) + 1);
            numbers.resize(usize::from(depth) + 1, 0u32);
            let number = numbers.last_mut().map_or(0, |n| {
                *n += 1;
                *n
            });
            index += match span.node {
                Node::Group(group) => tree.group(index, span, group, number),
                Node::Leaf if span.field.kind == Kind::Key => tree.pair(index, span),
                Node::Leaf => tree.leaf(index, span, separators),
            };
        }
        tree.notes();
        tree.lines
    }
}

/// Whether a leaf has a line of its own.
fn has_line(leaf: &Span, separators: Separators) -> bool {
    let is_plain = leaf.field.kind == Kind::Separator && leaf.field.values.is_empty();
    !is_plain || separators == Separators::Shown
}

struct TreeBuilder<'a> {
    message: Rendered<'a>,
    size: TreeSize,
    lines: Vec<TreeLine>,
    /// The depth of the group whose parts get no lines.
    hidden_below: Option<u8>,
    /// Whether a part without a line lies behind the last line.
    is_behind_hidden: bool,
}

impl TreeBuilder<'_> {
    /// Whether a span is a part of a group whose parts get no lines.
    fn hides(&mut self, span: &Span, separators: Separators) -> bool {
        let depth = span.depth + span.layer;
        let hides = self.hidden_below.is_some_and(|below| depth > below);
        if hides {
            self.is_behind_hidden |= span.node != Node::Leaf || has_line(span, separators);
        } else {
            self.hidden_below = None;
        }
        hides
    }

    fn push(&mut self, line: TreeLine) {
        self.is_behind_hidden = false;
        self.hidden_below = (self.size.folded && line.brief).then_some(line.depth);
        self.lines.push(line);
    }

    /// Whether the next line has texts.
    fn has_texts(&self) -> bool {
        self.lines.len() < self.size.texts
    }

    /// A line without texts.
    fn line(index: usize, span: &Span) -> TreeLine {
        TreeLine {
            span: index,
            key: None,
            start: span.start,
            end: span.end,
            layer: span.layer,
            depth: span.depth + span.layer,
            kind: span.field.kind,
            label: String::new(),
            value: String::new(),
            runs: Vec::new(),
            meaning: None,
            notes: Vec::new(),
            brief: false,
        }
    }

    /// A line with the value of its leaf.
    fn valued(&self, index: usize, span: &Span) -> TreeLine {
        let line = Self::line(index, span);
        if !self.has_texts() {
            return line;
        }
        let (value, runs) = (self.displayed(span), self.runs(span));
        let (label, meaning) = (span.field.name.to_owned(), self.message.meaning(span));
        TreeLine { label, value, runs, meaning, ..line }
    }

    /// The bytes of a leaf that its text has, and how many more there are.
    fn first_bytes(&self, span: &Span) -> (&[u8], usize) {
        let bytes = self.message.bytes(span);
        let is_whole = span.field.kind == Kind::Coded || self.message.mask.hides(span);
        let first = if is_whole { bytes } else { bytes.get(..self.size.bytes).unwrap_or(bytes) };
        (first, bytes.len() - first.len())
    }

    /// A leaf's value as the game shows it.
    fn displayed(&self, span: &Span) -> String {
        let (first, more) = self.first_bytes(span);
        let mut text = Vec::new();
        self.message.push_displayed(&mut text, span, first);
        if more > 0 {
            // Writing to a vector cannot fail.
            _ = write!(text, "… {} more bytes", grouped(more as u64));
        }
        utf8(text)
    }

    fn runs(&self, span: &Span) -> Vec<TextRun> {
        let (first, more) = self.first_bytes(span);
        let mut runs = self.message.runs_of(span, first, self.message.colours);
        if more > 0 && !runs.is_empty() {
            runs.push(TextRun::plain(format!("… {} more bytes", grouped(more as u64))));
        }
        runs
    }

    fn leaf(&mut self, index: usize, span: &Span, separators: Separators) -> usize {
        if has_line(span, separators) {
            self.push(self.valued(index, span));
        } else if span.field.is_terminator && !self.is_behind_hidden {
            let is_before = |line: &&mut TreeLine| {
                (line.end, line.layer, line.depth)
                    == (span.start, span.layer, span.depth + span.layer)
            };
            if let Some(line) = self.lines.last_mut().filter(is_before) {
                line.end = span.end;
            }
        }
        1
    }

    /// A key and its value; at most one separator stands between them.
    fn pair(&mut self, index: usize, key: &Span) -> usize {
        let behind = self.message.spans().iter().enumerate().skip(index + 1).take(2);
        let mut behind = behind.filter(|(_, s)| s.field.kind != Kind::Separator);
        let is_value = |s: &Span| s.field.kind != Kind::Key && s.depth == key.depth;
        let label = match self.message.bytes(key) {
            _ if !self.has_texts() => String::new(),
            [] => "\"\"".to_owned(),
            _ if self.message.mask.hides(key) => MASK.to_owned(),
            _ => self.key(key),
        };
        let Some((at, value)) = behind.next().filter(|(_, s)| is_value(s) && s.node == Node::Leaf)
        else {
            self.push(TreeLine { label, ..Self::line(index, key) });
            return 1;
        };
        let line = self.valued(at, value);
        self.push(TreeLine { key: Some(index), start: key.start, label, ..line });
        at + 1 - index
    }

    fn key(&self, key: &Span) -> String {
        let (first, more) = self.first_bytes(key);
        let text = shown(first);
        if more > 0 { format!("{text}…") } else { text.into_owned() }
    }

    fn group(&mut self, index: usize, span: &Span, group: Group, number: u32) -> usize {
        let line = Self::line(index, span);
        let brief = matches!(group, Group::Record | Group::Endpoint);
        if !self.has_texts() {
            self.push(TreeLine { brief, ..line });
            return 1;
        }
        let name = span.field.name;
        let inside = self.message.spans().iter().enumerate().skip(index + 1);
        let inside = inside.take_while(|(_, s)| s.depth > span.depth && s.layer == span.layer);
        let parts = inside.filter(|(_, s)| s.depth == span.depth + 1);
        let data = parts.clone().filter(|(_, s)| s.field.kind != Kind::Separator);
        let line = match group {
            Group::Pairs => {
                let count = parts.filter(|(_, s)| s.field.kind == Kind::Key).count();
                TreeLine { label: format!("{name} ({count})"), ..line }
            }
            Group::List => {
                let count = parts.filter(|(_, s)| s.field.is_data()).count();
                TreeLine { label: format!("{name} ({count})"), ..line }
            }
            Group::Record => {
                let (value, runs) = self.record(data);
                TreeLine { label: format!("{name} {number}"), value, runs, brief, ..line }
            }
            Group::Endpoint => {
                let first: Vec<&Span> = data.map(|(_, s)| s).collect();
                let hidden = first.iter().any(|s| self.message.mask.hides(s));
                let value = match self.message.endpoint(&first) {
                    _ if hidden => MASK.to_owned(),
                    Some(endpoint) => endpoint.to_string(),
                    None => first.iter().map(|s| self.displayed(s)).collect(),
                };
                TreeLine { label: format!("{name} {number}"), value, brief, ..line }
            }
        };
        self.push(line);
        1
    }

    /// The parts of a record one after the other, and in colours, where one of them has any.
    fn record<'s>(
        &self,
        mut parts: impl Iterator<Item = (usize, &'s Span)>,
    ) -> (String, Vec<TextRun>) {
        let (mut value, mut all, mut has_colours) = (String::new(), Vec::new(), false);
        for (index, part) in parts.by_ref() {
            let gap = if value.is_empty() { "" } else { ", " };
            value.push_str(gap);
            if part.node == Node::Group(Group::Pairs) {
                self.push_pairs(&mut value, index, part);
            } else {
                value.extend([part.field.name, " "]);
                value.push_str(&self.displayed(part));
            }
            let runs = self.runs(part);
            has_colours |= !runs.is_empty();
            all.push(TextRun::plain(format!("{gap}{} ", part.field.name)));
            if runs.is_empty() {
                all.push(TextRun::plain(self.displayed(part)));
            }
            all.extend(runs);
            if value.len() > self.size.bytes {
                break;
            }
        }
        let more = parts.count();
        if more > 0 {
            let more = format!(", … {} more", grouped(more as u64));
            value.push_str(&more);
            all.push(TextRun::plain(more));
        }
        (value, if has_colours { all } else { Vec::new() })
    }

    /// Appends the pairs that are a part of a record: the keys, each with its value.
    fn push_pairs(&self, text: &mut String, index: usize, group: &Span) {
        let inside = self.message.spans().iter().skip(index + 1);
        let inside = inside.take_while(|s| s.depth > group.depth && s.layer == group.layer);
        let leaves = inside.filter(|s| s.depth == group.depth + 1);
        let mut leaves = leaves.filter(|leaf| leaf.field.kind != Kind::Separator);
        text.push_str(group.field.name);
        let begin = text.len();
        for leaf in leaves.by_ref() {
            let is_key = leaf.field.kind == Kind::Key;
            text.push_str(if is_key && text.len() > begin { ", " } else { " " });
            if is_key && !self.message.mask.hides(leaf) {
                text.push_str(&self.key(leaf));
            } else {
                text.push_str(&self.displayed(leaf));
            }
            if text.len() - begin > self.size.bytes {
                break;
            }
        }
        let more = leaves.filter(|leaf| leaf.field.kind == Kind::Key).count();
        if more > 0 {
            text.extend([", … ", &grouped(more as u64), " more"]);
        }
    }

    /// Attaches each anomaly to the smallest line that covers its range; an empty range (something
    /// is missing there) goes to the outermost line.
    ///
    /// Lines and anomalies are each iterated once, in wire order, because a message may hold
    /// thousands of both.
    fn notes(&mut self) {
        let mut notices = self.message.reading.spans().notes.clone();
        notices.sort_by_key(|notice| notice.start);
        let mut given = Vec::new();
        for layer in [0, 1] {
            let mut lines =
                self.lines.iter().enumerate().filter(|(_, l)| l.layer == layer).peekable();
            // The lines that begin at or before the anomaly, and do not end before it.
            let mut around = Vec::new();
            for notice in notices.iter().filter(|n| n.layer == layer) {
                while let Some(line) = lines.next_if(|(_, l)| l.start <= notice.start) {
                    around.push(line);
                }
                around.retain(|(_, line)| line.end >= notice.start);
                let holds = around.iter().filter(|(_, line)| line.end >= notice.end);
                let missing = notice.start == notice.end;
                let size = |(_, line): &&(usize, &TreeLine)| {
                    if missing { u32::from(line.depth) } else { line.end - line.start }
                };
                given.extend(holds.min_by_key(size).map(|(index, _)| (*index, notice.odd)));
            }
        }
        for (index, odd) in given {
            if let Some(line) = self.lines.get_mut(index) {
                line.notes.push(odd);
            }
        }
    }
}
