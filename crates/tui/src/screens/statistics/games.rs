//! The chart of games: their shares of messages, bytes, flows and servers.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::bins::BAR;
use super::chart::ChartSource;
use super::rows::ChartColumn;
use crate::layout::split_top;
use crate::text::{counted, grouped};
use crate::widgets::bars::{bar, percent};
use crate::widgets::painter::Painter;
use crate::widgets::style;
use crate::widgets::table::row_style;
use analysis::{GameCounts, SessionStatistics};
use filter::SortKey;
use text::{fit, width};

/// What is counted, and the number of a game.
type Measure = (&'static str, fn(&GameCounts) -> u64);

const MEASURES: [Measure; 4] = [
    ("messages", |game| game.messages),
    ("bytes", |game| game.bytes),
    ("flows", |game| game.flows),
    ("servers", |game| game.servers),
];
/// What games can be sorted by.
pub const SORTS: &[ChartColumn] = &[
    ChartColumn { name: "game", keys: |of| keys(of, |game| SortKey::text(game.game.id)) },
    ChartColumn { name: "messages", keys: |of| keys(of, |game| number(game.messages)) },
    ChartColumn { name: "bytes", keys: |of| keys(of, |game| number(game.bytes)) },
    ChartColumn { name: "flows", keys: |of| keys(of, |game| number(game.flows)) },
    ChartColumn { name: "servers", keys: |of| keys(of, |game| number(game.servers)) },
];
/// The columns of a number and of a percentage, and those left of both.
const NUMBER: usize = 7;
const PERCENT: usize = 7;
const GAP: usize = 1;

/// The areas of the chart.
pub struct GameAreas {
    head: Rect,
    pub rows: Rect,
    /// Whether bars are below their numbers, and not beside them.
    is_below: bool,
    /// The columns of a name, and those of each measure.
    game: usize,
    each: usize,
}

impl GameAreas {
    pub fn new(statistics: &SessionStatistics, area: Rect) -> Self {
        let (head, rows) = split_top(area, 1);
        let games = statistics.games.games().iter();
        let widest = games.map(|game| width(game.game.id)).max().unwrap_or(0) + 1;
        let game = widest.clamp(6, (usize::from(area.width) / 3).max(6));
        let each = usize::from(area.width).saturating_sub(game) / MEASURES.len();
        let is_below = each < GAP + NUMBER + PERCENT + 10;
        Self { head, rows, is_below, game, each }
    }

    /// How many lines a game takes.
    pub fn lines(&self) -> usize {
        if self.is_below { 2 } else { 1 }
    }

    /// Whether there is space for numbers.
    fn has_numbers(&self) -> bool {
        self.each >= GAP + NUMBER + PERCENT
    }
}

fn keys(statistics: &SessionStatistics, key: fn(&GameCounts) -> SortKey) -> Vec<SortKey> {
    statistics.games.games().iter().map(key).collect()
}

fn number(number: u64) -> SortKey {
    SortKey::Number(number.into())
}

pub fn note(statistics: &SessionStatistics) -> [String; 2] {
    let more = match statistics.games.left_out() {
        0 => String::new(),
        n => format!("{} without a known flow", counted(n, "message")),
    };
    [counted(statistics.games.games().len() as u64, "game"), more]
}

pub fn draw(from: ChartSource<'_>, area: Rect, buffer: &mut Buffer) {
    let ChartSource { statistics, rows, is_focused, .. } = from;
    let areas = GameAreas::new(statistics, area);
    let games = statistics.games.games();
    let all = MEASURES.map(|(_, of)| games.iter().map(of).sum::<u64>());
    let mut head = Painter::at(buffer, areas.head, 0);
    head.cell(&rows.heading("game", "game"), areas.game, style::TITLE);
    let columns = areas.each.saturating_sub(GAP);
    let names = MEASURES.map(|(name, _)| name);
    let with_sum = |(name, all): (&'static str, u64)| {
        let one = name.strip_suffix('s').filter(|_| all == 1);
        rows.heading(name, &format!("{} {}", short(all), one.unwrap_or(name)))
    };
    let sums: Vec<_> = names.into_iter().zip(all).map(with_sum).collect();
    let names = names.map(|name| rows.heading(name, name));
    let all_fit = sums.iter().all(|text| width(text) <= columns);
    for (place, (name, sum)) in names.iter().zip(&sums).enumerate() {
        head.go(areas.game + place * areas.each + GAP);
        head.write(&fit(if all_fit { sum } else { name }, columns), style::TITLE);
    }
    let lines = areas.lines();
    let visible = rows.visible(games.len()).filter_map(|(row, at)| Some((row, games.get(at)?)));
    for (y, (row, game)) in (0..areas.rows.height).step_by(lines).zip(visible) {
        let name = fit(game.game.id, areas.game.saturating_sub(1));
        Painter::at(buffer, areas.rows, y).cell(&name, areas.game, style::PLAIN);
        for (place, ((_, of), all)) in MEASURES.iter().zip(all).enumerate() {
            share((of(game), all), place, &areas, y, buffer);
        }
        let over = row_style(row == rows.scroll.cursor, is_focused);
        for line in 0..lines as u16 {
            Painter::at(buffer, areas.rows, y + line).paint(over);
        }
    }
}

/// A part of a whole, in the columns of its measure.
fn share((part, whole): (u64, u64), place: usize, areas: &GameAreas, y: u16, buffer: &mut Buffer) {
    let begin = areas.game + place * areas.each + GAP;
    let columns = areas.each.saturating_sub(GAP);
    let mut painter = Painter::at(buffer, areas.rows, y);
    painter.go(begin);
    if !areas.is_below {
        painter.number(&short(part), NUMBER, style::PLAIN);
        painter.number(&percent(part, whole), PERCENT, style::PLAIN);
    } else if areas.has_numbers() {
        painter.number(&short(part), columns.saturating_sub(PERCENT), style::PLAIN);
        painter.number(&percent(part, whole), PERCENT, style::PLAIN);
    } else {
        painter.number(&percent(part, whole), columns, style::PLAIN);
    }
    if areas.is_below {
        let mut below = Painter::at(buffer, areas.rows, y + 1);
        below.go(begin);
        below.write(&bar(part, whole, columns), BAR);
    } else {
        painter.write(" ", style::PLAIN);
        painter.write(&bar(part, whole, columns.saturating_sub(NUMBER + PERCENT + 1)), BAR);
    }
}

/// A number in at most seven characters: `123,456`, `12.3M`.
fn short(number: u64) -> String {
    let units = [(1_000_000, "M"), (1_000_000_000, "G"), (1_000_000_000_000, "T")];
    match units.into_iter().rev().find(|(unit, _)| number >= *unit) {
        Some((unit, name)) => format!("{}.{}{name}", number / unit, number % unit * 10 / unit),
        None => grouped(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, text) in [
            (999_999, "999,999"),
            (1_000_000, "1.0M"),
            (12_345_678, "12.3M"),
            (9_876_543_210, "9.8G"),
        ] {
            assert_eq!(short(number), text);
        }
    }
}
