//! The difference of two messages: field by field, and byte by byte.

mod bytes;

use std::collections::BTreeMap;

use bytes::ComparedBytes;

use super::screens::messages::open::OpenMessage;
use super::text::counted;
use super::widgets::letters::Pieces;
use super::widgets::style;
use render::{Separators, TreeLine};
use text::{fit, utc, width};

/// The messages that are read to be compared.
#[derive(Default)]
pub struct PendingComparison(Option<OpenMessage>);

/// Two messages, and their fields in two columns.
pub struct ComparedMessages {
    first: OpenMessage,
    second: OpenMessage,
    rows: Vec<FieldRow>,
    bytes: ComparedBytes,
}

/// A field of either message, or of both.
struct FieldRow {
    depth: u8,
    label: String,
    values: [Option<String>; 2],
}

impl PendingComparison {
    pub fn clear(&mut self) {
        self.0 = None;
    }

    /// Takes the first message; with the second one, gives both.
    pub fn add_message(&mut self, at: usize, open: OpenMessage) -> Option<ComparedMessages> {
        if at == 0 {
            self.0 = Some(open);
            return None;
        }
        Some(ComparedMessages::new(self.0.take()?, open))
    }
}

impl ComparedMessages {
    pub fn new(mut first: OpenMessage, mut second: OpenMessage) -> Self {
        first.build_tree(Separators::Hidden);
        second.build_tree(Separators::Hidden);
        let rows = aligned(first.message_lines(), second.message_lines());
        let bytes = ComparedBytes::new(first.cells(0), second.cells(0));
        Self { first, second, rows, bytes }
    }

    pub fn heading(&self) -> String {
        let [a, b] = [&self.first, &self.second].map(|open| match &open.title {
            Some(title) => title.clone(),
            None => format!("#{}", open.header.number),
        });
        format!("comparison of {a} and {b}")
    }

    /// The lines in at most so many columns.
    pub fn lines(&self, columns: usize) -> Vec<Pieces> {
        let mut lines = self.heads(columns);
        let differing = self.rows.iter().filter(|row| row.differs()).count();
        let summary = match differing {
            0 => "all fields are the same".to_owned(),
            1 => "1 field differs".to_owned(),
            n => format!("{n} fields differ"),
        };
        lines.push(vec![(summary, style::BOLD)]);
        lines.push(Vec::new());
        let widest = self.rows.iter().map(FieldRow::label_width).max().unwrap_or(0);
        let label = widest.min(columns / 3);
        let value = columns.saturating_sub(label + 6) / 2;
        lines.extend(self.rows.iter().map(|row| row.pieces(label, value)));
        lines.push(Vec::new());
        lines.push(vec![("bytes".to_owned(), style::BOLD)]);
        lines.extend(self.bytes.lines(self.first.cells(0), self.second.cells(0), columns));
        lines
    }

    /// Of each message its number, its name, its time, the capture if they are of two, and its ends;
    /// these in a line of their own if space is short.
    fn heads(&self, columns: usize) -> Vec<Pieces> {
        let [first_file, second_file] = distinct_ends([&self.first.file, &self.second.file]);
        let sides = [("<", &self.first, first_file), (">", &self.second, second_file)];
        let parts = sides.map(|(sign, open, file)| {
            let header = &open.header;
            if let Some(title) = &open.title {
                let bytes = counted(open.payload().len() as u64, "byte");
                return (format!("{sign} {title}: {}, {bytes}", header.name), String::new());
            }
            let mut head =
                format!("{sign} #{} {}  {}", header.number, header.name, utc(header.time));
            if first_file != second_file {
                head = format!("{head}  in {file}");
            }
            (head, format!("{} → {}", header.source, header.destination))
        });
        let is_short = parts.iter().any(|(head, ends)| width(head) + 2 + width(ends) > columns);
        let line = |text: &str| vec![(fit(text, columns), style::PLAIN)];
        let lines = |(head, ends): &(String, String)| {
            if ends.is_empty() {
                vec![line(head)]
            } else if is_short {
                vec![line(head), line(&format!("  {ends}"))]
            } else {
                vec![line(&format!("{head}  {ends}"))]
            }
        };
        parts.iter().flat_map(lines).collect()
    }
}

/// The shortest ends of two paths that differ: their names, or these with folders.
fn distinct_ends<'a>(paths: [&'a str; 2]) -> [&'a str; 2] {
    let ends = |path: &'a str| {
        let separators = path.rmatch_indices(std::path::is_separator);
        separators.filter_map(|(at, _)| path.get(at + 1..)).chain([path])
    };
    let [first, second] = paths.map(ends);
    first.zip(second).find(|(a, b)| a != b).map_or(paths, |(a, b)| [a, b])
}

impl FieldRow {
    fn differs(&self) -> bool {
        let [a, b] = &self.values;
        a != b
    }

    fn label_width(&self) -> usize {
        2 * usize::from(self.depth) + width(&self.label)
    }

    /// `= label  value  value`, with a sign that says how the two differ.
    fn pieces(&self, label: usize, value: usize) -> Pieces {
        let (sign, of) = match &self.values {
            [Some(a), Some(b)] if a == b => ("=", style::DIM),
            [Some(_), Some(_)] => ("≠", style::WARNING),
            [Some(_), None] => ("<", style::WARNING),
            _ => (">", style::WARNING),
        };
        let indent = "  ".repeat(usize::from(self.depth));
        let mut line = vec![(format!("{sign} "), of)];
        line.push((
            column(&format!("{indent}{}", self.label), label),
            style::kind(codec::Kind::Key),
        ));
        for text in &self.values {
            let text = text.as_deref().unwrap_or("");
            line.push((
                format!("  {}", column(text, value)),
                if self.differs() { style::BOLD } else { style::PLAIN },
            ));
        }
        line
    }
}

fn column(text: &str, columns: usize) -> String {
    let text = fit(text, columns);
    let blanks = columns.saturating_sub(width(&text));
    format!("{text}{}", " ".repeat(blanks))
}

/// Fields of both messages side by side: of the same name in the same group, the n-th with the
/// n-th; those of one message alone follow where they stand there.
fn aligned(first: &[TreeLine], second: &[TreeLine]) -> Vec<FieldRow> {
    let (keys_a, keys_b) = (keys(first), keys(second));
    let places: BTreeMap<_, _> = keys_b.iter().enumerate().map(|(at, key)| (key, at)).collect();
    let mut rows = Vec::with_capacity(first.len());
    let mut next = 0;
    let only = |lines: &[TreeLine], from: usize, to: usize, rows: &mut Vec<FieldRow>| {
        for (line, key) in lines.iter().zip(&keys_b).take(to).skip(from) {
            if !keys_a.contains(key) {
                rows.push(row(line, [None, Some(shown(line))]));
            }
        }
    };
    for (line, key) in first.iter().zip(&keys_a) {
        let other = places.get(key).and_then(|at| Some((*at, second.get(*at)?)));
        if let Some((at, other)) = other {
            if at >= next {
                only(second, next, at, &mut rows);
                next = at + 1;
            }
            rows.push(row(line, [Some(shown(line)), Some(shown(other))]));
        } else {
            rows.push(row(line, [Some(shown(line)), None]));
        }
    }
    only(second, next, second.len(), &mut rows);
    rows
}

fn row(line: &TreeLine, values: [Option<String>; 2]) -> FieldRow {
    FieldRow { depth: line.depth, label: line.label.clone(), values }
}

fn shown(line: &TreeLine) -> String {
    match &line.meaning {
        Some(meaning) => format!("{} ({meaning})", line.value),
        None => line.value.clone(),
    }
}

/// What a field is known by: the labels around it and its own, without counts, and how many of that
/// name came before.
fn keys(lines: &[TreeLine]) -> Vec<(Vec<String>, usize)> {
    let mut path: Vec<String> = Vec::new();
    let mut seen: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    let key = |line: &TreeLine| {
        path.truncate(usize::from(line.depth));
        let label = line.label.split(" (").next().unwrap_or_default();
        path.push(label.to_ascii_lowercase());
        let count = seen.entry(path.clone()).or_default();
        *count += 1;
        (path.clone(), *count)
    };
    lines.iter().map(key).collect()
}

#[cfg(test)]
mod tests {
    use super::distinct_ends;

    #[test]
    fn captures_are_named_by_what_differs() {
        for (paths, ends) in [
            (["/a/b/x.pcap", "/a/b/y.pcap"], ["x.pcap", "y.pcap"]),
            (["/a/b/x.pcap", "/a/c/x.pcap"], ["b/x.pcap", "c/x.pcap"]),
            (["x.pcap", "a/x.pcap"], ["x.pcap", "a/x.pcap"]),
            (["x.pcap", "x.pcap"], ["x.pcap", "x.pcap"]),
            (["-", "/a/x.pcap"], ["-", "x.pcap"]),
        ] {
            assert_eq!(distinct_ends(paths), ends);
        }
    }
}
