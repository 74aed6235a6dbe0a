//! The charts: their names, what they are drawn from, and what each is asked.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::rows::{ChartColumn, ChartRows};
use super::{games, heartbeats, latency, lists, over_time};
use crate::view_state::ViewState;
use crate::widgets::painter::Painter;
use crate::widgets::style;
use analysis::SessionStatistics;
use text::named;

named! {
    /// A chart.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ChartKind {
        OverTime = "messages over time",
        Heartbeats = "heartbeats",
        Latency = "latency",
        Lists = "list sizes",
        Games = "games",
    }
}

/// What a chart is drawn from.
#[derive(Clone, Copy)]
pub struct ChartSource<'a> {
    pub statistics: &'a SessionStatistics,
    pub view: &'a ViewState,
    /// The widest addresses of servers and masters with heartbeats.
    pub addresses: [usize; 2],
    /// The rows of its table.
    pub rows: &'a ChartRows,
    pub is_focused: bool,
}

impl ChartKind {
    /// Its place among all.
    pub fn at(self) -> usize {
        self as usize
    }

    /// What one row of its table is; charts without a table have no rows.
    pub fn noun(self) -> &'static str {
        match self {
            Self::OverTime => "",
            Self::Heartbeats => "registration",
            Self::Latency => "kind",
            Self::Lists => "master",
            Self::Games => "game",
        }
    }

    /// The name of the exported table that has what it is made of; messages have their own.
    pub fn table_of_rows(self) -> Option<&'static str> {
        match self {
            Self::OverTime | Self::Games => None,
            Self::Heartbeats => Some("registrations"),
            Self::Latency => Some("exchanges"),
            Self::Lists => Some("masters"),
        }
    }

    /// How many rows its table has.
    pub fn rows(self, statistics: &SessionStatistics) -> usize {
        match self {
            Self::OverTime => 0,
            Self::Heartbeats => statistics.heartbeats.series().len(),
            Self::Latency => latency::rows(statistics).len(),
            Self::Lists => statistics.exchanges.as_ref().map_or(0, |of| of.masters().len()),
            Self::Games => statistics.games.games().len(),
        }
    }

    /// What its table can be sorted by.
    pub fn columns(self) -> &'static [ChartColumn] {
        match self {
            Self::OverTime => &[],
            Self::Heartbeats => heartbeats::SORTS,
            Self::Latency => latency::SORTS,
            Self::Lists => lists::SORTS,
            Self::Games => games::SORTS,
        }
    }

    /// How many rows at the beginning of its table sum up the others.
    pub fn sums(self, statistics: &SessionStatistics) -> usize {
        match self {
            Self::Latency => latency::sums(statistics),
            Self::OverTime | Self::Heartbeats | Self::Lists | Self::Games => 0,
        }
    }

    /// The rows of its table that an area has space for.
    pub fn table(self, statistics: &SessionStatistics, area: Rect) -> Rect {
        match self {
            Self::OverTime => Rect::ZERO,
            Self::Heartbeats => heartbeats::HeartbeatAreas::new(area).rows,
            Self::Latency => latency::LatencyAreas::new(statistics, area).rows,
            Self::Lists => lists::ListAreas::new(statistics, area).rows,
            Self::Games => games::GameAreas::new(statistics, area).rows,
        }
    }

    /// How many lines a row of its table takes.
    pub fn lines_per_row(self, statistics: &SessionStatistics, area: Rect) -> usize {
        match self {
            Self::Games => games::GameAreas::new(statistics, area).lines(),
            _ => 1,
        }
    }

    /// The most important number, in a few words, and others.
    pub fn note(self, statistics: &SessionStatistics, area: Rect) -> [String; 2] {
        match self {
            Self::OverTime => over_time::note(statistics, area),
            Self::Heartbeats => heartbeats::note(statistics),
            Self::Latency => latency::note(statistics),
            Self::Lists => lists::note(statistics),
            Self::Games => games::note(statistics),
        }
    }

    pub fn draw(self, from: ChartSource<'_>, area: Rect, buffer: &mut Buffer) {
        if let Some(why) = self.empty(from.statistics) {
            return Painter::at(buffer, area, 0).write(&why, style::DIM);
        }
        match self {
            Self::OverTime => over_time::draw(from, area, buffer),
            Self::Heartbeats => heartbeats::draw(from, area, buffer),
            Self::Latency => latency::draw(from, area, buffer),
            Self::Lists => lists::draw(from, area, buffer),
            Self::Games => games::draw(from, area, buffer),
        }
    }

    /// Why there is nothing to draw.
    fn empty(self, statistics: &SessionStatistics) -> Option<String> {
        let exchanges = statistics.exchanges.as_ref();
        let needs_exchanges = matches!(self, Self::Latency | Self::Lists);
        if needs_exchanges && exchanges.is_none() {
            return Some("exchanges are known when everything has been read".to_owned());
        }
        let (is_empty, what) = match self {
            Self::OverTime | Self::Games => (statistics.messages == 0, "no message"),
            Self::Heartbeats => {
                (statistics.heartbeats.series().is_empty(), "no server sent a heartbeat")
            }
            Self::Latency => {
                let none = exchanges.is_none_or(|of| of.all.latency.count() == 0);
                (none, "no exchange has a latency: no request was answered")
            }
            Self::Lists => (self.rows(statistics) == 0, "no master sent a list"),
        };
        let among = if statistics.is_selection { ", among the filtered messages" } else { "" };
        is_empty.then(|| format!("{what}{among}"))
    }
}
