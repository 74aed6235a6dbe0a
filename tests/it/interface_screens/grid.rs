//! What every place looks like at several sizes and in the four themes: texts, and styles.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::Color;

use super::{THEMES, VIEWS};
use crate::golden;

/// The sizes with texts of their own, the last one the least.
const SIZES: [(u16, u16); 4] = [(80, 24), (120, 35), (200, 60), (40, 10)];
/// One column and one row less than the least size.
const TOO_SMALL: (u16, u16) = (39, 9);
const FOLDER: &str = "tests/data/screens";

/// Each place is opened once in each theme, and its terminal resized. The text does not depend on
/// the theme.
#[test]
fn every_place_is_as_recorded() {
    let mut styles = THEMES.map(|_| String::new());
    let mut texts = SIZES.map(|_| String::new());
    for view in VIEWS {
        let name = view.name;
        let mut users = THEMES.map(|theme| view.open(SIZES[0], theme));
        for ((columns, rows), texts) in SIZES.iter().zip(&mut texts) {
            let mut first = None;
            for ((theme, user), out) in THEMES.iter().zip(&mut users).zip(&mut styles) {
                let text = user.resize((*columns, *rows)).screen();
                let first = first.get_or_insert_with(|| text.clone());
                assert_eq!(*first, text, "{name}: {theme} changes the text");
                can_be_read(user.buffer(), theme, name);
                writeln!(out, "{columns}x{rows} {name}: {}", styles_of(user.buffer())).unwrap();
            }
            let text = first.unwrap_or_default();
            writeln!(texts, "═══ {name}: {}\n{text}", view.keys).unwrap();
        }
    }
    for ((columns, rows), texts) in SIZES.iter().zip(texts) {
        golden::check(format!("{FOLDER}/{columns}x{rows}.txt"), texts);
    }
    for (theme, styles) in THEMES.iter().zip(styles) {
        golden::check(format!("{FOLDER}/styles-{theme}.txt"), styles);
    }
}

#[test]
fn a_small_terminal_says_so_at_every_place() {
    for view in VIEWS {
        let screen = view.open(TOO_SMALL, "16-colours").screen();
        let (first, rest) = screen.split_once('\n').unwrap();
        assert_eq!(first, "the terminal is too small", "{}", view.name);
        assert_eq!(rest.trim_end(), "it has 39x9; 40x10 is needed", "{}", view.name);
    }
}

/// Each style that occurs with its number of cells, and a sum over which cell has which.
fn styles_of(buffer: &Buffer) -> String {
    let style = |cell: &Cell| {
        let Cell { fg, bg, modifier, .. } = cell;
        let modifier = match format!("{modifier:?}").as_str() {
            "NONE" => String::new(),
            modifier => format!(" {}", modifier.to_lowercase().replace(" | ", " ")),
        };
        format!("{fg}/{bg}{modifier}").to_lowercase()
    };
    let mut counts = BTreeMap::new();
    let mut sum = blake3::Hasher::new();
    for cell in buffer.content() {
        let style = style(cell);
        sum.update(style.as_bytes()).update(b"\n");
        *counts.entry(style).or_insert(0) += 1;
    }
    let mut out = sum.finalize().to_hex()[..8].to_owned();
    for (style, count) in counts {
        write!(out, ", {count} {style}").unwrap();
    }
    out
}

/// No text has the colour of its background, nor one that some terminals show as their background.
fn can_be_read(buffer: &Buffer, theme: &str, name: &str) {
    let palette = |index: u8, named: Color| [Color::Indexed(index), named];
    let mut never = palette(8, Color::DarkGray).to_vec();
    if theme == "16-colours" {
        never.extend(palette(7, Color::Gray));
        never.extend(palette(15, Color::White));
    }
    for (at, cell) in buffer.content().iter().enumerate() {
        let place = buffer.pos_of(at);
        if cell.symbol().trim().is_empty() {
            continue;
        }
        assert!(!never.contains(&cell.fg), "{theme}, {name} at {place:?}: {cell:?}");
        let is_own = cell.fg == Color::Reset;
        assert!(is_own || cell.fg != cell.bg, "{theme}, {name} at {place:?}: {cell:?}");
    }
}
