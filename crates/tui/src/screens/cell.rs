//! Words and numbers in cells and details.

use anstyle::{AnsiColor, Style};

use crate::format::TextDisplay;
use crate::view_state::ViewState;
use crate::widgets::table::Runs;
use analysis::{ExchangeState, Moment, Severity, TextValue};
use protocol::{Colours, Game, Role};
use render::{self, TextRun};
use text::{self, escaped, has_time};

const DIM: Style = AnsiColor::BrightBlack.on_default();
const GOOD: Style = AnsiColor::Green.on_default();
const ODD: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();

pub fn run(text: impl AsRef<str>, style: Style) -> TextRun {
    TextRun { text: escaped(text.as_ref()).into_owned(), style }
}

pub fn plain(text: impl AsRef<str>) -> TextRun {
    run(text, Style::new())
}

pub fn dim(text: impl AsRef<str>) -> TextRun {
    run(text, DIM)
}

pub fn bold(text: impl AsRef<str>) -> TextRun {
    run(text, Style::new().bold())
}

pub fn good(text: impl AsRef<str>) -> TextRun {
    run(text, GOOD)
}

pub fn odd(text: impl AsRef<str>) -> TextRun {
    run(text, ODD)
}

pub fn bad(text: impl AsRef<str>) -> TextRun {
    run(text, BAD)
}

/// An endpoint in the colour of its role.
pub fn endpoint(role: Option<Role>, text: impl AsRef<str>) -> TextRun {
    run(text, role.map_or(Style::new(), render::role_style))
}

pub fn state(state: ExchangeState) -> TextRun {
    match state {
        ExchangeState::Answered => good(state.name()),
        ExchangeState::Refused | ExchangeState::Incomplete | ExchangeState::Unsolicited => {
            odd(state.name())
        }
        ExchangeState::Unanswered => bad(state.name()),
        ExchangeState::OneWay => plain("no answer expected"),
    }
}

pub fn severity(severity: Severity) -> TextRun {
    match severity {
        Severity::Note => plain(severity.name()),
        Severity::Warning => odd(severity.name()),
        Severity::Error => bad(severity.name()),
    }
}

/// A server's text, in the colours of its game or with its colour codes.
pub fn game_text(text: Option<&TextValue>, game: Option<&Game>, texts: TextDisplay) -> Runs {
    let Some(text) = text else {
        return Vec::new();
    };
    let colours = game.map_or(Colours::None, Game::colours);
    match texts {
        TextDisplay::Coloured => render::coloured(text, colours),
        // Quake's own characters are no codes.
        TextDisplay::AsSent if colours == Colours::HighBit => {
            vec![plain(render::uncoloured(text, colours))]
        }
        TextDisplay::AsSent => vec![plain(text::latin(text))],
    }
}

/// A cell with one text.
pub fn one(run: TextRun) -> Runs {
    vec![run]
}

/// `#12 at 3.250 s`.
pub fn moment(moment: Moment, view: &ViewState) -> String {
    if !has_time(moment.time) {
        return format!("#{}, which has no time", moment.number());
    }
    let unit = if view.format.times.is_clock() { "" } else { " s" };
    format!("#{} at {}{unit}", moment.number(), view.time(moment.time))
}

/// A list of runs, with a comma between two.
pub fn listed(parts: impl IntoIterator<Item = TextRun>) -> Runs {
    let mut runs = Vec::new();
    for part in parts {
        if !runs.is_empty() {
            runs.push(plain(", "));
        }
        runs.push(part);
    }
    runs
}
