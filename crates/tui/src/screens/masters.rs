//! The table of masters: heartbeats, requests, and the sizes of their lists.

use std::borrow::Cow;

use super::cell::{bad, bold, dim, endpoint, listed, moment, odd, one, plain};
use super::links::RowOrigin;
use super::related::{RelatedMessages, numbers_where};
use super::table::{RowColumn, TableContent};
use crate::text::{counted, grouped};
use crate::view_state::ViewState;
use crate::widgets::table::{Runs, address, left, right};
use analysis::{AnalysisIndex, MasterHost, Range, ServerHost, Session};
use filter::{MatchingRows, SortKey};
use protocol::Role;
use text::escaped;

pub struct MastersTable;

impl TableContent for MastersTable {
    type Row = MasterHost;
    const NOUN: &'static str = "master";
    const NAME: &'static str = "masters";
    const COLUMNS: &'static [RowColumn<MasterHost>] = &[
        RowColumn {
            layout: address("address"),
            cell: |master, cx| one(endpoint(Some(Role::Master), cx.endpoint(master.address))),
            key: |master, _| SortKey::Address(master.address),
        },
        RowColumn {
            layout: left("game", 6),
            cell: |master, _| one(plain(master.verdict.game.id)),
            key: |master, _| SortKey::text(master.verdict.game.id),
        },
        RowColumn {
            layout: right("heartbeats", 10),
            cell: |master, _| one(plain(master.heartbeats.to_string())),
            key: |master, _| SortKey::number(Some(master.heartbeats)),
        },
        RowColumn {
            layout: right("requests", 8),
            cell: |master, _| one(plain(master.list_requests.to_string())),
            key: |master, _| SortKey::number(Some(master.list_requests)),
        },
        RowColumn {
            layout: right("lists", 2),
            cell: |master, _| {
                let lists = master.lists.to_string();
                one(if master.list_requests > master.lists { odd(lists) } else { plain(lists) })
            },
            key: |master, _| SortKey::number(Some(master.lists)),
        },
        RowColumn {
            layout: right("servers", 3),
            cell: |master, _| one(plain(range(master, master.servers))),
            key: |master, _| largest(master, master.servers),
        },
        RowColumn {
            layout: right("packets", 3).from(100),
            cell: |master, _| one(plain(range(master, master.packets))),
            key: |master, _| largest(master, master.packets),
        },
        RowColumn {
            layout: right("bytes", 3),
            cell: |master, _| one(plain(range(master, master.bytes))),
            key: |master, _| largest(master, master.bytes),
        },
        RowColumn {
            layout: right("amplification", 13).from(90),
            cell: |master, _| one(plain(amplification(master))),
            key: |master, _| SortKey::number(tenths(master)),
        },
        RowColumn {
            layout: left("end marks", 5).growing(0),
            cell: |master, _| ends(master),
            key: |master, _| SortKey::number(Some(master.ends[1])),
        },
    ];

    fn len(session: &Session) -> Option<usize> {
        session.index().map(AnalysisIndex::masters)
    }

    fn row(session: &Session, at: usize) -> Option<Cow<'_, MasterHost>> {
        session.index()?.master(at).map(Cow::Borrowed)
    }

    fn is_matching(rows: &MatchingRows, at: usize) -> bool {
        rows.has_master(at)
    }

    fn row_of_number(session: &Session, number: u64) -> Option<usize> {
        let index = session.index()?;
        let exchange = index.exchanges().get(index.exchange_of(number)?)?;
        index.master_at(exchange.master(session.flows())?)
    }

    fn origin(master: &MasterHost, _: usize, session: &Session) -> RowOrigin {
        let message = session.find(master.seen.number());
        let servers = session.index().map(|index| {
            let servers = (0..index.servers()).filter_map(|at| index.server(at));
            let registers = |server: &&ServerHost| {
                server.registrations.iter().any(|stats| stats.master == master.address)
            };
            servers.filter(registers).map(|server| server.address).collect()
        });
        let origin = RowOrigin {
            title: format!("master {}", master.address),
            message,
            servers: servers.unwrap_or_default(),
            findings: findings_about(session, master.address),
            masters: vec![master.address],
            host: Some((Role::Master, master.address)),
            term: Some(format!("master == {}", master.address)),
            ..RowOrigin::default()
        };
        let flows = session.flows();
        origin.with_all_of(
            master.address,
            |exchange| exchange.master(flows) == Some(master.address),
            session,
        )
    }

    fn details(master: &MasterHost, session: &Session, view: &ViewState, _: usize) -> Vec<Runs> {
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
        let errors = || session.flows().errors_to(master.address);
        if let Some(error) = errors().max_by_key(|error| error.time) {
            lines.push(vec![bad(format!(
                "{}, the last in #{}: {}, from {}",
                counted(errors().count() as u64, "ICMP error"),
                error.number,
                escaped(&error.what),
                error.from
            ))]);
        }
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
        let lists = counted(master.bytes.sum, "byte");
        lines.push(vec![plain(match amplification(master).as_str() {
            "" => format!("{lists} of lists; none of their requests was captured"),
            times => {
                let requests = counted(master.request_bytes, "byte");
                format!("{lists} of lists for {requests} of requests: {times} bytes sent for each received")
            }
        })]);
        let ends = ends(master);
        if !ends.is_empty() {
            lines.push(ends);
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

fn largest(master: &MasterHost, range: Range) -> SortKey {
    SortKey::number(Some(range.max).filter(|_| master.lists > 0))
}

/// The findings about an endpoint, by their indices.
pub fn findings_about(session: &Session, address: std::net::SocketAddr) -> Vec<usize> {
    let findings = session.index().map(|index| index.findings()).unwrap_or_default();
    let about = findings
        .iter()
        .enumerate()
        .filter(|(_, finding)| finding.subject == address || finding.explains == Some(address));
    about.map(|(at, _)| at).collect()
}

/// Tenths of bytes of lists per byte of their requests.
fn tenths(master: &MasterHost) -> Option<u64> {
    (master.bytes.sum * 10).checked_div(master.request_bytes)
}

/// Bytes of lists per byte of their requests, with one decimal.
fn amplification(master: &MasterHost) -> String {
    tenths(master).map_or(String::new(), |tenths| format!("{}.{}", tenths / 10, tenths % 10))
}

/// How its packets end.
fn ends(master: &MasterHost) -> Runs {
    let [complete, incomplete, none] = master.ends;
    let packets = |count| counted(count, "packet");
    let runs = [
        (complete, plain(format!("{} with the end mark of lists", packets(complete)))),
        (incomplete, odd(format!("{} with a part of it", packets(incomplete)))),
        (none, dim(format!("{} without", packets(none)))),
    ];
    listed(runs.into_iter().filter(|(count, _)| *count > 0).map(|(_, run)| run))
}
