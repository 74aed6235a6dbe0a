//! The table of flows: two endpoints, and the game that they speak.

use std::borrow::Cow;
use std::net::SocketAddr;

use super::cell::{bold, dim, endpoint, odd, one, plain};
use super::links::RowOrigin;
use super::related::RelatedMessages;
use super::table::{RowColumn, TableContent};
use crate::text::{counted, grouped};
use crate::view_state::ViewState;
use crate::widgets::table::{Runs, address, left, right, time_column};
use analysis::Session;
use export::{Selection, SessionExport};
use filter::{MatchingRows, SortKey};
use flow::{FlowId, Traffic, Transport, Verdict};
use protocol::Role;
use text::{duration, escaped, has_time, since};

pub struct FlowsTable;

/// A flow, as the table shows it.
#[derive(Debug, Clone)]
pub struct FlowSummary {
    id: FlowId,
    transport: Transport,
    ends: [SocketAddr; 2],
    roles: [Option<Role>; 2],
    /// Nothing if no message was recognised.
    verdict: Option<Verdict>,
    traffic: [Traffic; 2],
    messages: u64,
    errors: usize,
    first: i64,
    last: i64,
}

impl FlowSummary {
    fn new(session: &Session, id: FlowId) -> Option<Self> {
        let flows = session.flows();
        let (flow, (transport, ends)) = (flows.flow(id)?, flows.ends(id)?);
        let verdict = flows.verdict(id).or_else(|| flows.in_game_of(id));
        let role = |at: usize| {
            let end = flows.endpoints(id)?.into_iter().nth(at)?;
            verdict.and_then(|verdict| end.role(verdict.game))
        };
        Some(Self {
            id,
            transport,
            ends,
            roles: [role(0), role(1)],
            verdict,
            traffic: flow.traffic,
            messages: flow.messages().map(|(.., n)| n).sum(),
            errors: flow.errors().len(),
            first: flow.first,
            last: flow.last,
        })
    }

    fn game(&self) -> &'static str {
        self.verdict.map_or("", |verdict| verdict.game.id)
    }

    fn packets(&self) -> u64 {
        self.traffic.iter().map(|traffic| traffic.packets).sum()
    }

    fn bytes(&self) -> u64 {
        self.traffic.iter().map(|traffic| traffic.bytes).sum()
    }
}

impl TableContent for FlowsTable {
    type Row = FlowSummary;
    const NOUN: &'static str = "flow";
    const NAME: &'static str = "flows";
    const COLUMNS: &'static [RowColumn<FlowSummary>] = &[
        RowColumn {
            layout: right("flow", 4),
            cell: |flow, _| one(dim(flow.id.0.to_string())),
            key: |flow, _| SortKey::number(Some(flow.id.0)),
        },
        RowColumn {
            layout: time_column("begin", 5),
            cell: |flow, cx| one(dim(cx.time(flow.first))),
            key: |flow, _| SortKey::number(Some(flow.first)),
        },
        RowColumn {
            layout: right("duration", 6).from(90),
            cell: |flow, _| {
                one(plain(since(flow.first, flow.last).map_or(String::new(), duration)))
            },
            key: |flow, _| SortKey::number(since(flow.first, flow.last)),
        },
        RowColumn {
            layout: left("transport", 3).from(110),
            cell: |flow, _| one(plain(flow.transport.name())),
            key: |flow, _| SortKey::text(flow.transport.name()),
        },
        RowColumn {
            layout: address("source"),
            cell: |flow, cx| one(endpoint(flow.roles[0], cx.endpoint(flow.ends[0]))),
            key: |flow, _| SortKey::Address(flow.ends[0]),
        },
        RowColumn {
            layout: address("destination"),
            cell: |flow, cx| one(endpoint(flow.roles[1], cx.endpoint(flow.ends[1]))),
            key: |flow, _| SortKey::Address(flow.ends[1]),
        },
        RowColumn {
            layout: left("game", 6),
            cell: |flow, _| one(plain(flow.game())),
            key: |flow, _| SortKey::text(flow.game()),
        },
        RowColumn {
            layout: left("certainty", 6).from(100),
            cell: |flow, _| one(plain(flow.verdict.map_or("", |v| v.confidence.name()))),
            key: |flow, _| SortKey::number(flow.verdict.map(|v| v.confidence as u8)),
        },
        RowColumn {
            layout: right("packets", 5),
            cell: |flow, _| one(plain(grouped(flow.packets()))),
            key: |flow, _| SortKey::number(Some(flow.packets())),
        },
        RowColumn {
            layout: right("bytes", 5).from(90),
            cell: |flow, _| one(plain(grouped(flow.bytes()))),
            key: |flow, _| SortKey::number(Some(flow.bytes())),
        },
        RowColumn {
            layout: right("messages", 5),
            cell: |flow, _| one(plain(grouped(flow.messages))),
            key: |flow, _| SortKey::number(Some(flow.messages)),
        },
        RowColumn {
            layout: right("errors", 3).from(100),
            cell: |flow, _| {
                one(if flow.errors == 0 { dim("0") } else { odd(flow.errors.to_string()) })
            },
            key: |flow, _| SortKey::number(Some(flow.errors as u64)),
        },
    ];

    fn len(session: &Session) -> Option<usize> {
        Some(session.flows().len())
    }

    fn row(session: &Session, at: usize) -> Option<Cow<'_, FlowSummary>> {
        FlowSummary::new(session, id_at(at)).map(Cow::Owned)
    }

    fn is_matching(rows: &MatchingRows, at: usize) -> bool {
        rows.has_flow(id_at(at))
    }

    fn row_of_number(session: &Session, number: u64) -> Option<usize> {
        let (_, flow) = session.frame_of(session.find(number)?)?;
        (flow.0 as usize).checked_sub(1)
    }

    fn details(flow: &FlowSummary, session: &Session, view: &ViewState, _: usize) -> Vec<Runs> {
        let [from, to] = flow.ends;
        let role = |role: Option<Role>| role.map(|role| format!(" ({role})")).unwrap_or_default();
        let title = flow.verdict.map_or("no known message", |verdict| verdict.game.title);
        let mut lines = vec![vec![
            bold(title),
            plain("  "),
            endpoint(flow.roles[0], from.to_string()),
            dim(role(flow.roles[0])),
            plain(" ↔ "),
            endpoint(flow.roles[1], to.to_string()),
            dim(role(flow.roles[1])),
        ]];
        let [there, back] = flow.traffic;
        for (sender, traffic) in [(from, there), (to, back)] {
            let (packets, bytes) =
                (counted(traffic.packets, "packet"), counted(traffic.bytes, "byte"));
            lines.push(vec![plain(format!("{sender} sent {packets}, {bytes}"))]);
        }
        let between = if has_time(flow.last) {
            format!("from {} to {}", view.time(flow.first), view.time(flow.last))
        } else {
            "its packets have no time".to_owned()
        };
        lines.push(vec![plain(between)]);
        let flows = session.flows();
        if let Some(judged) = flows.judge(flow.id) {
            let reasons = judged.reasons.iter().map(|reason| plain(format!("because {reason}")));
            lines.extend(reasons.map(one));
            lines.extend(judged.roles.into_iter().map(|role| one(plain(role))));
        }
        if let Some(flow) = flows.flow(flow.id) {
            lines.push(Vec::new());
            lines.extend(flow.messages().map(|(_, name, n)| one(plain(format!("{name} ×{n}")))));
            lines.extend(flow.errors().iter().map(|error| {
                one(odd(format!(
                    "#{}: {}, from {}",
                    error.number,
                    escaped(&error.what),
                    error.from
                )))
            }));
        }
        lines
    }

    fn related(flow: &FlowSummary, session: &Session) -> RelatedMessages {
        let frames = (session.gone()..session.len()).filter_map(|at| session.frame_of(at));
        let numbers = frames.filter(|(_, of)| *of == flow.id).map(|(number, _)| number);
        RelatedMessages::new(format!("flow {}", flow.id.0), numbers.collect())
    }

    fn origin(flow: &FlowSummary, _: usize, session: &Session) -> RowOrigin {
        let origin = RowOrigin {
            title: format!("flow {}", flow.id.0),
            flows: vec![flow.id],
            term: Some(format!("flow == {}", flow.id.0)),
            ..RowOrigin::default()
        };
        origin.with_ends_of(flow.id, session.flows())
    }

    fn export(session: &Session) -> Option<SessionExport> {
        SessionExport::of_messages("flows", Selection::All(session.gone()..session.len()))
    }
}

fn id_at(at: usize) -> FlowId {
    FlowId(u32::try_from(at + 1).unwrap_or(0))
}
