//! Styles: only the sixteen colours that every terminal has, and no information by colour alone.
//! How these look, and the backgrounds of [`Surface`], is decided by the theme.

use ratatui::style::{Color, Modifier, Style};

use crate::theme::Surface;
use codec::Kind;

pub const PLAIN: Style = Style::new();
/// Removes what was drawn before.
pub const CLEAR: Style = Style::reset();
pub const DIM: Style = Style::new().fg(Color::DarkGray);
pub const BOLD: Style = Style::new().fg(Color::Reset).add_modifier(Modifier::BOLD);
pub const TITLE: Style = BOLD;
/// A heading, and code, of a specification page.
pub const HEADING: Style = BOLD.add_modifier(Modifier::UNDERLINED);
pub const CODE: Style = PLAIN.fg(Color::Cyan);
/// The bar at the top.
pub const HEADER: Style = on(Surface::Header).fg(Color::Reset);
/// The name of the focused pane, and the program's in the bar at the top.
pub const FOCUSED: Style = on(Surface::Focused).fg(Color::Reset).add_modifier(Modifier::BOLD);
/// The names of the list's columns, if it is focused.
pub const HEADINGS: Style = Style::new().add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED));
/// The line under the cursor in the focused pane.
pub const CURSOR: Style = on(Surface::Cursor).fg(Color::Reset);
/// The same in any other pane.
pub const RESTING: Style = Style::new().add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED));
/// The bytes of the field under the cursor.
pub const MARKED: Style = on(Surface::Marked);
/// Every second entry of a list.
pub const SHADED: Style = on(Surface::Shaded);
/// A sign that must not be overlooked.
pub const ALARM: Style = FAULT.bg(Color::Reset).add_modifier(Modifier::REVERSED);
/// The byte under the cursor.
pub const BYTE: Style =
    on(Surface::Byte).fg(Color::Yellow).add_modifier(Modifier::BOLD.union(Modifier::UNDERLINED));
pub const WARNING: Style = Style::new().fg(Color::Yellow);
pub const FAULT: Style = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);
/// A valid filter.
pub const VALID: Style = Style::new().fg(Color::Green);
pub const KEY: Style = Style::new().fg(Color::Cyan).add_modifier(Modifier::BOLD);

const fn on(surface: Surface) -> Style {
    Style::new().bg(surface.background())
}

/// The style of `render` for a kind of field.
pub fn kind(kind: Kind) -> Style {
    painted(render::style(kind))
}

/// A style of `render` for this terminal.
pub fn painted(style: anstyle::Style) -> Style {
    let mut painted = PLAIN.add_modifier(style.get_effects().into());
    painted.fg = style.get_fg_color().map(Into::into);
    painted
}
