//! The parts of a theme by their names in a configuration.

use ratatui::style::{Color, Style};

use super::{Surface, Theme};

/// A part of a theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// Text without a colour of its own.
    Foreground,
    /// The screen.
    Background,
    /// Frames.
    Lines,
    /// Text in one of the sixteen colours.
    Text(u8),
    /// A marked part of the screen.
    Surface(Surface),
}

/// All parts, by their names.
pub const SLOTS: [(&str, Slot); 25] = [
    ("foreground", Slot::Foreground),
    ("background", Slot::Background),
    ("lines", Slot::Lines),
    ("dim", Slot::Text(8)),
    ("black", Slot::Text(0)),
    ("red", Slot::Text(1)),
    ("green", Slot::Text(2)),
    ("yellow", Slot::Text(3)),
    ("blue", Slot::Text(4)),
    ("magenta", Slot::Text(5)),
    ("cyan", Slot::Text(6)),
    ("white", Slot::Text(7)),
    ("bright-red", Slot::Text(9)),
    ("bright-green", Slot::Text(10)),
    ("bright-yellow", Slot::Text(11)),
    ("bright-blue", Slot::Text(12)),
    ("bright-magenta", Slot::Text(13)),
    ("bright-cyan", Slot::Text(14)),
    ("bright-white", Slot::Text(15)),
    ("header", Slot::Surface(Surface::Header)),
    ("focused", Slot::Surface(Surface::Focused)),
    ("cursor", Slot::Surface(Surface::Cursor)),
    ("marked", Slot::Surface(Surface::Marked)),
    ("byte", Slot::Surface(Surface::Byte)),
    ("shaded", Slot::Surface(Surface::Shaded)),
];

impl Slot {
    /// Whether it is a colour and nothing else.
    pub fn is_colour(self) -> bool {
        matches!(self, Self::Foreground | Self::Background)
    }

    /// Whether it has a background of its own.
    pub fn is_surface(self) -> bool {
        matches!(self, Self::Surface(_))
    }
}

impl Theme {
    /// The style of a part.
    pub fn get(&self, slot: Slot) -> Style {
        match slot {
            Slot::Foreground => Style::new().fg(self.foreground),
            Slot::Background => Style::new().fg(self.background),
            Slot::Lines => self.lines,
            Slot::Text(colour) => {
                self.palette.get(usize::from(colour)).copied().unwrap_or_default()
            }
            Slot::Surface(surface) => self.surface(surface),
        }
    }

    /// Changes the style of a part; of a colour only the foreground counts.
    pub fn set(&mut self, slot: Slot, style: Style) {
        let colour = style.fg.unwrap_or(Color::Reset);
        let part = match slot {
            Slot::Foreground => return self.foreground = colour,
            Slot::Background => return self.background = colour,
            Slot::Lines => Some(&mut self.lines),
            Slot::Text(colour) => self.palette.get_mut(usize::from(colour)),
            Slot::Surface(surface) => self.surfaces.get_mut(surface as usize),
        };
        if let Some(part) = part {
            *part = style;
        }
    }
}
