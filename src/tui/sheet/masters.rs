//! The table of masters: heartbeats, requests, and the sizes of their lists.

use super::ink::{bad, bold, dim, end, moment, odd, plain};
use super::{RowFormat, Runs, TableColumn, address, left, right};
use crate::analysis::{AnalysisIndex, Exchange, MasterHost, Range};
use crate::protocol::Role;
use crate::tui::text::{counted, grouped};

pub const COLUMNS: &[TableColumn] = &[
    address("address"),
    left("game", 6),
    right("beats", 2),
    right("asked", 2),
    right("lists", 2),
    right("servers", 3),
    right("packets", 3).from(90),
    right("bytes", 3),
    right("× asked", 4),
    left("ends", 5).growing(),
];

pub fn cells(master: &MasterHost) -> Vec<Runs> {
    let unanswered = master.list_requests > master.lists;
    let lists = master.lists.to_string();
    vec![
        vec![end(Some(Role::Master), master.address.to_string())],
        vec![plain(master.verdict.game.id)],
        vec![plain(master.heartbeats.to_string())],
        vec![plain(master.list_requests.to_string())],
        vec![if unanswered { odd(lists) } else { plain(lists) }],
        vec![plain(range(master, master.servers))],
        vec![plain(range(master, master.packets))],
        vec![plain(range(master, master.bytes))],
        vec![plain(amplification(master))],
        ends(master),
    ]
}

/// `0–12`, or empty if there is no list.
fn range(master: &MasterHost, range: Range) -> String {
    match (master.lists, range.min == range.max) {
        (0, _) => String::new(),
        (_, true) => grouped(range.max),
        (_, false) => format!("{}–{}", grouped(range.min), grouped(range.max)),
    }
}

/// Bytes of lists per byte of their requests, with one decimal.
fn amplification(master: &MasterHost) -> String {
    let tenths = (master.bytes.sum * 10).checked_div(master.request_bytes);
    tenths.map_or(String::new(), |tenths| format!("{}.{}", tenths / 10, tenths % 10))
}

/// The end marks of its packets.
fn ends(master: &MasterHost) -> Runs {
    let [marked, bare, open] = master.ends;
    let mut runs = Vec::new();
    for (count, run) in [
        (marked, plain(format!("{marked} marked"))),
        (bare, odd(format!("{bare} partly marked"))),
        (open, dim(format!("{open} open"))),
    ] {
        if count > 0 {
            if !runs.is_empty() {
                runs.push(plain(", "));
            }
            runs.push(run);
        }
    }
    runs
}

pub fn details(master: &MasterHost, manner: RowFormat) -> Vec<Runs> {
    let mut lines = vec![
        vec![
            end(Some(Role::Master), master.address.to_string()),
            plain("  "),
            bold(master.verdict.game.title),
            dim(format!("  first seen in {}", moment(master.seen, manner))),
        ],
        vec![plain(format!(
            "{}; asked for {}, gave {}",
            counted(master.heartbeats, "heartbeat"),
            counted(master.list_requests, "list"),
            grouped(master.lists),
        ))],
    ];
    if master.lists == 0 {
        if master.list_requests > 0 {
            lines.push(vec![bad("no list of it was captured")]);
        }
        return lines;
    }
    let mean = |range: Range| grouped(range.sum / master.lists.max(1));
    for (what, of) in
        [("servers", master.servers), ("packets", master.packets), ("bytes", master.bytes)]
    {
        let (least, most) = (grouped(of.min), grouped(of.max));
        let text = format!("{what} a list: {least} to {most}, {} on average", mean(of));
        lines.push(vec![plain(text)]);
    }
    lines.push(vec![plain(format!(
        "{} for {} of requests: {} times as many",
        counted(master.bytes.sum, "byte"),
        grouped(master.request_bytes),
        amplification(master)
    ))]);
    let ends = ends(master);
    if !ends.is_empty() {
        let mut line = vec![plain("ends of its packets: ")];
        line.extend(ends);
        lines.push(line);
    }
    lines
}

/// The frames of all its messages.
pub fn numbers(books: &AnalysisIndex, master: &MasterHost) -> Vec<u64> {
    let with = books.exchanges().iter().filter(|e| e.master() == Some(master.address));
    let mut numbers: Vec<_> = with.flat_map(Exchange::numbers).collect();
    numbers.push(master.seen.number());
    numbers
}
