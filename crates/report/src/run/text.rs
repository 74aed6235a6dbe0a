//! A run for people: cases grouped by the sections in their ids, with failures below them; at the
//! end why some could not be judged, and the summary.

use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::Style;

use super::{Run, Tried};
use crate::{Outcome, ReportMark};
use render::Colour;
use text::escaped;

pub(super) fn write(run: &Run, out: &mut impl Write, colour: Colour) -> io::Result<()> {
    let mut tree = SectionTree { colour, open: Vec::new() };
    // A cause of blocked cases is shown once, at the end, with a count; other formats list the ids.
    for tried in run.cases.iter().filter(|tried| run.cause_of(tried).is_none()) {
        out.write_all(tree.case(tried).as_bytes())?;
    }
    out.write_all(tree.end(run).as_bytes())
}

/// The output, and the current position in the tree of sections.
struct SectionTree {
    colour: Colour,
    /// The sections that are open.
    open: Vec<String>,
}

impl SectionTree {
    fn case(&mut self, tried: &Tried) -> String {
        let mark = tried.mark();
        let (section, name) = tried.id.rsplit_once('/').unwrap_or(("", &tried.id));
        let mut text = String::new();
        let indent = self.enter(&mut text, section);
        _ = write!(text, "{:indent$}", "");
        self.colour.write(&mut text, mark.style(), mark.word());
        let gap = ReportMark::COLUMNS + 1 - mark.word().len();
        _ = writeln!(text, "{:gap$}{}  {}", "", escaped(name), escaped(&tried.title));
        let is_quiet = mark.outcome() == Outcome::Passed && tried.text.is_empty();
        if is_quiet {
            return text;
        }
        let below = indent + ReportMark::COLUMNS + 1;
        for part in tried.text.split('\n').filter(|part| !part.is_empty()) {
            _ = writeln!(text, "{:below$}{}", "", escaped(part));
        }
        if let Some(first) = &tried.first_try {
            _ = writeln!(text, "{:below$}at the first try: {}", "", escaped(first));
        }
        indented(&mut text, below, &tried.detail);
        text
    }

    /// Writes the headings that lead to a section; returns the indentation of its content.
    fn enter(&mut self, text: &mut String, section: &str) -> usize {
        let parts: Vec<_> = section.split('/').filter(|part| !part.is_empty()).collect();
        let same = self.open.iter().zip(&parts).take_while(|(a, b)| a == b).count();
        if !self.open.is_empty() && same == 0 {
            text.push('\n');
        }
        for (depth, part) in parts.iter().enumerate().skip(same) {
            _ = write!(text, "{:1$}", "", 2 * depth);
            self.colour.write(text, Style::new().bold(), &escaped(part));
            text.push('\n');
        }
        self.open = parts.iter().map(|part| (*part).to_owned()).collect();
        2 * parts.len()
    }

    /// Why cases could not be judged, notes, and the summary.
    fn end(&self, run: &Run) -> String {
        let mut text = String::new();
        if !self.open.is_empty() {
            text.push('\n');
        }
        for cause in &run.causes {
            self.colour.write(&mut text, Style::new().bold(), &escaped(&cause.line()));
            text.push('\n');
            indented(&mut text, 2, &cause.detail);
        }
        for note in &run.notes {
            _ = writeln!(text, "{}", escaped(note));
        }
        let line = run.summary().line();
        let (count, parts) = line.split_once(':').unwrap_or((&line, ""));
        self.colour.write(&mut text, Style::new().bold(), count);
        let colon = if parts.is_empty() { "" } else { ":" };
        _ = writeln!(text, "{colon}{parts}");
        text
    }
}

/// Appends lines that are escaped already.
fn indented(text: &mut String, by: usize, lines: &str) {
    for line in lines.lines() {
        _ = writeln!(text, "{:by$}{line}", "");
    }
}
