//! Game texts in the colours that their colour codes give.
//!
//! The codes are removed and become styles: only the sixteen colours that every terminal has, and
//! none that is unreadable on a dark or a light background. White is the terminal's own colour,
//! black is grey.

use anstyle::{AnsiColor, Style};

use protocol::Colours;
use text::{as_latin, as_utf8, escaped, is_latin, is_printable};

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
/// The colours of Enemy Territory and of the Daemon engine behind those of digits, from `:` on, a hex
/// digit each for red, green and blue; for other signs, the first 32 repeat.
const SIGNS: [u16; 22] = [
    0xbbb, 0xbbb, 0x070, 0x770, 0x007, 0x700, 0x742, 0xf92, 0x077, 0x707, 0x08f, 0x80f, 0x39c,
    0xcfc, 0x063, 0xf03, 0xb11, 0x930, 0xca3, 0x993, 0xffb, 0xff7,
];
/// Quake's golden letters and digits, and its brown blocks.
const GOLD: Style = AnsiColor::BrightYellow.on_default().bold();
const BROWN: Style = AnsiColor::Yellow.on_default();

/// A text from the network in runs of one style. Without its codes it is read as [`text::latin`]
/// reads it; control characters are escaped. A code that is cut off or unknown stays as text.
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
        let code = caret(left, colours);
        if code.is_none() {
            text.push(char::from(*first));
        }
        left = code.map_or_else(|| behind_sign(left, rest, colours), |(_, behind)| behind);
    }
    text
}

/// Whether `bytes` may hold a colour code; a cheap check before parsing.
pub fn has_codes(bytes: &[u8], colours: Colours) -> bool {
    bytes.iter().any(|byte| match colours {
        Colours::None => false,
        Colours::Caret | Colours::CaretLetter | Colours::CaretSign | Colours::CaretDaemon => {
            *byte == b'^'
        }
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
        // In UTF-16, the three numbers behind an escape are units, which UTF-8 has in two bytes.
        let is_utf8 = colours == Colours::Escape && str::from_utf8(bytes).is_ok();
        while let Some((first, rest)) = left.split_first() {
            let code = match colours {
                Colours::Escape if is_utf8 => escape_in_utf8(left),
                Colours::Escape => escape(left),
                Colours::HighBit => {
                    let (byte, style) = glyph(*first).unwrap_or((*first, Style::new()));
                    text.push(byte, style);
                    left = rest;
                    continue;
                }
                _ => caret(left, colours),
            };
            if let Some((of, behind)) = code {
                (style, left) = (of, behind);
            } else {
                text.push(*first, style);
                left = behind_sign(left, rest, colours);
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
        is_latin(self.parts.iter().map(|(bytes, _)| bytes.as_slice()))
    }

    fn runs(self) -> Vec<TextRun> {
        let is_latin = self.is_latin();
        let run = |(bytes, style): (Vec<u8>, Style)| {
            let text = if is_latin { as_latin(&bytes) } else { as_utf8(&bytes) };
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
fn caret(left: &[u8], colours: Colours) -> Option<(Style, &[u8])> {
    use Colours::{Caret, CaretDaemon, CaretLetter, CaretSign};
    let digit = |byte: &u8| char::from(*byte).to_digit(16).map(|n| n as u8);
    match (colours, left) {
        (Caret | CaretLetter | CaretSign | CaretDaemon, [b'^', digit @ b'0'..=b'9', rest @ ..]) => {
            let colour = CARETS.get(usize::from(digit - b'0')).copied().flatten();
            Some((in_colour(colour), rest))
        }
        (Caret | CaretDaemon, [b'^', b'x' | b'X', r, g, b, rest @ ..]) => {
            let part = |byte| digit(byte).map(|n| 17 * n);
            Some((in_colour(nearest(part(r)?, part(g)?, part(b)?)), rest))
        }
        (CaretDaemon, [b'^', b'#', r, s, g, h, b, c, rest @ ..]) => {
            let part = |high, low| Some(16 * digit(high)? + digit(low)?);
            Some((in_colour(nearest(part(r, s)?, part(g, h)?, part(b, c)?)), rest))
        }
        (CaretDaemon, [b'^', b'*', rest @ ..]) => Some((Style::new(), rest)),
        (CaretDaemon, [b'^', sign, rest @ ..])
            if matches!(sign.to_ascii_uppercase(), b':'..=b'O') =>
        {
            Some((in_colour(of_sign(sign.to_ascii_uppercase())), rest))
        }
        // The last three bits of a letter are its colour.
        (CaretLetter, [b'^', letter, rest @ ..]) if letter.is_ascii_alphabetic() => {
            let index = usize::from(letter.wrapping_sub(b'0') & 7);
            Some((in_colour(CARETS.get(index).copied().flatten()), rest))
        }
        (CaretSign, [b'^', sign, rest @ ..]) if sign.is_ascii_graphic() && *sign != b'^' => {
            Some((in_colour(of_sign(*sign)), rest))
        }
        _ => None,
    }
}

/// The colour of a sign behind a caret, of 32.
fn of_sign(sign: u8) -> Option<AnsiColor> {
    let index = usize::from(sign.wrapping_sub(b'0') & 31);
    match SIGNS.get(index.wrapping_sub(CARETS.len())) {
        Some(rgb) => {
            let part = |bits: u32| 17 * (rgb >> bits & 15) as u8;
            nearest(part(8), part(4), part(0))
        }
        None => CARETS.get(index).copied().flatten(),
    }
}

/// What is behind the first sign of a text: in the Daemon engine, a second caret is part of it.
fn behind_sign<'a>(left: &'a [u8], rest: &'a [u8], colours: Colours) -> &'a [u8] {
    match left {
        [b'^', b'^', behind @ ..] if colours == Colours::CaretDaemon => behind,
        _ => rest,
    }
}

fn escape(left: &[u8]) -> Option<(Style, &[u8])> {
    match left {
        [ESC, r, g, b, rest @ ..] => Some((in_colour(nearest(*r, *g, *b)), rest)),
        _ => None,
    }
}

/// The same in a text that was UTF-16: each of the three is a letter.
fn escape_in_utf8(left: &[u8]) -> Option<(Style, &[u8])> {
    let mut rest = left.strip_prefix(&[ESC])?;
    let mut part = || {
        let (part, behind) = match rest {
            [lead @ (0xc2 | 0xc3), low, behind @ ..] => (lead << 6 | low & 0x3f, behind),
            [byte @ ..=0x7f, behind @ ..] => (*byte, behind),
            _ => return None,
        };
        rest = behind;
        Some(part)
    };
    let colour = nearest(part()?, part()?, part()?);
    Some((in_colour(colour), rest))
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
        use Colours::{Caret, CaretDaemon, CaretLetter, CaretSign, Escape, HighBit, None};
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
            (
                "\x1b\u{ff}\u{80}\x01Wide\x1b\u{1}\u{ff}\u{1}ü".as_bytes(),
                Escape,
                "BrightRed[Wide]BrightGreen[ü]",
            ),
            (b"^aA^zZ^*x^x0f0g", CaretLetter, "BrightRed[A]BrightGreen[Z^*x]BrightBlack[0f0g]"),
            (b"^?F^*u^^1n^xn", CaretSign, "Red[Fu^]BrightRed[n]Yellow[n]"),
            (
                b"^1R^*p^#00ff00G^xf00r^^1^bB^Pc",
                CaretDaemon,
                "BrightRed[R][p]BrightGreen[G]BrightRed[r^1]Cyan[B^Pc]",
            ),
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
