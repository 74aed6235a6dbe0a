//! The columns of the list: those that every message has, and any name of the filter language.

use std::borrow::Cow;

use crate::action::MessageRow;
use crate::format::TextDisplay;
use crate::screens::cell::{bad, dim, endpoint, one, plain, run};
use crate::screens::screen::Sort;
use crate::view_state::ViewState;
use crate::widgets::table::{Alignment, Runs, TableColumn, address, left, right};
use analysis::MessageHeader;
use codec::Kind;
use filter::{Projection, SortKey};
use text::{TimeDisplay, nearest};

/// A column of the list.
#[derive(Debug, Clone, PartialEq)]
pub enum MessageColumn {
    Number,
    Time,
    Source,
    Destination,
    Game,
    Name,
    Summary,
    Value(Projection),
}

/// The columns that every message has, and their names in menus and in the configuration.
const USUAL: [(MessageColumn, &str); 7] = [
    (MessageColumn::Number, "number"),
    (MessageColumn::Time, "time"),
    (MessageColumn::Source, "source"),
    (MessageColumn::Destination, "destination"),
    (MessageColumn::Game, "game"),
    (MessageColumn::Name, "message"),
    (MessageColumn::Summary, "summary"),
];

/// The heading of numbers.
const NUMBER: &str = "#";

impl MessageColumn {
    /// The columns that are shown at first.
    pub fn usual() -> Vec<Self> {
        USUAL.map(|(column, _)| column).into()
    }

    /// The usual columns that are not among these.
    pub fn others(shown: &[Self]) -> Vec<String> {
        let others = USUAL.iter().filter(|(column, _)| !shown.contains(column));
        others.map(|(_, name)| (*name).to_owned()).collect()
    }

    /// The column of a name, or of a heading that is no name.
    ///
    /// # Errors
    ///
    /// If there is no such name, in words.
    pub fn named(name: &str) -> Result<Self, String> {
        if let Some((column, _)) = USUAL.iter().find(|(_, usual)| *usual == name) {
            return Ok(column.clone());
        }
        let is_time = TimeDisplay::ALL.iter().any(|times| times.heading() == name);
        if is_time {
            return Ok(Self::Time);
        }
        if name == NUMBER {
            return Ok(Self::Number);
        }
        Projection::parse(name).map(Self::Value).map_err(|error| {
            let usual = USUAL.iter().map(|(_, usual)| *usual);
            match nearest(name, usual, (name.len() / 3).max(1)) {
                Some(similar) => format!("no name is {name}; did you mean {similar}?"),
                None => error.what(),
            }
        })
    }

    /// The order with the name of its column, which may be given by the heading of a shown one.
    ///
    /// # Errors
    ///
    /// As [`Self::named`].
    pub fn sort(sort: &Sort, shown: &[Self]) -> Result<Sort, String> {
        let has_heading = |column: &&Self| column.heading(TimeDisplay::Relative) == sort.column;
        let column = match shown.iter().find(has_heading) {
            Some(column) => column.name(),
            None => Self::named(&sort.column)?.name(),
        };
        Ok(Sort { column, is_descending: sort.is_descending })
    }

    pub fn name(&self) -> String {
        if let Self::Value(projection) = self {
            return projection.name().to_owned();
        }
        let usual = USUAL.iter().find(|(column, _)| column == self);
        usual.map(|(_, name)| (*name).to_owned()).unwrap_or_default()
    }

    /// Its heading, with times in this form.
    pub fn heading(&self, times: TimeDisplay) -> Cow<'static, str> {
        self.layout(times, 0).name
    }

    /// Its layout; `widest` is the width of its widest text.
    pub fn layout(&self, times: TimeDisplay, widest: usize) -> TableColumn {
        match self {
            Self::Number => right(NUMBER, usize::MAX),
            Self::Time => {
                // A narrow column has fewer decimals.
                let least = widest.saturating_sub(3).max(7);
                TableColumn { side: Alignment::Time, ..right(times.heading(), least) }
            }
            Self::Source => address("source"),
            Self::Destination => address("destination"),
            Self::Game => left("game", 6),
            Self::Name => left("message", 14),
            Self::Summary => left("summary", 12).growing(25),
            Self::Value(projection) => {
                let name = projection.name();
                let heading = name.strip_prefix("field.").unwrap_or(name).to_owned();
                let column = if projection.is_number() { right("", 6) } else { left("", 8) };
                TableColumn { name: Cow::Owned(heading), ..column }
            }
        }
    }

    /// Its cell in a row; `before` is the time that times count from, `value` that of a name.
    pub fn cell(
        &self,
        row: &MessageRow,
        before: Option<i64>,
        value: Option<&String>,
        view: &ViewState,
    ) -> Runs {
        let header = &row.header;
        match self {
            Self::Number => one(dim(header.number.to_string())),
            Self::Time => {
                let before = before.unwrap_or(header.time);
                one(dim(view.format.time(header.time, before, 6, &view.zone)))
            }
            Self::Source => one(endpoint(header.direction.from, view.endpoint(header.source))),
            Self::Destination => {
                one(endpoint(header.direction.to, view.endpoint(header.destination)))
            }
            Self::Game => one(plain(header.verdict.game.id)),
            Self::Name => {
                let mut cell = one(run(header.name, render::style(Kind::Command)));
                cell.extend(
                    header
                        .entry
                        .spec
                        .explained(header.name)
                        .map(|means| dim(format!(" ({means})"))),
                );
                cell
            }
            Self::Summary => match (row.is_faulty, view.format.texts) {
                (true, _) => one(bad(&row.summary)),
                (false, TextDisplay::AsSent) => one(plain(&row.summary)),
                (false, TextDisplay::Coloured) => row.runs.clone(),
            },
            Self::Value(_) => one(plain(value.map_or("", String::as_str))),
        }
    }

    /// The place of a message if the list is sorted by it; nothing if that needs more than the
    /// header.
    pub fn key(&self, header: &MessageHeader) -> Option<SortKey> {
        Some(match self {
            Self::Number => SortKey::number(Some(header.number)),
            Self::Time => SortKey::number(Some(header.time)),
            Self::Source => SortKey::Address(header.source),
            Self::Destination => SortKey::Address(header.destination),
            Self::Game => SortKey::text(header.verdict.game.id),
            Self::Name => SortKey::text(header.name),
            Self::Summary | Self::Value(_) => return None,
        })
    }
}
