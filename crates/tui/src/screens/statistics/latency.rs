//! The chart of latencies: a histogram, and the percentiles of each kind of exchange.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::bins::{Bin, draw_bins};
use super::chart::ChartSource;
use super::rows::ChartColumn;
use crate::layout::{split_left, split_top};
use crate::text::{counted, grouped};
use crate::widgets::painter::Painter;
use crate::widgets::style;
use crate::widgets::table::row_style;
use analysis::{ExchangeStatistics, Histogram, Latencies, NumberBin, SessionStatistics};
use filter::SortKey;
use text::latency;

/// The columns of the table, with the width of each; the last ones are left out if space is short.
const COLUMNS: [(&str, usize); 6] =
    [("answered", 9), ("of", 7), ("median", 8), ("90%", 7), ("99%", 7), ("longest", 8)];
/// What kinds of exchanges can be sorted by: first the name, then what [`COLUMNS`] has.
pub const SORTS: &[ChartColumn] = &[
    ChartColumn { name: "kind", keys: |of| keys(of, |(kind, _)| SortKey::text(kind)) },
    ChartColumn {
        name: "answered",
        keys: |of| keys(of, |(_, of)| SortKey::Number(of.latency.count().into())),
    },
    ChartColumn { name: "of", keys: |of| keys(of, |(_, of)| SortKey::Number(of.due().into())) },
    ChartColumn {
        name: "median",
        keys: |of| keys(of, |(_, of)| SortKey::number(of.latency.percentile(50))),
    },
    ChartColumn {
        name: "90%",
        keys: |of| keys(of, |(_, of)| SortKey::number(of.latency.percentile(90))),
    },
    ChartColumn {
        name: "99%",
        keys: |of| keys(of, |(_, of)| SortKey::number(of.latency.percentile(99))),
    },
    ChartColumn {
        name: "longest",
        keys: |of| keys(of, |(_, of)| SortKey::number(of.latency.percentile(100))),
    },
];
/// The width of the names of kinds.
const KIND: usize = 13;
/// The table stands beside the histogram in areas of at least this width.
const BESIDE: u16 = 130;
/// The most bins.
const BINS: usize = 18;

/// The areas of the chart.
pub struct LatencyAreas {
    head: Rect,
    pub rows: Rect,
    caption: Rect,
    histogram: Rect,
}

impl LatencyAreas {
    pub fn new(statistics: &SessionStatistics, area: Rect) -> Self {
        let kinds = rows(statistics).len() as u16;
        let (histogram, table) = if area.width >= BESIDE {
            let (histogram, table) = split_left(area, area.width - 61);
            (histogram, table)
        } else {
            // Small areas show only the selected kind.
            let height = if area.height < 14 { 2 } else { (kinds + 1).min(area.height / 2 - 1) };
            let (table, rest) = split_top(area, height);
            (if area.height < 14 { rest } else { split_top(rest, 1).1 }, table)
        };
        let (head, rows) = split_top(table, 1);
        let (rows, _) = split_top(rows, kinds);
        let (caption, histogram) = split_top(histogram, 1);
        Self { head, rows, caption, histogram }
    }
}

/// All exchanges, if there are several kinds, and those of each kind.
pub fn rows(statistics: &SessionStatistics) -> Vec<(&'static str, &Latencies)> {
    statistics.exchanges.as_ref().map(ExchangeStatistics::rows).unwrap_or_default()
}

/// How many of the rows are of all kinds.
pub fn sums(statistics: &SessionStatistics) -> usize {
    let kinds = statistics.exchanges.as_ref().map_or(0, |of| of.kinds().count());
    rows(statistics).len().saturating_sub(kinds)
}

fn keys(
    statistics: &SessionStatistics,
    key: fn(&(&'static str, &Latencies)) -> SortKey,
) -> Vec<SortKey> {
    rows(statistics).iter().map(key).collect()
}

pub fn note(statistics: &SessionStatistics) -> [String; 2] {
    let Some(exchanges) = &statistics.exchanges else {
        return Default::default();
    };
    let median = exchanges.all.latency.percentile(50);
    let median = median.map_or(String::new(), |median| format!("median {}", text(median)));
    [median, counted(exchanges.all.exchanges(), "exchange")]
}

pub fn draw(from: ChartSource<'_>, area: Rect, buffer: &mut Buffer) {
    let ChartSource { statistics, rows: shown, is_focused, .. } = from;
    let areas = LatencyAreas::new(statistics, area);
    let rows = rows(statistics);
    let mut head = Painter::at(buffer, areas.head, 0);
    head.cell(&shown.heading("kind", "kind"), KIND, style::TITLE);
    for (name, columns) in COLUMNS {
        head.number(&shown.heading(name, name), columns, style::TITLE);
    }
    let visible = shown.visible(rows.len()).filter_map(|(row, at)| Some((row, rows.get(at)?)));
    for (y, (at, (kind, latencies))) in (0..areas.rows.height).zip(visible) {
        let mut painter = Painter::at(buffer, areas.rows, y);
        painter.cell(kind, KIND, style::PLAIN);
        for (cell, (_, columns)) in cells(latencies).iter().zip(COLUMNS) {
            painter.number(cell, columns, style::PLAIN);
        }
        let over = row_style(at == shown.scroll.cursor, is_focused);
        Painter::at(buffer, areas.rows, y).paint(over);
    }
    let selected = shown.selected(rows.len()).and_then(|at| rows.get(at));
    let Some((kind, latencies)) = selected else { return };
    let caption = format!("time to the first response, {kind}");
    let mut painter = Painter::at(buffer, areas.caption, 0);
    painter.write(&caption, style::BOLD);
    painter.write("; percentiles within 1%", style::DIM);
    let bins = bins(&latencies.latency, usize::from(areas.histogram.height));
    draw_bins(&bins, latencies.latency.count(), areas.histogram, buffer);
}

fn cells(latencies: &Latencies) -> [String; 6] {
    let of = |percent| latencies.latency.percentile(percent).map_or(String::new(), text);
    [grouped(latencies.latency.count()), grouped(latencies.due()), of(50), of(90), of(99), of(100)]
}

/// Bins with round bounds on a logarithmic scale.
fn bins(latencies: &Histogram, most: usize) -> Vec<Bin> {
    let label = |bin: &NumberBin| match bin.from {
        0 => format!("under {}", text(bin.to)),
        from => format!("{} to {}", text(from), text(bin.to)),
    };
    let bins = latencies.latency_bins(most.min(BINS));
    bins.iter().map(|bin| Bin { label: label(bin), count: bin.count }).collect()
}

fn text(nanos: u64) -> String {
    latency(i64::try_from(nanos).unwrap_or(i64::MAX))
}
