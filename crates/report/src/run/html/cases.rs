//! The cases on a page: those that did not pass in full, the others as a line each.

use std::collections::BTreeMap;
use std::time::Duration;

use maud::{Markup, html};

use super::sources::links;
use crate::html::{lines, shown};
use crate::{CaseDatagram, CaseVerdict, Run, Tried};
use text::duration_of;

/// Cases shown together, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CaseGroup {
    Failed,
    Warned,
    Blocked,
    Passed,
    Skipped,
}

/// A case with its result in every run.
pub(super) struct CaseRow<'a> {
    group: CaseGroup,
    case: &'a Tried,
    /// In the order of the runs; `None` if a run did not have the case.
    tried: Vec<Option<&'a Tried>>,
}

impl CaseGroup {
    pub const ALL: [Self; 5] =
        [Self::Failed, Self::Warned, Self::Blocked, Self::Passed, Self::Skipped];

    fn of_verdict(verdict: CaseVerdict) -> Self {
        match verdict {
            CaseVerdict::Fail => Self::Failed,
            CaseVerdict::Warn => Self::Warned,
            CaseVerdict::Blocked | CaseVerdict::Error => Self::Blocked,
            CaseVerdict::Pass | CaseVerdict::Info => Self::Passed,
            CaseVerdict::Skipped => Self::Skipped,
        }
    }

    /// The group's name in the filter of the page.
    pub fn word(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Warned => "warned",
            Self::Blocked => "blocked",
            Self::Passed => "passed",
            Self::Skipped => "skipped",
        }
    }

    fn heading(self) -> &'static str {
        match self {
            Self::Failed => "Failed",
            Self::Warned => "With a warning",
            Self::Blocked => "Not judged",
            Self::Passed => "Passed",
            Self::Skipped => "Not tried",
        }
    }
}

/// Every case of any run, in the order of the first run that has it.
pub(super) fn rows(runs: &[Run]) -> Vec<CaseRow<'_>> {
    let mut rows: Vec<CaseRow<'_>> = Vec::new();
    let mut indices: BTreeMap<&str, usize> = BTreeMap::new();
    for (n, run) in runs.iter().enumerate() {
        for case in &run.cases {
            let index = *indices.entry(&case.id).or_insert(rows.len());
            let group = CaseGroup::of_verdict(case.verdict);
            if index == rows.len() {
                rows.push(CaseRow { group, case, tried: vec![None; runs.len()] });
            }
            let Some(row) = rows.get_mut(index) else { continue };
            row.group = row.group.min(group);
            if let Some(tried) = row.tried.get_mut(n) {
                *tried = Some(case);
            }
        }
    }
    rows
}

/// The cases of one group: first those with details, then a table of the others.
pub(super) fn section(runs: &[Run], group: CaseGroup, rows: &[CaseRow<'_>]) -> Markup {
    let of_group = rows.iter().filter(|row| row.group == group);
    let (full, brief): (Vec<_>, Vec<_>) = of_group.partition(|row| row.has_details());
    if full.is_empty() && brief.is_empty() {
        return html! {};
    }
    html! {
        section class={ "group is-" (group.word()) } {
            h2 { (group.heading()) " (" (full.len() + brief.len()) ")" }
            @for row in full { (row.article(runs)) }
            @if !brief.is_empty() {
                table.cases {
                    thead {
                        tr {
                            th scope="col" { "case" }
                            @for run in runs { th scope="col" { (shown(&run.head.target)) } }
                            th scope="col" { "what is done" } th scope="col" { "source" }
                        }
                    }
                    tbody { @for row in brief { (row.line(runs)) } }
                }
            }
        }
    }
}

impl CaseRow<'_> {
    /// Whether there are details that do not fit into a line.
    fn has_details(&self) -> bool {
        let has = |tried: &&Tried| match tried.verdict {
            CaseVerdict::Fail | CaseVerdict::Warn => true,
            _ => tried.is_bad() && !(tried.exchange.is_empty() && tried.dump.is_empty()),
        };
        self.tried.iter().flatten().any(has)
    }

    fn line(&self, runs: &[Run]) -> Markup {
        let why = |n: usize, tried: &Tried| {
            runs.get(n).map(|run| shown(run.why(tried))).unwrap_or_default()
        };
        html! {
            tr.case {
                td.id { (shown(&self.case.id)) }
                @for tried in &self.tried { (verdict(*tried)) }
                td {
                    (shown(&self.case.title))
                    @for (n, tried) in self.tried.iter().enumerate() {
                        @if let Some(tried) = tried {
                            @let why = why(n, tried);
                            @if !why.is_empty() { p.why { (why) } }
                        }
                    }
                }
                td { (links(self.case)) }
            }
        }
    }

    fn article(&self, runs: &[Run]) -> Markup {
        let case = self.case;
        html! {
            article.case {
                h3 { (shown(&case.id)) }
                p { (shown(&case.title)) }
                p.requires { (case.level) ": " (shown(&case.requires)) " [" (links(case)) "]" }
                @for (run, tried) in runs.iter().zip(&self.tried) {
                    @if let Some(tried) = tried { (result(run, tried, runs.len() > 1)) }
                }
            }
        }
    }
}

/// A cell with a verdict; empty where the run did not have the case.
fn verdict(tried: Option<&Tried>) -> Markup {
    let word = tried.map_or("", |tried| tried.mark().word());
    html! { td class=(word) { (word) } }
}

/// The result of a case in one run.
fn result(run: &Run, tried: &Tried, names_target: bool) -> Markup {
    let word = tried.mark().word();
    let why = run.why(tried);
    html! {
        div.went {
            p {
                span.verdict.(word) { (word) }
                @if names_target { " " (shown(&run.head.target)) "," }
                " " (duration_of(Duration::from_millis(tried.milliseconds)))
            }
            @if !why.is_empty() { p.text { (shown(why)) } }
            @if let Some(first) = &tried.first_try { p { "at the first try: " (shown(first)) } }
            @if !tried.dump.is_empty() { pre.fault { (lines(&tried.dump)) } }
            @if !tried.exchange.is_empty() {
                details {
                    summary { (tried.datagram_count()) }
                    @for datagram in &tried.exchange { (datagram_details(datagram)) }
                }
            }
        }
    }
}

fn datagram_details(datagram: &CaseDatagram) -> Markup {
    html! {
        details.datagram.fault[datagram.at_fault] open[datagram.at_fault] {
            summary { (shown(&datagram.head())) }
            pre { (lines(&datagram.dump)) }
        }
    }
}
