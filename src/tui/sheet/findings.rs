//! The table of findings: violations of the documents.

use super::ink::{bold, dim, plain, severity};
use super::{Runs, TableColumn, address, left, right};
use crate::analysis::Finding;
use crate::tui::text::counted;

pub const COLUMNS: &[TableColumn] = &[
    right("#", 2),
    left("severity", 7),
    left("rule", 12),
    right("×", 1),
    address("at fault"),
    left("what", 16).growing(),
];

pub fn cells(finding: &Finding) -> Vec<Runs> {
    let first = finding.messages.first().map(u64::to_string).unwrap_or_default();
    [
        dim(first),
        severity(finding.rule.severity),
        bold(finding.rule.id),
        plain(finding.occurrences.to_string()),
        plain(finding.subject.to_string()),
        plain(&finding.text),
    ]
    .map(|run| vec![run])
    .into()
}

pub fn details(finding: &Finding) -> Vec<Runs> {
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
        vec![dim("demanded  "), plain(rule.requirement)],
        vec![dim("harm      "), plain(rule.impact)],
        vec![dim("cited     "), plain(finding.citation())],
        vec![
            dim("messages  "),
            plain(format!("{}{more}", numbers.join(" "))),
            dim(format!("  found {}", counted(finding.occurrences, "time"))),
        ],
    ]
}
