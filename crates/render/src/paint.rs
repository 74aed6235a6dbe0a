//! Colours by kind of field and by role, for the terminal interface and for `decode`.

use anstyle::{AnsiColor, Effects, Style};

use codec::Kind;
use protocol::Role;

/// How a field of this kind is painted; the sixteen colours that every terminal has.
pub fn style(kind: Kind) -> Style {
    let (colour, effects) = match kind {
        Kind::Mark | Kind::Separator => (Some(AnsiColor::BrightBlack), Effects::new()),
        Kind::Command => (Some(AnsiColor::Yellow), Effects::BOLD),
        Kind::Number => (Some(AnsiColor::Cyan), Effects::new()),
        Kind::Text => (Some(AnsiColor::Green), Effects::new()),
        Kind::Key => (Some(AnsiColor::Blue), Effects::new()),
        Kind::Address => (Some(AnsiColor::Magenta), Effects::new()),
        Kind::Group => (None, Effects::BOLD),
        Kind::Coded => (Some(AnsiColor::BrightMagenta), Effects::new()),
        Kind::Unparsed => (Some(AnsiColor::Red), Effects::UNDERLINE),
    };
    Style::new().fg_color(colour.map(Into::into)).effects(effects)
}

/// How an endpoint with this role, and what it sent, is painted.
pub fn role_style(role: Role) -> Style {
    match role {
        Role::Client => AnsiColor::Cyan.on_default(),
        Role::Server => AnsiColor::Green.on_default(),
        Role::Master => AnsiColor::Magenta.on_default(),
    }
}
