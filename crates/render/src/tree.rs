//! A message's fields as a flat tree, in wire order.

use std::borrow::Cow;

use super::coloured::TextRun;
use super::message::Rendered;
use codec::{Anomaly, Group, Kind, Node, Span};
use text::{MASK, shown};

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
    /// How deep it is among the lines of its layer.
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

impl Rendered<'_> {
    /// The tree of the message. A key and its value make one line; a separator has one if its value
    /// is explained, as the end mark of a list is, or if requested.
    pub fn tree(&self, separators: Separators) -> Vec<TreeLine> {
        let all = self.spans();
        let mut tree = TreeBuilder { message: *self, lines: Vec::with_capacity(all.len()) };
        let mut numbers = Vec::new();
        let mut index = 0;
        while let Some(span) = all.get(index) {
            let depth = span.depth + span.layer;
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

struct TreeBuilder<'a> {
    message: Rendered<'a>,
    lines: Vec<TreeLine>,
}

impl TreeBuilder<'_> {
    /// The parts of a record one after the other, where one of them has colours.
    fn record_runs(&self, parts: &[&Span]) -> Vec<TextRun> {
        let mut all = Vec::new();
        let mut has_colours = false;
        for (i, span) in parts.iter().enumerate() {
            let gap = if i == 0 { "" } else { ", " };
            all.push(TextRun::plain(format!("{gap}{} ", span.field.name)));
            let runs = self.message.runs(span);
            has_colours |= !runs.is_empty();
            if runs.is_empty() {
                all.push(TextRun::plain(self.message.displayed(span)));
            }
            all.extend(runs);
        }
        if has_colours { all } else { Vec::new() }
    }

    fn line(index: usize, span: &Span) -> TreeLine {
        TreeLine {
            span: index,
            key: None,
            start: span.start,
            end: span.end,
            layer: span.layer,
            depth: span.depth + span.layer,
            kind: span.field.kind,
            label: span.field.name.to_owned(),
            value: String::new(),
            runs: Vec::new(),
            meaning: None,
            notes: Vec::new(),
            brief: false,
        }
    }

    /// A line with the value of its leaf.
    fn valued(&self, index: usize, span: &Span) -> TreeLine {
        let (value, runs) = (self.message.displayed(span), self.message.runs(span));
        let meaning = self.message.meaning(span);
        TreeLine { value, runs, meaning, ..Self::line(index, span) }
    }

    fn leaf(&mut self, index: usize, span: &Span, separators: Separators) -> usize {
        let plain = span.field.kind == Kind::Separator && span.field.values.is_empty();
        if !plain || separators == Separators::Shown {
            self.lines.push(self.valued(index, span));
        } else if span.field.is_terminator {
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
            [] => "\"\"".to_owned(),
            _ if self.message.mask.hides(key) => MASK.to_owned(),
            key => shown(key).into_owned(),
        };
        let Some((at, value)) = behind.next().filter(|(_, s)| is_value(s) && s.node == Node::Leaf)
        else {
            self.lines.push(TreeLine { label, ..Self::line(index, key) });
            return 1;
        };
        let line = self.valued(at, value);
        self.lines.push(TreeLine { key: Some(index), start: key.start, label, ..line });
        at + 1 - index
    }

    fn group(&mut self, index: usize, span: &Span, group: Group, number: u32) -> usize {
        let line = Self::line(index, span);
        let name = span.field.name;
        let inside = self.message.spans().iter().skip(index + 1);
        let inside = inside.take_while(|s| s.depth > span.depth && s.layer == span.layer);
        let parts = inside.filter(|s| s.depth == span.depth + 1);
        let line = match group {
            Group::Pairs => {
                let count = parts.filter(|s| s.field.kind == Kind::Key).count();
                TreeLine { label: format!("{name} ({count})"), ..line }
            }
            Group::List => {
                let count = parts.filter(|s| s.field.is_data()).count();
                TreeLine { label: format!("{name} ({count})"), ..line }
            }
            Group::Record => {
                let data: Vec<&Span> = parts.filter(|s| s.field.kind != Kind::Separator).collect();
                let named = |part: &&Span| match part.node {
                    Node::Group(Group::Pairs) => self.pairs_within(part),
                    _ => format!("{} {}", part.field.name, self.message.displayed(part)),
                };
                let value = data.iter().map(named).collect::<Vec<_>>().join(", ");
                let runs = self.record_runs(&data);
                TreeLine { label: format!("{name} {number}"), value, runs, brief: true, ..line }
            }
            Group::Endpoint => {
                let data: Vec<&Span> = parts.filter(|s| s.field.kind != Kind::Separator).collect();
                let hidden = data.iter().any(|s| self.message.mask.hides(s));
                let value = match self.message.endpoint(&data) {
                    _ if hidden => MASK.to_owned(),
                    Some(endpoint) => endpoint.to_string(),
                    None => data.iter().map(|s| self.message.displayed(s)).collect(),
                };
                TreeLine { label: format!("{name} {number}"), value, brief: true, ..line }
            }
        };
        self.lines.push(line);
        1
    }

    /// The pairs that are a part of a record: the keys, each with its value.
    fn pairs_within(&self, group: &Span) -> String {
        let is_within = |span: &&Span| {
            let within = span.start >= group.start && span.end <= group.end;
            within && span.layer == group.layer && span.depth == group.depth + 1
        };
        let leaves = self.message.spans().iter().filter(is_within);
        let mut text = group.field.name.to_owned();
        for leaf in leaves.filter(|leaf| leaf.field.kind != Kind::Separator) {
            let is_key = leaf.field.kind == Kind::Key;
            text.push_str(if is_key && text.len() > group.field.name.len() { ", " } else { " " });
            if is_key && !self.message.mask.hides(leaf) {
                text.push_str(&shown(self.message.bytes(leaf)));
            } else {
                text.push_str(&self.message.displayed(leaf));
            }
        }
        text
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
