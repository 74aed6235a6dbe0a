//! How many colours a terminal has, and the nearest ones that it has.

use ratatui::style::{Color, Modifier, Style};

use super::colour::{SIXTEEN, STEPS, rgb_of};
use super::index;
use render::Colour;

/// How many colours a terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// None beside its own two.
    Two,
    /// Eight; bold text is bright.
    Eight,
    /// Sixteen.
    Sixteen,
    /// 256.
    Indexed,
    /// 16 million.
    True,
}

/// Terminals with 16 million colours, by the beginning of `TERM`: `COLORTERM` does not pass ssh.
const TRUE: [&str; 6] = ["alacritty", "contour", "foot", "ghostty", "wezterm", "xterm-kitty"];
/// Terminals with eight.
const EIGHT: [&str; 5] = ["ansi", "cygwin", "linux", "rxvt", "screen"];

impl Depth {
    /// What the environment says of the terminal: `variable` gives the value of one. Without
    /// colour (`--color never`, `NO_COLOR`) it has none.
    pub fn of_terminal(colour: Colour, variable: impl Fn(&str) -> Option<String>) -> Self {
        let term = variable("TERM").unwrap_or_default();
        let begins = |names: &[&str]| names.iter().any(|name| term.starts_with(name));
        let is_true = ["truecolor", "24bit"].map(str::to_owned).map(Some);
        match term.as_str() {
            _ if colour == Colour::Plain => Self::Two,
            _ if is_true.contains(&variable("COLORTERM")) || begins(&TRUE) => Self::True,
            // Terminals of Windows have no name.
            "" if cfg!(windows) => Self::True,
            term if term.ends_with("-direct") => Self::True,
            term if term.contains("256color") => Self::Indexed,
            term if term.ends_with("-16color") => Self::Sixteen,
            // It takes all colours, and reduces them itself.
            term if term.starts_with("tmux") => Self::Indexed,
            term if term.starts_with("screen") && variable("TMUX").is_some() => Self::Indexed,
            "dumb" => Self::Two,
            term if term.starts_with("vt") => Self::Two,
            _ if begins(&EIGHT) => Self::Eight,
            _ => Self::Sixteen,
        }
    }

    /// The nearest colour that the terminal has, and whether text is to be bold for it.
    ///
    /// Of 256 it is the one with the least distance; of sixteen that of the same hue, and never
    /// bright black, which is the background in Solarized Dark.
    pub fn reduce(self, colour: Color) -> (Color, Modifier) {
        let plain = |colour| (colour, Modifier::empty());
        match (self, colour) {
            (_, Color::Reset) | (Self::Two, _) => plain(Color::Reset),
            (Self::Indexed, Color::Rgb(r, g, b)) => plain(Color::Indexed(nearest([r, g, b]))),
            (Self::True | Self::Indexed, colour) => plain(colour),
            (Self::Sixteen | Self::Eight, Color::Rgb(r, g, b)) => self.reduce(hue([r, g, b])),
            (Self::Sixteen | Self::Eight, Color::Indexed(n)) => {
                self.reduce(rgb_of(n).map_or_else(|| named(n.into()), hue))
            }
            (Self::Sixteen | Self::Eight, colour) => {
                let bright = index(colour).filter(|_| self == Self::Eight);
                let dark = bright.and_then(|at| at.checked_sub(8));
                dark.map_or(plain(colour), |dark| (named(dark), Modifier::BOLD))
            }
        }
    }

    /// A style in the colours of the terminal.
    pub(super) fn style(self, style: Style) -> Style {
        let (fg, bg) = (style.fg.map(|fg| self.reduce(fg)), style.bg.map(|bg| self.reduce(bg)));
        let bold = fg.map_or(Modifier::empty(), |(_, bold)| bold);
        let style = Style { fg: fg.map(|(fg, _)| fg), bg: bg.map(|(bg, _)| bg), ..style };
        style.add_modifier(bold)
    }
}

impl From<Colour> for Depth {
    /// As many as can be, or none.
    fn from(colour: Colour) -> Self {
        match colour {
            Colour::Plain => Self::Two,
            Colour::Ansi => Self::True,
        }
    }
}

/// One of the sixteen colours.
fn named(index: usize) -> Color {
    SIXTEEN.get(index).map_or(Color::Reset, |(colour, _)| *colour)
}

/// The nearest of the cube and the greys.
fn nearest(rgb: [u8; 3]) -> u8 {
    let distance = |of: [u8; 3]| -> u32 {
        rgb.into_iter().zip(of).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let step = |part: u8| {
        let steps = STEPS.iter().enumerate();
        let near = steps.min_by_key(|(_, step)| part.abs_diff(**step));
        near.map_or(0, |(at, _)| at as u8)
    };
    let [r, g, b] = rgb.map(step);
    let cube = 16 + 36 * r + 6 * g + b;
    let greys = 232..=u8::MAX;
    let all = std::iter::once(cube).chain(greys);
    let of = |index: &u8| rgb_of(*index).map_or(u32::MAX, distance);
    all.min_by_key(of).unwrap_or(cube)
}

/// The one of the sixteen colours with the same hue; black and whites for greys.
fn hue([r, g, b]: [u8; 3]) -> Color {
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    if most - least <= most / 5 {
        return match most {
            0..0x60 => Color::Black,
            0x60..0xd8 => Color::Gray,
            0xd8.. => Color::White,
        };
    }
    // How near a part is to the brightest one, in percent. Blue and red with half as much green are
    // still blue and red.
    let near = |part: u8| u16::from(part - least) * 100 / u16::from(most - least);
    let (has_red, has_green, has_blue) = (near(r) >= 50, near(g) >= 60, near(b) >= 50);
    let colours = match (has_red, has_green, has_blue) {
        (true, true, _) => [Color::Yellow, Color::LightYellow],
        (true, false, true) => [Color::Magenta, Color::LightMagenta],
        (true, false, false) => [Color::Red, Color::LightRed],
        (false, true, true) => [Color::Cyan, Color::LightCyan],
        (false, true, false) => [Color::Green, Color::LightGreen],
        (false, false, _) => [Color::Blue, Color::LightBlue],
    };
    let [dark, bright] = colours;
    if most >= 0xd7 { bright } else { dark }
}
