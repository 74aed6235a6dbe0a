//! Lines with colour codes in the width of a terminal.

use unicode_width::UnicodeWidthChar as _;

use render::Colour;

/// How many columns a line has, without its colour codes. All is ASCII.
pub(super) fn width(line: &[u8]) -> usize {
    let is_letter = |is_code: &mut bool, byte: &u8| {
        let was_code = *is_code;
        *is_code = if was_code { *byte != b'm' } else { *byte == b'\x1b' };
        Some(!was_code && !*is_code)
    };
    line.iter().scan(false, is_letter).filter(|is_letter| *is_letter).count()
}

/// Cuts the line that begins at an offset to the width of a terminal.
pub(super) fn cut(lines: &mut Vec<u8>, begin: usize, columns: usize, colour: Colour) {
    let line = lines.get(begin..).unwrap_or_default();
    if line.len() <= columns {
        return;
    }
    let Ok(line) = str::from_utf8(line) else { return };
    let (mut width, mut end, mut is_code) = (0, None, false);
    for (at, letter) in line.char_indices() {
        if is_code {
            is_code = letter != 'm';
            continue;
        }
        is_code = letter == '\x1b';
        if is_code {
            continue;
        }
        width += letter.width().unwrap_or(0);
        // The last column is for the sign that the line goes on.
        if width < columns {
            end = Some(at + letter.len_utf8());
        }
    }
    if let Some(end) = end.filter(|_| width > columns) {
        lines.truncate(begin + end);
        lines.extend_from_slice("…".as_bytes());
        if colour == Colour::Ansi {
            lines.extend_from_slice(b"\x1b[0m");
        }
    }
}
