//! The heartbeats of each server to each master, against the documented interval.

use std::collections::HashMap;

use maud::{Markup, html};

use super::{HEIGHT, axis, figure, picture, place};
use crate::cells::{CellForm, endpoint};
use crate::kept_rows::TableRow;
use crate::left_out::LeftOut;
use crate::tables::ReportTables;
use crate::time_span::TimeSpan;
use analysis::{HeartbeatMarks, HeartbeatSeries, HeartbeatStatistics};
use protocol::TOLERANCE;

/// How many servers with their masters have a row.
const SERIES: usize = 40;

/// The numbers of a row that the table of registrations has, with their headings.
const NUMBERS: [(&str, CellForm); 4] = [
    ("heartbeats", CellForm::Number("heartbeats")),
    ("mean", CellForm::Nanoseconds("heartbeat_interval_ns")),
    ("longest", CellForm::Nanoseconds("heartbeat_interval_max_ns")),
    ("documented", CellForm::Nanoseconds("heartbeat_documented_ns")),
];

/// A row for each server and master, those with the most late heartbeats first.
pub(super) fn chart(
    (heartbeats, tables): (&HeartbeatStatistics, &ReportTables),
    span: TimeSpan,
    left_out: &mut LeftOut,
) -> Markup {
    let all = heartbeats.series();
    if all.is_empty() {
        return html! {};
    }
    let shown = all.iter().take(SERIES);
    let counts = (shown.len() as u64, all.len() as u64);
    left_out.add_part("rows of heartbeats", counts, "those with the most late heartbeats first");
    let width = heartbeats.buckets().width();
    let rows = tables.rows("registrations").iter();
    let ends = |row: &TableRow| {
        let [server, master] = [["server", "server_port"], ["master", "master_port"]];
        [endpoint(row, server), endpoint(row, master)]
    };
    let known: HashMap<_, _> = rows.map(|row| (ends(row), row)).collect();
    let none = TableRow::default();
    let table = html! {
        table {
            thead {
                tr {
                    @for name in ["server", "master", "game"] { th scope="col" { (name) } }
                    th.plot scope="col" { (axis(span)) }
                    @for (name, _) in NUMBERS { th scope="col" { (name) } }
                    th scope="col" { "late" }
                }
            }
            tbody {
                @for series in shown {
                    tr {
                        th scope="row" { (series.server) }
                        td { (series.master) }
                        td { (series.game.id) }
                        td.plot { (timeline(series, width, span)) }
                        @let ends = [series.server, series.master].map(|end| end.to_string());
                        @let row = known.get(&ends).copied().unwrap_or(&none);
                        @for (_, form) in NUMBERS { (form.cell(row, span, &|_| false)) }
                        td.n.late[series.late > 0] { (series.late) }
                    }
                }
            }
        }
    };
    let note = format!(
        "a line is a heartbeat, a long one came late (after the documented interval and {TOLERANCE} %), \
         a bar is the time in which one was overdue, a square is a shutdown"
    );
    figure("heartbeats", "Heartbeats and the documented interval", &note, &table)
}

fn timeline(series: &HeartbeatSeries, width: i64, span: TimeSpan) -> Markup {
    let marks = series.marks.iter().filter(|(_, marks)| !marks.is_empty());
    let shapes = html! {
        rect class="axis" x="0" y="11.5" width=(super::WIDTH) height="1" {}
        @for [from, to] in series.overdue(width, span.last) {
            @let (from, to) = (place(from, span), place(to, span));
            rect class="overdue" x=(from) y="8" width=((to - from).max(1)) height="8" {}
        }
        @for (bucket, marks) in marks {
            @let x = place(bucket.saturating_mul(width).max(span.first), span).min(super::WIDTH - 2);
            @if marks.has(HeartbeatMarks::SHUTDOWN) {
                rect class="shutdown" x=(x) y="8" width="4" height="8" {}
            } @else if marks.has(HeartbeatMarks::LATE) {
                rect class="late" x=(x) y="1" width="1.5" height="22" {}
            } @else {
                rect class="bar" x=(x) y="6" width="1.2" height="12" {}
            }
        }
    };
    picture(HEIGHT, &shapes)
}
