//! The summary of a message for lists: one line, made from spans alone.

mod columns;
mod info_values;
mod pairs;

use std::fmt::Display;
use std::io::Write as _;
use std::net::SocketAddr;
use std::ops::Range;

use anstyle::Style;

use super::coloured::TextRun;
use super::message::Rendered;
use codec::{FieldRole, Group, Kind, Node, NumberParts, Shape, Span};
use protocol::Entry;
use text::digits::{push_endpoint, push_number};
use text::{counted, utf8};

/// The maximum number of characters of a summary; a fault follows after them.
const WIDTH: usize = 100;
/// How many parts of a list are named.
const NAMED: usize = 3;

impl Rendered<'_> {
    /// Appends the summary of the message to `out`: values of single fields, the most useful pairs
    /// of an infostring, counts of lists with their first items, why decoding stopped, and how many
    /// bytes of the payload the capture lacks.
    pub fn summary(&self, out: &mut String, entry: &Entry, missing: u32) {
        let mut text = std::mem::take(out).into_bytes();
        SummaryWriter::new(*self, &mut text, entry).write(missing);
        *out = utf8(text);
    }

    /// The same in runs of one style: with colours, texts are without their codes.
    pub fn summary_runs(&self, entry: &Entry, missing: u32) -> Vec<TextRun> {
        let mut out = Vec::new();
        let painted = SummaryWriter::new(*self, &mut out, entry).write(missing);
        let mut runs = Vec::with_capacity(2 * painted.len() + 1);
        let text = |range: Range<usize>| utf8(out.get(range).unwrap_or_default().to_vec());
        let mut at = 0;
        for (range, style) in painted {
            runs.push(TextRun::plain(text(at..range.start)));
            at = range.end;
            runs.push(TextRun { text: text(range), style });
        }
        runs.push(TextRun::plain(text(at..out.len())));
        runs.retain(|run| !run.text.is_empty());
        runs
    }
}

/// The note for a payload of which the capture lacks `missing` bytes.
pub fn missing_note(missing: u32) -> impl Display {
    std::fmt::from_fn(move |f| {
        let were = if missing == 1 { "was" } else { "were" };
        write!(f, "{} {were} not captured", counted(missing.into(), "byte"))
    })
}

/// Whether a leaf is a number that is not written in bytes of its own.
fn is_number(span: &Span) -> bool {
    let is_number = match span.shape {
        Shape::Decimal | Shape::PackedInt => true,
        Shape::Text => span.field.kind == Kind::Number,
        _ => false,
    };
    is_number && span.node == Node::Leaf && span.field.is_data()
}

struct SummaryWriter<'a> {
    /// In UTF-8.
    out: &'a mut Vec<u8>,
    begin: usize,
    entry: &'a Entry,
    /// Whether the message has one value.
    is_single_value: bool,
    /// Whether the message itself has several numbers in digits or packed: only names tell them apart.
    has_numbers: bool,
    /// Whether the last value has its name before it.
    is_labelled: bool,
    message: Rendered<'a>,
    /// The styled ranges of the output, in order.
    painted: Vec<(Range<usize>, Style)>,
}

impl<'a> SummaryWriter<'a> {
    fn new(message: Rendered<'a>, out: &'a mut Vec<u8>, entry: &'a Entry) -> Self {
        let mut values = message.spans().iter().filter(|span| span.field.is_data());
        let is_single_value = values.next().is_some() && values.next().is_none();
        let is_number = |span: &&Span| span.depth == 0 && is_number(span);
        let has_numbers = message.spans().iter().filter(is_number).nth(2).is_some();
        Self {
            begin: out.len(),
            out,
            entry,
            is_single_value,
            has_numbers,
            is_labelled: false,
            message,
            painted: Vec::new(),
        }
    }

    /// Writes everything; returns the styled ranges.
    fn write(mut self, missing: u32) -> Vec<(Range<usize>, Style)> {
        self.fields();
        self.truncate();
        if let Some(fault) = self.message.reading.fault() {
            self.gap(" ");
            _ = write!(self.out, "! {fault}");
        }
        if missing > 0 {
            // Faults come last.
            self.gap(" ");
            _ = write!(self.out, "! {}", missing_note(missing));
        }
        self.painted
    }

    fn is_empty(&self) -> bool {
        self.out.len() == self.begin
    }

    /// Whether the text is long enough that more would be cut off.
    fn is_full(&self) -> bool {
        self.out.len() - self.begin > 4 * WIDTH
    }

    fn fields(&mut self) {
        let all = self.message.spans();
        let mut index = 0;
        while let Some(span) = all.get(index) {
            if self.is_full() {
                return;
            }
            let inside = all.get(index + 1..).unwrap_or_default();
            let len = inside.iter().take_while(|s| s.depth > span.depth && s.layer == span.layer);
            let parts = inside.get(..len.count()).unwrap_or_default();
            match span.node {
                Node::Leaf => self.leaf(span),
                Node::Group(Group::Pairs) => self.pairs(parts),
                Node::Group(_) => self.list(span, parts),
            }
            index += 1 + parts.len();
        }
    }

    fn leaf(&mut self, span: &Span) {
        let is_value = span.field.is_data() && span.field.kind != Kind::Coded;
        if !is_value || span.start == span.end {
            return;
        }
        // Of several numbers in a message, only the name tells one from another.
        let is_number = matches!(span.shape, Shape::Unsigned(_) | Shape::Signed(_))
            || self.has_numbers && span.depth == 0 && is_number(span);
        // Packed numbers and flags are what they mean.
        let meaning = match span.field.inside {
            NumberParts::Whole => None,
            _ => self.message.meaning(span).filter(|meaning| !meaning.is_empty()),
        };
        if let (NumberParts::Packed { .. }, Some(meaning)) = (span.field.inside, &meaning) {
            self.gap(", ");
            self.is_labelled = true;
            return self.out.extend_from_slice(meaning.as_bytes());
        }
        if self.is_single_value || !is_number {
            self.gap(if self.is_labelled { ", " } else { " " });
            self.is_labelled = false;
            return self.value(span);
        }
        self.gap(", ");
        self.is_labelled = true;
        self.out.extend_from_slice(span.field.name.as_bytes());
        self.out.push(b' ');
        let version = matches!(span.field.inside, NumberParts::Version);
        match meaning.as_deref() {
            Some(meaning) if version => {
                let version = meaning.split(',').next().unwrap_or(meaning);
                self.out.extend_from_slice(version.as_bytes());
            }
            Some(meaning) => _ = write!(self.out, "({meaning})"),
            None => self.value(span),
        }
    }

    /// Words are written as they are; of endpoints and records, the count and the first names.
    fn list(&mut self, list: &Span, parts: &[Span]) {
        if let Shape::Endpoints { .. } = list.shape {
            return self.endpoints(list);
        }
        let is_part = |s: &&Span| s.depth == list.depth + 1;
        let groups = || parts.iter().filter(is_part).filter(|s| s.node != Node::Leaf);
        let Some(first) = groups().next() else {
            let words = parts.iter().filter(is_part).filter(|s| s.field.is_data());
            if parts.is_empty() {
                self.empty_list(list);
            }
            words.for_each(|word| self.leaf(word));
            return;
        };
        if columns::are_columns(first) {
            return self.columns(list, parts);
        }
        let count = groups().count() - usize::from(self.last_is_no_server(parts));
        if count == 0 {
            return self.empty_list(list);
        }
        let name = if count == 1 { first.field.name } else { list.field.name };
        self.gap(", ");
        self.count(count, name);
        let mut named = 0;
        for (index, part) in parts.iter().enumerate() {
            if named == NAMED.min(count) {
                break;
            }
            let Node::Group(group) = part.node else {
                continue;
            };
            let inside = parts.get(index + 1..).unwrap_or_default();
            let mark = self.out.len();
            self.out.extend_from_slice(if named == 0 { b": " } else { b", " });
            if self.item_name(group, inside, part.depth) {
                named += 1;
            } else {
                self.out.truncate(mark);
            }
        }
        if named > 0 && named < count {
            self.out.extend_from_slice(", …".as_bytes());
        }
    }

    /// "No players" or "no servers" is worth a note in responses; "no keys removed" is not.
    fn empty_list(&mut self, list: &Span) {
        if !self.entry.spec.answers.is_empty() && !list.field.is_mostly_empty {
            self.gap(", ");
            _ = write!(self.out, "no {}", list.field.name);
        }
    }

    /// Whether the last record of a list only marks its end or its continuation.
    fn last_is_no_server(&self, parts: &[Span]) -> bool {
        match parts {
            [.., ip, port]
                if ip.field.role == FieldRole::Address && port.field.role == FieldRole::Port =>
            {
                let last = self.message.endpoint(&[ip, port]);
                last.is_some_and(|last| self.is_end(last))
            }
            _ => false,
        }
    }

    fn is_end(&self, last: SocketAddr) -> bool {
        // The last record of a list that is requested in parts may be no server.
        let is_in_parts = self.entry.spec.has_end_mark && self.entry.spec.part.is_some();
        last.port() == 0 && (is_in_parts || last.ip().is_unspecified())
    }

    /// A number and what it counts.
    fn count(&mut self, count: usize, name: &str) {
        push_number(self.out, count as u64);
        self.out.push(b' ');
        self.out.extend_from_slice(name.as_bytes());
    }

    /// The same of a list that is one span, of two endpoints or more.
    fn endpoints(&mut self, list: &Span) {
        let bytes = self.message.bytes(list);
        let all = list.shape.endpoints(bytes);
        let last = all.len().checked_sub(1).and_then(|at| list.shape.endpoints(bytes).nth(at));
        let count = all.len() - usize::from(last.is_some_and(|last| self.is_end(last.into())));
        self.gap(", ");
        self.count(count, if count == 1 { "server" } else { list.field.name });
        for (named, endpoint) in all.take(NAMED.min(count)).enumerate() {
            self.out.extend_from_slice(if named == 0 { b": " } else { b", " });
            push_endpoint(self.out, endpoint.into());
        }
        if count > NAMED {
            self.out.extend_from_slice(", …".as_bytes());
        }
    }

    /// The name of one list item: its endpoint, or the player's name.
    fn item_name(&mut self, group: Group, inside: &[Span], depth: u8) -> bool {
        let inside = inside.iter().take_while(|s| s.depth > depth);
        let mut data = inside.filter(|s| s.field.is_data() && s.start < s.end);
        if group == Group::Endpoint {
            let (Some(ip), Some(port)) = (data.next(), data.next()) else {
                return false;
            };
            if self.message.mask.hides(ip) || self.message.mask.hides(port) {
                return false;
            }
            let endpoint = self.message.endpoint(&[ip, port]);
            return endpoint.map(|endpoint| push_endpoint(self.out, endpoint)).is_some();
        }
        let person = data.find(|s| s.field.role == FieldRole::Person);
        person.is_some_and(|span| {
            let mark = self.out.len();
            self.value(span);
            self.out.len() > mark
        })
    }

    fn labelled(&mut self, label: &str, span: &Span) {
        self.gap(", ");
        self.out.extend_from_slice(label.as_bytes());
        self.out.push(b' ');
        self.value(span);
    }

    fn gap(&mut self, gap: &str) {
        if !self.is_empty() {
            self.out.extend_from_slice(gap.as_bytes());
        }
    }

    /// A value; text is trimmed of blanks and newlines.
    fn value(&mut self, span: &Span) {
        let mut bytes = self.message.bytes(span);
        if matches!(span.shape, Shape::Text | Shape::Decimal) {
            bytes = bytes.trim_ascii();
        }
        let bytes = bytes.get(..4 * WIDTH).unwrap_or(bytes);
        let runs = self.message.runs_of(span, bytes, self.message.colours);
        if runs.is_empty() {
            return self.message.push_displayed(self.out, span, bytes);
        }
        for run in runs {
            let start = self.out.len();
            self.out.extend_from_slice(run.text.as_bytes());
            if run.style != Style::new() {
                self.painted.push((start..self.out.len(), run.style));
            }
        }
    }

    /// Keeps the first characters.
    fn truncate(&mut self) {
        let text = self.out.get(self.begin..).unwrap_or_default();
        if text.len() <= WIDTH {
            return;
        }
        let text = str::from_utf8(text).unwrap_or_default();
        let mut chars = text.char_indices().skip(WIDTH - 1);
        if let (Some((at, _)), Some(_)) = (chars.next(), chars.next()) {
            let end = self.begin + at;
            self.out.truncate(end);
            self.out.extend_from_slice("…".as_bytes());
            self.painted.retain(|(range, _)| range.start < end);
            if let Some((last, _)) = self.painted.last_mut() {
                last.end = last.end.min(end);
            }
        }
    }
}
