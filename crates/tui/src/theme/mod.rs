//! Themes: the look of everything that is drawn.
//!
//! Screens draw with the sixteen colours that every terminal has, and with the backgrounds of
//! [`Surface`]. What these look like is the theme's: [`Theme::apply`] is the last step of drawing,
//! on the whole buffer.
//!
//! *Invariant:* a theme changes colours and modifiers, never text.

mod builtin;
mod colour;
mod depth;
mod slot;

#[cfg(test)]
mod contrast;
#[cfg(test)]
mod tests;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

pub use builtin::BUILT_IN;
pub use colour::{SIXTEEN, colour_name, parse_colour};
pub use depth::Depth;
pub use slot::{SLOTS, Slot};

/// The theme of a terminal whose colours are not known.
pub const DEFAULT: &str = "16-colours";

/// What a row or a part of it is marked as, by its background in [`super::widgets::style`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// The bar at the top.
    Header,
    /// The name of the focused pane, of the shown screen, of an overlay.
    Focused,
    /// The line under the cursor, and the cursor in a typed text.
    Cursor,
    /// The bytes of the field under the cursor, and a chosen completion.
    Marked,
    /// The byte under the cursor.
    Byte,
    /// Every second entry of a list; a background alone, in few colours none.
    Shaded,
}

impl Surface {
    const ALL: [Self; 6] =
        [Self::Header, Self::Focused, Self::Cursor, Self::Marked, Self::Byte, Self::Shaded];
    /// The colours that stand for surfaces in styles begin here; no text has them.
    const FIRST: u8 = 0xf0;

    /// The background that stands for it in a style.
    pub const fn background(self) -> Color {
        Color::Indexed(Self::FIRST + self as u8)
    }

    fn from_background(background: Color) -> Option<Self> {
        Self::ALL.into_iter().find(|surface| surface.background() == background)
    }
}

/// How the sixteen colours and the surfaces look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    /// The colour of text without one, and that of the screen; `Reset` is the terminal's own.
    foreground: Color,
    background: Color,
    /// Text in each of the sixteen colours.
    palette: [Style; 16],
    /// Frames and lines between panes.
    lines: Style,
    surfaces: [Style; Surface::ALL.len()],
}

impl Theme {
    /// The names of the built-in themes, the default first.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// A built-in theme.
    pub fn named(name: &str) -> Option<Self> {
        let (_, theme) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
        Some(theme.clone())
    }

    /// The sixteen colours as they are, and surfaces in reverse video.
    pub const fn ansi() -> Self {
        builtin::ANSI
    }

    /// Gives everything in the buffer its look.
    pub fn apply(&self, buffer: &mut Buffer) {
        for cell in &mut buffer.content {
            let mut surface = Surface::from_background(cell.bg);
            if surface.is_none() && cell.modifier.contains(Modifier::REVERSED) {
                surface = Some(Surface::Cursor);
            }
            let text = match index(cell.fg) {
                Some(8) if is_line(cell.symbol()) => self.lines,
                Some(colour) => self.palette.get(colour).copied().unwrap_or_default(),
                None => Style::new().fg(cell.fg),
            };
            let text = Style { fg: text.fg.filter(|fg| *fg != Color::Reset), ..text };
            let style = Style::new().fg(self.foreground).bg(self.background).patch(text);
            let style = match surface {
                Some(surface) => style.patch(self.surface(surface)),
                None if cell.bg == Color::Reset => style,
                None => style.bg(cell.bg),
            };
            cell.fg = style.fg.unwrap_or_default();
            cell.bg = style.bg.unwrap_or_default();
            cell.modifier.remove(Modifier::REVERSED);
            cell.modifier.insert(style.add_modifier);
        }
    }

    /// The theme in the colours that the terminal has.
    #[must_use]
    pub fn reduced(&self, depth: Depth) -> Self {
        let own = |surface: Style| match surface.bg {
            None | Some(Color::Reset) => surface,
            // Few colours: a background may be that of the screen.
            Some(bg) if depth == Depth::Two || depth < Depth::Indexed && index(bg).is_none() => {
                let modifiers = surface.add_modifier.union(Modifier::REVERSED);
                Style::new().fg(Color::Reset).bg(Color::Reset).add_modifier(modifiers)
            }
            Some(_) => surface,
        };
        let style = |style: Style| depth.style(style);
        let mut surfaces = self.surfaces.map(own).map(style);
        if let Some(shaded) = surfaces.get_mut(Surface::Shaded as usize)
            && shaded.add_modifier.contains(Modifier::REVERSED)
        {
            *shaded = Style::new();
        }
        Self {
            foreground: depth.reduce(self.foreground).0,
            background: depth.reduce(self.background).0,
            palette: self.palette.map(style),
            lines: style(self.lines),
            surfaces,
        }
    }

    fn surface(&self, surface: Surface) -> Style {
        self.surfaces.get(surface as usize).copied().unwrap_or_default()
    }
}

/// The number of one of the sixteen colours.
fn index(colour: Color) -> Option<usize> {
    colour::SIXTEEN.iter().position(|(known, _)| *known == colour)
}

/// Whether a cell draws a frame and has no text.
fn is_line(symbol: &str) -> bool {
    symbol.starts_with(|c| ('\u{2500}'..='\u{257f}').contains(&c))
}

/// The themes to choose from, in the terminal's colours, and which one is shown.
#[derive(Debug, Clone)]
pub struct Themes {
    all: Vec<(String, Theme)>,
    shown: usize,
}

impl Themes {
    /// The built-in themes and others by their names; the one named `chosen` is shown.
    pub fn new(others: impl IntoIterator<Item = (String, Theme)>, chosen: &str) -> Self {
        let built_in = BUILT_IN.iter().map(|(name, theme)| ((*name).to_owned(), theme.clone()));
        let mut themes = Self { all: built_in.chain(others).collect(), shown: 0 };
        themes.show(chosen);
        themes
    }

    /// Only the sixteen colours as they are.
    pub fn ansi() -> Self {
        Self { all: vec![("ansi".to_owned(), Theme::ansi())], shown: 0 }
    }

    /// The same in the colours that a terminal has.
    #[must_use]
    pub fn reduced(mut self, depth: Depth) -> Self {
        for (_, theme) in &mut self.all {
            *theme = theme.reduced(depth);
        }
        self
    }

    /// The names, in the order of [`Self::next`].
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|(name, _)| name.as_str())
    }

    /// The name of the shown theme.
    pub fn name(&self) -> &str {
        self.names().nth(self.shown).unwrap_or_default()
    }

    /// Shows the theme of this name; false if there is none.
    pub fn show(&mut self, name: &str) -> bool {
        let found = self.names().position(|known| known == name);
        self.shown = found.unwrap_or(self.shown);
        found.is_some()
    }

    /// Shows the next theme, after the last the first.
    pub fn next(&mut self) {
        self.shown = (self.shown + 1) % self.all.len().max(1);
    }

    /// Gives a buffer the look of the shown theme.
    pub fn apply(&self, buffer: &mut Buffer) {
        if let Some((_, theme)) = self.all.get(self.shown) {
            theme.apply(buffer);
        }
    }
}
