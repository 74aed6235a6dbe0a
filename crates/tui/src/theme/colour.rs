//! Colours by name, number or `#rrggbb`, and what they look like.

use ratatui::style::Color;

/// The sixteen colours in their order, by their names in a configuration.
pub const SIXTEEN: [(Color, &str); 16] = [
    (Color::Black, "black"),
    (Color::Red, "red"),
    (Color::Green, "green"),
    (Color::Yellow, "yellow"),
    (Color::Blue, "blue"),
    (Color::Magenta, "magenta"),
    (Color::Cyan, "cyan"),
    (Color::Gray, "white"),
    (Color::DarkGray, "bright-black"),
    (Color::LightRed, "bright-red"),
    (Color::LightGreen, "bright-green"),
    (Color::LightYellow, "bright-yellow"),
    (Color::LightBlue, "bright-blue"),
    (Color::LightMagenta, "bright-magenta"),
    (Color::LightCyan, "bright-cyan"),
    (Color::White, "bright-white"),
];
/// The name of the colour that the terminal itself has.
const OWN: &str = "default";
/// The steps of each part of a colour in the cube of 6×6×6.
pub const STEPS: [u8; 6] = [0, 0x5f, 0x87, 0xaf, 0xd7, 0xff];

/// Parses a name, a number or `#rrggbb`.
pub fn parse_colour(text: &str) -> Option<Color> {
    if text == OWN {
        return Some(Color::Reset);
    }
    if let Some((colour, _)) = SIXTEEN.iter().find(|(_, name)| *name == text) {
        return Some(*colour);
    }
    let Some(digits) = text.strip_prefix('#') else {
        return text.parse().ok().filter(|_| !text.starts_with('+')).map(Color::Indexed);
    };
    let is_hex = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let rgb = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
    let [_, r, g, b] = rgb.to_be_bytes();
    Some(Color::Rgb(r, g, b))
}

/// The text that [`parse_colour`] reads as this colour.
pub fn colour_name(colour: Color) -> String {
    match colour {
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        Color::Indexed(index) => index.to_string(),
        colour => {
            let named = SIXTEEN.iter().find(|(known, _)| *known == colour);
            named.map_or(OWN, |(_, name)| name).to_owned()
        }
    }
}

/// Red, green and blue of a colour from 16 to 255; the sixteen below are the terminal's own.
pub fn rgb_of(index: u8) -> Option<[u8; 3]> {
    let step = |at: u8| STEPS.get(usize::from(at)).copied();
    match index {
        0..16 => None,
        16..232 => {
            let cube = index - 16;
            Some([step(cube / 36)?, step(cube / 6 % 6)?, step(cube % 6)?])
        }
        232.. => Some([8 + 10 * (index - 232); 3]),
    }
}
