//! Entries for people: aligned as far as a stream allows, folded if there are few columns.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::Style;

use super::{ReportLine, ReportMark, Scope};
use render::Colour;
use text::{counted, escaped, width, wrapped};

/// The maximum number of frames that are named.
const NAMED: usize = 6;
/// Where folded text begins: under the id.
const INDENT: usize = ReportMark::COLUMNS + 2;

/// The state of a text report being written.
pub(super) struct TextReport {
    colour: Colour,
    columns: Option<usize>,
    /// The widest id so far.
    id: usize,
    line: String,
}

impl TextReport {
    pub fn new(colour: Colour, columns: Option<usize>) -> Self {
        Self { colour, columns, id: 0, line: String::new() }
    }

    /// `warning  list.end-missing  frames 7, 8  what is wrong  [document 001, section 1.1.2]` on
    /// one line if it fits, else with the part after the frames on lines below.
    pub fn write(&mut self, out: &mut impl Write, line: &ReportLine<'_>) -> io::Result<()> {
        let id = escaped(line.id);
        self.id = self.id.max(width(&id));
        let frames = frames(line.messages);
        let text = line_text(line);
        let citation = escaped(line.citation);
        let citation = if citation.is_empty() { String::new() } else { format!("[{citation}]") };
        let tail: Vec<&str> =
            [&text, &citation].into_iter().map(String::as_str).filter(|t| !t.is_empty()).collect();
        let tail = tail.join("  ");

        self.line.clear();
        self.paint(line.mark.style(), line.mark.word());
        let blanks = INDENT - line.mark.word().len();
        _ = write!(self.line, "{:blanks$}", "");
        self.paint(Style::new().bold(), &id);
        let mut used = INDENT + width(&id);
        let behind = [frames.as_str(), tail.as_str()];
        let rest: usize =
            behind.into_iter().map(|t| if t.is_empty() { 0 } else { 2 + width(t) }).sum();
        let is_one = self.columns.is_none_or(|all| INDENT + self.id + rest <= all);
        if rest > 0 && is_one {
            used = INDENT + self.id;
            let blanks = self.id - width(&id);
            _ = write!(self.line, "{:blanks$}", "");
        }
        if !frames.is_empty() {
            _ = write!(self.line, "  {frames}");
        }
        match self.columns {
            _ if tail.is_empty() => {}
            Some(all) if !is_one && used + rest > all => {
                for part in wrapped(&tail, all.saturating_sub(INDENT).max(20)) {
                    _ = write!(self.line, "\n{:INDENT$}{part}", "");
                }
            }
            _ => _ = write!(self.line, "  {tail}"),
        }
        self.line.push('\n');
        out.write_all(self.line.as_bytes())
    }

    /// `3 findings: 1 error, 2 warnings`, the worst first, and what was checked, if that is set;
    /// without entries a line only then.
    pub fn finish(
        mut self,
        out: &mut impl Write,
        counts: &BTreeMap<ReportMark, u64>,
        scope: Option<&Scope>,
    ) -> io::Result<()> {
        let hidden = scope.map(|scope| &scope.hidden).into_iter().flatten();
        let all: u64 = counts.values().chain(hidden.clone().map(|(_, n)| n)).sum();
        let of = scope.map(|scope| format!(" in {}", scope.of)).unwrap_or_default();
        self.line.clear();
        if all == 0 {
            if scope.is_none() {
                return Ok(());
            }
            self.paint(Style::new().bold(), "no findings");
            _ = writeln!(self.line, "{of}");
            return out.write_all(self.line.as_bytes());
        }
        let is_found = counts.keys().all(|mark| matches!(mark, ReportMark::Found(_)));
        let what = if is_found { "finding" } else { "case" };
        // Findings are listed from the worst; cases begin with those that passed.
        let mut parts: Vec<_> = counts.iter().map(|(mark, n)| mark.counted(*n)).collect();
        if is_found {
            parts.reverse();
        }
        let hint = scope.map_or("", |scope| scope.hint);
        parts.extend(hidden.map(|(mark, n)| format!("{} ({hint})", mark.counted(*n))));
        self.paint(Style::new().bold(), &counted(all, what));
        _ = writeln!(self.line, ": {}{of}", parts.join(", "));
        out.write_all(self.line.as_bytes())
    }

    fn paint(&mut self, style: Style, text: &str) {
        self.colour.write(&mut self.line, style, text);
    }
}

/// An entry's text: its title and its text, as far as it has both.
pub(super) fn line_text(line: &ReportLine<'_>) -> String {
    let (title, text) = (escaped(line.title), escaped(line.text));
    let gap = if title.is_empty() || text.is_empty() { "" } else { ": " };
    format!("{title}{gap}{text}")
}

/// `frame 7`, `frames 7, 8`, `frames 7, 8, 9, 10, 11, 12 and 3 more`; empty for none.
pub(super) fn frames(numbers: &[u64]) -> String {
    let Some((first, more)) = numbers.split_first() else {
        return String::new();
    };
    let s = if more.is_empty() { "" } else { "s" };
    let mut text = format!("frame{s} {first}");
    for number in more.iter().take(NAMED - 1) {
        _ = write!(text, ", {number}");
    }
    if let left @ 1.. = numbers.len().saturating_sub(NAMED) {
        _ = write!(text, " and {left} more");
    }
    text
}
