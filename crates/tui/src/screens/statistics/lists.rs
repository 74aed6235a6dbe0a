//! The chart of list sizes: the range of each master, and a histogram of the selected one.

use std::net::SocketAddr;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::bins::{BAR, Bin, draw_bins};
use super::chart::ChartSource;
use super::rows::ChartColumn;
use crate::layout::split_top;
use crate::text::{counted, grouped};
use crate::widgets::painter::Painter;
use crate::widgets::style;
use crate::widgets::table::row_style;
use analysis::{Histogram, ListSizes, NumberBin, SessionStatistics};
use filter::SortKey;
use protocol::Role;
use text::fit_address;

/// The columns of the table behind the address, with the width of each.
const COLUMNS: [(&str, usize); 4] = [("lists", 7), ("min", 8), ("median", 8), ("max", 8)];
/// What masters can be sorted by: first the address, then what [`COLUMNS`] has.
pub const SORTS: &[ChartColumn] = &[
    ChartColumn { name: "master", keys: |of| keys(of, |(master, _)| SortKey::Address(*master)) },
    ChartColumn {
        name: "lists",
        keys: |of| keys(of, |(_, lists)| SortKey::Number(lists.servers.count().into())),
    },
    ChartColumn {
        name: "min",
        keys: |of| {
            keys(of, |(_, lists)| SortKey::number(lists.servers.range().map(|(min, _)| min)))
        },
    },
    ChartColumn {
        name: "median",
        keys: |of| keys(of, |(_, lists)| SortKey::number(lists.servers.percentile(50))),
    },
    ChartColumn {
        name: "max",
        keys: |of| {
            keys(of, |(_, lists)| SortKey::number(lists.servers.range().map(|(_, max)| max)))
        },
    },
];
/// The width of an address.
const ADDRESS: usize = 22;
/// From this width on, the range is drawn too.
const WITH_RANGE: u16 = 66;
/// The most bins.
const BINS: usize = 16;

/// The areas of the chart.
pub struct ListAreas {
    head: Rect,
    pub rows: Rect,
    caption: Rect,
    histogram: Rect,
}

impl ListAreas {
    pub fn new(statistics: &SessionStatistics, area: Rect) -> Self {
        let masters = statistics.exchanges.as_ref().map_or(0, |of| of.masters().len());
        let (head, rest) = split_top(area, 1);
        let height = u16::try_from(masters).unwrap_or(u16::MAX).min(rest.height / 2);
        let (rows, rest) = split_top(rest, height);
        // A line between the two, if there is space.
        let (_, rest) = split_top(rest, u16::from(area.height >= 14));
        let (caption, histogram) = split_top(rest, 1);
        Self { head, rows, caption, histogram }
    }
}

/// The masters that sent lists, with the sizes of these.
fn masters(statistics: &SessionStatistics) -> Vec<(SocketAddr, &ListSizes)> {
    statistics.exchanges.as_ref().map(|of| of.masters().collect()).unwrap_or_default()
}

fn keys(
    statistics: &SessionStatistics,
    key: fn(&(SocketAddr, &ListSizes)) -> SortKey,
) -> Vec<SortKey> {
    masters(statistics).iter().map(key).collect()
}

pub fn note(statistics: &SessionStatistics) -> [String; 2] {
    let Some(exchanges) = &statistics.exchanges else {
        return Default::default();
    };
    let lists: u64 = exchanges.masters().map(|(_, lists)| lists.servers.count()).sum();
    let more = match exchanges.lists_left_out() {
        0 => counted(exchanges.masters().len() as u64, "master"),
        n => format!("{} of more masters not counted", counted(n, "list")),
    };
    [counted(lists, "list"), more]
}

pub fn draw(from: ChartSource<'_>, area: Rect, buffer: &mut Buffer) {
    let ChartSource { statistics, rows, is_focused, .. } = from;
    let masters = masters(statistics);
    let areas = ListAreas::new(statistics, area);
    let most = masters.iter().filter_map(|(_, lists)| lists.servers.range());
    let most = most.map(|(_, max)| max).max().unwrap_or(0);
    let mut head = Painter::at(buffer, areas.head, 0);
    head.cell(&rows.heading("master", "master"), ADDRESS, style::TITLE);
    for (name, columns) in COLUMNS {
        head.number(&rows.heading(name, name), columns, style::TITLE);
    }
    if area.width >= WITH_RANGE {
        head.write("  0", style::DIM);
        head.right(&format!("{} servers", grouped(most)), style::DIM, 0);
    }
    let visible = rows.visible(masters.len()).filter_map(|(row, at)| Some((row, masters.get(at)?)));
    for (y, (at, master)) in (0..areas.rows.height).zip(visible) {
        row(*master, most, area, &mut Painter::at(buffer, areas.rows, y));
        let over = row_style(at == rows.scroll.cursor, is_focused);
        Painter::at(buffer, areas.rows, y).paint(over);
    }
    let selected = rows.selected(masters.len()).and_then(|at| masters.get(at));
    let Some((master, lists)) = selected else { return };
    let mut painter = Painter::at(buffer, areas.caption, 0);
    painter.write(&format!("servers per list of {master}"), style::BOLD);
    painter.write(&format!(", {}", lists.game.id), style::DIM);
    let bins = bins(&lists.servers, usize::from(areas.histogram.height));
    draw_bins(&bins, lists.servers.count(), areas.histogram, buffer);
}

fn row(
    (master, lists): (SocketAddr, &ListSizes),
    most: u64,
    area: Rect,
    painter: &mut Painter<'_>,
) {
    let address = fit_address(&master.to_string(), ADDRESS);
    painter.cell(&address, ADDRESS, style::painted(render::role_style(Role::Master)));
    let (min, max) = lists.servers.range().unwrap_or_default();
    let median = lists.servers.percentile(50).unwrap_or_default();
    let numbers = [lists.servers.count(), min, median, max];
    for (number, (_, columns)) in numbers.into_iter().zip(COLUMNS) {
        painter.number(&grouped(number), columns, style::PLAIN);
    }
    if area.width >= WITH_RANGE {
        painter.write("  ", style::PLAIN);
        let last = painter.left().saturating_sub(1);
        painter.write(&range([min, median, max], most, last), BAR);
    }
}

/// `   ├──●───┤`: the minimum, the median and the maximum on a scale from 0 to `most`.
fn range(numbers: [u64; 3], most: u64, last: usize) -> String {
    let column = |number: u64| {
        (u128::from(number) * last as u128 / u128::from(most.max(1))).min(last as u128) as usize
    };
    let [min, median, max] = numbers.map(column);
    let mark = |at| match at {
        _ if at == median => '●',
        _ if at == min => '├',
        _ if at == max => '┤',
        _ if (min..max).contains(&at) => '─',
        _ => ' ',
    };
    (0..=max).map(mark).collect()
}

fn bins(sizes: &Histogram, most: usize) -> Vec<Bin> {
    let label = |bin: &NumberBin| match bin.to - bin.from {
        1 => grouped(bin.from),
        _ => format!("{} to {}", grouped(bin.from), grouped(bin.to - 1)),
    };
    let bins = sizes.equal_bins(most.min(BINS));
    bins.iter().map(|bin| Bin { label: label(bin), count: bin.count }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_drawn_to_scale() {
        assert_eq!(range([2, 5, 10], 10, 10), "  ├──●────┤");
        assert_eq!(range([0, 0, 0], 0, 10), "●");
        assert_eq!(range([10, 10, 10], 10, 4), "    ●");
        assert_eq!(range([3, 3, 5], 10, 10), "   ●─┤");
    }
}
