//! The chart of messages over time, stacked by game.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use super::chart::ChartSource;
use crate::layout::{split_bottom, split_top};
use crate::text::{counted, grouped};
use crate::widgets::bars::{block, eighths, percent, round_up};
use crate::widgets::painter::Painter;
use crate::widgets::style;
use crate::widgets::time_axis::{TimeColumns, round_duration, unit};
use analysis::{GameCounts, SessionStatistics};
use text::{duration, width};

/// How games are told apart, the largest first; the last is for all others. Each has a character of
/// its own, so that they differ without colour.
const FILLS: [(&str, Style); 6] = [
    ("█", Style::new().fg(Color::Cyan)),
    ("▓", Style::new().fg(Color::Yellow)),
    ("▒", Style::new().fg(Color::Magenta)),
    ("░", Style::new().fg(Color::Green)),
    ("#", Style::new().fg(Color::Blue)),
    ("·", style::PLAIN),
];

/// From this width on, the legend has numbers.
const WITH_NUMBERS: u16 = 76;

/// The bars, with the messages of each game in them.
struct StackedBars {
    columns: TimeColumns,
    /// For each game with a fill of its own, and for all others, the number of messages by bar.
    games: Vec<Vec<u64>>,
    /// The number of messages that a full bar has.
    top: u64,
}

/// The areas of the chart: numbers at the left, bars, the axis with its labels, the legend.
struct OverTimeAreas {
    numbers: Rect,
    bars: Rect,
    axis: Rect,
    legend: Rect,
}

impl StackedBars {
    /// Bars for at most so many columns.
    fn new(statistics: &SessionStatistics, columns: u16) -> Option<Self> {
        let buckets = statistics.games.buckets();
        let (first, last) = buckets.span()?;
        let width = buckets.width();
        let columns = i64::from(columns.max(1));
        let mut each = width;
        let of = |each: i64| last.div_euclid(each) - first.div_euclid(each) + 1;
        while of(each) > columns {
            let least = last.saturating_sub(first) / columns;
            each = round_duration(least.max(each + 1), width);
        }
        let begin = first.div_euclid(each) * each;
        let columns = u16::try_from(of(each)).unwrap_or(u16::MAX);
        let columns = TimeColumns { first: begin, each, columns };
        let (named, others) = split_games(statistics.games.games());
        let all = named.chunks(1).chain([others]).filter(|games| !games.is_empty());
        let games: Vec<_> = all.map(|games| by_bar(games, columns, width)).collect();
        let sum = |bar: usize| games.iter().filter_map(|game| game.get(bar)).sum();
        let most = (0..columns.columns.into()).map(sum).max().unwrap_or(0);
        Some(Self { columns, games, top: round_up(most) })
    }

    /// How a bar fills a row, counted from below, of `rows`: a character and its style.
    fn cell(&self, bar: usize, row: usize, rows: usize) -> (&'static str, Style) {
        let counts = self.games.iter().map(|game| game.get(bar).copied().unwrap_or(0));
        let counts: Vec<_> = counts.collect();
        let all = eighths(counts.iter().sum(), self.top, rows);
        let (from, to) = (8 * row, (8 * row + 8).min(all));
        if to <= from {
            return (" ", style::PLAIN);
        }
        // The game that takes most of the cell.
        let (mut below, mut largest) = (0, (0, FILLS[0]));
        for (count, fill) in counts.iter().zip(FILLS) {
            let begin = eighths(below, self.top, rows);
            below += count;
            let end = eighths(below, self.top, rows);
            let part = end.min(to).saturating_sub(begin.max(from));
            if part > largest.0 {
                largest = (part, fill);
            }
        }
        let (_, (character, style)) = largest;
        match to - from {
            // Of several games, each is to be known by its character.
            part if self.games.len() == 1 => (block(part), style),
            4.. => (character, style),
            part if row == 0 => (block(part), style),
            _ => (" ", style::PLAIN),
        }
    }
}

/// The games with a fill of their own, and the others.
fn split_games(games: &[GameCounts]) -> (&[GameCounts], &[GameCounts]) {
    let named = if games.len() > FILLS.len() { FILLS.len() - 1 } else { games.len() };
    games.split_at_checked(named).unwrap_or((games, &[]))
}

/// The number of messages of these games in each bar; buckets have this width.
fn by_bar(games: &[GameCounts], columns: TimeColumns, width: i64) -> Vec<u64> {
    let mut bars = vec![0; columns.columns.into()];
    for (bucket, count) in games.iter().flat_map(|game| game.over_time.iter()) {
        let bar = columns.at(bucket.saturating_mul(width)).unwrap_or(0);
        if let Some(bar) = bars.get_mut(bar) {
            *bar += u64::from(count);
        }
    }
    bars
}

pub fn note(statistics: &SessionStatistics, area: Rect) -> [String; 2] {
    let legend = legend(statistics, area);
    let each = fitted(statistics, &legend, area).map(|(_, chart)| chart.columns.each);
    let each = each.map_or(String::new(), |each| format!("per {}", duration(each)));
    let span = statistics.games.buckets().span();
    let span = span.map_or(String::new(), |(first, last)| {
        format!(" in {}", duration(last.saturating_sub(first)))
    });
    [each, format!("{}{span}", counted(statistics.messages, "message"))]
}

pub fn draw(from: ChartSource<'_>, area: Rect, buffer: &mut Buffer) {
    let ChartSource { statistics, view, .. } = from;
    let legend = legend(statistics, area);
    let Some((areas, chart)) = fitted(statistics, &legend, area) else { return };
    let rows = usize::from(areas.bars.height);
    // Few bars are wider.
    let wide = (areas.bars.width / chart.columns.columns.max(1)).clamp(1, 4);
    let shown = TimeColumns {
        each: chart.columns.each / i64::from(wide),
        columns: chart.columns.columns.saturating_mul(wide),
        ..chart.columns
    };
    for (y, row) in (0..areas.bars.height).zip((0..rows).rev()) {
        let mut painter = Painter::at(buffer, areas.bars, y);
        for bar in 0..chart.columns.columns.into() {
            let (character, style) = chart.cell(bar, row, rows);
            painter.write(&character.repeat(wide.into()), style);
        }
    }
    numbers(chart.top, areas.numbers, buffer);
    let (line, labels) = split_top(areas.axis, 1);
    let left = usize::from(areas.numbers.width);
    number("0", "└", left, &mut Painter::at(buffer, line, 0));
    shown.line(view, left, line, buffer);
    shown.labels(view, left, labels, buffer);
    Painter::at(buffer, labels, 0).right(unit(view), style::DIM, 0);
    for (y, line) in (0..areas.legend.height).zip(in_lines(&legend, usize::from(area.width))) {
        let mut painter = Painter::at(buffer, areas.legend, y);
        for (text, style) in line {
            painter.write(text, *style);
        }
    }
}

/// The areas, with bars that fit them.
fn fitted(
    statistics: &SessionStatistics,
    legend: &[LegendEntry],
    area: Rect,
) -> Option<(OverTimeAreas, StackedBars)> {
    let lines = in_lines(legend, usize::from(area.width)).len() as u16;
    let (rest, legend) = split_bottom(area, lines.min(area.height / 4));
    let (rest, axis) = split_bottom(rest, 2);
    // The numbers need the bars, and these the space beside the numbers.
    let guess = StackedBars::new(statistics, area.width.saturating_sub(6))?;
    let columns = width(&grouped(guess.top)) + 2;
    let bars = Rect {
        x: rest.x + (columns as u16).min(rest.width),
        width: rest.width.saturating_sub(columns as u16),
        ..rest
    };
    let numbers = Rect { width: columns as u16, ..rest };
    let chart = StackedBars::new(statistics, bars.width)?;
    Some((OverTimeAreas { numbers, bars, axis, legend }, chart))
}

/// The numbers beside the bars: at the top and in the middle.
fn numbers(top: u64, area: Rect, buffer: &mut Buffer) {
    let middle = area.height / 2;
    let has_middle = area.height > 3 && area.height.is_multiple_of(2) && top.is_multiple_of(2);
    for y in 0..area.height {
        let text = match y {
            0 => grouped(top),
            _ if y == middle && has_middle => grouped(top / 2),
            _ => String::new(),
        };
        let mark = if text.is_empty() { "│" } else { "┤" };
        number(&text, mark, usize::from(area.width), &mut Painter::at(buffer, area, y));
    }
}

/// A number and the mark of the axis, in so many columns.
fn number(text: &str, mark: &str, columns: usize, painter: &mut Painter<'_>) {
    painter.number(text, columns.saturating_sub(2), style::DIM);
    painter.go(columns.saturating_sub(1));
    painter.write(mark, style::DIM);
}

/// A character, and what it stands for.
type LegendEntry = [(String, Style); 2];

/// The fill of each game, with its name and share, and its number if there is space.
fn legend(statistics: &SessionStatistics, area: Rect) -> Vec<LegendEntry> {
    let (named, others) = split_games(statistics.games.games());
    let entry = |(fill, style): (&str, Style), name: &str, messages: u64| {
        let share = percent(messages, statistics.messages);
        let text = if area.width < WITH_NUMBERS {
            format!(" {name} {share}  ")
        } else {
            format!(" {name} {} ({share})  ", grouped(messages))
        };
        [(fill.to_owned(), style), (text, style::PLAIN)]
    };
    let games = FILLS.iter().zip(named);
    let mut entries: Vec<_> =
        games.map(|(fill, game)| entry(*fill, game.game.id, game.messages)).collect();
    if let (false, Some(fill)) = (others.is_empty(), FILLS.last()) {
        let name = counted(others.len() as u64, "other game");
        entries.push(entry(*fill, &name, others.iter().map(|game| game.messages).sum()));
    }
    entries
}

/// The entries in lines of at most so many columns.
fn in_lines(legend: &[LegendEntry], columns: usize) -> Vec<Vec<&(String, Style)>> {
    let (mut lines, mut used) = (Vec::new(), columns);
    for entry in legend {
        let needed: usize = entry.iter().map(|(text, _)| width(text)).sum();
        if used + needed > columns + 2 {
            lines.push(Vec::new());
            used = 0;
        }
        used += needed;
        if let Some(line) = lines.last_mut() {
            line.extend(entry);
        }
    }
    lines
}
