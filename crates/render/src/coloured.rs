//! Game texts in the colours that their colour codes give.
//!
//! The codes are removed and become styles: only the sixteen colours that every terminal has, and
//! none that is unreadable on a dark or a light background. White is the terminal's own colour,
//! black is grey.

use anstyle::{AnsiColor, Style};

use protocol::Colours;
use text::as_latin;
use text::{escaped, is_printable};

/// A stretch of text in one style; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextRun {
    /// The text, escaped.
    pub text: String,
    /// Its colour and effects.
    pub style: Style,
}

/// `^0` to `^9`: the first eight are Quake III's, the others Enemy Territory's orange and grey.
const CARETS: [Option<AnsiColor>; 10] = [
    Some(AnsiColor::BrightBlack),
    Some(AnsiColor::BrightRed),
    Some(AnsiColor::BrightGreen),
    Some(AnsiColor::BrightYellow),
    Some(AnsiColor::BrightBlue),
    Some(AnsiColor::BrightCyan),
    Some(AnsiColor::BrightMagenta),
    None,
    Some(AnsiColor::Yellow),
    Some(AnsiColor::White),
];
/// Quake's golden letters and digits, and its brown blocks.
const GOLD: Style = AnsiColor::BrightYellow.on_default().bold();
const BROWN: Style = AnsiColor::Yellow.on_default();

/// A text from the network in runs of one style. Bytes are UTF-8 if all of them are valid without
/// the codes, else Latin-1; control characters are escaped. A code that is cut off or unknown stays
/// as text.
pub fn coloured(bytes: &[u8], colours: Colours) -> Vec<TextRun> {
    ColouredText::from_bytes(bytes, colours).runs()
}

/// The same text without its colour codes: plain and escaped.
pub fn uncoloured(bytes: &[u8], colours: Colours) -> String {
    if is_printable(bytes) {
        return without_codes(bytes, colours);
    }
    coloured(bytes, colours).into_iter().map(|run| run.text).collect()
}

/// Printable ASCII without its colour codes.
fn without_codes(bytes: &[u8], colours: Colours) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut left = bytes;
    while let Some((first, rest)) = left.split_first() {
        let code = if matches!(colours, Colours::Caret) { caret(left) } else { None };
        if code.is_none() {
            text.push(char::from(*first));
        }
        left = code.map_or(rest, |(_, behind)| behind);
    }
    text
}

/// Whether `bytes` may hold a colour code; a cheap check before parsing.
pub fn has_codes(bytes: &[u8], colours: Colours) -> bool {
    bytes.iter().any(|byte| match colours {
        Colours::None => false,
        Colours::Caret => *byte == b'^',
        Colours::HighBit => glyph(*byte).is_some(),
        Colours::Escape => *byte == ESC,
    })
}

const ESC: u8 = 0x1b;

/// Bytes without their codes, and the style of each stretch.
pub(super) struct ColouredText {
    parts: Vec<(Vec<u8>, Style)>,
}

impl ColouredText {
    pub(super) fn from_bytes(bytes: &[u8], colours: Colours) -> Self {
        let mut text = Self { parts: Vec::new() };
        let mut style = Style::new();
        let mut left = bytes;
        while let Some((first, rest)) = left.split_first() {
            let code = match colours {
                Colours::None => None,
                Colours::Caret => caret(left),
                Colours::Escape => escape(left),
                Colours::HighBit => {
                    let (byte, style) = glyph(*first).unwrap_or((*first, Style::new()));
                    text.push(byte, style);
                    left = rest;
                    continue;
                }
            };
            if let Some((of, behind)) = code {
                (style, left) = (of, behind);
            } else {
                text.push(*first, style);
                left = rest;
            }
        }
        text
    }

    fn push(&mut self, byte: u8, style: Style) {
        match self.parts.last_mut() {
            Some((bytes, of)) if *of == style => bytes.push(byte),
            _ => self.parts.push((vec![byte], style)),
        }
    }

    /// Whether it has to be read as Latin-1.
    pub(super) fn is_latin(&self) -> bool {
        self.parts.iter().any(|(bytes, _)| str::from_utf8(bytes).is_err())
    }

    fn runs(self) -> Vec<TextRun> {
        let is_latin = self.is_latin();
        let run = |(bytes, style): (Vec<u8>, Style)| {
            let text = match String::from_utf8(bytes) {
                Ok(text) if !is_latin => text,
                Ok(text) => as_latin(text.as_bytes()),
                Err(error) => as_latin(error.as_bytes()),
            };
            TextRun { text: escaped(&text).into_owned(), style }
        };
        self.parts.into_iter().map(run).collect()
    }
}

impl TextRun {
    /// Text in no colour of its own.
    pub(super) fn plain(text: String) -> Self {
        Self { text, style: Style::new() }
    }
}

/// The colour code that `left` begins with: its style, and the bytes after it.
fn caret(left: &[u8]) -> Option<(Style, &[u8])> {
    match left {
        [b'^', digit @ b'0'..=b'9', rest @ ..] => {
            let colour = CARETS.get(usize::from(digit - b'0')).copied().flatten();
            Some((in_colour(colour), rest))
        }
        [b'^', b'x', r, g, b, rest @ ..] => {
            let digit = |byte: &u8| char::from(*byte).to_digit(16).map(|n| 17 * n as u8);
            Some((in_colour(nearest(digit(r)?, digit(g)?, digit(b)?)), rest))
        }
        _ => None,
    }
}

fn escape(left: &[u8]) -> Option<(Style, &[u8])> {
    match left {
        [ESC, r, g, b, rest @ ..] => Some((in_colour(nearest(*r, *g, *b)), rest)),
        _ => None,
    }
}

/// The ASCII look of one of Quake's own characters; `None` where it is plain ASCII, ends a line, or
/// resembles no ASCII character.
fn glyph(byte: u8) -> Option<(u8, Style)> {
    let golden = byte & 0x7f;
    Some(match byte {
        0x12..=0x1b | 0x92..=0x9b => (b'0' + golden - 0x12, GOLD),
        0x10 | 0x90 => (b'[', GOLD),
        0x11 | 0x91 => (b']', GOLD),
        0x05 | 0x0e | 0x0f | 0x1c | 0x85 | 0x8e | 0x8f | 0x9c => (b'.', GOLD),
        0x1d | 0x80 | 0x9d => (b'<', BROWN),
        0x1e | 0x81 | 0x9e => (b'=', BROWN),
        0x1f | 0x82 | 0x9f => (b'>', BROWN),
        0x8d => (b'>', GOLD),
        0xa0..=0xfe => (golden, GOLD),
        _ => return None,
    })
}

fn in_colour(colour: Option<AnsiColor>) -> Style {
    Style::new().fg_color(colour.map(Into::into))
}

/// The nearest of the sixteen colours; `None`, the terminal's own, for white.
fn nearest(r: u8, g: u8, b: u8) -> Option<AnsiColor> {
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    if most < 0x40 {
        return Some(AnsiColor::BrightBlack);
    }
    if most - least < most / 4 {
        return match most {
            0xd0.. => None,
            0x70.. => Some(AnsiColor::White),
            _ => Some(AnsiColor::BrightBlack),
        };
    }
    // Which of the three are bright, and how bright; plain blue is too dark on a dark background.
    let is_bright = |part: u8| u16::from(part) * 2 > u16::from(most) + 1;
    let colour = match (is_bright(r), is_bright(g), is_bright(b)) {
        (true, true, _) => AnsiColor::Yellow,
        (true, false, false) => AnsiColor::Red,
        (true, false, true) => AnsiColor::Magenta,
        (false, true, false) => AnsiColor::Green,
        (false, true, true) => AnsiColor::Cyan,
        (false, false, _) => AnsiColor::Blue,
    };
    Some(colour.bright(most >= 0xc0 || colour == AnsiColor::Blue))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs as one line: `red:Name plain: x`.
    fn runs_text(bytes: &[u8], colours: Colours) -> String {
        let run = |run: TextRun| {
            let colour = match run.style.get_fg_color() {
                Some(anstyle::Color::Ansi(colour)) => format!("{colour:?}"),
                _ => String::new(),
            };
            format!("{colour}[{}]", run.text)
        };
        coloured(bytes, colours).into_iter().map(run).collect()
    }

    #[test]
    fn codes_become_colours() {
        use Colours::{Caret, Escape, HighBit, None};
        for (bytes, colours, runs) in [
            (&b"^1Red^7White"[..], Caret, "BrightRed[Red][White]"),
            (
                b"^0dark^4sea^8sun^9fog",
                Caret,
                "BrightBlack[dark]BrightBlue[sea]Yellow[sun]White[fog]",
            ),
            (b"a^xf00b^x00", Caret, "[a]BrightRed[b^x00]"),
            (b"^xfffw^x888g^x123d^x008b", Caret, "[w]White[g]BrightBlack[d]BrightBlue[b]"),
            (b"^^1x^a^", Caret, "[^]BrightRed[x^a^]"),
            (b"^1^2", Caret, ""),
            (b"^1Red", None, "[^1Red]"),
            (b"^1Red", HighBit, "[^1Red]"),
            ("^1gr\u{fc}n ^2日本".as_bytes(), Caret, "BrightRed[grün ]BrightGreen[日本]"),
            (b"^1gr\xfc^2n\x1b[2J", Caret, "BrightRed[grü]BrightGreen[n\\x1b[2J]"),
            ("^1\u{fc}^2\u{202e}".as_bytes(), Caret, "BrightRed[ü]BrightGreen[\\u{202e}]"),
            (b"\xc3^1\xbc\xc3\xbc", Caret, "[Ã]BrightRed[¼Ã¼]"),
            (b"\xe7old plain", HighBit, "BrightYellow[g][old plain]"),
            (
                b"\x10\x93\x9b\x11\x9d\x9e\x9f\x1c",
                HighBit,
                "BrightYellow[[19]]Yellow[<=>]BrightYellow[.]",
            ),
            (b"\xa0\x7f\x83\n\xfe", HighBit, "BrightYellow[ ][\\x7f\\x83\\n]BrightYellow[~]"),
            (b"\x1b\xff\x01\x01Red\x1b\xff\xff\xffx", Escape, "BrightRed[Red][x]"),
            (b"\x1b\x01\x01\x01\xe9\x1b\x01\x80\x01\x1b[", Escape, "BrightBlack[é]Green[\\x1b[]"),
            (b"\x1b\xff\x80\x01o\x1b\xff\x90\x01", Escape, "BrightRed[o]"),
        ] {
            assert_eq!(runs_text(bytes, colours), runs, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn golden_letters_are_bold_too() {
        let runs = coloured(b"\xe1\x9e", Colours::HighBit);
        let bold = |run: &TextRun| run.style.get_effects().contains(anstyle::Effects::BOLD);
        assert_eq!(runs.iter().map(bold).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn control_characters_are_escaped() {
        let all: Vec<u8> = (0..=255).chain(b"\x1b^x\xff^1\x1b\x9b31m".to_vec()).collect();
        for colours in [Colours::None, Colours::Caret, Colours::HighBit, Colours::Escape] {
            for cut in 0..all.len() {
                let text: String =
                    coloured(&all[cut..], colours).into_iter().map(|run| run.text).collect();
                assert!(!text.chars().any(text::is_hidden), "{text:?}");
            }
        }
    }

    #[test]
    fn what_is_not_utf8_is_latin() {
        for (bytes, colours, is_latin) in [
            (&b"gr\xfcn"[..], Colours::None, true),
            ("grün".as_bytes(), Colours::None, false),
            (b"\x1b\xff\x80\x80plain", Colours::Escape, false),
            (b"\x1b\xff\x80\x80plain", Colours::None, true),
            (b"\xe7\xef\xec\xe4", Colours::HighBit, false),
        ] {
            assert_eq!(
                ColouredText::from_bytes(bytes, colours).is_latin(),
                is_latin,
                "{}",
                bytes.escape_ascii()
            );
        }
    }
}
