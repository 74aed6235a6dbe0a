//! Entries for people, under their sections: the parts of an id in front of the last are a heading
//! each, and what was wrong stands beneath its line.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::Style;

use super::text::Text;
use super::{Line, Mark, Outcome};
use crate::dump::{Colour, escaped};

/// A tree that is being written.
pub(super) struct Tree {
    colour: Colour,
    /// The sections that are open.
    open: Vec<String>,
}

impl Tree {
    pub fn new(colour: Colour) -> Self {
        Self { colour, open: Vec::new() }
    }

    pub fn write(&mut self, out: &mut impl Write, line: &Line<'_>, detail: &str) -> io::Result<()> {
        let (section, name) = line.id.rsplit_once('/').unwrap_or(("", line.id));
        let parts: Vec<_> = section.split('/').filter(|part| !part.is_empty()).collect();
        let same = self.open.iter().zip(&parts).take_while(|(a, b)| a == b).count();
        let mut text = String::new();
        if !self.open.is_empty() && same == 0 {
            text.push('\n');
        }
        for (depth, part) in parts.iter().enumerate().skip(same) {
            _ = write!(text, "{:1$}", "", 2 * depth);
            self.paint(&mut text, Style::new().bold(), &escaped(part));
            text.push('\n');
        }
        self.open = parts.iter().map(|part| (*part).to_owned()).collect();
        let indent = 2 * parts.len();
        _ = write!(text, "{:indent$}", "");
        self.paint(&mut text, line.mark.style(), line.mark.word());
        let gap = Mark::COLUMNS + 1 - line.mark.word().len();
        _ = writeln!(text, "{:gap$}{}  {}", "", escaped(name), escaped(line.title));
        let below = indent + Mark::COLUMNS + 1;
        let quiet = line.mark.outcome() == Outcome::Passed && line.text.is_empty();
        if !quiet {
            for part in line.text.split('\n').filter(|part| !part.is_empty()) {
                _ = writeln!(text, "{:below$}{}", "", escaped(part));
            }
            if !detail.is_empty() {
                for part in detail.lines() {
                    _ = writeln!(text, "{:below$}{part}", "");
                }
            }
        }
        out.write_all(text.as_bytes())
    }

    /// An empty line and the count.
    pub fn finish(self, out: &mut impl Write, counts: &BTreeMap<Mark, u64>) -> io::Result<()> {
        if !counts.is_empty() {
            out.write_all(b"\n")?;
        }
        Text::new(self.colour, None).finish(out, counts)
    }

    fn paint(&self, text: &mut String, style: Style, word: &str) {
        match self.colour {
            Colour::Plain => text.push_str(word),
            Colour::Ansi => _ = write!(text, "{style}{word}{style:#}"),
        }
    }
}
