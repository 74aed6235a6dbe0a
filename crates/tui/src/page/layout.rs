//! A Markdown page in lines: headings, paragraphs, lists, tables, code.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use ratatui::style::Style;

use crate::widgets::letters::{Letter, Pieces, hanging, letters, pieces, width};
use crate::widgets::style;
use text::wrapped_letters;

/// The minimum width of a table's column.
const NARROW: usize = 6;
/// Blank columns between those of a table.
const GAP: usize = 2;

/// A line on screen, and the line of the source that it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLine {
    pub pieces: Pieces,
    pub source: usize,
}

/// A page in lines of at most `columns`; lines of code go on wherever they are full.
pub(super) fn layout(source: &str, columns: usize) -> Vec<PageLine> {
    let mut page = PageLayout { lines: Vec::new(), columns, ..PageLayout::default() };
    let mut read = 0;
    for (event, range) in Parser::new_ext(source, Options::ENABLE_TABLES).into_offset_iter() {
        // Events inside others begin before the end of the last one.
        let skipped = source.get(read..range.start).unwrap_or_default();
        page.at += skipped.matches('\n').count();
        read = read.max(range.start);
        page.event(event);
    }
    page.lines
}

#[derive(Default)]
struct PageLayout {
    lines: Vec<PageLine>,
    columns: usize,
    /// The line of the source.
    at: usize,
    /// The text of the block so far, and the styles of the text around it.
    text: Vec<Letter>,
    styles: Vec<Style>,
    /// The mark of the list item, and the numbers of the lists around it.
    mark: Vec<Letter>,
    lists: Vec<Option<u64>>,
    /// The rows of the table.
    rows: Vec<Vec<Vec<Letter>>>,
    is_code: bool,
}

impl PageLayout {
    fn event(&mut self, event: Event<'_>) {
        let style = self.styles.last().copied().unwrap_or_default();
        match event {
            Event::Text(text) => {
                let style = if self.is_code { style::CODE } else { style };
                self.text.extend(letters(&text, style));
            }
            Event::Code(text) => self.text.extend(letters(&text, style::CODE)),
            Event::SoftBreak | Event::HardBreak => self.text.push((' ', style)),
            Event::Start(Tag::Heading { .. }) => self.begin(style::HEADING),
            Event::Start(Tag::Strong) if style == style::PLAIN => self.styles.push(style::BOLD),
            Event::Start(Tag::Strong | Tag::Emphasis) => self.styles.push(style),
            Event::End(TagEnd::Strong | TagEnd::Emphasis | TagEnd::TableHead) => {
                _ = self.styles.pop();
            }
            Event::Start(Tag::Paragraph | Tag::Table(_)) => self.begin(style::PLAIN),
            Event::Start(Tag::CodeBlock(_)) => {
                self.begin(style::PLAIN);
                self.is_code = true;
            }
            Event::Start(Tag::List(first)) => {
                self.paragraph();
                if self.lists.is_empty() {
                    self.begin(style::PLAIN);
                }
                self.lists.push(first);
            }
            Event::Start(Tag::Item) => self.item(),
            Event::End(TagEnd::List(_)) => _ = self.lists.pop(),
            Event::End(TagEnd::Heading(_) | TagEnd::Paragraph | TagEnd::Item) => self.paragraph(),
            Event::End(TagEnd::CodeBlock) => self.code(),
            Event::Start(Tag::TableHead) => {
                self.styles.push(style::BOLD);
                self.rows.push(Vec::new());
            }
            Event::Start(Tag::TableRow) => self.rows.push(Vec::new()),
            Event::End(TagEnd::TableCell) => {
                let cell = std::mem::take(&mut self.text);
                self.rows.last_mut().into_iter().for_each(|row| row.push(cell.clone()));
            }
            Event::End(TagEnd::Table) => self.table(),
            _ => {}
        }
    }

    /// A block begins: a blank line separates it from the last one.
    fn begin(&mut self, style: Style) {
        self.styles = vec![style];
        if self.lists.is_empty() && self.lines.last().is_some_and(|line| !line.pieces.is_empty()) {
            self.push(&[]);
        }
    }

    fn push(&mut self, line: &[Letter]) {
        self.lines.push(PageLine { pieces: pieces(line), source: self.at });
    }

    fn item(&mut self) {
        let indent = "  ".repeat(self.lists.len().saturating_sub(1));
        let mark = match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                format!("{indent}{}. ", *number - 1)
            }
            _ => format!("{indent}- "),
        };
        self.mark = letters(&mark, style::PLAIN);
    }

    /// The text so far, after the mark of its list item.
    fn paragraph(&mut self) {
        let (mark, text) = (std::mem::take(&mut self.mark), std::mem::take(&mut self.text));
        if !text.is_empty() {
            for line in hanging(&mark, &text, self.columns) {
                self.push(&line);
            }
        }
    }

    fn code(&mut self) {
        self.is_code = false;
        let text = std::mem::take(&mut self.text);
        for line in text.split_inclusive(|(letter, _)| *letter == '\n') {
            let line = line.strip_suffix(&[('\n', style::CODE)]).unwrap_or(line);
            let indent = letters("  ", style::PLAIN);
            let space = self.columns.saturating_sub(indent.len()).max(1);
            let (first, rest) = line.split_at(space.min(line.len()));
            self.push(&[&*indent, first].concat());
            for part in rest.chunks(space) {
                self.push(&[&*indent, part].concat());
            }
        }
    }

    fn table(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let widths = self.widths(&rows);
        for (i, row) in rows.iter().enumerate() {
            self.row(row, &widths);
            if i == 0 {
                let rules = widths.iter().map(|w| letters(&"─".repeat(*w), style::DIM));
                let gap = letters(&" ".repeat(GAP), style::PLAIN);
                self.push(&rules.collect::<Vec<_>>().join(gap.as_slice()));
            }
        }
    }

    /// The widths of a table's columns; the widest shrink if the screen is too narrow.
    fn widths(&self, rows: &[Vec<Vec<Letter>>]) -> Vec<usize> {
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        let cells = |i: usize| rows.iter().filter_map(move |row| row.get(i));
        let mut widths: Vec<usize> =
            (0..count).map(|i| cells(i).map(|cell| width(cell)).max().unwrap_or(0)).collect();
        let space = self.columns.saturating_sub(GAP * count.saturating_sub(1));
        while widths.iter().sum::<usize>() > space {
            match widths.iter_mut().max() {
                Some(widest) if *widest > NARROW => *widest -= 1,
                _ => break,
            }
        }
        widths
    }

    fn row(&mut self, row: &[Vec<Letter>], widths: &[usize]) {
        let cells: Vec<_> =
            row.iter().zip(widths).map(|(cell, w)| wrapped_letters(cell, *w)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for y in 0..height {
            let mut line = Vec::new();
            let mut end = 0;
            for (cell, column) in cells.iter().zip(widths) {
                let text = cell.get(y).map_or(&[][..], Vec::as_slice);
                let blanks = end - width(&line).min(end);
                if !text.is_empty() {
                    line.extend(vec![(' ', style::PLAIN); blanks]);
                    line.extend_from_slice(text);
                }
                end += column + GAP;
            }
            self.push(&line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page with its styles: headings #, bold *, code `, rules as they are.
    fn drawn(source: &str, columns: usize) -> String {
        let piece = |(text, style): &(String, Style)| match *style {
            style::HEADING => format!("#{text}#"),
            style::BOLD => format!("*{text}*"),
            style::CODE => format!("`{text}`"),
            _ => text.clone(),
        };
        let line = |line: PageLine| line.pieces.iter().map(piece).collect::<String>() + "\n";
        layout(source, columns).into_iter().map(line).collect()
    }

    #[test]
    fn markdown_becomes_styles() {
        for (source, text) in [
            ("## 3.1 `heartbeat`", "#3.1 #`heartbeat`\n"),
            ("a **bold [link](#x)** and *word*, 2 * 3", "a *bold link* and word, 2 * 3\n"),
            ("[`ping`](#ping), `a\\|b*`, ``x`y``", "`ping`, `a\\|b*`, `x`y`\n"),
            ("a \\*star\\* \\key", "a *star* \\key\n"),
            ("<a id=\"x\"></a>\n### x\n\n\n\ny", "#x#\n\ny\n"),
            ("one\ntwo\n- three", "one two\n\n- three\n"),
            ("```\n a  `b`\n\n```\nc", "  ` a  `b``\n  \n\nc\n"),
            ("an `unclosed **mark [x] *", "an `unclosed **mark [x] *\n"),
        ] {
            assert_eq!(drawn(source, 40), text, "{source}");
        }
    }

    #[test]
    fn long_lines_are_broken_and_hang() {
        assert_eq!(drawn("one two three", 7), "one two\nthree\n");
        assert_eq!(
            drawn("- one two\n  1. abcdefgh\n  2. x", 7),
            "- one\n  two\n  1. ab\n     cd\n     ef\n     gh\n  2. x\n"
        );
        assert_eq!(drawn("日本語日本", 5), "日本\n語日\n本\n");
    }

    #[test]
    fn tables_fit_their_columns() {
        let table = "| field | written as |\n|---|---|\n| mark | `ff ff ff ff`, four of them |\n| a\\|b | |";
        assert_eq!(
            drawn(table, 60),
            "*field*  *written as*\n─────  ─────────────────────────\n\
             mark   `ff ff ff ff`, four of them\na|b\n"
        );
        assert_eq!(
            drawn(table, 19),
            "*field*  *written as*\n─────  ────────────\nmark   `ff ff ff ff`,\n       four of them\na|b\n"
        );
    }
}
