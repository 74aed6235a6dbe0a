//! The table of findings: violations of the documents.

use std::borrow::Cow;

use ratatui::style::Style;

use super::cell::{bold, dim, one, plain, severity};
use super::links::RowOrigin;
use super::related::RelatedMessages;
use super::table::{RowColumn, TableContent};
use crate::text::counted;
use crate::view_state::ViewState;
use crate::widgets::style;
use crate::widgets::table::{Runs, address, left, right};
use analysis::{Finding, Session, Severity};
use filter::{MatchingRows, SortKey};
use flow::FlowId;

pub struct FindingsTable;

impl TableContent for FindingsTable {
    type Row = Finding;
    const NOUN: &'static str = "finding";
    const NAME: &'static str = "findings";
    const COLUMNS: &'static [RowColumn<Finding>] = &[
        RowColumn {
            layout: right("#", 2),
            cell: |finding, _| {
                one(dim(finding.messages.first().map(u64::to_string).unwrap_or_default()))
            },
            key: |finding, _| SortKey::number(finding.messages.first().copied()),
        },
        RowColumn {
            layout: left("severity", 7),
            cell: |finding, _| one(severity(finding.rule.severity)),
            key: |finding, _| SortKey::number(Some(finding.rule.severity as u8)),
        },
        RowColumn {
            layout: left("rule", 12),
            cell: |finding, _| one(bold(finding.rule.id)),
            key: |finding, _| SortKey::text(finding.rule.id),
        },
        RowColumn {
            layout: right("times", 5),
            cell: |finding, _| one(plain(finding.occurrences.to_string())),
            key: |finding, _| SortKey::number(Some(finding.occurrences)),
        },
        RowColumn {
            layout: address("at fault"),
            cell: |finding, _| one(plain(finding.subject.to_string())),
            key: |finding, _| SortKey::Address(finding.subject),
        },
        RowColumn {
            layout: left("what", 16).growing(0),
            cell: |finding, _| one(plain(&finding.text)),
            key: |finding, _| SortKey::text(&finding.text),
        },
    ];

    fn len(session: &Session) -> Option<usize> {
        session.index().map(|index| index.findings().len())
    }

    fn row(session: &Session, at: usize) -> Option<Cow<'_, Finding>> {
        session.index()?.findings().get(at).map(Cow::Borrowed)
    }

    fn is_matching(rows: &MatchingRows, at: usize) -> bool {
        rows.has_finding(at)
    }

    fn row_of_number(session: &Session, number: u64) -> Option<usize> {
        session.index()?.findings_of(number).next()
    }

    fn origin(finding: &Finding, _: usize, session: &Session) -> RowOrigin {
        let origin = RowOrigin {
            title: finding.rule.id.to_owned(),
            message: finding.messages.first().and_then(|number| session.find(*number)),
            flows: flows_of(finding, session),
            servers: [Some(finding.subject), finding.explains].into_iter().flatten().collect(),
            masters: vec![finding.subject],
            term: Some(format!("finding.id == \"{}\"", finding.rule.id)),
            ..RowOrigin::default()
        };
        let exchange = finding.messages.first().and_then(|n| session.index()?.exchange_of(*n));
        RowOrigin { exchanges: exchange.into_iter().collect(), ..origin }
    }

    fn details(finding: &Finding, _: &Session, _: &ViewState, _: usize) -> Vec<Runs> {
        let rule = finding.rule;
        let numbers: Vec<_> = finding.messages.iter().map(|number| format!("#{number}")).collect();
        let more = if finding.occurrences > finding.messages.len() as u64 { " …" } else { "" };
        vec![
            vec![
                severity(rule.severity),
                plain("  "),
                bold(rule.id),
                plain(format!("  at fault: {}", finding.subject)),
            ],
            vec![plain(&finding.text)],
            Vec::new(),
            vec![dim("rule       "), plain(rule.requirement)],
            vec![dim("impact     "), plain(rule.impact)],
            vec![dim("reference  "), plain(finding.citation())],
            vec![
                dim("messages   "),
                plain(format!("{}{more}", numbers.join(" "))),
                dim(format!("  found {}", counted(finding.occurrences, "time"))),
            ],
        ]
    }

    fn related(finding: &Finding, _: &Session) -> RelatedMessages {
        let messages = finding.messages.clone();
        let related = RelatedMessages::new(finding.rule.id.to_owned(), messages);
        RelatedMessages {
            place: finding.place,
            selected: finding.messages.first().copied(),
            ..related
        }
    }

    /// The number has the colour of the highest severity.
    fn count_style(session: &Session) -> Style {
        let findings = session.index().map(|index| index.findings()).unwrap_or_default();
        match findings.iter().map(|finding| finding.rule.severity).max() {
            Some(Severity::Error) => style::FAULT,
            Some(Severity::Warning) => style::WARNING,
            Some(Severity::Note) | None => style::DIM,
        }
    }
}

/// The flows of its messages, that of the first one first.
fn flows_of(finding: &Finding, session: &Session) -> Vec<FlowId> {
    let messages = finding.messages.iter().filter_map(|number| session.find(*number));
    let of_messages = messages.filter_map(|at| session.frame_of(at)).map(|(_, flow)| flow);
    let mut flows = Vec::new();
    for flow in finding.origin.flow.into_iter().chain(of_messages) {
        if !flows.contains(&flow) {
            flows.push(flow);
        }
    }
    flows
}
