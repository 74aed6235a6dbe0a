//! The built-in themes.
//!
//! All colours of `dark`, `light` and `high-contrast` are in the 256 of terminals, so that nothing
//! changes in these. A test computes the contrast of every pair of colours that occurs.

use ratatui::style::{Color, Modifier, Style};

use super::Theme;

/// The built-in themes by their names.
pub static BUILT_IN: [(&str, Theme); 4] = [
    (super::DEFAULT, SIXTEEN_COLOURS),
    ("dark", DARK),
    ("light", LIGHT),
    ("high-contrast", HIGH_CONTRAST),
];

const REVERSED: Style =
    Style::new().fg(Color::Reset).bg(Color::Reset).add_modifier(Modifier::REVERSED);

pub const ANSI: Theme = Theme {
    foreground: Color::Reset,
    background: Color::Reset,
    palette: [
        Style::new().fg(Color::Black),
        Style::new().fg(Color::Red),
        Style::new().fg(Color::Green),
        Style::new().fg(Color::Yellow),
        Style::new().fg(Color::Blue),
        Style::new().fg(Color::Magenta),
        Style::new().fg(Color::Cyan),
        Style::new().fg(Color::Gray),
        Style::new().fg(Color::DarkGray),
        Style::new().fg(Color::LightRed),
        Style::new().fg(Color::LightGreen),
        Style::new().fg(Color::LightYellow),
        Style::new().fg(Color::LightBlue),
        Style::new().fg(Color::LightMagenta),
        Style::new().fg(Color::LightCyan),
        Style::new().fg(Color::White),
    ],
    lines: Style::new().fg(Color::DarkGray),
    surfaces: unshaded(Style::new().bg(Color::Reset).add_modifier(Modifier::REVERSED)),
};

/// Only what can be read in nearly every palette: five colours, and the terminal's own. Black and
/// the whites may be the background, bright colours are greys in Solarized, and the blue of many
/// terminals is too dark on black.
const SIXTEEN_COLOURS: Theme = Theme {
    palette: [
        Style::new().fg(Color::Reset),
        Style::new().fg(Color::Red),
        Style::new().fg(Color::Green),
        Style::new().fg(Color::Yellow),
        Style::new().fg(Color::Cyan),
        Style::new().fg(Color::Magenta),
        Style::new().fg(Color::Cyan),
        Style::new().fg(Color::Reset),
        Style::new().fg(Color::Reset),
        Style::new().fg(Color::Red),
        Style::new().fg(Color::Green),
        Style::new().fg(Color::Yellow),
        Style::new().fg(Color::Cyan),
        Style::new().fg(Color::Magenta),
        Style::new().fg(Color::Cyan),
        Style::new().fg(Color::Reset),
    ],
    lines: Style::new().fg(Color::Reset).add_modifier(Modifier::DIM),
    surfaces: unshaded(REVERSED),
    ..ANSI
};

const DARK: Theme = Theme {
    foreground: rgb(0xd7_d7d7),
    background: Color::Reset,
    palette: [
        text(0x9e_9e9e),
        text(0xff_8787),
        text(0x87_d787),
        text(0xff_d75f),
        text(0x87_afff),
        text(0xd7_afff),
        text(0x5f_d7d7),
        text(0xbc_bcbc),
        text(0x9e_9e9e),
        text(0xff_afaf),
        text(0xaf_ffaf),
        text(0xff_ffaf),
        text(0xaf_d7ff),
        text(0xff_d7ff),
        text(0xaf_ffff),
        text(0xff_ffff),
    ],
    lines: text(0x80_8080),
    surfaces: [
        on(0xff_ffff, 0x00_5f87),
        on(0x00_0000, 0x87_d7ff),
        on(0xff_ffff, 0x4e_4e4e),
        on(0x00_0000, 0xd7_af5f),
        on(0x00_0000, 0xff_ff5f),
        behind(0x30_3030),
    ],
};

const LIGHT: Theme = Theme {
    foreground: rgb(0x26_2626),
    background: Color::Reset,
    palette: [
        text(0x26_2626),
        text(0xaf_0000),
        text(0x00_5f00),
        text(0x87_5f00),
        text(0x00_5faf),
        text(0x87_0087),
        text(0x00_5f5f),
        text(0x5f_5f5f),
        text(0x62_6262),
        text(0xd7_0000),
        text(0x00_5f00),
        text(0x87_5f00),
        text(0x00_00d7),
        text(0xaf_00af),
        text(0x00_5f87),
        text(0x26_2626),
    ],
    lines: text(0x8a_8a8a),
    surfaces: [
        on(0xff_ffff, 0x00_5f87),
        on(0xff_ffff, 0x26_2626),
        on(0x00_0000, 0xd0_d0d0),
        on(0x00_0000, 0xff_af5f),
        on(0xff_ffff, 0xaf_0000),
        behind(0xee_eeee),
    ],
};

const HIGH_CONTRAST: Theme = Theme {
    foreground: rgb(0xff_ffff),
    background: rgb(0x00_0000),
    palette: [
        text(0xd0_d0d0),
        text(0xff_8787),
        text(0x5f_ff5f),
        text(0xff_ff00),
        text(0x87_d7ff),
        text(0xff_87ff),
        text(0x00_ffff),
        text(0xd0_d0d0),
        text(0xd0_d0d0),
        text(0xff_afaf),
        text(0x87_ff87),
        text(0xff_ff5f),
        text(0xaf_d7ff),
        text(0xff_afff),
        text(0x5f_ffff),
        text(0xff_ffff),
    ],
    lines: text(0xff_ffff),
    surfaces: [
        on(0x00_0000, 0xff_ffff),
        on(0x00_0000, 0x00_ffff),
        on(0x00_0000, 0xff_ff00),
        on(0x00_0000, 0x5f_ffff),
        on(0x00_0000, 0xff_87ff),
        // No grey leaves every text this contrast.
        Style::new(),
    ],
};

/// The same look for every surface but shaded rows, which have none of their own.
const fn unshaded(surface: Style) -> [Style; 6] {
    [surface, surface, surface, surface, surface, Style::new()]
}

/// A background that leaves text its colour.
const fn behind(background: u32) -> Style {
    Style::new().bg(rgb(background))
}

const fn rgb(hex: u32) -> Color {
    let [_, r, g, b] = hex.to_be_bytes();
    Color::Rgb(r, g, b)
}

const fn text(hex: u32) -> Style {
    Style::new().fg(rgb(hex))
}

const fn on(text: u32, background: u32) -> Style {
    Style::new().fg(rgb(text)).bg(rgb(background))
}
