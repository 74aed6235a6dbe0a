//! Palettes of terminals.

use std::fmt;

use ratatui::style::Color;

/// A colour as 0xRRGGBB.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rgb(pub u32);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:06x}", self.0)
    }
}

/// The colours of a terminal.
pub struct Palette {
    pub text: Rgb,
    pub ground: Rgb,
    sixteen: [Rgb; 16],
}

/// The palettes of the pictures of all screens: dark, light, and Solarized, whose bright colours are
/// greys.
pub const ALL: [(&str, Palette); 4] = [
    ("dark", DARK),
    ("light", LIGHT),
    ("solarized-dark", SOLARIZED_DARK),
    ("solarized-light", SOLARIZED_LIGHT),
];

/// That of the picture in the README.
pub const README: Palette = Palette {
    text: Rgb(0xd0_d7de),
    ground: Rgb(0x0d_1117),
    sixteen: [
        Rgb(0x0d_1117),
        Rgb(0xff_7b72),
        Rgb(0x7e_e787),
        Rgb(0xe3_b341),
        Rgb(0x79_c0ff),
        Rgb(0xd2_a8ff),
        Rgb(0x76_e3ea),
        Rgb(0xb1_bac4),
        Rgb(0x6e_7681),
        Rgb(0xff_a198),
        Rgb(0xaf_f5b4),
        Rgb(0xf2_cc60),
        Rgb(0xa5_d6ff),
        Rgb(0xe2_c5ff),
        Rgb(0xb3_f0ff),
        Rgb(0xf0_f6fc),
    ],
};

/// Visual Studio Code's, dark.
pub const DARK: Palette = Palette {
    text: Rgb(0xd4_d4d4),
    ground: Rgb(0x1e_1e1e),
    sixteen: [
        Rgb(0x00_0000),
        Rgb(0xcd_3131),
        Rgb(0x0d_bc79),
        Rgb(0xe5_e510),
        Rgb(0x24_72c8),
        Rgb(0xbc_3fbc),
        Rgb(0x11_a8cd),
        Rgb(0xe5_e5e5),
        Rgb(0x66_6666),
        Rgb(0xf1_4c4c),
        Rgb(0x23_d18b),
        Rgb(0xf5_f543),
        Rgb(0x3b_8eea),
        Rgb(0xd6_70d6),
        Rgb(0x29_b8db),
        Rgb(0xff_ffff),
    ],
};

/// Visual Studio Code's, light.
pub const LIGHT: Palette = Palette {
    text: Rgb(0x33_3333),
    ground: Rgb(0xff_ffff),
    sixteen: [
        Rgb(0x00_0000),
        Rgb(0xcd_3131),
        Rgb(0x10_7c10),
        Rgb(0x94_9800),
        Rgb(0x04_51a5),
        Rgb(0xbc_05bc),
        Rgb(0x05_98bc),
        Rgb(0x55_5555),
        Rgb(0x66_6666),
        Rgb(0xcd_3131),
        Rgb(0x14_ce14),
        Rgb(0xb5_ba00),
        Rgb(0x04_51a5),
        Rgb(0xbc_05bc),
        Rgb(0x05_98bc),
        Rgb(0xa5_a5a5),
    ],
};

/// Solarized Dark.
pub const SOLARIZED_DARK: Palette = Palette {
    text: Rgb(0x83_9496),
    ground: Rgb(0x00_2b36),
    sixteen: [
        Rgb(0x07_3642),
        Rgb(0xdc_322f),
        Rgb(0x85_9900),
        Rgb(0xb5_8900),
        Rgb(0x26_8bd2),
        Rgb(0xd3_3682),
        Rgb(0x2a_a198),
        Rgb(0xee_e8d5),
        Rgb(0x00_2b36),
        Rgb(0xcb_4b16),
        Rgb(0x58_6e75),
        Rgb(0x65_7b83),
        Rgb(0x83_9496),
        Rgb(0x6c_71c4),
        Rgb(0x93_a1a1),
        Rgb(0xfd_f6e3),
    ],
};

/// Solarized Light.
pub const SOLARIZED_LIGHT: Palette =
    Palette { text: Rgb(0x65_7b83), ground: Rgb(0xfd_f6e3), sixteen: SOLARIZED_DARK.sixteen };

impl Palette {
    /// A colour as this palette has it; `None` for the terminal's own.
    pub fn colour(&self, colour: Color) -> Option<Rgb> {
        let index = match colour {
            Color::Reset => return None,
            Color::Black => 0,
            Color::Red => 1,
            Color::Green => 2,
            Color::Yellow => 3,
            Color::Blue => 4,
            Color::Magenta => 5,
            Color::Cyan => 6,
            Color::Gray => 7,
            Color::DarkGray => 8,
            Color::LightRed => 9,
            Color::LightGreen => 10,
            Color::LightYellow => 11,
            Color::LightBlue => 12,
            Color::LightMagenta => 13,
            Color::LightCyan => 14,
            Color::White => 15,
            Color::Rgb(r, g, b) => return Some(Rgb(u32::from_be_bytes([0, r, g, b]))),
            Color::Indexed(index) => index,
        };
        Some(self.sixteen.get(usize::from(index)).copied().unwrap_or_else(|| of_256(index)))
    }
}

/// A colour of the 256 that is none of the sixteen.
fn of_256(index: u8) -> Rgb {
    let level = |n: u32| if n == 0 { 0 } else { 55 + 40 * n };
    if index >= 232 {
        return Rgb(0x01_0101 * (8 + 10 * u32::from(index - 232)));
    }
    let n = u32::from(index.saturating_sub(16));
    Rgb(level(n / 36) << 16 | level(n / 6 % 6) << 8 | level(n % 6))
}
