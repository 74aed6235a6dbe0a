//! The chart of heartbeats: a row for each server and master, with the times of its heartbeats.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::chart::ChartSource;
use super::rows::ChartColumn;
use crate::layout::{split_bottom, split_top};
use crate::text::{counted, grouped};
use crate::view_state::ViewState;
use crate::widgets::painter::Painter;
use crate::widgets::style;
use crate::widgets::table::row_style;
use crate::widgets::time_axis::{TimeColumns, unit};
use analysis::{HeartbeatMarks, HeartbeatSeries, HeartbeatStatistics, SessionStatistics};
use filter::SortKey;
use protocol::{Role, TOLERANCE};
use text::{duration, fit_address, width};

/// The marks on the axis of time: a heartbeat, a late one, the time until it, a shutdown.
const HEARTBEAT: &str = "·";
const LATE: &str = "!";
const OVERDUE: &str = "-";
const SHUTDOWN: &str = "x";

/// The columns at the right, from the width on for which they are: their names and widths.
const COLUMNS: [(u16, [(&str, usize); 5]); 3] = [
    (100, [("heartbeats", 11), ("mean", 7), ("longest", 8), ("documented", 11), ("late", 5)]),
    (64, [("", 0), ("mean", 6), ("longest", 8), ("doc.", 5), ("late", 5)]),
    (0, [("", 0), ("", 0), ("longest", 8), ("", 0), ("late", 5)]),
];
/// What registrations can be sorted by: first the addresses, then what [`COLUMNS`] has.
pub const SORTS: &[ChartColumn] = &[
    ChartColumn { name: "server", keys: |of| keys(of, |row| SortKey::Address(row.server)) },
    ChartColumn { name: "master", keys: |of| keys(of, |row| SortKey::Address(row.master)) },
    ChartColumn {
        name: "heartbeats",
        keys: |of| keys(of, |row| SortKey::Number(row.heartbeats.into())),
    },
    ChartColumn {
        name: "mean",
        keys: |of| keys(of, |row| SortKey::number(row.intervals.map(|all| all.mean))),
    },
    ChartColumn { name: "longest", keys: |of| keys(of, |row| SortKey::number(row.longest())) },
    ChartColumn {
        name: "documented",
        keys: |of| {
            keys(of, |row| {
                row.documented.map_or(SortKey::Missing, |all| SortKey::Number(all.nanos().into()))
            })
        },
    },
    ChartColumn { name: "late", keys: |of| keys(of, |row| SortKey::Number(row.late.into())) },
];
/// From this width on, a row names its master too.
const WITH_MASTER: u16 = 116;

/// The areas of the chart.
pub struct HeartbeatAreas {
    head: Rect,
    pub rows: Rect,
    /// The selected row in words, and what the marks mean.
    foot: Rect,
}

/// How a row is divided.
struct TimelineColumns {
    server: usize,
    master: usize,
    times: TimeColumns,
    /// The left end of the times.
    left: usize,
}

impl HeartbeatAreas {
    pub fn new(area: Rect) -> Self {
        let (head, rest) = split_top(area, 1);
        let foot = match area.height {
            ..5 => 0,
            5..12 => 2,
            12.. => 3,
        };
        let (rows, foot) = split_bottom(rest, foot);
        Self { head, rows, foot }
    }
}

impl TimelineColumns {
    fn new(from: ChartSource<'_>, area: Rect) -> Self {
        let space = usize::from(area.width);
        let limit = (space * 3 / 10).max(12);
        let [server, master] = from.addresses.map(|widest| widest.min(limit));
        let master = if area.width < WITH_MASTER { 0 } else { master };
        let left = server + 1 + if master > 0 { master + 1 } else { 0 };
        let right: usize = numbers(area).iter().map(|(_, columns)| columns).sum();
        let columns = u16::try_from(space.saturating_sub(left + right).max(1)).unwrap_or(u16::MAX);
        let (first, last) = from.statistics.games.buckets().span().unwrap_or((0, 0));
        let each = (last.saturating_sub(first) / i64::from(columns)).saturating_add(1);
        Self { server, master, times: TimeColumns { first, each, columns }, left }
    }
}

/// The widths of the widest addresses, of servers and of masters.
pub fn addresses(statistics: &SessionStatistics) -> [usize; 2] {
    let series = statistics.heartbeats.series().iter();
    series.fold(["server", "master"].map(width), |[servers, masters], series| {
        let [server, master] = [series.server, series.master].map(|end| width(&end.to_string()));
        [servers.max(server), masters.max(master)]
    })
}

fn keys(statistics: &SessionStatistics, key: fn(&HeartbeatSeries) -> SortKey) -> Vec<SortKey> {
    statistics.heartbeats.series().iter().map(key).collect()
}

/// The columns at the right with their widths.
fn numbers(area: Rect) -> [(&'static str, usize); 5] {
    let fitting = COLUMNS.into_iter().find(|(from, _)| area.width >= *from);
    fitting.map(|(_, columns)| columns).unwrap_or_default()
}

pub fn note(statistics: &SessionStatistics) -> [String; 2] {
    let all = statistics.heartbeats.series();
    let late = all.iter().filter(|series| series.late > 0).count();
    let more = match statistics.heartbeats.left_out() {
        0 => String::new(),
        n => format!("{} of more servers not counted", counted(n, "heartbeat")),
    };
    let late = (!all.is_empty()).then(|| format!("{late} of {} late", grouped(all.len() as u64)));
    [late.unwrap_or_default(), more]
}

pub fn draw(from: ChartSource<'_>, area: Rect, buffer: &mut Buffer) {
    let ChartSource { statistics, view, rows, is_focused, .. } = from;
    let heartbeats = &statistics.heartbeats;
    let areas = HeartbeatAreas::new(area);
    let series = heartbeats.series();
    let visible = rows.visible(series.len()).filter_map(|(row, at)| Some((row, series.get(at)?)));
    let columns = TimelineColumns::new(from, area);
    let mut painter = Painter::at(buffer, areas.head, 0);
    painter.write(&rows.heading("server", "server"), style::TITLE);
    if columns.master > 0 {
        painter.go(columns.server + 1);
        painter.write(&rows.heading("master", "master"), style::TITLE);
    }
    painter.go(columns.left + usize::from(columns.times.columns));
    for ((name, columns), column) in numbers(area).into_iter().zip(SORTS.iter().skip(2)) {
        painter.number(&rows.heading(column.name, name), columns, style::TITLE);
    }
    columns.times.labels(view, columns.left, areas.head, buffer);
    for (y, (at, series)) in (0..areas.rows.height).zip(visible) {
        row(series, heartbeats, &columns, area, &mut Painter::at(buffer, areas.rows, y));
        let over = row_style(at == rows.scroll.cursor, is_focused);
        Painter::at(buffer, areas.rows, y).paint(over);
    }
    let selected = rows.selected(series.len());
    if let Some(selected) = selected.and_then(|at| series.get(at)) {
        foot(selected, view, areas.foot, buffer);
    }
}

fn row(
    series: &HeartbeatSeries,
    heartbeats: &HeartbeatStatistics,
    columns: &TimelineColumns,
    area: Rect,
    painter: &mut Painter<'_>,
) {
    let role = |role| style::painted(render::role_style(role));
    let server = fit_address(&series.server.to_string(), columns.server);
    painter.cell(&server, columns.server + 1, role(Role::Server));
    if columns.master > 0 {
        let master = fit_address(&series.master.to_string(), columns.master);
        painter.cell(&master, columns.master + 1, role(Role::Master));
    }
    for (mark, style) in marks(series, heartbeats, columns.times) {
        painter.write(mark, style);
    }
    let time = |time: Option<i64>| time.map_or(String::new(), duration);
    let documented = series.documented.map_or("none".to_owned(), |of| duration(of.nanos()));
    let late = if series.late > 0 { style::WARNING } else { style::PLAIN };
    let texts = [
        (grouped(series.heartbeats), style::PLAIN),
        (time(series.intervals.map(|of| of.mean)), style::PLAIN),
        (time(series.longest()), late),
        (documented, style::DIM),
        (grouped(series.late), late),
    ];
    for ((text, style), (_, columns)) in texts.iter().zip(numbers(area)) {
        painter.number(text, columns, *style);
    }
}

/// The mark in each column of the time.
fn marks(
    series: &HeartbeatSeries,
    heartbeats: &HeartbeatStatistics,
    times: TimeColumns,
) -> Vec<(&'static str, Style)> {
    let all = usize::from(times.columns);
    let mut found = vec![HeartbeatMarks::default(); all];
    let mut line = vec![(" ", style::PLAIN); all];
    let width = heartbeats.buckets().width();
    let column = |time: i64| times.at(time.max(times.first)).unwrap_or(all);
    for (bucket, marks) in series.marks.iter() {
        if let Some(mark) = found.get_mut(column(bucket.saturating_mul(width))) {
            mark.add_marks(marks);
        }
    }
    for [from, to] in series.overdue(width, i64::MAX) {
        // The heartbeat before it has its own column.
        let before = series.latest().map_or(from, |latest| from.saturating_sub(latest));
        let first = column(from).max(column(before) + 1);
        if let Some(gap) = line.get_mut(first..column(to).min(all)) {
            gap.fill((OVERDUE, style::WARNING));
        }
    }
    for (cell, marks) in line.iter_mut().zip(found) {
        if marks.has(HeartbeatMarks::SHUTDOWN) {
            *cell = (SHUTDOWN, style::BOLD);
        } else if marks.has(HeartbeatMarks::LATE) {
            *cell = (LATE, style::WARNING);
        } else if marks.has(HeartbeatMarks::HEARTBEAT) {
            *cell = (HEARTBEAT, style::PLAIN);
        }
    }
    line
}

/// The selected row in words, and the meaning of the marks.
fn foot(series: &HeartbeatSeries, view: &ViewState, area: Rect, buffer: &mut Buffer) {
    let legend = format!(
        "{HEARTBEAT} heartbeat  {LATE} late (documented + {TOLERANCE}%)  {OVERDUE} overdue  \
         {SHUTDOWN} shutdown  (times in {})",
        unit(view)
    );
    let lines = match area.height {
        3.. => vec![registration(series), last(series, view), legend],
        _ => vec![format!("{}; {}", registration(series), last(series, view)), legend],
    };
    let legend = lines.len() - 1;
    for ((y, at), line) in (0..area.height).zip(0..).zip(&lines) {
        let style = if at == legend { style::DIM } else { style::PLAIN };
        Painter::at(buffer, area, y).write(line, style);
    }
}

/// `to 198.51.100.1:27950, quake3; documented: 5m (001 1.2.9)`.
fn registration(series: &HeartbeatSeries) -> String {
    let documented = series.documented.map_or("no interval is documented".to_owned(), |of| {
        format!("documented: {} ({})", duration(of.nanos()), of.section)
    });
    format!("to {}, {}; {documented}", series.master, series.game.id)
}

/// How many heartbeats there are, and how they end.
fn last(series: &HeartbeatSeries, view: &ViewState) -> String {
    let unit = if view.format.times.is_clock() { "" } else { " s" };
    let at = format!("at {}{unit}", view.time(series.last));
    let end = match (series.has_shut_down, series.silence) {
        (true, _) => format!("shutdown {at}"),
        (false, Some(silence)) => format!("the last {at}, then none for {}", duration(silence)),
        (false, None) => format!("the last {at}"),
    };
    format!("{}, {end}", counted(series.heartbeats, "heartbeat"))
}
