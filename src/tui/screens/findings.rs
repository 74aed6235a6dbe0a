//! The table of findings: violations of the documents.

use std::borrow::Cow;

use ratatui::style::Style;

use super::cell::{bold, cells, dim, plain, severity};
use super::related::RelatedMessages;
use super::table::TableContent;
use crate::analysis::{Finding, Session, Severity};
use crate::tui::text::counted;
use crate::tui::view_state::ViewState;
use crate::tui::widgets::style;
use crate::tui::widgets::table::{Runs, TableColumn, address, left, right};

pub struct FindingsTable;

impl TableContent for FindingsTable {
    type Row = Finding;
    const NOUN: &'static str = "finding";
    const NAME: &'static str = "findings";
    const COLUMNS: &'static [TableColumn] = &[
        right("#", 2),
        left("severity", 7),
        left("rule", 12),
        right("×", 1),
        address("at fault"),
        left("what", 16).growing(0),
    ];

    fn len(session: &Session) -> Option<usize> {
        session.index().map(|index| index.findings().len())
    }

    fn row(session: &Session, at: usize) -> Option<Cow<'_, Finding>> {
        session.index()?.findings().get(at).map(Cow::Borrowed)
    }

    fn cells(finding: &Finding, _: &Session, _: &ViewState) -> Vec<Runs> {
        let first = finding.messages.first().map(u64::to_string).unwrap_or_default();
        cells([
            dim(first),
            severity(finding.rule.severity),
            bold(finding.rule.id),
            plain(finding.occurrences.to_string()),
            plain(finding.subject.to_string()),
            plain(&finding.text),
        ])
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
        RelatedMessages::new(finding.rule.id.to_owned(), finding.messages.clone())
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
