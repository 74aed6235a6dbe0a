//! Words and numbers in table cells; colours from `render`.

use crate::text;
use anstyle::{AnsiColor, Style};

use super::{RowFormat, Runs};
use crate::analysis::{ExchangeState, Moment, Severity, TextValue};
use crate::protocol::{Colours, Game, Role};
use crate::protocols::PROTOCOLS;
use crate::render::{self, TextRun};
use crate::text::escaped;
use crate::tui::model::{TextDisplay, TimeDisplay};

const DIM: Style = AnsiColor::BrightBlack.on_default();
const GOOD: Style = AnsiColor::Green.on_default();
const ODD: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();

fn run(text: impl AsRef<str>, style: Style) -> TextRun {
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
pub fn end(party: Option<Role>, text: impl AsRef<str>) -> TextRun {
    run(
        text,
        match party {
            Some(Role::Client) => AnsiColor::Cyan.on_default(),
            Some(Role::Server) => GOOD,
            Some(Role::Master) => AnsiColor::Magenta.on_default(),
            None => Style::new(),
        },
    )
}

pub fn state(state: ExchangeState) -> TextRun {
    match state {
        ExchangeState::Answered => good(state.name()),
        ExchangeState::Refused | ExchangeState::Incomplete | ExchangeState::Unsolicited => {
            odd(state.name())
        }
        ExchangeState::Unanswered => bad(state.name()),
        ExchangeState::OneWay => plain(state.name()),
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
pub fn game_text(text: Option<&TextValue>, game: Option<&Game>, manner: RowFormat) -> Runs {
    let Some(text) = text else {
        return Vec::new();
    };
    let home =
        PROTOCOLS.iter().find(|p| game.is_some_and(|g| p.games.iter().any(|k| k.id == g.id)));
    match (manner.texts, home) {
        (TextDisplay::Coloured, Some(home)) => render::coloured(text, home.colours),
        (TextDisplay::Coloured, None) => render::coloured(text, Colours::None),
        (TextDisplay::AsSent, Some(home)) if home.colours == Colours::HighBit => {
            let letters = render::coloured(text, home.colours);
            vec![plain(letters.into_iter().map(|run| run.text).collect::<String>())]
        }
        (TextDisplay::AsSent, _) => vec![plain(text::latin(text))],
    }
}

/// A time: in seconds since the first message, or in UTC.
pub fn when(time: i64, manner: RowFormat) -> String {
    match manner.clock {
        TimeDisplay::Utc => text::utc(time).get(11..23).unwrap_or("?").to_owned(),
        TimeDisplay::Relative | TimeDisplay::Delta => {
            let millis = time.saturating_sub(manner.first) / 1_000_000;
            let sign = if millis < 0 { "-" } else { "" };
            let millis = millis.unsigned_abs();
            format!("{sign}{}.{:03}", millis / 1000, millis % 1000)
        }
    }
}

/// `#12 at 3.250 s`.
pub fn moment(moment: Moment, manner: RowFormat) -> String {
    let unit = if manner.clock == TimeDisplay::Utc { "" } else { " s" };
    format!("#{} at {}{unit}", moment.number(), when(moment.time, manner))
}

/// A duration in readable units: `0.4 ms`, `125 ms`, `12.3 s`.
pub fn span(nanos: i64) -> String {
    let micros = nanos / 1000;
    match micros {
        i64::MIN..10_000 => format!("{}.{} ms", micros / 1000, micros.rem_euclid(1000) / 100),
        10_000..1_000_000 => format!("{} ms", micros / 1000),
        1_000_000..1_000_000_000 => {
            format!("{}.{} s", micros / 1_000_000, micros % 1_000_000 / 100_000)
        }
        _ => format!("{} s", micros / 1_000_000),
    }
}
