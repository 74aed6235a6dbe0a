//! The subset of Markdown that the pages use: headings, paragraphs, lists, tables, code.

use unicode_width::UnicodeWidthChar;

use super::{PageLine, PageStyle};

type Letter = (char, PageStyle);

/// The minimum width of a table's column.
const NARROW: usize = 6;
/// Blank columns between those of a table.
const GAP: usize = 2;

/// A page in lines of at most `columns`; only code is not wrapped.
pub(super) fn layout(source: &str, columns: usize) -> Vec<PageLine> {
    let mut page = PageLayout { lines: Vec::new(), columns, at: 0 };
    let all: Vec<&str> = source.lines().collect();
    let mut left = all.as_slice();
    while let Some((first, rest)) = left.split_first() {
        let taken = match MarkdownBlock::of(first) {
            MarkdownBlock::Anchor => 1,
            MarkdownBlock::Blank => page.blank(),
            MarkdownBlock::Heading(text) => page.text(&[], &inline(text, PageStyle::Heading)),
            MarkdownBlock::Fence => page.code(rest),
            MarkdownBlock::Table => page.table(left),
            MarkdownBlock::Item(mark, text) => {
                page.text(&plain(mark), &inline(text, PageStyle::Plain))
            }
            MarkdownBlock::Text => page.paragraph(left),
        };
        page.at += taken;
        left = left.get(taken..).unwrap_or_default();
    }
    page.lines
}

/// The kind of block that a line of the source begins.
enum MarkdownBlock<'a> {
    Anchor,
    Blank,
    Heading(&'a str),
    Fence,
    Table,
    /// Its indentation and mark, and the text.
    Item(&'a str, &'a str),
    Text,
}

impl<'a> MarkdownBlock<'a> {
    fn of(line: &'a str) -> Self {
        let bare = line.trim_start();
        let marked = |mark: &str| line.split_at_checked(line.len() - bare.len() + mark.len());
        let number = bare.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = bare.len() - number.len();
        let mark = match bare {
            _ if bare.starts_with("- ") => bare.get(..2),
            _ if digits > 0 && number.starts_with(". ") => bare.get(..digits + 2),
            _ => None,
        };
        if let Some((mark, text)) = mark.and_then(marked) {
            return Self::Item(mark, text);
        }
        match bare {
            "" => Self::Blank,
            _ if bare.starts_with("<a id=") => Self::Anchor,
            _ if bare.starts_with('#') => Self::Heading(bare.trim_start_matches('#').trim()),
            _ if bare.starts_with("```") => Self::Fence,
            _ if bare.starts_with('|') => Self::Table,
            _ => Self::Text,
        }
    }
}

struct PageLayout {
    lines: Vec<PageLine>,
    columns: usize,
    /// The line of the source.
    at: usize,
}

/// Each method consumes lines of the source and returns how many.
impl PageLayout {
    fn push(&mut self, letters: &[Letter]) {
        let mut pieces: Vec<(String, PageStyle)> = Vec::new();
        for (letter, style) in letters {
            match pieces.last_mut() {
                Some((text, of)) if of == style => text.push(*letter),
                _ => pieces.push((letter.to_string(), *style)),
            }
        }
        self.lines.push(PageLine { pieces, source: self.at });
    }

    fn blank(&mut self) -> usize {
        if self.lines.last().is_some_and(|line| !line.pieces.is_empty()) {
            self.push(&[]);
        }
        1
    }

    /// Text after a mark; continuation lines are indented to its beginning.
    fn text(&mut self, mark: &[Letter], text: &[Letter]) -> usize {
        let indent = width(mark);
        let blanks = vec![(' ', PageStyle::Plain); indent];
        for (i, line) in wrapped(text, self.columns.saturating_sub(indent)).iter().enumerate() {
            let before = if i == 0 { mark } else { &blanks };
            self.push(&[before, line].concat());
        }
        1
    }

    fn paragraph(&mut self, left: &[&str]) -> usize {
        let lines =
            left.iter().take_while(|line| matches!(MarkdownBlock::of(line), MarkdownBlock::Text));
        let lines: Vec<&str> = lines.copied().collect();
        self.text(&[], &inline(&lines.join(" "), PageStyle::Plain));
        lines.len()
    }

    fn code(&mut self, inside: &[&str]) -> usize {
        let len = inside
            .iter()
            .take_while(|line| !matches!(MarkdownBlock::of(line), MarkdownBlock::Fence))
            .count();
        for line in inside.iter().take(len) {
            let letters: Vec<Letter> = line.chars().map(|c| (c, PageStyle::Code)).collect();
            self.push(&[plain("  "), letters].concat());
        }
        len + 2
    }

    fn table(&mut self, left: &[&str]) -> usize {
        let lines =
            left.iter().take_while(|line| matches!(MarkdownBlock::of(line), MarkdownBlock::Table));
        let len = lines.clone().count();
        let is_rule = |line: &&&str| line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
        let rows: Vec<Vec<Vec<Letter>>> = lines
            .filter(|line| !is_rule(line))
            .enumerate()
            .map(|(i, row)| {
                let style = if i == 0 { PageStyle::Bold } else { PageStyle::Plain };
                cells(row).iter().map(|cell| inline(cell.trim(), style)).collect()
            })
            .collect();
        let widths = self.widths(&rows);
        for (i, row) in rows.iter().enumerate() {
            self.row(row, &widths);
            if i == 0 {
                let rules = widths.iter().map(|w| vec![('─', PageStyle::Rule); *w]);
                self.push(&rules.collect::<Vec<_>>().join(plain("  ").as_slice()));
            }
        }
        len
    }

    /// The widths of a table's columns; the widest shrink if the screen is too narrow.
    fn widths(&self, rows: &[Vec<Vec<Letter>>]) -> Vec<usize> {
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        let cells = |i: usize| rows.iter().filter_map(move |row| row.get(i));
        let mut widths: Vec<usize> =
            (0..count).map(|i| cells(i).map(|cell| width(cell)).max().unwrap_or(0)).collect();
        let room = self.columns.saturating_sub(GAP * count.saturating_sub(1));
        while widths.iter().sum::<usize>() > room {
            match widths.iter_mut().max() {
                Some(widest) if *widest > NARROW => *widest -= 1,
                _ => break,
            }
        }
        widths
    }

    fn row(&mut self, row: &[Vec<Letter>], widths: &[usize]) {
        let cells: Vec<_> = row.iter().zip(widths).map(|(cell, w)| wrapped(cell, *w)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        for y in 0..height {
            let mut line = Vec::new();
            let mut end = 0;
            for (cell, column) in cells.iter().zip(widths) {
                let text = cell.get(y).map_or(&[][..], Vec::as_slice);
                let blanks = end - width(&line).min(end);
                if !text.is_empty() {
                    line.extend(vec![(' ', PageStyle::Plain); blanks]);
                    line.extend_from_slice(text);
                }
                end += column + GAP;
            }
            self.push(&line);
        }
    }
}

/// The cells of a row; an escaped pipe is part of a cell.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let row = row.strip_suffix('|').unwrap_or(row);
    let mut cells = vec![String::new()];
    let mut chars = row.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = c == '\\' && chars.next_if_eq(&'|').is_some();
        match cells.last_mut() {
            Some(cell) if escaped => cell.push('|'),
            Some(cell) if c != '|' => cell.push(c),
            _ => cells.push(String::new()),
        }
    }
    cells
}

/// Text without markup: code and emphasis become styles, links their text.
fn inline(text: &str, style: PageStyle) -> Vec<Letter> {
    let mut out = Vec::with_capacity(text.len());
    let mut left = text;
    while let Some(c) = left.chars().next() {
        if let Some((inner, of, rest)) = marked(left, style) {
            match of {
                PageStyle::Code => out.extend(inner.chars().map(|c| (c, PageStyle::Code))),
                of => out.extend(inline(inner, of)),
            }
            left = rest;
            continue;
        }
        let rest = left.get(c.len_utf8()..).unwrap_or_default();
        let escaped = rest.chars().next().filter(|next| c == '\\' && next.is_ascii_punctuation());
        let letter = escaped.unwrap_or(c);
        left = if escaped.is_some() { rest.get(1..).unwrap_or_default() } else { rest };
        out.push((letter, style));
    }
    out
}

/// The text between marks at the beginning of `left`, its style, and the rest.
fn marked(left: &str, style: PageStyle) -> Option<(&str, PageStyle, &str)> {
    if left.starts_with('`') {
        let ticks = left.len() - left.trim_start_matches('`').len();
        let (ticks, inside) = left.split_at_checked(ticks)?;
        let (code, rest) = inside.split_once(ticks)?;
        return Some((code, PageStyle::Code, rest));
    }
    if let Some(inside) = left.strip_prefix('[') {
        let (text, rest) = inside.split_once("](")?;
        let (_, rest) = rest.split_once(')')?;
        return (!text.contains(']')).then_some((text, style, rest));
    }
    if let Some(inside) = left.strip_prefix("**") {
        let (text, rest) = inside.split_once("**")?;
        return Some((text, if style == PageStyle::Plain { PageStyle::Bold } else { style }, rest));
    }
    let (text, rest) = left.strip_prefix('*')?.split_once('*')?;
    let is_word = !text.is_empty() && text.trim() == text && !text.contains('`');
    is_word.then_some((text, style, rest))
}

/// Letters in lines of at most `columns`, wrapped at blanks if possible.
fn wrapped(text: &[Letter], columns: usize) -> Vec<Vec<Letter>> {
    let mut lines = vec![Vec::new()];
    let mut used = 0;
    for word in text.split_inclusive(|(letter, _)| *letter == ' ') {
        let bare = match word {
            [bare @ .., (' ', _)] => bare,
            all => all,
        };
        if used > 0 && used + width(bare) > columns {
            lines.push(Vec::new());
            used = 0;
        }
        for letter in word {
            let columns_of = letter.0.width().unwrap_or(0);
            if used > 0 && used + columns_of > columns && letter.0 != ' ' {
                lines.push(Vec::new());
                used = 0;
            }
            used += columns_of;
            if let Some(line) = lines.last_mut() {
                line.push(*letter);
            }
        }
    }
    for line in &mut lines {
        while line.last().is_some_and(|(letter, _)| *letter == ' ') {
            line.pop();
        }
    }
    lines
}

fn plain(text: &str) -> Vec<Letter> {
    text.chars().map(|c| (c, PageStyle::Plain)).collect()
}

fn width(letters: &[Letter]) -> usize {
    letters.iter().map(|(letter, _)| letter.width().unwrap_or(0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page with its styles: headings #, bold *, code `, rules as they are.
    fn drawn(source: &str, columns: usize) -> String {
        let piece = |(text, style): &(String, PageStyle)| match style {
            PageStyle::Plain | PageStyle::Rule => text.clone(),
            PageStyle::Heading => format!("#{text}#"),
            PageStyle::Bold => format!("*{text}*"),
            PageStyle::Code => format!("`{text}`"),
        };
        let line = |line: PageLine| line.pieces.iter().map(piece).collect::<String>() + "\n";
        layout(source, columns).into_iter().map(line).collect()
    }

    #[test]
    fn marks_go_and_what_they_mean_stays() {
        for (source, text) in [
            ("## 3.1 `heartbeat`", "#3.1 #`heartbeat`\n"),
            ("a **bold [link](#x)** and *word*, 2 * 3", "a *bold link* and word, 2 * 3\n"),
            ("[`ping`](#ping), `a\\|b*`, ``x`y``", "`ping`, `a\\|b*`, `x`y`\n"),
            ("a \\*star\\* \\key", "a *star* \\key\n"),
            ("<a id=\"x\"></a>\n### x\n\n\n\ny", "#x#\n\ny\n"),
            ("one\ntwo\n- three", "one two\n- three\n"),
            ("```\n a  `b`\n\n```\nc", "  ` a  `b``\n  \nc\n"),
            ("an `unclosed **mark [x] *", "an `unclosed **mark [x] *\n"),
        ] {
            assert_eq!(drawn(source, 40), text, "{source}");
        }
    }

    #[test]
    fn long_lines_are_broken_and_hang() {
        assert_eq!(drawn("one two three", 7), "one two\nthree\n");
        assert_eq!(
            drawn("- one two\n  10. abcdefgh", 7),
            "- one\n  two\n  10. a\n      b\n      c\n      d\n      e\n      f\n      g\n      h\n"
        );
        assert_eq!(drawn("日本語日本", 5), "日本\n語日\n本\n");
    }

    #[test]
    fn tables_keep_to_their_columns() {
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
