//! The table of masters: heartbeats, requests, and the sizes of their lists.

use std::borrow::Cow;

use super::cell::{bad, bold, cells, dim, endpoint, listed, moment, odd, plain};
use super::related::{RelatedMessages, numbers_where};
use super::table::TableContent;
use crate::analysis::{AnalysisIndex, MasterHost, Range, Session};
use crate::protocol::Role;
use crate::tui::text::{counted, grouped};
use crate::tui::view_state::ViewState;
use crate::tui::widgets::table::{Runs, TableColumn, address, left, right};

pub struct MastersTable;

impl TableContent for MastersTable {
    type Row = MasterHost;
    const NOUN: &'static str = "master";
    const NAME: &'static str = "masters";
    const COLUMNS: &'static [TableColumn] = &[
        address("address"),
        left("game", 6),
        right("heartbeats", 10),
        right("requests", 8),
        right("lists", 2),
        right("servers", 3),
        right("packets", 3).from(100),
        right("bytes", 3),
        right("amplification", 13).from(90),
        left("end marks", 5).growing(0),
    ];

    fn len(session: &Session) -> Option<usize> {
        session.index().map(AnalysisIndex::masters)
    }

    fn row(session: &Session, at: usize) -> Option<Cow<'_, MasterHost>> {
        session.index()?.master(at).map(Cow::Borrowed)
    }

    fn cells(master: &MasterHost, _: &Session, _: &ViewState) -> Vec<Runs> {
        let lists = master.lists.to_string();
        let mut cells = cells([
            endpoint(Some(Role::Master), master.address.to_string()),
            plain(master.verdict.game.id),
            plain(master.heartbeats.to_string()),
            plain(master.list_requests.to_string()),
            if master.list_requests > master.lists { odd(lists) } else { plain(lists) },
            plain(range(master, master.servers)),
            plain(range(master, master.packets)),
            plain(range(master, master.bytes)),
            plain(amplification(master)),
        ]);
        cells.push(ends(master));
        cells
    }

    fn details(master: &MasterHost, _: &Session, view: &ViewState, _: usize) -> Vec<Runs> {
        let mut lines = vec![
            vec![
                endpoint(Some(Role::Master), master.address.to_string()),
                plain("  "),
                bold(master.verdict.game.title),
                dim(format!("  first seen in {}", moment(master.seen, view))),
            ],
            vec![plain(format!(
                "{}, {}, {}",
                counted(master.heartbeats, "heartbeat"),
                counted(master.list_requests, "list request"),
                counted(master.lists, "list"),
            ))],
        ];
        if master.lists == 0 {
            if master.list_requests > 0 {
                lines.push(vec![bad("no list was captured")]);
            }
            return lines;
        }
        let mean = |range: Range| grouped(range.sum / master.lists.max(1));
        for (what, of) in
            [("servers", master.servers), ("packets", master.packets), ("bytes", master.bytes)]
        {
            let (least, most) = (grouped(of.min), grouped(of.max));
            let range = format!("{least} to {most}, mean {}", mean(of));
            let text = if least == most { least } else { range };
            lines.push(vec![plain(format!("{what} per list: {text}"))]);
        }
        lines.push(vec![plain(format!(
            "{} of lists for {} of requests: amplification {}",
            counted(master.bytes.sum, "byte"),
            counted(master.request_bytes, "byte"),
            amplification(master)
        ))]);
        let ends = ends(master);
        if !ends.is_empty() {
            let mut line = vec![plain("end marks: ")];
            line.extend(ends);
            lines.push(line);
        }
        lines
    }

    fn related(master: &MasterHost, session: &Session) -> RelatedMessages {
        let flows = session.flows();
        let mut numbers = numbers_where(session, |e| e.master(flows) == Some(master.address));
        numbers.push(master.seen.number());
        RelatedMessages::new(format!("master {}", master.address), numbers)
    }
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
    let [complete, incomplete, none] = master.ends;
    let runs = [
        (complete, plain(format!("{complete} complete"))),
        (incomplete, odd(format!("{incomplete} incomplete"))),
        (none, dim(format!("{none} without"))),
    ];
    listed(runs.into_iter().filter(|(count, _)| *count > 0).map(|(_, run)| run))
}
