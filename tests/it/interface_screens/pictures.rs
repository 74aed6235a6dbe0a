//! Every place as a picture, in the palettes of several terminals. `PICTURES=DIR` writes them.

use std::path::Path;

use ratatui::buffer::Buffer;

use super::VIEWS;
use crate::svg::{self, Look, palette};

const SIZE: (u16, u16) = (110, 30);

/// A theme, the palettes of terminals in which it is used, and the least contrast of its texts
/// (WCAG). The sixteen colours have the contrast that a palette gives them: Solarized's own texts
/// have 4.1 and its yellow on light has 2.9; Visual Studio Code's red on dark has 3.3.
const USES: &[(&str, &[&str], f64)] = &[
    ("16-colours", &["dark", "light", "solarized-dark", "solarized-light"], 2.4),
    ("dark", &["dark", "solarized-dark"], 4.5),
    ("light", &["light", "solarized-light"], 4.5),
    ("high-contrast", &["dark", "light"], 7.0),
];

#[test]
fn every_place_can_be_read_in_every_palette() {
    let folder = std::env::var_os("PICTURES");
    for view in VIEWS {
        for (theme, palettes, least) in USES {
            let user = view.open(SIZE, theme);
            for (name, palette) in palette::ALL.iter().filter(|(name, _)| palettes.contains(name)) {
                let place = format!("{}, {theme} on {name}", view.name);
                can_be_read(user.buffer(), palette, *least, &place);
                if let Some(folder) = &folder {
                    let file = format!("{}_{theme}_{name}.svg", view.name.replace([' ', ':'], "-"));
                    let picture = svg::draw(user.buffer(), palette);
                    std::fs::write(Path::new(folder).join(file), picture).unwrap();
                }
            }
        }
    }
}

fn can_be_read(buffer: &Buffer, palette: &palette::Palette, least: f64, place: &str) {
    for (at, cell) in buffer.content().iter().enumerate() {
        let text = cell.symbol().trim();
        let is_line = text.starts_with(|c| ('\u{2500}'..='\u{259f}').contains(&c));
        if text.is_empty() || is_line {
            continue;
        }
        let look = Look::of(cell, palette);
        let found = contrast(look.text, look.ground);
        let at = buffer.pos_of(at);
        assert!(found >= least, "{place} at {at:?}: {cell:?} has a contrast of {found:.2}");
    }
}

/// The contrast of two colours, from 1 to 21 (WCAG).
fn contrast(a: palette::Rgb, b: palette::Rgb) -> f64 {
    let [a, b] = [a, b].map(luminance);
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn luminance(palette::Rgb(colour): palette::Rgb) -> f64 {
    let [_, r, g, b] = colour.to_be_bytes().map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}
