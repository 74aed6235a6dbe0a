//! Styled text, letter by letter, wrapped into lines.

use ratatui::style::Style;
use unicode_width::UnicodeWidthChar as _;

use text::wrapped_letters;

/// A character in its style.
pub type Letter = (char, Style);

/// A line in pieces of one style.
pub type Pieces = Vec<(String, Style)>;

pub fn letters(text: &str, style: Style) -> Vec<Letter> {
    text.chars().map(|c| (c, style)).collect()
}

/// The width in columns.
pub fn width(letters: &[Letter]) -> usize {
    letters.iter().map(|(letter, _)| letter.width().unwrap_or(0)).sum()
}

pub fn pieces(letters: &[Letter]) -> Pieces {
    let same = letters.chunk_by(|(_, a), (_, b)| a == b);
    same.filter_map(|run| Some((run.iter().map(|(c, _)| c).collect(), run.first()?.1))).collect()
}

/// Text after a mark; further lines are indented to its beginning.
pub fn hanging(mark: &[Letter], text: &[Letter], columns: usize) -> Vec<Vec<Letter>> {
    let indent = width(mark);
    let blanks = letters(&" ".repeat(indent), Style::new());
    let lines = wrapped_letters(text, columns.saturating_sub(indent)).into_iter().enumerate();
    lines.map(|(i, line)| [if i == 0 { mark } else { &blanks }, &line].concat()).collect()
}
